package slotmodel_test

import (
	"errors"
	"fmt"

	"github.com/schedmath/schedmath/slotmodel"
)

// firstCome is a policy in a few lines: each free slot goes to the first job that can use it.
type firstCome struct{}

func (firstCome) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	for _, k := range []slotmodel.Kind{slotmodel.Map, slotmodel.Reduce} {
		for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; n = v.NextFree(k, n-1) {
			j := v.NextRunnable(slotmodel.None, k)
			if j == slotmodel.None {
				break
			}
			a.Start(j, k, n)
		}
	}
}

func ExamplePolicy() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Reduces: 1}}}
	jobs := []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 2, Work: 5}, Reduces: slotmodel.Phase{Tasks: 1, Work: 3}, Slowstart: 1}}
	r, _ := slotmodel.Run(cluster, jobs, firstCome{}, slotmodel.Options{})
	fmt.Println(r.Jobs[0].MapEnd, r.Jobs[0].Finish)
	// Output: 10 13
}

// The log is a stream: nothing of it stays in memory.
func ExampleEvent() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}}
	jobs := []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 1, Work: 5}}}
	show := func(e slotmodel.Event) { fmt.Println(e.Time, e.Type, e.Job) }
	if _, err := slotmodel.Run(cluster, jobs, firstCome{}, slotmodel.Options{Log: show}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0 arrived 0
	// 0 ready 0
	// 0 started 0
	// 5 ended 0
	// 5 maps-ended 0
	// 5 job-ended 0
}

// Time series say what users had against what they were entitled to, and what the links carried.
func ExampleOptions() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 4}}}
	jobs := []slotmodel.JobSpec{
		{User: 0, Maps: slotmodel.Phase{Tasks: 3, Work: 10}},
		{User: 1, Maps: slotmodel.Phase{Tasks: 1, Work: 10}},
	}
	r, _ := slotmodel.Run(cluster, jobs, firstCome{}, slotmodel.Options{Period: 5, Entitlements: []float64{1, 1}})
	for _, row := range r.Series {
		for u, x := range row.Users {
			fmt.Printf("%v s: user %d had %v of 4 slots and was entitled to %v of the cluster\n", row.Time, u, x.Slots[slotmodel.Map], x.Entitled)
		}
	}
	// Output:
	// 5 s: user 0 had 3 of 4 slots and was entitled to 0.5 of the cluster
	// 5 s: user 1 had 1 of 4 slots and was entitled to 0.5 of the cluster
	// 10 s: user 0 had 3 of 4 slots and was entitled to 0.5 of the cluster
	// 10 s: user 1 had 1 of 4 slots and was entitled to 0.5 of the cluster
}

// idler never starts anything; eager starts what it may not.
type (
	idler struct{}
	eager struct{}
)

func (idler) Decide(*slotmodel.View, *slotmodel.Actions)     {}
func (eager) Decide(_ *slotmodel.View, a *slotmodel.Actions) { a.Start(0, slotmodel.Map, 7) }

func ExampleDeadlockError() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}}}
	jobs := []slotmodel.JobSpec{{Arrival: 3, Maps: slotmodel.Phase{Tasks: 5, Work: 1}}}
	_, err := slotmodel.Run(cluster, jobs, idler{}, slotmodel.Options{})
	fmt.Println(err)
	fmt.Println(errors.Is(err, slotmodel.ErrPolicy))
	// Output:
	// slotmodel: at 3 s slotmodel_test.idler leaves 2 free map slots idle for ever, while 5 tasks of job 0 wait
	// true
}

func ExampleActions() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 2}}}
	jobs := []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 5, Work: 1}}}
	_, err := slotmodel.Run(cluster, jobs, eager{}, slotmodel.Options{})
	fmt.Println(err)
	// Output: slotmodel: at 0 s slotmodel_test.eager called Start(0, map, 7): no such node
}

// briefly suspends the task that runs for two seconds.
type briefly struct{}

func (briefly) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	x := v.Newest(0, slotmodel.Map)
	switch v.Now() {
	case 0:
		a.Start(0, slotmodel.Map, 0)
		a.Wake(4)
		a.Wake(6)
	case 4:
		a.Suspend(x)
	case 6:
		a.Resume(x)
	}
}

func ExampleActions_Suspend() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}, ResumeCost: 1}
	jobs := []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 1, Work: 10}}}
	r, _ := slotmodel.Run(cluster, jobs, briefly{}, slotmodel.Options{})
	fmt.Println(r.Jobs[0].Finish, r.Totals.Overhead)
	// Output: 13 1
}

// listener starts tasks at heartbeats only, and learns how long they take.
type listener struct {
	firstCome
	seconds []float64
}

func (*listener) Heartbeat() float64 { return 3 }

func (l *listener) Observe(_ *slotmodel.View, e slotmodel.Event) {
	if e.Type == slotmodel.Ended {
		l.seconds = append(l.seconds, e.Value)
	}
}

func (l *listener) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if v.Heartbeat() != slotmodel.None {
		l.firstCome.Decide(v, a)
	}
}

func ExampleObserver() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}}
	jobs := []slotmodel.JobSpec{{Arrival: 1, Maps: slotmodel.Phase{Tasks: 2, Works: []float64{2, 5}}}}
	l := new(listener)
	r, _ := slotmodel.Run(cluster, jobs, l, slotmodel.Options{})
	fmt.Println(l.seconds, r.Jobs[0].Start, r.Jobs[0].Finish)
	// Output: [2 5] 3 11
}

// A node is overloaded from 2 s until 6 s, and computes at half its speed: its task of 5 s ends
// after 7 s.
func ExampleSlowdown() {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1, Slow: []slotmodel.Slowdown{{From: 2, Until: 6, Factor: 2}}}}}
	jobs := []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 1, Work: 5}}}
	res, _ := slotmodel.Run(c, jobs, firstCome{}, slotmodel.Options{})
	fmt.Println(res.Jobs[0].Finish)
	// Output: 7
}
