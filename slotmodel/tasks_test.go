package slotmodel_test

import (
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// Reduces may start as soon as the fraction of the maps has ended, for all hundredths, though
// 0.07*100 is a little more than 7.
func TestSlowstartHundredths(t *testing.T) {
	for percent := range 101 {
		for _, maps := range []int{100, 300} {
			ready := -1.0
			jobs := []slotmodel.JobSpec{{Maps: tasks(maps, 1), Reduces: tasks(1, 1), Slowstart: float64(percent) / 100}}
			mustRun(t, one(1, 1), jobs, fifo, slotmodel.Options{Log: func(e slotmodel.Event) {
				if e.Type == slotmodel.Ready && e.Kind == reduce {
					ready = e.Time
				}
			}})
			if want := float64(percent * maps / 100); ready != want {
				t.Errorf("Slowstart %v of %d maps of 1 s: reduces are ready at %v, want %v", jobs[0].Slowstart, maps, ready, want)
			}
		}
	}
}
