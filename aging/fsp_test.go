package aging_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
)

type arrival struct{ at, size, weight float64 }

// serve runs the jobs, in order of arrival, on one server that always serves First(by); done tells
// the cluster that a job has ended in reality. Between two events nothing changes for the job
// served, so that virtual finishes need no event.
func serve(t *testing.T, jobs []arrival, by aging.By, done func(c *aging.Cluster[int], key int)) (end []float64) {
	t.Helper()
	c := newCluster(t, 1)
	end = make([]float64, len(jobs))
	left := make([]float64, len(jobs))
	now, next := 0.0, 0
	for {
		for ; next < len(jobs) && jobs[next].at <= now; next++ {
			must(t, c.Add(next, aging.Job{Work: jobs[next].size, Weight: jobs[next].weight}))
			left[next] = jobs[next].size
		}
		to := math.Inf(1)
		if next < len(jobs) {
			to = jobs[next].at
		}
		head, busy := c.First(by)
		if busy && now+left[head] <= to {
			must(t, c.Advance(left[head]))
			now += left[head]
			end[head] = now
			done(c, head)
			continue
		}
		if math.IsInf(to, 1) {
			return end
		}
		must(t, c.Advance(to-now))
		if busy {
			left[head] -= to - now
		}
		now = to
	}
}

func complete(c *aging.Cluster[int], key int) { c.Complete(key) }
func remove(c *aging.Cluster[int], key int)   { c.Remove(key) }

// sharing is when the jobs end under processor sharing, by weight, on one server.
func sharing(jobs []arrival) (end []float64) {
	end = make([]float64, len(jobs))
	left := make([]float64, len(jobs))
	now, next := 0.0, 0
	for {
		weight, first, step := 0.0, -1, math.Inf(1)
		for i, x := range left {
			if x > 0 {
				weight += jobs[i].weight
			}
		}
		for i, x := range left {
			if dt := x * weight / jobs[i].weight; x > 0 && dt < step {
				first, step = i, dt
			}
		}
		if next < len(jobs) && now+step >= jobs[next].at {
			first, step = -1, jobs[next].at-now
		}
		if math.IsInf(step, 1) {
			return end
		}
		now += step
		for i, x := range left {
			if x > 0 {
				left[i] = max(0, x-step*jobs[i].weight/weight)
			}
			if i == first {
				left[i] = 0
			}
			if x > 0 && left[i] == 0 {
				end[i] = now
			}
		}
		if first < 0 {
			left[next] = jobs[next].size
			next++
		}
	}
}

func TestFigure1(t *testing.T) {
	jobs := []arrival{{0, 30, 1}, {10, 10, 1}, {15, 10, 1}}
	if got, want := sharing(jobs), []float64{50, 37.5, 42.5}; !slices.Equal(got, want) {
		t.Errorf("PS ends at %v, want %v", got, want)
	}
	if got, want := serve(t, jobs, aging.ByFinish, complete), []float64{50, 20, 30}; !slices.Equal(got, want) {
		t.Errorf("FSP ends at %v, want %v", got, want)
	}
}

// TestDominance: on one server no job ends later under FSP than under processor sharing with the
// same weights.
func TestDominance(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	broken := 0
	for n := range 4000 {
		jobs := make([]arrival, 1+rng.IntN(12))
		at := 0.0
		for i := range jobs {
			if n%2 == 0 {
				jobs[i] = arrival{at, float64(1 + rng.IntN(9)), float64(1 + rng.IntN(3))}
				at += float64(rng.IntN(6))
			} else {
				jobs[i] = arrival{at, math.Exp(8 * (rng.Float64() - 0.5)), math.Exp(4 * (rng.Float64() - 0.5))}
				at += 5 * rng.ExpFloat64()
			}
		}
		ps, fsp := sharing(jobs), serve(t, jobs, aging.ByFinish, complete)
		wrong := serve(t, jobs, aging.ByFinish, remove)
		late := false
		for i := range jobs {
			if !(fsp[i] <= ps[i]*(1+batchError)) {
				t.Fatalf("%v: FSP ends job %d at %v, PS at %v", jobs, i, fsp[i], ps[i])
			}
			late = late || wrong[i] > ps[i]*(1+batchError)
		}
		if late {
			broken++
		}
	}
	if broken == 0 {
		t.Error("removing jobs from the virtual system when they end in reality broke nothing, want some job later than under PS")
	}
}

// TestDominanceFails pins the settings in which a job ends later than under processor sharing.
func TestDominanceFails(t *testing.T) {
	// Jobs that leave the virtual system at their real end.
	jobs := []arrival{{1, 10, 1}, {2, 3, 1}, {7, 6, 1}}
	if ps, got := sharing(jobs)[2], serve(t, jobs, aging.ByFinish, remove)[2]; ps != 19.5 || got != 20 {
		t.Errorf("with removal the last job ends at %v, PS %v, want 20, 19.5", got, ps)
	}
	if got := serve(t, jobs, aging.ByFinish, complete)[2]; !(got <= 19.5) {
		t.Errorf("the last job ends at %v, want at most 19.5", got)
	}
	// The key by virtual work with unequal weights.
	jobs = []arrival{{6, 12, 5}, {6, 5, 1}}
	if ps, got := sharing(jobs)[0], serve(t, jobs, aging.ByWork, complete)[0]; !(math.Abs(ps-20.4) < 1e-12) || got != 23 {
		t.Errorf("by work job 0 ends at %v, GPS %v, want 23, 20.4", got, ps)
	}
}

// TestCapsReorder: with caps a new job can change the order by finish of those present.
func TestCapsReorder(t *testing.T) {
	c := newCluster(t, 4)
	must(t, c.Add(0, aging.Job{Work: 6, Slots: 1}))
	must(t, c.Add(1, aging.Job{Work: 8, Slots: 4}))
	if keys, _ := all(c, aging.ByFinish); !slices.Equal(keys, []int{1, 0}) {
		t.Errorf("All(ByFinish) yields %v, want [1 0]", keys)
	}
	if keys, _ := all(c, aging.ByWork); !slices.Equal(keys, []int{0, 1}) {
		t.Errorf("All(ByWork) yields %v, want [0 1]", keys)
	}
	for key := 2; key < 8; key++ {
		must(t, c.Add(key, aging.Job{Work: 100, Slots: 4}))
	}
	if keys, _ := all(c, aging.ByFinish); !slices.Equal(keys[:2], []int{0, 1}) {
		t.Errorf("All(ByFinish) yields %v, want 0 and 1 first", keys)
	}
}

// TestRules goes through the rules for late, completed and re-estimated jobs in one short life.
func TestRules(t *testing.T) {
	c, err := aging.New[string](3) // shares are powers of two, so that no call is rounded
	must(t, err)
	late := func(want ...string) {
		t.Helper()
		if got := c.Late(nil); !slices.Equal(got, want) {
			t.Errorf("Late(nil) = %v, want %v", got, want)
		}
	}
	work := func(key string, want float64, known bool) {
		t.Helper()
		if j, ok := c.Job(key); ok != known || j.Work != want {
			t.Errorf("Job(%q) = %v, %v, want work %v, %v", key, j, ok, want, known)
		}
	}
	must(t, c.Add("empty", aging.Job{}))
	late("empty")
	must(t, c.Add("a", aging.Job{Work: 5}))
	must(t, c.Add("b", aging.Job{Work: 5}))
	must(t, c.Add("c", aging.Job{Work: 12}))
	must(t, c.Advance(2))
	work("a", 3, true)
	must(t, c.Reestimate("c", 1)) // got 2
	must(t, c.Reestimate("b", 2)) // got 2
	late("empty", "b", "c")       // one instant: by the order of Add
	must(t, c.Reestimate("c", 1.5))
	must(t, c.Reestimate("c", 2))
	late("empty", "b", "c")
	must(t, c.Reestimate("c", 3)) // ages again
	work("c", 1, true)
	late("empty", "b")
	if !c.Complete("c") || c.Complete("c") {
		t.Errorf("Complete(%q) twice, want true, then false", "c")
	}
	work("c", 1, true)
	if keys, _ := all(c, aging.ByWork); !slices.Equal(keys, []string{"empty", "b", "a"}) {
		t.Errorf("All(ByWork) yields %v, want [empty b a]", keys)
	}
	must(t, c.SetCapacity(1))
	must(t, c.Advance(1))
	work("a", 2.5, true)
	work("c", 0.5, true)
	if err := c.Add("c", aging.Job{Work: 1}); err == nil {
		t.Errorf("Add(%q) is allowed while the completed job ages", "c")
	}
	must(t, c.Reestimate("c", 2.5)) // got 2.5: gone
	work("c", 0, false)
	if !c.Complete("b") {
		t.Errorf("Complete(%q) = false, want true", "b")
	}
	work("b", 0, false)
	late("empty")
	must(t, c.SetCapacity(0))
	if _, _, ok := c.NextFinish(); ok {
		t.Error("NextFinish() = _, _, true with capacity 0, want false")
	}
	must(t, c.Advance(100))
	work("a", 2.5, true)
	must(t, c.SetCapacity(1))
	must(t, c.SetSlots("a", 0.5))
	if key, in, ok := c.NextFinish(); key != "a" || in != 5 || !ok {
		t.Errorf("NextFinish() = %v, %v, %v, want a, 5, true", key, in, ok)
	}
	must(t, c.Advance(5))
	late("empty", "a")
	if c.Remove("nobody") || !c.Remove("a") || c.Remove("a") || c.Len() != 1 {
		t.Errorf("after Remove of nobody and twice of a Len() = %d, want 1 and one true", c.Len())
	}
}

// TestAllBreaks: breaking off leaves the cluster as it was, and an unknown key yields nothing.
func TestAllBreaks(t *testing.T) {
	c := newCluster(t, 3)
	for key := range 9 {
		must(t, c.Add(key, aging.Job{Work: float64(9 - key), Slots: float64(key % 3)}))
	}
	for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
		want, _ := all(c, by)
		for m := range want {
			var got []int
			for key := range c.All(by) {
				if got = append(got, key); len(got) == m+1 {
					break
				}
			}
			if !slices.Equal(got, want[:m+1]) {
				t.Errorf("the first %d of All(%v) are %v, want %v", m+1, by, got, want[:m+1])
			}
		}
	}
	if keys, _ := all(c, aging.By(9)); len(keys) != 0 {
		t.Errorf("All(9) yields %v, want nothing", keys)
	}
	if key, ok := c.First(aging.By(255)); ok {
		t.Errorf("First(-1) = %v, true, want false", key)
	}
}
