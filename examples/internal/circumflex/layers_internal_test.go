package circumflex

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// imagineLayers makes up what the cases gave: cost is what a task adds to a plan's response time of
// a minute under FLEX, as a part of the task's length, CIRCUMFLEX takes share of FLEX's, and beats
// is the factor of heartbeats; others are by scheme, those of datasets apart with a "+".
func imagineLayers(cost, share float64, beats func(task float64) float64, others map[string]float64) *study {
	s := &study{n: 5, layers: layerCases(true)}
	for i := range s.layers {
		c := &s.layers[i]
		x, fit := 1+cost*c.task/60, 1.
		if c.scheme == schemeNames[circumflex] {
			x, fit = share*x, .8
		}
		if c.beat > 0 {
			x *= beats(c.task)
		}
		key := c.scheme
		if c.apart {
			key += "+"
		}
		if y, other := others[key]; other {
			x = y
		}
		c.response, c.fit = []float64{x - .001, x, x + .001, x, x}, slices.Repeat([]float64{fit}, 5)
	}
	return s
}

func TestLayersClaimsCanFail(t *testing.T) {
	good := imagineLayers(.5, .8, func(task float64) float64 { return 1 + .9/task },
		map[string]float64{exact: 1, corrected: 1.02, kept: 1.3, "FLEX+": 1, "CIRCUMFLEX+": 1, "FAIR+": 1.2})
	bad := imagineLayers(2, 1.1, func(task float64) float64 { return 1 + task },
		map[string]float64{exact: 1, corrected: 1.3, kept: 1.1, "FLEX+": 1, "CIRCUMFLEX+": 1.1, "FAIR+": 1})
	canFail(t, good.claimsLayers(), bad.claimsLayers())
	// Of the rows about two things each fails by one of them alone.
	half := imagineLayers(.5, .8, func(float64) float64 { return 1 }, map[string]float64{exact: 1, corrected: 1.2, kept: 1.3, "FLEX+": 1, "CIRCUMFLEX+": 1.1, "FAIR+": 1.2})
	for _, c := range half.claimsLayers()[4:] {
		if c.Holds {
			t.Errorf("%q holds: %s", c.Claim, c.Model)
		}
	}
	half = imagineLayers(.5, .8, func(float64) float64 { return 1 }, map[string]float64{exact: 1, corrected: 1.02, kept: 1.02, "FLEX+": 1, "CIRCUMFLEX+": 1, "FAIR+": .9})
	for _, c := range half.claimsLayers()[4:] {
		if c.Holds {
			t.Errorf("%q holds: %s", c.Claim, c.Model)
		}
	}
}

// With short tasks the slot model comes near to the plan followed exactly, under both schemes.
func TestLayersApproachThePlan(t *testing.T) {
	for _, s := range []scheme{flex, circumflex} {
		last := 0.0
		for _, task := range []float64{3, 12, 48} {
			c := layerCase{slots: 20, task: task, planned: s, make: plans(0), response: make([]float64, 1), fit: make([]float64, 1)}
			must(t, c.play(new(runner), 1, 0))
			over := report.Mean(c.overPlan())
			if !(over > 1 && over > last) || task == 3 && over > 1.15 {
				t.Errorf("%s, tasks of %v s: %.3f of the plan's response, want above 1 and %.3f, and at most 1.15 with tasks of 3 s", schemeNames[s], task, over, last)
			}
			last = over
		}
	}
}
