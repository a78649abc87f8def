package slotmodel_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
)

// Half speed while both slots are held: by hand.
func TestSpeedByHand(t *testing.T) {
	c := one(2, 1)
	var loads []string
	c.Speed = func(l slotmodel.Load) float64 {
		loads = append(loads, fmt.Sprint(l))
		return 1 / float64(max(1, l.Running[mapK]))
	}
	var log []string
	jobs := []slotmodel.JobSpec{{Maps: tasks(1, 10), Reduces: tasks(1, 3), Slowstart: 1}, {Arrival: 2, Maps: tasks(1, 4)}}
	res := mustRun(t, c, jobs, fifo, slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Type == slotmodel.Ended {
			log = append(log, fmt.Sprintf("%v: job %v computed for %v", e.Time, e.Job, e.Value))
		}
	}})
	// Job 0 has 8 left at 2 s, 4 at 10 s, when job 1 is done.
	if want := []string{"10: job 1 computed for 8", "14: job 0 computed for 14", "17: job 0 computed for 3"}; !slices.Equal(log, want) || res.Totals.Work != 17 {
		t.Errorf("log %q, work %v, want %q and 17", log, res.Totals.Work, want)
	}
	if want := []string{"{1 [1 1] [1 0]}", "{2 [2 1] [2 0]}", "{1 [1 1] [1 0]}", "{1 [1 1] [0 1]}"}; !slices.Equal(loads, want) {
		t.Errorf("Speed is asked for %q, want %q", loads, want)
	}
}

// A job killed between two changes has lost what it did at each speed.
func TestSpeedLost(t *testing.T) {
	c := one(2, 0)
	c.Speed = func(l slotmodel.Load) float64 { return 1 / float64(max(1, l.Jobs)) }
	jobs := []slotmodel.JobSpec{{Maps: tasks(1, 10), Cancel: 6}, {Arrival: 2, Maps: tasks(1, 8)}}
	res := mustRun(t, c, jobs, fifo, slotmodel.Options{})
	if got := res.Totals; got.Wasted != 4 || got.Work != 12 || res.Jobs[1].Finish != 12 {
		t.Errorf("wasted %v of %v, job 1 ends at %v, want 4 of 12 and 12", got.Wasted, got.Work, res.Jobs[1].Finish)
	}
}

// A speed of 1 whatever the load gives the log of a run without one.
func TestSpeedOfOne(t *testing.T) {
	for seed := range hashCases() {
		for _, fluid := range []bool{false, true} {
			want, _ := hashOf(t, seed, fluid)
			c, jobs, p := hashCase(seed, fluid)
			c.Speed = func(slotmodel.Load) float64 { return 1 }
			if got := mustRun(t, c, jobs, p, slotmodel.Options{Hash: true}).Hash; got != want {
				t.Errorf("seed %d, fluid %v: hash %#x with a speed of 1, %#x without", seed, fluid, got, want)
			}
		}
	}
}

func TestSpeedOutOfRange(t *testing.T) {
	for _, speed := range []float64{0, -1, math.NaN(), math.Inf(1), 0x1p51, 0x1p-51} {
		c := one(1, 0)
		c.Speed = func(slotmodel.Load) float64 { return speed }
		var bad *schedmath.InputError
		if res, err := slotmodel.Run(c, []slotmodel.JobSpec{{Maps: tasks(1, 1)}}, fifo, slotmodel.Options{}); res != nil || !errors.As(err, &bad) || bad.Arg != "cluster" {
			t.Errorf("a speed of %v gives %v, %v, want no result and an error about the cluster", speed, res, err)
		}
	}
}
