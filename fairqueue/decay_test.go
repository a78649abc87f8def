package fairqueue_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/market"
	"pgregory.net/rapid"
)

// Slurm's example: accounts A (40 shares) with B (30) and C (10), and D (60) with E (25) and F
// (35); users 1 to 5 in B, C, C, E and F.
func TestFairShare(t *testing.T) {
	// effective is Slurm's: what was used, and of the parent's what falls to the share.
	effective := func(used, parent, share, siblings float64) float64 { return used + (parent-used)*share/siblings }
	a, d := .2+.25, .25
	b, c, e, f := effective(.2, a, 30, 40), effective(.25, a, 10, 40), effective(.25, d, 25, 60), effective(0, d, 35, 60)
	for i, u := range []struct{ usage, share, wantUsage, want float64 }{
		{effective(.2, b, 1, 1), .3, .3875, .408479},
		{effective(.25, c, 1, 2), .05, .275, .022097},
		{effective(0, c, 1, 2), .05, .15, .125},
		{effective(.25, e, 1, 1), .25, .25, .5},
		{effective(0, f, 1, 1), .35, .145833, .749154},
	} {
		got, err := fairqueue.FairShare(u.usage, u.share, 0)
		if err != nil || math.Abs(got-u.want) > 1e-6 || math.Abs(u.usage-u.wantUsage) > 1e-6 {
			t.Errorf("user %d: FairShare(%v, %v, 0) = %v, %v, want %v", i+1, u.usage, u.share, got, err, u.want)
		}
		if damped, _ := fairqueue.FairShare(u.usage, u.share, 3); math.Abs(damped-math.Cbrt(got)) > 1e-15 {
			t.Errorf("damping 3: %v, want the third root of %v", damped, got)
		}
	}
	for _, c := range []struct{ usage, share, want float64 }{{0, 0, 1}, {0, 1, 1}, {.1, 0, 0}, {0x1p100, 5e-324, 0}} {
		if got, err := fairqueue.FairShare(c.usage, c.share, 1); err != nil || got != c.want {
			t.Errorf("FairShare(%v, %v, 1) = %v, %v, want %v", c.usage, c.share, got, err, c.want)
		}
	}
}

// HTCondor's facts: an idle user of priority 10 has 5 and 2.5 after one and two
// half-lives, nobody has less than .5, and priorities 5, 10, 20 share as 4 : 2 : 1.
func TestRealPriority(t *testing.T) {
	day := fairqueue.Decay{HalfLife: 86400}
	u, err := fairqueue.Usage{Mean: 10}, error(nil)
	for k, want := range []float64{5, 2.5, 1.25, .625, .5, .5} {
		u, err = day.Advance(u, u.Time+86400, [2]float64{})
		if err != nil || math.Abs(fairqueue.RealPriority(u)-want) > 1e-12 {
			t.Errorf("after %d days: %v, %v, want %v", k+1, fairqueue.RealPriority(u), err, want)
		}
	}
	var weights []float64
	for _, mean := range []float64{5, 10, 20} {
		weights = append(weights, 1/(1000*fairqueue.RealPriority(fairqueue.Usage{Mean: mean})))
	}
	slots, err := market.Apportion(nil, 70, weights, market.ApportionOptions{})
	if err != nil || [3]int(slots) != [3]int{40, 20, 10} {
		t.Errorf("70 slots by priority: %v, %v, want 40, 20 and 10", slots, err)
	}
	if got := fairqueue.RealPriority(fairqueue.Usage{Mean: math.NaN()}); got != .5 {
		t.Errorf("priority of NaN: %v, want .5", got)
	}
}

// Billing weights, and the mean of a constant number of slots: all after long, half after a
// half-life.
func TestDecayFacts(t *testing.T) {
	d := fairqueue.Decay{HalfLife: 2, Billing: [2]float64{1, .25}}
	u, err := d.Advance(fairqueue.Usage{Time: 7}, 9, [2]float64{8, 16})
	if err != nil || math.Abs(u.Mean-6) > 1e-14 || u.Time != 9 {
		t.Errorf("%+v, %v, want half of 8 + 16/4 at time 9", u, err)
	}
	if u, err = d.Advance(u, 1e6, [2]float64{8, 16}); err != nil || u.Mean != 12 {
		t.Errorf("%+v, %v, want 12", u, err)
	}
	long := fairqueue.Usage{Mean: 3, Time: -math.MaxFloat64}
	if u, err = (fairqueue.Decay{HalfLife: 5e-30}).Advance(long, math.MaxFloat64, [2]float64{1, 1}); err != nil || u.Mean != 2 {
		t.Errorf("%+v, %v, want 2 slots", u, err)
	}
}

// However an interval is cut, the usage is that of a sum over many short steps in closed form; a
// copy through JSON goes on alike.
func TestDecayIrregular(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := fairqueue.Decay{HalfLife: rapid.Float64Range(.1, 100).Draw(t, "half-life"), Billing: [2]float64{1, rapid.Float64Range(0, 3).Draw(t, "billing")}}
		u := fairqueue.Usage{Mean: rapid.Float64Range(0, 50).Draw(t, "mean"), Time: rapid.Float64Range(-10, 10).Draw(t, "time")}
		first, end, want := u, u.Time, 0.0
		type piece struct{ from, to, billed float64 }
		var pieces []piece
		for range rapid.IntRange(1, 8).Draw(t, "intervals") {
			held := [2]float64{rapid.Float64Range(0, 9).Draw(t, "held"), rapid.Float64Range(0, 9).Draw(t, "held")}
			from := end
			for range rapid.IntRange(1, 4).Draw(t, "cuts") {
				end += rapid.Float64Range(0, 30).Draw(t, "length")
				b, err := json.Marshal(u)
				if err == nil {
					u = fairqueue.Usage{}
					err = json.Unmarshal(b, &u)
				}
				if err == nil {
					u, err = d.Advance(u, end, held)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			pieces = append(pieces, piece{from, end, held[0] + d.Billing[1]*held[1]})
		}
		// The integral of billed 2^(-(end-t)/h) ln 2 / h.
		for _, p := range pieces {
			want += p.billed * (math.Exp2((p.to-end)/d.HalfLife) - math.Exp2((p.from-end)/d.HalfLife))
		}
		want += first.Mean * math.Exp2((first.Time-end)/d.HalfLife)
		if math.Abs(u.Mean-want) > 1e-11*(1+want) {
			t.Fatalf("mean %v, want %v", u.Mean, want)
		}
	})
}

// Points that are charged are conserved and fade by the half-life: Slurm's usage is the sum of each
// charge times 2^(-age / half-life), however it was split, beside slots held as well. Slots held
// are points charged in many small parts.
func TestDecayCharge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := fairqueue.Decay{HalfLife: rapid.Float64Range(.1, 100).Draw(t, "half-life")}
		var u fairqueue.Usage
		want := 0.0 // decayed sum up to u.Time
		for range rapid.IntRange(1, 12).Draw(t, "events") {
			x, points := rapid.Float64Range(0, 30).Draw(t, "length"), rapid.Float64Range(0, 1e4).Draw(t, "points")
			now, kept := u.Time+x, math.Exp2(-x/d.HalfLife)
			want *= kept
			var err error
			if held := rapid.Float64Range(0, 9).Draw(t, "held"); rapid.Bool().Draw(t, "hold") {
				u, err = d.Advance(u, now, [2]float64{held})
				must(t, err)
				want += held * d.HalfLife / math.Ln2 * (1 - kept)
			}
			for _, part := range []float64{points / 3, points - points/3} {
				u, err = d.Charge(u, now, part)
				must(t, err)
			}
			want += points
			if got := u.Mean * d.HalfLife / math.Ln2; u.Time != now || math.Abs(got-want) > rounding*(1+want) {
				t.Fatalf("usage %v at %v, want %v at %v", got, u.Time, want, now)
			}
		}
		held, parts := 3., 1000
		slots, err := d.Advance(fairqueue.Usage{}, d.HalfLife, [2]float64{held})
		must(t, err)
		var charged fairqueue.Usage
		for k := range parts {
			charged, err = d.Charge(charged, (float64(k)+.5)/float64(parts)*d.HalfLife, held*d.HalfLife/float64(parts))
			must(t, err)
		}
		charged, err = d.Charge(charged, d.HalfLife, 0)
		if must(t, err); math.Abs(charged.Mean-slots.Mean) > 1e-6*slots.Mean {
			t.Fatalf("%v charged in parts, %v held", charged.Mean, slots.Mean)
		}
	})
}

func TestDecayErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := fairqueue.Decay{HalfLife: 1}
	for _, c := range []struct {
		d     fairqueue.Decay
		u     fairqueue.Usage
		now   float64
		held  [2]float64
		arg   string
		index int
	}{
		{fairqueue.Decay{}, fairqueue.Usage{}, 1, [2]float64{}, "d", -1},
		{fairqueue.Decay{HalfLife: nan}, fairqueue.Usage{}, 1, [2]float64{}, "d", -1},
		{fairqueue.Decay{HalfLife: 1, Billing: [2]float64{0, -1}}, fairqueue.Usage{}, 1, [2]float64{}, "d", -1},
		{fairqueue.Decay{HalfLife: 1, Billing: [2]float64{nan}}, fairqueue.Usage{}, 1, [2]float64{}, "d", -1},
		{good, fairqueue.Usage{Mean: -1}, 1, [2]float64{}, "u", -1},
		{good, fairqueue.Usage{Mean: nan}, 1, [2]float64{}, "u", -1},
		{good, fairqueue.Usage{Time: inf}, inf, [2]float64{}, "u", -1},
		{good, fairqueue.Usage{Time: 2}, 1, [2]float64{}, "now", -1},
		{good, fairqueue.Usage{}, nan, [2]float64{}, "now", -1},
		{good, fairqueue.Usage{}, inf, [2]float64{}, "now", -1},
		{good, fairqueue.Usage{}, 1, [2]float64{0, -1}, "held", 1},
		{good, fairqueue.Usage{}, 1, [2]float64{inf}, "held", 0},
	} {
		u, err := c.d.Advance(c.u, c.now, c.held)
		expect.InputError(t, "Decay.Advance", err, "fairqueue.Decay.Advance", c.arg, c.index)
		if u != (fairqueue.Usage{}) {
			t.Errorf("%+v with an error", u)
		}
		if c.arg != "held" {
			_, err = c.d.Charge(c.u, c.now, 1)
			expect.InputError(t, "Decay.Charge", err, "fairqueue.Decay.Charge", c.arg, c.index)
		}
	}
	for _, points := range []float64{-1, nan, inf, 0x1p101} {
		u, err := good.Charge(fairqueue.Usage{}, 1, points)
		if expect.InputError(t, "Decay.Charge", err, "fairqueue.Decay.Charge", "points", -1); u != (fairqueue.Usage{}) {
			t.Errorf("%+v with an error", u)
		}
	}
	for _, x := range []float64{-1, nan, inf} {
		_, err := fairqueue.FairShare(x, 1, 1)
		expect.InputError(t, "FairShare", err, "fairqueue.FairShare", "usage", -1)
		_, err = fairqueue.FairShare(1, x, 1)
		expect.InputError(t, "FairShare", err, "fairqueue.FairShare", "share", -1)
		_, err = fairqueue.FairShare(1, 1, x)
		expect.InputError(t, "FairShare", err, "fairqueue.FairShare", "damping", -1)
	}
}

// Whatever Usage Advance takes, it takes what it returns, and again.
func TestUsageState(t *testing.T) {
	number := rapid.SampledFrom([]float64{0, .1, 7.1, 0x1p-100, 0x1p100, math.Nextafter(0x1p100, math.Inf(1)), math.MaxFloat64, -math.MaxFloat64})
	// Most of these are taken: rapid fails where it has to skip nearly all cases.
	taken := rapid.SampledFrom([]float64{0, .1, 7.1, 0x1p-100, 0x1p100})
	rapid.Check(t, func(t *rapid.T) {
		d := fairqueue.Decay{HalfLife: taken.Draw(t, "half-life"), Billing: [2]float64{taken.Draw(t, "billing")}}
		u := fairqueue.Usage{Mean: taken.Draw(t, "mean"), Time: number.Draw(t, "time")}
		for k := range 4 {
			now, amount := max(u.Time, number.Draw(t, "now")), min(number.Draw(t, "amount"), 0x1p100)
			v, err := d.Advance(u, now, [2]float64{amount})
			if rapid.Bool().Draw(t, "charge") {
				v, err = d.Charge(u, now, amount)
			}
			if err != nil && k > 0 && v.Mean >= 0 {
				if _, err := d.Advance(u, u.Time, [2]float64{}); err != nil {
					t.Fatalf("Advance refuses %+v, which it returned: %v", u, err)
				}
			}
			if err != nil {
				t.Skip("out of range")
			}
			u = v
		}
	})
}
