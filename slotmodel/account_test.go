package slotmodel_test

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

// Sojourns are those of the jobs that have finished; a cancelled job has one of its own.
func TestSojourns(t *testing.T) {
	jobs := []slotmodel.JobSpec{{Arrival: 1, Maps: tasks(1, 4)}, {Arrival: 2, Maps: tasks(1, 1)}, {Maps: tasks(1, 9), Cancel: 5}, {Arrival: 8, Maps: tasks(1, 1)}}
	r := mustRun(t, one(5, 0), jobs, fifo, slotmodel.Options{Until: 8.5})
	if got := r.Sojourns([]float64{7}); !slices.Equal(got, []float64{7, 4, 1}) {
		t.Errorf("Sojourns = %v, want 4 and 1 behind the 7", got)
	}
	if s, ok := r.Jobs[2].Sojourn(); !ok || s != 5 {
		t.Errorf("sojourn of the cancelled job = %v, %t, want 5", s, ok)
	}
	if s, ok := r.Jobs[3].Sojourn(); ok || s != 0 {
		t.Errorf("sojourn of a job under way = %v, %t, want none", s, ok)
	}
}

// What users are entitled to does not depend on how far apart their weights are.
func TestEntitledOfUnequalWeights(t *testing.T) {
	for _, w := range [][]float64{{0x1p-200, 1}, {1e-16, 1}, {1e-12, 1}, {1, 1e-17}, {1, 1}, {3, 1}, {0x1p200, 0x1p200}} {
		share := w[0] / 2 / (w[0]/2 + w[1]/2) // halves, lest the sum overflow
		for name, c := range map[string]struct{ arrival, work, want0, want1 float64 }{
			"one after the other": {5, 10.3, 5, 10.3},
			"together":            {0, 10, 5 * share, 5*(1-share) + 5},
		} {
			jobs := []slotmodel.JobSpec{{Maps: tasks(1, 5)}, {User: 1, Arrival: c.arrival, Maps: tasks(1, c.work)}}
			res := mustRun(t, one(2, 0), jobs, fifo, slotmodel.Options{Entitlements: w, Period: 1})
			a, b := res.Users[0].Entitled, res.Users[1].Entitled
			if !(math.Abs(a-c.want0) <= 1e-14*res.End) || !(math.Abs(b-c.want1) <= 1e-14*res.End) {
				t.Errorf("weights %v, %s: entitled to %v and %v s, want %v and %v", w, name, a, b, c.want0, c.want1)
			}
			for _, r := range res.Series {
				for u, x := range r.Users {
					if !(x.Entitled >= 0 && x.Entitled <= 1+1e-12) {
						t.Errorf("weights %v, %s: at %v user %d is entitled to %v of the cluster", w, name, r.Time, u, x.Entitled)
					}
				}
			}
		}
	}
}
