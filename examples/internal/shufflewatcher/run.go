package shufflewatcher

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// A cell is one scheduler in one setting.
type cell struct {
	setting
	*contender
}

// A jobOutcome is what became of a job that ended in the window. Bytes are those that moved between
// racks, or within.
type jobOutcome struct {
	number                int
	class                 class
	sojourn               float64
	read, shuffle, inside float64
	maps, reduces, shared float64 // mean maps at once while there is one, reduces likewise, share of the map phase with a shuffle beside it
}

// An outcome is one run.
type outcome struct {
	jobs   []jobOutcome
	hours  float64    // of the window
	load   []float64  // share of the racks' links in use, out of the racks, for each sample of the window
	slots  [2]float64 // share of the slots in use, by kind
	busy   float64    // share of the racks and of the window's samples with more than 80% in use
	unfair float64    // mean over the window's samples of the mean difference of a user's slots from an equal share, over the share
	report shufflewatcher.Report
	// Where tasks of heavy jobs ran: meter.places.
	concentration, kept float64
	expected            float64 // bytes that SAMP's plans of the window's jobs predict to cross racks
}

// sampled is the period of the series, in s.
const sampled = 30

// run runs one replication of a cell.
func (s *study) run(c cell, replication int) (*outcome, error) {
	cluster := c.cluster()
	stream := func(p workload.Purpose) *rand.Rand {
		return rand.New(workload.Stream(s.Seed, p, uint64(s.seeds.At(replication))))
	}
	l, err := c.draw(stream, s.until, cluster)
	if err != nil {
		return nil, err
	}
	for j := range l.specs {
		if c.watch != nil {
			l.specs[j].Slowstart = 0 // the ShuffleWatcher says when reduces may start
		} else if c.late || c.fixed == fixedByOutput {
			l.specs[j].Slowstart = 1
		}
	}
	p, w := c.policy(c.setting)
	m := &meter{cluster, make([]meterJob, len(l.specs))}
	options := slotmodel.Options{Period: sampled, Log: m.log}
	if !c.backlog {
		options.Until = s.until
	}
	r, err := slotmodel.Run(cluster, l.specs, p, options)
	if err != nil {
		return nil, err
	}
	users, jobs := c.atOnce()
	last := r.Jobs[len(r.Jobs)-users*jobs:]
	if !c.backlog && slices.ContainsFunc(last, func(j slotmodel.JobResult) bool { return j.Finish >= 0 }) {
		return nil, fmt.Errorf("shufflewatcher: a user has no more jobs at %v s under %s", s.until, c.name)
	}
	return s.measure(c.setting, l, r, m, w), nil
}

// measure takes from a run what the figures need: of a backlog all, of a closed loop what ends in
// the window.
func (s *study) measure(set setting, l load, r *slotmodel.Result, m *meter, w *shufflewatcher.Chooser) *outcome {
	from, until := s.from, s.until
	if set.backlog {
		from, until = 0, 0
		for i := range r.Jobs {
			until = max(until, r.Jobs[i].Finish)
		}
	}
	o := &outcome{hours: (until - from) / 3600, report: w.Report()}
	o.concentration, o.kept = m.places(l.specs)
	for i := range r.Jobs {
		x := &r.Jobs[i]
		if x.Finish < from || x.Finish > until {
			continue
		}
		j := &m.jobs[i]
		o.jobs = append(o.jobs, jobOutcome{number: i, class: l.class(i), sojourn: x.Finish - x.Arrival, read: x.CrossRack.Read, shuffle: x.CrossRack.Shuffle, inside: x.InRack.Shuffle,
			maps: j.mapSlots / j.mapSeconds, reduces: j.reduceSlots / j.reduceSeconds, shared: j.shared / j.mapSeconds})
		plan, _ := w.Plan(slotmodel.Job(i))
		o.expected += plan.RemoteMap + plan.CrossShuffle
	}
	samples := 0.
	for _, x := range r.Series {
		if x.Time < from || x.Time > until {
			continue
		}
		samples++
		sum := 0.0
		for q, rate := range x.Egress {
			sum += rate / set.link()
			if max(rate, x.Ingress[q]) > .8*set.link() {
				o.busy += 1 / float64(len(x.Egress))
			}
		}
		o.load = append(o.load, sum/float64(len(x.Egress)))
		o.unfair += unequal(x.Users)
		for k := range o.slots {
			o.slots[k] += x.Running[k] / x.Slots[k]
		}
	}
	o.busy /= samples
	o.unfair /= samples
	for k := range o.slots {
		o.slots[k] /= samples
	}
	return o
}

// unequal is the mean difference of the users' slots from an equal share, over the share; users
// without jobs do not count.
func unequal(users []slotmodel.UserSample) float64 {
	var slots []float64
	for _, u := range users {
		if u.Entitled > 0 {
			slots = append(slots, u.Slots[slotmodel.Map]+u.Slots[slotmodel.Reduce])
		}
	}
	share, sum := numbers.Mean(slots), 0.0
	for _, x := range slots {
		sum += math.Abs(x - share)
	}
	if !(share > 0) {
		return 0
	}
	return sum / share / float64(len(slots))
}

// ensure runs the cells that have not been run.
func (s *study) ensure(what string, cells ...cell) error {
	type piece struct {
		cell
		replication int
	}
	var pieces []piece
	for _, c := range cells {
		if c = s.fit(c); s.outcomes[c] != nil || slices.Contains(pieces, piece{c, 0}) {
			continue
		}
		for i := range s.seeds.N {
			pieces = append(pieces, piece{c, i})
		}
	}
	list, err := program.Each(s.terminal, "shufflewatcher: "+what, len(pieces), func(i int) (*outcome, error) {
		return s.simulate(pieces[i].cell, pieces[i].replication)
	})
	if err != nil {
		return err
	}
	for i, p := range pieces {
		s.outcomes[p.cell] = append(s.outcomes[p.cell], list[i])
	}
	return nil
}

// runs are the runs of a cell.
func (s *study) runs(c cell) []*outcome { return s.outcomes[s.fit(c)] }

// fit is a cell on the cluster of a quick run. Ties are ShuffleWatcher's alone, and so are windows
// and thresholds.
func (s *study) fit(c cell) cell {
	c.small = c.small || s.Quick
	if c.watch == nil {
		c.ties, c.window, c.saturation, c.completion = false, 0, 0, 0
	}
	if s.Quick {
		c.perUser = max(1, cmp.Or(c.perUser, 12)/3)
	}
	return c
}
