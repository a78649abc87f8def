package aging_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
)

// batch is what the batch functions say about one instance.
type batch struct {
	share, finish    []float64
	aged             []aging.Job
	byWork, byFinish []int
}

// behind returns what a call appends to a list of one element, which must still be the first.
func behind[E comparable](t rapid.TB, first E) func(list []E, err error) []E {
	return func(list []E, err error) []E {
		t.Helper()
		must(t, err)
		if list[0] != first {
			t.Fatal(fmt.Sprintf("%v, want it appended to [%v]", list, first))
		}
		return list[1:]
	}
}

func answers(t rapid.TB, capacity, elapsed float64, jobs []aging.Job) (b batch) {
	t.Helper()
	given, seven, eight := slices.Clone(jobs), []float64{7}, aging.Job{Work: 8}
	b.share = behind(t, 7.)(aging.MaxMin(seven, capacity, jobs))
	b.finish = behind(t, 7.)(aging.Finish(seven, capacity, jobs))
	b.aged = behind(t, eight)(aging.Age([]aging.Job{eight}, capacity, elapsed, jobs))
	b.byWork = behind(t, 7)(aging.Order([]int{7}, capacity, jobs, aging.ByWork))
	b.byFinish = behind(t, 7)(aging.Order([]int{7}, capacity, jobs, aging.ByFinish))
	if !slices.Equal(jobs, given) {
		t.Fatal(fmt.Sprintf("jobs are %v after the calls, were %v", jobs, given))
	}
	return b
}

func TestAgeRational(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	f := exactaging.Rat{}
	for range 2000 {
		_, capacity, jobs := randomJobs(rng, 10)
		o := exactSystem(capacity, jobs)
		elapsed, ends := rng.Float64(), o.Finishes()
		if len(ends) > 0 {
			elapsed *= 2 * f.Float64(ends[rng.IntN(len(ends))].At)
		}
		got, err := aging.Age(nil, capacity, elapsed, jobs)
		if err != nil || len(got) != len(jobs) {
			t.Fatalf("Age(nil, %v, %v, %v) = %v, %v", capacity, elapsed, jobs, got, err)
		}
		o.Advance(elapsed)
		for i, j := range jobs {
			left, _ := o.Left(i)
			if want := f.Float64(left); !(math.Abs(got[i].Work-want) <= batchError*j.Work) || got[i].Slots != j.Slots || got[i].Weight != j.Weight {
				t.Fatalf("Age(nil, %v, %v, %v)[%d] = %v, want work %v", capacity, elapsed, jobs, i, got[i], want)
			}
		}
		passed := f.Of(elapsed)
		for _, v := range ends {
			if capacity == 0 {
				break
			}
			if left := got[v.Key].Work; left > 0 && v.Past.Cmp(passed) < 0 || left == 0 && passed.Cmp(v.Near) < 0 {
				t.Fatalf("Age(nil, %v, %v, %v)[%d] = %v, want no work after its finish alone", capacity, elapsed, jobs, v.Key, left)
			}
		}
	}
}

// TestFinishRational also checks Order: two jobs may stand in another order only where the oracle's
// finishes, each with the time that batchError of the work takes, meet.
func TestFinishRational(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	f := exactaging.Rat{}
	for range 2000 {
		_, capacity, jobs := randomJobs(rng, 10)
		ends, err := aging.Finish(nil, capacity, jobs)
		if err != nil || len(ends) != len(jobs) {
			t.Fatalf("Finish(nil, %v, %v) = %v, %v", capacity, jobs, ends, err)
		}
		at := make([]float64, len(jobs)) // the oracle's order, as times
		allowed := make([]float64, len(jobs))
		for _, v := range exactSystem(capacity, jobs).Finishes() {
			at[v.Key] = f.Float64(v.At)
			allowed[v.Key] = batchError * (at[v.Key] + f.Float64(f.Sub(v.Past, v.At))/slack)
		}
		for i, j := range jobs {
			want := at[i]
			if capacity == 0 && j.Work > 0 {
				if !math.IsInf(ends[i], 1) {
					t.Fatalf("Finish(nil, 0, %v)[%d] = %v, want +Inf", jobs, i, ends[i])
				}
			} else if !(math.Abs(ends[i]-want) <= allowed[i]) {
				t.Fatalf("Finish(nil, %v, %v)[%d] = %v, want %v", capacity, jobs, i, ends[i], want)
			}
		}
		for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
			order, err := aging.Order(nil, capacity, jobs, by)
			sorted := slices.Sorted(slices.Values(order))
			for i := range jobs {
				if len(order) != len(jobs) || sorted[i] != i {
					t.Fatalf("Order(nil, %v, %v, %v) = %v, %v, want a permutation", capacity, jobs, by, order, err)
				}
			}
			for n := 1; n < len(order); n++ {
				a, b := order[n-1], order[n]
				wrong := jobs[a].Work > jobs[b].Work || jobs[a].Work == jobs[b].Work && a > b
				if by == aging.ByFinish && jobs[a].Work > 0 {
					wrong = at[a]-allowed[a] > at[b]+allowed[b] || jobs[a] == jobs[b] && a > b
				}
				if wrong {
					t.Fatalf("Order(nil, %v, %v, %v) = %v: %d before %d, want finishes in order of %v", capacity, jobs, by, order, a, b, at)
				}
			}
		}
	}
}

// Powers of two scale the answers exactly: time and work together, and slots and capacity against
// time.
func TestScaling(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		g, capacity, jobs := randomJobs(rng, 10)
		elapsed := g.between(0.01, 10)
		was := answers(t, capacity, elapsed, jobs)
		for _, x := range []float64{0x1p-80, 0x1p-1, 0x1p33, 0x1p80} {
			for _, by := range []scale{{x, x, 1, 1}, {1, 1 / x, x, 1}} {
				scaled, want := slices.Clone(jobs), batch{byWork: was.byWork, byFinish: was.byFinish}
				for i := range jobs {
					scaled[i].Work *= by.work
					scaled[i].Slots *= by.slots
					want.share = append(want.share, was.share[i]*by.slots)
					want.finish = append(want.finish, was.finish[i]*by.time)
					want.aged = append(want.aged, scaled[i])
					want.aged[i].Work = was.aged[i].Work * by.work
				}
				if got := answers(t, capacity*by.slots, elapsed*by.time, scaled); !cmp.Equal(got, want, cmp.AllowUnexported(batch{}), cmpopts.EquateEmpty()) {
					t.Fatalf("capacity %v, elapsed %v, jobs %v scaled by %+v: %+v, want %+v", capacity, elapsed, jobs, by, got, want)
				}
			}
		}
	}
}

// Jobs that finish together, at their caps and below them, go by index.
func TestOrderTies(t *testing.T) {
	for _, slots := range [][]float64{{0, 0, 0}, {1, 0, 1}, {0, 1, 0}, {1, 1, 1}, {5, 6, 7}} {
		var jobs []aging.Job
		for _, s := range slots {
			jobs = append(jobs, aging.Job{Work: 2, Slots: s})
		}
		for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
			if got, err := aging.Order(nil, 3, jobs, by); err != nil || !slices.Equal(got, []int{0, 1, 2}) {
				t.Errorf("Order(nil, 3, %v, %v) = %v, %v, want [0 1 2]", jobs, by, got, err)
			}
		}
	}
}

// TestBatchExtremes: within the ranges nothing is NaN, whatever is mixed.
func TestBatchExtremes(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 0x1p-200, 0x1p-199, 1, 3, 0x1p199, 0x1p200}
	for _, capacity := range values {
		for _, a := range values {
			for _, b := range values {
				for _, x := range values {
					jobs := []aging.Job{{Work: a, Slots: b, Weight: x}, {Work: x, Slots: a, Weight: b}, {Work: b, Weight: a}, {Work: 1, Slots: inf}, {Work: 1, Slots: huge}}
					got := answers(t, capacity, x, jobs)
					for i, j := range jobs {
						if !(got.share[i] >= 0 && got.share[i] <= capacity) || !(got.aged[i].Work >= 0 && got.aged[i].Work <= j.Work) ||
							!(got.finish[i] >= 0) || capacity > 0 && got.finish[i] == inf || j.Work == 0 && (got.share[i] != 0 || got.finish[i] != 0) {
							t.Fatalf("capacity %v, elapsed %v, jobs %v: %+v", capacity, x, jobs, got)
						}
					}
				}
			}
		}
	}
}

// TestAnswersAreJobs: what Age and Cluster.Job return is accepted by Age and Add, also at the ends
// of the range.
func TestAnswersAreJobs(t *testing.T) {
	tinyLeft := 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(24, seed))
		size := func() float64 { return math.Ldexp(1+rng.Float64(), -200+rng.IntN(4)+rng.IntN(2)*rng.IntN(399)) }
		capacity := 1 + rng.Float64()
		c := newCluster(t, capacity)
		var jobs []aging.Job
		for key := range 1 + rng.IntN(6) {
			j := aging.Job{Work: min(size(), 0x1p200), Slots: []float64{0, inf, 0x1p-200, 1, 0.1}[rng.IntN(5)], Weight: []float64{0, 1, 3}[rng.IntN(3)]}
			must(t, c.Add(key, j))
			jobs = append(jobs, j)
		}
		_, in, _ := c.NextFinish()
		in = min(in, 0x1p199)
		for _, part := range []float64{0.3, 0.9, 0.9999999, 1 - 0x1p-52} {
			aged, err := aging.Age(nil, capacity, in*part, jobs)
			must(t, err)
			if _, err := aging.Age(nil, capacity, in, aged); err != nil {
				t.Fatalf("seed %d: Age refuses its own result %v: %v", seed, aged, err)
			}
		}
		must(t, c.Advance(in*(1-0x1p-40*rng.Float64())))
		d := newCluster(t, capacity)
		for key := range jobs {
			j, _ := c.Job(key)
			if j.Work == 0x1p-200 {
				tinyLeft++
			}
			if err := d.Add(key, j); err != nil {
				t.Fatalf("seed %d: Add refuses Job(%d) = %v: %v", seed, key, j, err)
			}
			if again, _ := d.Job(key); again.Work != j.Work {
				t.Fatalf("seed %d: Job(%d) = %v, added to another cluster %v", seed, key, j, again)
			}
		}
	}
	if tinyLeft < 100 {
		t.Errorf("%d jobs had the least work, want 100: the cases test little", tinyLeft)
	}
}
