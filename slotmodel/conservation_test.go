package slotmodel_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
)

var seedFlag = flag.Uint64("seed", 0, "run TestConservation with this seed only")

// play runs a case and checks its log.
func play(c *slotmodel.Cluster, jobs []slotmodel.JobSpec, p slotmodel.Policy, o slotmodel.Options) (*replay, *slotmodel.Result, error) {
	log := newReplay(c, jobs, o)
	o.Log = log.event
	res, err := slotmodel.Run(c, jobs, p, o)
	if res != nil {
		log.agree(res)
	}
	if err == nil {
		for j, r := range res.Jobs {
			if r.Outcome == slotmodel.Unended && o.Until == 0 {
				log.fail("job %d of a run without a limit is unended: %+v", j, r)
			}
		}
	}
	return log, res, err
}

// TestConservation: on random clusters, workloads, policies and faults, without a network, the log
// and the results obey the laws that replay knows.
func TestConservation(t *testing.T) {
	cases := affordable(4000)
	bad := 0
	outcomes := map[slotmodel.Outcome]int{}
	totals := slotmodel.Totals{}
	for seed := uint64(1); seed <= uint64(cases); seed++ {
		if *seedFlag != 0 && seed != *seedFlag {
			continue
		}
		g := &randomCase{r: rand.New(rand.NewPCG(seed, 77)), fraction: seed%4 == 0}
		c := g.cluster()
		overload(c, seed)
		if seed%5 == 0 {
			c.Speed = func(l slotmodel.Load) float64 {
				return 1 / (1 + .1*float64(l.Running[mapK]) + .02*float64(l.Tasks[mapK]))
			}
		}
		jobs := g.jobs(c)
		if seed%3 == 1 {
			follow(g.r, jobs)
		}
		o := g.options()
		p := g.policy()
		log, res, err := play(c, jobs, p, o)
		if err != nil {
			log.fail("Run returned %v", err)
		}
		for _, j := range res.Jobs {
			outcomes[j.Outcome]++
		}
		totals.Kills += res.Totals.Kills
		totals.Crashes += res.Totals.Crashes
		totals.Reruns += res.Totals.Reruns
		totals.Suspensions += res.Totals.Suspensions
		if len(log.faults) > 0 {
			if bad++; bad <= 3 {
				t.Errorf("seed %d, policy %T, options %+v:\n  %s", seed, p, o, strings.Join(log.faults, "\n  "))
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d cases fail", bad, cases)
	}
	t.Logf("outcomes %v, %d kills, %d crashes, %d reruns, %d suspensions", fmt.Sprint(outcomes), totals.Kills, totals.Crashes, totals.Reruns, totals.Suspensions)
	if *seedFlag == 0 && (len(outcomes) < 6 || totals.Kills < cases || totals.Crashes < cases || totals.Reruns < cases/10 || totals.Suspensions < cases) {
		t.Errorf("the cases are too tame: outcomes %v, %+v", outcomes, totals)
	}
}

// TestConservationFluid is the same with a fluid network: besides, bytes are accounted for and no
// link is overloaded.
func TestConservationFluid(t *testing.T) {
	cases := affordable(2000)
	bad, died, declared := 0, 0, 0
	for seed := uint64(1); seed <= uint64(cases); seed++ {
		if *seedFlag != 0 && seed != *seedFlag {
			continue
		}
		g := &randomCase{r: rand.New(rand.NewPCG(seed, 79)), fluid: true, fraction: seed%2 == 0, peace: seed%3 == 0}
		c := g.cluster()
		overload(c, seed)
		jobs := g.jobs(c)
		o := g.options()
		p := g.policy()
		log, res, err := play(c, jobs, p, o)
		if err != nil {
			log.fail("Run returned %v", err)
		}
		log.bytes(res)
		if log.died {
			died++
		}
		done := true
		for _, j := range res.Jobs {
			done = done && j.Outcome == slotmodel.Finished
		}
		if b := res.Totals; done && !log.died && b.Reruns == 0 {
			declared++
			log.check(nearBytes(b.CrossRack.Shuffle+b.InRack.Shuffle, log.needed, log.needed), "%v + %v bytes shuffled, jobs declare %v", b.CrossRack.Shuffle, b.InRack.Shuffle, log.needed)
		}
		if len(log.faults) > 0 {
			if bad++; bad <= 3 {
				t.Errorf("seed %d, policy %T, options %+v:\n  %s", seed, p, o, strings.Join(log.faults, "\n  "))
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d cases fail", bad, cases)
	}
	t.Logf("attempts died in %d of %d cases; in %d everything ran once", died, cases, declared)
	if *seedFlag == 0 && (died < cases/3 || declared < cases/20) {
		t.Errorf("attempts died in %d of %d cases, in %d everything ran once: want more of both", died, cases, declared)
	}
}

// bytes checks what the network moved. What jobs declare is what it has to move for the tasks that
// ended; what attempts that died had got is lost, and what those under way have got comes on top.
func (p *replay) bytes(res *slotmodel.Result) {
	t := &res.Totals
	var crossed, stayed slotmodel.Bytes
	for j := range res.Jobs {
		p.jobBytes(slotmodel.Job(j), &res.Jobs[j])
		for _, x := range []struct{ sum, of *slotmodel.Bytes }{{&crossed, &res.Jobs[j].CrossRack}, {&stayed, &res.Jobs[j].InRack}} {
			x.sum.Read += x.of.Read
			x.sum.Shuffle += x.of.Shuffle
			x.sum.Output += x.of.Output
		}
	}
	for _, x := range []struct{ jobs, all slotmodel.Bytes }{{crossed, t.CrossRack}, {stayed, t.InRack}} {
		p.check(nearBytes(x.jobs.Read, x.all.Read, x.all.Read) && nearBytes(x.jobs.Shuffle, x.all.Shuffle, x.all.Shuffle) && nearBytes(x.jobs.Output, x.all.Output, x.all.Output),
			"the jobs moved %+v in sum, in all %+v", x.jobs, x.all)
	}
	total := func(f func(slotmodel.Bytes) float64) float64 { return f(t.CrossRack) + f(t.InRack) }
	shuffled := total(func(b slotmodel.Bytes) float64 { return b.Shuffle })
	read := total(func(b slotmodel.Bytes) float64 { return b.Read })
	written := total(func(b slotmodel.Bytes) float64 { return b.Output })
	if p.racks() == 1 {
		p.output = 0
	}
	sum := shuffled + read + written
	at := func(what string, got, declared float64) {
		if !p.died && len(p.live) == 0 {
			p.check(nearBytes(got, declared, declared), "%s: %v bytes, jobs declare %v", what, got, declared)
		} else {
			p.check(got >= declared-1e-9*(declared+sum), "%s: %v bytes, less than what ended tasks needed, %v", what, got, declared)
		}
	}
	at("shuffle", shuffled, p.shuffled)
	p.check(p.shuffled >= p.needed*(1-1e-12), "reduces that got through had %v bytes, finished jobs declare %v", p.shuffled, p.needed)
	at("output", written, p.output)
	p.check(t.Lost >= 0 && t.Lost <= sum*(1+1e-9), "Totals.Lost = %v of %v bytes moved", t.Lost, sum)
	p.check(p.died || t.Lost == 0, "Totals.Lost = %v and no attempt died", t.Lost)
	if len(p.live) == 0 {
		over := sum - (p.shuffled + p.output + p.fetched + t.Lost)
		p.check(math.Abs(over) <= 1e-9*sum, "%v shuffled + %v read + %v written, want %v + %v + %v + %v lost", shuffled, read, written, p.shuffled, p.fetched, p.output, t.Lost)
	}
}

// jobBytes checks what was moved for one job: what it declares when it has finished, no attempt of
// any job has died and no map ran twice; nothing negative and nothing for what it does not declare.
func (p *replay) jobBytes(j slotmodel.Job, r *slotmodel.JobResult) {
	spec := &p.jobs[j]
	for _, x := range []struct {
		what              string
		across, in, asked float64
	}{{"read", r.CrossRack.Read, r.InRack.Read, spec.Input}, {"shuffled", r.CrossRack.Shuffle, r.InRack.Shuffle, spec.Shuffle}, {"written", r.CrossRack.Output, r.InRack.Output, spec.Output}} {
		p.check(x.across >= 0 && x.in >= 0 && (x.asked > 0 || x.across+x.in == 0), "job %d: %v and %v bytes %s, of %v", j, x.across, x.in, x.what, x.asked)
	}
	if r.Outcome != slotmodel.Finished || p.died || p.reruns > 0 {
		return
	}
	if spec.Maps.Tasks > 0 && spec.Reduces.Tasks > 0 {
		got := r.CrossRack.Shuffle + r.InRack.Shuffle
		p.check(nearBytes(got, spec.Shuffle, spec.Shuffle), "job %d shuffled %v bytes, declares %v", j, got, spec.Shuffle)
	}
	if got := r.CrossRack.Output + r.InRack.Output; p.racks() > 1 && spec.Maps.Tasks+spec.Reduces.Tasks > 0 {
		p.check(nearBytes(got, spec.Output, spec.Output), "job %d wrote %v bytes, declares %v", j, got, spec.Output)
	}
	p.check(r.CrossRack.Read+r.InRack.Read <= spec.Input*(1+1e-9), "job %d read %v and %v bytes, declares %v", j, r.CrossRack.Read, r.InRack.Read, spec.Input)
}

// nearBytes is near for what many flows sent: running sums of bytes, hence 1e-9.
func nearBytes(a, b, scale float64) bool { return a-b <= 1e-9*scale && b-a <= 1e-9*scale }

// affordable is how many of some cases are played: a fifth under -short.
func affordable(cases int) int {
	if testing.Short() {
		return cases / 5
	}
	return cases
}
