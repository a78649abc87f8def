package workload_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func ExampleReadSWIM() {
	trace := "job0\t9\t9\t1762\t0\t14347\n" +
		"job1\t18\t9\t970\t609\t697\n" +
		"job2\t20\t2\t53000000000\t1500000000\t5700000\n"
	jobs, err := workload.ReadSWIM(strings.NewReader(trace))
	if err != nil {
		fmt.Println(err)
		return
	}
	sizes, err := workload.Sizes(nil, jobs, 4, 0.9)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, j := range jobs {
		fmt.Printf("%s comes at %v s and needs %.3g s\n", j.ID, j.Submit, sizes[i])
	}
	// Output:
	// job0 comes at 9 s and needs 4.79e-06 s
	// job1 comes at 18 s and needs 1.4e-06 s
	// job2 comes at 20 s and needs 18 s
}

func ExampleParseError() {
	trace := "job0\t9\t9\t1762\t0\t14347\n" +
		"job1\t18\t9\t-5\t609\t697\n"
	_, err := workload.ReadSWIM(strings.NewReader(trace))
	fmt.Println(err)
	var pe *workload.ParseError
	fmt.Println(errors.As(err, &pe), pe.Line, pe.Column, errors.Is(err, schedmath.ErrInput))
	// Output:
	// workload: line 2, column 11: map input "-5" is negative
	// true 2 11 true
}

// Broken lines may be skipped; an error that is no ParseError about a line ends the sequence.
func ExampleSWIMJobs() {
	trace := "job0\t9\t9\t1762\t0\t14347\nhello\njob1\t18\t9\t970\t609\t697\n"
	for job, err := range workload.SWIMJobs(strings.NewReader(trace)) {
		if err != nil {
			fmt.Println("skipped:", err)
			continue
		}
		fmt.Println(job.ID)
	}
	// Output:
	// job0
	// skipped: workload: line 2, column 6: line ends after field 1 of 6: tabs expected
	// job1
}

func ExampleWriteSWIM() {
	err := workload.WriteSWIM(os.Stdout, []workload.SWIMJob{
		{ID: "a", Submit: 1.5, Gap: 1.5, MapInput: 1e9},
		{ID: "b", Submit: 2, Gap: 0.5, Shuffle: 7, InputPath: "/in"},
	})
	fmt.Println(err)
	// Output:
	// a	1.5	1.5	1000000000	0	0
	// b	2	0.5	0	7	0	/in
	// <nil>
}

// A file without header is a SWIM trace, whose bytes become tasks.
func ExampleLoad() {
	file := filepath.Join(os.TempDir(), "schedmath-example.tsv")
	defer os.Remove(file)
	trace := "job0\t9\t9\t1762\t0\t14347\n" +
		"job1\t1000\t991\t53000000000\t1500000000\t5700000\n"
	if err := os.WriteFile(file, []byte(trace), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	jobs, err := workload.Load(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, j := range jobs {
		fmt.Println(j.Arrival, j.Maps.Tasks, j.Reduces.Tasks)
	}
	// Output:
	// 9 1 0
	// 1000 395 2
}

// A table of one's own, as a spreadsheet writes it.
func ExampleReadJobs() {
	table := "Id,User,Submit,Tasks,Run,Comment\n" +
		"nightly,anna,2026-03-01T08:30:00Z,40,20,\n" +
		"report,ben,2026-03-01T08:30:12.5Z,3,9,\"late, again\"\n"
	read, err := workload.ReadJobs(strings.NewReader(table), workload.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, j := range read.Jobs {
		fmt.Println(read.Names[i], read.Users[j.User], j.Arrival, j.Maps.Tasks, j.Maps.Work)
	}
	// Output:
	// nightly anna 0 40 20
	// report ben 12.5 3 9
}

func ExampleReadJobs_jobFile() {
	file := "submit\tuser\tmaps\tmap_s\treduces\treduce_works\n" +
		"0\t0\t40\t20\t0\t\n" +
		"12.5\t1\t3\t9\t2\t30,45.5\n"
	read, err := workload.ReadJobs(strings.NewReader(file), workload.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, j := range read.Jobs {
		fmt.Println(j.Arrival, j.User, j.Maps.Tasks, j.Maps.Work, j.Reduces.Works)
	}
	// Output:
	// 0 0 40 20 []
	// 12.5 1 3 9 [30 45.5]
}

func ExampleWriteJobs() {
	var file bytes.Buffer
	jobs := []slotmodel.JobSpec{{Arrival: 12.5, User: 3, Maps: slotmodel.Phase{Tasks: 2, Works: []float64{1, 2.5}}}}
	if err := workload.WriteJobs(&file, jobs); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Count(file.String(), "\n"), "lines")
	back, err := workload.ReadJobs(&file, workload.ReadOptions{})
	fmt.Println(back.Jobs[0].Arrival, back.Jobs[0].User, back.Jobs[0].Maps.Works, err)
	// Output:
	// 2 lines
	// 12.5 3 [1 2.5] <nil>
}

func ExampleSizes() {
	jobs := []workload.SWIMJob{
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
	sizes, _ := workload.Exponential(nil, 3, 1, workload.Stream(7, workload.JobSizes, 0))
	again, _ := workload.Poisson(nil, 3, 1, workload.Stream(7, workload.Arrivals, 0))
	fmt.Printf("%.3f\n%.3f\n%.3f\n", arrivals, sizes, again)
	// Output:
	// [2.493 3.752 3.986]
	// [1.376 1.143 0.008]
	// [2.493 3.752 3.986]
}

func ExamplePoisson() {
	times, err := workload.Poisson(nil, 4, 2, workload.Stream(1, workload.Arrivals, 0)) // two arrivals a second
	fmt.Printf("%.2f %v\n", times, err)
	// Output:
	// [0.50 0.72 1.38 1.43] <nil>
}

// A workload of the PSBS paper: Weibull sizes of mean 1, exponential gaps, load exactly 0.9.
func ExampleStretch() {
	const n, shape, load = 10_000, 0.25, 0.9
	scale, _ := workload.WeibullScale(shape, 1)
	sizes, _ := workload.Weibull(nil, n, shape, scale, workload.Stream(1, workload.JobSizes, 0))
	arrivals, _ := workload.Poisson(nil, n, load, workload.Stream(1, workload.Arrivals, 0))
	drawn := sum(sizes) / arrivals[n-1]
	arrivals, err := workload.Stretch(arrivals[:0], arrivals, sizes, load)
	fmt.Printf("load %.3f as drawn, %.3f stretched, %v\n", drawn, sum(sizes)/arrivals[n-1], err)
	// Output:
	// load 0.867 as drawn, 0.900 stretched, <nil>
}

func sum(xs []float64) float64 {
	s := 0.0
	for _, x := range xs {
		s += x
	}
	return s
}

func ExampleExponential() {
	sizes, err := workload.Exponential(nil, 3, 10, workload.Stream(1, workload.JobSizes, 0))
	fmt.Printf("%.2f %v\n", sizes, err)
	// Output:
	// [29.20 0.54 0.97] <nil>
}

func ExampleWeibull() {
	sizes, err := workload.Weibull(nil, 3, 0.5, 10, workload.Stream(1, workload.JobSizes, 0))
	fmt.Printf("%.2f %v\n", sizes, err)
	// Output:
	// [85.27 0.03 0.09] <nil>
}

func ExampleWeibullScale() {
	scale, err := workload.WeibullScale(0.5, 10) // mean = scale * Gamma(3) = 2 scale
	fmt.Printf("%.3f %v\n", scale, err)
	// Output: 5.000 <nil>
}

func ExamplePareto() {
	sizes, err := workload.Pareto(nil, 3, 1.5, 10, workload.Stream(1, workload.JobSizes, 0))
	fmt.Printf("%.2f %v\n", sizes, err)
	// Output:
	// [70.06 10.37 10.67] <nil>
}

func ExampleBoundedPareto() {
	sizes, err := workload.BoundedPareto(nil, 3, 1.5, 10, 20, workload.Stream(1, workload.JobSizes, 0))
	fmt.Printf("%.2f %v\n", sizes, err)
	// Output:
	// [18.78 10.23 10.42] <nil>
}

func ExampleLogNormal() {
	ratios, err := workload.LogNormal(nil, 3, 0, 0.5, workload.Stream(1, workload.Errors, 0))
	fmt.Printf("%.2f %v\n", ratios, err)
	// Output:
	// [0.86 0.79 1.87] <nil>
}

func ExampleZipfProbabilities() {
	p, err := workload.ZipfProbabilities(nil, 4, 1) // 1, 1/2, 1/3, 1/4 over 25/12
	fmt.Printf("%.2f %v\n", p, err)
	// Output: [0.48 0.24 0.16 0.12] <nil>
}

func ExampleZipf() {
	files, err := workload.NewZipf(1000, 0.8)
	if err != nil {
		fmt.Println(err)
		return
	}
	ranks, err := files.Draw(nil, 8, workload.Stream(1, workload.Placement, 0))
	fmt.Println(ranks, err)
	// Output:
	// [20 1 415 289 37 2 38 10] <nil>
}

func ExampleSyntheticFB2010() {
	jobs, err := workload.SyntheticFB2010(workload.Stream(1, workload.Trace, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	sizes, err := workload.Sizes(nil, jobs, 4, 0.9)
	if err != nil {
		fmt.Println(err)
		return
	}
	var file bytes.Buffer
	err = workload.WriteSWIM(&file, jobs)
	last := jobs[len(jobs)-1]
	fmt.Printf("%d jobs in %v s, %.0f s of work, %d bytes as a file, %v\n", len(jobs), last.Submit, sum(sizes), file.Len(), err)
	// Output:
	// 24442 jobs in 86408 s, 77767 s of work, 898402 bytes as a file, <nil>
}

func ExampleOfferedLoad() {
	jobs := []slotmodel.JobSpec{
		{Arrival: 0, Maps: slotmodel.Phase{Tasks: 10, Work: 20}},
		{Arrival: 100, Maps: slotmodel.Phase{Tasks: 5, Work: 20}, Reduces: slotmodel.Phase{Tasks: 1, Work: 50}},
	}
	fmt.Println(workload.OfferedLoad(jobs, 4, 2))
	// Output:
	// 0.75 0.25 <nil>
}

// Nine nodes in three racks hold three copies of each block.
func ExamplePlacer_Place() {
	nodes := make([]slotmodel.NodeSpec, 9)
	for i := range nodes {
		nodes[i] = slotmodel.NodeSpec{Rack: i / 3, Maps: 2, Reduces: 1}
	}
	placer, err := workload.NewPlacer(nodes)
	if err != nil {
		fmt.Println(err)
		return
	}
	job := slotmodel.JobSpec{Maps: slotmodel.Phase{Tasks: 4, Work: 20}, Copies: 3}
	job.Replicas, err = placer.Place(nil, job.Maps.Tasks, job.Copies, workload.Stream(1, workload.Placement, 0))
	fmt.Println(job.Replicas, err)
	// Output:
	// [6 5 3 2 6 8 5 7 6 7 0 2] <nil>
}

func ExampleNewPlacer() {
	_, err := workload.NewPlacer(nil)
	fmt.Println(err)
	// Output:
	// workload.NewPlacer: nodes: has 0 elements, want 1 to 134217728
}

func ExampleExplode() {
	trace := []workload.SWIMJob{
		{ID: "job0", Submit: 9, MapInput: 1762, Output: 14347},
		{ID: "job1", Submit: 18, MapInput: 970, Shuffle: 609, Output: 697},
		{ID: "job2", Submit: 1000, MapInput: 53e9, Shuffle: 1.5e9, Output: 5.7e6},
	}
	jobs, made, err := workload.Explode(nil, trace, workload.ExplodeOptions{MapSlots: 40, ReduceSlots: 20, MapLoad: 0.7, ReduceRate: 10e6}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, j := range jobs {
		fmt.Printf("%d maps of %.2g s, %d reduces of %.2g s\n", j.Maps.Tasks, j.Maps.Work, j.Reduces.Tasks, j.Reduces.Work)
	}
	fmt.Printf("in all %d and %d, at %.3g and %.3g bytes/s\n", made.Maps, made.Reduces, made.MapRate, made.ReduceRate)
	// Output:
	// 1 maps of 0.0085 s, 0 reduces of 0 s
	// 1 maps of 0.00051 s, 1 reduces of 0.00013 s
	// 395 maps of 71 s, 2 reduces of 75 s
	// in all 397 and 3, at 1.89e+06 and 1e+07 bytes/s
}

// Two policies on the same 20 draws of 200 jobs.
func ExamplePaired() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 4}}}
	var fifo, srpt []float64 // mean sojourn time of each seed, s
	for seed := range uint64(20) {
		arrivals, err := workload.Poisson(nil, 200, 0.03, workload.Stream(seed, workload.Arrivals, 0)) // a load of .75
		if err != nil {
			log.Fatal(err)
		}
		work, err := workload.Exponential(nil, 200, 25, workload.Stream(seed, workload.JobSizes, 0)) // s, of each of a job's four tasks
		if err != nil {
			log.Fatal(err)
		}
		jobs := make([]slotmodel.JobSpec, 200)
		for i := range jobs {
			jobs[i] = slotmodel.JobSpec{Arrival: arrivals[i], Maps: slotmodel.Phase{Tasks: 4, Work: work[i]}}
		}
		for _, run := range []struct {
			policy slotmodel.Policy
			means  *[]float64
		}{{policy.FIFO{}, &fifo}, {new(policy.SRPT), &srpt}} {
			result, err := slotmodel.Run(cluster, jobs, run.policy, slotmodel.Options{})
			if err != nil {
				log.Fatal(err)
			}
			*run.means = append(*run.means, stat.Mean(result.Sojourns(nil), nil))
		}
	}
	d, err := workload.Paired(fifo, srpt, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("FIFO's mean sojourn time is %.0f s longer than SRPT's, between %.0f and %.0f s at 95%%\n", d.Mean, d.Low, d.High)
	// Output:
	// FIFO's mean sojourn time is 46 s longer than SRPT's, between 18 and 73 s at 95%
}

// Jobs without users get 3 of them, the first of which submits most.
func ExampleStream_users() {
	jobs := []slotmodel.JobSpec{{Arrival: 0}, {Arrival: 5}, {Arrival: 6}, {Arrival: 9}}
	zipf, err := workload.NewZipf(3, 1)
	if err != nil {
		log.Fatal(err)
	}
	users, err := zipf.Draw(nil, len(jobs), workload.Stream(1, workload.Users, 0))
	if err != nil {
		log.Fatal(err)
	}
	for i := range jobs {
		jobs[i].User = users[i]
	}
	fmt.Println(users)
	// Output:
	// [1 0 0 2]
}
