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
// blocks as the chain says, and each subjob has slots that suit all its members. Regions of what
// they wait for are the same chain.
func TestCircularScanFollowsCyclicChain(t *testing.T) {
	for seed := range uint64(2000) {
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
			scans[i] = sharedscan.Scan{Remaining: float64(left), Min: r.IntN(4), Max: 4 * r.IntN(3)}
			waits[i] = c.Waiting(nil, j)
		}
		chain, err := sharedscan.CyclicChain(nil, scans)
		must(t, err)
		v, err := sharedscan.Regions(waits, slices.Repeat([]float64{1}, n))
		must(t, err)
		for k, s := range chain {
			low, high := 0, math.MaxInt
			for _, j := range s.Members {
				if scans[j].Remaining > 0 {
					low = max(low, scans[j].Min)
					if scans[j].Max > 0 {
						high = min(high, scans[j].Max)
					}
				}
			}
			if high == math.MaxInt {
				high = 0
			}
			if len(s.Members) != len(scans)-k || s.Min != low || s.Max != high {
				t.Fatalf("seed %d: CyclicChain(nil, %+v): subjob %d is %+v, want %d members, Min %d and Max %d", seed, scans, k, s, len(scans)-k, low, high)
			}
			members := slices.Sorted(slices.Values(s.Members))
			at := slices.IndexFunc(v.Regions, func(p sharedscan.Subjob) bool { return slices.Equal(p.Members, members) })
			if s.Work > 0 && (at < 0 || v.Regions[at].Work != s.Work) {
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
			t.Fatalf("seed %d: CircularScan completes %v, CyclicChain(nil, %+v) %v", seed, order, scans, want)
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
