package whatif

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/internal/replay"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// The machines of the cluster are of the kind of HFSP's experiments.
const (
	mapsPerNode     = 4
	reducesPerNode  = 2
	defaultMachines = 18
)

// A setting is what is replayed, on what.
type setting struct {
	Options
	replay.Trace
	slots      bool
	rigid      bool // a cluster, all of whose jobs hold what they ask for from their start to their end
	shared     bool // a cluster, by several users; a seed may draw the jobs of one alone
	machines   int
	processors int     // that they have: map slots
	begin, end float64 // of the time that counts, from which on jobs are compared; infinite: of all
	neverRun   neverRun
	places     []int // of each of Jobs in the file, from 0

	windows     []backfill.Window // of the file of -window; Owner is a user's number plus 1
	windowLines []int             // of the file
}

// neverRun is how many jobs were left out since the cluster can never run them, and a sentence on
// them.
type neverRun struct {
	Jobs int
	Why  string
}

// open reads the trace, or makes the synthetic day of the seed. Jobs that can never run are left
// out, and arrivals are scaled to a load that was asked for.
func (o Options) open() (*setting, error) {
	s := &setting{Options: o}
	var err error
	if s.Trace, err = s.load(); err != nil {
		return nil, err
	}
	if err := s.choose(); err != nil {
		return nil, err
	}
	s.slots = o.Model == slotsModel || o.Model == "" && s.SWIM == nil
	if s.slots && o.Sigma > 0 {
		return nil, program.Usagef("-sigma is for -model fluid: in the slot model hfsp estimates sizes from samples, and nobody else needs them")
	}
	s.rigid = s.slots && s.SWIM == nil && !slices.ContainsFunc(s.Jobs, func(j slotmodel.JobSpec) bool { return !j.Rigid || j.Reduces.Tasks > 0 })
	needed := s.needed()
	if s.machines = cmp.Or(o.Machines, (needed+mapsPerNode-1)/mapsPerNode); s.machines > mostMachines {
		return nil, program.Usagef("%s: the widest job needs %d machines, more than %d: -machines N leaves out the jobs that N cannot run", o.Options.Trace, s.machines, mostMachines)
	}
	if s.processors = s.machines * mapsPerNode; s.rigid && o.Machines == 0 {
		s.processors = needed
	}
	if s.SWIM != nil {
		return s, s.around()
	}
	if o.Bytes {
		return nil, program.Usagef("-dn makes times of bytes, but the jobs of %s have times of their own", o.Options.Trace)
	}
	if i := slices.IndexFunc(s.Jobs, func(j slotmodel.JobSpec) bool { return j.After > 0 }); i >= 0 {
		switch fault := fmt.Sprintf("job %d of %s comes after another job", i+1, o.Options.Trace); {
		case !s.slots:
			return nil, program.Usagef("%s, want -model slots: the fluid server takes arrivals as they are", fault)
		case s.redraws():
			return nil, program.Usagef("-seeds draws arrivals anew, but %s", fault)
		case s.Scaled:
			return nil, program.Usagef("-load scales arrivals, but %s", fault)
		}
	}
	if err := s.leaveOut(); err != nil {
		return nil, err
	}
	s.shared = s.slots && slices.ContainsFunc(s.Jobs, func(j slotmodel.JobSpec) bool { return j.User != s.Jobs[0].User })
	if err := s.around(); err != nil {
		return nil, err
	}
	if s.Scaled {
		return s, s.scale()
	}
	return s, nil
}

// choose leaves the jobs of the time that was asked for, and names users as was asked for.
func (s *setting) choose() error {
	from, err := program.Time("from", s.From, cmp.Or(s.Trace.Zone, time.UTC), math.Inf(-1))
	if err != nil {
		return err
	}
	to, err := program.Time("to", s.To, cmp.Or(s.Trace.Zone, time.UTC), math.Inf(1))
	if err != nil {
		return err
	}
	s.begin, s.end = from-s.Origin, to-s.Origin
	switch {
	case !(from < to):
		return program.Usagef("-to is not after -from")
	case s.Warm == 0:
	case s.From == "" || s.SWIM != nil:
		return program.Usagef("-warm plays what came before -from: want a log or table, and -from")
	case s.Scaled || s.redraws():
		return program.Usagef("-warm plays what came before -from: it goes neither with -load nor with -seeds, which move arrivals")
	}
	if s.From != "" || s.To != "" {
		if slices.ContainsFunc(s.Jobs, func(j slotmodel.JobSpec) bool { return j.After > 0 }) {
			return program.Usagef("-from and -to leave out jobs, but jobs of %s come after others", s.Options.Trace)
		}
		if err := s.Within(from-s.Warm.Seconds(), to); err != nil {
			return err
		}
	}
	if s.Scaled || s.redraws() { // arrivals move: no time of the file bounds the run
		s.begin, s.end = math.Inf(-1), math.Inf(1)
	}
	if s.By != "" {
		return s.Group(replay.By[s.By])
	}
	return nil
}

// load reads the trace, or makes the synthetic day of the seed.
func (o *Options) load() (replay.Trace, error) {
	first := 0
	if o.Quick {
		first = quickJobs
	}
	return replay.Open(o.Trace, o.Seed, first, o.Reading)
}

// redraws is whether each seed draws the arrivals of the trace anew: where it draws nothing else.
func (s *setting) redraws() bool { return s.Seeds > 1 && !s.Synthetic && s.Sigma == 0 }

// needed is how many processors the widest rigid job needs, or the machine of a log had, or ran at
// once where it does not say what it had; those of HFSP's experiments where there is neither.
func (s *setting) needed() int {
	widest := cmp.Or(s.Processors, int(math.Ceil(min(s.ranAtOnce(), mostMachines*mapsPerNode+1))))
	for i := range s.Jobs {
		if s.Jobs[i].Rigid {
			widest = max(widest, s.Jobs[i].Maps.Tasks)
		}
	}
	return cmp.Or(widest, defaultMachines*mapsPerNode)
}

// cluster is of machines alike, but that the last has the rest of the processors.
func (s *setting) cluster() *slotmodel.Cluster {
	nodes := slices.Repeat([]slotmodel.NodeSpec{{Maps: mapsPerNode, Reduces: reducesPerNode, Memory: s.Memory}}, s.machines)
	nodes[s.machines-1].Maps -= s.machines*mapsPerNode - s.processors
	return &slotmodel.Cluster{Nodes: nodes}
}

// A shape is what decides whether a job can ever run on a cluster with no other work.
type shape struct {
	rigid                bool
	maps, reduces        int // tasks
	mapMemory, redMemory float64
	job                  int // from 1 where jobs come after others: of each its own
}

// leaveOut leaves out the jobs that can never run on the cluster: those whose shapes the model finds
// stuck when no job has any work.
func (s *setting) leaveOut() error {
	s.places = make([]int, len(s.Jobs))
	for i := range s.places {
		s.places[i] = i
	}
	if !s.slots {
		return nil
	}
	chained := slices.ContainsFunc(s.Jobs, func(j slotmodel.JobSpec) bool { return j.After > 0 })
	known, of := map[shape]int{}, make([]int, len(s.Jobs)) // index of idle
	var idle []slotmodel.JobSpec
	for i := range s.Jobs {
		j := &s.Jobs[i]
		x := shape{rigid: j.Rigid, maps: j.Maps.Tasks, reduces: j.Reduces.Tasks, mapMemory: j.Maps.Memory, redMemory: j.Reduces.Memory}
		if !j.Rigid {
			x.maps, x.reduces = min(1, x.maps), min(1, x.reduces)
		}
		if chained {
			x.job = i + 1
		}
		k, there := known[x]
		if !there {
			k = len(idle)
			known[x] = k
			idle = append(idle, slotmodel.JobSpec{After: j.After, Rigid: j.Rigid, Maps: slotmodel.Phase{Tasks: x.maps, Memory: x.mapMemory}, Reduces: slotmodel.Phase{Tasks: x.reduces, Memory: x.redMemory}})
		}
		of[i] = k
	}
	r, err := slotmodel.Run(s.cluster(), idle, policy.FIFO{}, slotmodel.Options{})
	if err != nil {
		return fmt.Errorf("%s: %w", s.Options.Trace, err)
	}
	if !slices.ContainsFunc(r.Jobs, func(j slotmodel.JobResult) bool { return j.Outcome == slotmodel.Stuck }) {
		return nil
	}
	never, largest, width := 0, 0, -1
	number := make([]int, len(s.Jobs)) // of each job that stays, from 1
	var jobs []slotmodel.JobSpec
	s.places = s.places[:0]
	for i := range s.Jobs {
		j := &s.Jobs[i]
		if r.Jobs[of[i]].Outcome != slotmodel.Stuck {
			jobs, s.places = append(jobs, *j), append(s.places, i)
			number[i] = len(jobs)
			continue
		}
		if never++; j.Maps.Tasks+j.Reduces.Tasks > width {
			largest, width = i, j.Maps.Tasks+j.Reduces.Tasks
		}
	}
	for i := range jobs {
		if jobs[i].After > 0 {
			jobs[i].After = number[jobs[i].After-1]
		}
	}
	if never > 0 {
		why := r.Jobs[of[largest]].Reason
		if s.rigid && width > s.processors {
			why = "it asks for " + numbers.Count(width, s.unit())
		}
		s.neverRun = neverRun{never, fmt.Sprintf("%d of %d jobs can never run on %s and are left out, the largest of them %s: %s",
			never, len(s.Jobs), s.size(), s.jobName(largest), why)}
	}
	if s.Jobs = jobs; len(jobs) == 0 {
		return program.Usagef("%s: %s", s.Options.Trace, s.neverRun.Why)
	}
	return nil
}

// jobName is the name of a job of the file, counted from 0.
func (s *setting) jobName(i int) string {
	if s.Names == nil || s.Names[i] == "" {
		return fmt.Sprintf("job %d", i+1)
	}
	if strings.Trim(s.Names[i], "0123456789") == "" {
		return "job " + s.Names[i]
	}
	return s.Names[i]
}

// counts says whether a job is compared: one that -warm plays before is not.
func (s *setting) counts(i int) bool { return s.Jobs == nil || s.Jobs[i].Arrival >= s.begin }

// counted are the jobs that are compared, all but those that -warm plays before.
func (s *setting) counted() []slotmodel.JobSpec {
	if s.Warm == 0 {
		return s.Jobs
	}
	return slices.DeleteFunc(slices.Clone(s.Jobs), func(j slotmodel.JobSpec) bool { return j.Arrival < s.begin })
}

// unit is what jobs hold, for people.
func (s *setting) unit() string {
	switch {
	case !s.rigid:
		return "map slot"
	case s.Resource == "" || s.Resource == "cpu":
		return "processor"
	case s.Resource == "node":
		return "node"
	case strings.HasSuffix(s.Resource, "gpu"):
		return "GPU"
	}
	return "unit"
}

// size says what the cluster has.
func (s *setting) size() string {
	if s.rigid {
		return numbers.Count(s.processors, s.unit())
	}
	return numbers.Count(s.machines, "machine")
}

// scale moves the arrivals of jobs that have times of their own so that they offer the load that
// was asked for.
func (s *setting) scale() error {
	st, err := s.stage()
	if err != nil {
		return err
	}
	factor := st.loads.busiest() / s.Load
	if !(factor > 0 && factor <= math.MaxFloat64) {
		return program.Usagef("-load scales arrivals, but the jobs of %s have no work, or come all at one time", s.Options.Trace)
	}
	first := slices.MinFunc(s.Jobs, func(a, b slotmodel.JobSpec) int { return cmp.Compare(a.Arrival, b.Arrival) }).Arrival
	for i := range s.Jobs {
		move(&s.Jobs[i], first+factor*(s.Jobs[i].Arrival-first))
	}
	return nil
}

// loads are what jobs offer to the slots of each kind, or to the fluid server and NaN: the work over
// what can be done from the first arrival to the last. NaN: not known.
type loads [2]float64

var unknown = loads{math.NaN(), math.NaN()}

// busiest is the larger of the loads.
func (l loads) busiest() float64 {
	if l[1] > l[0] {
		return l[1]
	}
	return l[0]
}

// offered are the loads of jobs on the cluster, unknown where jobs come after others or all
// at one time.
func (s *setting) offered(jobs []slotmodel.JobSpec) loads {
	if slices.ContainsFunc(jobs, func(j slotmodel.JobSpec) bool { return j.After > 0 }) {
		return unknown
	}
	first, last := arrivals(jobs)
	maps, reduces, err := workload.OfferedLoad(s.processors, s.machines*reducesPerNode, jobs)
	if err != nil || !(first < last) {
		return unknown
	}
	return loads{maps * last / (last - first), reduces * last / (last - first)}
}
