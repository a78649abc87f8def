package estimate_test

import (
	"encoding/json"
	"fmt"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/estimate"
)

// Most of nine past tasks took about a tenth of the CPU.
func ExampleModeOf() {
	cpu := []float64{11, 9, 12, 45, 10, 88, 13, 11, 90}
	mode, err := estimate.ModeOf(cpu, estimate.ModeOptions{Hi: 100})
	fmt.Println(mode, err)
	// Output: 11.4 <nil>
}

// Five tasks on two slots take three waves; on five slots they take as long as the longest.
func ExamplePhaseTime() {
	tasks := []float64{4, 4, 4, 4, 6}
	waves, _ := estimate.PhaseTime(2, tasks)
	together, _ := estimate.PhaseTime(5, tasks)
	fmt.Println(waves, together)
	// Output: 14 6
}

func ExampleProjectedTime() {
	t, err := estimate.ProjectedTime([]float64{2, 3, 2.5}, []float64{1, 4})
	fmt.Println(t, err)
	// Output: 7 <nil>
}

// A job that is to end within 15 s of its arrival arrived 6 s ago and needs 7 s more: it may be
// delayed by 2 s.
func ExampleLaxity() {
	laxity, err := estimate.Laxity(15, 6, 7)
	fmt.Println(laxity, err)
	// Output: 2 <nil>
}

// Jobs 1 and 3 are expected to miss their deadlines, and go last.
func ExampleLaxityOrder() {
	order, err := estimate.LaxityOrder(nil, []float64{2, -1, 0.5, -4})
	fmt.Println(order, err)
	// Output: [2 0 3 1] <nil>
}

// A predictor that knows nothing but the rate of the past runs. Package nearest has one that learns
// from runs alike.
func ExampleRequirements() {
	perByte := func(runs []estimate.Run) estimate.Predict {
		var bytes, time float64
		for _, r := range runs {
			bytes, time = bytes+r.X[0], time+r.Time
		}
		return func(x []float64) estimate.Guess {
			return estimate.Guess{Value: x[0] * time / bytes, Known: bytes > 0}
		}
	}
	q, _ := estimate.NewRequirements(estimate.RequirementOptions[string]{
		Fit:   perByte,
		Prior: func(estimate.Task[string], []float64) estimate.Guess { return estimate.Guess{Value: 60, Known: true} },
	})
	map3 := estimate.Task[string]{Class: "friends", Kind: schedmath.Map, Worker: 3}
	first, _ := q.Estimate(map3, []float64{64})
	fmt.Println(first.Time.Value, first.Runs)
	for i, time := range []float64{16, 14, 15} {
		_ = q.Add(map3, estimate.Run{X: []float64{32, float64(20 + i), 5}, Time: time})
	}
	known, _ := q.Estimate(map3, []float64{64})
	fmt.Println(known.Time.Value, known.P95, known.Runs, known.Worker)
	map3.Worker = 8 // never seen
	other, _ := q.Estimate(map3, []float64{64})
	fmt.Println(other.Time.Value, other.Runs, other.Worker)
	// Output:
	// 60 0
	// 30 16 3 3
	// 30 3 -1
}

// The program of a class has changed.
func ExampleRequirements_Forget() {
	var q estimate.Requirements[string]
	t := estimate.Task[string]{Class: "friends", Kind: schedmath.Reduce, Worker: 3}
	_ = q.Add(t, estimate.Run{Time: 8})
	fmt.Println(q.Forget("friends"), q.Forget("unheard of"))
	answer, _ := q.Estimate(t, nil)
	fmt.Println(answer.Time.Known, answer.Runs)
	// Output:
	// true false
	// false 0
}

// The histories survive a restart as text.
func ExampleRestoreRequirements() {
	var q estimate.Requirements[string]
	t := estimate.Task[string]{Class: "friends", Kind: schedmath.Map, Worker: 0}
	_ = q.Add(t, estimate.Run{X: []float64{1}, Time: 8})
	text, _ := json.Marshal(q.Snapshot())
	var s estimate.RequirementsSnapshot[string]
	_ = json.Unmarshal(text, &s)
	back, err := estimate.RestoreRequirements(s, estimate.RequirementOptions[string]{})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, _ := back.Estimate(t, nil)
	fmt.Println(answer.Time.Value)
	// Output: 8
}
