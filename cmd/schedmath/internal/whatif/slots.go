package whatif

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/audit"
	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// A slotPolicy is a policy of the slot model, and the workloads for which it makes sense.
type slotPolicy struct {
	name string
	make func() slotmodel.Policy
	asks func(*setting) bool // nil: for all
}

// slotPolicies begin with what a site can turn on.
var slotPolicies = []slotPolicy{
	{"fcfs", func() slotmodel.Policy { return policy.FIFO{} }, rigid},
	{"easy", func() slotmodel.Policy { return new(policy.Backfill) }, func(s *setting) bool { return s.rigid || planned(s) }},
	{"conservative", func() slotmodel.Policy { return &policy.Backfill{Depth: -1} }, planned},
	{"fair-share", func() slotmodel.Policy {
		return &policy.Backfill{Inner: new(policy.FairShare), Afresh: true}
	}, func(s *setting) bool { return planned(s) && severalUsers(s) }},
	{"easy-sjbf", func() slotmodel.Policy { return &policy.Backfill{Shortest: true} }, planned},
	{"easy++", func() slotmodel.Policy { return new(batch.PlusPlus) }, planned},
	{"fifo", func() slotmodel.Policy { return policy.FIFO{} }, pliable},
	{"fair", func() slotmodel.Policy { return new(policy.Fair) }, pliable},
	{"srpt", func() slotmodel.Policy { return new(policy.SRPT) }, nil},
	{"hfsp", func() slotmodel.Policy { return new(hfsp.Policy) }, nil},
	{"fair-users", func() slotmodel.Policy { return new(policy.PerUser) }, severalUsers},
	{"edf", func() slotmodel.Policy { return &queues.Policy{Order: queues.EDF} }, hasDeadline},
	{"llf", func() slotmodel.Policy { return &queues.Policy{Order: queues.LLF, Remaining: queues.TrueRemaining} }, hasDeadline},
	{"easy-true", func() slotmodel.Policy { return &policy.Backfill{Time: batch.TrueTime} }, planned},
}

// some says whether a condition holds for one of the jobs.
func some(holds func(*slotmodel.JobSpec) bool) func(*setting) bool {
	return func(s *setting) bool {
		return slices.ContainsFunc(s.Jobs, func(j slotmodel.JobSpec) bool { return holds(&j) })
	}
}

func rigid(s *setting) bool   { return s.rigid }
func pliable(s *setting) bool { return !s.rigid }

var severalUsers = some(func(j *slotmodel.JobSpec) bool { return j.User > 0 })

var hasDeadline = some(func(j *slotmodel.JobSpec) bool { return j.Deadline > 0 })

// planned says whether a job is rigid and its user said how long it runs.
var planned = some(func(j *slotmodel.JobSpec) bool { return j.Rigid && j.Requested > 0 })

// policies are the names of those that make sense for the jobs.
func (s *setting) policies() []string {
	if !s.slots {
		return fluidNames()
	}
	var names []string
	for _, p := range slotPolicies {
		if (p.asks == nil || p.asks(s)) && (s.windows == nil || backfills(p.make()) != nil) {
			names = append(names, p.name)
		}
	}
	if told, _ := s.told(); told != nil {
		names = append(names, asItWas)
	}
	return names
}

// parsePolicies reads the list of -policies, of names separated by commas; an empty one means all that
// make sense. fifo and fcfs are two names of one policy.
func (s *setting) parsePolicies() ([]string, error) {
	names := s.policies()
	if s.Policies == "" {
		return names, nil
	}
	chosen := program.List(s.Policies)
	for i, name := range chosen {
		if other := map[string]string{"fifo": "fcfs", "fcfs": "fifo"}[name]; slices.Contains(names, other) {
			name, chosen[i] = other, other
		}
		if !slices.Contains(names, name) && s.windows != nil {
			return nil, program.Usagef("-policies names %q, which knows no windows: with -window want some of %s", name, strings.Join(names, ","))
		}
		if !slices.Contains(names, name) {
			return nil, program.Usagef("-policies names %q, want some of %s", name, strings.Join(names, ","))
		}
		if slices.Contains(chosen[:i], name) {
			return nil, program.Usagef("-policies names %q twice", name)
		}
	}
	return chosen, nil
}

// onSlots is the workload on a cluster. It cuts the jobs of a SWIM trace into tasks; others it takes
// as they are. A job's size is the time that it takes alone on the cluster.
func (s *setting) onSlots() (*stage, error) {
	jobs, cluster := s.Jobs, s.cluster()
	if s.SWIM != nil {
		var err error
		jobs, err = workload.Explode(nil, s.SWIM, workload.ExplodeOptions{MapSlots: s.processors, ReduceSlots: s.machines * reducesPerNode,
			MapLoad: s.Load, ReduceLoad: s.Load, DN: s.DiskToNetwork, MaxTasks: s.MaxTasks})
		if err != nil {
			return nil, err
		}
	}
	maps, reduces := 0, 0
	sizes := numbers.Column(jobs, func(j *slotmodel.JobSpec) float64 {
		maps, reduces = maps+j.Maps.Tasks, reduces+j.Reduces.Tasks
		return alone(&j.Maps, s.processors) + alone(&j.Reduces, s.machines*reducesPerNode)
	})
	st := &stage{
		setting: s,
		what:    fmt.Sprintf("%s as %s and %s on %s of %d map and %d reduce slots", s.Name, numbers.Count(maps, "map"), numbers.Count(reduces, "reduce"), s.size(), mapsPerNode, reducesPerNode),
		sizes:   sizes,
		specs:   jobs,
	}
	if s.rigid {
		st.what = s.Name + " on " + s.size()
	}
	if s.windows != nil {
		st.what += " around " + numbers.Count(len(s.windows), "window") + " of " + filepath.Base(s.Window)
	}
	counted := jobs
	if s.Warm > 0 {
		counted = s.counted()
		st.what += fmt.Sprintf(", after %s hours that warm it up", numbers.Short(s.Warm.Hours()))
	}
	st.loads = s.offered(counted)
	var told []audit.Span
	told, st.others = s.told()
	st.policy = func(name string, bar *program.Progress) (outcome, error) {
		if name == asItWas {
			r, err := st.really(told)
			bar.Add((s.phases() - 1) * len(jobs))
			return r, err
		}
		p := slotPolicies[slices.IndexFunc(slotPolicies, func(p slotPolicy) bool { return p.name == name })].make()
		if fair, ok := p.(*policy.Fair); ok && s.Weighted {
			fair.WeightOf = func(j *slotmodel.JobSpec) float64 { return j.Priority }
		}
		if b := backfills(p); b != nil {
			b.Windows = s.windows
		}
		const step = 100 // a bar takes more time than a job
		a, ended := newAuditor(jobs, s.shared, s.begin), 0
		r, err := slotmodel.Run(cluster, jobs, p, slotmodel.Options{Log: func(e slotmodel.Event) {
			if e.Type == slotmodel.JobEnded {
				if ended++; ended%step == 0 {
					bar.Add(step)
				}
			}
			a.log(e)
		}})
		if err != nil {
			return outcome{}, err
		}
		n := len(r.Jobs)
		played := outcome{Sojourn: make([]float64, n), Finish: make([]float64, n), Start: make([]float64, n), Use: a.use.curve}
		for i := range r.Jobs {
			played.Sojourn[i], _ = r.Jobs[i].Sojourn()
			if played.Finish[i] = r.Jobs[i].Finish; r.Jobs[i].Outcome != slotmodel.Finished {
				played.Finish[i] = math.NaN()
			}
			if played.Start[i] = r.Jobs[i].Start; r.Jobs[i].Start < 0 {
				played.Start[i] = math.NaN()
			}
		}
		s.free()
		bar.Add(len(jobs) - ended/step*step)
		err = st.audit(&played, a.spans)
		bar.Add((s.phases() - 2) * len(jobs))
		return played, err
	}
	return st, nil
}

// alone is how long a phase takes with all slots to itself, its tasks in their order.
func alone(p *slotmodel.Phase, slots int) float64 {
	if p.Works == nil {
		return math.Ceil(float64(p.Tasks)/float64(slots)) * p.Work
	}
	ends := make([]float64, slots)
	for _, w := range p.Works {
		ends[slices.Index(ends, slices.Min(ends))] += w
	}
	return slices.Max(ends)
}
