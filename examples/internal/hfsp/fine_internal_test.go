package hfsp

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report/reporttest"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// imaginedFine has differences that fall like a power of the number of tasks, a little differently
// by seed.
func imaginedFine(from, power float64) *fine {
	x := new(fine)
	for _, n := range finePieces {
		y := from * math.Pow(float64(n), power)
		x.mean = append(x.mean, []float64{y, y * 1.001, y * 1.002})
	}
	return x
}

func TestFineClaimsCanFail(t *testing.T) {
	reporttest.CanFail(t, imaginedFine(1, -1).claims(), imaginedFine(2, 0.1).claims())
	if slow := imaginedFine(0.1, -0.5).claims(); slow[1].Holds || !slow[0].Holds {
		t.Errorf("differences that fall like a root: falling %v, like a task %v, want true and false", slow[0].Holds, slow[1].Holds)
	}
}

func TestSlopes(t *testing.T) {
	for _, power := range []float64{-1, -0.5, 0, 2} {
		for _, got := range slopes(imaginedFine(3, power).mean) {
			if math.Abs(got-power) > 1e-12 { // sums of six logarithms of some units
				t.Errorf("slopes of a power of %v = %v", power, got)
			}
		}
	}
}

// One job alone, and two by hand: on 4 slots a job of size 40 at 0 and one of size 4 at 2.5, in 8
// tasks of 5 s and of 0.5 s. Fluid FSP serves the second at once, HFSP when the first tasks end.
func TestPlayFine(t *testing.T) {
	jobs := []fluid.Job{{Arrival: 0, Size: 40, Estimate: 40}, {Arrival: 2.5, Size: 4, Estimate: 4}}
	ideal, err := fluid.Run(fineSlots, jobs, fluid.FSP{}, fluid.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{11, 3.5}; !slices.Equal(ideal.Finish, want) {
		t.Errorf("fluid FSP finishes them at %v, want %v", ideal.Finish, want)
	}
	finish, err := playFine(jobs, 2)
	if want := []float64{11, 6}; err != nil || !slices.Equal(finish, want) {
		t.Errorf("playFine(%v, 2) = %v, %v, want %v", jobs, finish, err, want)
	}
	if _, longest := cut(jobs, 2); longest != 5 {
		t.Errorf("the longest task is %v, want 5", longest)
	}
	finish, err = playFine(jobs[:1], 1)
	if want := []float64{10}; err != nil || !slices.Equal(finish, want) {
		t.Errorf("playFine(%v, 1) = %v, %v, want %v", jobs[:1], finish, err, want)
	}
}
