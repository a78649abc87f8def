package shufflewatcher

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/slotmodel"
)

// A meter follows the tasks of a run through its log, job by job.
type meter struct {
	cluster *slotmodel.Cluster
	jobs    []meterJob
}

// meterJob is what a job runs, and for how long it has run what.
type meterJob struct {
	at                       float64 // of the last change
	maps, reduces, shuffling int

	mapSlots, reduceSlots             float64 // slot-seconds
	mapSeconds, reduceSeconds, shared float64 // with a map, with a reduce, with a map and a reduce that shuffles

	ended  int          // tasks
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

// A metric is a number of one run.
type metric func(*outcome) float64

// all stands for the jobs of all classes.
const all = classes

// sum adds up what the window's jobs of a class have, and counts them.
func (o *outcome) sum(k class, what func(j *jobOutcome) float64) (sum, n float64) {
	for i := range o.jobs {
		if j := &o.jobs[i]; k == all || j.class == k {
			sum, n = sum+what(j), n+1
		}
	}
	return sum, n
}

func every(*jobOutcome) float64 { return 1 }

// throughput is the jobs of a class that end in an hour of the window, volume the bytes that the
// jobs shuffle.
func throughput(k class) metric {
	return func(o *outcome) float64 { return total(k, every)(o) / o.hours }
}

func volume(o *outcome) float64 { return whole(all)(o) / o.hours }

// turnaround is the mean sojourn time of the window's jobs of a class, in s.
func turnaround(k class) metric {
	return part(total(k, func(j *jobOutcome) float64 { return j.sojourn }), total(k, every))
}

func (j *jobOutcome) crossRack() float64 { return j.read + j.shuffle }

// moved is the bytes that cross racks for each byte that jobs of a class shuffle, of light ones,
// which hardly do, for each job: it does not depend on which jobs end in the window. shuffles is
// that of the shuffle alone.
func moved(k class) metric {
	if k == light {
		return part(traffic(k), total(k, every))
	}
	return part(traffic(k), whole(k))
}

func shuffles(k class) metric { return part(shuffled(k), whole(k)) }

// traffic is the bytes that the window's jobs of a class moved between racks; shuffled and remote
// are its parts.
func traffic(k class) metric  { return total(k, (*jobOutcome).crossRack) }
func shuffled(k class) metric { return total(k, func(j *jobOutcome) float64 { return j.shuffle }) }
func remote(k class) metric   { return total(k, func(j *jobOutcome) float64 { return j.read }) }

func total(k class, what func(j *jobOutcome) float64) metric {
	return func(o *outcome) float64 {
		sum, _ := o.sum(k, what)
		return sum
	}
}

// burstiness is the coefficient of variation over the window of the load of the links.
func burstiness(o *outcome) float64 { return numbers.SD(o.load) / numbers.Mean(o.load) }

// pairs compares the runs of two cells, seed by seed, and paired is the interval of that.
func (s *study) pairs(a, b cell, what func(x, y *outcome) float64) []float64 {
	var list []float64
	for i, x := range s.runs(a) {
		list = append(list, what(x, s.runs(b)[i]))
	}
	return list
}

func (s *study) paired(a, b cell, what func(x, y *outcome) float64) numbers.Interval {
	return numbers.Over(s.pairs(a, b, what))
}

// compare is the interval of the ratio of a metric.
func (s *study) compare(a, b cell, what metric) numbers.Interval {
	return s.paired(a, b, ratio(what))
}

func ratio(what metric) func(x, y *outcome) float64 {
	return func(x, y *outcome) float64 { return over(what(x), what(y)) }
}

// over is x/y, NaN where y is 0: a short run may have no job of a class.
func over(x, y float64) float64 {
	if y == 0 {
		return math.NaN()
	}
	return x / y
}

// values are a metric of the runs of one cell, and mean is their interval.
func (s *study) values(c cell, what metric) []float64 {
	return s.pairs(c, c, func(x, _ *outcome) float64 { return what(x) })
}

func (s *study) mean(c cell, what metric) numbers.Interval {
	return numbers.Over(s.values(c, what))
}

// slowdowns are the ratios of the turn-around of each job that ends in the windows of two runs of
// the same workload, ascending.
func slowdowns(x, y *outcome) []float64 {
	var list []float64
	beside := map[int]float64{}
	for _, j := range y.jobs {
		beside[j.number] = j.sojourn
	}
	for _, j := range x.jobs {
		if t, ok := beside[j.number]; ok {
			list = append(list, j.sojourn/t)
		}
	}
	slices.Sort(list)
	return list
}
