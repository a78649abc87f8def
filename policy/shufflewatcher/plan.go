package shufflewatcher

import (
	"slices"

	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// job is what a Chooser knows of one job.
type job struct {
	plan    shuffle.MapPlan // plan of SAMP; zero: none
	ratio   shuffle.Ratio   // of shuffle to input
	quota   []int           // quotas of SARP, by rack; nil: none
	enabled bool            // the job's reduces are candidates
	until   [2]float64      // by kind: end of the job's wait for Patience, 0: it does not wait

	outside []slotmodel.Task // maps whose blocks have no copy in a preferred rack
	at      int              // index in outside; no task before this index waits
}

// Observe plans for jobs that arrive, learns from maps that end, and makes reduces candidates.
func (s *Chooser) Observe(v *slotmodel.View, e slotmodel.Event) {
	if !s.inForce(v) || e.Job < 0 || int(e.Job) >= len(s.jobs) {
		return
	}
	s.count(v, e)
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
		if v.NextRunnableOf(u, slotmodel.None, slotmodel.Map) == slotmodel.None {
			for i := v.NextActiveOf(u, slotmodel.None); i != slotmodel.None; i = v.NextActiveOf(u, i) {
				s.enable(v, i)
			}
		}
	}
	s.recount(v, j)
}

// arrive makes the plan of job j.
func (s *Chooser) arrive(v *slotmodel.View, j slotmodel.Job) {
	spec, x := v.Spec(j), &s.jobs[j]
	if s.TypeOf != nil {
		x.ratio = s.types[s.TypeOf(j)]
	}
	if s.NoSAMP || spec.Maps.Tasks == 0 || internal.Width(v, j) > 1 {
		return
	}
	blocks := blocksOf(v, spec)
	o := shuffle.Options{Load: s.outstanding(v)}
	var err error
	if x.plan, err = shuffle.MapRacks(v.Racks(), blocks, x.ratio.Value(), spec.Reduces.Tasks, o); err != nil {
		return // the cluster has more racks, or the job more tasks, than shuffle takes
	}
	for i, b := range blocks {
		if !slices.ContainsFunc(b.Racks, func(r int) bool { return slices.Contains(x.plan.Racks, r) }) {
			x.outside = append(x.outside, v.Task(j, slotmodel.Map, i))
		}
	}
}

// blocksOf lists the blocks of the maps of a job. A block that no node holds is read at no cost
// everywhere, as are the blocks of a job without Replicas.
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

// outstanding returns for each rack the bytes of waiting maps that prefer the rack.
func (s *Chooser) outstanding(v *slotmodel.View) []float64 {
	load := make([]float64, v.Racks())
	for j := v.NextRunnable(slotmodel.None, slotmodel.Map); j != slotmodel.None; j = v.NextRunnable(j, slotmodel.Map) {
		c := v.Count(j, slotmodel.Map)
		for r, bytes := range s.jobs[j].plan.Maps {
			load[r] += bytes * (float64(c.Pending()) / float64(c.Tasks))
		}
	}
	return load
}

// learn takes note that a map of job j has ended. Every map of a job reads and writes an equal
// share.
func (s *Chooser) learn(v *slotmodel.View, j slotmodel.Job) {
	spec, x := v.Spec(j), &s.jobs[j]
	maps := float64(spec.Maps.Tasks)
	_ = x.ratio.Add(spec.Input/maps, spec.Shuffle/maps) // a Ratio learns nothing of sizes out of its range
	if s.TypeOf != nil {
		y := s.types[s.TypeOf(j)]
		_ = y.Add(spec.Input/maps, spec.Shuffle/maps)
		s.types[s.TypeOf(j)] = y
	}
	if x.enabled && x.quota == nil {
		s.allot(v, j)
	}
}

// enable makes the reduces of job j candidates.
func (s *Chooser) enable(v *slotmodel.View, j slotmodel.Job) {
	if x := &s.jobs[j]; !x.enabled {
		x.enabled = true
		s.allot(v, j)
		s.recount(v, j)
	}
}

// allot sets the quotas of the reduces of job j: SARP, with the line numbers of Figure 6.
func (s *Chooser) allot(v *slotmodel.View, j slotmodel.Job) {
	x, c, reduces := &s.jobs[j], v.Count(j, slotmodel.Map), v.Spec(j).Reduces.Tasks
	if s.NoSARP || reduces == 0 {
		return
	}
	if float64(c.Done) >= s.completion*float64(c.Tasks) { // line 1
		output := make([]float64, v.Racks())
		for r := range output {
			output[r] = v.Output(j, slotmodel.Rack(r))
		}
		quota, err := shuffle.ReducesPerRack(x.quota[:0], reduces, output) // lines 2 and 3
		if err == nil {
			x.quota = quota
			if s.Within {
				s.within(v, j, output)
			}
			return
		} // an error: there is no output
	}
	if x.quota == nil {
		x.quota = slices.Clone(x.plan.Reduces) // lines 5 and 6
	}
}

// within divides the reduces of job j by the slots for them, if there are any.
func (s *Chooser) within(v *slotmodel.View, j slotmodel.Job, output []float64) {
	x, reduces, all := &s.jobs[j], v.Spec(j).Reduces.Tasks, 0
	slots, missing := make([]int, len(output)), reduces
	for r := range slots {
		slots[r] = v.Started(j, slotmodel.Reduce, slotmodel.Rack(r))
		for n := v.NextFreeIn(slotmodel.Reduce, slotmodel.Rack(r), slotmodel.None); n != slotmodel.None; n = v.NextFreeIn(slotmodel.Reduce, slotmodel.Rack(r), n) {
			slots[r] += v.Free(slotmodel.Reduce, n)
		}
		missing, all = missing-slots[r], all+s.room[r]
	}
	if all == 0 {
		return
	}
	for r := range slots {
		slots[r] += s.room[r] * max(0, (missing+all-1)/all)
	}
	if quota, err := shuffle.ReducesWithin(nil, reduces, output, slots); err == nil {
		x.quota = quota
	}
}

// recount updates whether job j is in open.
func (s *Chooser) recount(v *slotmodel.View, j slotmodel.Job) {
	if s.jobs[j].enabled && v.Runnable(j, slotmodel.Reduce) {
		s.open[j] = true
	} else {
		delete(s.open, j)
	}
}

// preferredMap returns the map that job j starts on node n of a preferred rack, slotmodel.None for
// the map that slotmodel.Actions.Start picks.
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
