package backfill_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// rest is the remaining time of a scene's jobs if all end as planned, or at the given parts of it.
func (s *scene) rest(part []float64) func(i int, u float64) float64 {
	return func(i int, _ float64) float64 {
		planned := 0.
		if i < len(s.running) {
			planned = max(0, s.running[i].End-sceneNow)
		} else {
			planned = s.queue[i-len(s.running)].Time
		}
		if math.IsInf(planned, 1) {
			return planned
		}
		return planned * part[i]
	}
}

// TestForecastOfCertainTimes: where it is certain how long each job runs, forecasts are points, and
// the starts are those of a scheduler that plans at every end, played by a loop of its own.
func TestForecastOfCertainTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScene(t, 6)
		for i := range s.running { // late jobs and nodes that left are in TestForecastOfLateJobs
			s.running[i].End = max(s.running[i].End, sceneNow+1)
		}
		part := make([]float64, len(s.running)+len(s.queue))
		for i := range part {
			part[i] = rapid.SampledFrom([]float64{1, 1, .5, 0, 1.5}).Draw(t, "part of the planned time")
		}
		if rapid.Bool().Draw(t, "with windows") {
			drawWindows(t, &s)
		}
		o := backfill.ForecastOptions{Options: s.options, Samples: 3}
		got, err := backfill.Forecast(nil, s.capacity, sceneNow, s.running, s.queue, s.rest(part), o, rand.NewPCG(1, 2))
		must(t, err)
		same, err := s.profile(t).Forecast(nil, s.running, s.queue, s.rest(part), o, rand.NewPCG(1, 2))
		if err != nil || !slices.Equal(same, got) {
			t.Fatalf("on the profile of %+v the forecast is %v, %v, want %v", s, same, err, got)
		}
		want := s.played(t, part)
		for i, f := range got {
			if f.Low != f.High || f.Low != f.Median || f.Low != want[i] {
				t.Fatalf("job %d is forecast for %v, want %v: %+v, parts %v", i, f, want[i], s, part)
			}
		}
	})
}

// played plans the scene again and again, by Plan alone.
func (s *scene) played(t rapid.TB, part []float64) []float64 {
	remaining := s.rest(part)
	type held struct {
		backfill.Running
		end float64
	}
	var runs []held
	for i, r := range s.running {
		runs = append(runs, held{r, sceneNow + remaining(i, 0)})
	}
	waiting := make([]int, len(s.queue))
	queue := slices.Clone(s.queue)
	starts := slices.Repeat([]float64{math.Inf(1)}, len(queue))
	for i := range waiting {
		waiting[i] = i
	}
	for now := sceneNow; ; {
		runs = slices.DeleteFunc(runs, func(h held) bool { return h.end <= now })
		var running []backfill.Running
		for _, h := range runs {
			running = append(running, h.Running)
		}
		var jobs []backfill.Job
		for _, i := range waiting {
			jobs = append(jobs, queue[i])
		}
		plan, err := backfill.Plan(nil, s.capacity, now, running, jobs, s.options)
		must(t, err)
		var left []int
		for k, i := range waiting {
			if plan[k] == now {
				starts[i] = now
				runs = append(runs, held{backfill.Running{Need: queue[i].Need, End: s.end(i, now), Owner: queue[i].Owner}, now + remaining(len(s.running)+i, 0)})
			} else {
				queue[i].Promised = plan[k]
				left = append(left, i)
			}
		}
		waiting = left
		next := math.Inf(1)
		for _, h := range runs {
			if next = min(next, h.end); h.End > now {
				next = min(next, h.End)
			}
		}
		for _, w := range s.options.Windows {
			occurrences(&w, func(from, to float64) {
				for _, at := range []float64{from, to} {
					if at > now {
						next = min(next, at)
					}
				}
			})
		}
		if len(waiting) == 0 || math.IsInf(next, 1) {
			return starts
		}
		now = next
	}
}

// TestForecastOfLateJobs: a job past its planned end holds what it has until it ends.
func TestForecastOfLateJobs(t *testing.T) {
	running := []backfill.Running{{Need: []int64{2}, End: 5}, {Need: []int64{2}, End: 12}}
	queue := []backfill.Job{{Need: []int64{4}, Time: 10}, {Need: []int64{2}, Time: 10}}
	rest := func(i int, u float64) float64 { return []float64{20, 5, 10, 10}[i] }
	got, err := backfill.Forecast(nil, []int64{4}, 10, running, queue, rest, backfill.ForecastOptions{Samples: 1}, rand.NewPCG(1, 2))
	if err != nil || got[0].Median != 30 || got[1].Median != 40 {
		t.Errorf("Forecast = %v, %v, want 30 and 40: the second would put off the first", got, err)
	}
}

// TestForecastIntervals: where the one job ahead ends at a uniform time, bounds are its quantiles,
// with the accuracy of so many samples, and a source gives the same answer twice.
func TestForecastIntervals(t *testing.T) {
	running := []backfill.Running{{Need: []int64{1}, End: 100}}
	queue := []backfill.Job{{Need: []int64{1}, Time: 10}}
	rest := func(_ int, u float64) float64 { return 100 * u }
	ask := func() backfill.Interval {
		got, err := backfill.Forecast(nil, []int64{1}, 0, running, queue, rest, backfill.ForecastOptions{Samples: 10000, Level: .8}, rand.NewPCG(3, 4))
		must(t, err)
		return got[0]
	}
	f := ask()
	for _, c := range []struct{ got, want float64 }{{f.Low, 10}, {f.Median, 50}, {f.High, 90}} {
		// A quantile of 10,000 uniform draws on [0, 100] has a standard deviation of at most .5.
		if math.Abs(c.got-c.want) > 2.5 {
			t.Errorf("Forecast = %v, want about 10, 50 and 90", f)
		}
	}
	if again := ask(); again != f {
		t.Errorf("the same source gives %v, then %v", f, again)
	}
}

// TestForecastRanks: of ten futures with the starts 1 to 10, in any order, 8 of 10 lie from the first to the
// ninth, and half up to the fifth.
func TestForecastRanks(t *testing.T) {
	running := []backfill.Running{{Need: []int64{1}, End: 100}}
	queue := []backfill.Job{{Need: []int64{1}, Time: 10}}
	ends, drawn := []float64{7, 1, 10, 4, 3, 9, 2, 6, 8, 5}, 0
	rest := func(i int, _ float64) float64 {
		if i > 0 {
			return 10
		}
		drawn++
		return ends[drawn-1]
	}
	got, err := backfill.Forecast(nil, []int64{1}, 0, running, queue, rest, backfill.ForecastOptions{Samples: 10, Level: .8}, rand.NewPCG(3, 4))
	if err != nil || got[0] != (backfill.Interval{Low: 1, Median: 5, High: 9}) {
		t.Errorf("Forecast = %v, %v, want 1, 5 and 9", got, err)
	}
}

// TestForecastAroundWindow: a profile's windows count.
func TestForecastAroundWindow(t *testing.T) {
	p, err := backfill.New([]int64{4}, 0)
	must(t, err)
	p.Take([]int64{4}, 5, 50)
	queue := []backfill.Job{{Need: []int64{4}, Time: 10}, {Need: []int64{1}, Time: 5}}
	got, err := p.Forecast(nil, nil, queue, func(i int, u float64) float64 { return queue[i].Time }, backfill.ForecastOptions{}, rand.NewPCG(1, 2))
	if err != nil || got[0] != (backfill.Interval{Low: 50, Median: 50, High: 50}) || got[1].High != 0 {
		t.Errorf("Forecast = %v, %v, want 50 after the window, and 0 before it", got, err)
	}
}

// TestForecastBetweenWindows: one owner's window of 10 of 20 units ends at 5, as another's begins. A job that
// was to end then ends at 3, so that as much is free for all before 5 as behind: the second owner's job,
// which wants all, starts at 5.
func TestForecastBetweenWindows(t *testing.T) {
	windows := []backfill.Window{{Need: []int64{10}, From: 0, To: 5, Owner: 1}, {Need: []int64{10}, From: 5, To: 10, Owner: 2}}
	running, queue := []backfill.Running{{Need: []int64{10}, End: 5}}, []backfill.Job{{Need: []int64{20}, Time: 1, Owner: 2}}
	o := backfill.ForecastOptions{Options: backfill.Options{Windows: windows}, Samples: 1}
	got, err := backfill.Forecast(nil, []int64{20}, 0, running, queue, func(int, float64) float64 { return 3 }, o, rand.NewPCG(1, 2))
	if want := (backfill.Interval{Low: 5, Median: 5, High: 5}); err != nil || got[0] != want {
		t.Errorf("Forecast = %v, %v, want %v", got, err, want)
	}
}

// TestForecastDraws: without groups, and where all are -1, each job of each future is given the next
// number of the source, running ones first. With them, the part Alike of the jobs of a future is given
// a number that their group shares, and the others numbers of their own; all are uniform.
func TestForecastDraws(t *testing.T) {
	const samples, runs, waits = 4000, 2, 6
	running := slices.Repeat([]backfill.Running{{Need: []int64{1}, End: 5}}, runs)
	queue := slices.Repeat([]backfill.Job{{Need: []int64{1}, Time: 1}}, waits)
	draw := func(o backfill.ForecastOptions) (drawn []float64) {
		o.Samples = samples
		_, err := backfill.Forecast(nil, []int64{2}, 0, running, queue, func(i int, u float64) float64 {
			if i != len(drawn)%(runs+waits) {
				t.Fatalf("draw %d is for job %d", len(drawn), i)
			}
			drawn = append(drawn, u)
			return u
		}, o, rand.NewPCG(3, 4))
		must(t, err)
		return drawn
	}
	var want []float64
	random := rand.New(rand.NewPCG(3, 4))
	for range samples * (runs + waits) {
		want = append(want, random.Float64())
	}
	for _, none := range [][]int{nil, slices.Repeat([]int{-1}, runs+waits)} {
		if got := draw(backfill.ForecastOptions{Groups: none, Alike: 1}); !slices.Equal(got, want) {
			t.Errorf("with the groups %v other numbers are drawn", none)
		}
	}
	of := []int{7, -1, 7, 9, 9, 7, -1, 9}
	for _, c := range []struct{ alike, part float64 }{{0, .8}, {.3, .3}, {1, 1}} {
		drawn := draw(backfill.ForecastOptions{Groups: of, Alike: c.alike})
		pairs, shared, sum := 0., 0., 0.
		for ; len(drawn) > 0; drawn = drawn[len(of):] {
			for i, a := range of {
				sum += drawn[i]
				for k, b := range of[:i] {
					equal := drawn[i] == drawn[k]
					if a == b && a >= 0 {
						pairs++
						if equal {
							shared++
						}
					} else if equal {
						t.Fatalf("jobs %d and %d of the groups %d and %d are given %v", k, i, b, a, drawn[i])
					}
				}
			}
		}
		// Both of a pair are alike with probability part^2. Two groups a future, of which each pair's
		// standard deviation is at most .5: within .02 at more than three of them; the mean likewise.
		if got := shared / pairs; math.Abs(got-c.part*c.part) > .02 {
			t.Errorf("Alike %v: %.3f of the pairs share a number, want %.3f", c.alike, got, c.part*c.part)
		}
		if mean := sum / samples / float64(len(of)); math.Abs(mean-.5) > .02 {
			t.Errorf("Alike %v: the mean draw is %v", c.alike, mean)
		}
	}
}

// same is a Source without state.
type same struct{}

func (same) Uint64() uint64 { return 1 << 60 }

func TestForecastRefuses(t *testing.T) {
	type (
		o       = backfill.ForecastOptions
		jobs    = []backfill.Job
		running = []backfill.Running
	)
	nan, src, one := math.NaN(), same{}, []int64{1}
	queue := jobs{{Need: one, Time: 1}}
	constant := func(x float64) func(int, float64) float64 {
		return func(i int, _ float64) float64 {
			if i == 1 {
				return x
			}
			return 1
		}
	}
	dst := []backfill.Interval{{Low: 1, Median: 2, High: 3}}
	p, err := backfill.New(one, 0)
	must(t, err)
	for _, c := range []expect.Call{
		expect.Bad("remaining", -1, dst, nil, queue, nil, o{}, src),
		expect.Bad("src", -1, dst, nil, queue, constant(1), o{}, nil),
		expect.Bad("o", -1, dst, nil, queue, constant(1), o{Samples: -1}, src),
		expect.Bad("o", -1, dst, nil, queue, constant(1), o{Samples: 1<<20 + 1}, src),
		expect.Bad("o", -1, dst, nil, queue, constant(1), o{Level: 1}, src),
		expect.Bad("o", -1, dst, nil, queue, constant(1), o{Level: nan}, src),
		expect.Bad("o", -1, dst, nil, queue, constant(1), o{Alike: 1.1}, src),
		expect.Bad("o", -1, dst, nil, queue, constant(1), o{Alike: nan}, src),
		expect.Bad("o", -1, dst, nil, queue, constant(1), o{Groups: []int{}}, src),
		expect.Bad("o", -1, dst, running{{Need: one, End: 5}}, queue, constant(1), o{Groups: []int{1}}, src),
		expect.Bad("o", -1, dst, nil, queue, constant(1), o{Options: backfill.Options{Depth: -2}}, src),
		expect.Bad("queue", 0, dst, nil, jobs{{Need: one, Time: -1}}, constant(1), o{}, src),
		expect.Bad("running", 0, dst, running{{Need: one, End: nan}}, queue, constant(1), o{}, src),
		expect.Bad("remaining", 1, dst, running{{Need: one, End: 5}}, queue, constant(-1), o{}, src),
		expect.Bad("remaining", 1, dst, running{{Need: one, End: 5}}, queue, constant(nan), o{}, src),
	} {
		expect.Refused(t, "backfill.Profile.Forecast", p.Forecast, nil, c)
		c.Args = slices.Insert(c.Args, 1, any(one), any(0))
		expect.Refused(t, "backfill.Forecast", backfill.Forecast, nil, c)
	}
}

func ExampleForecast() {
	running := []backfill.Running{{Need: []int64{6}, End: 3600}}
	queue := []backfill.Job{{Need: []int64{8}, Time: 1800}, {Need: []int64{2}, Time: 600}}
	// The running job ends between half of its limit and the limit; the others as requested.
	remaining := func(i int, u float64) float64 {
		if i == 0 {
			return 1800 + 1800*u
		}
		return queue[i-1].Time
	}
	starts, err := backfill.Forecast(nil, []int64{8}, 0, running, queue, remaining, backfill.ForecastOptions{}, rand.NewPCG(1, 2))
	if err != nil {
		panic(err)
	}
	for i, s := range starts {
		fmt.Printf("job %d starts in %.0f to %.0f minutes\n", i, s.Low/60, s.High/60)
	}
	// Output:
	// job 0 starts in 32 to 58 minutes
	// job 1 starts in 0 to 0 minutes
}

func BenchmarkForecast(b *testing.B) {
	const n = 100
	_, queue := crowd(b, 0, n)
	state := rand.New(rand.NewPCG(5, 6))
	var running []backfill.Running
	held := int64(0)
	for range n {
		r := backfill.Running{Need: []int64{1 + state.Int64N(32)}, End: 1 + 100000*state.Float64()}
		held += r.Need[0]
		running = append(running, r)
	}
	p, err := backfill.New([]int64{held + 8}, 0)
	must(b, err)
	for _, r := range running {
		p.Take(r.Need, 0, r.End)
	}
	queue[0].Need[0] = held / 2
	remaining := func(i int, u float64) float64 {
		if i < n {
			return u * running[i].End
		}
		return u * queue[i-n].Time
	}
	b.Run("running=100/n=100/samples=200", func(b *testing.B) {
		for b.Loop() {
			got, err := p.Forecast(nil, running, queue, remaining, backfill.ForecastOptions{}, rand.NewPCG(1, 2))
			if err != nil || !(got[n-1].High > 0) {
				b.Fatal(err, got)
			}
		}
	})
}
