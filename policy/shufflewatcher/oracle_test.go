package shufflewatcher_test

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// watchedShuffle is a Chooser each of whose choices is checked against a naive one, which knows the
// plans and how shuffle divides reduces.
type watchedShuffle struct {
	*shufflewatcher.Chooser
	threshold, period, window float64 // with defaults resolved

	t        testing.TB
	c        *slotmodel.Cluster
	v        *slotmodel.View
	held     map[slotmodel.Task]int // the rack where a reduce runs or has run
	enabled  []bool
	plans    []shuffle.MapPlan
	quotas   [][]int
	ratios   []shuffle.Ratio // sums of each job
	types    map[int]shuffle.Ratio
	flags    []bool
	read     []shuffle.Link // bytes at the end of the last period
	at       float64        // that end
	quiet    bool           // nothing has run at some time since
	periods  int            // ended
	waits    []float64      // since when a user waits; NaN: it does not
	until    map[wait]float64
	chosen   [2][shuffle.HeavyReduce + 1]int
	changes  int // of flags
	declined int
}

// wait is that of a job for a preferred rack.
type wait struct {
	j slotmodel.Job
	k slotmodel.Kind
}

// newWatchedShuffle checks a Chooser.
func newWatchedShuffle(t testing.TB, c *slotmodel.Cluster, s *shufflewatcher.Chooser) *watchedShuffle {
	w := &watchedShuffle{Chooser: s, t: t, c: c, threshold: s.Threshold, period: s.Period, window: s.Window}
	if w.threshold == 0 {
		w.threshold = .8
	}
	if w.window == 0 {
		w.window = 600
	}
	if w.period == 0 {
		w.period = 3
	}
	return w
}

func (w *watchedShuffle) BeginRun(v *slotmodel.View) {
	w.v, w.at, w.quiet, w.periods, w.types = v, 0, true, 0, map[int]shuffle.Ratio{}
	w.held, w.plans = map[slotmodel.Task]int{}, make([]shuffle.MapPlan, v.Jobs())
	w.enabled, w.quotas, w.ratios = make([]bool, v.Jobs()), make([][]int, v.Jobs()), make([]shuffle.Ratio, v.Jobs())
	w.flags, w.read = make([]bool, v.Racks()), make([]shuffle.Link, v.Racks())
	w.until = map[wait]float64{}
	w.waits = slices.Repeat([]float64{math.NaN()}, v.Users())
	w.Chooser.BeginRun(v)
}

// sensed follows the end of a period that the call just made has noticed.
func (w *watchedShuffle) sensed() {
	now := w.v.Now()
	if periods := w.Report().Periods; periods == w.periods {
		return
	} else if w.periods++; w.periods != periods {
		w.t.Fatalf("at %v s %d periods have ended, want %d", now, periods, w.periods)
	}
	d := now - w.at
	if d < w.period*(1-1e-9) || d > w.period*(1+1e-9) && !w.quiet {
		w.t.Fatalf("a period ends at %v s, %v s after the last, want %v", now, d, w.period)
	}
	for r := range w.flags {
		out, in := w.v.LinkBytes(slotmodel.Rack(r))
		full := (out-w.read[r].Out)/d/w.c.Racks[r].Egress > w.threshold || (in-w.read[r].In)/d/w.c.Racks[r].Ingress > w.threshold
		if full != w.flags[r] {
			w.changes++
		}
		w.read[r], w.flags[r] = shuffle.Link{Out: out, In: in}, full
	}
	w.at, w.quiet = now, w.still(w.v)
}

// Alarm is watched for the end of a period.
func (w *watchedShuffle) Alarm(v *slotmodel.View) float64 {
	at := w.Chooser.Alarm(v)
	w.sensed()
	return at
}

// Observe checks plans and quotas.
func (w *watchedShuffle) Observe(v *slotmodel.View, e slotmodel.Event) {
	if e.Type == slotmodel.Arrived {
		w.plans[e.Job] = w.plan(v, e.Job)
	}
	w.Chooser.Observe(v, e)
	if e.Job == slotmodel.None {
		return
	}
	switch e.Type {
	case slotmodel.Started:
		w.held[e.Task] = w.c.Nodes[e.Node].Rack
	case slotmodel.Killed, slotmodel.Crashed:
		delete(w.held, e.Task)
	}
	w.quiet = w.quiet || w.still(v)
	s := v.Spec(e.Job)
	if got, _ := w.Plan(e.Job); !reflect.DeepEqual(got, w.plans[e.Job]) {
		w.t.Fatalf("at %v s the plan of job %d is %+v, want %+v", v.Now(), e.Job, got, w.plans[e.Job])
	}
	if e.Type == slotmodel.Ended && e.Kind == slotmodel.Map {
		in, out := s.Input/float64(s.Maps.Tasks), s.Shuffle/float64(s.Maps.Tasks)
		x := &w.ratios[e.Job]
		x.Input, x.Output = x.Input+in, x.Output+out
		if w.TypeOf != nil {
			y := w.types[w.TypeOf(e.Job)]
			w.types[w.TypeOf(e.Job)] = shuffle.Ratio{Input: y.Input + in, Output: y.Output + out}
		}
	}
	if e.Type == slotmodel.Ended && e.Kind == slotmodel.Map && w.enabled[e.Job] && w.quotas[e.Job] == nil {
		w.quotas[e.Job] = w.quota(v, e.Job)
	}
	for j := v.NextActive(slotmodel.None); j != slotmodel.None; j = v.NextActive(j) {
		waiting := 0
		for i := v.NextActive(slotmodel.None); i != slotmodel.None; i = v.NextActive(i) {
			if v.Spec(i).User == v.Spec(j).User {
				waiting += v.Count(i, slotmodel.Map).Pending()
			}
		}
		if !w.enabled[j] && (e.Type == slotmodel.MapsEnded && e.Job == j || waiting == 0) {
			w.enabled[j] = true
			w.quotas[j] = w.quota(v, j)
		}
		if _, got := w.Plan(j); w.enabled[j] && !slices.Equal(got, w.quotas[j]) {
			w.t.Fatalf("at %v s the quotas of job %d are %v, want %v", v.Now(), j, got, w.quotas[j])
		}
	}
}

// still reports whether nothing runs.
func (w *watchedShuffle) still(v *slotmodel.View) bool {
	running := 0
	for u := range slotmodel.User(v.Users()) {
		running += v.UserRunning(u, slotmodel.Map) + v.UserRunning(u, slotmodel.Reduce)
	}
	return running == 0
}

// holders lists the racks with a copy of the block of a map; all of them if nobody needs to fetch
// it.
func (w *watchedShuffle) holders(v *slotmodel.View, j slotmodel.Job, i int) []int {
	var racks []int
	s := v.Spec(j)
	for c := range s.Copies {
		if n := s.Replicas[i*s.Copies+c]; n >= 0 && !slices.Contains(racks, w.c.Nodes[n].Rack) {
			racks = append(racks, w.c.Nodes[n].Rack)
		}
	}
	if racks == nil {
		for r := range v.Racks() {
			racks = append(racks, r)
		}
	}
	return racks
}

// plan is SAMP's of a job that arrives.
func (w *watchedShuffle) plan(v *slotmodel.View, j slotmodel.Job) shuffle.MapPlan {
	s := v.Spec(j)
	if w.TypeOf != nil {
		w.ratios[j] = w.types[w.TypeOf(j)]
	}
	if w.NoSAMP || s.Maps.Tasks == 0 || policytest.Wide(s) > 1 {
		return shuffle.MapPlan{}
	}
	o := shuffle.Options{Load: make([]float64, v.Racks())}
	for i := v.NextActive(slotmodel.None); i != slotmodel.None; i = v.NextActive(i) {
		p, _ := w.Plan(i)
		c := v.Count(i, slotmodel.Map)
		for r := range p.Maps {
			o.Load[r] += p.Maps[r] * (float64(c.Pending()) / float64(c.Tasks))
		}
	}
	ratio := 1.
	if x := w.ratios[j]; x.Input > 0 {
		ratio = x.Output / x.Input
	}
	var blocks []shuffle.Block
	for i := range s.Maps.Tasks {
		blocks = append(blocks, shuffle.Block{Bytes: s.Input / float64(s.Maps.Tasks), Racks: w.holders(v, j, i)})
	}
	p, err := shuffle.MapRacks(v.Racks(), blocks, ratio, s.Reduces.Tasks, o)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// quota is SARP's of a job.
func (w *watchedShuffle) quota(v *slotmodel.View, j slotmodel.Job) []int {
	reduces := v.Spec(j).Reduces.Tasks
	if w.NoSARP || reduces == 0 {
		return nil
	}
	var output []float64
	for r := range slotmodel.Rack(v.Racks()) {
		output = append(output, v.Output(j, r))
	}
	maps := v.Count(j, slotmodel.Map)
	if float64(maps.Done) >= cmp.Or(w.Completion, .15)*float64(maps.Tasks) && slices.Max(output) > 0 {
		q, err := shuffle.ReducesPerRack(nil, reduces, output)
		if err != nil {
			w.t.Fatal(err)
		}
		if w.Within {
			return w.within(v, j, output, q)
		}
		return q
	}
	if w.quotas[j] != nil {
		return w.quotas[j]
	}
	p, _ := w.Plan(j)
	return p.Reduces
}

// within places the reduces of a job one by one, each in the rack with most output that has a slot
// for it; otherwise if there are no slots.
func (w *watchedShuffle) within(v *slotmodel.View, j slotmodel.Job, output []float64, otherwise []int) []int {
	free, all := make([]int, len(output)), make([]int, len(output))
	for i, n := range w.c.Nodes {
		free[n.Rack] += v.Free(slotmodel.Reduce, slotmodel.Node(i))
		all[n.Rack] += n.Reduces + n.Slots
	}
	for i := range v.Spec(j).Reduces.Tasks {
		if r, ran := w.held[v.Task(j, slotmodel.Reduce, i)]; ran {
			free[r]++
		}
	}
	if slices.Max(all) == 0 {
		return otherwise
	}
	sum := func() (slots int) {
		for _, n := range free {
			slots += n
		}
		return slots
	}
	for sum() < v.Spec(j).Reduces.Tasks {
		for r := range free {
			free[r] += all[r]
		}
	}
	quota := make([]int, len(output))
	for range v.Spec(j).Reduces.Tasks {
		best := -1
		for r := range free {
			if quota[r] < free[r] && (best < 0 || output[r] > output[best]) {
				best = r
			}
		}
		quota[best]++
	}
	return quota
}
