package program_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/program"
)

func flags() *flag.FlagSet {
	f := flag.NewFlagSet("x", flag.ContinueOnError)
	f.String("out", "figures", "write into `DIR`")
	f.Uint64("seed", 1, "seed `N`")
	f.Bool("quick", false, "less")
	return f
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args      string
		ok, files bool // without files behind the flags, and with them
	}{
		{"", true, true},
		{"-out x -quick -seed 7", true, true},
		{"--seed=18446744073709551615", true, true},
		{"-seed -1", false, false},
		{"-seed 1.5", false, false},
		{"-quick=perhaps", false, false},
		{"-nosuch", false, false},
		{"-out", false, false},
		{"-out=", false, false},
		{"-out= -quick", false, false},
		{"stray", false, true},
		{"-quick - b", false, true},
		{"a -quick", false, false},
	} {
		for _, files := range []bool{false, true} {
			f, parse, want := flags(), program.Parse, c.ok
			if files {
				parse, want = program.ParseFiles, c.files
			}
			var out bytes.Buffer
			done, err := parse(f, strings.Fields(c.args), &out, "help")
			if done || (err == nil) != want || out.Len() > 0 {
				t.Errorf("parsing %q, files %v = %v, %v and printed %q, want ok %v", c.args, files, done, err, out.String(), want)
			}
			if err != nil && (program.Exit(&out, "x", err) != 2 || strings.Count(out.String(), "\n") != 1) {
				t.Errorf("Exit after parsing %q printed %q, want one line and 2", c.args, out.String())
			}
		}
	}
	for _, arg := range []string{"-h", "-help", "--help"} {
		var out bytes.Buffer
		done, err := program.Parse(flags(), []string{arg}, &out, "what it does")
		for _, want := range []string{"what it does", "-out", "-quick", "-seed", "-version", `default "figures"`, "default 1"} {
			if !done || err != nil || !strings.Contains(out.String(), want) {
				t.Errorf("Parse(%s) = %v, %v and printed %q, want done and %q in it", arg, done, err, out.String(), want)
			}
		}
	}
	var out bytes.Buffer
	if done, err := program.Parse(flags(), []string{"-version"}, &out, "help"); !done || err != nil || !strings.HasPrefix(out.String(), "x ") || !strings.Contains(out.String(), "go1.") || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("Parse(-version) = %v, %v and printed %q, want done and a line with the name and Go's version", done, err, out.String())
	}
}

func TestExit(t *testing.T) {
	_, noFile := os.Open(filepath.Join(t.TempDir(), "none"))
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{program.Usagef("bad"), 2},
		{noFile, 2},
		{&fs.PathError{Op: "open", Path: "a\nb", Err: errors.New("c\n")}, 2},
		{fmt.Errorf("file: %w", &schedmath.InputError{Func: "f", Arg: "a", Index: -1, Reason: "r"}), 2},
		{errors.New("other"), 1},
		{fmt.Errorf("wrapped: %w", &program.Interrupted{Kept: "2 of 3 figures"}), 130},
	} {
		var out bytes.Buffer
		if got := program.Exit(&out, "name", c.err); got != c.want {
			t.Errorf("Exit(%v) = %d, want %d", c.err, got, c.want)
		}
		if lines := strings.Count(out.String(), "\n"); c.err == nil && lines != 0 || c.err != nil && (lines != 1 || !strings.HasPrefix(out.String(), "name: ")) {
			t.Errorf("Exit(%v) printed %q, want one line that starts with the name", c.err, out.String())
		}
	}
}

func TestList(t *testing.T) {
	for value, want := range map[string][]string{"": {""}, "a": {"a"}, "a,b , c": {"a", "b", "c"}} {
		if got := program.List(value); !slices.Equal(got, want) {
			t.Errorf("List(%q) = %q, want %q", value, got, want)
		}
	}
}

// TestReadFile: a byte order mark is no text, and a file that does not end takes no memory without end.
func TestReadFile(t *testing.T) {
	program.Attach("marked", []byte("\ufeff[1]"))
	if text, err := program.ReadFile("marked"); err != nil || string(text) != "[1]" {
		t.Errorf("ReadFile = %q, %v, want [1]", text, err)
	}
	program.Attach("large", make([]byte, 16<<20))
	if text, err := program.ReadFile("large"); err != nil || len(text) != 16<<20 {
		t.Errorf("ReadFile of 16 MiB = %d bytes, %v", len(text), err)
	}
	program.Attach("larger", make([]byte, 16<<20+1))
	if text, err := program.ReadFile("larger"); text != nil || err == nil || !strings.Contains(err.Error(), "larger is longer than 16777216 bytes") {
		t.Errorf("ReadFile of a byte more = %d bytes, %v", len(text), err)
	}
}
