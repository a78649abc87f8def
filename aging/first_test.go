package aging_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

// firstReady is First by a plain scan: the first of All that is ready, and how many come before it.
func firstReady(c *aging.Cluster[int], by aging.By, busy map[int]bool) (key, before int, ok bool) {
	for key := range c.All(by) {
		if !busy[key] {
			return key, before, true
		}
		before++
	}
	return 0, before, false
}

// timeTo returns the time until a job finishes in virtual time, by playing a copy of the cluster
// forward.
func timeTo(t *testing.T, c *aging.Cluster[int], key int) float64 {
	t.Helper()
	c, err := aging.Restore(c.Snapshot())
	must(t, err)
	for sum := 0.0; ; {
		next, in, ok := c.NextFinish()
		if !ok || next == key {
			return sum + in
		}
		must(t, c.Advance(in))
		if j, _ := c.Job(key); j.Work == 0 { // it has finished in the same instant
			return sum + in
		}
		sum += in
	}
}

// TestFirstNearTies: First agrees with a scan of All where two ready jobs, or a ready one and one
// that is passed over, finish within a few last bits of each other behind jobs that are passed
// over, and where all work left is in the last bits of the clocks.
func TestFirstNearTies(t *testing.T) {
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(18, seed))
		n := 3 + rng.IntN(12)
		c := newCluster(t, 1)
		tiny := seed%6 == 0
		if tiny {
			must(t, c.Add(-1, aging.Job{Work: 1e9}))
			must(t, c.Advance(1e5*rng.Float64()))
		}
		level, sum := math.Exp(rng.NormFloat64()), 0.0
		busy := map[int]bool{}
		for key := range n {
			j := aging.Job{Work: math.Exp(rng.NormFloat64()), Slots: math.Exp(2 * rng.NormFloat64()), Weight: math.Exp(rng.NormFloat64())}
			if tiny {
				j.Work *= math.Ldexp(1, -70-rng.IntN(30))
			}
			must(t, c.Add(key, j))
			sum += min(j.Slots, level*j.Weight)
			if key >= 2 && rng.IntN(4) > 0 {
				must(t, c.SetReady(key, false))
				busy[key] = true
			}
		}
		must(t, c.SetCapacity(sum))
		// Job 0 is to finish with job n, which has a cap so small that it does not matter to
		// anybody when job n finishes.
		slots := 0x1p-6 * math.Exp(-2*rng.Float64())
		in := timeTo(t, c, 0)
		must(t, c.Add(n, aging.Job{Work: max(4*slots*in, 0x1p-190), Slots: slots}))
		work := slots * timeTo(t, c, 0)
		for range rng.IntN(4) {
			work = math.Nextafter(work, float64(rng.IntN(2))*math.MaxFloat64)
		}
		must(t, c.Reestimate(n, max(work, 0x1p-190))) // the last bits of a clock may be 0
		switch rng.IntN(4) {
		case 0:
			must(t, c.SetReady(n, false))
			busy[n] = true
		case 1: // it is open too
			must(t, c.SetSlots(n, inf))
			must(t, c.SetWeight(n, math.Exp(rng.NormFloat64())))
			j, _ := c.Job(n)
			if want := timeTo(t, c, 0); want > 0 && timeTo(t, c, n) > 0 {
				must(t, c.Reestimate(n, max(j.Work*want/timeTo(t, c, n), 0x1p-190)))
			}
		}
		for _, by := range []aging.By{aging.ByFinish, aging.ByWork} {
			want, before, ok := firstReady(c, by, busy)
			if got, is := c.First(by); is != ok || got != want {
				t.Errorf("seed %d: First(%v) = %v, %v, want %v, %v: %d jobs that are not ready come before it in All", seed, by, got, is, want, ok, before)
			}
		}
	}
}

// TestFirstAtDeparture: a job that is passed over goes within a few last bits of the first finish
// of a ready one, and what its share does for the others in that little time decides which is
// first.
func TestFirstAtDeparture(t *testing.T) {
	overtaken := 0
	for seed := range uint64(900) {
		rng := rand.New(rand.NewPCG(19, seed))
		c := newCluster(t, 19.8)
		must(t, c.Add(-1, aging.Job{Work: 1 + rng.Float64()}))
		must(t, c.Advance(rng.Float64()/19.8))
		must(t, c.Add(1, aging.Job{Work: 1 + rng.Float64(), Slots: 2}))
		j, _ := c.Job(1)
		other := math.Nextafter(j.Work, 3)
		gone := aging.Job{Work: 1, Slots: 16, Weight: 100} // at its cap
		switch seed % 3 {
		case 1: // below its cap, if it has any
			gone = aging.Job{Work: 1, Weight: 8}
		case 2: // job 2 has nearly nothing until it goes
			other, gone = 0x1p-60, aging.Job{Work: 1, Weight: 0x1p70}
			must(t, c.SetSlots(1, 0x1p-3))
			must(t, c.SetWeight(1, 0x1p70))
		}
		must(t, c.Add(0, gone))
		must(t, c.SetReady(0, false))
		must(t, c.Add(2, aging.Job{Work: other}))
		c.Remove(-1)
		for range 14 { // each divides the difference by 20
			work := timeTo(t, c, 1) / timeTo(t, c, 0)
			j, _ := c.Job(0)
			must(t, c.Reestimate(0, j.Work*work))
		}
		size, _ := c.Job(0)
		for step := range 9 {
			must(t, c.Reestimate(0, size.Work*(1+float64(step-4)*0x1p-53)))
			want, before, ok := firstReady(c, aging.ByFinish, map[int]bool{0: true})
			if want == 2 && before == 1 {
				overtaken++
			}
			if got, is := c.First(aging.ByFinish); is != ok || got != want {
				t.Errorf("seed %d, step %d: First(ByFinish) = %v, %v, want %v, %v: %d jobs that are not ready come before it in All", seed, step, got, is, want, ok, before)
			}
		}
	}
	if overtaken < 500 {
		t.Errorf("job 2 came first %d times, want 500: the cases test little", overtaken)
	}
}

// TestLevelAtCap: a job whose ratio is the level to the last bit leaves nothing to others by
// rounding; they age at the level all the same.
func TestLevelAtCap(t *testing.T) {
	jobs := []aging.Job{{}, {Work: 5e23, Slots: 1e20, Weight: 1e20}, {Work: 1e3, Slots: 0.125, Weight: 1}, {Work: 1, Weight: 1e-3}}
	if got, err := aging.Finish(nil, 1e20, jobs); err != nil || math.Abs(got[3]-1000) > 1e-9 {
		t.Errorf("Finish(nil, 1e20, %v) = %v, %v, want 1000 for the last", jobs, got, err)
	}
	if got, err := aging.Age(nil, 1e20, 600, jobs); err != nil || math.Abs(got[3].Work-0.4) > 1e-12 {
		t.Errorf("Age(nil, 1e20, 600, %v) = %v, %v, want a work of 0.4 for the last", jobs, got, err)
	}
	c := newCluster(t, 1e20)
	for key := 1; key <= 3; key++ {
		must(t, c.Add(key, jobs[key]))
	}
	if key, in, ok := c.NextFinish(); key != 3 || math.Abs(in-1000) > 1e-9 || !ok {
		t.Errorf("NextFinish() = %d, %v, %v, want 3, 1000, true", key, in, ok)
	}
	var got []int
	for key := range c.All(aging.ByFinish) {
		got = append(got, key)
	}
	if want := []int{3, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("All(ByFinish) yields %v, want %v", got, want)
	}
	if _, err := aging.Restore(c.Snapshot()); err != nil {
		t.Error(err)
	}
}

// TestFinishAtLevelZero: where the caps use up the capacity to the last bit, the jobs at their caps
// finish first.
func TestFinishAtLevelZero(t *testing.T) {
	c := newCluster(t, 0x1p-100)
	must(t, c.Add(1, aging.Job{Work: 0x1p200, Slots: 3, Weight: 0x1p-200}))
	must(t, c.Add(2, aging.Job{Work: 0x1p100, Slots: 0x1p-100, Weight: 0x1p199}))
	first, _ := c.First(aging.ByFinish)
	if keys, _ := all(c, aging.ByFinish); !slices.Equal(keys, []int{2, 1}) || first != 2 {
		t.Errorf("First(finish) = %v, All(finish) yields %v, want 2 and [2 1]", first, keys)
	}
}

// Of jobs that finish together the one added first comes first, ready or not.
func TestNextFinishTies(t *testing.T) {
	for _, passed := range []string{"a", "b"} {
		c, err := aging.New[string](1)
		must(t, err)
		must(t, c.Add("a", aging.Job{Work: 1}))
		must(t, c.Add("b", aging.Job{Work: 1}))
		must(t, c.SetReady(passed, false))
		if key, in, ok := c.NextFinish(); key != "a" || in != 2 || !ok {
			t.Errorf("NextFinish with %q not ready = %q, %v, %t, want a, 2", passed, key, in, ok)
		}
		must(t, c.Advance(2))
		if late := c.Late(nil); !slices.Equal(late, []string{"a", "b"}) {
			t.Errorf("Late with %q not ready = %q, want a, b", passed, late)
		}
	}
}
