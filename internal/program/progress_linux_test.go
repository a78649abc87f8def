package program_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/schedmath/schedmath/internal/program"
)

// terminal opens a terminal so many columns wide. What is written to it comes from screen.
func terminal(t *testing.T, columns int) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	ioctl := func(request uintptr, arg unsafe.Pointer) {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, screen.Fd(), request, uintptr(arg)); e != 0 {
			t.Skip(e)
		}
	}
	var lock, number int32
	ioctl(syscall.TIOCSPTLCK, unsafe.Pointer(&lock))
	ioctl(syscall.TIOCGPTN, unsafe.Pointer(&number))
	size := [4]uint16{24, uint16(columns)}
	ioctl(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return screen, terminal
}

// A bar leaves the last column free whatever the terminal's width, and shows the numbers or
// nothing.
func TestProgressWidth(t *testing.T) {
	_, stop := program.OnInterrupt() // an interrupt of an earlier run stops bars no more
	t.Cleanup(stop)
	for _, columns := range []int{200, 80, 64, 60, 50, 40, 30, 25, 24, 10, 1} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			t.Parallel() // bars are drawn at most ten times a second
			screen, file := terminal(t, columns)
			p := program.NewProgress(file, "program: what is done there", 12345)
			p.Add(6000)
			time.Sleep(110 * time.Millisecond)
			p.Add(345)
			fmt.Fprint(file, "\rend")
			var shown strings.Builder
			for b := make([]byte, 4096); !strings.Contains(shown.String(), "end"); {
				n, err := screen.Read(b)
				if err != nil {
					t.Fatal(err)
				}
				shown.Write(b[:n])
			}
			for line := range strings.SplitSeq(shown.String(), "\r") {
				if n := utf8.RuneCountInString(line); n >= columns && line != "end" {
					t.Errorf("%q is %d wide", line, n)
				}
			}
			if columns > len("6345 of 12345") != strings.Contains(shown.String(), "6345 of 12345") {
				t.Errorf("%q, want the numbers where there is room for them", shown.String())
			}
		})
	}
}
