package queues_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

const (
	fig5Maps, fig5Reduces = 12, 5 // workers for maps and for reduces
	fig5Jobs              = 50
)

// deadlines draws Figure 5 in small: jobs of two classes arrive at random, 70% of them with the
// strict deadline of their class. Each has a map on each worker for maps and a reduce on each for
// reduces. Some workers are overloaded for a while. mean is the mean work of a task.
func deadlines(seed uint64, gap float64) (c *slotmodel.Cluster, jobs []slotmodel.JobSpec, mean func(j slotmodel.Job, k slotmodel.Kind) float64) {
	r := rand.New(rand.NewPCG(seed, 5))
	c = &slotmodel.Cluster{}
	for n := range fig5Maps + fig5Reduces {
		s := slotmodel.NodeSpec{Maps: 1, Speed: .75 + .75*r.Float64()}
		if n >= fig5Maps {
			s.Maps, s.Reduces = 0, 1
		}
		if r.IntN(5) == 0 {
			from := 150 * r.Float64()
			s.Slow = []slotmodel.Slowdown{{From: from, Until: from + 30, Factor: 2}}
		}
		c.Nodes = append(c.Nodes, s)
	}
	means := make([][2]float64, fig5Jobs)
	jobs = make([]slotmodel.JobSpec, fig5Jobs)
	at := 0.0
	for i := range jobs {
		at += gap * r.ExpFloat64()
		work, strict, relaxed := .4, 2.0, 4.0
		if r.IntN(2) == 0 {
			work, strict, relaxed = 3, 15, 20
		}
		s := slotmodel.JobSpec{Arrival: at, Deadline: at + strict, Slowstart: 1}
		if r.Float64() >= .7 {
			s.Deadline = at + relaxed
		}
		means[i] = [2]float64{work, work / 2}
		for range fig5Maps {
			s.Maps.Works = append(s.Maps.Works, work*math.Exp(.1*r.NormFloat64()))
		}
		for range fig5Reduces {
			s.Reduces.Works = append(s.Reduces.Works, work/2*math.Exp(.3*r.NormFloat64()))
		}
		s.Maps.Tasks, s.Reduces.Tasks = fig5Maps, fig5Reduces
		jobs[i] = s
	}
	return c, jobs, func(j slotmodel.Job, k slotmodel.Kind) float64 { return means[j][k] }
}

// missed plays a workload and returns the fraction of jobs that miss their deadlines.
func missed(t testing.TB, seed uint64, gap float64, q queues.Policy, estimated bool) float64 {
	return missedUnder(t, seed, gap, q, estimated, func(q *queues.Policy) slotmodel.Policy { return q })
}

// missedUnder is missed under a policy made of the queues.
func missedUnder(t testing.TB, seed uint64, gap float64, q queues.Policy, estimated bool, with func(*queues.Policy) slotmodel.Policy) float64 {
	c, jobs, mean := deadlines(seed, gap)
	q.Bind = func(v *slotmodel.View, t slotmodel.Task) slotmodel.Node {
		_, k, i := v.Index(t)
		return slotmodel.Node(i + fig5Maps*int(k))
	}
	if estimated { // the mean of the class on the worker when it is not slow
		q.Remaining = queues.ByEstimate(func(v *slotmodel.View, t slotmodel.Task, n slotmodel.Node) float64 {
			j, k, _ := v.Index(t)
			if n == slotmodel.None {
				return mean(j, k)
			}
			return mean(j, k) / v.Speed(n)
		})
	}
	res, err := slotmodel.Run(c, jobs, with(&q), slotmodel.Options{})
	if err != nil {
		t.Fatalf("Run failed: %v", err)
	}
	n := 0
	for j, r := range res.Jobs {
		if r.Outcome != slotmodel.Finished || r.Finish > jobs[j].Deadline {
			n++
		}
	}
	return float64(n) / float64(len(jobs))
}

// Figure 5: in the mean over seeds least laxity first misses no more deadlines than EDF, FIFO and
// FAIR do with the same queues, at each load, whether remaining times are estimated or known. EDF
// that serves jobs of negative laxity last has most of this gain.
func TestFewestMisses(t *testing.T) {
	const seeds = 40
	type row struct {
		q         queues.Policy
		estimated bool
	}
	rows := map[string]row{
		"FIFO": {queues.Policy{}, false}, "FAIR": {queues.Policy{Order: queues.Fair}, false}, "EDF": {queues.Policy{Order: queues.EDF}, false},
		"EDF, demoting":          {queues.Policy{Order: queues.EDFDemoted}, true},
		"EDF, demoting, unknown": {queues.Policy{Order: queues.EDFDemoted}, false},
		"LLF":                    {queues.Policy{Order: queues.LLF}, true},
		"LLF, unknown":           {queues.Policy{Order: queues.LLF}, false},
		"LLF, exact":             {queues.Policy{Order: queues.LLF, Remaining: queues.TrueRemaining}, false},
		"LLF, ahead":             {queues.Policy{Order: queues.LLFAhead}, true},
	}
	for _, gap := range []float64{20, 6, 3} {
		mean := map[string]float64{}
		for name, x := range rows {
			for seed := range uint64(seeds) {
				mean[name] += missed(t, seed, gap, x.q, x.estimated) / seeds
			}
		}
		t.Logf("a job in %v s: %v", gap, mean)
		for _, llf := range []string{"LLF", "LLF, exact"} {
			for _, other := range []string{"FIFO", "FAIR", "EDF"} {
				if mean[llf] > mean[other] {
					t.Errorf("a job in %v s: %s misses %.4f of the deadlines, %s %.4f", gap, llf, mean[llf], other, mean[other])
				}
			}
		}
		if mean["LLF, unknown"] != mean["EDF, demoting, unknown"] {
			t.Errorf("a job in %v s: without estimates LLF misses %v and EDF with demotion %v, want the same", gap, mean["LLF, unknown"], mean["EDF, demoting, unknown"])
		}
		if gap == 3 && !(mean["LLF"] < .95*mean["EDF"]) {
			t.Errorf("LLF misses %v and EDF %v: the load tests nothing", mean["LLF"], mean["EDF"])
		}
	}
}
