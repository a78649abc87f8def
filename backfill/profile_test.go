package backfill_test

import (
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/oracle/expect"
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

// exceeds reports whether more is free at some time than there is.
func (g *grid) exceeds(capacity []int64) bool {
	for _, free := range g.free[g.now:] {
		for r, n := range free {
			if n > capacity[r] {
				return true
			}
		}
	}
	return false
}

func (g *grid) fits(need []int64, at, time int) bool {
	for t := at; t < at+max(time, 1); t++ {
		for r, n := range need {
			if n > 0 && n > g.free[min(t, len(g.free)-1)][r] {
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
		must(t, err)
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
				if g.add(need, from, to, sign); g.exceeds(capacity) {
					g.add(need, from, to, -sign)
					if err := change(need, at(from), end); !errors.Is(err, schedmath.ErrInput) {
						t.Fatalf("Give(%v, %v, %v) beyond the capacity: %v", need, at(from), end, err)
					}
					break
				}
				must(t, change(need, at(from), end))
			case 3:
				want, ok := g.earliest(need, from, time)
				got, can := p.Earliest(need, at(from), at(from+time)-at(from))
				if can != ok || ok && math.Abs(got-at(want)) > 1e-9*at(64) {
					t.Fatalf("Earliest(%v, %v, %v) = %v, %v, want %v, %v", need, at(from), at(time), got, can, at(want), ok)
				}
			case 4:
				must(t, p.Advance(at(max(from, g.now))))
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
	expect.Refused(t, "backfill.New", backfill.New, nil,
		expect.Bad("capacity", -1, nil, 0), expect.Bad("capacity", 1, []int64{1, -1}, 0), expect.Bad("capacity", 0, []int64{big + 1}, 0),
		expect.Bad("now", -1, []int64{1}, nan), expect.Bad("now", -1, []int64{1}, inf))
	p, err := backfill.New([]int64{4, 2}, 1)
	must(t, err)
	must(t, p.Take([]int64{0, big}, 5, 6))
	must(t, p.Take([]int64{0, big}, 5, 6))
	steps := func() any { return maps.Collect(p.Steps()) }
	for name, change := range map[string]any{"backfill.Profile.Take": p.Take, "backfill.Profile.Give": p.Give} {
		expect.Refused(t, name, change, steps,
			expect.Bad("need", -1, []int64{1}, 0, 1), expect.Bad("need", 0, []int64{-1, 0}, 0, 1),
			expect.Bad("from", -1, []int64{1, 0}, nan, 1), expect.Bad("from", -1, []int64{1, 0}, inf, inf),
			expect.Bad("to", -1, []int64{1, 0}, 3, 2), expect.Bad("to", -1, []int64{1, 0}, 3, nan))
	}
	expect.Refused(t, "backfill.Profile.Take", p.Take, steps, expect.Bad("need", 1, []int64{0, big}, 5, 6)) // out of range
	expect.Refused(t, "backfill.Profile.Advance", p.Advance, steps, expect.Bad("now", -1, .5), expect.Bad("now", -1, inf))
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

// TestZeroProfile: methods of a profile that New did not make refuse it or have nothing to tell.
func TestZeroProfile(t *testing.T) {
	p := new(backfill.Profile)
	one := func(int, float64) float64 { return 1 }
	for _, need := range [][]int64{nil, {1}} {
		queue, running := []backfill.Job{{Need: need}}, []backfill.Running{{Need: need}}
		expect.Refused(t, "backfill.Profile.Take", p.Take, nil, expect.Bad("p", -1, need, 0, 1))
		expect.Refused(t, "backfill.Profile.Give", p.Give, nil, expect.Bad("p", -1, need, 0, 1))
		expect.Refused(t, "backfill.Profile.Plan", p.Plan, nil, expect.Bad("p", -1, nil, queue, backfill.Options{}))
		expect.Refused(t, "backfill.Profile.Forecast", p.Forecast, nil, expect.Bad("p", -1, nil, running, queue, one, backfill.ForecastOptions{}, rand.NewPCG(1, 1)))
		if start, ok := p.Earliest(need, 0, 1); ok || !math.IsInf(start, 1) {
			t.Errorf("Earliest(%v, 0, 1) = %v, %v, want +Inf, false", need, start, ok)
		}
	}
	expect.Refused(t, "backfill.Profile.Advance", p.Advance, nil, expect.Bad("p", -1, 1))
	for _, at := range []float64{0, math.NaN(), math.Inf(1)} {
		if got := p.Free([]int64{7}, at); !slices.Equal(got, []int64{7}) {
			t.Errorf("Free([7], %v) = %v, want [7]", at, got)
		}
	}
	for at, free := range p.Steps() {
		t.Errorf("a step from %v with %v, want none", at, free)
	}
}

// TestProfileBounds: what is free may reach -2^61 and the capacity, and goes no further.
func TestProfileBounds(t *testing.T) {
	big := int64(1 << 60)
	p, err := backfill.New([]int64{big}, 0)
	must(t, err)
	for _, c := range []struct {
		name   string
		change func([]int64, float64, float64) error
		bound  int64
	}{{"backfill.Profile.Take", p.Take, -2 * big}, {"backfill.Profile.Give", p.Give, big}} {
		for range 3 {
			must(t, c.change([]int64{big}, 0, 9))
		}
		if got := p.Free(nil, 0)[0]; got != c.bound {
			t.Errorf("%s: %d units are free, want %d", c.name, got, c.bound)
		}
		expect.Refused(t, c.name, c.change, func() any { return maps.Collect(p.Steps()) }, expect.Bad("need", 0, []int64{1}, 8, 10))
	}
}

// TestBelowZero: while more nodes are gone than were free, no job that needs one starts, and jobs of
// another resource do.
func TestBelowZero(t *testing.T) {
	p, err := backfill.New([]int64{4, 1}, 0)
	must(t, err)
	p.Take([]int64{3, 0}, 0, 10) // a job
	p.Take([]int64{2, 0}, 5, 20) // two nodes leave
	for _, c := range []struct {
		need       []int64
		from, time float64
		want       float64
	}{{[]int64{1, 0}, 5, 1, 10}, {[]int64{1, 1}, 5, 1, 10}, {[]int64{0, 1}, 5, 1, 5}, {[]int64{0, 0}, 5, 1, 5}, {[]int64{1, 0}, 0, 5, 0}, {[]int64{1, 0}, 0, 6, 10}} {
		if start, ok := p.Earliest(c.need, c.from, c.time); start != c.want || !ok {
			t.Errorf("Earliest(%v, %v, %v) = %v, %v, want %v", c.need, c.from, c.time, start, ok, c.want)
		}
	}
}
