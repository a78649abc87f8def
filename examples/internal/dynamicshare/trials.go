package dynamicshare

import (
	"errors"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/partition"
)

// A cell is what one scheme is run on: places in jobs and skewnesses, and a number of partitions.
type cell struct {
	job, skewness, partitions int
	scheme                    scheme
}

// with is the cell of another scheme.
func (c cell) with(k scheme) cell {
	c.scheme = k
	return c
}

// An outcome is how a reduce phase went: in how many seconds, with which balance and skewness in
// percent.
type outcome struct{ seconds, balance, skewness float64 }

func seconds(o outcome) float64  { return o.seconds }
func balance(o outcome) float64  { return o.balance }
func skewness(o outcome) float64 { return o.skewness }

// A trial is what one seed gave.
type trial struct {
	speeds      []float64
	populations [][]*population // by job and skewness
	outcomes    map[cell]outcome
	// long is about a longer Twitter job at the largest skewness: the careful SkewTune's time over
	// DP's by exact times, and that of the one that splits what lags over Hadoop's.
	long [2]float64
}

// trials are those of all seeds in one reading.
type trials struct {
	*study
	*setting
	list []trial
}

// readings are the trials of reading A and of reading B.
type readings [2]*trials

func (s *study) runTrials() (all readings, err error) {
	for r := range settings {
		set := &settings[r]
		list, err := report.Each(s.terminal, "dynamicshare: partitions", s.n, func(i int) (trial, error) { return newTrial(set, s.Seed, i) })
		if err != nil {
			return all, err
		}
		all[r] = &trials{s, set, list}
	}
	return all, nil
}

// claims are those of both readings.
func (all readings) claims(of func(*trials) []report.Claim) []report.Claim {
	var list []report.Claim
	for _, t := range all {
		for _, c := range of(t) {
			c.Reading = t.reading
			list = append(list, c)
		}
	}
	return list
}

// at is a cell at the skewness of Figures 9 to 12.
func (t *trials) at(job, partitions int, k scheme) cell { return cell{job, t.steep, partitions, k} }

// of lists what all seeds gave for a cell.
func (t *trials) of(c cell, what func(outcome) float64) []float64 {
	return report.Column(t.list, func(x *trial) float64 { return what(x.outcomes[c]) })
}

// ratio is the interval of the time of one cell over that of another, seed by seed.
func (t *trials) ratio(a, b cell) report.Interval {
	return report.Ratio(t.of(a, seconds), t.of(b, seconds))
}

// ratios are those of two schemes for both jobs at each number of partitions, at the skewness of
// Figures 9 to 12.
func (t *trials) ratios(a, b scheme) []report.Interval {
	var list []report.Interval
	for j := range jobs {
		for _, n := range partitions {
			list = append(list, t.ratio(t.at(j, n, a), t.at(j, n, b)))
		}
	}
	return list
}

func newTrial(set *setting, seed uint64, repetition int) (trial, error) {
	t := trial{speeds: speeds(reduces, set.top, stream(seed, repetition, speedStream)), outcomes: map[cell]outcome{}}
	for ji, j := range jobs {
		paced := *j
		paced.rate *= set.pace
		j = &paced
		exact, err := j.cost(t.speeds)
		estimated, err1 := j.estimated(t.speeds, stream(seed, repetition, pastStream+ji))
		keys, err2 := newKeySet(j, stream(seed, repetition, keyStream+ji))
		if err := errors.Join(err, err1, err2); err != nil {
			return t, err
		}
		t.populations = append(t.populations, nil)
		for si, skewness := range set.skewnesses {
			t.populations[ji] = append(t.populations[ji], keys.population(skewness))
			for _, n := range partitions {
				if n > reduces && si != middle && si != set.steep {
					continue // no figure shows them
				}
				if err := t.compare(cell{job: ji, skewness: si, partitions: n}, si == set.steep, exact, estimated); err != nil {
					return t, err
				}
			}
		}
	}
	populations := t.populations[onTwitter]
	err := t.longJob(populations[len(populations)-1])
	return t, err
}

// longJob compares SkewTune with DP and Hadoop on a job that takes longer.
func (t *trial) longJob(p *population) error {
	j := *p.job
	j.rate /= longer
	sizes, err := p.sizes(reduces)
	if err != nil {
		return err
	}
	plan, err := j.assign(sizes, t.speeds, partition.DynamicShare)
	longest := p.longest()
	tuned := func(careful bool) float64 {
		return rotated(t.speeds, func(v []float64) float64 { return j.skewTune(sizes, longest, v, overhead, careful) })
	}
	t.long = [2]float64{tuned(true) / plan.Makespan, tuned(false) / rotated(t.speeds, func(v []float64) float64 { return j.slowest(sizes, v) })}
	return err
}

// compare runs the schemes on the keys of a job, all of them if every is set. They are timed by
// exact costs.
func (t *trial) compare(c cell, every bool, exact, estimated partition.Cost) error {
	p, equal := t.populations[c.job][c.skewness], t.populations[c.job][0]
	sketch, err := p.sketch(sketchRows, c.partitions)
	simple, err1 := p.sketch(1, c.partitions)
	pairs, err2 := equal.sketch(1, c.partitions) // as if all lists were equal
	if err := errors.Join(err, err1, err2); err != nil {
		return err
	}
	for k, s := range table {
		c.scheme = scheme(k)
		if c.scheme <= skewTuneLags && c.partitions > reduces || c.scheme > dpExact && !every {
			continue // the paper runs the first three with as many partitions as reduces; no figure shows the last
		}
		counted, cost := simple, estimated
		switch {
		case s.sketch:
			counted = sketch
		case c.scheme == dpPairs:
			counted = pairs
		}
		if s.exact {
			cost = exact
		}
		row, plan, err := partition.AssignSketch(reduces, counted, cost, partition.Options{Method: s.method})
		if err != nil {
			return err
		}
		sizes, err := sketch.Row(nil, row) // row 0 is simple hashing
		if err != nil {
			return err
		}
		load := make([]float64, reduces)
		for i, m := range plan.Of {
			load[m] += sizes[i]
		}
		var o outcome
		switch {
		case c.scheme == skewTune || c.scheme == skewTuneLags:
			longest := p.longest()
			o.seconds = rotated(t.speeds, func(v []float64) float64 { return p.job.skewTune(load, longest, v, overhead, c.scheme == skewTune) })
		case s.blind:
			o.seconds = rotated(t.speeds, func(v []float64) float64 { return p.job.slowest(load, v) })
		default:
			o.seconds = p.job.slowest(load, t.speeds)
		}
		o.balance, err1 = partition.Balance(load)
		o.skewness, err2 = partition.Skewness(sizes)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		t.outcomes[c] = o
	}
	return nil
}
