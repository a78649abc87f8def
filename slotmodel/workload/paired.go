package workload

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Difference is the mean of the differences between pairs of numbers, with its confidence
// interval.
type Difference struct{ Mean, Low, High float64 }

// mostLevel is the greatest confidence at which distuv's quantiles of Student's t agree with its
// distribution function to 1e-7.
const mostLevel = 0.999999

// Paired compares what two policies gave under the same seeds, a[i] and b[i] from the i-th, such as
// mean sojourn times: it returns the mean of a[i] - b[i] and its confidence interval by Student's t
// [3] at level, in (0, .999999]. Seeds must be independent; differences that are not normal need
// many of them.
//
// Errors: fewer than two numbers, b of another length, results beyond float64.
func Paired(a, b []float64, level float64) (Difference, error) {
	g := guard{fn: "Paired"}
	n := len(a)
	if n < 2 {
		g.arg("a", "has "+strconv.Itoa(n)+" numbers, want at least 2")
	}
	if len(b) != n {
		g.arg("b", "has "+strconv.Itoa(len(b))+" numbers, want as many as a: "+strconv.Itoa(n))
	}
	if !(level > 0 && level <= mostLevel) {
		g.arg("level", text(level)+", want a number within (0, "+text(mostLevel)+"]")
	}
	for i, x := range a {
		g.elem("a", i, notFiniteNumber(x))
	}
	for i, x := range b {
		g.elem("b", i, notFiniteNumber(x))
	}
	if g.err != nil {
		return Difference{}, g.err
	}
	d := floats.SubTo(make([]float64, n), a, b)
	largest := floats.Norm(d, math.Inf(1))
	if largest == 0 {
		return Difference{}, nil
	}
	for i := range d {
		d[i] /= largest // no square overflows or vanishes
	}
	mean, sd := stat.MeanStdDev(d, nil)
	t := -distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.Quantile((1 - level) / 2)
	half := float64(t * stat.StdErr(sd, float64(n))) // rounded, as for swapped arguments
	if !((math.Abs(mean)+half)*largest <= math.MaxFloat64) {
		g.arg("a", "differences of up to "+text(largest)+" have an interval beyond float64")
	}
	if g.err != nil {
		return Difference{}, g.err
	}
	return Difference{mean * largest, (mean - half) * largest, (mean + half) * largest}, nil
}
