package sharedscan_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/sharedscan"
)

// TestFigure3 is the red dataset when its fourth job has just arrived: concurrency 4, 3, 2, 1.
func TestFigure3(t *testing.T) {
	scans := []sharedscan.Scan{
		{Remaining: 3, Min: 2, Max: 50}, {Remaining: 5, Min: 4}, {Remaining: 9, Max: 20}, {Remaining: 12, Min: 1, Max: 30},
	}
	got, err := sharedscan.CyclicChain(nil, scans)
	want := []sharedscan.Subjob{
		{Work: 3, Members: []int{0, 1, 2, 3}, Completes: 0, Min: 4, Max: 20},
		{Work: 2, Members: []int{1, 2, 3}, Completes: 1, Min: 4, Max: 20},
		{Work: 4, Members: []int{2, 3}, Completes: 2, Min: 1, Max: 20},
		{Work: 3, Members: []int{3}, Completes: 3, Min: 1, Max: 30},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("CyclicChain(nil, %+v) = %+v, %v, want %+v", scans, got, err, want)
	}
}

// TestFigure4 has three overlapping sets of which two meet in the middle only: six subjobs, the
// three-way one first, then the two-way ones, then the ones alone.
func TestFigure4(t *testing.T) {
	scans := [][]int{{0, 1, 2, 3}, {0, 1, 4, 5, 6}, {0, 4, 5, 7}}
	v, err := sharedscan.Regions(scans, []float64{1, 1, 1, 1, 1, 1, 1, 1})
	must(t, err)
	want := []sharedscan.Subjob{
		{Work: 1, Members: []int{0, 1, 2}, Completes: -1},
		{Work: 1, Members: []int{0, 1}, Completes: -1},
		{Work: 2, Members: []int{1, 2}, Completes: -1},
		{Work: 2, Members: []int{0}, Completes: 0},
		{Work: 1, Members: []int{1}, Completes: 1},
		{Work: 1, Members: []int{2}, Completes: 2},
	}
	if !reflect.DeepEqual(v.Regions, want) || v.Own != 3 {
		t.Errorf("Regions(%v, ones) = %+v from %d, want %+v from 3", scans, v.Regions, v.Own, want)
	}
	var arcs [][2]int
	for k := range v.Regions {
		for _, s := range v.Graph.Succs(k) {
			arcs = append(arcs, [2]int{k, int(s)})
		}
	}
	if want := [][2]int{{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 4}, {2, 5}}; !slices.Equal(arcs, want) {
		t.Errorf("Regions(%v, ones): arcs %v, want %v", scans, arcs, want)
	}
}

// TestSimultaneousAndDone has two scans that came together, one that has ended, and one with no
// slots that would suit a scan under way.
func TestSimultaneousAndDone(t *testing.T) {
	scans := []sharedscan.Scan{{Remaining: 6, Min: 3}, {Remaining: 0, Min: 9}, {Remaining: 2, Max: 5}, {Remaining: 6}}
	got, err := sharedscan.CyclicChain(nil, scans)
	want := []sharedscan.Subjob{
		{Work: 0, Members: []int{1, 2, 0, 3}, Completes: 1, Min: 3, Max: 5},
		{Work: 2, Members: []int{2, 0, 3}, Completes: 2, Min: 3, Max: 5},
		{Work: 4, Members: []int{0, 3}, Completes: 0, Min: 3},
		{Work: 0, Members: []int{3}, Completes: 3},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("CyclicChain(nil, %+v) = %+v, %v, want %+v", scans, got, err, want)
	}
}

func TestCyclicTree(t *testing.T) {
	scans := []sharedscan.Scan{{Remaining: 2, Min: 1, Max: 4}, {Remaining: 5}, {Remaining: 0, Max: 7}}
	before := []sharedscan.Subjob{{Work: 1, Completes: -1}}
	got, arcs, err := sharedscan.CyclicTree(before, [][2]int{{0, 0}}, scans, []float64{3, 0, 8})
	want := []sharedscan.Subjob{
		{Work: 1, Completes: -1},
		{Work: 2, Members: []int{0, 1}, Completes: -1, Min: 1, Max: 4},
		{Work: 3, Members: []int{1}, Completes: 1},
		{Work: 3, Members: []int{0}, Completes: 0, Min: 1, Max: 4},
		{Work: 8, Members: []int{2}, Completes: 2, Max: 7},
	}
	if wantArcs := [][2]int{{0, 0}, {1, 2}, {1, 3}}; err != nil || !reflect.DeepEqual(got, want) || !slices.Equal(arcs, wantArcs) {
		t.Errorf("CyclicTree(%+v) = %+v, %v, %v, want %+v, %v", scans, got, arcs, err, want, wantArcs)
	}
}

// TestScannedFraction: with f = 1 the tree is the chain, with f = 0 there is nothing but
// independent jobs, and between them the work falls from the one to the other.
func TestScannedFraction(t *testing.T) {
	work := []float64{4, 10, 7}
	for f, wantArcs := range map[float64]int{0: 0, .25: 5, .5: 5, .75: 5, 1: 2} {
		scans, rest := make([]sharedscan.Scan, len(work)), make([]float64, len(work))
		for i, w := range work {
			scans[i].Remaining, rest[i] = f*w, w-f*w
		}
		subjobs, arcs, err := sharedscan.CyclicTree(nil, nil, scans, rest)
		must(t, err)
		total := 0.0
		for _, w := range works(subjobs) {
			total += w
		}
		if want := 10*f + 21*(1-f); math.Abs(total-want) > 1e-12 || len(arcs) != wantArcs {
			t.Errorf("f = %v: work %v and arcs %v, want %v and %d", f, total, arcs, want, wantArcs)
		}
	}
}

// TestSumsStayWellPosed: no order of single blocks has a lower sum of weighted completion times
// than the best order of the regions, with each weight on the scan's own region.
func TestSumsStayWellPosed(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 59))
		n, k := 1+r.IntN(6), 1+r.IntN(4)
		scans := make([][]int, k)
		weights, bytes := make([]float64, k), make([]float64, n)
		for b := range bytes {
			bytes[b] = float64(r.IntN(5))
		}
		for i := range scans {
			weights[i] = float64(r.IntN(6))
			for b := range n {
				if r.IntN(2) == 0 {
					scans[i] = append(scans[i], b)
				}
			}
		}
		v, err := sharedscan.Regions(scans, bytes)
		must(t, err)
		obj, err := precedence.SumWeightedResponse(weights)
		must(t, err)
		over, err := sharedscan.OverSubjobs(v.Regions, obj)
		must(t, err)
		got, err := precedence.Minimize(v.Graph, works(v.Regions), over, precedence.Options{})
		must(t, err)
		best := math.Inf(1)
		var place func(order []int)
		place = func(order []int) {
			if len(order) == n {
				sum := 0.0
				for i := range scans {
					last := -1
					for k, b := range order {
						if slices.Contains(scans[i], b) {
							last = k
						}
					}
					for _, b := range order[:last+1] {
						sum += weights[i] * bytes[b]
					}
				}
				best = min(best, sum)
				return
			}
			for b := range n {
				if !slices.Contains(order, b) {
					place(append(order, b))
				}
			}
		}
		place(nil)
		if !got.Exact || got.Value != best {
			t.Fatalf("seed %d: Minimize over Regions(%v, %v) with weights %v = %v, exact %v, want %v", seed, scans, bytes, weights, got.Value, got.Exact, best)
		}
		w := make([]float64, len(v.Regions)) // of the scan that each completes
		copy(w[v.Own:], weights)
		s, err := precedence.Smith(v.Graph, works(v.Regions), w)
		if err != nil || s.Value < best || s.Bound > best || s.Value > 2*best || (k <= 2 && s.Value != best) {
			t.Fatalf("seed %d: Smith over Regions(%v, %v) with weights %v = %v, bound %v, %v, want %v for two scans, within 2 else",
				seed, scans, bytes, weights, s.Value, s.Bound, err, best)
		}
	}
}

// TestChainOfDifferentMaxima is the counterexample to [1], Appendix A.1: with different maxima a
// chain of shared subjobs can end later than scans that read for themselves. On one slot, the chain
// is no later.
func TestChainOfDifferentMaxima(t *testing.T) {
	scans := []sharedscan.Scan{{Remaining: 10, Max: 1}, {Remaining: 20, Max: 100}}
	chain, err := sharedscan.CyclicChain(nil, scans)
	must(t, err)
	g, err := precedence.Chains(len(chain))
	must(t, err)
	apart := []malleable.Job{{Work: 10, Max: 1}, {Work: 20, Max: 100}}
	together, err := sharedscan.FromSubjobs(nil, chain, nil)
	must(t, err)
	for _, c := range []struct {
		slots          int
		chained, alone [2]float64
	}{
		{100, [2]float64{10, 10.1}, [2]float64{10, 20. / 99}},
		{1, [2]float64{10, 20}, [2]float64{10, 30}},
	} {
		for name, p := range map[string]struct {
			jobs []malleable.Job
			g    *precedence.Graph
			want [2]float64
		}{
			"chained": {together, g, c.chained},
			"apart":   {apart, nil, c.alone},
		} {
			s, err := malleable.Pack(c.slots, p.jobs, p.g, []int{0, 1})
			must(t, err)
			for i, got := range s.Completion(nil) {
				if math.Abs(got-p.want[i]) > 1e-9*p.want[i] {
					t.Errorf("%d slots, %s: scan %d ends at %v, want %v", c.slots, name, i, got, p.want[i])
				}
			}
		}
	}
}

// Slots from the scans are those that CyclicChain sets, but where there is no work.
func TestFromSubjobsOfChain(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 61))
		scans := make([]sharedscan.Scan, r.IntN(6))
		for i := range scans {
			scans[i] = sharedscan.Scan{Remaining: float64(r.IntN(4)), Min: r.IntN(3), Max: []int{0, 2, 5}[r.IntN(3)]}
		}
		chain, err := sharedscan.CyclicChain(nil, scans)
		must(t, err)
		want, err1 := sharedscan.FromSubjobs(nil, chain, nil)
		got, err2 := sharedscan.FromSubjobs(nil, chain, scans)
		for k := range want {
			if want[k].Work == 0 {
				want[k] = malleable.Job{}
			}
		}
		if err1 != nil || err2 != nil || !slices.Equal(got, want) {
			t.Fatalf("seed %d: FromSubjobs of the chain of %+v = %+v, %v, want %+v, %v", seed, scans, got, err2, want, err1)
		}
	}
}

func works(subjobs []sharedscan.Subjob) []float64 {
	var all []float64
	for _, s := range subjobs {
		all = append(all, s.Work)
	}
	return all
}
