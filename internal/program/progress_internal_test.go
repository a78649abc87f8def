package program

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestProgressOffTerminals: where there is no terminal a line is written at most every 10 s.
func TestProgressOffTerminals(t *testing.T) {
	_, stop := OnInterrupt() // an interrupt of an earlier run stops progress no more
	defer stop()
	var out bytes.Buffer
	p := NewProgress(&out, "runs", 40)
	p.Add(4)
	if out.Len() > 0 {
		t.Errorf("a progress of less than 10 s wrote %q, want nothing", out.String())
	}
	p.start, p.shown = p.start.Add(-20*time.Second), p.shown.Add(-10*time.Second)
	p.Add(6)
	p.Add(1)
	p.Done()
	if got, want := out.String(), "runs: 10 of 40, 20s, 1m0s left\n"; got != want {
		t.Errorf("a progress of 20 s wrote %q, want %q", got, want)
	}
}

func TestReading(t *testing.T) {
	_, stop := OnInterrupt() // an interrupt of an earlier run stops progress no more
	defer stop()
	for size, want := range map[int]int{3<<20 + 5: 3, 2<<20 - 1: -1} {
		name := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(name, make([]byte, size), 0o666); err != nil {
			t.Fatal(err)
		}
		in, err := Reading(name, io.Discard, "program")
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, in)
		done, total := -1, -1
		if c, ok := in.(*counted); ok {
			done, total = c.progress.done, c.progress.total
		}
		if n != int64(size) || err != nil || done != want || total != want {
			t.Errorf("of %d bytes %d were read, %v, and %d of %d MB counted, want %d", size, n, err, done, total, want)
		}
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := Reading(filepath.Join(t.TempDir(), "none"), io.Discard, "program"); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}
