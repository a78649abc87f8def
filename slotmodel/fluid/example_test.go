package fluid_test

import (
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
		res, err := fluid.Run(1, jobs, p)
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
		if err := r.Run(&res, 1, jobs, p); err != nil {
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

func ExampleResult_MeanSojourn() {
	jobs := []fluid.Job{{Arrival: 0, Size: 2, Estimate: 2}, {Arrival: 1e5, Size: 1e-9, Estimate: 1e-9}}
	res, err := fluid.Run(1, jobs, fluid.FIFO{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Sojourn, res.MeanSojourn(), res.Area)
	// Output:
	// [2 1e-09] 1.0000000005 2.000000001
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
