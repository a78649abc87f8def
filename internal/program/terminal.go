//go:build linux || darwin || freebsd || netbsd || dragonfly

package program

import (
	"io"
	"os"
	"syscall"
	"unsafe"
)

// columns is the width of a terminal; 0: w is none.
func columns(w io.Writer) int {
	file, ok := w.(*os.File)
	if !ok {
		return 0
	}
	var size struct{ rows, columns, width, height uint16 }
	if _, _, failed := syscall.Syscall(syscall.SYS_IOCTL, file.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size))); failed != 0 {
		return 0
	}
	if size.columns == 0 { // a terminal that does not know
		return 80
	}
	return int(size.columns)
}
