package golden

import (
	"encoding/json"
	"testing"
)

// Fluid is fluid.json: runs of a fluid server and divisions by max-min fairness, with answers as
// fractions.
type Fluid struct {
	Cases  []FluidCase
	Shares []FluidShares
}

// FluidCase is one set of jobs and when each job ends, by policy; Virtual is when it ends in the
// policy's virtual system, nil if it has none. All numbers are whole.
type FluidCase struct {
	ID    int
	Slots Capacity
	Jobs  []struct {
		A, S   float64  // arrival and size
		E      *float64 // estimate of the size; nil: exact
		Cap, W float64  // most slots and weight, 0 for none and for 1
	}
	Expected map[string]struct{ Completion, Virtual []string }
}

// FluidShares is one division of capacity among weighted caps, fluid, and of slots among tasks,
// whole.
type FluidShares struct {
	Capacity      float64
	Caps, Weights []float64
	Share         []string
	Tasks         []int
	Slots         int
	Whole         []int
}

// Capacity is a number of slots, or steps of [time, slots] if it changes.
type Capacity struct {
	Slots float64
	Steps [][2]float64
}

// UnmarshalJSON reads a number or a list of pairs.
func (c *Capacity) UnmarshalJSON(b []byte) error {
	*c = Capacity{}
	if json.Unmarshal(b, &c.Slots) == nil {
		return nil
	}
	return json.Unmarshal(b, &c.Steps)
}

// ReadFluid reads fluid.json.
func ReadFluid(t testing.TB) Fluid {
	t.Helper()
	var f Fluid
	Decode(t, "fluid.json", &f)
	if len(f.Cases) == 0 || len(f.Shares) == 0 {
		t.Fatalf("fluid.json has %d cases and %d divisions, want some", len(f.Cases), len(f.Shares))
	}
	return f
}
