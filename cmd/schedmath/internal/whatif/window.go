package whatif

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/internal/replay"
)

// clock is the axis of times, and the number on it of a time of the run: a date where the log has
// dates and its jobs come as they came then.
func (s *setting) clock() (page.Axis, func(t float64) float64) {
	if !s.Dated() || s.Scaled || s.redraws() {
		return page.Axis{Label: "time (s)"}, func(t float64) float64 { return t }
	}
	return page.Axis{Label: "time (" + cmp.Or(s.Trace.Zone, time.UTC).String() + ")", Date: true}, func(t float64) float64 { return replay.Local(t+s.Origin, s.Trace.Zone) }
}

// changes are those of what runs and of what waits under a policy, up to a time: processors, but that
// jobs wait as one unless they hold machines. What really happened has all jobs of the log.
func (s *stage) changes(name string, r *outcome, last float64) (running, waiting []step) {
	var runs, waits []held
	waiter := func(amount float64) float64 {
		if !s.rigid {
			return 1
		}
		return amount
	}
	for i, start := range r.Start {
		came, amount := s.specs[i].Arrival, float64(s.specs[i].Maps.Tasks)
		if name == asItWas {
			if came = r.Finish[i] - r.Sojourn[i]; math.IsNaN(came) {
				continue // the log does not say
			}
		}
		until := min(start, last)
		if math.IsNaN(start) {
			until = last
		}
		runs, waits = append(runs, held{start, min(r.Finish[i], last), amount}), append(waits, held{came, until, waiter(amount)})
	}
	for _, x := range s.others {
		if name == asItWas {
			runs, waits = append(runs, held{x.Start, min(x.End, last), x.Amount}), append(waits, held{x.From, min(x.Start, x.End, last), waiter(x.Amount)})
		}
	}
	return steps(runs), steps(waits)
}

// window are the pictures of one seed on a cluster: what runs and what waits over time, and the jobs
// around the time at which most waits, under some of all the policies.
func (s *stage) window(all, names []string) []page.Picture {
	if !s.slots || s.Seeds > 1 {
		return nil
	}
	first, last := arrivals(s.specs)
	first, last = max(first, s.begin), max(last, s.til)
	var use, queue []curve
	var runs []*outcome
	running, waiting := make([][]step, len(names)), make([][]step, len(names))
	for k, name := range names {
		r := &s.runs[slices.Index(all, name)]
		runs = append(runs, r)
		running[k], waiting[k] = s.changes(name, r, last)
		if queue = append(queue, sweep(newCurve(first, last), waiting[k])); s.rigid || name == asItWas {
			use = append(use, sweep(newCurve(first, last), running[k]))
		} else {
			use = append(use, r.Use)
		}
	}
	axis, moment := s.clock()
	panels := func(name, title, caption, label string, curves []curve) page.Picture {
		p := newPicture(name, title, caption, page.Panels, 0, append([]string{"time"}, names...)...)
		p.X, p.Y, p.Series = axis, page.Axis{Label: label}, page.Columns(names...)
		longest, parts := 0., 0
		for _, c := range curves {
			longest = max(longest, c.Width)
		}
		for k := range curves {
			for curves[k].Width < longest {
				curves[k].join()
			}
			parts = max(parts, len(curves[k].Parts))
		}
		for k := range parts {
			cells := []any{moment(first + page.Short(float64(k)*longest))}
			for _, c := range curves {
				x := 0.
				if k < len(c.Parts) {
					x = c.Parts[k] / longest
				}
				cells = append(cells, page.Short(x))
			}
			p.Table.Add(cells...)
		}
		return p
	}
	units := strings.ToUpper(s.unit()[:1]) + s.unit()[1:] + "s"
	what, waits := "Mean number of map slots on which something runs", panels("queue", "Jobs that wait", "Mean number of jobs of which nothing has run yet, in equal parts of the time.", "jobs that wait", queue)
	if s.rigid {
		what = "Mean number of " + s.unit() + "s that jobs hold"
		waits = panels("queue", units+" that are waited for", "Mean number of "+s.unit()+"s for which jobs wait, in equal parts of the time.", s.unit()+"s waited for", queue)
	}
	list := []page.Picture{panels("use", units+" in use", what+", in equal parts of the time.", s.unit()+"s in use", use), waits}
	bars, from, to := s.gantt(names, runs, queue[0])
	if s.rigid {
		list = append(list, s.exact(names, running, waiting, from, to))
	}
	return append(list, bars)
}

// mostSteps is how many changes of a policy a picture shows.
const mostSteps = 400

// exact shows each change of what runs and what waits from one time on and up to another, or to the
// time at which a policy has shown mostSteps.
func (s *stage) exact(names []string, running, waiting [][]step, from, to float64) page.Picture {
	p := newPicture("steps", "The longest queue, step by step", "How many "+s.unit()+"s jobs hold and wait for, each change of it, around the time at which most is waited for under "+names[0]+".", page.Steps, 1, "policy", "time", "in use", "waited for")
	axis, moment := s.clock()
	p.X, p.Y, p.Series = axis, page.Axis{Label: s.unit() + "s in use, waited for"}, page.Columns(names...)
	type level struct{ at, use, queue float64 }
	levels := make([][]level, len(names))
	for k := range names {
		now := level{at: from}
		var later []level // changes
		for i, list := range [][]step{running[k], waiting[k]} {
			for _, x := range list {
				change := level{at: x.at, use: x.by}
				if i == 1 {
					change = level{at: x.at, queue: x.by}
				}
				if x.at <= from {
					now.use, now.queue = now.use+change.use, now.queue+change.queue
				} else if x.at <= to {
					later = append(later, change)
				}
			}
		}
		slices.SortStableFunc(later, func(a, b level) int { return cmp.Compare(a.at, b.at) })
		for _, change := range append(later, level{at: math.Inf(1)}) {
			if change.at > now.at {
				if levels[k] = append(levels[k], now); len(levels[k]) == mostSteps {
					to = min(to, now.at)
					break
				}
				now.at = change.at
			}
			now.use, now.queue = now.use+change.use, now.queue+change.queue
		}
	}
	for k, name := range names {
		for _, x := range levels[k] {
			if x.at <= to {
				p.Table.Add(name, moment(from+page.Short(x.at-from)), x.use, x.queue)
			}
		}
	}
	return p
}

// mostBars is how many jobs the Gantt chart shows.
const mostBars = 200

// gantt shows the jobs that arrive around the time at which the queue is longest, and returns from when
// to when they arrive. A job takes as much height as processors, at the lowest place that is free.
func (s *stage) gantt(names []string, runs []*outcome, queue curve) (p page.Picture, from, to float64) {
	p = newPicture("gantt", "Jobs around the longest queue", "When jobs run that arrive around the time at which most is waited for under "+names[0]+
		". A job is as high as it has "+s.unit()+"s if it holds them together, else as high as one; where it stands tells nothing of the machine.",
		page.Gantt, 3, "policy", "job", "user", "processors", "start", "end", "waits", "runs", "lane", "lanes")
	axis, moment := s.clock()
	p.X, p.Y, p.Series = axis, page.Axis{Label: s.unit() + "s"}, page.Columns(names...)
	p.Table.In("s", "waits", "runs")
	var order []int
	for i := range s.specs {
		if s.ended[i] {
			order = append(order, i)
		}
	}
	came := func(i int) float64 { return s.runs[0].Finish[i] - s.runs[0].Sojourn[i] }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(came(a), came(b)) })
	longest := 0
	for k, x := range queue.Parts {
		if x > queue.Parts[longest] {
			longest = k
		}
	}
	if len(order) > mostBars {
		busy := queue.From + (float64(longest)+.5)*queue.Width
		at, _ := slices.BinarySearchFunc(order, busy, func(i int, t float64) int { return cmp.Compare(came(i), t) })
		from := min(max(0, at-mostBars/2), len(order)-mostBars)
		order = order[from : from+mostBars]
	}
	from, to = came(order[0]), came(order[len(order)-1])
	for k, name := range names {
		r := runs[k]
		bars := slices.Clone(order)
		slices.SortStableFunc(bars, func(a, b int) int { return cmp.Compare(r.Start[a], r.Start[b]) })
		var free []float64 // when each lane is free
		for _, i := range bars {
			high := 1
			if s.specs[i].Rigid {
				high = s.specs[i].Maps.Tasks
			}
			lane := lowest(&free, high, r.Start[i], r.Finish[i])
			user := ""
			if s.Users != nil {
				user = s.userName(s.specs[i].User)
			}
			p.Table.Add(name, page.Name(s.nameOf(i)), page.Name(user), high, moment(from+page.Short(r.Start[i]-from)), moment(from+page.Short(r.Finish[i]-from)),
				page.Short(r.Start[i]-came(i)), page.Short(r.Finish[i]-r.Start[i]), lane, high)
		}
	}
	return p, from, to
}

// lowest takes so many lanes side by side from start to end, the lowest that are free.
func lowest(free *[]float64, high int, start, end float64) int {
	lane, run := 0, 0
	for k := 0; run < high; k++ {
		if k == len(*free) {
			*free = append(*free, math.Inf(-1))
		}
		if run++; (*free)[k] > start {
			lane, run = k+1, 0
		}
	}
	for k := range high {
		(*free)[lane+k] = end
	}
	return lane
}
