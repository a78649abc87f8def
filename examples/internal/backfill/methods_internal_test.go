package backfill

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/batch"
)

// waited is an observer of waits of 1, 2, ... n, each behind as much work.
func waited(n int) *observer {
	o := &observer{log: &Log{Processors: 1}}
	for i := range n {
		wait := float64(i + 1)
		o.learn(past{wait, [3]float64{2 * math.Log1p(wait), 0, math.Log1p(5)}})
	}
	return o
}

// TestBaselines: of the waits 1 to 400 the mean of the last hundred is 350.5. A wait below the bound
// of a rank is one of k, where fewer than k of 400 coins of that rank fall heads with 95%; of 59 the
// greatest bounds the rank .95, of 93 the second. Nearest to 200 of work are 185 to 215 but for
// one end. By requests a job starts behind what runs and waits.
func TestBaselines(t *testing.T) {
	o := waited(400)
	i := &batch.Instant{Now: 10, Running: []backfill.Running{{Need: []int64{1}, End: 160}}, Queue: []backfill.Job{{Need: []int64{1}, Time: 50}, {Need: []int64{1}, Time: 5}}}
	if q, err := o.average(i); err != nil || q[0] != 350.5 || q[last] != 350.5 {
		t.Errorf("average = %v, %v, want 350.5", q, err)
	}
	if q, err := o.byRequests(i); err != nil || q[0] != 200 || q[last] != 200 {
		t.Errorf("byRequests = %v, %v, want 200", q, err)
	}
	if q, err := o.nearest(i); err != nil || q[0] < 185 || q[median] < 199 || q[median] > 201 || q[last] > 216 {
		t.Errorf("nearest = %v, %v, want 200 in the middle of 30", q, err)
	}
	q, err := o.bmbp(i)
	if err != nil {
		t.Fatal(err)
	}
	for k, p := range ranks[:5] { // of the others (1-p)^400 is 0
		heads, term, want := 0., math.Pow(1-p, 400), 0.
		for heads < .95 { // P(Binomial(400, p) < want)
			heads += term
			term *= (400 - want) / (want + 1) * p / (1 - p)
			want++
		}
		if q[k] != want {
			t.Errorf("bmbp at the rank %v = %v, want %v", p, q[k], want)
		}
	}
	for n, want := range map[int]float64{58: 58, 59: 59, 92: 92, 93: 92} {
		if q, err := waited(n).bmbp(i); err != nil || q[last] != want {
			t.Errorf("bmbp of %d waits = %v, %v, want %v at the rank .95", n, q, err, want)
		}
	}
}

// TestJudge: of two waits of an hour one lies within; the loss of a quantile an hour too low is its
// rank, too high what is left of 1.
func TestJudge(t *testing.T) {
	var low, around quantiles
	for k := range around {
		around[k] = hour
	}
	around[0], around[last] = 0, 2*hour
	s := judge([]said{{moved: low, wait: hour}, {moved: around, wait: hour}})
	sum := 0.
	for _, p := range ranks {
		sum += p
	}
	first, second := sum/float64(len(ranks)), (.05+.05)/float64(len(ranks))
	if s.jobs != 2 || s.cover != .5 || s.width != 1 || math.Abs(s.pinball-(first+second)/2) > 1e-12 || math.Abs(s.trimmed-second) > 1e-12 {
		t.Errorf("judge = %+v, want half within, a median width of 1 h, a loss of %v and %v", s, (first+second)/2, second)
	}
	v := verdictOn([]said{{week: 2, moved: around, wait: hour}, {week: 4, moved: low, wait: hour}})
	if len(v.weeks) != 5 || v.weeks[2].cover != 1 || v.weeks[3].jobs != 0 || v.weeks[4].cover != 0 || v.quarters[1].jobs != 1 || v.quarters[1].cover != 0 {
		t.Errorf("verdictOn = %+v, want the third week within and the fifth not, as the lower forecast", v)
	}
}
