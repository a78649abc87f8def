package hfsp

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// Nothing slows down the first hundred maps in flight; each hundred more does by the interference.
func TestSlowedBy(t *testing.T) {
	for _, c := range []struct {
		interference float64
		maps         int
		want         float64
	}{{0.1, 0, 1}, {0.1, 100, 1}, {0.1, 200, 1 / 1.1}, {0.15, 500, 1 / 1.6}, {0, 900, 1}} {
		if got := slowedBy(c.interference)(slotmodel.Load{Jobs: 3, Tasks: [2]int{c.maps, 40}, Running: [2]int{72, 36}}); !near(got, c.want, 1e-12) {
			t.Errorf("slowedBy(%v) of %d maps = %v, want %v", c.interference, c.maps, got, c.want)
		}
	}
	if testbed(0).Speed != nil || testbed(0.1).Speed == nil {
		t.Error("the test bed has interference where it should have none, or none where it should")
	}
}

// All experiments share the cluster of the interference found on SMALL.
func TestReadings(t *testing.T) {
	if foundOnSmall != foundOnLarge || !slices.Contains(interferences, foundOnSmall) || interferences[len(interferences)-1] != foundOnSmall {
		t.Errorf("found on SMALL %v, on LARGE %v, of %v, want one, the last", foundOnSmall, foundOnLarge, interferences)
	}
	for i, r := range readings {
		if r.Name == "" || r.Title == "" || len(r.Assumptions) < len(common) {
			t.Errorf("readings[%d] = %+v", i, r)
		}
	}
}

func TestSeedsOfRuns(t *testing.T) {
	runs := [][]outcome{{{mean: 100}, {mean: 900}, {mean: 200}}, {{mean: 50}, {mean: 90}, {mean: 160}}}
	if got := ratioOf(runs).Mean; !near(got, (0.5+0.1+0.8)/3, 1e-12) {
		t.Errorf("ratioOf = %v, want the mean of .5, .1 and .8", got)
	}
	if got := ofMeans(runs); !near(got, 300./1200, 1e-12) {
		t.Errorf("ofMeans = %v, want .25", got)
	}
	rest := withoutWorst(runs)
	if got := ofMeans(rest); !near(got, 210./300, 1e-12) || len(runs[0]) != 3 || runs[0][1].mean != 900 {
		t.Errorf("without the worst seed ofMeans = %v of %v, want .7 and the runs as they were", got, runs)
	}
}
