package dynamicshare

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/knn"
	"github.com/schedmath/schedmath/partition"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// TestEstimateAsPrinted: equations (1) and (2) to the letter, with W summing to k and (1) dividing
// by n, give k/n times the weighted mean; the k-th neighbour weighs 0.
func TestEstimateAsPrinted(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		n := 3 + r.IntN(10)
		k := 2 + r.IntN(n-1)
		x, y := mat.NewDense(n, 1, nil), make([]float64, n)
		at := make([]float64, n) // distances from 0, all different
		for i, e := range r.Perm(n) {
			at[i] = math.Ldexp(1, e)
			x.Set(i, 0, at[i])
			y[i] = 1 + 99*r.Float64()
		}
		near := slices.Sorted(slices.Values(at))[:k]
		R := near[k-1]
		kernel := func(d float64) float64 { return .75 * (1 - (d/R)*(d/R)) / R }
		f := 0.0
		for _, d := range near {
			f += kernel(d) / float64(k)
		}
		printed, weights, last := 0.0, 0.0, -1.0
		for i, d := range at {
			if d <= R {
				w := kernel(d) / f
				printed += w * y[i] / float64(n)
				weights += w
				if d == R {
					last = w
				}
			}
		}
		p, err := knn.Regress(x, y, []float64{0}, k)
		if err != nil {
			t.Fatal(err)
		}
		if want := p.Value * float64(k) / float64(n); math.Abs(printed-want) > 1e-9*want {
			t.Fatalf("the equations give %v for n = %d and k = %d, want k/n times %v: %v", printed, n, k, p.Value, want)
		}
		if math.Abs(weights-float64(k)) > 1e-9*float64(k) || last != 0 || p.Neighbours != k-1 {
			t.Fatalf("weights sum to %v, the k-th is %v and %d count, want %d, 0 and %d", weights, last, p.Neighbours, k, k-1)
		}
	}
}

// TestAboveOne: of workers that are alike most have a LOF above 1, and hardly one above 3.
func TestAboveOne(t *testing.T) {
	x := scene{times: alike(.1, 1, 1, false)}
	r := stream(1, 0, laxityStream)
	flagged := [2]int{}
	for range 200 {
		laxity := x.draw(r)
		for i, k := range []int{paperRule, lofRule} {
			flagged[i] += len(rules[k].flag(nil, laxity))
		}
	}
	if all := 200 * maps; 2*flagged[0] < all || 20*flagged[1] > all {
		t.Errorf("LOF > 1 flags %d of %d workers that are alike, the limit 3 %d, want most and hardly any", flagged[0], all, flagged[1])
	}
}

// TestCloserToOne: the paper calls pairs less skewed "the closer the ratio is to 1"; its equation
// gives 0 for equal partitions.
func TestCloserToOne(t *testing.T) {
	for _, c := range []struct {
		sizes []float64
		want  float64
	}{{[]float64{7, 7, 7, 7}, 0}, {[]float64{0, 9, 0, 0}, 75}} {
		if got, err := partition.Skewness(c.sizes); err != nil || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("Skewness(%v) = %v, %v, want %v", c.sizes, got, err, c.want)
		}
	}
}

func TestRules(t *testing.T) {
	laxity := make([]float64, 11) // times 1 to 11
	for i := range laxity {
		laxity[i] = youTube.strict - float64(i+1)
	}
	laxity[10] = youTube.strict - 100
	for _, c := range []struct {
		rule int
		want []int
	}{
		{sparkRule, []int{9, 10}}, // the median is 6
		{madRule, []int{10}},      // deviations 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 94: the limit is 6 + 3 x 1.4826 x 3
	} {
		if got := rules[c.rule].flag(nil, laxity); !slices.Equal(got, c.want) {
			t.Errorf("%s flags %v, want %v", rules[c.rule].name, got, c.want)
		}
	}
}

func TestScenes(t *testing.T) {
	for i := range scenes {
		x := &scenes[i]
		laxity := x.draw(stream(1, i, laxityStream))
		rest := slices.Sorted(slices.Values(laxity[x.slow:]))
		for _, l := range laxity[:x.slow] {
			if i < 3 && l >= rest[0] {
				t.Errorf("%s: laxity %v of an overloaded worker is not below the others, from %v on", x.name, l, rest[0])
			}
		}
		for _, l := range laxity {
			if x.clock > 0 && math.Abs(l/x.clock-math.Round(l/x.clock)) > 1e-6 {
				t.Errorf("%s: laxity %v is no multiple of %v", x.name, l, x.clock)
			}
		}
	}
}

// TestPolynomial: least squares finds a law that is a polynomial of degree 2.
func TestPolynomial(t *testing.T) {
	r := stream(1, 0, runStream)
	law := func(x *estimate.Run) float64 {
		return 1 + x.X[bytes]/1e5 - x.X[cpu]*x.X[memory]/500 + x.X[cpu]*x.X[cpu]/1e4
	}
	var past []estimate.Run
	for range 40 {
		x := twitter.run(1, r)
		x.Time = law(&x)
		past = append(past, x)
	}
	x := twitter.run(1, r)
	if got, want := polynomial(past, &x), law(&x); math.Abs(got-want) > 1e-6*math.Abs(want) {
		t.Errorf("polynomial = %v, want %v", got, want)
	}
}

// TestDecompose: with the uniform kernel and k = n every answer is the mean of the seed's times.
func TestDecompose(t *testing.T) {
	const n = 30
	s := &study{n: 6, Options: report.Options{Seed: 3}}
	got, err := s.decompose(n, knn.Options{Kernel: knn.Uniform}, []int{n})
	if err != nil {
		t.Fatal(err)
	}
	var means []float64
	for i := range s.n {
		r, sum := stream(s.Seed, i, runStream), 0.0
		for range n {
			sum += twitter.run(1, r).Time / n
		}
		means = append(means, sum)
	}
	ask, want := stream(s.Seed, 0, queryStream), decomposition{}
	for range queries {
		truth := twitter.expected(twitter.run(1, ask), 1) * math.Exp(timeSpread*timeSpread/2)
		mean, square := report.Mean(means)/truth-1, 0.0
		for _, m := range means {
			square += math.Pow((m-report.Mean(means))/truth, 2) / float64(s.n-1)
		}
		want.bias += (mean*mean - square/float64(s.n)) / queries
		want.variance += square / queries
	}
	if math.Abs(got[0].bias-want.bias) > 1e-9*want.bias || math.Abs(got[0].variance-want.variance) > 1e-9*want.variance {
		t.Errorf("decompose = %+v, want %+v", got[0], want)
	}
}

// TestSubmit: jobs are as the workload says, whatever the policy, and one job by itself ends at
// the same time under each.
func TestSubmit(t *testing.T) {
	p, err := newPlant(1, 0, natural, jobs)
	if err != nil {
		t.Fatal(err)
	}
	b := p.submit(50, 1, jobs, 0)
	for i, s := range b.specs {
		if within := s.Deadline - s.Arrival; within < b.of[i].strict-1e-9 || within > b.of[i].relaxed+1e-9 {
			t.Errorf("job %d has %v s, want %v or %v", i, within, b.of[i].strict, b.of[i].relaxed)
		}
		sum := 0.0
		for _, v := range b.values[i] {
			sum += v
		}
		if len(s.Maps.Works) != maps || len(s.Reduces.Works) != reduces || math.Abs(sum-float64(b.of[i].values)) > keys {
			t.Errorf("job %d has %d maps, %d reduces and %v values, want %d, %d and %d but for rounding of each key's", i, len(s.Maps.Works), len(s.Reduces.Works), sum, maps, reduces, b.of[i].values)
		}
	}
	one := p.submit(1, 1, jobs, 0)
	var end float64
	for i, c := range contenders {
		result, err := slotmodel.Run(one.cluster, one.specs, c.make(one), slotmodel.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			end = result.End
		}
		want := 0.0 // each task runs on its own worker
		for k, works := range [][]float64{one.specs[0].Maps.Works, one.specs[0].Reduces.Works} {
			longest := 0.0
			for n, w := range works {
				longest = max(longest, w/p.nodes[k*maps+n].Speed)
			}
			want += longest
		}
		if math.Abs(result.End-want) > 1e-9*want || result.End != end {
			t.Errorf("%s: a job alone ends at %v, want %v", c.name, result.End, want)
		}
	}
}

// TestWatcher: a laxity that turns negative after LOF has named its worker, one that is negative
// from the start, and a job on too few workers.
func TestWatcher(t *testing.T) {
	w := watcher{all: map[[2]int32]*warning{}, slow: func(n slotmodel.Node, at float64) bool { return n == 0 && at < 3 }}
	tell := func(now float64, job slotmodel.Job, laxity ...float64) {
		for n, l := range laxity {
			w.report(queues.Report{Time: now, Job: job, Node: slotmodel.Node(n), Laxity: l})
		}
	}
	tell(1, 0, 5, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7, 10.8)
	tell(1, 1, -3, 9)
	tell(2, 0, 3, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7, 10.8)
	tell(2, 2, 10, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7, 10.8)
	tell(4, 0, -1, 9)
	tell(4, 2, 5, 10.1, 10.2, 10.3, 10.4, 10.5, 10.6, 10.7, 10.8)
	w.compare()
	if got, want := *w.all[[2]int32{0, 0}], (warning{1, 4, false, true, true}); got != want {
		t.Errorf("worker 0 of job 0: %v, want %v", got, want)
	}
	never := math.Inf(1)
	if got, want := *w.all[[2]int32{1, 0}], (warning{never, 1, true, true, false}); got != want {
		t.Errorf("worker 0 of job 1: %v, want %v", got, want)
	}
	if got, want := *w.all[[2]int32{2, 0}], (warning{4, never, false, true, false}); got != want {
		t.Errorf("worker 0 of job 2, named when it is slow no more: %v, want %v", got, want)
	}
	if got, want := *w.all[[2]int32{0, 4}], (warning{never, never, false, false, false}); got != want {
		t.Errorf("worker 4 of job 0: %v, want %v", got, want)
	}
}

// bothWays checks that each claim of good holds and none of bad does.
func bothWays(t *testing.T, good, bad []report.Claim) {
	t.Helper()
	for i, c := range good {
		if !c.Holds || bad[i].Holds || bad[i].Note == "" || strings.Contains(c.Model+bad[i].Model, "NaN") {
			t.Errorf("%q: holds %v with %q and %v with %q, want true, false and a note", c.Claim, c.Holds, c.Model, bad[i].Holds, bad[i].Model)
		}
	}
}

func TestRowsCanFail(t *testing.T) {
	near := func(x float64) report.Interval { return report.Interval{Mean: x, Half: .02} }
	bothWays(t, []report.Claim{claim1([]float64{.4, .5, .4}, []float64{.2, .2, .2})}, []report.Claim{claim1([]float64{.1, .3, .1}, []float64{.2, .2, .2})})
	bothWays(t, claims7([]float64{2, 3, 4}), claims7([]float64{6001, 6002, 6000}))
	bothWays(t, driftClaims(near(.9), near(1.01), near(.9)), driftClaims(near(1.01), near(1.04), near(1.1)))
	bothWays(t, []report.Claim{intervalClaim(near(.5))}, []report.Claim{intervalClaim(near(.79))})
}

// TestEvery: an interval on the wrong side settles it, one that holds x leaves it open.
func TestEvery(t *testing.T) {
	below, holds, above := report.Interval{Mean: .5, Half: .1}, report.Interval{Mean: 1, Half: .1}, report.Interval{Mean: 1.5, Half: .1}
	for _, c := range []struct {
		list        []report.Interval
		yes, closed bool
	}{{[]report.Interval{below, below}, true, false}, {[]report.Interval{below, holds}, false, true}, {[]report.Interval{holds, above, below}, false, false}} {
		if got := every(report.Claim{}, c.list, 1, report.Claim.Below); got.Holds != c.yes || got.Close != c.closed {
			t.Errorf("every(%v, below 1) holds %v, is close %v, want %v, %v", c.list, got.Holds, got.Close, c.yes, c.closed)
		}
	}
}

// TestJoinedClaimsCanFail: LOF names each overloaded worker in time, or the wrong ones too late.
func TestJoinedClaimsCanFail(t *testing.T) {
	never := math.Inf(1)
	made := func(missed []float64, list ...warning) []report.Claim {
		var seeds []joint
		for seed := range 3 {
			x := joint{warnings: map[[2]int32]*warning{}}
			for _, m := range missed {
				x.missed = append(x.missed, m+.01*float64(seed))
			}
			for i := range list {
				x.warnings[[2]int32{0, int32(i)}] = &list[i]
			}
			seeds = append(seeds, x)
		}
		return joinedClaims(seeds)
	}
	inTime, lost, falseAlarm := warning{1, 4, false, true, true}, warning{never, 1, true, true, false}, warning{lof: 1, negative: never}
	bothWays(t, made([]float64{90, 85, 80, 70, 50, 40, 60, 45, 42, 30}, inTime, inTime, lost, warning{lof: never, negative: never}),
		made([]float64{1, 1, 1, 2, 3, 4, 2, 5, 6, 7}, warning{5, 4, false, true, false}, warning{never, 4, false, true, false}, lost, falseAlarm))
}

// TestDeadlineClaimsCanFail: each claim of Figure 5 holds on numbers made for it, and does not
// where LLF does worst.
func TestDeadlineClaimsCanFail(t *testing.T) {
	made := func(missed func(contender, jobs int) float64) []report.Claim {
		all := make(deadlineStudy, 3)
		for seed, factor := range []float64{1, 1.01, .99} {
			for m := range mixes {
				for i, n := range concurrent {
					for k := range contenders {
						all[seed][m][i][k] = missed(k, n) * factor
					}
				}
			}
		}
		return all.claims()
	}
	good := [...]float64{fifoQueue: 30, fairQueue: 40, edfQueue: 20, llfQueue: 5, edfLateQueue: 10, llfAheadQueue: 6, llfJobQueue: 4.5, llfPreemptQueue: 3, turnsQueue: 40}
	for i, c := range made(func(k, n int) float64 { return good[k] * max(0, float64(n)-4) }) {
		if !c.Holds {
			t.Errorf("claim %d, %q, does not hold: %s", i, c.Claim, c.Model)
		}
	}
	bad := [...]float64{fifoQueue: 3, fairQueue: 4, edfQueue: 2, llfQueue: 15, edfLateQueue: 1, llfAheadQueue: 5, llfJobQueue: 17, llfPreemptQueue: 18, turnsQueue: 1}
	for i, c := range made(func(k, _ int) float64 { return bad[k] }) {
		if c.Holds || c.Note == "" {
			t.Errorf("claim %d, %q, holds or has no note: %s", i, c.Claim, c.Model)
		}
	}
}
