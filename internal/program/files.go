package program

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Place checks that the folder of a file that a flag names is there, and that the file is neither a
// folder itself nor, through whatever links, one of the inputs, so that a run that cannot write its
// result ends at its start. An empty name is no file, and the input "-" is standard input.
func Place(flag, name string, inputs ...string) error {
	dir := filepath.Dir(name)
	if info, err := os.Stat(dir); name != "" && (err != nil || !info.IsDir()) {
		return Usagef("-%s %s: %s is no directory", flag, name, dir)
	}
	out, err := os.Stat(name)
	if err != nil {
		return nil // it is to be made
	}
	if out.IsDir() {
		return Usagef("-%s %s is a directory, want a file", flag, name)
	}
	for _, input := range inputs {
		in, err := os.Stat(input)
		if input == "-" {
			in, err = os.Stdin.Stat()
		}
		if err == nil && out.Mode().IsRegular() && os.SameFile(in, out) {
			return Usagef("-%s %s is the file %s, which is read: want another one", flag, name, input)
		}
	}
	return nil
}

// attached is what Open gives where there are no files.
var attached = map[string][]byte{}

// Attach makes Open give the text for a name, in place of a file.
func Attach(name string, text []byte) { attached[name] = text }

// Open opens the file of that name, or standard input if it is "-".
func Open(name string) (io.ReadCloser, error) {
	if text, ok := attached[name]; ok {
		return io.NopCloser(bytes.NewReader(text)), nil
	}
	if name == "-" {
		return io.NopCloser(os.Stdin), nil
	}
	return os.Open(name)
}

// mostText is the length of the longest text that ReadFile reads, in bytes.
const mostText = 1 << 24

// ReadFile returns the text that Open gives, without its byte order mark.
func ReadFile(name string) ([]byte, error) {
	in, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, mostText+1))
	if err == nil && len(text) > mostText {
		err = Usagef("%s is longer than %d bytes", name, mostText)
	}
	if err != nil {
		return nil, err
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), nil
}

const mostLinks = 40 // that Linux follows

// WriteFile makes text what a file holds. A regular file is written beside its place and renamed, so
// that a run that is interrupted leaves what was there; it keeps its mode. The target of a link is
// replaced, not the link. Pipes and devices, and a file in a folder in which none can be made, are
// written to as they are.
func WriteFile(name string, text []byte) error {
	place := name
	for range mostLinks {
		target, err := os.Readlink(place)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Dir(place) + string(filepath.Separator) + target
		}
		place = target
	}
	old, err := os.Stat(name)
	if err == nil && !old.Mode().IsRegular() || strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/proc/") {
		return os.WriteFile(name, text, 0o666)
	}
	beside := filepath.Join(filepath.Dir(place), fmt.Sprintf(".%016x.new", rand.Uint64()))
	f, err := os.OpenFile(beside, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrPermission) {
		return os.WriteFile(name, text, 0o666)
	}
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if old != nil && err == nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(beside, place)
	}
	if err != nil {
		os.Remove(beside)
	}
	return err
}
