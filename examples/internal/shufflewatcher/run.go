package shufflewatcher

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
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
	jobs     []jobOutcome
	ended    [classes + 1]int // jobs that ended in the window, by class, and all
	hours    float64          // of the window
	served   float64          // rate at which nine tenths of all input ended, over the rate at which it arrived
	longest  float64          // sojourn, of any job
	load     []float64        // share of the racks' links in use, out of the racks, for each sample of the window
	busy     float64          // share of the racks and of the window's samples with more than 80% in use
	uneven   float64          // coefficient of variation of the racks' slot-seconds
	report   shufflewatcher.Report
	expected float64 // bytes that SAMP's plans of the window's jobs predict to cross racks
	shift    float64 // mean over these jobs of the share of maps that ran on another rack than planned
}

// sampled is the period of the series, in s.
const sampled = 30

// run runs one replication of a cell.
func (s *study) run(c cell, replication int) (*outcome, error) {
	cluster := c.cluster()
	l, err := s.load(c.setting, replication, cluster)
	if err != nil {
		return nil, err
	}
	for j := range l.specs {
		if c.watch != nil {
			l.specs[j].Slowstart = 0 // the ShuffleWatcher says when reduces may start
		} else if c.fixed == fixedByOutput {
			l.specs[j].Slowstart = 1
		}
	}
	p, w := c.policy(s, l, replication)
	m := newMeter(cluster, len(l.specs))
	r, err := slotmodel.Run(cluster, l.specs, p, slotmodel.Options{Sample: sampled, Log: m.log})
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
	o := &outcome{hours: (until - from) / 3600, uneven: report.SD(m.slots) / report.Mean(m.slots), report: w.Report()}
	within := func(t float64) bool { return t >= from && t < until }
	planned := 0
	for i := range r.Jobs {
		x, k, spec := &r.Jobs[i], l.class(i), &l.specs[i]
		if x.Outcome != slotmodel.Finished {
			o.longest = math.Inf(1)
			continue
		}
		o.longest = max(o.longest, x.Finish-x.Arrival)
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
		if plan, _ := w.Plan(slotmodel.Job(i)); len(plan.Racks) > 0 {
			planned++
			o.expected += plan.RemoteMap + plan.CrossShuffle
			for q, bytes := range plan.Maps {
				o.shift += max(0, float64(m.shares[i][q])/float64(spec.Maps.Tasks)-bytes/spec.Input)
			}
		}
	}
	o.served, o.shift = served(l, r), o.shift/float64(planned)
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
	}
	o.busy /= float64(len(o.load))
	return o
}

// served is the rate at which nine tenths of the jobs' input ended over the rate at which all of it
// arrived.
func served(l load, r *slotmodel.Result) float64 {
	order, all := make([]int, len(l.specs)), 0.0
	for i := range order {
		order[i] = i
		all += l.specs[i].Input
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(r.Jobs[a].Finish, r.Jobs[b].Finish) })
	ended := 0.0
	for _, i := range order {
		if ended += l.specs[i].Input; ended >= .9*all {
			return .9 * l.specs[len(order)-1].Arrival / r.Jobs[i].Finish
		}
	}
	return 0
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
		return s.run(pieces[i].cell, pieces[i].replication)
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

// fit is a cell on the cluster of a quick run.
func (s *study) fit(c cell) cell {
	c.small = c.small || s.Quick
	return c
}
