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
		{"burst", burstClaims(m), burstClaims([5]meeting{m[1], m[0], m[0], m[0], m[3]}), "yyyny"},
		{"two-slots", twoSlotsClaims(d), twoSlotsClaims([5]standing{d[3], d[3], d[3], d[1], d[2]}), "yyyyy"},
	} {
		if got := verdicts(c.as); got != c.want {
			t.Errorf("the claims of %s are %s, want %s", c.name, got, c.want)
		}
		if got := verdicts(c.others); got != "nnnnn"[:len(c.want)] {
			t.Errorf("the claims of %s with other rules' outcomes are %s, want none to hold", c.name, got)
		}
	}
	// An estimate of each flow's near the truth is enough.
	rule, err := newStartTags(func(r *request) float64 { return []float64{1.2, 50}[r.flow] }, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	near, err := meet(rule)
	if err != nil {
		t.Fatal(err)
	}
	if got := verdicts(burstClaims([5]meeting{m[0], m[1], m[2], near, m[4]})); got != "yyyyy" {
		t.Errorf("the claims of burst with estimates near the truth are %s, want yyyyy", got)
	}
}

// TestTwoSlotsSeeds: the claims are not those of one seed.
func TestTwoSlotsSeeds(t *testing.T) {
	for seed := uint64(2); seed <= 6; seed++ {
		list, err := standings(200, seed)
		if err != nil {
			t.Fatal(err)
		}
		if got := verdicts(twoSlotsClaims(list)); got != "yyyyy" {
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
		p := newPasses(1000, weight)
		r := request{}
		if err := p.arrive(&r); err != nil || r.tag != want {
			t.Errorf("the first pass at weight %v is %v, want %v", weight, r.tag, want)
		}
	}
}

// TestServe: two slots that open at 0, by hand, by least service.
func TestServe(t *testing.T) {
	list := []request{{0, -1, 3, 0, 0, 0}, {0, -1, 2, 0, 0, 0}, {1, 0, 1, 0, 0, 0}, {1, 1, 1, 0, 0, 0}, {0, 1.5, 9, 0, 0, 0}, {1, 7, 1, 0, 0, 0}}
	u := &used{queues: make(queues, 2), forget: math.Inf(1), amount: make([]float64, 2)}
	if err := serve(u, 2, 7, list, nil); err != nil {
		t.Fatal(err)
	}
	starts := report.Column(list, func(r *request) float64 { return r.start })
	if want := []float64{0, 2, 0, 1, 3, math.Inf(1)}; !slices.Equal(starts, want) {
		t.Errorf("the requests start at %v, want %v", starts, want)
	}
}
