package workload

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/schedmath/schedmath/slotmodel"
)

// The parameters of the model of Lublin and Feitelson for jobs of all types, as the authors'
// program has them. Rates of gammas are 1 over the scales of the paper.
const (
	lfSerial = .244 // part of the jobs on one processor
	lfPower  = .576 // part of the jobs on a power of two above that
	lfLow    = .8   // log2 of the size of a parallel job: from here
	lfMiddle = 2.5  // to so far below that of the machine with the chance
	lfBelow  = .86  // and from there to that of the machine with the rest

	lfLongestRun = 12 // log of the longest run time, s
	lfSlope      = -.0054
	lfOffset     = .78 // chance of a short run: lfOffset + lfSlope size

	lfLongestGap = 13   // log of the longest gap between two jobs, s, at the mean rate
	lfBuckets    = 48   // half hours of a day
	lfBucket     = 1800 // s
	lfDayStart   = 11   // bucket, from 1, at which the day of lfDay begins

	lfMost = 1 << 22 // jobs, which take a GiB
)

var (
	lfShort = distuv.Gamma{Alpha: 4.2, Beta: 1 / .94} // log of run times
	lfLong  = distuv.Gamma{Alpha: 312, Beta: 1 / .03}
	lfGap   = distuv.Gamma{Alpha: 10.2303 * 1.0225, Beta: 1 / .4871} // log of gaps at the mean rate
	lfDay   = distuv.Gamma{Alpha: 8.1737, Beta: 1 / 3.9631}          // part of the jobs by bucket
)

// LublinFeitelson appends to dst the first n jobs, at most 2^22, of a synthetic log of a parallel
// machine of so many processors, 2 to 2^20, by the model of Lublin and Feitelson for jobs of all
// types [4], fitted to about 128: rigid jobs from midnight on, in the order of arrival, without
// users or requested times. Run times are at most e^12 s; a quarter of the jobs are serial. A job
// takes 5 numbers of src.
func LublinFeitelson(dst []slotmodel.JobSpec, n, processors int, src rand.Source) ([]slotmodel.JobSpec, error) {
	g := guard{fn: "LublinFeitelson"}
	if n < 0 || n > lfMost {
		g.arg("n", strconv.Itoa(n)+", want 0 to "+strconv.Itoa(lfMost))
	}
	if processors < 2 || processors > 1<<20 {
		g.arg("processors", strconv.Itoa(processors)+", want 2 to "+strconv.Itoa(1<<20))
	}
	g.source(src)
	if g.err != nil {
		return dst, g.err
	}
	out := slices.Grow(dst, n)
	day := lfDayOf()
	passed := 0.0 // time at the mean rate
	for range n {
		passed += math.Exp(quantileBelow(lfGap, lfLongestGap, uniform(src)))
		size := lfSize(processors, uniform(src), uniform(src))
		out = append(out, slotmodel.JobSpec{Arrival: day.at(passed), Slowstart: Slowstart, Rigid: true,
			Maps: slotmodel.Phase{Tasks: size, Work: lfRun(size, uniform(src), uniform(src))}})
	}
	return out, nil
}

// quantileBelow is the quantile u of a gamma that is cut off at most.
func quantileBelow(g distuv.Gamma, most, u float64) float64 {
	return min(g.Quantile(u*g.CDF(most)), most)
}

// lfSize is the size of a job: kind tells serial jobs and powers of two from others, u how large
// it is.
func lfSize(processors int, kind, u float64) int {
	if kind < lfSerial {
		return 1
	}
	high := math.Log2(float64(processors))
	middle := max(high-lfMiddle, lfLow)
	size := middle + (u-lfBelow)/(1-lfBelow)*(high-middle)
	if u < lfBelow {
		size = lfLow + u/lfBelow*(middle-lfLow)
	}
	if kind < lfSerial+lfPower {
		size = math.Round(size)
	}
	return min(int(math.Round(math.Exp2(size))), processors)
}

// lfRun is the run time of a job: kind tells short from long.
func lfRun(size int, kind, u float64) float64 {
	p := min(max(lfOffset+lfSlope*float64(size), 0), 1)
	// Of the mixture up to the longest run time, the part of the first gamma:
	short, long := p*lfShort.CDF(lfLongestRun), (1-p)*lfLong.CDF(lfLongestRun)
	g := lfLong
	if kind*(short+long) < short {
		g = lfShort
	}
	return math.Exp(quantileBelow(g, lfLongestRun, u))
}

// lfCycle is how much time at the mean rate has passed at the end of each bucket of a day.
type lfCycle [lfBuckets]float64

func lfDayOf() (c lfCycle) {
	for k := range lfBuckets {
		i := float64(lfDayStart + k)
		c[(lfDayStart+k-1)%lfBuckets] = lfDay.CDF(i+.5) - lfDay.CDF(i-.5)
	}
	sum := 0.0
	for _, w := range c {
		sum += w
	}
	before := 0.0
	for k := range c {
		c[k] = before + c[k]/sum*lfBuckets*lfBucket
		before = c[k]
	}
	return c
}

// at is when so much time at the mean rate has passed.
func (c *lfCycle) at(passed float64) float64 {
	const day = lfBuckets * lfBucket
	days := math.Floor(passed / day)
	rest := passed - days*day
	k, _ := slices.BinarySearch(c[:lfBuckets-1], rest)
	begin := 0.0
	if k > 0 {
		begin = c[k-1]
	}
	return days*day + lfBucket*(float64(k)+(rest-begin)/(c[k]-begin))
}
