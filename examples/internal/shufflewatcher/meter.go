package shufflewatcher

import "github.com/schedmath/schedmath/slotmodel"

// A meter follows the tasks of a run through its log.
type meter struct {
	rackOf []int
	jobs   []meterJob
	slots  []float64 // slot-seconds of each rack
	starts []float64 // by attempt
	shares [][]int   // by job and rack: maps that ended there
}

// meterJob is what a job runs, and for how long it has run what.
type meterJob struct {
	at                       float64 // of the last change
	maps, reduces, shuffling int

	mapSlots, reduceSlots             float64 // slot-seconds
	mapSeconds, reduceSeconds, shared float64 // with a map, with a reduce, with a map and a reduce that shuffles
}

func newMeter(c *slotmodel.Cluster, jobs int) *meter {
	m := &meter{jobs: make([]meterJob, jobs), slots: make([]float64, len(c.Racks)), shares: make([][]int, jobs)}
	for _, n := range c.Nodes {
		m.rackOf = append(m.rackOf, n.Rack)
	}
	for j := range m.shares {
		m.shares[j] = make([]int, len(c.Racks))
	}
	return m
}

// log takes note of an event. No policy here kills, and no node fails while it runs a task.
func (m *meter) log(e slotmodel.Event) {
	if e.Type != slotmodel.Started && e.Type != slotmodel.Computes && e.Type != slotmodel.Ended {
		return
	}
	j := &m.jobs[e.Job]
	j.lapse(e.Time)
	for int(e.Attempt) >= len(m.starts) {
		m.starts = append(m.starts, 0)
	}
	by := 1
	switch e.Type {
	case slotmodel.Computes:
		if e.Kind == slotmodel.Reduce {
			j.shuffling--
		}
		return
	case slotmodel.Ended:
		by = -1
		m.slots[m.rackOf[e.Node]] += e.Time - m.starts[e.Attempt]
		if e.Kind == slotmodel.Map {
			m.shares[e.Job][m.rackOf[e.Node]]++
		}
	case slotmodel.Started:
		m.starts[e.Attempt] = e.Time
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
