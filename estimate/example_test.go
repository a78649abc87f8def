package estimate_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/schedmath/schedmath/estimate"
)

// A job of 40 tasks arrives where past tasks took 12 s; a cautious scheduler doubles the guess.
func ExampleInitialSize() {
	trusting, _ := estimate.InitialSize(40, 12, 1)
	cautious, _ := estimate.InitialSize(40, 12, 2)
	fmt.Println(trusting, cautious)
	// Output: 480 960
}

// Five sample tasks of 100 have run.
func ExamplePhaseSize() {
	size, err := estimate.PhaseSize([]float64{8, 10, 9, 11, 12}, 100)
	fmt.Println(size, err)
	// Output: 1000 <nil>
}

// After 10 s a REDUCE task has read a quarter of its input.
func ExampleExtrapolate() {
	total, err := estimate.Extrapolate(10, 0.25)
	fmt.Println(total, err)
	// Output: 40 <nil>
}

// The sample that pulled three times the data counts three times: (3*20 + 10) / 4 for each of 8
// tasks.
func ExampleShuffleSize() {
	size, err := estimate.ShuffleSize([]float64{20, 10}, []float64{300e6, 100e6}, 8)
	fmt.Println(size, err)
	// Output: 140 <nil>
}

// A REDUCE phase of 8 tasks: one sample has finished executing, the other was extrapolated.
func ExampleReduceSize() {
	shuffle, _ := estimate.ShuffleSize([]float64{20, 10}, []float64{300e6, 100e6}, 8)
	slow, _ := estimate.Extrapolate(10, 0.25)
	execution, _ := estimate.PhaseSize([]float64{6, slow}, 8)
	size, err := estimate.ReduceSize(shuffle, execution)
	fmt.Println(size, err)
	// Output: 324 <nil>
}

// A scheduler's loop: on a free slot, a sample task if one may run, else whatever it would run
// anyway.
func ExampleTrainer() {
	trainer, _ := estimate.NewTrainer[string](4, estimate.TrainerOptions{Samples: 2, Limit: 0.5})
	_ = trainer.Observe(10) // run times of earlier tasks
	_ = trainer.Observe(14)
	_ = trainer.Add("report", 300)
	_ = trainer.Add("query", 2)
	past, _ := trainer.MeanTask()
	fmt.Println(estimate.InitialSize(300, past, 1)) // what report is taken for until its samples have run
	for range 2 {
		job, _ := trainer.Next()
		number, _ := trainer.Started(job)
		fmt.Println(job, number)
	}
	_, busy := trainer.Next() // half of the slots run samples
	_ = trainer.Finished("query", 0, 8)
	_ = trainer.Finished("query", 1, 10)
	fmt.Println(busy)
	fmt.Println(trainer.Size("query"))
	fmt.Println(trainer.Next())
	// Output:
	// 3600 <nil>
	// query 0
	// query 1
	// false
	// 18 true
	// report true
}

func ExampleNewTrainer() {
	// HFSP's settings: 5 samples, on any of the slots.
	trainer, err := estimate.NewTrainer[int](72, estimate.TrainerOptions{})
	fmt.Println(trainer.Room(), err)
	_, err = estimate.NewTrainer[int](-1, estimate.TrainerOptions{})
	fmt.Println(err)
	// Output:
	// 72 <nil>
	// estimate.NewTrainer: slots: -1, want >= 0
}

func ExampleTrainer_Next() {
	trainer, _ := estimate.NewTrainer[string](1, estimate.TrainerOptions{})
	_ = trainer.Add("large", 900)
	_ = trainer.Add("small", 3)
	fmt.Println(trainer.Next())
	_, _ = trainer.Started("small")
	_, ok := trainer.Next()
	fmt.Println(ok, trainer.Running(), trainer.Room())
	// Output:
	// small true
	// false 1 0
}

func ExampleTrainer_Started() {
	trainer, _ := estimate.NewTrainer[string](9, estimate.TrainerOptions{})
	_ = trainer.Add("job", 1)
	fmt.Println(trainer.Started("job"))
	_, err := trainer.Started("job")
	fmt.Println(err)
	// Output:
	// 0 <nil>
	// estimate.Trainer.Started: key: job has no sample waiting
}

// A sample that is still running at the timeout yields an estimate, and its true run time later.
func ExampleTrainer_Extrapolated() {
	trainer, _ := estimate.NewTrainer[string](9, estimate.TrainerOptions{Samples: 1})
	_ = trainer.Add("reduce", 20)
	number, _ := trainer.Started("reduce")
	time, _ := estimate.Extrapolate(10, 0.25)
	_ = trainer.Extrapolated("reduce", number, time)
	fmt.Println(trainer.Size("reduce"))
	_ = trainer.Finished("reduce", number, 36)
	fmt.Println(trainer.Size("reduce"))
	// Output:
	// 800 true
	// 720 true
}

func ExampleTrainer_Finished() {
	trainer, _ := estimate.NewTrainer[string](9, estimate.TrainerOptions{})
	_ = trainer.Add("job", 1)
	number, _ := trainer.Started("job")
	fmt.Println(trainer.Done("job"))
	_ = trainer.Finished("job", number, 7)
	fmt.Println(trainer.Done("job"))
	fmt.Println(trainer.Size("job"))
	// Output:
	// false
	// true
	// 7 true
}

func ExampleTrainer_Failed() {
	trainer, _ := estimate.NewTrainer[string](9, estimate.TrainerOptions{})
	_ = trainer.Add("job", 1)
	number, _ := trainer.Started("job")
	_, waiting := trainer.Next()
	_ = trainer.Failed("job", number)
	key, again := trainer.Next()
	fmt.Println(waiting, key, again)
	// Output: false job true
}

func ExampleTrainer_Job() {
	trainer, _ := estimate.NewTrainer[string](9, estimate.TrainerOptions{})
	_ = trainer.Add("job", 40)
	_, _ = trainer.Started("job")
	state, ok := trainer.Job("job")
	fmt.Printf("%+v %v, %d in training\n", state, ok, trainer.Len())
	// Output: {Tasks:40 Samples:5 Waiting:4 Running:1 Extrapolated:0 Finished:0} true, 1 in training
}

// An estimator of one's own: the median of the samples.
func ExampleTrainer_Durations() {
	trainer, _ := estimate.NewTrainer[string](9, estimate.TrainerOptions{Samples: 3})
	_ = trainer.Add("job", 40)
	for _, time := range []float64{5, 4, 90} {
		number, _ := trainer.Started("job")
		_ = trainer.Finished("job", number, time)
	}
	fmt.Println(trainer.Durations(nil, "job"))
	// Output: [5 4 90]
}

func ExampleTrainer_MeanTask() {
	trainer, _ := estimate.NewTrainer[string](9, estimate.TrainerOptions{})
	fmt.Println(trainer.MeanTask())
	_ = trainer.Observe(4)
	_ = trainer.Observe(8)
	fmt.Println(trainer.MeanTask())
	// Output:
	// 0 false
	// 6 true
}

func ExampleTrainer_SetCapacity() {
	trainer, _ := estimate.NewTrainer[string](10, estimate.TrainerOptions{Limit: 0.5})
	fmt.Println(trainer.Room())
	_ = trainer.SetCapacity(6) // nodes are lost
	fmt.Println(trainer.Room())
	// Output:
	// 5
	// 3
}

func ExampleTrainer_Remove() {
	trainer, _ := estimate.NewTrainer[string](1, estimate.TrainerOptions{})
	_ = trainer.Add("job", 40)
	_, _ = trainer.Started("job")
	fmt.Println(trainer.Remove("job"), trainer.Remove("job"), trainer.Running())
	// Output: true false 0
}

// State that survives a restart.
func ExampleRestoreTrainer() {
	trainer, _ := estimate.NewTrainer[string](8, estimate.TrainerOptions{})
	_ = trainer.Add("job", 1)
	number, _ := trainer.Started("job")
	text, _ := json.Marshal(trainer.Snapshot())
	fmt.Println(string(text))

	var snapshot estimate.TrainerSnapshot[string]
	_ = json.Unmarshal(text, &snapshot)
	restored, err := estimate.RestoreTrainer(snapshot)
	fmt.Println(err, restored.Finished("job", number, 3))
	fmt.Println(restored.Size("job"))
	// Output:
	// {"version":1,"samples":5,"limit":1,"slots":8,"past":{"count":0,"hi":0,"lo":0},"jobs":[{"key":"job","tasks":1,"samples":[{"state":"running","duration":0}]}]}
	// <nil> <nil>
	// 3 true
}

// Estimated size over true size, of nine jobs.
var ratios = []float64{0.62, 0.81, 0.93, 1.01, 1.05, 1.12, 1.33, 1.58, 2.07}

func ExampleFitLogNormal() {
	fit, err := estimate.FitLogNormal(ratios)
	fmt.Printf("mu %.4f, sigma %.4f, %v\n", fit.Mu, fit.Sigma, err)
	// Output: mu 0.0979, sigma 0.3378, <nil>
}

// Does HFSP's published error model hold here as well? It was known before these ratios were:
// the plain test is right.
func ExampleLogNormal_KS() {
	published := estimate.LogNormal{Mu: 0.0976, Sigma: 0.411}
	d, p, err := published.KS(ratios)
	fmt.Printf("d %.4f, p %.2f, %v\n", d, p, err)
	// Output: d 0.1514, p 0.97, <nil>
}

// Is the error log-normal at all? The fit saw the ratios: its p-value takes simulation.
func ExampleFitKS() {
	fit, d, p, err := estimate.FitKS(ratios, 999, rand.NewPCG(1, 2))
	fmt.Printf("mu %.4f, d %.4f, p %.3f, %v\n", fit.Mu, d, p, err)
	_, plain, _ := fit.KS(ratios)
	fmt.Printf("the plain test flatters: p %.2f\n", plain)
	// Output:
	// mu 0.0979, d 0.1484, p 0.849, <nil>
	// the plain test flatters: p 0.97
}
