package golden_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/golden"
)

// judge notes what becomes of a test instead of ending it.
type judge struct {
	testing.TB
	skipped, failed string
}

func (j *judge) Helper()        {}
func (j *judge) Cleanup(func()) {}
func (j *judge) Skipf(format string, args ...any) {
	j.skipped = fmt.Sprintf(format, args...)
	runtime.Goexit()
}
func (j *judge) Fatalf(format string, args ...any) {
	j.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// try runs f as a test would be run.
func try(f func(testing.TB)) *judge {
	j := new(judge)
	done := make(chan bool)
	go func() {
		defer close(done)
		f(j)
	}()
	<-done
	return j
}

func TestAbsent(t *testing.T) {
	if j := try(func(t testing.TB) { golden.Trace(t, "no such file") }); j.skipped == "" || j.failed != "" {
		t.Errorf("a trace that is not there: skipped %q, failed %q, want it skipped", j.skipped, j.failed)
	}
	if j := try(func(t testing.TB) { golden.Decode(t, "no such file", new(int)) }); j.skipped != "" || j.failed == "" {
		t.Errorf("expected values that are not there: skipped %q, failed %q, want it failed", j.skipped, j.failed)
	}
}

func TestFractions(t *testing.T) {
	if got := golden.Float(t, "7/2"); got != 3.5 {
		t.Errorf(`Float("7/2") = %v`, got)
	}
	if j := try(func(t testing.TB) { golden.Rat(t, "seven") }); j.failed == "" {
		t.Error(`Rat("seven") did not fail the test`)
	}
}

func TestCapacity(t *testing.T) {
	var got []golden.Capacity
	want := []golden.Capacity{{Slots: 3}, {Steps: [][2]float64{{0, 8}, {2, 5}}}}
	if err := json.Unmarshal([]byte(`[3, [[0, 8], [2, 5]]]`), &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Unmarshal = %v, %v, want %v", got, err, want)
	}
	if err := json.Unmarshal([]byte(`["three"]`), &got); err == nil {
		t.Error(`Unmarshal of "three" = nil, want an error`)
	}
}

func TestReadFluid(t *testing.T) {
	f := golden.ReadFluid(t)
	if len(f.Cases) != 120 || len(f.Shares) != 80 {
		t.Errorf("fluid.json has %d cases and %d divisions, want 120 and 80", len(f.Cases), len(f.Shares))
	}
	for _, c := range f.Cases {
		if (c.Slots.Slots > 0) == (len(c.Slots.Steps) > 0) || len(c.Expected["FIFO"].Completion) != len(c.Jobs) {
			t.Errorf("case %d: capacity %v, %d jobs and %d completion times", c.ID, c.Slots, len(c.Jobs), len(c.Expected["FIFO"].Completion))
		}
	}
}
