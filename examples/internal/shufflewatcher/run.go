package shufflewatcher

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// A cell is one scheduler in one setting.
type cell struct {
	setting
	*contender
}

// A jobOutcome is what became of a job that arrived in the window. Bytes are those that moved
// between racks, or within.
type jobOutcome struct {
	class                 class
	sojourn               float64
	read, shuffle, inside float64
	maps, reduces, shared float64 // mean maps at once while there is one, reduces likewise, share of the map phase with a shuffle beside it
}

// An outcome is one run.
type outcome struct {
	jobs   []jobOutcome
	ended  [classes + 1]int // jobs that ended in the window, by class, and all
	hours  float64          // of the window
	load   []float64        // share of the racks' links in use, out of the racks, for each sample of the window
	busy   float64          // share of the racks and of the window's samples with more than 80% in use
	unfair float64          // mean over the window's samples of the mean difference of a user's slots from an equal share, over the share
	report shufflewatcher.Report
	// Where tasks of heavy jobs ran: meter.places.
	concentration, kept float64
	expected            float64 // bytes that SAMP's plans of the window's jobs predict to cross racks
}

// firstReplication is the number of the first stream. No stream from here on was used to find a
// reading.
const firstReplication = 5000

// sampled is the period of the series, in s.
const sampled = 30

// run runs one replication of a cell.
func (s *study) run(c cell, replication int) (*outcome, error) {
	cluster := c.cluster()
	stream := func(p workload.Purpose) *rand.Rand {
		return rand.New(workload.Stream(s.Seed, p, firstReplication+uint64(replication)))
	}
	l, err := c.draw(stream, s.after, cluster)
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
	p, w := c.policy(c.setting, l, replication)
	m := newMeter(cluster, len(l.specs))
	r, err := slotmodel.Run(cluster, l.specs, p, slotmodel.Options{Period: sampled, Log: m.log})
	if err != nil {
		return nil, err
	}
	return s.measure(c.setting, l, r, m, w), nil
}

// measure takes from a run what the figures need.
func (s *study) measure(set setting, l load, r *slotmodel.Result, m *meter, w *shufflewatcher.Chooser) *outcome {
	from, until := s.from, s.until
	if set.backlog { // until five sixths of the jobs have ended, that is 300 of 360
		var ends []float64
		for i := range r.Jobs {
			ends = append(ends, r.Jobs[i].Finish)
		}
		slices.Sort(ends)
		from, until = 0, ends[len(ends)*5/6]
	}
	o := &outcome{hours: (until - from) / 3600, report: w.Report()}
	o.concentration, o.kept = m.places(l.specs)
	within := func(t float64) bool { return t >= from && t < until }
	for i := range r.Jobs {
		x, k := &r.Jobs[i], l.class(i)
		if within(x.Finish) {
			o.ended[k]++
			o.ended[classes]++
		}
		if !set.backlog && !within(x.Arrival) {
			continue
		}
		j := &m.jobs[i]
		o.jobs = append(o.jobs, jobOutcome{class: k, sojourn: x.Finish - x.Arrival, read: x.CrossRack.Read, shuffle: x.CrossRack.Shuffle, inside: x.InRack.Shuffle,
			maps: j.mapSlots / j.mapSeconds, reduces: j.reduceSlots / j.reduceSeconds, shared: j.shared / j.mapSeconds})
		plan, _ := w.Plan(slotmodel.Job(i))
		o.expected += plan.RemoteMap + plan.CrossShuffle
	}
	for _, x := range r.Series {
		if !within(x.Time) {
			continue
		}
		sum := 0.0
		for q, rate := range x.Egress {
			sum += rate / set.link()
			if max(rate, x.Ingress[q]) > .8*set.link() {
				o.busy += 1 / float64(len(x.Egress))
			}
		}
		o.load = append(o.load, sum/float64(len(x.Egress)))
		o.unfair += unequal(x.Users)
	}
	o.busy /= float64(len(o.load))
	o.unfair /= float64(len(o.load))
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
	share, sum := report.Mean(slots), 0.0
	for _, x := range slots {
		sum += math.Abs(x - share)
	}
	if !(share > 0) {
		return 0
	}
	return sum / share / float64(len(slots))
}

// ensure runs n replications of each cell, those that have not been run.
func (s *study) ensure(what string, n int, cells ...cell) error {
	type piece struct {
		cell
		replication int
	}
	var pieces []piece
	for _, c := range cells {
		if c = s.fit(c); slices.Contains(pieces, piece{c, n - 1}) {
			continue
		}
		for i := len(s.outcomes[c]); i < n; i++ {
			pieces = append(pieces, piece{c, i})
		}
	}
	list, err := report.Each(s.terminal, "shufflewatcher: "+what, len(pieces), func(i int) (*outcome, error) {
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

// fit is a cell on the cluster of a quick run. Ties are ShuffleWatcher's alone.
func (s *study) fit(c cell) cell {
	c.small = c.small || s.Quick
	c.setting.ties = c.setting.ties && c.watch != nil
	if s.Quick {
		c.perUser = max(1, cmp.Or(c.perUser, 12)/3)
	}
	return c
}
