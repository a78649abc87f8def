package shufflewatcher

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// ShuffleOptions are the settings of a ShuffleWatcher. The zero value is the paper's, with a flag for each rack.
type Options struct {
	NoNASS bool // the earliest job's task starts, as under Earliest; nothing else of ShuffleWatcher is in force
	NoSAMP bool // no rack is preferred for maps
	NoSARP bool // no rack is preferred for reduces

	NetSat    NetSat
	Threshold float64 // fraction of a link's bandwidth above which it is saturated, in [0, 2^200]; 0: .8
	Period    float64 // s over which NetSat takes the mean, > 0; 0: 3
	// Measured replaces the mean load of a rack's links over a period, in bytes per second, by the load that NetSat reads: by one with an
	// error of measurement, or with the traffic of other systems. nil: the mean. If a load is not in [0, 2^200], the flags stay as they are for a period.
	Measured func(r slotmodel.Rack, mean shuffle.Link) shuffle.Link

	Window float64 // s, width of the windows of submission, in [2^-200, 2^200]; 0: 600; +Inf: none
	// A user whose best task is neither local nor preferred is passed over for at most Wait seconds, >= 0, from the first time on until a local or
	// preferred task starts; 0: fairness is strict. Reduces without quotas count as preferred.
	Wait float64

	MapsDone  float64 // fraction of a job's maps that must have ended before the quotas of its reduces follow the map output, in [0, 1]; 0: .15
	Recompute bool    // quotas follow the output after each map, not once
	// TypeOf numbers the types of jobs: a job starts with the ratio of shuffle to input that the finished maps of its type had. nil: each
	// job is a type of its own, and starts with a ratio of 1.
	TypeOf    func(j slotmodel.Job) int
	TrueRatio bool // ratios are known at submission

	// The slots of the preferred racks can run all maps of a job in Waves waves, within [0, 1000]; 0: no limit, as in the paper. If all racks
	// together have too few slots, all are preferred.
	Waves int
}

// NetSat says when a node's link counts as saturated.
type NetSat int

const (
	SaturatedLink   NetSat = iota // the link of the node's rack is, one way
	SaturatedAny                  // that of any rack is
	SaturatedNever                // never
	SaturatedAlways               // always
)

// ShuffleWatcher is the Chooser that shapes and reduces the traffic between racks [7], under any order of users: PerUser with FairUsers
// is the paper's SW-fair, with ShuffleOptions.Wait of 5 its SW-relaxed, with DRF its SW-DRF. Package shuffle has the algorithms.
//
// NASS: Choose takes the task of the user that shuffle.Next prefers by the state of the network. Tasks of the kinds that are free on
// the node are candidates. A job's reduces become candidates when its maps have ended or its user has no waiting map, and stay candidates. The
// jobs should have a Slowstart of 0. Without Wait a task always starts if there is a candidate.
//
// SAMP: when a job arrives, shuffle.MapRacks chooses the racks that its maps prefer. The load of a rack, which breaks ties, is the bytes of
// other jobs' waiting maps that prefer it. On a preferred rack a job starts first a map with its block on the node, then one with its block
// in the rack, then one without a copy in a preferred rack, then any. Rigid jobs prefer no rack.
//
// SARP: when a job's reduces become candidates, shuffle.ReducesPerRack gives each rack a quota by the job's map output there if enough maps have
// ended; otherwise the quotas are SAMP's tentative ones. Without SAMP they are set when enough maps have ended. Only a fluid network
// knows the output. As in the paper, quotas order the reduces of heavy jobs alone; a ratio of exactly 1 is light.
//
// NetSat: at the end of each Period a rack's flag is set by the mean load of its links over the period. The flag stands until the end of
// the next one. While nothing runs a period does not end. If no rack's link has a limit there are no periods.
//
// A choice costs O(racks + log jobs + log tasks) for each job of the user; a decision O(users) besides; an arrival costs shuffle.MapRacks and
// O(racks) for each job with waiting maps; the end of a period O(racks). Choices allocate nothing, the first about the reduces of a job and
// arrivals do. The memory is O(racks) for each job of the run, and O(maps) for each job present.
type Chooser struct {
	options Options
	jobs    []job
	waits   []float64              // since when each user waits, +Inf: it does not
	types   map[int]shuffle.Ratio  // of the finished maps of each type
	open    map[slotmodel.Job]bool // jobs with a reduce that is a candidate
	slots   []int                  // of each rack for maps, times Waves; nil: no limit
	net     netSat
	report  Report

	tasks []shuffle.Candidate // scratch: the candidates
	of    []slotmodel.Job     // their jobs
}

// NewShuffleWatcher returns the Chooser.
//
// Errors: an *schedmath.InputError naming the option that is out of its range.
func New(o Options) (*Chooser, error) {
	fault := ""
	for _, x := range []struct {
		name        string
		value, most float64
	}{
		{"NetSat", float64(o.NetSat), float64(SaturatedAlways)},
		{"Threshold", o.Threshold, 0x1p200},
		{"Period", o.Period, math.MaxFloat64},
		{"Wait", o.Wait, math.MaxFloat64},
		{"MapsDone", o.MapsDone, 1},
		{"Waves", float64(o.Waves), 1000},
	} {
		if !(x.value >= 0 && x.value <= x.most) {
			fault = fmt.Sprintf("%s is %v, want within [0, %v]", x.name, x.value, x.most)
		}
	}
	if w := o.Window; !(w == 0 || w >= 0x1p-200 && w <= 0x1p200 || math.IsInf(w, 1)) {
		fault = fmt.Sprintf("Window is %v, want 0, a time in [2^-200, 2^200] or +Inf", w)
	}
	if fault != "" {
		return nil, &schedmath.InputError{Func: "policy.NewShuffleWatcher", Arg: "o", Index: -1, Reason: fault}
	}
	return &Chooser{options: o}, nil
}

// BeginRun forgets the previous run.
func (s *Chooser) BeginRun(v *slotmodel.View) {
	if s == nil {
		return
	}
	o, racks := &s.options, v.Racks()
	o.Period, o.Window, o.MapsDone = cmp.Or(o.Period, 3), cmp.Or(o.Window, 600), cmp.Or(o.MapsDone, .15)
	s.jobs, s.waits = make([]job, v.Jobs()), slices.Repeat([]float64{math.Inf(1)}, v.Users())
	s.types, s.open, s.slots = map[int]shuffle.Ratio{}, map[slotmodel.Job]bool{}, nil
	if o.Waves > 0 {
		s.slots = make([]int, racks)
		for n := range slotmodel.Node(v.Nodes()) {
			r := v.RackOf(n)
			s.slots[r] = min(s.slots[r]+o.Waves*v.Free(n, slotmodel.Map), 1e9) // more counts as no limit
		}
	}
	s.net.begin(v)
	s.report = Report{Saturated: make([]int, racks), Flips: make([]int, racks)}
}

// inForce reports whether the mechanisms are: a run has begun, with NASS.
func (s *Chooser) inForce(v *slotmodel.View) bool {
	return s != nil && len(s.jobs) > 0 && len(s.jobs) == v.Jobs() && !s.options.NoNASS
}

// Idle reports whether nobody has a candidate for a node.
func (s *Chooser) Idle(v *slotmodel.View, n slotmodel.Node) bool {
	return s.inForce(v) && (len(s.open) == 0 || v.Free(n, slotmodel.Reduce) == 0) &&
		(v.Free(n, slotmodel.Map) == 0 || v.NextRunnable(slotmodel.Map, slotmodel.None) == slotmodel.None)
}

// Choose returns the task that a node should start for a user.
func (s *Chooser) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	switch {
	case s == nil:
		return slotmodel.None, slotmodel.Map, slotmodel.None, false
	case !s.inForce(v):
		return new(policy.Earliest).Choose(v, u, n)
	}
	s.sense(v)
	s.tasks, s.of = s.tasks[:0], s.of[:0]
	for k := range slotmodel.Kind(2) {
		if v.Free(n, k) > 0 {
			s.find(v, u, k, n)
		}
	}
	var o shuffle.NextOptions
	if w := s.options.Window; w <= 0x1p200 {
		o.Window = w
	}
	i, line, err := shuffle.Next(s.tasks, s.saturated(v.RackOf(n)), o)
	if err != nil || i < 0 || !s.accept(v, u, i) { // shuffle takes what slotmodel and NewShuffleWatcher have let pass
		return slotmodel.None, slotmodel.Map, slotmodel.None, false
	}
	s.report.Lines[line]++
	j, k, t := s.of[i], slotmodel.Kind(s.tasks[i].Kind), slotmodel.Task(slotmodel.None)
	if k == slotmodel.Map && s.tasks[i].Preferred {
		t = s.preferredMap(v, j, n)
	}
	return j, k, t, true
}

// find lists the candidates of a kind of a user for a node, in the order of arrival.
func (s *Chooser) find(v *slotmodel.View, u slotmodel.User, k slotmodel.Kind, n slotmodel.Node) {
	r := v.RackOf(n)
	for j := v.NextRunnableOf(u, k, slotmodel.None); j != slotmodel.None; j = v.NextRunnableOf(u, k, j) {
		x := &s.jobs[j]
		if k == slotmodel.Reduce && !x.enabled {
			continue
		}
		if w := internal.Width(v, j); w == 1 && !v.Fits(j, k, n) || w > 1 && !internal.GangFits(v, j, w) {
			continue
		}
		at, _ := v.Arrival(j)
		c := shuffle.Candidate{Kind: k, Arrival: at}
		switch {
		case k == slotmodel.Reduce:
			c.Preferred, c.Heavy = x.quota != nil && v.Started(j, k, r) < x.quota[r], x.ratio.Heavy()
		case slices.Contains(x.plan.Racks, int(r)):
			c.Preferred = true
		default:
			c.Local = locality(v, j, n)
		}
		s.tasks, s.of = append(s.tasks, c), append(s.of, j)
	}
}

// locality returns how near to a node a map is that a job would start there.
func locality(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node) shuffle.Locality {
	switch {
	case v.Spec(j).Replicas == nil || v.Local(j, n) != slotmodel.None:
		return shuffle.Node
	case v.LocalRack(j, v.RackOf(n)) != slotmodel.None:
		return shuffle.Rack
	}
	return shuffle.Remote
}

// accept reports whether a user starts its best candidate, and keeps the user's wait.
func (s *Chooser) accept(v *slotmodel.View, u slotmodel.User, i int) bool {
	since, c := &s.waits[u], &s.tasks[i]
	if c.Preferred || c.Local > shuffle.Remote || c.Kind == shuffle.Reduce && s.jobs[s.of[i]].quota == nil {
		*since = math.Inf(1)
		return true
	}
	*since = min(*since, v.Now())
	if v.Now() < *since+s.options.Wait {
		s.report.Passed++
		return false
	}
	return true
}

// Alarm returns when NetSat's period or a user's wait ends next.
func (s *Chooser) Alarm(v *slotmodel.View) float64 {
	at := math.Inf(1)
	if !s.inForce(v) {
		return at
	}
	s.sense(v)
	if s.net.limited && (v.FreeSlots(slotmodel.Map) < v.Slots(slotmodel.Map) || v.FreeSlots(slotmodel.Reduce) < v.Slots(slotmodel.Reduce)) {
		at = s.net.since + s.options.Period
	}
	for _, since := range s.waits {
		if end := since + s.options.Wait; end > v.Now() {
			at = min(at, end)
		}
	}
	return at
}
