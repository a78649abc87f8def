package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func TestSoak(t *testing.T) {
	var out bytes.Buffer
	if err := soak(&out, io.Discard, machines, 100*time.Millisecond, 7); err != nil {
		t.Errorf("soak for .1 s = %v", err)
	}
	if n := strings.Count(out.String(), "00 operations\n"); n != len(machines) {
		t.Errorf("soak printed\n%swant whole histories of %d machines", out.String(), len(machines))
	}
}

// Whoever misses an operation, the copy or the plain form, is found out. Not every operation
// changes anything, so some losses stay without effect.
func TestLosses(t *testing.T) {
	for _, m := range machines {
		for _, l := range []loss{copyLoses, plainLoses} {
			found := 0
			for seed := uint64(0); seed < 40 && found < 5; seed++ {
				if n, err := history(m, seed, 40, l); err != nil {
					found++
					if n < 40 || !strings.Contains(err.Error(), m.name) {
						t.Errorf("%s, seed %d: after a loss at operation 40: %v", m.name, seed, err)
					}
				}
			}
			plain := m.name != "fairqueue.Queue, tree" // it has no plain form
			if want := l == copyLoses || plain; found == 5 != want {
				t.Errorf("%s: %d of 40 losses of kind %d are found, want 5: %t", m.name, found, l, want)
			}
		}
	}
}

// The first failure is told with its seed and operation, after all machines of the round.
func TestFailure(t *testing.T) {
	broken := machine{"broken", func(*rand.Rand) func(loss) {
		done := 0
		return func(loss) {
			if done++; done == 3 {
				same("answer", 1, 2)
			}
		}
	}}
	crashes := machine{"crashes", func(*rand.Rand) func(loss) { return func(loss) { _ = []int{}[len(machines)] } }}
	for m, want := range map[*machine]string{&broken: "broken: seed 5, operation 2: answer: 1, want 2", &crashes: "index out of range"} {
		var out bytes.Buffer
		err := soak(&out, io.Discard, []machine{*m, machines[len(machines)-1]}, time.Hour, 5)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(out.String(), "300 operations") {
			t.Errorf("soak of a machine that fails = %v after\n%swant %s", err, out.String(), want)
		}
	}
}
