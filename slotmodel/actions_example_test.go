package slotmodel_test

import (
	"fmt"

	"github.com/schedmath/schedmath/slotmodel"
)

// deciding is a policy of one function.
type deciding func(v *slotmodel.View, a *slotmodel.Actions)

func (d deciding) Decide(v *slotmodel.View, a *slotmodel.Actions) { d(v, a) }

// show runs one job and prints when it ended and how much work was lost.
func show(nodes []slotmodel.NodeSpec, job slotmodel.JobSpec, p slotmodel.Policy) {
	r, _ := slotmodel.Run(&slotmodel.Cluster{Nodes: nodes}, []slotmodel.JobSpec{job}, p, slotmodel.Options{})
	seconds, _ := r.Jobs[0].Sojourn()
	fmt.Println(seconds, "s;", fmt.Sprintf("%.1f", r.Totals.Wasted), "of work lost; sojourn times", r.Sojourns(nil))
}

// The longest task that waits comes first.
func ExampleActions_StartTask() {
	work := []float64{2, 3, 9}
	show([]slotmodel.NodeSpec{{Maps: 1}, {Maps: 1}}, slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 3, Works: work}},
		deciding(func(v *slotmodel.View, a *slotmodel.Actions) {
			for v.Count(0, slotmodel.Map).Pending() > 0 && v.FreeSlots(slotmodel.Map) > 0 {
				longest := slotmodel.Task(slotmodel.None)
				for t := v.NextPending(0, slotmodel.Map, slotmodel.None); t != slotmodel.None; t = v.NextPending(0, slotmodel.Map, t) {
					_, _, i := v.Index(t)
					if _, _, k := v.Index(longest); longest == slotmodel.None || v.Spec(0).Maps.Of(i) > v.Spec(0).Maps.Of(k) {
						longest = t
					}
				}
				a.StartTask(longest, v.NextFree(slotmodel.Map, slotmodel.None))
			}
		}))
	// Output: 9 s; 0.0 of work lost; sojourn times [9]
}

// All maps of a rigid job start together, here as soon as both nodes are there.
func ExampleActions_StartGang() {
	nodes := []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1, Down: []slotmodel.Outage{{From: 0, Until: 4}}}}
	show(nodes, slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 2, Work: 5}, Rigid: true},
		deciding(func(v *slotmodel.View, a *slotmodel.Actions) {
			if v.Up(1) && v.Count(0, slotmodel.Map).Pending() == 2 {
				a.StartGang(0, []slotmodel.Node{0, 1})
			}
		}))
	// Output: 9 s; 0.0 of work lost; sojourn times [9]
}

// Both jobs scan one block, and one attempt reads it for both.
func ExampleActions_Ride() {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}}
	scan := slotmodel.JobSpec{Dataset: 1, Maps: slotmodel.Phase{Tasks: 1, Work: 10}}
	r, err := slotmodel.Run(c, []slotmodel.JobSpec{scan, scan}, deciding(func(v *slotmodel.View, a *slotmodel.Actions) {
		if v.Now() == 0 {
			a.Start(0, slotmodel.Map, 0)
			a.Ride(1, v.Task(1, slotmodel.Map, 0), v.Newest(0, slotmodel.Map))
		}
	}), slotmodel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Sojourns(nil), r.Totals.Work)
	// Output: [10 10] 10
}

// After 3 s the task that runs on the slow node is killed, and starts on the fast one, which is up
// then.
func ExampleActions_Kill() {
	nodes := []slotmodel.NodeSpec{{Maps: 1, Speed: .1}, {Maps: 1, Down: []slotmodel.Outage{{From: 0, Until: 3}}}}
	show(nodes, slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 1, Work: 5}},
		deciding(func(v *slotmodel.View, a *slotmodel.Actions) {
			if x := v.Newest(0, slotmodel.Map); x != slotmodel.None && v.Up(1) && v.Speed(v.Attempt(x).Node) < 1 {
				a.Kill(x)
			} else if v.Runnable(0, slotmodel.Map) && v.Free(slotmodel.Map, 1) > 0 {
				a.Start(0, slotmodel.Map, 1)
			} else if v.Runnable(0, slotmodel.Map) {
				a.Start(0, slotmodel.Map, 0)
			}
		}))
	// Output: 8 s; 0.3 of work lost; sojourn times [8]
}
