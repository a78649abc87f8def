package dynamicshare

import (
	"slices"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/partition"
)

// A cell is what one scheme is run on: places in jobs and skewnesses, and a number of partitions.
type cell struct {
	job, skewness, partitions int
	scheme                    scheme
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
	long        float64 // of a longer Twitter job at the largest skewness: the time of the SkewTune that splits what lags over Hadoop's
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
		list, err := program.Each(s.terminal, "dynamicshare: partitions", s.n, func(i int) (trial, error) { return newTrial(set, s.Seed, judged.At(i)) })
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
		list = append(list, report.Of(t.reading, of(t)...)...)
	}
	return list
}

// at is a cell at the skewness of Figures 9 to 12.
func (t *trials) at(job, partitions int, k scheme) cell { return cell{job, steep, partitions, k} }

// of lists what all seeds gave for a cell.
func (t *trials) of(c cell, what func(outcome) float64) []float64 {
	return numbers.Column(t.list, func(x *trial) float64 { return what(x.outcomes[c]) })
}

// ratio is the interval of the time of one cell over that of another, seed by seed.
func (t *trials) ratio(a, b cell) numbers.Interval {
	return numbers.Ratio(t.of(a, seconds), t.of(b, seconds))
}

// ratios are those of two schemes for both jobs at each number of partitions, at the skewness of
// Figures 9 to 12.
func (t *trials) ratios(a, b scheme) []numbers.Interval {
	var list []numbers.Interval
	for j := range jobs {
		for _, n := range partitions {
			list = append(list, t.ratio(t.at(j, n, a), t.at(j, n, b)))
		}
	}
	return list
}

func newTrial(set *setting, seed uint64, repetition int) (trial, error) {
	t := trial{speeds: speeds(reduces, set.top, report.Stream(seed, repetition, speedStream)), outcomes: map[cell]outcome{}}
	for ji, j := range jobs {
		paced := *j
		paced.rate *= set.pace
		t.populations = append(t.populations, set.populations(newKeySet(&paced, report.Stream(seed, repetition, keyStream+ji))))
		for si, p := range t.populations[ji] {
			for _, n := range partitions {
				if n > reduces && si != steep {
					continue // no figure shows them
				}
				d, err := p.divide(n, si == steep)
				if err != nil {
					return t, err
				}
				for k := range schemes {
					if k <= skewTuneLags && n > reduces || k > dp && si != steep {
						continue // the paper runs the first three with as many partitions as reduces; no figure shows the last
					}
					if t.outcomes[cell{ji, si, n, k}], err = d.under(k, t.speeds); err != nil {
						return t, err
					}
				}
				if si == steep && n == reduces && ji == onTwitter {
					t.long = d.long(t.speeds)
				}
			}
		}
	}
	return t, nil
}

// populations are the keys of a job at each skewness.
func (set *setting) populations(keys *keySet) (list []*population) {
	even := keys.population(natural)
	for _, skewness := range skewnesses {
		if set.hashed {
			list = append(list, even.hashedTo(skewness))
		} else {
			list = append(list, keys.population(skewness))
		}
	}
	return list
}

// long is the time of the SkewTune that splits what lags over Hadoop's, for a job that takes longer.
func (d *division) long(speeds []float64) float64 {
	j := *d.job
	j.rate /= longer
	return rotated(speeds, func(v []float64) float64 { return j.skewTune(d.sizes, d.longest, v, overhead, false) }) /
		rotated(speeds, func(v []float64) float64 { return j.slowest(d.sizes, v) })
}

// A division is the keys of a job in partitions.
type division struct {
	*population
	of             []int // the partition of each key under the default hash function
	sizes, longest []float64
	others         *partition.Sketch // of the other hash functions
}

// divide divides the keys, under other hash functions too if that is asked for.
func (p *population) divide(partitions int, others bool) (d division, err error) {
	of := p.divided(partitions)
	d = division{p, of, sum(p.values, of, partitions), p.longest(of, partitions), nil}
	if others {
		d.others, err = p.sketch(sketchRows-1, partitions)
	}
	return d, err
}

// under runs a scheme on machines of these speeds.
func (d *division) under(k scheme, speeds []float64) (o outcome, err error) {
	s := table[k]
	cost, err := d.job.cost(speeds)
	if err != nil {
		return o, err
	}
	counted := d.sizes
	if k == dpPairs {
		counted = sum(slices.Repeat([]float64{d.total / keys}, keys), d.of, len(d.sizes))
	}
	plan, err := partition.Assign(reduces, counted, cost, partition.Options{Method: s.method})
	if err != nil {
		return o, err
	}
	load := make([]float64, reduces)
	for i, m := range plan.Of {
		load[m] += d.sizes[i]
	}
	if s.sketch {
		_, other, err := partition.AssignSketch(reduces, d.others, cost, partition.Options{Method: s.method})
		if err != nil {
			return o, err
		}
		if s.blind && balanceOf(other.Load) > balanceOf(load) || !s.blind && other.Makespan < plan.Makespan {
			load = other.Load
		}
	}
	o = outcome{balance: balanceOf(load), skewness: skewnessOf(d.sizes)}
	switch {
	case k == skewTune || k == skewTuneLags:
		o.seconds = rotated(speeds, func(v []float64) float64 { return d.job.skewTune(load, d.longest, v, overhead, k == skewTune) })
	case s.blind:
		o.seconds = rotated(speeds, func(v []float64) float64 { return d.job.slowest(load, v) })
	default:
		o.seconds = d.job.slowest(load, speeds)
	}
	return o, nil
}

func balanceOf(load []float64) float64 {
	b, _ := partition.Balance(load) // they are in range
	return b
}
