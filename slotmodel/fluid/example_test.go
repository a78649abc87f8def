package fluid_test

import (
	"errors"
	"fmt"

	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// Figure 1 of the HFSP paper: three jobs on one server.
func ExampleRun() {
	jobs := []fluid.Job{
		{Arrival: 0, Size: 30, Estimate: 30},
		{Arrival: 10, Size: 10, Estimate: 10},
		{Arrival: 15, Size: 10, Estimate: 10},
	}
	for _, p := range []fluid.Policy{fluid.PS{}, fluid.SRPT{}, fluid.FSP{}} {
		res, err := fluid.Run(1, jobs, p, fluid.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(p, res.Finish)
	}
	// Output:
	// ps [50 37.5 42.5]
	// srpt [50 20 30]
	// fsp [50 20 30]
}

// One Runner for many runs: here the late rules of FSP with an under-estimated first job.
func ExampleRunner_Run() {
	jobs := []fluid.Job{
		{Arrival: 0, Size: 30, Estimate: 5},
		{Arrival: 4, Size: 10, Estimate: 10},
		{Arrival: 6, Size: 2, Estimate: 2},
	}
	var r fluid.Runner
	var res fluid.Result
	for _, late := range []fluid.Late{fluid.LateShare, fluid.LateFirst, fluid.LateLeastAttained, fluid.LateNext} {
		p := fluid.FSP{Late: late}
		if err := r.Run(&res, 1, jobs, p, fluid.Options{}); err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-8v %.4g mean %.4g\n", p, res.Finish, res.MeanSojourn())
	}
	// Output:
	// fsp      [42 37 14] mean 27.67
	// fsp-fifo [30 42 32] mean 31.33
	// fsp-las  [42 27 12] mean 23.67
	// fsp-next [42 30 10] mean 24
}

// Four slots, of which two are away between the times 2 and 6, and jobs that cannot use them all.
func ExampleOptions() {
	jobs := []fluid.Job{
		{Size: 8, Estimate: 8, Slots: 1},
		{Size: 8, Estimate: 8, Slots: 4},
		{Arrival: 1, Size: 4, Estimate: 4, Weight: 2},
	}
	o := fluid.Options{Capacity: []fluid.Step{{Time: 2, Slots: 2}, {Time: 6, Slots: 4}}}
	res, err := fluid.Run(4, jobs, fluid.PS{}, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", res.Finish)
	// Output:
	// [9.0000 6.3333 4.0000]
}

func ExampleResult_MeanSojourn() {
	jobs := []fluid.Job{{Arrival: 0, Size: 2, Estimate: 2}, {Arrival: 1e5, Size: 1e-9, Estimate: 1e-9}}
	res, err := fluid.Run(1, jobs, fluid.FIFO{}, fluid.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Sojourn, res.MeanSojourn(), res.Area)
	// Output:
	// [2 1e-09] 1.0000000005 2.000000001
}

func ExampleUnfinishedError() {
	jobs := []fluid.Job{{Size: 1, Estimate: 1}, {Size: 5, Estimate: 5}}
	_, err := fluid.Run(1, jobs, fluid.SRPT{}, fluid.Options{Capacity: []fluid.Step{{Time: 3, Slots: 0}}})
	var never *fluid.UnfinishedError
	fmt.Println(errors.As(err, &never), never.Jobs)
	// Output:
	// true [1]
}

func ExamplePolicy() {
	for _, p := range []fluid.Policy{fluid.FIFO{}, fluid.PS{}, fluid.LAS{}, fluid.SRPT{}, fluid.SPT{}, fluid.FSP{}, fluid.FSP{Late: fluid.LateNext, ByWork: true}} {
		fmt.Println(p)
	}
	// Output:
	// fifo
	// ps
	// las
	// srpt
	// spt
	// fsp
	// fsp-next/work
}
