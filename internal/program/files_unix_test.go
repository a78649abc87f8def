//go:build unix

package program_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/schedmath/schedmath/internal/program"
)

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, name, want string) {
	t.Helper()
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v, want %q", name, got, err, want)
	}
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skip(err)
	}
}

// TestWriteFile: a file is replaced whole and keeps its mode, the target of a link is replaced and
// the link stays, and nothing else is left behind.
func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	name := func(s string) string { return filepath.Join(dir, s) }
	if err := program.WriteFile(name("new"), []byte("a")); err != nil {
		t.Fatal(err)
	}
	holds(t, name("new"), "a")
	put(t, name("plain"), "of before")
	plain, err := os.Stat(name("plain"))
	if err != nil {
		t.Fatal(err)
	}
	if made, err := os.Stat(name("new")); err != nil || made.Mode() != plain.Mode() {
		t.Errorf("a new file has the mode %v, want %v as any other", made.Mode(), plain.Mode())
	}
	if err := os.Chmod(name("plain"), 0o640); err != nil {
		t.Fatal(err)
	}
	// Who holds the file open while it is replaced reads what was there: the text was written beside.
	held, err := os.Open(name("plain"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := program.WriteFile(name("plain"), []byte("of now")); err != nil {
		t.Fatal(err)
	}
	holds(t, name("plain"), "of now")
	if text, err := io.ReadAll(held); string(text) != "of before" {
		t.Errorf("the file as it was holds %q, %v", text, err)
	}
	if now, err := os.Stat(name("plain")); err != nil || now.Mode().Perm() != 0o640 {
		t.Errorf("the file has the mode %v, %v, want 0640 as before", now.Mode(), err)
	}
	if err := os.Mkdir(name("below"), 0o777); err != nil {
		t.Fatal(err)
	}
	link(t, "../plain", name("below/link"))
	link(t, "below/link", name("chain"))
	link(t, "below/none", name("dangling"))
	for _, s := range []string{"below/link", "chain", "dangling"} {
		if err := program.WriteFile(name(s), []byte(s)); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat(name(s)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", s, info.Mode(), err)
		}
	}
	holds(t, name("plain"), "chain")
	holds(t, name("below/none"), "dangling")
	for at, want := range map[string]int{"": 5, "below": 2} {
		if files, err := os.ReadDir(name(at)); err != nil || len(files) != want {
			t.Errorf("%q has %v, %v, want %d files", at, files, err, want)
		}
	}
	if err := program.WriteFile(name("below"), []byte("x")); err == nil {
		t.Error("a folder is written to")
	}
	if err := program.WriteFile(name("none/x"), []byte("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file in a folder that is not there: %v", err)
	}
	if err := program.WriteFile(os.DevNull, []byte("x")); err != nil {
		t.Error(err)
	}
}

// TestWritePipe: a pipe is written through.
func TestWritePipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	got := make(chan string)
	go func() {
		text, err := os.ReadFile(name)
		got <- string(text)
		if err != nil {
			t.Error(err)
		}
	}()
	if err := program.WriteFile(name, []byte("through")); err != nil {
		t.Fatal(err)
	}
	if text := <-got; text != "through" {
		t.Errorf("the pipe gave %q", text)
	}
	if info, err := os.Lstat(name); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v, %v now", info.Mode(), err)
	}
}

// TestPlace: an output that is an input is refused under whatever name.
func TestPlace(t *testing.T) {
	dir := t.TempDir()
	name := func(s string) string { return filepath.Join(dir, s) }
	put(t, name("log"), "log")
	put(t, name("other"), "other")
	link(t, "log", name("soft"))
	if err := os.Link(name("log"), name("hard")); err != nil {
		t.Skip(err)
	}
	for _, c := range []struct {
		out  string
		want string // in the error; "": none
	}{
		{"log", "is the file"}, {"soft", "is the file"}, {"hard", "is the file"}, {"../" + filepath.Base(dir) + "/log", "is the file"},
		{"other", ""}, {"new", ""}, {"", "is a directory"}, {"none/new", "is no directory"},
	} {
		for _, input := range []string{name("log"), name("soft"), name("hard")} {
			err := program.Place("html", dir+"/"+c.out, name("none"), input)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("Place(%q, %q) = %v, want %q", c.out, input, err, c.want)
			}
		}
	}
	in, err := os.Open(name("log"))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer func(before *os.File) { os.Stdin = before }(os.Stdin)
	os.Stdin = in
	if err := program.Place("html", name("soft"), "-"); err == nil {
		t.Error("the file of standard input is taken for an output")
	}
	if err := program.Place("html", os.DevNull, os.DevNull); err != nil {
		t.Errorf("a device that is read and written: %v", err)
	}
}
