package program

import (
	"bytes"
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
