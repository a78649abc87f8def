package shufflewatcher

import (
	"slices"

	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// Report is what a Chooser did in its last run, and where the tasks of heavy jobs ran. The latter
// is also counted with NoNASS.
type Report struct {
	// Chosen: how often each rule of the paper's Figure 3 chose a task: [0] while the node's flag was
	// not set, [1] while it was
	Chosen    [2][shuffle.HeavyReduce + 1]int
	Periods   int   // periods of NetSat
	Saturated []int // by rack: periods at whose end the flag was set
	Flips     []int // by rack: how often the flag changed
	Passed    int   // how often a user was passed over because of Wait
	Declined  int   // how often a task was passed over because of Patience

	Heavy int // jobs with more shuffle than input, and reduces, all of whose tasks have ended
	// Concentration is the mean over these jobs of the sum over racks of p^2, p the part of the
	// job's maps that ran in the rack: 1 if each job had one rack, 1/R if it had R racks alike. 0
	// without such jobs.
	Concentration float64
	// Kept is the mean over these jobs of the sum over racks of p r, r the part of the job's
	// reduces that ran in the rack: the part of the shuffle that did not cross racks.
	Kept    float64
	Reduces int // starts of reduces of jobs with more shuffle than input that had quotas
	Met     int // those of them in racks where the quota was not yet met
}

// count counts where the tasks of heavy jobs run.
func (s *Chooser) count(v *slotmodel.View, e slotmodel.Event) {
	spec := v.Spec(e.Job)
	if e.Kind != slotmodel.Reduce || spec.Shuffle <= spec.Input {
		return
	}
	r := &s.report
	switch done := v.Count(e.Job, slotmodel.Reduce).Done; {
	case e.Type == slotmodel.Started && s.jobs[e.Job].quota != nil:
		r.Reduces++
		if rack := v.RackOf(e.Node); v.Started(e.Job, slotmodel.Reduce, rack) <= s.jobs[e.Job].quota[rack] {
			r.Met++
		}
	case e.Type == slotmodel.Ended && int(done) == spec.Reduces.Tasks:
		r.Heavy++
		for rack := range slotmodel.Rack(v.Racks()) {
			p := float64(v.Started(e.Job, slotmodel.Map, rack)) / float64(spec.Maps.Tasks)
			r.Concentration += p * p
			r.Kept += p * float64(v.Started(e.Job, slotmodel.Reduce, rack)) / float64(spec.Reduces.Tasks)
		}
	}
}

// Report returns what the Chooser did in its last run, until now.
func (s *Chooser) Report() Report {
	if s == nil {
		return Report{}
	}
	r := s.report
	r.Saturated, r.Flips = slices.Clone(r.Saturated), slices.Clone(r.Flips)
	if r.Heavy > 0 {
		r.Concentration, r.Kept = r.Concentration/float64(r.Heavy), r.Kept/float64(r.Heavy)
	}
	return r
}

// Plan returns what was planned for a job of the last run: the plan of SAMP, with the bytes that it
// predicted to cross racks, and by rack the quotas of SARP. They are zero and nil before they are
// made and where there are none. The caller must not change them; with Recompute the quotas change
// as maps end.
func (s *Chooser) Plan(j slotmodel.Job) (shuffle.MapPlan, []int) {
	if s == nil || j < 0 || int(j) >= len(s.jobs) {
		return shuffle.MapPlan{}, nil
	}
	return s.jobs[j].plan, s.jobs[j].quota
}
