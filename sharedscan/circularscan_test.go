package sharedscan_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath"
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
			if err != nil {
				t.Fatal(err)
			}
			done, err := c.Finish(nil, run.ID)
			if err != nil {
				t.Fatal(err)
			}
			for _, j := range done {
				c.Leave(j)
			}
			return done
		}
		for j := range 1 + r.IntN(8) {
			if _, err := c.Join(j, 1); err != nil {
				t.Fatal(err)
			}
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
		if err != nil {
			t.Fatal(err)
		}
		v, err := sharedscan.Regions(waits, slices.Repeat([]float64{1}, n))
		if err != nil {
			t.Fatal(err)
		}
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

func TestCircularScanErrors(t *testing.T) {
	check := func(call string, err error, arg string) {
		t.Helper()
		var bad *schedmath.InputError
		if !errors.As(err, &bad) || bad.Arg != arg {
			t.Errorf("%s: %v, want an InputError on %q", call, err, arg)
		}
	}
	_, err := sharedscan.New[int](-1)
	check("New(-1)", err, "blocks")
	_, err = sharedscan.New[int](1<<24 + 1)
	check("New(2^24+1)", err, "blocks")
	if c, err := sharedscan.New[int](0); err != nil || c.Snapshot().Blocks != 0 {
		t.Errorf("New(0) = %v, %v, want no blocks", c, err)
	}
	f, _ := sharedscan.New[float64](2)
	_, err = f.Join(math.NaN(), 1)
	check("Join(NaN, 1)", err, "job")
	var c sharedscan.CircularScan[int] // without blocks
	if _, ok := c.Next(); ok || c.Len() != 0 || c.Leave(3) {
		t.Error("the zero CircularScan has something to do")
	}
	_, err = c.Start(0)
	check("Start(0) of no blocks", err, "block")
	_, err = c.Finish(nil, 1)
	check("Finish(nil, 1)", err, "run")
	_, err = c.Lost(nil, 1)
	check("Lost(1)", err, "run")
	_, err = c.Fail(nil, 1)
	check("Fail(1)", err, "job")
	_, err = c.Join(1, -1)
	check("Join(1, -1)", err, "partitions")
	if _, err = c.Join(1, math.MaxInt32); err != nil {
		t.Error(err)
	}
	_, err = c.Join(2, 1)
	check("Join(2, 1) after 2^31-1 partitions", err, "partitions")
	_, err = c.Join(1, 0)
	check("Join(1, 0) again", err, "job")
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
		if _, err := c.Join(k, 1); err != nil {
			t.Fatal(err)
		}
	}
	run, err := c.Start(0)
	if err != nil || run.Rides[0].Job != z || run.Rides[1].Job != a {
		t.Errorf("Start(0) = %+v, %v, want %v to drive, who came first", run, err, z)
	}
	if got := c.Jobs(nil); !slices.Equal(got, []key{z, a}) {
		t.Errorf("Jobs(nil) = %v, want the order of joining", got)
	}
}
