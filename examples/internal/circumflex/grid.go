package circumflex

import (
	"runtime/debug"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// A cell is what one point gave, over all repetitions.
type cell struct {
	point
	ratio       [metrics][schemes][]float64 // value over FLEX's, by repetition
	value       [metrics][schemes][]float64
	work        [metrics][schemes][]float64 // work over FLEX's
	concurrency []float64                   // when the average response time is optimised
	crowd       []float64
	largest     [][datasets]int
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

// quickPoints have no, and perfect, correlation; and all when both laws are steepest.
func quickPoints() []point {
	var list []point
	for _, p := range allPoints() {
		if p.relation%4 == 0 || p.theta1 == steps-1 && p.theta2 == steps-1 {
			list = append(list, p)
		}
	}
	return list
}

// simulate plays every point n times under every scheme, for each of the metrics.
func simulate(points []point, o settings, seed uint64, n int, ms []metric, bar *report.Progress) ([]cell, error) {
	cells := make([]cell, len(points))
	for k := range cells {
		c := &cells[k]
		c.point = points[k]
		c.concurrency, c.crowd, c.largest = make([]float64, n), make([]float64, n), make([][datasets]int, n)
		for _, m := range ms {
			for s := range schemes {
				c.ratio[m][s], c.value[m][s], c.work[m][s] = make([]float64, n), make([]float64, n), make([]float64, n)
			}
		}
	}
	// A plan leaves half a kilobyte of garbage and nothing that lives: collecting less often saves a tenth of the time.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	err := parallel(len(points)*n, func(r *runner, i int) error {
		c, repetition := &cells[i/n], i%n
		w := newWorkload(c.point, o, seed, repetition)
		var requests [schemes][]request
		for s := range schemes {
			var err error
			if requests[s], err = w.requests(o, s); err != nil {
				return err
			}
		}
		for _, m := range ms {
			var out [schemes]outcome
			for s := range schemes {
				var err error
				if out[s], err = r.run(&w, requests[s], o, s, m); err != nil {
					return err
				}
				c.value[m][s][repetition] = out[s].value
				c.ratio[m][s][repetition] = out[s].value / out[flex].value
				c.work[m][s][repetition] = out[s].work / out[flex].work
			}
			if m == ms[0] {
				c.concurrency[repetition], c.crowd[repetition] = out[circumflex].concurrency, out[circumflex].crowd
				c.largest[repetition] = out[batch].largest
			}
		}
		bar.Add(1)
		return nil
	})
	return cells, err
}
