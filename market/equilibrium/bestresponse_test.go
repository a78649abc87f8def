package equilibrium_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/market/equilibrium"
)

var must = expect.Must

func near(got, want, relative float64) bool {
	return math.Abs(got-want) <= relative*max(math.Abs(got), math.Abs(want))
}

func TestBestResponseFacts(t *testing.T) {
	for _, c := range []struct {
		budget              float64
		worth, others, want []float64
	}{
		{10, []float64{1, 1}, []float64{5, 5}, []float64{5, 5}},
		{10, []float64{4, 1}, []float64{1, 4}, []float64{6.5, 3.5}},
		{1, []float64{1, 1}, []float64{1, 100}, []float64{1, 0}},
		{1, []float64{0, 1}, []float64{0, 100}, []float64{0, 1}},
		{0, []float64{1, 1}, []float64{1, 100}, []float64{0, 0}},
		{1, []float64{0, 0}, []float64{1, 100}, []float64{0, 0}},
		{0x1p-100, []float64{1}, []float64{1}, []float64{0x1p-100}}, // lost in 1 + 2^-100
		{1, nil, nil, nil},
	} {
		got, err := equilibrium.BestResponse([]float64{7}, c.budget, c.worth, c.others)
		ok := err == nil && len(got) == len(c.want)+1 && got[0] == 7
		for j := range c.want {
			ok = ok && near(got[j+1], c.want[j], 1e-12)
		}
		if !ok {
			t.Errorf("BestResponse(%v, %v, %v) = %v, %v, want %v", c.budget, c.worth, c.others, got, err, c.want)
		}
	}
}

// The first-order conditions to 1e-9: equal marginals where there is a bid, no larger ones
// elsewhere, the whole budget bid.
func TestBestResponseConditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Custom(func(t *rapid.T) float64 { return math.Exp(rapid.Float64Range(-12, 12).Draw(t, "log")) })
		n := rapid.IntRange(1, 6).Draw(t, "n")
		budget := number.Draw(t, "budget")
		worth, others := rapid.SliceOfN(number, n, n).Draw(t, "worth"), rapid.SliceOfN(number, n, n).Draw(t, "others")
		x, err := equilibrium.BestResponse(nil, budget, worth, others)
		must(t, err)
		sum, most, least := 0.0, 0.0, math.Inf(1)
		for j := range x {
			sum += x[j]
			marginal := worth[j] / (x[j] + others[j]) * (others[j] / (x[j] + others[j]))
			most = max(most, marginal)
			if x[j] > 0 {
				least = min(least, marginal)
			}
		}
		if !near(sum, budget, 1e-12) || !near(least, most, 1e-9) {
			t.Fatalf("BestResponse(%v, %v, %v) = %v: sum %v, marginals from %v to %v", budget, worth, others, x, sum, least, most)
		}
	})
}

// Two users of one budget, each with one machine twice as dear to it.
func TestEquilibriumFact(t *testing.T) {
	m, err := equilibrium.Equilibrium([]float64{1, 1}, mat.NewDense(2, 2, []float64{2, 1, 1, 2}), equilibrium.Options{})
	if err != nil || !m.Settled || m.Residual > 1e-9 {
		t.Fatalf("%+v, %v", m, err)
	}
	want := mat.NewDense(2, 2, []float64{2. / 3, 1. / 3, 1. / 3, 2. / 3})
	if !mat.EqualApprox(m.Bids, want, 1e-7) || !near(m.Utility[0], 5./3, 1e-7) || !near(m.Utility[1], 5./3, 1e-7) || !near(m.Efficiency, 5./6, 1e-7) || !near(m.Uniformity, 1, 1e-7) || m.EnvyFreeness != 1 {
		t.Errorf("%+v, want bids 2/3 and 1/3, utility 5/3", m)
	}
}

// Settled markets: nobody can gain, the whole budgets are bid, and FLZ's bound on envy holds.
func TestEquilibrium(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(2, 6).Draw(t, "users"), rapid.IntRange(1, 6).Draw(t, "machines")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		worth := mat.NewDense(n, k, nil)
		budgets := make([]float64, n)
		for i := range n {
			budgets[i] = .1 + r.Float64()
			for j := range k {
				worth.Set(i, j, r.ExpFloat64())
			}
		}
		m, err := equilibrium.Equilibrium(budgets, worth, equilibrium.Options{Rounds: 3000})
		must(t, err)
		if !m.Settled {
			t.Skip("not settled in 3000 rounds")
		}
		if m.Residual > 1e-7 || !(m.Efficiency > 0 && m.Efficiency <= 1+1e-9) {
			t.Fatalf("budgets %v, worth %v: %+v", budgets, mat.Formatted(worth), m)
		}
		for i, b := range budgets {
			if !near(mat.Sum(m.Bids.Slice(i, i+1, 0, k)), b, 1e-9) {
				t.Fatalf("user %d bids %v of %v", i, mat.Row(nil, i, m.Bids), b)
			}
		}
		equal := slices.Repeat([]float64{1}, n)
		if m, err = equilibrium.Equilibrium(equal, worth, equilibrium.Options{Rounds: 3000}); err != nil || m.Settled && m.EnvyFreeness < 2*math.Sqrt2-2-1e-6 {
			t.Fatalf("worth %v: envy-freeness %v, %v, want at least .828", mat.Formatted(worth), m.EnvyFreeness, err)
		}
	})
}

// One user who alone wants a machine gets it for the reserve; nothing of worth, no budgets.
func TestEquilibriumEdges(t *testing.T) {
	m, err := equilibrium.Equilibrium([]float64{1, 1}, mat.NewDense(2, 2, []float64{1, 0, 0, 1}), equilibrium.Options{})
	if err != nil || !m.Settled || !near(m.Utility[0], 1, 1e-6) || !near(m.Efficiency, 1, 1e-6) {
		t.Errorf("%+v, %v", m, err)
	}
	m, err = equilibrium.Equilibrium([]float64{0, 0}, mat.NewDense(2, 1, []float64{1, 1}), equilibrium.Options{Damping: .5})
	if err != nil || !m.Settled || m.Utility[0] != 0 || m.Residual != 0 || m.Efficiency != 0 {
		t.Errorf("no budgets: %+v, %v", m, err)
	}
	m, err = equilibrium.Equilibrium([]float64{1}, mat.NewDense(1, 1, nil), equilibrium.Options{Reserve: 1})
	if err != nil || m.Efficiency != 1 || m.Uniformity != 1 || m.EnvyFreeness != 1 || m.Price[0] != 1 {
		t.Errorf("nothing of worth: %+v, %v", m, err)
	}
}

// A user's worths count in proportion to each other, from the first bids on.
func TestEquilibriumOfScaledWorth(t *testing.T) {
	worth := []float64{2, 1, 5, 1, 2, 4}
	for _, rounds := range []int{1, 3} {
		o := equilibrium.Options{Rounds: rounds, Damping: .5}
		want, err := equilibrium.Equilibrium([]float64{1, 3}, mat.NewDense(2, 3, slices.Clone(worth)), o)
		must(t, err)
		for _, scale := range []float64{0x1p-4, 0x1p-60, 0x1p40} {
			scaled := slices.Clone(worth)
			for j := range 3 {
				scaled[j] *= scale
			}
			if got, err := equilibrium.Equilibrium([]float64{1, 3}, mat.NewDense(2, 3, scaled), o); err != nil || !mat.Equal(got.Bids, want.Bids) {
				t.Errorf("%d rounds, the first user's worths times %v: bids %v, %v, want %v", rounds, scale, mat.Formatted(got.Bids), err, mat.Formatted(want.Bids))
			}
		}
	}
}

// Budgets and worths up to the ends of their ranges: the bids are scaled by the budgets' power of
// four, the measures are the same.
func TestEquilibriumOfScaledMarket(t *testing.T) {
	worth := []float64{2, 1, 5, 1, 2, 4}
	o := equilibrium.Options{Rounds: 5}
	want, err := equilibrium.Equilibrium([]float64{1, 3}, mat.NewDense(2, 3, slices.Clone(worth)), o)
	must(t, err)
	for _, scale := range []float64{0x1p-198, 0x1p190} {
		for _, worthScale := range []float64{0x1p-198, 1, 0x1p190} {
			scaled, bids := slices.Clone(worth), mat.NewDense(2, 3, nil)
			for j := range scaled {
				scaled[j] *= worthScale
			}
			got, err := equilibrium.Equilibrium([]float64{scale, 3 * scale}, mat.NewDense(2, 3, scaled), o)
			must(t, err)
			bids.Scale(scale, want.Bids)
			if !mat.Equal(got.Bids, bids) || got.Efficiency != want.Efficiency || got.Rounds != want.Rounds {
				t.Errorf("budgets times %v, worths times %v: bids %v, want %v", scale, worthScale, mat.Formatted(got.Bids), mat.Formatted(bids))
			}
		}
	}
}

func TestErrors(t *testing.T) {
	type (
		list = []float64
		o    = equilibrium.Options
	)
	nan, dst := math.NaN(), list{7}
	expect.Refused(t, "equilibrium.BestResponse", equilibrium.BestResponse, nil,
		expect.Bad("budget", -1, dst, nan, nil, nil),
		expect.Bad("budget", -1, dst, -1, nil, nil),
		expect.Bad("others", -1, dst, 1, list{1}, nil),
		expect.Bad("worth", 1, dst, 1, list{1, nan}, list{1, 1}),
		expect.Bad("others", 1, dst, 1, list{1, 1}, list{1, math.Inf(1)}),
		expect.Bad("others", 1, dst, 1, list{1, 1}, list{1, 0}),
		expect.Bad("worth", 1, dst, 1, list{1, 0x1p201}, list{1, 1}))
	one := mat.NewDense(1, 1, list{1})
	calls := []expect.Call{
		expect.Bad("worth", -1, list{1}, nil, o{}),
		expect.Bad("worth", -1, list{1}, (*mat.Dense)(nil), o{}),
		expect.Bad("worth", -1, nil, &mat.Dense{}, o{}),
		expect.Bad("budgets", -1, list{1, 1}, one, o{}),
		expect.Bad("budgets", 0, list{nan}, one, o{}),
		expect.Bad("worth", 0, list{1}, mat.NewDense(1, 1, list{-1}), o{}),
		expect.Bad("budgets", 0, list{0x1p-201}, one, o{}),
		expect.Bad("worth", 0, list{1}, mat.NewDense(1, 1, list{0x1p201}), o{}),
	}
	for _, x := range []o{{Rounds: -1}, {Tolerance: nan}, {Damping: 1}, {Reserve: -1}} {
		calls = append(calls, expect.Bad("o", -1, list{1}, one, x))
	}
	expect.Refused(t, "equilibrium.Equilibrium", equilibrium.Equilibrium, nil, calls...)
}

func BenchmarkEquilibrium(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	worth := mat.NewDense(100, 50, nil)
	budgets := slices.Repeat([]float64{1}, 100)
	for i := range 100 {
		for j := range 50 {
			worth.Set(i, j, r.Float64())
		}
	}
	b.Run("n=100", func(b *testing.B) {
		var m equilibrium.Market
		for b.Loop() {
			m, _ = equilibrium.Equilibrium(budgets, worth, equilibrium.Options{Tolerance: 1e-6})
		}
		if !m.Settled || m.Residual > 1e-6 || m.Efficiency < .9 {
			b.Fatalf("%d rounds, residual %v, efficiency %v", m.Rounds, m.Residual, m.Efficiency)
		}
		b.ReportMetric(float64(m.Rounds), "rounds")
	})
}
