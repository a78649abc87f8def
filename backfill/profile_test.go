package backfill_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/backfill"
)

// grid is a profile by brute force: what is free in each of 64 units of time, the last of which
// stands for all that follow.
type grid struct {
	now  int
	free [64][]int64
}

func (g *grid) add(need []int64, from, to int, sign int64) {
	for t := max(from, g.now); t < min(to, len(g.free)); t++ {
		for r, n := range need {
			g.free[t][r] += sign * n
		}
	}
}

func (g *grid) fits(need []int64, at, time int) bool {
	for t := at; t < at+max(time, 1); t++ {
		for r, n := range need {
			if n > g.free[min(t, len(g.free)-1)][r] {
				return false
			}
		}
	}
	return true
}

func (g *grid) earliest(need []int64, from, time int) (int, bool) {
	for t := max(from, g.now); t < len(g.free); t++ {
		if g.fits(need, t, time) {
			return t, true
		}
	}
	return 0, false
}

// TestProfileOnGrid: a profile agrees with brute force in all that can be asked, with 1 to 4
// resources, ends of +Inf, times in the past and units below 0. Times are such that sums are exact;
// otherwise a gap may be short by rounding.
func TestProfileOnGrid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		resources := rapid.IntRange(1, 4).Draw(t, "resources")
		units := rapid.SliceOfN(rapid.Int64Range(0, 6), resources, resources)
		capacity := units.Draw(t, "capacity")
		scale := rapid.SampledFrom([]float64{1, .25, 1e6}).Draw(t, "scale")
		at := func(k int) float64 { return float64(k) * scale }
		p, err := backfill.New(capacity, 0)
		if err != nil {
			t.Fatal(err)
		}
		g := new(grid)
		for k := range g.free {
			g.free[k] = slices.Clone(capacity)
		}
		for range rapid.IntRange(1, 20).Draw(t, "operations") {
			need, from := units.Draw(t, "need"), rapid.IntRange(0, 30).Draw(t, "from")
			time := rapid.IntRange(0, 31).Draw(t, "time")
			switch op := rapid.IntRange(0, 5).Draw(t, "op"); op {
			case 0, 1, 2:
				to, end := from+time, at(from+time)
				if time == 31 {
					to, end = len(g.free), math.Inf(1)
				}
				change, sign := p.Take, int64(-1)
				if op == 2 {
					change, sign = p.Give, 1
				}
				if err := change(need, at(from), end); err != nil {
					t.Fatal(err)
				}
				g.add(need, from, to, sign)
			case 3:
				want, ok := g.earliest(need, from, time)
				got, can := p.Earliest(need, at(from), at(from+time)-at(from))
				if can != ok || ok && math.Abs(got-at(want)) > 1e-9*at(64) {
					t.Fatalf("Earliest(%v, %v, %v) = %v, %v, want %v, %v", need, at(from), at(time), got, can, at(want), ok)
				}
			case 4:
				if err := p.Advance(at(max(from, g.now))); err != nil {
					t.Fatal(err)
				}
				g.now = max(from, g.now)
			case 5:
				if got, want := p.Free(nil, at(from)), g.free[max(from, g.now)]; !slices.Equal(got, want) {
					t.Fatalf("Free(%v) = %v, want %v", at(from), got, want)
				}
			}
		}
		begins, last := 0, []int64(nil)
		for when, free := range p.Steps() {
			k := int(math.Round(when / scale))
			if begins == 0 && k != g.now || !slices.Equal(free, g.free[k]) || slices.Equal(free, last) {
				t.Fatalf("a step from %v with %v after one with %v, want %v", when, free, last, g.free[k])
			}
			begins, last = begins+1, slices.Clone(free)
		}
		if !slices.Equal(last, g.free[63]) {
			t.Fatalf("the last step has %v, want %v", last, g.free[63])
		}
	})
}

// TestProfileRefuses: bad arguments are errors that name them, and change nothing.
func TestProfileRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	big := int64(1 << 60)
	make := func() *backfill.Profile {
		p, err := backfill.New([]int64{4, 2}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	steps := func(p *backfill.Profile) (all [][]int64) {
		for _, free := range p.Steps() {
			all = append(all, slices.Clone(free))
		}
		return all
	}
	for _, c := range []struct {
		name, fn, arg string
		index         int
		call          func(p *backfill.Profile) error
	}{
		{"no resource", "backfill.New", "capacity", -1, func(*backfill.Profile) error { _, err := backfill.New(nil, 0); return err }},
		{"below 0", "backfill.New", "capacity", 1, func(*backfill.Profile) error { _, err := backfill.New([]int64{1, -1}, 0); return err }},
		{"too many", "backfill.New", "capacity", 0, func(*backfill.Profile) error { _, err := backfill.New([]int64{big + 1}, 0); return err }},
		{"NaN", "backfill.New", "now", -1, func(*backfill.Profile) error { _, err := backfill.New([]int64{1}, nan); return err }},
		{"infinite", "backfill.New", "now", -1, func(*backfill.Profile) error { _, err := backfill.New([]int64{1}, inf); return err }},
		{"lengths", "backfill.Profile.Take", "need", -1, func(p *backfill.Profile) error { return p.Take([]int64{1}, 0, 1) }},
		{"negative", "backfill.Profile.Take", "need", 0, func(p *backfill.Profile) error { return p.Take([]int64{-1, 0}, 0, 1) }},
		{"from NaN", "backfill.Profile.Take", "from", -1, func(p *backfill.Profile) error { return p.Take([]int64{1, 0}, nan, 1) }},
		{"from infinite", "backfill.Profile.Take", "from", -1, func(p *backfill.Profile) error { return p.Take([]int64{1, 0}, inf, inf) }},
		{"to before from", "backfill.Profile.Give", "to", -1, func(p *backfill.Profile) error { return p.Give([]int64{1, 0}, 3, 2) }},
		{"to NaN", "backfill.Profile.Give", "to", -1, func(p *backfill.Profile) error { return p.Give([]int64{1, 0}, 3, nan) }},
		{"out of range", "backfill.Profile.Take", "need", 1, func(p *backfill.Profile) error {
			for range 3 {
				if err := p.Take([]int64{0, big}, 5, 6); err != nil {
					return err
				}
				defer p.Give([]int64{0, big}, 5, 6)
			}
			return nil
		}},
		{"back", "backfill.Profile.Advance", "now", -1, func(p *backfill.Profile) error { return p.Advance(.5) }},
		{"infinite", "backfill.Profile.Advance", "now", -1, func(p *backfill.Profile) error { return p.Advance(inf) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := make()
			var bad *schedmath.InputError
			if err := c.call(p); !errors.As(err, &bad) || bad.Func != c.fn || bad.Arg != c.arg || bad.Index != c.index {
				t.Errorf("%v, want an InputError of %s, %s and index %d", err, c.fn, c.arg, c.index)
			}
			if diff := cmp.Diff(steps(make()), steps(p)); diff != "" {
				t.Errorf("the profile has changed (- before, + after):\n%s", diff)
			}
		})
	}
	p := make()
	for _, c := range []struct {
		need       []int64
		from, time float64
	}{{nil, 0, 1}, {[]int64{-1, 0}, 0, 1}, {[]int64{1, 1}, nan, 1}, {[]int64{1, 1}, inf, 1}, {[]int64{1, 1}, 0, -1}, {[]int64{1, 1}, 0, nan}} {
		if start, ok := p.Earliest(c.need, c.from, c.time); ok || !math.IsInf(start, 1) {
			t.Errorf("Earliest(%v, %v, %v) = %v, %v, want +Inf, false", c.need, c.from, c.time, start, ok)
		}
	}
	if got := p.Free(nil, nan); !slices.Equal(got, []int64{4, 2}) {
		t.Errorf("Free(NaN) = %v, want what is free now", got)
	}
}

// TestNothingFitsBelowZero: while nodes are gone, not even a job of no units starts.
func TestNothingFitsBelowZero(t *testing.T) {
	p, err := backfill.New([]int64{4}, 0)
	if err != nil {
		t.Fatal(err)
	}
	p.Take([]int64{3}, 0, 10) // a job
	p.Take([]int64{2}, 5, 20) // two nodes leave
	if start, ok := p.Earliest([]int64{0}, 5, 1); start != 10 || !ok {
		t.Errorf("a job of no units starts at %v, %v, want 10", start, ok)
	}
	if start, ok := p.Earliest([]int64{1}, 0, 5); start != 0 || !ok {
		t.Errorf("a job of one unit until 5 starts at %v, %v, want 0", start, ok)
	}
}
