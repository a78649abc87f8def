package whatif

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/slotmodel"
)

// mostSpans is how many parts of the time a curve has at most; it has at least half as many.
const mostSpans = 1024

// A curve is how much of something there was: its integral over equal parts of the time from a time
// on. Parts are joined in pairs when the time goes beyond the last.
type curve struct {
	From, Width float64
	Parts       []float64
}

// newCurve is a curve of no time, whose first width is so that times up to one will not join parts.
func newCurve(from, to float64) curve {
	width := (to - from) / mostSpans
	if !(width > 0) {
		width = 1
	}
	return curve{From: from, Width: width}
}

// add puts an amount from one time to another on the curve.
func (c *curve) add(from, to, amount float64) {
	for to > c.From+c.Width*mostSpans {
		c.join()
	}
	if amount == 0 || !(from < to) {
		return
	}
	for k := int((from - c.From) / c.Width); ; k++ {
		start := c.From + float64(k)*c.Width
		if start >= to || k >= mostSpans {
			return
		}
		for len(c.Parts) <= k {
			c.Parts = append(c.Parts, 0)
		}
		c.Parts[k] += amount * (min(to, start+c.Width) - max(from, start))
	}
}

// join makes parts twice as long.
func (c *curve) join() {
	c.Width *= 2
	for k := range (len(c.Parts) + 1) / 2 {
		x := c.Parts[2*k]
		if 2*k+1 < len(c.Parts) {
			x += c.Parts[2*k+1]
		}
		c.Parts[k] = x
	}
	c.Parts = c.Parts[:(len(c.Parts)+1)/2]
}

// A meter is a level that changes, and its curve.
type meter struct {
	curve
	since, level float64
}

// change adds to the level at a time, which is not before the one of the last change.
func (m *meter) change(at, by float64) {
	m.add(max(m.since, m.From), at, m.level)
	m.since, m.level = at, m.level+by
}

// sweep is the curve of a level that goes up at some times and down at others.
func sweep(c curve, ups, downs []float64, amount func(i int) float64) curve {
	type step struct{ at, by float64 }
	var steps []step
	for i := range ups {
		if x := amount(i); ups[i] < downs[i] { // neither is NaN
			steps = append(steps, step{ups[i], x}, step{downs[i], -x})
		}
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	m := meter{curve: c}
	for _, s := range steps {
		m.change(s.at, s.by)
	}
	return m.curve
}

// arrivals are the first and the last of jobs.
func arrivals(jobs []slotmodel.JobSpec) (first, last float64) {
	first = math.Inf(1)
	for i := range jobs {
		first, last = min(first, jobs[i].Arrival), max(last, jobs[i].Arrival)
	}
	return first, last
}

// window are the pictures of one seed on a cluster: processors in use and jobs that wait over time,
// and the jobs around the time at which most wait, under some of all the policies.
func (s *stage) window(all, names []string) []page.Picture {
	if !s.slots || s.Seeds > 1 {
		return nil
	}
	first, last := arrivals(s.specs)
	var use, queue []curve
	var runs []*outcome
	for _, name := range names {
		r := &s.runs[slices.Index(all, name)]
		runs = append(runs, r)
		came := make([]float64, len(r.Finish))
		for i := range came {
			came[i] = r.Finish[i] - r.Sojourn[i]
		}
		use, queue = append(use, r.Use), append(queue, sweep(newCurve(first, last), came, r.Start, func(int) float64 { return 1 }))
	}
	panels := func(name, title, caption, label string, curves []curve) page.Picture {
		p := newPicture(name, title, caption, page.Panels, 0, append([]string{"time"}, names...)...)
		p.X, p.Y, p.Series = page.Axis{Label: "time (s)"}, page.Axis{Label: label}, page.Columns(names...)
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
			cells := []any{page.Short(first + float64(k)*longest)}
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
	return []page.Picture{
		panels("use", "Processors in use", "Mean number of map slots on which something runs, in equal parts of the time.", "processors in use", use),
		panels("queue", "Jobs that wait", "Mean number of jobs of which nothing has run yet, in equal parts of the time; only jobs that end.", "jobs that wait", queue),
		s.gantt(names, runs, queue[0], first),
	}
}

// mostBars is how many jobs the Gantt chart shows.
const mostBars = 200

// gantt shows the jobs that arrive around the time at which most wait in a queue. A job takes as
// much height as processors, at the lowest place that is free.
func (s *stage) gantt(names []string, runs []*outcome, queue curve, first float64) page.Picture {
	p := newPicture("gantt", "Jobs around the longest queue", "When jobs run that arrive around the time at which most jobs wait under "+names[0]+
		". A job is as high as it has processors if it holds them together, else as high as one; where it stands tells nothing of the machine.",
		page.Gantt, 3, "policy", "job", "user", "processors", "start", "end", "waits", "runs", "lane", "lanes")
	p.X, p.Y, p.Series = page.Axis{Label: "time (s)"}, page.Axis{Label: "processors"}, page.Columns(names...)
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
			p.Table.Add(name, page.Name(s.nameOf(i)), page.Name(user), high, page.Short(r.Start[i]-first)+first, page.Short(r.Finish[i]-first)+first,
				page.Short(r.Start[i]-came(i)), page.Short(r.Finish[i]-r.Start[i]), lane, high)
		}
	}
	return p
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
