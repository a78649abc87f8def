package fluid_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// rounding of sums of finish times, relative.
const rounding = 1e-12

// mustRun is a run that ends, in which Little's law holds: the time integral of the number of jobs in
// the system is the sum of their sojourn times.
func mustRun(t *testing.T, in instance) *fluid.Result {
	t.Helper()
	res, err := fluid.Run(in.slots, in.jobs, in.p)
	if err != nil {
		t.Fatalf("%v: %v", in, err)
	}
	sum := res.MeanSojourn() * float64(len(in.jobs))
	if !(math.Abs(res.Area-sum) <= 1e-12*sum) { // each of some thousand terms is rounded
		t.Errorf("%d jobs under %v: area %v, sum of sojourns %v", len(in.jobs), in.p, res.Area, sum)
	}
	return res
}

func (in instance) with(p fluid.Policy) instance {
	in.p = p
	return in
}

// each draws instances of one kind and calls law with them.
func each(t *testing.T, cases int, k kind, law func(rng *rand.Rand, in instance)) {
	t.Helper()
	if testing.Short() {
		cases = max(1, cases/5)
	}
	rng := rand.New(rand.NewPCG(2, uint64(k.n)))
	for range cases {
		if in := k.draw(rng, fluid.PS{}); !t.Failed() {
			law(rng, in)
		}
	}
}

var byFinish = []fluid.Policy{fluid.FSP{}, fluid.FSP{Late: fluid.LateFirst}, fluid.FSP{Late: fluid.LateLeastAttained}, fluid.FSP{Late: fluid.LateNext}}

// Every policy has the same busy periods, whatever the estimates, and no slot idles in them. With exact sizes nobody is
// later under FSP than under PS with the same weights (Friedman and Henderson 2003), and SRPT has the
// least sum of sojourn times.
func TestOneServer(t *testing.T) {
	for _, k := range []kind{{n: 30}, {n: 30, weights: true}, {n: 20, weights: true, real: true},
		{n: 20, estimates: true}, {n: 20, estimates: true, weights: true, real: true}, {n: 400, estimates: true, real: true}} {
		each(t, min(400, 8000/k.n), k, func(rng *rand.Rand, in instance) {
			ps := mustRun(t, in)
			want, work := busy(in.jobs, ps.Finish)
			in.noneIdle(t, want, work)
			least := mustRun(t, in.with(fluid.SRPT{})).MeanSojourn()
			for _, p := range everyPolicy {
				res := mustRun(t, in.with(p))
				got, _ := busy(in.jobs, res.Finish)
				if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= rounding*b }) {
					t.Errorf("%v: busy periods end at %v, under ps at %v", in.with(p), got, want)
				}
				if m := res.MeanSojourn(); !k.estimates && !(least <= m*(1+rounding)) {
					t.Errorf("%v: mean sojourn %v, under srpt %v", in.with(p), m, least)
				}
				for i, end := range res.Finish {
					if slices.Contains(byFinish, p) && !k.estimates && !(end <= ps.Finish[i]*(1+rounding)) {
						t.Errorf("%v: job %d finishes at %v, under ps at %v", in.with(p), i, end, ps.Finish[i])
					}
				}
			}
		})
	}
}

// noneIdle fails if a slot idles in a busy period.
func (in instance) noneIdle(t *testing.T, ends, work []float64) {
	t.Helper()
	from := 0.0
	for k, end := range ends {
		start := math.Inf(1)
		for _, j := range in.jobs {
			if j.Size > 0 && j.Arrival >= from {
				start = min(start, j.Arrival)
			}
		}
		if c := in.slots * (end - start); work[k] > 0 && !(math.Abs(c-work[k]) <= 1e-9*work[k]) {
			t.Errorf("%v: capacity %v from %v to %v for work %v", in, c, start, end, work[k])
		}
		from = end * (1 - rounding)
	}
}

// busy lists the times at which the system becomes empty, and the work done since it was empty
// before.
func busy(jobs []fluid.Job, finish []float64) (ends, work []float64) {
	order := make([]int, len(jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(jobs[a].Arrival, jobs[b].Arrival) })
	end, sum := 0.0, 0.0
	for _, i := range order {
		if jobs[i].Size == 0 {
			continue
		}
		if jobs[i].Arrival > end*(1+rounding) && sum > 0 {
			ends, work = append(ends, end), append(work, sum)
			sum = 0
		}
		end, sum = max(end, finish[i]), sum+jobs[i].Size
	}
	return append(ends, end), append(work, sum)
}

// The virtual system's finish times are PS run on the estimates.
func TestVirtualIsPS(t *testing.T) {
	for _, k := range []kind{{n: 30, estimates: true}, {n: 30, weights: true, estimates: true}, {n: 20, weights: true, estimates: true, real: true}} {
		each(t, 500, k, func(rng *rand.Rand, in instance) {
			p := everyPolicy[rng.IntN(len(everyPolicy))]
			if _, ok := p.(fluid.FSP); !ok {
				p = fluid.FSP{}
			}
			got := mustRun(t, in.with(p))
			ps := in.with(fluid.PS{})
			ps.jobs = slices.Clone(in.jobs)
			for i := range ps.jobs {
				ps.jobs[i].Size = ps.jobs[i].Estimate
			}
			want := mustRun(t, ps)
			for i := range in.jobs {
				if !(math.Abs(got.Virtual[i]-want.Finish[i]) <= 1e-15*want.Finish[i]) {
					t.Errorf("%v: virtual finish of job %d is %v, ps on the estimates gives %v", in.with(p), i, got.Virtual[i], want.Finish[i])
				}
			}
		})
	}
}

// stretched is in with all times multiplied by f.
func (in instance) stretched(f float64) instance {
	in.jobs = slices.Clone(in.jobs)
	for i := range in.jobs {
		in.jobs[i].Arrival *= f
		in.jobs[i].Size *= f
		in.jobs[i].Estimate *= f
	}
	return in
}

var mixed = []kind{
	{n: 30, estimates: true}, {n: 20, estimates: true, weights: true}, {n: 20, estimates: true, weights: true, real: true},
}

// Powers of two scale the answer bit for bit.
func TestScalingExactly(t *testing.T) {
	for _, k := range mixed {
		each(t, 150, k, func(rng *rand.Rand, in instance) {
			f := math.Ldexp(1, rng.IntN(301)-150)
			for _, p := range everyPolicy {
				a, b := mustRun(t, in.with(p)), mustRun(t, in.with(p).stretched(f))
				for i := range in.jobs {
					if a.Finish[i]*f != b.Finish[i] || a.Sojourn[i]*f != b.Sojourn[i] || a.Virtual != nil && a.Virtual[i]*f != b.Virtual[i] {
						t.Errorf("%v: job %d finishes at %v, stretched by %v at %v", in.with(p), i, a.Finish[i], f, b.Finish[i])
					}
				}
				if a.Area*f != b.Area {
					t.Errorf("%v: area is %v, stretched by %v %v", in.with(p), a.Area, f, b.Area)
				}
			}
		})
	}
}

// Other factors scale it to rounding; that rounding can part what is equal, so that no two instants
// are.
func TestScalingNearly(t *testing.T) {
	const tol = 1e-9 // the inputs are rounded to 1e-16 and sums of jobs differ by orders of magnitude
	each(t, 300, kind{n: 12, weights: true, real: true}, func(rng *rand.Rand, in instance) {
		for i := range in.jobs {
			in.jobs[i].Estimate = in.jobs[i].Size * math.Exp(rng.NormFloat64())
		}
		for _, f := range []float64{1e-9, 1e9} {
			for _, p := range everyPolicy {
				a, b := mustRun(t, in.with(p)), mustRun(t, in.with(p).stretched(f))
				for i := range in.jobs {
					if !(math.Abs(a.Finish[i]*f-b.Finish[i]) <= tol*b.Finish[i]) {
						t.Errorf("%v: job %d finishes at %v, stretched by %v at %v", in.with(p), i, a.Finish[i], f, b.Finish[i])
					}
				}
			}
		}
	})
}

// Permuting distinct jobs permutes the answer bit for bit.
func TestPermuting(t *testing.T) {
	each(t, 300, kind{n: 15, weights: true, estimates: true, real: true}, func(rng *rand.Rand, in instance) {
		for i := range in.jobs {
			in.jobs[i].Estimate = 100 * rng.Float64()
		}
		perm := rng.Perm(len(in.jobs))
		other := in
		other.jobs = make([]fluid.Job, len(perm))
		for i, k := range perm {
			other.jobs[k] = in.jobs[i]
		}
		for _, p := range everyPolicy {
			a, b := mustRun(t, in.with(p)), mustRun(t, other.with(p))
			for i, k := range perm {
				if a.Finish[i] != b.Finish[k] || a.Sojourn[i] != b.Sojourn[k] || a.Virtual != nil && a.Virtual[i] != b.Virtual[k] {
					t.Errorf("%v: job %d finishes at %v, permuted to %d at %v", in.with(p), i, a.Finish[i], k, b.Finish[k])
				}
			}
		}
	})
}

// sized makes jobs of exact size from (arrival, size, weight).
func sized(rows ...[3]float64) []fluid.Job {
	var jobs []fluid.Job
	for _, r := range rows {
		jobs = append(jobs, fluid.Job{Arrival: r[0], Size: r[1], Estimate: r[1], Weight: r[2]})
	}
	return jobs
}

func (in instance) wantFinish(t *testing.T, want ...float64) {
	t.Helper()
	res := mustRun(t, in)
	for i, w := range want {
		if !(math.Abs(res.Finish[i]-w) <= ulps*w) {
			t.Errorf("%v: finish times are %v, want %v", in, res.Finish, want)
			return
		}
	}
}

// Figure 1 of the HFSP paper.
func TestFigure1(t *testing.T) {
	in := instance{slots: 1, jobs: sized([3]float64{0, 30}, [3]float64{10, 10}, [3]float64{15, 10})}
	in.with(fluid.PS{}).wantFinish(t, 50, 37.5, 42.5)
	in.with(fluid.SRPT{}).wantFinish(t, 50, 20, 30)
	for _, p := range byFinish {
		in.with(p).wantFinish(t, 50, 20, 30)
	}
}

// By virtual work nobody-is-later-than-under-PS fails once weights differ: the documentation is
// right to restrict that law.
func TestByWorkBreaksLaw(t *testing.T) {
	in := instance{slots: 1, jobs: sized([3]float64{0, 12, 5}, [3]float64{0, 5, 1})}
	in.with(fluid.PS{}).wantFinish(t, 14.4, 17)
	in.with(fluid.FSP{ByWork: true}).wantFinish(t, 17, 5)
}
