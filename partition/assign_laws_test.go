package partition_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/partition"
)

// TestLaws: times scaled by a power of two scale the plan exactly; other distinct sizes in another
// order are assigned alike; a second call gives the same; arguments stay as they are.
func TestLaws(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(36, seed))
		x := draw(t, rng, 1e9, seed%2 == 0)
		seen := map[float64]bool{}
		for k := range x.sizes {
			for seen[x.sizes[k]] {
				x.sizes[k]++
			}
			seen[x.sizes[k]] = true
		}
		before := expect.Text(x)
		for _, m := range methods {
			p := x.assign(t, m)
			if diff := cmp.Diff(p, x.assign(t, m)); diff != "" {
				t.Fatalf("seed %d, %v: a second call differs:\n%s", seed, m, diff)
			}
			for _, scale := range []float64{0x1p-30, 8, 0x1p60} {
				y := x
				y.cost = func(i int, total float64) float64 { return scale * x.cost(i, total) }
				y.o.MoveCost *= scale
				y.o.Ready, y.o.Deadlines = times(scale, x.o.Ready), times(scale, x.o.Deadlines)
				if x.o.Extra != nil {
					y.o.Extra = func(k, i int) float64 { return scale * x.o.Extra(k, i) }
				}
				want := p
				want.Finish, want.Makespan, want.NetMakespan, want.Bound = times(scale, p.Finish), scale*p.Makespan, scale*p.NetMakespan, scale*p.Bound
				if diff := cmp.Diff(want, y.assign(t, m)); diff != "" {
					t.Fatalf("seed %d, %v: times scaled by %v (-want +got):\n%s", seed, m, scale, diff)
				}
			}
			if m == partition.Hash || m == partition.Best { // Best may be the plan of Hash
				continue
			}
			perm := rng.Perm(len(x.sizes))
			y := x
			y.sizes = make([]float64, len(x.sizes))
			if x.o.Previous != nil {
				y.o.Previous = make([]int, len(x.sizes))
			}
			if x.o.Extra != nil {
				y.o.Extra = func(k, i int) float64 { return x.o.Extra(slices.Index(perm, k), i) }
			}
			for k, to := range perm {
				y.sizes[to] = x.sizes[k]
				if x.o.Previous != nil {
					y.o.Previous[to] = x.o.Previous[k]
				}
			}
			q := y.assign(t, m)
			for k, to := range perm {
				if q.Of[to] != p.Of[k] || q.Why[to] != p.Why[k] {
					t.Fatalf("seed %d, %v: partition %d on %d, permuted on %d", seed, m, k, p.Of[k], q.Of[to])
				}
			}
		}
		if after := expect.Text(x); after != before {
			t.Fatalf("seed %d: the arguments %s have become %s", seed, before, after)
		}
	}
}

func times(scale float64, xs []float64) []float64 {
	if xs == nil {
		return nil
	}
	scaled := make([]float64, len(xs))
	for i, x := range xs {
		scaled[i] = scale * x
	}
	return scaled
}

// TestDeadlines: Multifit finds a plan on time where DynamicShare is late.
func TestDeadlines(t *testing.T) {
	// Two machines until 60: 31 and 29 on one, 22, 20 and 18 on the other. DynamicShare begins with
	// 31 and 29 on different ones.
	cost, err := partition.BySpeed([]float64{1, 1})
	must(t, err)
	sizes, o := []float64{31, 29, 22, 20, 18}, partition.Options{Deadlines: []float64{60, 60}}
	p, err := partition.Assign(2, sizes, cost, o)
	must(t, err)
	if p.Feasible || p.Why[4] != partition.Late || p.Makespan != 69 {
		t.Errorf("DynamicShare: %+v, want it late", p)
	}
	o.Method = partition.Best
	if p, err = partition.Assign(2, sizes, cost, o); err != nil || !p.Feasible || p.Makespan != 60 {
		t.Errorf("Best: %+v, %v, want it on time", p, err)
	}
	// So it is where a third machine, slow but patient, has to take what is too much for the two.
	cost, err = partition.BySpeed([]float64{1, 1, 0.001})
	must(t, err)
	sizes, o.Deadlines = []float64{31, 29, 22, 20, 18, 1}, []float64{60, 60, 1000}
	for _, m := range []partition.Method{partition.DynamicShare, partition.Multifit} {
		o.Method = m
		if p, err = partition.Assign(3, sizes, cost, o); err != nil || p.Feasible != (m == partition.Multifit) {
			t.Errorf("%v: %+v, %v", m, p, err)
		}
	}
}

// TestCritical: one partition alone is the bound, or it is not.
func TestCritical(t *testing.T) {
	for _, c := range []struct {
		sizes, speeds []float64
		critical      int
		bound         float64
	}{
		{[]float64{1, 80, 2}, []float64{1, 2, 1}, 1, 40},
		{[]float64{10, 10}, []float64{1, 1}, -1, 10},       // splitting one of two does not help
		{[]float64{10, 10, 1}, []float64{1, 1, 1}, -1, 10}, // nor here: the other one is as large
		{[]float64{10, 9, 1}, []float64{1, 1, 1}, 0, 10},
		{[]float64{10}, []float64{3}, -1, 10. / 3}, // one machine does all there is
		{[]float64{10}, []float64{3, 1}, 0, 10. / 3},
		{[]float64{6, 6, 6, 6}, []float64{1, 1}, -1, 12},
		{[]float64{0, 0}, []float64{1, 1}, -1, 0},
		{nil, []float64{1, 1}, -1, 0},
		// both on the fast machine take 9, apart 8; all the room there is allows 6
		{[]float64{10, 8}, []float64{2, 1}, -1, 6},
	} {
		cost, err := partition.BySpeed(c.speeds)
		must(t, err)
		for _, m := range methods {
			p, err := partition.Assign(len(c.speeds), c.sizes, cost, partition.Options{Method: m})
			must(t, err)
			if p.Critical != c.critical || math.Abs(p.Bound-c.bound) > 1e-9*c.bound {
				t.Errorf("%v of %v on %v: Critical %d, Bound %v, want %d, %v", m, c.sizes, c.speeds, p.Critical, p.Bound, c.critical, c.bound)
			}
		}
	}
}

// TestAssignSketch compares AssignSketch with Assign of each row.
func TestAssignSketch(t *testing.T) {
	rows := map[int]bool{}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(37, seed))
		s := newSketch(t, 5, 1+rng.IntN(45), seed)
		zipf := rand.NewZipf(rng, 1.3, 1, 1e5)
		for range rng.IntN(2000) {
			must(t, s.Add(zipf.Uint64(), 1+rng.Uint64N(5)))
		}
		machines := 1 + rng.IntN(23)
		speeds := make([]float64, machines)
		for i := range speeds {
			speeds[i] = 1 + 3*rng.Float64()
		}
		cost, err := partition.BySpeed(speeds)
		must(t, err)
		for _, m := range methods {
			o := partition.Options{Method: m}
			if seed%3 == 0 {
				o.Deadlines = slices.Repeat([]float64{float64(s.Total()) / float64(machines) / 2}, machines)
			}
			chosen, p, err := partition.AssignSketch(machines, s, cost, o)
			must(t, err)
			wantRow, want, score := -1, partition.Plan{}, 0.0
			for r := range s.Rows() {
				q, err := partition.Assign(machines, row(t, s, r), cost, o)
				must(t, err)
				better := wantRow < 0
				if m == partition.LoadBalance {
					b, err := partition.Balance(q.Load)
					must(t, err)
					if better = better || b > score; better {
						score = b
					}
				} else if !better {
					better = q.Feasible && !want.Feasible || q.Feasible == want.Feasible && q.Makespan < want.Makespan
				}
				if better {
					wantRow, want = r, q
				}
			}
			if chosen != wantRow {
				t.Fatalf("seed %d, %v: row %d, want %d", seed, m, chosen, wantRow)
			}
			if diff := cmp.Diff(want, p); diff != "" {
				t.Fatalf("seed %d, %v: plan of row %d (-Assign +AssignSketch):\n%s", seed, m, chosen, diff)
			}
			rows[chosen] = true
		}
	}
	if len(rows) < 5 {
		t.Errorf("rows %v were chosen, want each of 5 some time", rows)
	}
}
