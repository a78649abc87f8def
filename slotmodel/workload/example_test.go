package workload_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/schedmath/schedmath"
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

func ExampleSWIMReader_Read() {
	r := workload.NewSWIMReader(strings.NewReader("job0\t9\t9\t1762\t0\t14347\n"))
	for {
		job, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(job.ID, job.Submit, job.MapInput)
	}
	// Output: job0 9 1762
}

// Broken lines may be skipped; an error that is no ParseError about a line ends the sequence.
func ExampleSWIMReader_All() {
	trace := "job0\t9\t9\t1762\t0\t14347\nhello\njob1\t18\t9\t970\t609\t697\n"
	for job, err := range workload.NewSWIMReader(strings.NewReader(trace)).All() {
		if err != nil {
			fmt.Println("skipped:", err)
			continue
		}
		fmt.Println(job.ID)
	}
	// Output:
	// job0
	// skipped: workload: line 2, column 6: line ends after field 1 of 6
	// job1
}

func ExampleSWIMWriter() {
	w := workload.NewSWIMWriter(os.Stdout)
	err := errors.Join(
		w.Write(workload.SWIMJob{ID: "a", Submit: 1.5, Gap: 1.5, MapInput: 1e9}),
		w.Write(workload.SWIMJob{ID: "b", Submit: 2, Gap: 0.5, Shuffle: 7, InputPath: "/in"}),
		w.Flush(),
	)
	fmt.Println(err)
	// Output:
	// a	1.5	1.5	1000000000	0	0
	// b	2	0.5	0	7	0	/in
	// <nil>
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
	w := workload.NewSWIMWriter(&file)
	for _, j := range jobs {
		if err := w.Write(j); err != nil {
			fmt.Println(err)
			return
		}
	}
	err = w.Flush()
	last := jobs[len(jobs)-1]
	fmt.Printf("%d jobs in %v s, %.0f s of work, %d bytes as a file, %v\n", len(jobs), last.Submit, sum(sizes), file.Len(), err)
	// Output:
	// 24442 jobs in 86408 s, 77767 s of work, 898402 bytes as a file, <nil>
}
