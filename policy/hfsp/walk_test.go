package hfsp_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// walker is a Ranker that compares each walk of HFSP with the definition: its first job before each
// start, and the whole walk now and then.
type walker struct {
	*hfsp.Policy
	t           *testing.T
	seed        uint64
	kind        slotmodel.Kind
	rng         *rand.Rand
	rest        []slotmodel.Job
	walks, long int // how many, and over several jobs
}

func (w *walker) Begin(v *slotmodel.View, k slotmodel.Kind) {
	w.Policy.Begin(v, k)
	want, fault := hfsp.Walk(w.Policy, v, k)
	if fault != nil {
		w.t.Fatalf("seed %d, at %v s: %v", w.seed, v.Now(), fault)
	}
	w.walks++
	if len(want) > 3 {
		w.long++
	}
	w.rest, w.kind = want, k
	if w.rng.IntN(8) > 0 {
		return
	}
	for w.Next(v) != slotmodel.None {
	}
	w.Policy.Begin(v, k)
	w.rest = want
}

// Next asks Ahead of the two jobs to come, which leaves the walk where it is.
func (w *walker) Next(v *slotmodel.View) slotmodel.Job {
	if len(w.rest) > 1 {
		if first, known := w.Ahead(v, w.kind, w.rest[0], w.rest[1]); !first || !known {
			w.t.Fatalf("seed %d, at %v s: Ahead(%d, %d) = %t, %t, want true, true", w.seed, v.Now(), w.rest[0], w.rest[1], first, known)
		}
	}
	got, want := w.Policy.Next(v), slotmodel.Job(slotmodel.None)
	if len(w.rest) > 0 {
		want, w.rest = w.rest[0], w.rest[1:]
	}
	if got != want {
		w.t.Fatalf("seed %d, at %v s: Next gives %v, want %v and then %v", w.seed, v.Now(), got, want, w.rest)
	}
	return got
}

// Each walk gives the phases that the definition gives when all of them are sorted: samples first
// while samples may start, late phases by the slots that they hold, then phases on time in the
// order virtual cluster.
func TestWalk(t *testing.T) {
	walks, long := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 31))
		c := failing(r, 2+r.IntN(8), 1+r.IntN(3), 1+r.IntN(2))
		work := r.ExpFloat64
		if seed%3 == 0 { // many ties
			work = func() float64 { return float64(1 + r.IntN(3)) }
		}
		var jobs []slotmodel.JobSpec
		for range 40 {
			s := slotmodel.JobSpec{Arrival: 20 * work(), Slowstart: r.Float64(),
				Maps:    slotmodel.Phase{Tasks: 1 + int(6*r.ExpFloat64()*r.ExpFloat64()), Work: 3 * work()},
				Reduces: slotmodel.Phase{Tasks: r.IntN(5), Work: 5 * work()}}
			if seed%5 == 0 {
				s.Maps.Tasks = 6
			}
			if r.IntN(6) == 0 {
				s.Cancel = s.Arrival + 20*r.ExpFloat64()
			}
			jobs = append(jobs, s)
		}
		o := &hfsp.Policy{Samples: 1 + r.IntN(5), Limit: []float64{0, .3}[r.IntN(2)], FirstTask: []float64{0, .2, 3}[r.IntN(3)],
			Delta: []float64{0, 1}[r.IntN(2)], NoTraining: r.IntN(8) == 0, NoCaps: r.IntN(3) == 0}
		w := &walker{Policy: o, t: t, seed: seed, rng: r}
		if _, err := slotmodel.Run(c, jobs, &policy.Greedy{Inner: w}, slotmodel.Options{}); err != nil {
			t.Fatalf("seed %d: Run failed: %v", seed, err)
		}
		walks, long = walks+w.walks, long+w.long
	}
	if walks < 20000 || long < 5000 {
		t.Errorf("%d walks, %d of them over several jobs: the workloads test nothing", walks, long)
	}
}

// TestWalkEnd: what a walk gives after its end is nothing, whatever its stage was.
func TestWalkEnd(t *testing.T) {
	h := &hfsp.Policy{}
	var got []slotmodel.Job
	p := &onFirst{Policy: h, do: func(v *slotmodel.View) {
		for range 2 {
			h.Begin(v, slotmodel.Map)
			for range 5 {
				got = append(got, h.Next(v))
			}
		}
	}}
	jobs := []slotmodel.JobSpec{policytest.Maps(0, 9, 9), policytest.Maps(0, 8, 8), policytest.Maps(0, 7, 7)}
	if _, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(1, 1, 1, 0)}, jobs, p, slotmodel.Options{}); err != nil {
		t.Fatal(err)
	}
	if want := []slotmodel.Job{2, 1, 0, slotmodel.None, slotmodel.None, 2, 1, 0, slotmodel.None, slotmodel.None}; !slices.Equal(got, want) {
		t.Errorf("two walks give %v, want %v", got, want)
	}
}

// Outside of a run nothing is known.
func TestOutsideOfRuns(t *testing.T) {
	v := new(slotmodel.View)
	if first, known := new(hfsp.Policy).Ahead(v, slotmodel.Map, 0, 1); first || known {
		t.Errorf("Ahead without a run = %t, %t, want false, false", first, known)
	}
	if size := hfsp.TrueSize(v, 0, slotmodel.Map); size != 0 {
		t.Errorf("TrueSize without a run = %v, want 0", size)
	}
}
