package workload_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// A file without header is a SWIM trace, whose bytes become tasks.
func ExampleLoad() {
	file := filepath.Join(os.TempDir(), "schedmath-example.tsv")
	defer os.Remove(file)
	trace := "job0\t9\t9\t1762\t0\t14347\n" +
		"job1\t1000\t991\t53000000000\t1500000000\t5700000\n"
	_ = os.WriteFile(file, []byte(trace), 0o600)
	jobs, _ := workload.Load(file)
	for _, j := range jobs {
		fmt.Println(j.Arrival, j.Maps.Tasks, j.Reduces.Tasks)
	}
	// Output:
	// 9 1 0
	// 1000 395 2
}

func ExampleReadJobs() {
	file := "submit\tuser\tmaps\tmap_s\treduces\treduce_works\n" +
		"0\t0\t40\t20\t0\t\n" +
		"12.5\t1\t3\t9\t2\t30,45.5\n"
	jobs, _, _ := workload.ReadJobs(strings.NewReader(file), joblog.ReadOptions{})
	for _, j := range jobs {
		fmt.Println(j.Arrival, j.User, j.Maps.Tasks, j.Maps.Work, j.Reduces.Works)
	}
	// Output:
	// 0 0 40 20 []
	// 12.5 1 3 9 [30 45.5]
}

// What a log says becomes jobs of the slot model, users by number.
func ExampleFromLog() {
	log, _ := joblog.ReadJobs(strings.NewReader("user,submit,tasks,run\nanna,100,40,20\nben,130,1,9\nanna,160,2,9\n"), joblog.ReadOptions{})
	jobs, err := workload.FromLog(nil, log, workload.FromLogOptions{})
	for _, j := range jobs {
		fmt.Println(j.Arrival, j.User, j.Maps.Tasks, j.Maps.Work, err)
	}
	// Output:
	// 0 0 40 20 <nil>
	// 30 1 1 9 <nil>
	// 60 0 2 9 <nil>
}

func ExampleWriteJobs() {
	var file bytes.Buffer
	jobs := []slotmodel.JobSpec{{Arrival: 12.5, User: 3, Maps: slotmodel.Phase{Tasks: 2, Works: []float64{1, 2.5}}}}
	_ = workload.WriteJobs(&file, jobs)
	fmt.Println(strings.Count(file.String(), "\n"), "lines")
	back, _, err := workload.ReadJobs(&file, joblog.ReadOptions{})
	fmt.Println(back[0].Arrival, back[0].User, back[0].Maps.Works, err)
	// Output:
	// 2 lines
	// 12.5 3 [1 2.5] <nil>
}

func ExampleSizes() {
	jobs := []joblog.SWIMJob{
		{Submit: 0, MapInput: 10, Shuffle: 4, Output: 6}, // 36 bytes when the network is 4 times slower than the disks
		{Submit: 10, MapInput: 44, Output: 20},           // 64 bytes
	}
	sizes, err := workload.Sizes(nil, jobs, 4, 0.5) // half of 10 seconds is 5 seconds of work
	fmt.Printf("%.1f %v\n", sizes, err)
	// Output: [1.8 3.2] <nil>
}

func ExampleEstimates() {
	sizes := []float64{10, 10, 10, 0}
	for _, sigma := range []float64{0, 0.25, 1} {
		estimates, err := workload.Estimates(nil, sizes, 0, sigma, workload.Stream(1, workload.Errors, 0))
		fmt.Printf("sigma %-4v %.2f %v\n", sigma, estimates, err)
	}
	// Output:
	// sigma 0    [10.00 10.00 10.00 0.00] <nil>
	// sigma 0.25 [9.25 8.87 13.66 0.00] <nil>
	// sigma 1    [7.31 6.19 34.87 0.00] <nil>
}

// The same seed gives the same arrivals whatever else is drawn.
func ExampleStream() {
	arrivals, _ := workload.Poisson(nil, 3, 1, workload.Stream(7, workload.Arrivals, 0))
	sizes := distuv.Exponential{Rate: 1, Src: workload.Stream(7, workload.JobSizes, 0)}
	first, second := sizes.Rand(), sizes.Rand()
	again, _ := workload.Poisson(nil, 3, 1, workload.Stream(7, workload.Arrivals, 0))
	fmt.Printf("%.3f\n%.3f %.3f\n%.3f\n", arrivals, first, second, again)
	// Output:
	// [2.493 3.752 3.986]
	// 1.090 0.131
	// [2.493 3.752 3.986]
}

func ExamplePoisson() {
	times, err := workload.Poisson(nil, 4, 2, workload.Stream(1, workload.Arrivals, 0)) // two arrivals a second
	fmt.Printf("%.2f %v\n", times, err)
	// Output: [0.50 0.72 1.38 1.43] <nil>
}

func ExampleSyntheticFB2010() {
	jobs, _ := workload.SyntheticFB2010(workload.Stream(1, workload.Trace, 0))
	sizes, _ := workload.Sizes(nil, jobs, 4, 0.9)
	fmt.Printf("%d jobs in %v s, %.0f s of work\n", len(jobs), jobs[len(jobs)-1].Submit, floats.Sum(sizes))
	// Output: 24442 jobs in 86408 s, 77767 s of work
}

func ExampleOfferedLoad() {
	jobs := []slotmodel.JobSpec{
		{Arrival: 0, Maps: slotmodel.Phase{Tasks: 10, Work: 20}},
		{Arrival: 100, Maps: slotmodel.Phase{Tasks: 5, Work: 20}, Reduces: slotmodel.Phase{Tasks: 1, Work: 50}},
	}
	fmt.Println(workload.OfferedLoad(4, 2, jobs))
	// Output: 0.75 0.25 <nil>
}

// Nine nodes in three racks hold three copies of each block.
func ExamplePlacer_Place() {
	nodes := make([]slotmodel.NodeSpec, 9)
	for i := range nodes {
		nodes[i] = slotmodel.NodeSpec{Rack: i / 3, Maps: 2, Reduces: 1}
	}
	placer, _ := workload.NewPlacer(nodes)
	job := slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 4, Work: 20}, Copies: 3}
	job.Replicas, _ = placer.Place(nil, job.Maps.Tasks, job.Copies, workload.Stream(1, workload.Placement, 0))
	fmt.Println(job.Replicas)
	// Output: [6 5 3 2 6 8 5 7 6 7 0 2]
}

func ExampleExplode() {
	trace := []joblog.SWIMJob{
		{ID: "job0", Submit: 9, MapInput: 1762, Output: 14347},
		{ID: "job1", Submit: 18, MapInput: 970, Shuffle: 609, Output: 697},
		{ID: "job2", Submit: 1000, MapInput: 53e9, Shuffle: 1.5e9, Output: 5.7e6},
	}
	jobs, _ := workload.Explode(nil, trace, workload.ExplodeOptions{MapSlots: 40, ReduceSlots: 20, MapLoad: 0.7})
	for _, j := range jobs {
		fmt.Printf("%d maps of %.2g s, %d reduces of %.2g s\n", j.Maps.Tasks, j.Maps.Work, j.Reduces.Tasks, j.Reduces.Work)
	}
	// Output:
	// 1 maps of 0.0085 s, 0 reduces of 0 s
	// 1 maps of 0.00051 s, 1 reduces of 0.016 s
	// 395 maps of 71 s, 2 reduces of 9e+03 s
}

// Two policies on the same 20 draws of 200 jobs.
func ExamplePaired() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 4}}}
	var fifo, srpt []float64 // mean sojourn time of each seed, s
	for seed := range uint64(20) {
		arrivals, _ := workload.Poisson(nil, 200, 0.03, workload.Stream(seed, workload.Arrivals, 0)) // a load of .75
		work := distuv.Exponential{Rate: 1. / 25, Src: workload.Stream(seed, workload.JobSizes, 0)}  // s, of each of a job's four tasks
		jobs := make([]slotmodel.JobSpec, 200)
		for i := range jobs {
			jobs[i] = slotmodel.JobSpec{Arrival: arrivals[i], Maps: slotmodel.Phase{Tasks: 4, Work: work.Rand()}}
		}
		for _, run := range []struct {
			policy slotmodel.Policy
			means  *[]float64
		}{{policy.FIFO{}, &fifo}, {new(policy.SRPT), &srpt}} {
			result, _ := slotmodel.Run(cluster, jobs, run.policy, slotmodel.Options{})
			*run.means = append(*run.means, stat.Mean(result.Sojourns(nil), nil))
		}
	}
	d, _ := workload.Paired(fifo, srpt, 0.95)
	fmt.Printf("FIFO's mean sojourn time is %.0f s longer than SRPT's, between %.0f and %.0f s at 95%%\n", d.Mean, d.Low, d.High)
	// Output: FIFO's mean sojourn time is 38 s longer than SRPT's, between 22 and 55 s at 95%
}

func ExampleLublinFeitelson() {
	jobs, _ := workload.LublinFeitelson(nil, 10000, 128, workload.Stream(1, workload.Trace, 0))
	serial := 0
	for _, j := range jobs {
		if j.Maps.Tasks == 1 {
			serial++
		}
	}
	load, _, err := workload.OfferedLoad(128, 1, jobs)
	fmt.Printf("%d of %d jobs are serial; together they ask for %.1f of the machine; %v\n", serial, len(jobs), load, err)
	// Output: 2460 of 10000 jobs are serial; together they ask for 0.7 of the machine; <nil>
}
