package shufflewatcher

import (
	"slices"

	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// netSat measures the links of racks.
type netSat struct {
	since    float64        // when the period began
	bytes    []shuffle.Link // that had passed each rack's links then
	used     []shuffle.Link // scratch: the means of a period
	capacity []shuffle.Link
	flags    []bool // of each rack: saturated
	before   []bool // the flags of the period before
	limited  bool   // a link has a limit
}

// begin forgets the previous run.
func (x *netSat) begin(v *slotmodel.View) {
	n := v.Racks()
	*x = netSat{bytes: make([]shuffle.Link, n), used: make([]shuffle.Link, n), capacity: make([]shuffle.Link, n), flags: make([]bool, n)}
	for r := range x.capacity {
		c := &x.capacity[r]
		c.Out, c.In = v.LinkCapacity(slotmodel.Rack(r))
		x.limited = x.limited || c.Out <= 0x1p200 || c.In <= 0x1p200
	}
}

// sense ends NetSat's period if it is over.
func (s *Chooser) sense(v *slotmodel.View) {
	x, now := &s.net, v.Now()
	if !x.limited || now < x.since+s.options.Period || now == x.since {
		return
	}
	for r := range x.used {
		out, in := v.LinkBytes(slotmodel.Rack(r))
		// Differences of sums may round below 0.
		x.used[r] = shuffle.Link{Out: max(0, out-x.bytes[r].Out) / (now - x.since), In: max(0, in-x.bytes[r].In) / (now - x.since)}
		x.bytes[r] = shuffle.Link{Out: out, In: in}
		if s.options.Measured != nil {
			x.used[r] = s.options.Measured(slotmodel.Rack(r), x.used[r])
		}
	}
	x.since = now
	s.report.Periods++
	flags, err := shuffle.Saturated(x.before[:0], x.used, x.capacity, s.options.Threshold)
	if err == nil { // otherwise Measured is out of range
		x.flags, x.before = flags, x.flags
	}
	for r, full := range x.flags {
		if err == nil && full != x.before[r] {
			s.report.Flips[r]++
		}
		if full {
			s.report.Saturated[r]++
		}
	}
}

// saturated is NetworkSaturated for a node of a rack.
func (s *Chooser) saturated(r slotmodel.Rack) bool {
	switch s.options.NetSat {
	case SaturatedAny:
		return slices.Contains(s.net.flags, true)
	case SaturatedNever:
		return false
	case SaturatedAlways:
		return true
	}
	return s.net.flags[r]
}

// ShuffleReport is what a ShuffleWatcher did in its last run.
type Report struct {
	Lines     [19]int // choices of each line of the paper's Figure 3, by its number
	Periods   int     // of NetSat
	Saturated []int   // of each rack, the periods that set its flag
	Flips     []int   // of each rack, how often its flag changed
	Passed    int     // how often a user was passed over because of Wait
}

// Report returns what happened in the last run, until now.
func (s *Chooser) Report() Report {
	if s == nil {
		return Report{}
	}
	r := s.report
	r.Saturated, r.Flips = slices.Clone(r.Saturated), slices.Clone(r.Flips)
	return r
}

// Plan returns SAMP's plan for a job of the last run with the bytes that it predicted to cross racks, and SARP's number of reduces for
// each rack. They are zero and nil before they are made and where there is none. Neither must be changed; with Recompute the numbers change as maps end.
func (s *Chooser) Plan(j slotmodel.Job) (shuffle.MapPlan, []int) {
	if s == nil || j < 0 || int(j) >= len(s.jobs) {
		return shuffle.MapPlan{}, nil
	}
	return s.jobs[j].plan, s.jobs[j].quota
}
