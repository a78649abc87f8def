package policy_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
)

// plainSRPT is SRPT with preemption that reckons everything anew whenever it looks. Works have to add up exactly.
type plainSRPT struct {
	suspend, overtake bool
	asleep            []slotmodel.Attempt // in the order in which they were suspended
}

func (p *plainSRPT) Observe(_ *slotmodel.View, e slotmodel.Event) {
	switch e.Type {
	case slotmodel.Suspends:
		p.asleep = append(p.asleep, e.Attempt)
	case slotmodel.Resumes, slotmodel.Killed, slotmodel.Crashed:
		p.asleep = slices.DeleteFunc(p.asleep, func(x slotmodel.Attempt) bool { return x == e.Attempt })
	}
}

// left returns the work left of a job.
func (p *plainSRPT) left(v *slotmodel.View, j slotmodel.Job) float64 {
	first := 0
	for i := range j {
		first += v.Spec(i).Maps.Tasks + v.Spec(i).Reduces.Tasks
	}
	s := v.Spec(j)
	var left [2]float64
	for k, phase := range []*slotmodel.Phase{&s.Maps, &s.Reduces} {
		kind := slotmodel.Kind(k)
		done := 0.0
		for t := v.NextPending(j, kind, slotmodel.None); t != slotmodel.None; t = v.NextPending(j, kind, t) {
			left[k] += phase.Of(int(t) - first)
		}
		for a := v.Newest(j, kind); a != slotmodel.None; a = v.Older(a) {
			info := v.Attempt(a)
			work := phase.Of(int(info.Task) - first)
			left[k] += work
			done += float64(info.Progress * work)
		}
		left[k] = max(0, left[k]-done)
		first += s.Maps.Tasks
	}
	return left[0] + left[1]
}

// before orders jobs by what they have left.
func (p *plainSRPT) before(v *slotmodel.View) func(a, b slotmodel.Job) int {
	return func(a, b slotmodel.Job) int {
		return cmp.Or(cmp.Compare(p.left(v, a), p.left(v, b)), cmp.Compare(v.Spec(a).Arrival, v.Spec(b).Arrival), cmp.Compare(a, b))
	}
}

// first returns the first job that may start, or that all others wait for.
func (p *plainSRPT) first(v *slotmodel.View, k slotmodel.Kind) slotmodel.Job {
	all := runnable(v, k)
	slices.SortFunc(all, p.before(v))
	for _, j := range all {
		if w := wide(v.Spec(j)); w == 1 || w <= v.FreeSlots(k) || !p.overtake && w <= v.Slots(k) {
			return j
		}
	}
	return slotmodel.None
}

// start lets the first job start on a node, and reports whether it could.
func (p *plainSRPT) start(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind, n slotmodel.Node) bool {
	j := p.first(v, k)
	switch {
	case j == slotmodel.None:
		return false
	case wide(v.Spec(j)) == 1:
		return a.Start(j, k, n)
	case wide(v.Spec(j)) > v.FreeSlots(k):
		return false
	}
	var on []slotmodel.Node
	for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; n = v.NextFree(k, n) {
		for i := 0; i < v.Free(n, k) && len(on) < wide(v.Spec(j)); i++ {
			on = append(on, n)
		}
	}
	return a.StartGang(j, on)
}

func (p *plainSRPT) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	for _, k := range []slotmodel.Kind{slotmodel.Map, slotmodel.Reduce, slotmodel.Map} {
		for n := v.NextFree(k, slotmodel.None); n != slotmodel.None; n = v.NextFree(k, n) {
			for v.Free(n, k) > 0 {
				var here []slotmodel.Attempt
				for _, x := range p.asleep {
					if info := v.Attempt(x); info.Node == n && info.Kind == k {
						here = append(here, x)
					}
				}
				before := p.before(v)
				slices.SortStableFunc(here, func(x, y slotmodel.Attempt) int { return before(v.Attempt(x).Job, v.Attempt(y).Job) })
				if len(here) > 0 {
					if j := p.first(v, k); j == slotmodel.None || before(v.Attempt(here[0]).Job, j) <= 0 {
						a.Resume(here[0])
						continue
					}
				}
				if !p.start(v, a, k, n) {
					break
				}
			}
		}
		p.preempt(v, a, k)
	}
}

// next returns the job that may take slots away; None when there is none.
func (p *plainSRPT) next(v *slotmodel.View, k slotmodel.Kind) slotmodel.Job {
	all := runnable(v, k)
	slices.SortFunc(all, p.before(v))
	for _, j := range all {
		if w := wide(v.Spec(j)); w == 1 {
			return j
		} else if !p.overtake && w <= v.Slots(k) {
			return slotmodel.None
		}
	}
	return slotmodel.None
}

func (p *plainSRPT) preempt(v *slotmodel.View, a *slotmodel.Actions, k slotmodel.Kind) {
	var all []slotmodel.Job
	for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
		if wide(v.Spec(j)) == 1 {
			all = append(all, j)
		}
	}
	before := p.before(v)
	slices.SortFunc(all, func(x, y slotmodel.Job) int { return before(y, x) })
	for _, j := range all {
		for x := v.Newest(j, k); x != slotmodel.None; {
			next := p.next(v, k)
			if next == slotmodel.None || p.left(v, j) <= p.left(v, next) {
				break
			}
			older, info := v.Older(x), v.Attempt(x)
			if info.Stage != slotmodel.Suspended && (!p.suspend && a.Kill(x) || p.suspend && v.CanSuspend(x) && a.Suspend(x)) {
				a.Start(next, k, info.Node)
			}
			x = older
		}
	}
}

// SRPT preempts to the bit as it would if it reckoned everything anew.
func TestSRPTIsPlain(t *testing.T) {
	const runs = 3000
	kills, suspensions := 0, 0
	draw := rapid.Custom(func(t *rapid.T) func(testing.TB) {
		c := drawCluster(t)
		c.ResumeCost = drawWork(t, "resume cost") / 4
		jobs := drawJobs(t, len(c.Nodes))
		gangs := rapid.Bool().Draw(t, "gangs")
		for i := range jobs {
			jobs[i].Rigid = jobs[i].Rigid && gangs
		}
		suspend, overtake := rapid.Bool().Draw(t, "suspend"), rapid.Bool().Draw(t, "overtake")
		return func(t testing.TB) {
			p := &policy.SRPT{Preempt: policy.PreemptKill, Overtake: overtake}
			if suspend {
				p.Preempt = policy.PreemptSuspend
			}
			got, err := slotmodel.Run(c, jobs, p, slotmodel.Options{Hash: true})
			want, plain := slotmodel.Run(c, jobs, &plainSRPT{suspend: suspend, overtake: overtake}, slotmodel.Options{Hash: true})
			if err != nil || plain != nil {
				t.Fatalf("Run(SRPT) failed: %v; reckoned anew: %v", err, plain)
			}
			if got.Hash != want.Hash || got.Events != want.Events {
				t.Fatalf("SRPT, suspend %v, overtake %v: %d events with hash %x, reckoned anew %d with %x", suspend, overtake, got.Events, got.Hash, want.Events, want.Hash)
			}
			kills, suspensions = kills+got.Totals.Kills, suspensions+got.Totals.Suspensions
		}
	})
	for seed := range runs {
		draw.Example(seed)(t)
	}
	if kills < 1000 || suspensions < 1000 {
		t.Errorf("%d kills and %d suspensions, want 1000 each: the workloads test nothing", kills, suspensions)
	}
}
