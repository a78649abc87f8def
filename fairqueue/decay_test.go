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
		u, err = day.Advance(u, u.Time+86400, 0)
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

// The mean of a constant number of slots: all after long, half after a half-life.
func TestDecayFacts(t *testing.T) {
	d := fairqueue.Decay{HalfLife: 2}
	u, err := d.Advance(fairqueue.Usage{Time: 7}, 9, 12)
	if err != nil || math.Abs(u.Mean-6) > 1e-14 || u.Time != 9 {
		t.Errorf("%+v, %v, want half of 12 at time 9", u, err)
	}
	if u, err = d.Advance(u, 1e6, 12); err != nil || u.Mean != 12 {
		t.Errorf("%+v, %v, want 12", u, err)
	}
	long := fairqueue.Usage{Mean: 3, Time: -math.MaxFloat64}
	if u, err = (fairqueue.Decay{HalfLife: 5e-30}).Advance(long, math.MaxFloat64, 2); err != nil || u.Mean != 2 {
		t.Errorf("%+v, %v, want 2 slots", u, err)
	}
}

// Whatever Usage Advance takes, it takes what it returns, and again.
func TestUsageState(t *testing.T) {
	number := rapid.SampledFrom([]float64{0, .1, 7.1, 0x1p-100, 0x1p100, math.Nextafter(0x1p100, math.Inf(1)), math.MaxFloat64, -math.MaxFloat64})
	// Most of these are taken: rapid fails where it has to skip nearly all cases.
	taken := rapid.SampledFrom([]float64{0, .1, 7.1, 0x1p-100, 0x1p100})
	rapid.Check(t, func(t *rapid.T) {
		d := fairqueue.Decay{HalfLife: taken.Draw(t, "half-life")}
		u := fairqueue.Usage{Mean: taken.Draw(t, "mean"), Time: number.Draw(t, "time")}
		for k := range 4 {
			now, amount := max(u.Time, number.Draw(t, "now")), min(number.Draw(t, "amount"), 0x1p100)
			v, err := d.Advance(u, now, amount)
			if rapid.Bool().Draw(t, "charge") {
				v, err = d.Charge(u, now, amount)
			}
			if err != nil && k > 0 && v.Mean >= 0 {
				if _, err := d.Advance(u, u.Time, 0); err != nil {
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

// However intervals are cut and charges split, and whatever travelled through JSON, the usage is
// what was held and charged, in closed form, faded by the half-life.
func TestDecay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(most float64, what string) float64 { return rapid.Float64Range(0, most).Draw(t, what) }
		d := fairqueue.Decay{HalfLife: rapid.Float64Range(.1, 100).Draw(t, "half-life")}
		u := fairqueue.Usage{Mean: number(50, "mean"), Time: rapid.Float64Range(-10, 10).Draw(t, "time")}
		second := math.Ln2 / d.HalfLife // a point is so much of the mean
		want, largest := u.Mean, u.Mean
		for range rapid.IntRange(1, 12).Draw(t, "events") {
			end := u.Time + number(30, "length")
			kept := math.Exp2(-(end - u.Time) / d.HalfLife)
			if rapid.Bool().Draw(t, "charge") {
				points := number(1e4, "points")
				for _, part := range []float64{points / 3, points - points/3} {
					var err error
					u, err = d.Charge(u, end, part)
					must(t, err)
				}
				want = want*kept + points*second
			} else {
				slots := number(18, "slots")
				for _, now := range []float64{min(end, u.Time+number(30, "cut")), end} {
					b, err := json.Marshal(u)
					must(t, err)
					must(t, json.Unmarshal(b, &u))
					u, err = d.Advance(u, now, slots)
					must(t, err)
				}
				want = want*kept + slots*(1-kept)
			}
			if largest = max(largest, want); u.Time != end || math.Abs(u.Mean-want) > 1e-11*(1+largest) {
				t.Fatalf("mean %v at %v, want %v at %v", u.Mean, u.Time, want, end)
			}
		}
	})
}

func TestDecayErrors(t *testing.T) {
	nan, inf, bad := math.NaN(), math.Inf(1), expect.Bad
	type usage = fairqueue.Usage
	good := fairqueue.Decay{HalfLife: 1}
	expect.Refused(t, "fairqueue.Decay.Advance", good.Advance, nil, bad("u", -1, usage{Mean: -1}, 1, 0), bad("u", -1, usage{Mean: nan}, 1, 0),
		bad("u", -1, usage{Time: inf}, inf, 0), bad("now", -1, usage{Time: 2}, 1, 0), bad("now", -1, usage{}, nan, 0), bad("now", -1, usage{}, inf, 0),
		bad("slots", -1, usage{}, 1, -1), bad("slots", -1, usage{}, 1, inf))
	expect.Refused(t, "fairqueue.Decay.Charge", good.Charge, nil, bad("u", -1, usage{Mean: -1}, 1, 1), bad("now", -1, usage{Time: 2}, 1, 1),
		bad("points", -1, usage{}, 1, -1), bad("points", -1, usage{}, 1, nan), bad("points", -1, usage{}, 1, inf), bad("points", -1, usage{}, 1, 0x1p101))
	for _, d := range []fairqueue.Decay{{}, {HalfLife: nan}} {
		expect.Refused(t, "fairqueue.Decay.Advance", d.Advance, nil, bad("d", -1, usage{}, 1, 0))
		expect.Refused(t, "fairqueue.Decay.Charge", d.Charge, nil, bad("d", -1, usage{}, 1, 1))
	}
	for _, x := range []float64{-1, nan, inf} {
		expect.Refused(t, "fairqueue.FairShare", fairqueue.FairShare, nil, bad("usage", -1, x, 1, 1), bad("share", -1, 1, x, 1), bad("damping", -1, 1, 1, x))
	}
}
