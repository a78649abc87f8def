package shufflewatcher

import "github.com/schedmath/schedmath/slotmodel"

// A meter follows the tasks of a run through its log, job by job.
type meter struct {
	cluster *slotmodel.Cluster
	specs   []slotmodel.JobSpec
	jobs    []meterJob
}

// newMeter makes a meter of some jobs.
func newMeter(c *slotmodel.Cluster, specs []slotmodel.JobSpec) *meter {
	return &meter{c, specs, make([]meterJob, len(specs))}
}

// meterJob is what a job runs, and for how long it has run what.
type meterJob struct {
	at                       float64 // of the last change
	maps, reduces, shuffling int

	mapSlots, reduceSlots             float64 // slot-seconds
	mapSeconds, reduceSeconds, shared float64 // with a map, with a reduce, with a map and a reduce that shuffles

	ended  int          // tasks
	begun  float64      // part of the maps that had ended when the first reduce started
	later  bool         // a reduce has started
	places [2][]float64 // by kind and rack: tasks that have ended; nil: none
}

// log takes note of an event. No policy here kills, and no node fails while it runs a task.
func (m *meter) log(e slotmodel.Event) {
	if e.Type != slotmodel.Started && e.Type != slotmodel.Computes && e.Type != slotmodel.Ended {
		return
	}
	j := &m.jobs[e.Job]
	j.lapse(e.Time)
	by := 1
	switch e.Type {
	case slotmodel.Computes:
		if e.Kind == slotmodel.Reduce {
			j.shuffling--
		}
		return
	case slotmodel.Ended:
		by = -1
		j.ended++
		if j.places[e.Kind] == nil {
			j.places[e.Kind] = make([]float64, len(m.cluster.Racks))
		}
		j.places[e.Kind][m.cluster.Nodes[e.Node].Rack]++
	case slotmodel.Started:
		if e.Kind == slotmodel.Reduce {
			j.shuffling++
			if !j.later { // all that has ended are maps
				j.later, j.begun = true, float64(j.ended)/float64(m.specs[e.Job].Maps.Tasks)
			}
		}
	}
	if e.Kind == slotmodel.Map {
		j.maps += by
	} else {
		j.reduces += by
	}
}

// lapse lets time pass until t.
func (j *meterJob) lapse(t float64) {
	d := t - j.at
	j.at = t
	j.mapSlots += float64(float64(j.maps) * d)
	j.reduceSlots += float64(float64(j.reduces) * d)
	if j.maps > 0 {
		j.mapSeconds += d
		if j.shuffling > 0 {
			j.shared += d
		}
	}
	if j.reduces > 0 {
		j.reduceSeconds += d
	}
}

// places returns where the tasks of heavy jobs ran, those with more shuffle than input and with
// reduces, all of whose tasks have ended. concentration is the mean over these jobs of the sum over
// racks of p^2, p the part of the job's maps that ran in the rack: 1 if each job had one rack, 1/R if
// it had R racks alike. kept is the mean of the sum of p r, r the part of the job's reduces that ran
// in the rack: the part of the shuffle that did not cross racks. Both are 0 without such jobs.
func (m *meter) places(specs []slotmodel.JobSpec) (concentration, kept float64) {
	heavy := 0.0
	for i, spec := range specs {
		j := &m.jobs[i]
		if spec.Shuffle <= spec.Input || spec.Reduces.Tasks == 0 || j.ended < spec.Maps.Tasks+spec.Reduces.Tasks {
			continue
		}
		heavy++
		for r, n := range j.places[slotmodel.Map] {
			p := n / float64(spec.Maps.Tasks)
			concentration += p * p
			kept += p * j.places[slotmodel.Reduce][r] / float64(spec.Reduces.Tasks)
		}
	}
	return concentration / max(1, heavy), kept / max(1, heavy)
}
