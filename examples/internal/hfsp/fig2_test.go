package hfsp

import (
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/internal/replay"
)

// quartiles are those of the mean sojourn times that a public simulator gave on the FB-2010 trace
// with 100 other seeds, per policy and sigma.
var quartiles = [][][2]float64{
	srpt:     {{10.44, 12.09}, {12.27, 18.50}, {17.78, 30.92}, {28.44, 57.23}},
	fspFirst: {{10.22, 11.53}, {10.48, 15.39}, {11.17, 12.55}, {12.33, 14.14}},
	fspShare: {{10.11, 10.53}, {10.22, 10.57}, {10.66, 11.01}, {11.96, 12.90}},
}

func TestMediansOfFacebookTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("long: many replays of a trace")
	}
	name := golden.Trace(t, "data/swim/FB-2010_samples_24_times_1hr_0.tsv")
	w, err := replay.Load(name, 1, diskToNetwork, load, 0)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run(w, 1, seeds, silent)
	if err != nil {
		t.Fatal(err)
	}
	for p, policy := range policies {
		for k, q := range quartiles[p] {
			if got := s.median(p, k); got < q[0] || got > q[1] {
				t.Errorf("%v with sigma %v: median %v, want within %v", policy, sigmas[k], got, q)
			}
		}
	}
}
