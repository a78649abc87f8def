package aging_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/fairqueue"
	"pgregory.net/rapid"
)

// stream returns a big job that is there at time 0 and small jobs of 1, one every 1/load from time
// 0 on.
func stream(load, size float64, small int) []arrival {
	jobs := []arrival{{0, size, 1}}
	for i := range small {
		jobs = append(jobs, arrival{float64(i) / load, 1, 1})
	}
	return jobs
}

// before counts the jobs that end before the first one.
func before(end []float64) (n int) {
	for _, e := range end[1:] {
		if e < end[0] {
			n++
		}
	}
	return n
}

// TestOverloadTable: how many small jobs end before a big one on one server. At a load of 1 they
// are about the square of its size, above 1 exponentially many. If all of the stream do, more of
// them would.
func TestOverloadTable(t *testing.T) {
	for _, c := range []struct {
		load, size float64
		small      int
		want       int
	}{
		{.8, 10, 200, 31},
		{.8, 20, 200, 71},
		{.95, 10, 200, 69},
		{.95, 20, 1000, 215},
		{1, 10, 200, 96},
		{1, 100, 11000, 9966},
		{1.25, 5, 200, 61},
		{1.25, 10, 2000, 914},
		{1.25, 20, 5000, 5000},
		{2, 5, 4000, 1742},
		{2, 10, 5000, 5000},
	} {
		end := serve(t, stream(c.load, c.size, c.small), aging.ByFinish, complete)
		if got := before(end); got != c.want || !near(end[0], float64(c.want)+c.size) {
			t.Errorf("at load %v a job of %v ends after %d jobs of 1, at %v, want %d and %v", c.load, c.size, got, end[0], c.want, float64(c.want)+c.size)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*b }

// serveKeys runs jobs in the order of arrival on one server that always serves the least key.
func serveKeys(jobs []arrival, key func(arrival) float64) (end []float64) {
	end = make([]float64, len(jobs))
	left := make([]float64, len(jobs))
	for i, j := range jobs {
		left[i], end[i] = j.size, math.Inf(1)
	}
	now := 0.0
	for done := 0; done < len(jobs); {
		head, to := -1, math.Inf(1)
		for i, j := range jobs {
			switch {
			case j.at > now:
				to = min(to, j.at)
			case left[i] > 0 && (head < 0 || key(j) < key(jobs[head])):
				head = i
			}
		}
		if head >= 0 && now+left[head] <= to {
			now += left[head]
			left[head], end[head] = 0, now
			done++
			continue
		}
		if head >= 0 {
			left[head] -= to - now
		}
		now = to
	}
	return end
}

// TestArrivalPlusSize: under the key arrival + c size a job waits at most for what was there when
// it came, and for jobs that arrive within c times its size, however high the load is.
func TestArrivalPlusSize(t *testing.T) {
	for _, c := range []struct {
		load, size, factor float64
		want               int
	}{
		{1.25, 10, 1, 12}, // jobs of 1 that arrive before time factor (size - 1)
		{1.25, 100, 1, 124},
		{2, 10, 1, 18},
		{2, 100, 1, 198},
		{2, 100, .25, 50},
		{2, 10, 4, 72},
	} {
		end := serveKeys(stream(c.load, c.size, 400), func(j arrival) float64 { return j.at + c.factor*j.size })
		if got := before(end); got != c.want {
			t.Errorf("at load %v a job of %v ends after %d jobs of 1 with factor %v, want %d", c.load, c.size, got, c.factor, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		factor := rapid.SampledFrom([]float64{.1, .3, 1, 7.1}).Draw(t, "factor")
		gaps := rapid.SliceOfN(rapid.SampledFrom([]float64{0, .1, .3, 1, 2, 7.1}), 1, 12).Draw(t, "gaps")
		var jobs []arrival
		at := 0.0
		for _, gap := range gaps {
			at += gap
			jobs = append(jobs, arrival{at, rapid.SampledFrom([]float64{.1, .3, 1, 3, 7.1, 20}).Draw(t, "size"), 1})
		}
		end := serveKeys(jobs, func(j arrival) float64 { return j.at + factor*j.size })
		for i, j := range jobs {
			bound := j.at + j.size
			for k, other := range jobs {
				switch {
				case k == i, end[k] <= j.at, other.at > j.at+factor*j.size:
				case k < i: // at most all that was there
					bound += min(other.size, end[k]-j.at)
				default:
					bound += other.size
				}
			}
			if end[i] > bound*(1+1e-9) {
				t.Fatalf("job %d of %v with factor %v ends at %v, want at most %v", i, jobs, factor, end[i], bound)
			}
		}
	})
}

// TestFloorForLarge: large jobs have a flow of weight p beside that of the small ones of weight 1-p
// and are served in pieces. SFQ's bound |W_s/(1-p) - W_l/p| <= 1/(1-p) + piece/p then gives that a
// job of the size ends after at most (1-p)(size + piece)/p + 1 jobs of 1, at any load.
func TestFloorForLarge(t *testing.T) {
	for _, load := range []float64{.5, .95, 1.25, 2, 10} {
		for _, size := range []float64{5, 10, 20, 100} {
			for _, p := range []float64{.1, .3, .5} {
				for _, piece := range []float64{.1, 1, 2.5} {
					bound := (1-p)*(size+piece)/p + 1
					if got := smallBesideFloor(t, load, size, p, piece); float64(got) > bound*(1+1e-9) {
						t.Errorf("at load %v a job of %v in pieces of %v with a floor of %v ends after %d jobs of 1, want at most %v", load, size, piece, p, got, bound)
					} else if least := (1-p)*size/p - (1-p)/p*piece - 1; load >= 1 && float64(got) < least {
						t.Errorf("at load %v a job of %v in pieces of %v with a floor of %v ends after %d jobs of 1, want at least %v", load, size, piece, p, got, least)
					}
				}
			}
		}
	}
}

// smallBesideFloor returns how many jobs of 1 end before the last piece of the large job.
func smallBesideFloor(t *testing.T, load, size, p, piece float64) (n int) {
	t.Helper()
	const small, large = 0, 1
	q, err := fairqueue.New[int](fairqueue.Options{})
	must(t, err)
	must(t, q.Join(small, 1-p))
	must(t, q.Join(large, p))
	must(t, q.SetActive(large, true))
	now, arrived := 0.0, 0
	for left := size; ; {
		for ; float64(arrived)/load <= now; arrived++ {
			must(t, q.SetActive(small, true))
		}
		switch key, _ := q.Next(nil); key {
		case small:
			must(t, q.Charge(small, 1))
			now++
			n++
			if float64(arrived)/load > now {
				must(t, q.SetActive(small, n < arrived))
			}
		case large:
			step := min(piece, left)
			must(t, q.Charge(large, step))
			now += step
			if left -= step; left <= 1e-9*size {
				return n
			}
		}
	}
}
