package queues_test

import (
	"fmt"

	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// While a task of job 0 runs, three jobs enter the queue of the only worker. Job 2 cannot meet
// its deadline any more when the slot is free at 5 s. EDF serves it first, and job 3 misses its
// deadline too; LLF serves it last.
func ExamplePolicy() {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}}
	job := func(arrival, work, deadline float64) slotmodel.JobSpec {
		return slotmodel.JobSpec{Arrival: arrival, Deadline: deadline, Maps: slotmodel.Phase{Tasks: 1, Work: work}}
	}
	jobs := []slotmodel.JobSpec{job(0, 5, 30), job(1, 6, 20), job(1, 2, 6), job(1, 3, 9)}
	for _, order := range []queues.Order{queues.FIFO, queues.EDF, queues.LLF} {
		res, err := slotmodel.Run(c, jobs, &queues.Policy{Order: order, Remaining: queues.TrueRemaining}, slotmodel.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		missed := 0
		for j, r := range res.Jobs {
			fmt.Print(r.Finish, " ")
			if r.Finish > jobs[j].Deadline {
				missed++
			}
		}
		fmt.Println("missed", missed)
	}
	// Output:
	// 5 11 13 16 missed 2
	// 5 16 7 10 missed 2
	// 5 14 16 8 missed 1
}

// Node 0 is overloaded, and its laxity shows it as soon as its first task has made some progress.
// Its queued task leaves for another node. Stragglers is best made of package lof; here two seconds
// less than the greatest laxity are an outlier.
func ExampleDynamicShare() {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1}, {Maps: 1}}}
	c.Nodes[0].Slow = []slotmodel.Slowdown{{Until: 100, Factor: 4}}
	jobs := []slotmodel.JobSpec{{Deadline: 20, Maps: slotmodel.Phase{Tasks: 6, Work: 4}}}
	fromHistory := func(*slotmodel.View, slotmodel.Task, slotmodel.Node) float64 { return 4 }
	p := &queues.DynamicShare{
		Policy: queues.Policy{Order: queues.LLF, Remaining: queues.ByProgress(fromHistory)},
		Period: 2,
		Stragglers: func(dst []int, laxity []float64) []int {
			for i, x := range laxity {
				if x < max(laxity[0], laxity[len(laxity)-1])-2 {
					dst = append(dst, i)
				}
			}
			return dst
		},
		Report: func(r queues.Report) {
			if r.Time == 2 {
				fmt.Println("node", r.Node, "laxity", r.Laxity, r.Overloaded)
			}
		},
	}
	res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("ends at", res.Jobs[0].Finish)
	// Output:
	// node 0 laxity 0 true
	// node 1 laxity 12 false
	// node 2 laxity 12 false
	// ends at 16
}

// A run-time history, such as estimate.Requirements, serves as Remaining: what it does not know
// counts 0, and such jobs go by their deadlines.
func ExampleByEstimate() {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}}
	jobs := []slotmodel.JobSpec{
		{Deadline: 12, Maps: slotmodel.Phase{Tasks: 1, Work: 2}},
		{Deadline: 13, Maps: slotmodel.Phase{Tasks: 1, Work: 9}},
	}
	history := map[slotmodel.Job]float64{0: 2, 1: 9}
	q := &queues.Policy{Order: queues.LLF, Remaining: queues.ByEstimate(func(v *slotmodel.View, t slotmodel.Task, _ slotmodel.Node) float64 {
		j, _, _ := v.Index(t)
		return history[j]
	})}
	for range 2 {
		res, err := slotmodel.Run(c, jobs, q, slotmodel.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish)
		clear(history)
	}
	// Output:
	// 11 9
	// 2 11
}

// Without estimates ByProgress knows what attempts have shown: node 0 is slow, and after 4 s its
// attempt has done a quarter of the work.
func ExampleByProgress() {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Speed: .5}, {Maps: 1}}}
	jobs := []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 2, Work: 8}}, {Arrival: 4, Maps: slotmodel.Phase{Tasks: 1, Work: 1}}}
	progress := queues.ByProgress(nil)
	q := &queues.Policy{Bind: func(v *slotmodel.View, t slotmodel.Task) slotmodel.Node {
		if j, _, _ := v.Index(t); j == 1 {
			for x := v.Newest(0, slotmodel.Map); x != slotmodel.None; x = v.Older(x) {
				info := v.Attempt(x)
				fmt.Println("node", info.Node, "needs", progress(v, info.Task, info.Node, x), "s more")
			}
		}
		return slotmodel.None
	}}
	if _, err := slotmodel.Run(c, jobs, q, slotmodel.Options{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// node 1 needs 4 s more
	// node 0 needs 12 s more
}

// TrueRemaining knows the work of tasks that wait, too.
func ExampleTrueRemaining() {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Speed: .5}, {Maps: 1}}}
	jobs := []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 1, Work: 8}}}
	q := &queues.Policy{Bind: func(v *slotmodel.View, t slotmodel.Task) slotmodel.Node {
		for _, n := range []slotmodel.Node{0, 1, slotmodel.None} {
			fmt.Println(queues.TrueRemaining(v, t, n, slotmodel.None), "s on node", n)
		}
		return 1
	}}
	res, err := slotmodel.Run(c, jobs, q, slotmodel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("ends at", res.Jobs[0].Finish)
	// Output:
	// 16 s on node 0
	// 8 s on node 1
	// 8 s on node -1
	// ends at 8
}
