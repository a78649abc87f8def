package fairqueue

import (
	"math"
	"reflect"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"gonum.org/v1/gonum/floats"
)

// verdicts are those of claims, in order.
func verdicts(claims []report.Claim) (s string) {
	for _, c := range claims {
		s += c.HoldsWord()[:1]
	}
	return s
}

// TestClaims: each claim is true or false of the outcomes of the scenario as the page says, and
// false of those of another rule.
func TestClaims(t *testing.T) {
	s, w, m, d, a := splits(501, 15010), returns(1000), meetings(), standings(200, 1), allowances(1)
	alone, late := total(math.Inf(1), 0, 5000, 1), total(100, 0, 5000, 1)
	for _, c := range []struct {
		name       string
		as, others []report.Claim
		want       string
	}{
		{"rounding", roundingClaims(s), roundingClaims([][]request{s[1], s[0]}), "yy"},
		{"returning", returningClaims(w), returningClaims([][]request{w[1], w[0]}), "yy"},
		{"burst", burstClaims(m), burstClaims([][]request{m[1], m[0], m[0], m[0]}), "yyn"},
		{"two-slots", twoSlotsClaims(d), twoSlotsClaims([][]request{d[1], d[0]}), "yy"},
		{"caps", capsClaims(a[0], a[3], a[6]), capsClaims(a[6], a[0], a[0]), "yy"},
		{"replicas", replicasClaims(alone, late), replicasClaims(late, alone), "yy"},
	} {
		if got := verdicts(c.as); got != c.want {
			t.Errorf("the claims of %s are %s, want %s", c.name, got, c.want)
		}
		if got := verdicts(c.others); got != "nnn"[:len(c.want)] {
			t.Errorf("the claims of %s with other rules' outcomes are %s, want none to hold", c.name, got)
		}
	}
	// An estimate of each flow's near the truth is enough.
	near := meet(newStartTags(func(r *request) float64 { return []float64{1.2, 50}[r.flow] }, credit, 1, 1))
	if got := verdicts(burstClaims([][]request{m[0], m[1], m[2], near[0]})); got != "yyy" {
		t.Errorf("the claims of burst with estimates near the truth are %s, want yyy", got)
	}
}

// TestTwoSlotsSeeds: the claims are not those of one seed.
func TestTwoSlotsSeeds(t *testing.T) {
	for seed := uint64(2); seed <= 6; seed++ {
		list := standings(200, seed)
		if got := verdicts(twoSlotsClaims(list)); got != "yy" {
			t.Errorf("the claims of two-slots with seed %d are %s", seed, got)
		}
		for i, run := range list {
			if total := floats.Sum(numbers.Column(run, func(r *request) float64 { return r.length })); total < 2*200-2 || total > 2*200+2 {
				t.Errorf("rule %d serves %.1f s on two slots in 200 s: some tenant had nothing to run", i, total)
			}
		}
	}
}

// TestCapsAndReplicasSeeds: the claims of both are not those of one seed.
func TestCapsAndReplicasSeeds(t *testing.T) {
	for seed := uint64(2); seed <= 6; seed++ {
		a := allowances(seed)
		if got := verdicts(capsClaims(a[0], a[3], a[6])); got != "yy" {
			t.Errorf("the claims of caps with seed %d are %s: %v", seed, got, a)
		}
		alone, late := total(math.Inf(1), 0, 5000, seed), total(100, 0, 5000, seed)
		if got := verdicts(replicasClaims(alone, late)); got != "yy" {
			t.Errorf("the claims of replicas with seed %d are %s: %v, %v", seed, got, alone, late)
		}
	}
}

// TestSteps: the steps of Temporal's writer at some weights.
func TestSteps(t *testing.T) {
	for weight, want := range map[float64]float64{.5: 2000, 1: 1000, 334: 2, 500: 2, 501: 1, 1000: 1, 3000: 1} {
		p := passes{scale: 1000, weights: []float64{weight}}
		if got := p.step(0); got != want {
			t.Errorf("the step at weight %v is %v, want %v", weight, got, want)
		}
	}
}

// TestServe: two slots that open at 0, by hand: the least rank first.
func TestServe(t *testing.T) {
	list := []request{{0, -1, 3, 0, 0}, {0, -1, 2, 0, 0}, {1, 0, 1, 0, 0}, {1, 1, 1, 0, 0}, {0, 1.5, 9, 0, 0}, {1, 7, 1, 0, 0}}
	u := &ranks{queues: flows(2), rank: []float64{0, .5}}
	var starts [2][]float64
	for _, r := range serve(u, 2, 7, list) {
		starts[r.flow] = append(starts[r.flow], r.start)
	}
	if want := [2][]float64{{0, 1, 3}, {0, 3}}; !reflect.DeepEqual(starts, want) {
		t.Errorf("the requests start at %v, want %v", starts, want)
	}
}
