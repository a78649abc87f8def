package dynprio

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/market"
)

func near(a, b, relative float64) bool { return math.Abs(a-b) <= relative*math.Abs(b) }

// TestWorkload: each user's jobs come one after another, tasks vary as said, and schedulers see the
// same jobs.
func TestWorkload(t *testing.T) {
	draw := func(e experiment, seed uint64) (c scenario, text string) {
		c = scenarios[e]
		jobs := c.workload(rand.New(rand.NewPCG(seed, 0)))
		count := make([]int, c.users)
		for i, j := range jobs {
			if len(j.Maps.Works) != c.tasks || slices.Min(j.Maps.Works) < (1-jitter)*c.mapTime() || slices.Max(j.Maps.Works) > (1+jitter)*c.mapTime() || j.Reduces.Tasks != c.reduces {
				t.Fatalf("experiment %d, job %d: %d maps of %v to %v s, %d reduces", e, i, len(j.Maps.Works), slices.Min(j.Maps.Works), slices.Max(j.Maps.Works), j.Reduces.Tasks)
			}
			first := count[j.User] == 0
			if first != (j.After == 0) || !first && (j.After != i || jobs[i-1].User != j.User) || !(j.Arrival >= 0 && j.Arrival < 10) {
				t.Fatalf("experiment %d, job %d of user %d arrives at %v after %d", e, i, j.User, j.Arrival, j.After)
			}
			want := 0.0
			if c.boost > 0 && count[j.User] == j.User {
				want = c.boost
			}
			if j.Priority != want {
				t.Fatalf("experiment %d, user %d, job %d has priority %v, want %v", e, j.User, count[j.User], j.Priority, want)
			}
			count[j.User]++
		}
		return c, fmt.Sprint(jobs)
	}
	for _, e := range []experiment{twoOn, tenOn, boostOn, eightyReduces, narrow} {
		draw(e, 1)
	}
	_, on := draw(twoOn, 1)
	_, none := draw(twoFIFO, 1)
	_, other := draw(twoOn, 2)
	if on != none || on == other {
		t.Errorf("equal jobs under two schedulers: %v, at two seeds: %v, want true, false", on == none, on == other)
	}
}

// TestRun: under FIFO jobs take the cycle, jobs follow each other without a gap, and no more slots
// are held than there are.
func TestRun(t *testing.T) {
	for _, e := range []experiment{twoFIFO, twoOn, twoCapacity, boostOff} {
		c := scenarios[e]
		o, err := c.run(3, 1)
		if err != nil {
			t.Fatal(err)
		}
		for u, times := range o.times {
			for k := 1; k < len(times); k++ {
				if !near(o.ends[u][k]-times[k], o.ends[u][k-1], 1e-9) {
					t.Errorf("experiment %d, user %d: job %d ends at %v after %v s, the one before at %v", e, u, k, o.ends[u][k], times[k], o.ends[u][k-1])
				}
			}
			if e == twoFIFO && !near(o.mean(u), c.cycle, .01) {
				t.Errorf("under FIFO user %d takes %v s, want %v", u, o.mean(u), c.cycle)
			}
		}
		if length := o.ends[0][len(o.ends[0])-1]; c.horizon > 0 && sum(o.held) > float64(120)*c.horizon || !(sum(o.held) > .9*float64(c.nodes[0]*c.nodes[1])*.9*length) {
			t.Errorf("experiment %d: %v slot-seconds held", e, sum(o.held))
		}
		if preempts := c.preempt && c.scheduler == byMarket; preempts != (o.lost > 0) || (len(o.steps) > 0) != (c.scheduler == byMarket) {
			t.Errorf("experiment %d: %v of the work lost in %d steps", e, o.lost, len(o.steps))
		}
	}
	c := two.with(func(c *scenario) {
		c.rates, c.budgets, c.tasks, c.horizon = []float64{1, 1}, []float64{enough, 0}, 1200, 40*c.cycle
	}) // the first has all slots, and jobs for three quarters of them
	if _, err := c.run(1, 0); err == nil || !strings.Contains(err.Error(), "user 1 has no more jobs") {
		t.Errorf("a user who runs out of jobs: %v", err)
	}
}

// TestIdeals compares the lines with the numbers that Figure 4, Table 3 and the share of n/55
// imply.
func TestIdeals(t *testing.T) {
	pair := twoIdeals(two.cycle)
	for i, want := range [][2]float64{{3100 - 800, 4600}, {2587.5, 5175}} {
		if p := pair[i]; !near(p.at(1), want[0], 1e-12) || !near(p.at(2), want[1], 1e-12) || !near(p.throughput(2, two.cycle), []float64{9. / 8, 1}[i], 1e-12) {
			t.Errorf("%s of two queues: %v, %v, throughput %v, want %v", p.name, p.at(1), p.at(2), p.throughput(2, two.cycle), want)
		}
	}
	if 3100-800 != 3300-1000 { // means under DynPrio and Capacity less their distances
		t.Error("the rows of Table 3 imply two ideals for queue 1")
	}
	paper, reachable, adjusted := ideals(10, 3000, 1650)
	mean := 0.0
	for n := 1.; n <= 10; n++ {
		mean += paper.at(n) / 10
		if !near(n*paper.at(n), paper.at(1), 1e-12) || !near(n*reachable.at(n), reachable.at(1), 1e-12) || !near(n*adjusted.at(n), adjusted.at(1), 1e-12) {
			t.Errorf("lines at %v: %v, %v, %v, want n times them constant", n, paper.at(n), reachable.at(n), adjusted.at(n))
		}
	}
	if !near(mean, 3000, 1e-12) || !near(paper.throughput(10, 3000), 1.61, .002) || !near(reachable.throughput(10, 3000), 1, 1e-12) || reachable.at(1) != 5.5*3000 || adjusted.at(10) != 1650 {
		t.Errorf("ten users: mean %v, throughputs %v and %v, ends %v and %v", mean, paper.throughput(10, 3000), reachable.throughput(10, 3000), reachable.at(1), adjusted.at(10))
	}
}

func TestLevelsAndOutside(t *testing.T) {
	var times []report.Interval
	for _, x := range []float64{math.NaN(), math.NaN(), 100, 99, 95, 80, 79, 40} {
		times = append(times, report.Interval{Mean: x})
	}
	if got, want := levels(times), []int{2, 3, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("levels = %v, want %v", got, want)
	}
	low, high := ideal{"", func(n float64) float64 { return 50 }}, ideal{"", func(n float64) float64 { return 90 }}
	if got, want := outside(times, high, low), []int{1, 2, 3, 4, 5, 8}; !slices.Equal(got, want) {
		t.Errorf("outside = %v, want %v", got, want)
	}
}

// TestBid: nothing is lost between budgets and charges.
func TestBid(t *testing.T) {
	users := bidders(1000, 120, 3, 2, 1)
	list, err := bid(120, 30, users, market.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, u := range users {
		if value(u.Budget)+sum(charges(list, i)) != 1000 || value(u.Budget) < 0 {
			t.Errorf("user %d has %v left and has paid %v of 1000", i, u.Budget, sum(charges(list, i)))
		}
	}
	if n := slots(list, 0)[0]; n != 60 {
		t.Errorf("rate 3 of 6 has %v slots, want 60", n)
	}
}

// fake are runs of two seeds in which users take the times, a little more in the second, but for
// the first job of a user.
func fake(perSeed float64, times ...float64) []outcome {
	var runs []outcome
	for i := range 3 {
		var o outcome
		for _, x := range times {
			x += perSeed * float64(i)
			o.times = append(o.times, []float64{x / 2, x - 10, x + 10})
			o.ends = append(o.ends, []float64{x / 2, 1.5 * x, 2.5 * x})
		}
		runs = append(runs, o)
	}
	return runs
}

// verdicts are whether the claims of a figure hold.
func verdicts(t *testing.T, f report.Figure, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, c := range f.Claims {
		text += c.HoldsWord()[:1]
	}
	return text
}

// TestClaimsCanFail: claims of measurements hold for runs that are as the paper has them, and fail
// when the schedulers change places.
func TestClaimsCanFail(t *testing.T) {
	s := &study{n: 3}
	s.runs[twoOn], s.runs[twoOff], s.runs[twoCapacity], s.runs[twoFIFO] = fake(1, 2400, 4700), fake(1, 2700, 4450), fake(1, 3000, 4000), fake(1, 3450, 3450)
	f, err := s.figure7()
	if got := verdicts(t, f, err); got != "yyy" {
		t.Errorf("Figure 7 as in the paper: %s, want yyy", got)
	}
	f, err = s.table3()
	if got := verdicts(t, f, err); got != "yyn" {
		t.Errorf("Table 3 as in the paper: %s, want yyn", got)
	}
	s.runs[twoOn], s.runs[twoCapacity] = s.runs[twoCapacity], s.runs[twoOn]
	f, err = s.figure7()
	if got := verdicts(t, f, err); got != "nnn" {
		t.Errorf("Figure 7 with schedulers in each other's place: %s, want nnn", got)
	}
	f, err = s.table3()
	if got := verdicts(t, f, err); got != "nnn" {
		t.Errorf("Table 3 with schedulers in each other's place: %s, want nnn", got)
	}

	var level []float64
	for n := 1.; n <= 10; n++ {
		level = append(level, 5.5*3000/n)
	}
	level[0], level[1] = 1.1*level[0], 1.1*level[1]
	s.runs[tenOn], s.runs[tenFIFO] = fake(1, level...), fake(1, slices.Repeat([]float64{3000}, 10)...)
	five, err := s.figure5()
	got := verdicts(t, five, err)
	eight, err := s.figure8()
	if got += " " + verdicts(t, eight, err); got != "yy nyy" {
		t.Errorf("Figures 5 and 8 as in the paper: %s, want yy nyy", got)
	}
	s.runs[tenOn] = fake(1, slices.Repeat([]float64{2000}, 10)...)
	five, err = s.figure5()
	got = verdicts(t, five, err)
	eight, err = s.figure8()
	if got += " " + verdicts(t, eight, err); got != "nn nnn" {
		t.Errorf("Figures 5 and 8 with equal times: %s, want nn nnn", got)
	}
}

// TestBoostClaimsCanFail does the same for Figures 10 and 11.
func TestBoostClaimsCanFail(t *testing.T) {
	boosted := func(usual, valley, first float64, users ...int) []outcome {
		var runs []outcome
		for i := range 3 {
			o := outcome{lost: .01}
			for u := range 10 {
				times := slices.Repeat([]float64{usual + float64(i)}, 10)
				times[0] += first * float64(u)
				times[u] = valley
				if slices.Contains(users, u) {
					times[u] *= 1.3
				}
				o.times, o.ends = append(o.times, times), append(o.ends, times)
			}
			runs = append(runs, o)
		}
		return runs
	}
	s := &study{n: 3}
	s.runs[boostOn], s.runs[boostOff] = boosted(900, 300, 0), boosted(900, 300, 50, 0, 9)
	s.runs[boostFine], s.runs[boostFineOff] = s.runs[boostOn], s.runs[boostOff]
	ten, err := s.figure10()
	got := verdicts(t, ten, err)
	s.runs[boostOff] = boosted(900, 300, 20, 0, 9)
	eleven, err := s.figure11()
	if got += " " + verdicts(t, eleven, err); got != "yyy yyyyy" {
		t.Errorf("Figures 10 and 11 as in the paper: %s, want yyy yyyyy", got)
	}
	s.runs[boostOn], s.runs[boostOff] = boosted(900, 600, 100), boosted(700, 300, 0, 2, 4)
	ten, err = s.figure10()
	got = verdicts(t, ten, err)
	eleven, err = s.figure11()
	if got += " " + verdicts(t, eleven, err); got != "ynn nnnnn" {
		t.Errorf("Figures 10 and 11 otherwise: %s, want ynn nnnnn", got)
	}
}
