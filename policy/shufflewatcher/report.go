package shufflewatcher

import (
	"slices"

	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// Report is what a Chooser did in its last run.
type Report struct {
	// Chosen: how often each rule of the paper's Figure 3 chose a task: [0] while the node's flag
	// was not set, [1] while it was
	Chosen    [2][shuffle.HeavyReduce + 1]int
	Periods   int   // periods of NetSat
	Saturated []int // by rack: periods at whose end the flag was set
	Flips     []int // by rack: how often the flag changed
	Passed    int   // how often a user was passed over because of Wait
	Declined  int   // how often a task was passed over because of Patience
	Reduces   int   // starts of reduces of jobs with more shuffle than input that had quotas
	Met       int   // those of them in racks where the quota was not yet met
}

// count counts the starts of reduces with quotas.
func (s *Chooser) count(v *slotmodel.View, e slotmodel.Event) {
	spec, quota := v.Spec(e.Job), s.jobs[e.Job].quota
	if e.Type != slotmodel.Started || e.Kind != slotmodel.Reduce || spec.Shuffle <= spec.Input || quota == nil {
		return
	}
	s.report.Reduces++
	if rack := v.RackOf(e.Node); v.Started(e.Job, slotmodel.Reduce, rack) <= quota[rack] {
		s.report.Met++
	}
}

// Report returns what the Chooser did in its last run, until now.
func (s *Chooser) Report() Report {
	r := s.report
	r.Saturated, r.Flips = slices.Clone(r.Saturated), slices.Clone(r.Flips)
	return r
}

// Plan returns what was planned for a job of the last run: the plan of SAMP, with the bytes that it
// predicted to cross racks, and by rack the quotas of SARP. They are zero and nil before they are
// made and where there are none. The caller must not change them.
func (s *Chooser) Plan(j slotmodel.Job) (shuffle.MapPlan, []int) {
	if j < 0 || int(j) >= len(s.jobs) {
		return shuffle.MapPlan{}, nil
	}
	return s.jobs[j].plan, s.jobs[j].quota
}
