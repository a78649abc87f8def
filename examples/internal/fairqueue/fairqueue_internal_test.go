package fairqueue

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
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
	s, err := splits(501, 15010)
	if err != nil {
		t.Fatal(err)
	}
	w, err := waits(1000)
	if err != nil {
		t.Fatal(err)
	}
	m, err := meetings()
	if err != nil {
		t.Fatal(err)
	}
	d, err := standings(200, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name       string
		as, others []report.Claim
		want       string
	}{
		{"rounding", roundingClaims(s), roundingClaims([3]split{s[1], s[0], s[0]}), "yyy"},
		{"returning", returningClaims(1000, w), returningClaims(1000, [3]int{w[1], w[0], w[0]}), "yyy"},
		{"burst", burstClaims(m), burstClaims([4]meeting{m[1], m[0], m[0], m[0]}), "yyyn"},
		{"two-slots", twoSlotsClaims(d), twoSlotsClaims([3]standing{d[1], d[0], d[0]}), "yyy"},
	} {
		if got := verdicts(c.as); got != c.want {
			t.Errorf("the claims of %s are %s, want %s", c.name, got, c.want)
		}
		if got := verdicts(c.others); got != "nnnn"[:len(c.want)] {
			t.Errorf("the claims of %s with other rules' outcomes are %s, want none to hold", c.name, got)
		}
	}
	// An estimate of each flow's near the truth is enough.
	near := newStartTags(func(r *request) float64 { return []float64{1.2, 50}[r.flow] }, 1, 1)
	if got := verdicts(burstClaims([4]meeting{m[0], m[1], m[2], meet(near)})); got != "yyyy" || near.err != nil {
		t.Errorf("the claims of burst with estimates near the truth are %s, want yyyy; %v", got, near.err)
	}
}

// TestTwoSlotsSeeds: the claims are not those of one seed.
func TestTwoSlotsSeeds(t *testing.T) {
	for seed := uint64(2); seed <= 6; seed++ {
		list, err := standings(200, seed)
		if err != nil {
			t.Fatal(err)
		}
		if got := verdicts(twoSlotsClaims(list)); got != "yyy" {
			t.Errorf("the claims of two-slots with seed %d are %s", seed, got)
		}
		for i, s := range list {
			if total := sum(s.served[:]); total < 2*200-2 || total > 2*200+2 {
				t.Errorf("rule %d serves %.1f s on two slots in 200 s: some tenant had nothing to run", i, total)
			}
		}
	}
}

func sum(list []float64) (s float64) {
	for _, x := range list {
		s += x
	}
	return s
}

// TestSteps: the steps of Temporal's writer at some weights.
func TestSteps(t *testing.T) {
	for weight, want := range map[float64]float64{.5: 2000, 1: 1000, 334: 2, 500: 2, 501: 1, 1000: 1, 3000: 1} {
		p := passes{queues: make(queues, 1), scale: 1000, weights: []float64{weight}, last: make([]float64, 1)}
		r := request{}
		if p.arrive(&r); r.tag != want {
			t.Errorf("the first pass at weight %v is %v, want %v", weight, r.tag, want)
		}
	}
}

// TestServe: two slots that open at 0, by hand: the least rank first.
func TestServe(t *testing.T) {
	list := []request{{0, -1, 3, 0, 0, 0}, {0, -1, 2, 0, 0, 0}, {1, 0, 1, 0, 0, 0}, {1, 1, 1, 0, 0, 0}, {0, 1.5, 9, 0, 0, 0}, {1, 7, 1, 0, 0, 0}}
	u := &ranks{queues: make(queues, 2), rank: []float64{0, .5}}
	serve(u, 2, 7, list, func(*request) {})
	starts := report.Column(list, func(r *request) float64 { return r.start })
	if want := []float64{0, 1, 0, 3, 3, math.Inf(1)}; !slices.Equal(starts, want) {
		t.Errorf("the requests start at %v, want %v", starts, want)
	}
}
