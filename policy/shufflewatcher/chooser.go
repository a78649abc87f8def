package shufflewatcher

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// Chooser is the policy.Chooser of ShuffleWatcher. The package comment says how it chooses and what
// that costs. The zero value is the paper's, with a saturation flag for each rack.
type Chooser struct {
	NoSAMP bool // no rack is preferred for maps
	NoSARP bool // no rack is preferred for reduces

	// Threshold is the fraction of its bandwidth above which a link is saturated, in [0, 2^200];
	// 0: .8.
	Threshold float64
	Period    float64 // s over which NetSat takes the mean load, >= 0 and finite; 0: 3
	Window    float64 // width of the windows of submission, s, in [2^-200, 2^200]; 0: 600; +Inf: none
	// A user whose best task is not one to wait for is passed over for at most Wait seconds,
	// counted from the first time. The wait ends when a task of the user starts that is. Reduces
	// of light jobs and those without quotas do not wait. Wait is >= 0 and finite; 0: fairness is
	// strict.
	Wait    float64
	WaitFor Target // what ends a wait
	// Completion is the fraction of a job's maps that must have ended before the quotas of the
	// job's reduces follow the map output [1, Figure 6, line 1], in [0, 1]; 0: .15.
	Completion float64
	// With Patience a job waits for its preferred racks. While it waits, its tasks of the kind that
	// are not preferred on a node are passed over there, and the user's other tasks are looked at,
	// then other users. The wait begins when a task is passed over for the first time and ends
	// Patience seconds later; from then on any node will do, until a preferred task of the job and
	// kind starts. Tasks for which no job waits: local maps and all reduces of light jobs, maps
	// without preferred racks, reduces without quotas. Patience is >= 0 and finite; 0: no slot
	// stays free for a preference.
	Patience float64
	// With Within, quotas that follow the map output are those of shuffle.ReducesWithin: the least
	// traffic with the reduce slots of each rack that are free or hold reduces of the job. If they
	// are too few, all slots of each rack count as well, as often as needed.
	Within bool
	// TypeOf numbers the types of jobs. A job starts with the ratio of shuffle to input that the
	// finished maps of its type had. nil: each job is a type of its own, and starts with a ratio of
	// 1.
	TypeOf func(j slotmodel.Job) int

	broken         bool    // a setting is out of range: nothing starts
	period, window float64 // settings with defaults resolved; a window of 0: none
	completion     float64

	jobs   []job
	waits  []float64              // by user: since when the user waits, +Inf if it does not wait
	types  map[int]shuffle.Ratio  // by type: ratio of the finished maps
	open   map[slotmodel.Job]bool // jobs with a reduce that is a candidate
	room   []int                  // by rack: slots for reduces
	alarm  float64                // no job's wait for Patience ends between now and then; +Inf: none runs
	net    netSat
	report Report

	tasks []shuffle.Candidate // scratch: the candidates
	of    []slotmodel.Job     // scratch: the jobs of the candidates
}

// A Target is a set of tasks for which users wait under relaxed fairness.
type Target uint8

// The targets. The paper does not say which it has: "as employed in Delay Scheduling" (3.4) are
// local maps, of which a rack nearly always has one; Figure 3 prefers tasks by racks.
const (
	LocalTasks     Target = iota // preferred tasks, and maps with their block on the node or in its rack
	PreferredTasks               // preferred tasks, and such maps of jobs without preferred racks
)

// String returns the target in words.
func (t Target) String() string { return enum.Name(t, "Target", "local tasks", "preferred tasks") }

// MarshalText returns the words of String.
func (t Target) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming the field that is out of its range.
func (s *Chooser) Check() error {
	const fn = "shufflewatcher.Chooser.Check"
	for _, x := range []struct {
		name        string
		value, most float64
	}{
		{"Threshold", s.Threshold, 0x1p200},
		{"Period", s.Period, math.MaxFloat64},
		{"Wait", s.Wait, math.MaxFloat64},
		{"Patience", s.Patience, math.MaxFloat64},
		{"Completion", s.Completion, 1},
		{"WaitFor", float64(s.WaitFor), float64(PreferredTasks)},
	} {
		if !(x.value >= 0 && x.value <= x.most) {
			return input.Bad(fn, x.name, -1, "%v, want within [0, %v]", x.value, x.most)
		}
	}
	if w := s.Window; !(w == 0 || w >= 0x1p-200 && w <= 0x1p200 || math.IsInf(w, 1)) {
		return input.Bad(fn, "Window", -1, "%v, want 0, a time in [2^-200, 2^200] or +Inf", w)
	}
	return nil
}

// BeginRun forgets the previous run.
func (s *Chooser) BeginRun(v *slotmodel.View) {
	s.broken = s.Check() != nil
	s.period, s.window, s.completion = cmp.Or(s.Period, 3), cmp.Or(s.Window, 600), cmp.Or(s.Completion, .15)
	if math.IsInf(s.window, 1) {
		s.window = 0
	}
	racks := v.Racks()
	s.jobs, s.waits = make([]job, v.Jobs()), slices.Repeat([]float64{math.Inf(1)}, v.Users())
	s.types, s.open = map[int]shuffle.Ratio{}, map[slotmodel.Job]bool{}
	s.room, s.alarm = make([]int, racks), math.Inf(1)
	for n := range slotmodel.Node(v.Nodes()) {
		s.room[v.RackOf(n)] += v.Free(slotmodel.Reduce, n)
	}
	s.net.begin(v)
	s.report = Report{Saturated: make([]int, racks), Flips: make([]int, racks)}
}

// inForce reports whether a run has begun with right settings; otherwise nothing starts.
func (s *Chooser) inForce(v *slotmodel.View) bool {
	return !s.broken && len(s.jobs) > 0 && len(s.jobs) == v.Jobs()
}

// Idle reports whether no user has a candidate for node n.
func (s *Chooser) Idle(v *slotmodel.View, n slotmodel.Node) bool {
	none := func(k slotmodel.Kind) bool {
		return v.Free(k, n) == 0 || v.NextRunnable(slotmodel.None, k) == slotmodel.None
	}
	return s.inForce(v) && (len(s.open) == 0 || none(slotmodel.Reduce)) && none(slotmodel.Map)
}

// Choose returns the task that node n starts for user u.
func (s *Chooser) Choose(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) (slotmodel.Job, slotmodel.Kind, slotmodel.Task, bool) {
	if !s.inForce(v) {
		return slotmodel.None, slotmodel.Map, slotmodel.None, false
	}
	i, why := s.best(v, u, n, true)
	if i < 0 || !s.accept(v, u, i) {
		return slotmodel.None, slotmodel.Map, slotmodel.None, false
	}
	flag := 0
	if s.net.flags[v.RackOf(n)] {
		flag = 1
	}
	s.report.Chosen[flag][why]++
	j, k, t := s.of[i], s.tasks[i].Kind, slotmodel.Task(slotmodel.None)
	if s.tasks[i].Preferred {
		s.jobs[j].until[k] = 0
		if k == slotmodel.Map {
			t = s.preferredMap(v, j, n)
		}
	}
	return j, k, t, true
}

// Prefers reports whether the best task of user u for node n is a map whose job prefers the node's
// rack or a reduce below the quota of its job there.
func (s *Chooser) Prefers(v *slotmodel.View, u slotmodel.User, n slotmodel.Node) bool {
	if !s.inForce(v) {
		return false
	}
	i, _ := s.best(v, u, n, false)
	return i >= 0 && s.tasks[i].Preferred
}

// best returns the number of the best candidate of user u for node n that does not wait, -1 if
// there is none, and the rule of Figure 3 that chose it. turn: it is the user's turn, and waits may
// begin.
func (s *Chooser) best(v *slotmodel.View, u slotmodel.User, n slotmodel.Node, turn bool) (i int, why shuffle.Reason) {
	s.sense(v)
	s.tasks, s.of = s.tasks[:0], s.of[:0]
	for k := range slotmodel.Kind(2) {
		if v.Free(k, n) > 0 {
			s.find(v, u, k, n)
		}
	}
	for {
		i, why, _ = shuffle.Next(s.tasks, s.net.flags[v.RackOf(n)], s.window) // never an error: the input has been checked
		if i < 0 || !s.declines(v, i, turn) {
			return i, why
		}
		s.tasks, s.of = slices.Delete(s.tasks, i, i+1), slices.Delete(s.of, i, i+1)
	}
}

// declines reports whether candidate i waits for another rack because of Patience.
func (s *Chooser) declines(v *slotmodel.View, i int, turn bool) bool {
	c, x := &s.tasks[i], &s.jobs[s.of[i]]
	planned := c.Kind == slotmodel.Map && x.plan.Racks != nil || c.Kind == slotmodel.Reduce && x.quota != nil
	if s.Patience == 0 || c.Preferred || !planned || !c.Heavy && (c.Kind == slotmodel.Reduce || c.Local > shuffle.Remote) {
		return false
	}
	until := &x.until[c.Kind]
	if *until == 0 && turn {
		*until = v.Now() + s.Patience
		s.alarm = min(s.alarm, *until)
	}
	waits := *until == 0 || v.Now() < *until
	if waits && turn {
		s.report.Declined++
	}
	return waits
}

// find appends the candidates of kind k of user u for node n to tasks, in the order of arrival.
func (s *Chooser) find(v *slotmodel.View, u slotmodel.User, k slotmodel.Kind, n slotmodel.Node) {
	r := v.RackOf(n)
	for j := v.NextRunnableOf(u, slotmodel.None, k); j != slotmodel.None; j = v.NextRunnableOf(u, j, k) {
		x := &s.jobs[j]
		if k == slotmodel.Reduce && !x.enabled {
			continue
		}
		if w := internal.Width(v, j); w == 1 && !v.Fits(j, k, n) || w > 1 && !internal.GangFits(v, j, w) {
			continue
		}
		at, _ := v.Arrival(j)
		c := shuffle.Candidate{Kind: k, Arrival: at, Heavy: x.ratio.Heavy()}
		switch {
		case k == slotmodel.Reduce:
			c.Preferred = x.quota != nil && v.Started(j, k, r) < x.quota[r]
		case slices.Contains(x.plan.Racks, int(r)):
			c.Preferred = true
		default:
			c.Local = locality(v, j, n)
		}
		s.tasks, s.of = append(s.tasks, c), append(s.of, j)
	}
}

// locality returns how near to node n the block is of the map that job j would start there.
func locality(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node) shuffle.Locality {
	switch {
	case v.Spec(j).Replicas == nil || v.Local(j, n) != slotmodel.None:
		return shuffle.Node
	case v.LocalRack(j, v.RackOf(n)) != slotmodel.None:
		return shuffle.Rack
	}
	return shuffle.Remote
}

// accept reports whether user u starts its best candidate, number i, and updates since when the
// user waits.
func (s *Chooser) accept(v *slotmodel.View, u slotmodel.User, i int) bool {
	since, c, x := &s.waits[u], &s.tasks[i], &s.jobs[s.of[i]]
	near := c.Local > shuffle.Remote && (s.WaitFor == LocalTasks || x.plan.Racks == nil)
	if c.Preferred || near || c.Kind == shuffle.Reduce && (x.quota == nil || !c.Heavy) {
		*since = math.Inf(1)
		return true
	}
	*since = min(*since, v.Now())
	if v.Now() < *since+s.Wait {
		s.report.Passed++
		return false
	}
	return true
}

// Alarm returns when NetSat's period or the wait of a user or a job ends next, +Inf if none of them
// runs.
func (s *Chooser) Alarm(v *slotmodel.View) float64 {
	at := math.Inf(1)
	if !s.inForce(v) {
		return at
	}
	s.sense(v)
	if s.net.limited && (v.FreeSlots(slotmodel.Map) < v.Slots(slotmodel.Map) || v.FreeSlots(slotmodel.Reduce) < v.Slots(slotmodel.Reduce)) {
		at = s.net.since + s.period
	}
	for _, since := range s.waits {
		if end := since + s.Wait; end > v.Now() {
			at = min(at, end)
		}
	}
	if s.alarm <= v.Now() {
		s.alarm = math.Inf(1)
		for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
			for _, until := range s.jobs[j].until {
				if until > v.Now() {
					s.alarm = min(s.alarm, until)
				}
			}
		}
	}
	return min(at, s.alarm)
}
