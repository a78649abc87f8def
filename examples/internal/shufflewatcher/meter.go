package shufflewatcher

import "github.com/schedmath/schedmath/slotmodel"

// A meter follows the tasks of a run through its log, job by job.
type meter []meterJob

// meterJob is what a job runs, and for how long it has run what.
type meterJob struct {
	at                       float64 // of the last change
	maps, reduces, shuffling int

	mapSlots, reduceSlots             float64 // slot-seconds
	mapSeconds, reduceSeconds, shared float64 // with a map, with a reduce, with a map and a reduce that shuffles
}

// log takes note of an event. No policy here kills, and no node fails while it runs a task.
func (m meter) log(e slotmodel.Event) {
	if e.Type != slotmodel.Started && e.Type != slotmodel.Computes && e.Type != slotmodel.Ended {
		return
	}
	j := &m[e.Job]
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
	case slotmodel.Started:
		if e.Kind == slotmodel.Reduce {
			j.shuffling++
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
