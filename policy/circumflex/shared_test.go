package circumflex_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy/circumflex"
	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/slotmodel"
)

// A read is an attempt, or a ride on one, with its block.
type read struct {
	dataset, block int
	from, to       float64
	driver         slotmodel.Job
}

// Whatever arrives: each block of each scan is read once after the scan has arrived, by its own job
// or by one of its dataset that was reading for it from the beginning of the read, and no slot idles
// that a waiting block could use.
func TestSharedScans(t *testing.T) {
	shared := 0
	policytest.Counted(t, 1000, func(r *rapid.T) {
		c := cluster(rapid.IntRange(1, 3).Draw(r, "slots"), rapid.IntRange(0, 2).Draw(r, "more"))
		sizes := [2]int{rapid.IntRange(1, 6).Draw(r, "blocks"), rapid.IntRange(1, 6).Draw(r, "other")}
		work := [2]float64{.5, 1 + policytest.DrawWork(r, "work")}
		var jobs []slotmodel.JobSpec
		for range rapid.IntRange(2, 8).Draw(r, "jobs") {
			d := rapid.IntRange(0, 1).Draw(r, "dataset")
			s := policytest.Maps(policytest.DrawWork(r, "arrival")/4, sizes[d], work[d])
			s.User, s.Dataset = d, d+1
			jobs = append(jobs, s)
		}
		p := &circumflex.Policy{Epoch: []float64{0, 3}[rapid.IntRange(0, 1).Draw(r, "epoch")]}
		var log []slotmodel.Event
		res, err := slotmodel.Run(c, jobs, &watch{p, c, r}, slotmodel.Options{Log: func(e slotmodel.Event) { log = append(log, e) }})
		if err != nil {
			r.Fatal(err)
		}
		reads, rides := split(jobs, log)
		total := 0.0
		for _, x := range reads {
			total += x.to - x.from
		}
		for j, s := range jobs {
			had := make([]int, s.Maps.Tasks)
			for _, x := range reads {
				if x.driver == slotmodel.Job(j) {
					had[x.block]++
				}
			}
			for _, x := range rides[slotmodel.Job(j)] {
				had[x.block]++
				shared++
				right := false
				for _, y := range reads {
					right = right || y.to == x.to && y.block == x.block && y.dataset == s.User && y.from == x.from && y.from >= s.Arrival && y.driver != slotmodel.Job(j)
				}
				if !right {
					r.Fatalf("job %d has block %d at %v s, and nobody had read it for the job", j, x.block, x.to)
				}
			}
			for b, n := range had {
				if n != 1 {
					r.Fatalf("job %d has block %d %d times", j, b, n)
				}
			}
		}
		if held := res.Users[0].SlotSeconds[slotmodel.Map] + sum(res.Users[1:]); math.Abs(held-total) > 1e-9*total {
			r.Fatalf("slots were held for %v s, and reads took %v s", held, total)
		}
	})
	if shared < 500 {
		t.Errorf("%d rides in 1,000 cases, want more", shared)
	}
}

// sum is the slot-seconds of some users.
func sum(users []slotmodel.UserResult) float64 {
	s := 0.0
	for _, u := range users {
		s += u.SlotSeconds[slotmodel.Map]
	}
	return s
}

// split lists what was read, and by job who rode when.
func split(jobs []slotmodel.JobSpec, log []slotmodel.Event) (reads []read, rides map[slotmodel.Job][]read) {
	first, at := make([]int, len(jobs)), 0
	for j, s := range jobs {
		first[j] = at
		at += s.Maps.Tasks
	}
	began, rode := map[slotmodel.Task]float64{}, map[slotmodel.Task]bool{}
	rides = map[slotmodel.Job][]read{}
	for _, e := range log {
		switch e.Type {
		case slotmodel.Started, slotmodel.Rode:
			began[e.Task], rode[e.Task] = e.Time, e.Type == slotmodel.Rode
		case slotmodel.Ended:
			x := read{jobs[e.Job].User, int(e.Task) - first[e.Job], began[e.Task], e.Time, e.Job}
			if rode[e.Task] {
				rides[e.Job] = append(rides[e.Job], x)
			} else {
				reads = append(reads, x)
			}
		}
	}
	return reads, rides
}

// A watch looks for slots that idle: while one is free, all blocks that a job waits for are being
// read for it.
type watch struct {
	*circumflex.Policy
	c *slotmodel.Cluster
	r *rapid.T
}

func (w *watch) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	w.Policy.Decide(v, a)
	free, waiting, riding := 0, map[[2]int]bool{}, map[[2]int]bool{}
	for n := range slotmodel.Node(len(w.c.Nodes)) {
		free += v.Free(slotmodel.Map, n)
	}
	for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
		d := v.Spec(j).User
		for t := v.NextPending(j, slotmodel.Map, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, slotmodel.Map, t) {
			_, _, b := v.Index(t)
			waiting[[2]int{d, b}] = true
		}
		for x := v.Newest(j, slotmodel.Map); x != slotmodel.None; x = v.Older(x) {
			_, _, b := v.Index(v.Attempt(x).Task)
			riding[[2]int{d, b}] = true
		}
	}
	for b := range waiting {
		if free > 0 && !riding[b] {
			w.r.Fatalf("at %v s %d slots are free, and block %d of dataset %d is not being read", v.Now(), free, b[1], b[0])
		}
	}
}
