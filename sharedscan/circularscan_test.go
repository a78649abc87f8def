package sharedscan_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/sharedscan"
)

// TestCircularScanFollowsCyclicChain lets jobs come while blocks are read in the order of Next, and
// then reads on without arrivals: the jobs complete in the order of the chain, each after as many
// blocks as the chain says. Regions of what they wait for are the same chain.
func TestCircularScanFollowsCyclicChain(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 53))
		n := 1 + r.IntN(30)
		c, _ := sharedscan.New[int](n)
		read := func() []int {
			b, ok := c.Next()
			if !ok {
				return nil
			}
			run, err := c.Start(b)
			must(t, err)
			done, err := c.Finish(nil, run.ID)
			must(t, err)
			for _, j := range done {
				c.Leave(j)
			}
			return done
		}
		for j := range 1 + r.IntN(8) {
			_, err := c.Join(j, 1)
			must(t, err)
			for range r.IntN(n) {
				read()
			}
		}
		jobs := c.Jobs(nil)
		scans := make([]sharedscan.Scan, len(jobs))
		waits := make([][]int, len(jobs))
		for i, j := range jobs {
			left, _ := c.Left(j)
			scans[i].Remaining = float64(left)
			waits[i] = c.Waiting(nil, j)
		}
		chain, err := sharedscan.CyclicChain(nil, scans)
		must(t, err)
		v, err := sharedscan.Regions(waits, slices.Repeat([]float64{1}, n))
		must(t, err)
		for _, s := range chain {
			members := slices.Sorted(slices.Values(s.Members))
			k := slices.IndexFunc(v.Regions, func(p sharedscan.Subjob) bool { return slices.Equal(p.Members, members) })
			if s.Work > 0 && (k < 0 || v.Regions[k].Work != s.Work) {
				t.Fatalf("seed %d: the chain has %+v, which the regions %+v have not", seed, s, v.Regions)
			}
		}
		var order, want []int
		for _, s := range chain {
			for range int(s.Work) {
				order = append(order, read()...)
			}
			want = append(want, jobs[s.Completes])
			if s.Work == 0 { // its scan ended with the one before
				continue
			}
			if !slices.Contains(order, jobs[s.Completes]) {
				t.Fatalf("seed %d: after subjob %+v of %v: %v are complete, want %d", seed, s, scans, order, jobs[s.Completes])
			}
		}
		if !slices.Equal(order, want) {
			t.Fatalf("seed %d: CircularScan completes %v, CyclicChain(nil, %v) %v", seed, order, scans, want)
		}
	}
}

// The zero CircularScan and one of no blocks have nothing to do, and a job that nobody knows has nothing.
func TestCircularScanOfNothing(t *testing.T) {
	if c, err := sharedscan.New[int](0); err != nil || c.Snapshot().Blocks != 0 {
		t.Errorf("New(0) = %v, %v, want no blocks", c, err)
	}
	var c sharedscan.CircularScan[int]
	if _, ok := c.Next(); ok || c.Len() != 0 || c.Leave(3) {
		t.Error("the zero CircularScan has something to do")
	}
	_, err := c.Join(1, math.MaxInt32)
	must(t, err)
	if b, ok := c.Left(7); ok || b != 0 || c.Len() != 1 {
		t.Errorf("Left(7) = %d, %v with %d jobs, want 0, false with 1", b, ok, c.Len())
	}
	if j, w, p := c.Jobs(nil), c.Waiting(nil, 7), c.Sources(nil, 7); len(j) != 1 || len(w)+len(p) != 0 {
		t.Errorf("Jobs, Waiting(7), Sources(7) = %v, %v, %v, want job 1 and none", j, w, p)
	}
}

// TestCircularScanStructKeys uses a struct as a key, which has no order.
func TestCircularScanStructKeys(t *testing.T) {
	type key struct{ user, job string }
	c, _ := sharedscan.New[key](1)
	z, a := key{"z", "1"}, key{"a", "2"}
	for _, k := range []key{z, a} {
		_, err := c.Join(k, 1)
		must(t, err)
	}
	run, err := c.Start(0)
	if err != nil || run.Rides[0].Job != z || run.Rides[1].Job != a {
		t.Errorf("Start(0) = %+v, %v, want %v to drive, who came first", run, err, z)
	}
	if got := c.Jobs(nil); !slices.Equal(got, []key{z, a}) {
		t.Errorf("Jobs(nil) = %v, want the order of joining", got)
	}
}
