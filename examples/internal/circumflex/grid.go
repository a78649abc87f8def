package circumflex

import (
	"runtime/debug"
	"slices"

	"github.com/schedmath/schedmath/internal/program"
)

// A trial is a point under settings.
type trial struct {
	point
	settings
}

// A cell is what one trial gave. Slices are by repetition; the metric is the one that was
// optimised.
type cell struct {
	trial
	ratio    [metrics][schemes][]float64 // value over FLEX's
	value    [metrics][schemes][]float64
	work     [metrics][schemes][]float64 // work over FLEX's
	capacity [schemes][]float64          // work over what the cluster can do in span minutes; this and all below for the first metric
	end      [schemes][]float64          // when the last scan is done, minutes
	subjobs  [][datasets]int             // CIRCUMFLEX: the most of each dataset at a time
	largest  [][datasets]int             // BATCH: the largest batch of each dataset
}

// runs says whether a scheme is played: FLEX's queue grows without limit at loads beyond flexLoad.
func (t *trial) runs(k scheme) bool {
	if k != flex {
		return !t.fifo
	}
	return t.load <= flexLoad
}

// allPoints are the 225 settings, theta1 slowest and the correlation fastest.
func allPoints() []point {
	var list []point
	for t1 := range steps {
		for t2 := range steps {
			for c := range relations {
				list = append(list, point{t1, t2, c})
			}
		}
	}
	return list
}

// quickPoints are the corners of the grid, with perfectly negative, no and perfectly positive
// correlation in turn, and with all when both laws are steepest.
func quickPoints() []point {
	return slices.DeleteFunc(allPoints(), func(p point) bool {
		return p.theta1%(steps-1) != 0 || p.theta2%(steps-1) != 0 || p.relation != 4*((p.theta1+p.theta2)%3) && (p.theta1 < steps-1 || p.theta2 < steps-1)
	})
}

// under returns the points under the same settings.
func under(o settings, points ...point) []trial {
	var list []trial
	for _, p := range points {
		list = append(list, trial{p, o})
	}
	return list
}

// simulate plays every trial n times under every scheme, for each of the metrics, on the
// repetitions that judge.
func simulate(trials []trial, seed uint64, n int, ms []metric, bar *program.Progress) ([]cell, error) {
	cells := make([]cell, len(trials))
	for i := range cells {
		c := &cells[i]
		c.trial = trials[i]
		c.subjobs, c.largest = make([][datasets]int, n), make([][datasets]int, n)
		for k := range schemes {
			if !c.runs(k) {
				continue
			}
			c.capacity[k], c.end[k] = make([]float64, n), make([]float64, n)
			for _, m := range ms {
				c.ratio[m][k], c.value[m][k], c.work[m][k] = make([]float64, n), make([]float64, n), make([]float64, n)
			}
		}
	}
	// A plan leaves half a kilobyte of garbage and nothing that lives: collecting less often
	// saves a tenth of the time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	err := program.Parallel(len(trials)*n, func(r *runner, i int) error {
		defer bar.Add(1)
		return cells[i/n].play(r, seed, i%n, ms)
	})
	return cells, err
}

// play fills in the repetition at a place.
func (c *cell) play(r *runner, seed uint64, place int, ms []metric) error {
	w := newWorkload(c.point, c.settings, seed, judged.At(place))
	var requests [schemes][]request
	for k := range schemes {
		var err error
		if requests[k], err = w.requests(c.settings, k); err != nil {
			return err
		}
	}
	for _, m := range ms {
		var out [schemes]outcome
		for k := range schemes {
			if !c.runs(k) {
				continue
			}
			var err error
			if out[k], err = r.run(&w, requests[k], c.settings, k, m); err != nil {
				return err
			}
			c.value[m][k][place] = out[k].value
			c.ratio[m][k][place] = out[k].value / out[flex].value
			c.work[m][k][place] = out[k].work / out[flex].work
			if m == ms[0] {
				c.capacity[k][place], c.end[k][place] = out[k].work/float64(span*c.settings.slots), out[k].end
			}
		}
		if m == ms[0] {
			c.subjobs[place], c.largest[place] = out[circumflex].subjobs, out[batch].largest
		}
	}
	return nil
}
