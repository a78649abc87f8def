package dynprio

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/examples/internal/report/reporttest"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/market"
)

func near(a, b, relative float64) bool { return math.Abs(a-b) <= relative*math.Abs(b) }

// TestWorkload: each user's jobs come one after another, tasks vary as said, and schedulers see the
// same jobs.
func TestWorkload(t *testing.T) {
	draw := func(e experiment, seed uint64) (c scenario, text string) {
		c = scenarios[e]
		jobs := c.workload(seed, 0)
		count := make([]int, c.users)
		for i, j := range jobs {
			if len(j.Maps.Works) != c.tasks || slices.Min(j.Maps.Works) < (1-c.spread)*c.mapTime() || slices.Max(j.Maps.Works) > (1+c.spread)*c.mapTime() || j.Reduces.Tasks != c.reduces {
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
	for _, e := range []experiment{twoOff, tenOn, boostOn, eightyReduces} {
		draw(e, 1)
	}
	_, on := draw(twoOff, 1)
	_, none := draw(twoFIFO, 1)
	_, other := draw(twoOff, 2)
	if on != none || on == other {
		t.Errorf("equal jobs under two schedulers: %v, at two seeds: %v, want true, false", on == none, on == other)
	}
}

// TestRun: under FIFO jobs take the cycle, jobs follow each other without a gap, and no more slots
// are held than there are.
func TestRun(t *testing.T) {
	for _, e := range []experiment{twoFIFO, tenOn, twoCapacity, boostOff} {
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
			if e == twoFIFO && !near(o.mean(u), c.cycle, .02) {
				t.Errorf("under FIFO user %d takes %v s, want %v", u, o.mean(u), c.cycle)
			}
		}
		if length := o.ends[0][len(o.ends[0])-1]; c.horizon > 0 && o.held > float64(120)*c.horizon || !(o.held > .9*float64(c.nodes[0]*c.nodes[1])*.9*length) {
			t.Errorf("experiment %d: %v slot-seconds held", e, o.held)
		}
		if preempts := c.preempt && c.scheduler == byMarket; preempts != (o.lost > 0) || (len(o.steps) > 0) != (c.scheduler == byMarket) {
			t.Errorf("experiment %d: %v of the work lost in %d steps", e, o.lost, len(o.steps))
		}
	}
	c := two.with(func(c *scenario) {
		c.rates, c.budgets, c.tasks, c.preempt, c.horizon = []float64{1, 1}, []float64{enough, 0}, 1200, true, 40*c.cycle
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
	var times []numbers.Interval
	for _, x := range []float64{math.NaN(), math.NaN(), 100, 99, 95, 80, 79, 40} {
		times = append(times, numbers.Interval{Mean: x})
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
	list, err := bid(120, 30, users, market.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, u := range users {
		paid := 0.0
		for _, r := range list {
			paid += charge(r, i)
		}
		if value(u.Budget)+paid != 1000 || value(u.Budget) < 0 {
			t.Errorf("user %d has %v left and has paid %v of 1000", i, u.Budget, paid)
		}
	}
	if n := list[0].grants[0].Slots[0]; n != 60 {
		t.Errorf("rate 3 of 6 has %v slots, want 60", n)
	}
}

// TestHalves: the second half of the run of two queues starts with the budgets reset and preempts.
func TestHalves(t *testing.T) {
	s := &study{Options: program.Options{Seed: 1}, n: 1}
	if _, err := s.after(twoOn)(); err != nil {
		t.Fatal(err)
	}
	before, after := s.runs[drain][0], s.runs[twoOn][0]
	last, first := before.steps[len(before.steps)-1], after.steps[0]
	if last.budgets[0] > 100 || min(first.budgets[0], first.budgets[1]) < 9990 || max(first.budgets[0], first.budgets[1]) > 10000 || !(after.lost > 0) {
		t.Errorf("budgets %v, then %v, %v of the work lost", last.budgets, first.budgets, after.lost)
	}
	for u := range 2 {
		if !(before.ends[u][len(before.ends[u])-1] < day) || !(after.ends[u][0] >= 0 && after.ends[u][0] < 10000) {
			t.Errorf("user %d: jobs of the first half end until %v, of the second from %v", u, before.ends[u][len(before.ends[u])-1], after.ends[u][0])
		}
	}
}

// fake are runs of three seeds in which users take the times, a little more in each further seed,
// but for the first job of a user.
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

// spreading are runs whose later jobs range over so much for each user.
func spreading(runs []outcome, over ...float64) []outcome {
	for i := range runs {
		for u, x := range over {
			middle := runs[i].mean(u)
			runs[i].times[u][1], runs[i].times[u][2] = middle-x/2, middle+x/2
		}
	}
	return runs
}

// spending are runs with steps in which the queues have the budgets and slots.
func spending(runs []outcome, budgets, slots [][2]float64) []outcome {
	for i := range runs {
		runs[i].steps = nil
		for k, b := range budgets {
			runs[i].steps = append(runs[i].steps, step{time: 60 * float64(k), budgets: b[:], slots: []int{int(slots[k][0]), int(slots[k][1])}})
		}
	}
	return runs
}

// priced are runs with two steps at the prices.
func priced(runs []outcome, early, late float64) []outcome {
	for i := range runs {
		runs[i].steps = []step{{price: early}, {price: late + float64(i)/10}}
	}
	return runs
}

// fixed are the claims that no run changes: bids worked out, and ratios of lines in which FIFO's time
// cancels.
var fixed = []string{"at twice the rate queue 1 spends 4 times as much in an interval", "the paper's ideal has the throughput of FIFO (Figure 7)", "a share with the boost over one without"}

// measured are the claims of a figure that rest on runs.
func measured(t *testing.T, figure func() (report.Figure, error)) []report.Claim {
	t.Helper()
	f, err := figure()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(f.Claims, func(c report.Claim) bool { return slices.Contains(fixed, c.Claim) })
}

// verdicts are the verdicts of a figure's claims, a letter each.
func verdicts(t *testing.T, figure func() (report.Figure, error)) string {
	t.Helper()
	f, err := figure()
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
	both := func(figures ...func() (report.Figure, error)) (list []report.Claim) {
		for _, f := range figures {
			list = append(list, measured(t, f)...)
		}
		return list
	}
	expect := func(name string, figure func() (report.Figure, error), want string) {
		t.Helper()
		if got := verdicts(t, figure); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	rich := [][2]float64{{10000, 10000}, {9000, 9735}}
	s.runs[twoOn] = spending(spreading(fake(1, 3100, 5150), 200, 1300), rich, [][2]float64{{80, 40}, {80, 40}})
	s.runs[twoOff], s.runs[twoCapacity], s.runs[twoFIFO] = fake(1, 2700, 4450), spreading(fake(1, 3300, 4550), 600, 1900), fake(1, 3450, 3450)
	s.runs[drain] = spending(fake(1, 3400, 4000), [][2]float64{{1000, 10000}, {0, 9750}, {0, 9000}}, [][2]float64{{80, 40}, {0, 120}, {0, 120}})
	asPaper := both(s.figure3, s.figure4)
	s.runs[drain] = spending(fake(1, 2700, 4450), [][2]float64{{1000, 10000}, {0, 9500}, {0, 9000}}, [][2]float64{{60, 60}, {30, 90}, {30, 90}})
	s.runs[twoOn] = spending(spreading(fake(1, 3100, 5150), 1300, 1200), [][2]float64{{10000, 10000}, {9000, 9000}}, [][2]float64{{60, 60}, {60, 60}})
	s.runs[twoCapacity] = spreading(fake(1, 3000, 6150), 1000, 1000)
	s.runs[twoFIFO] = fake(1, 3000, 4200)
	reporttest.CanFail(t, asPaper, both(s.figure3, s.figure4))

	s.runs[twoOn], s.runs[twoOff], s.runs[twoCapacity], s.runs[twoFIFO] = fake(1, 2400, 4700), fake(1, 2700, 4450), fake(1, 3000, 4000), fake(1, 3450, 3450)
	asPaper = both(s.figure7, s.table3)
	s.runs[twoOn], s.runs[twoCapacity] = s.runs[twoCapacity], s.runs[twoOn]
	reporttest.CanFail(t, asPaper, both(s.figure7, s.table3))

	var level []float64
	for n := 1.; n <= 10; n++ {
		level = append(level, 5.5*3000/n)
	}
	level[0], level[1] = 1.1*level[0], 1.1*level[1]
	s.runs[tenOn], s.runs[tenFIFO] = priced(fake(1, level...), 55, 54), fake(1, slices.Repeat([]float64{3000}, 10)...)
	for i := range s.runs[tenFIFO] {
		for u := range allUsers {
			s.runs[tenFIFO][i].times[u][0] = 300 * float64(u+1)
		}
	}
	asPaper = both(s.figure5)
	expect("Figure 8 at the speed of FIFO", s.figure8, "nnyy")
	line, _, _ := ideals(10, 3000, 0)
	for n := range 10 {
		level[n] = line.at(float64(n + 1))
	}
	level[0], level[9] = 2*level[0], 2*level[9]
	s.runs[tenOn] = fake(1, level...)
	expect("Figure 8 with levels 3 to 9 on the ideal line", s.figure8, "ynnn")
	s.runs[tenOn] = priced(fake(1, slices.Repeat([]float64{2000}, 10)...), 55, 75)
	s.runs[tenFIFO] = fake(1, level...)
	for i := range s.runs[tenFIFO] {
		for u := range allUsers {
			s.runs[tenFIFO][i].times[u][0] = 3000
		}
	}
	reporttest.CanFail(t, asPaper, both(s.figure5))
	s.runs[tenFIFO] = fake(1, slices.Repeat([]float64{3000}, 10)...)
	expect("Figure 8 with equal times", s.figure8, "nnnn")

	s.runs[eightyOn], s.runs[eightyOff], s.runs[eightyFIFO] = eightyLevels(100), eightyLevels(300), fake(1, slices.Repeat([]float64{3000}, 80)...)
	s.runs[eightyReduces] = s.runs[eightyOn]
	asPaper = both(s.figure6)
	s.runs[eightyOn], s.runs[eightyOff] = fake(1, slices.Repeat([]float64{3000}, 80)...), fake(1, slices.Repeat([]float64{3000}, 80)...)
	reporttest.CanFail(t, asPaper, both(s.figure6))

	// Figure 9: levels of ten to fifteen users with reduces alone.
	times := []float64{}
	for u := range 80 {
		times = append(times, 20000*math.Pow(.7, float64(u/10)))
	}
	s.runs[eightyReduces], s.runs[eightyOn] = fake(1, times...), fake(1, times...)
	expect("Figure 9 with levels", s.figure9, "ynn")
	times = nil
	for n := 1.; n <= 80; n++ {
		times = append(times, 1000*80/n)
	}
	s.runs[eightyOn] = fake(1, times...)
	expect("Figure 9 without levels", s.figure9, "nny")
}

// TestOtherClaimsCanFail: those of figures with runs of their own.
func TestOtherClaimsCanFail(t *testing.T) {
	check := func(name, want string, claims ...report.Claim) {
		t.Helper()
		got := ""
		for _, c := range claims {
			got += c.HoldsWord()[:1]
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	level, apart := fake(0, 3000, 3000.5), fake(0, 2000, 4000)
	for i := range level { // intervals of some width
		level[i].times[0][1] += float64(i)
		apart[i].times[0][1] -= float64(i)
	}
	reporttest.CanFail(t, lengthClaims([2][]outcome{apart, level}, [2][]outcome{apart, apart}), lengthClaims([2][]outcome{level, level}, [2][]outcome{apart, level}))
	check("settings", "yn", foundClaim(shapes, map[shape]float64{several: -1}), foundClaim(shapes, map[shape]float64{shapes[0]: -1}))
	check("charges", "ynynyn", dearerClaim("", 1, 2), dearerClaim("", 1, 1), accountsClaim("", 1, 1), accountsClaim("", 160, 80), calmClaim(1, 120), calmClaim(1, 2))
}

// eightyLevels are runs of 80 users of whom eight have no job and the others lie on ten levels.
func eightyLevels(over float64) []outcome {
	var times []float64
	for u := range 72 {
		times = append(times, 20000*math.Pow(.7, float64(u*10/72)))
	}
	runs := spreading(fake(1, times...), slices.Repeat([]float64{over}, 72)...)
	for i := range runs {
		runs[i].times = append(make([][]float64, 8), runs[i].times...)
		runs[i].ends = append(make([][]float64, 8), runs[i].ends...)
	}
	return runs
}

// TestBoostClaimsCanFail is TestClaimsCanFail for Figures 10 and 11.
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
	claims := func(on, off []outcome) []report.Claim {
		s.runs[boostOn], s.runs[boostOff] = on, off
		return append(measured(t, s.figure10), measured(t, s.figure11)...)
	}
	reporttest.CanFail(t, claims(boosted(900, 300, 0), boosted(900, 300, 20, 0, 9)), claims(boosted(900, 600, 100), boosted(700, 300, 0, 2, 4)))
}
