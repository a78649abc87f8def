package shufflewatcher

import (
	"slices"

	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// shuffleJob is what ShuffleWatcher knows of one job.
type job struct {
	plan    shuffle.MapPlan // SAMP's; zero: none
	ratio   shuffle.Ratio
	quota   []int // SARP's, by rack; nil: none
	enabled bool  // its reduces are candidates

	outside []slotmodel.Task // its maps whose blocks have no copy in a preferred rack
	at      int              // index in outside; no task before it waits
}

// Observe plans for jobs that arrive, learns from maps that end, and lets reduces be candidates.
func (s *Chooser) Observe(v *slotmodel.View, e slotmodel.Event) {
	if !s.inForce(v) || e.Job < 0 || int(e.Job) >= len(s.jobs) {
		return
	}
	j, x := e.Job, &s.jobs[e.Job]
	u := slotmodel.User(v.Spec(j).User)
	switch e.Type {
	case slotmodel.Arrived:
		s.arrive(v, j)
	case slotmodel.Ended:
		if e.Kind == slotmodel.Map {
			s.learn(v, j)
		}
	case slotmodel.Killed, slotmodel.Crashed, slotmodel.OutputLost:
		x.at = 0
	case slotmodel.MapsEnded:
		s.enable(v, j)
	case slotmodel.JobEnded:
		x.outside = nil
	}
	if e.Type == slotmodel.Started && e.Kind == slotmodel.Map || e.Type == slotmodel.JobEnded {
		if v.NextRunnableOf(u, slotmodel.Map, slotmodel.None) == slotmodel.None {
			for i := v.NextActiveOf(u, slotmodel.None); i != slotmodel.None; i = v.NextActiveOf(u, i) {
				s.enable(v, i)
			}
		}
	}
	s.recount(v, j)
}

// arrive makes the plan of a job.
func (s *Chooser) arrive(v *slotmodel.View, j slotmodel.Job) {
	spec, x := v.Spec(j), &s.jobs[j]
	switch {
	case s.options.TrueRatio:
		x.ratio = shuffle.Ratio{Input: spec.Input, Output: spec.Shuffle}
	case s.options.TypeOf != nil:
		x.ratio = s.types[s.options.TypeOf(j)]
	}
	if s.options.NoSAMP || spec.Maps.Tasks == 0 || internal.Width(v, j) > 1 {
		return
	}
	blocks := blocksOf(v, spec)
	o := shuffle.Options{Load: s.outstanding(v), Slots: s.slots}
	var err error
	if x.plan, err = shuffle.MapRacks(blocks, v.Racks(), x.ratio.Value(), spec.Reduces.Tasks, o); err != nil {
		return // more racks or tasks than shuffle takes
	}
	for i, b := range blocks {
		if !slices.ContainsFunc(b.Racks, func(r int) bool { return slices.Contains(x.plan.Racks, r) }) {
			x.outside = append(x.outside, v.Task(j, slotmodel.Map, i))
		}
	}
}

// blocksOf lists the blocks of a job. One that no node holds is read at no cost everywhere, like that of a job without Replicas.
func blocksOf(v *slotmodel.View, spec *slotmodel.JobSpec) []shuffle.Block {
	var every []int
	for r := range v.Racks() {
		every = append(every, r)
	}
	blocks := make([]shuffle.Block, spec.Maps.Tasks)
	for i := range blocks {
		var racks []int
		if spec.Replicas != nil {
			for _, n := range spec.Replicas[i*spec.Copies : (i+1)*spec.Copies] {
				if r := int(v.RackOf(slotmodel.Node(n))); r >= 0 && !slices.Contains(racks, r) {
					racks = append(racks, r)
				}
			}
		}
		if racks == nil {
			racks = every
		}
		blocks[i] = shuffle.Block{Bytes: spec.Input / float64(spec.Maps.Tasks), Racks: racks}
	}
	return blocks
}

// outstanding returns for each rack the bytes of the maps that prefer it and wait.
func (s *Chooser) outstanding(v *slotmodel.View) []float64 {
	load := make([]float64, v.Racks())
	for j := v.NextRunnable(slotmodel.Map, slotmodel.None); j != slotmodel.None; j = v.NextRunnable(slotmodel.Map, j) {
		c := v.Count(j, slotmodel.Map)
		for r, bytes := range s.jobs[j].plan.Maps {
			load[r] += bytes * (float64(c.Pending()) / float64(c.Tasks))
		}
	}
	return load
}

// learn takes note of a map that has ended. Every map of a job reads and writes an equal share.
func (s *Chooser) learn(v *slotmodel.View, j slotmodel.Job) {
	spec, x := v.Spec(j), &s.jobs[j]
	maps := float64(spec.Maps.Tasks)
	if !s.options.TrueRatio {
		_ = x.ratio.Add(spec.Input/maps, spec.Shuffle/maps) // of sizes out of its range a Ratio learns nothing
		if s.options.TypeOf != nil {
			y := s.types[s.options.TypeOf(j)]
			_ = y.Add(spec.Input/maps, spec.Shuffle/maps)
			s.types[s.options.TypeOf(j)] = y
		}
	}
	if x.enabled && (x.quota == nil || s.options.Recompute) {
		s.allot(v, j)
	}
}

// enable makes a job's reduces candidates.
func (s *Chooser) enable(v *slotmodel.View, j slotmodel.Job) {
	if x := &s.jobs[j]; !x.enabled {
		x.enabled = true
		s.allot(v, j)
		s.recount(v, j)
	}
}

// allot sets the quotas of a job's reduces (SARP, the lines of Figure 6).
func (s *Chooser) allot(v *slotmodel.View, j slotmodel.Job) {
	x, c, reduces := &s.jobs[j], v.Count(j, slotmodel.Map), v.Spec(j).Reduces.Tasks
	if s.options.NoSARP || reduces == 0 {
		return
	}
	if float64(c.Done) >= s.options.MapsDone*float64(c.Tasks) { // line 1
		output := make([]float64, v.Racks())
		for r := range output {
			output[r] = v.Output(j, slotmodel.Rack(r))
		}
		if quota, err := shuffle.ReducesPerRack(x.quota[:0], reduces, output); err == nil { // lines 2 and 3
			x.quota = quota
			return
		} // there is no output
	}
	if x.quota == nil {
		x.quota = slices.Clone(x.plan.Reduces) // lines 5 and 6
	}
}

// recount notes whether a job has a reduce that is a candidate.
func (s *Chooser) recount(v *slotmodel.View, j slotmodel.Job) {
	if s.jobs[j].enabled && v.Runnable(j, slotmodel.Reduce) {
		s.open[j] = true
	} else {
		delete(s.open, j)
	}
}

// preferredMap returns the task that a job starts on a node of a preferred rack, slotmodel.None for that which slotmodel.Actions.Start picks.
func (s *Chooser) preferredMap(v *slotmodel.View, j slotmodel.Job, n slotmodel.Node) slotmodel.Task {
	if locality(v, j, n) == shuffle.Remote {
		for x := &s.jobs[j]; x.at < len(x.outside); x.at++ {
			if t := x.outside[x.at]; v.NextPending(j, slotmodel.Map, t-1) == t {
				return t
			}
		}
	}
	return slotmodel.None
}
