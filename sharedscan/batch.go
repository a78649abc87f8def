package sharedscan

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/precedence"
)

// Batch is a scan made once for all who asked for it in one window.
type Batch struct {
	Start    float64 // the end of the window
	Members  []int   // who asked, in the order of arrival, ties by index
	MeanWait float64 // mean of Start minus arrival over the members
	MaxWait  float64 // the wait of the first
}

// Batches appends to dst, in the order of time, the batches of one dataset ([1], Section 2.1):
// scans that arrive in [boundary + k*window, boundary + (k+1)*window), for a whole k, begin at its
// end. arrivals may be unsorted.
//
// Errors: a window outside (0, 2^900]; an arrival 2^50 windows or more from the boundary, or where
// float64 does not tell windows apart.
func Batches(dst []Batch, arrivals []float64, window, boundary float64) ([]Batch, error) {
	const fn = "sharedscan.Batches"
	if !(window > 0 && window <= 0x1p900) { // so that a sum of waits is finite
		return dst, input.Bad(fn, "window", -1, "%v, want above 0 and at most 2^900", window)
	}
	if !(math.Abs(boundary) <= math.MaxFloat64) {
		return dst, input.Bad(fn, "boundary", -1, "%v, want finite", boundary)
	}
	ends := make([]float64, len(arrivals))
	order := make([]int, len(arrivals))
	for i, a := range arrivals {
		if !(math.Abs(a) <= math.MaxFloat64) {
			return dst, input.Bad(fn, "arrivals", i, "%v, want finite", a)
		}
		end, ok := windowEnd(a, window, boundary)
		if !ok {
			return dst, input.Bad(fn, "arrivals", i, "%v, want windows of %v from %v to be distinct there", a, window, boundary)
		}
		ends[i], order[i] = end, i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(arrivals[i], arrivals[j]), cmp.Compare(i, j))
	})
	for from := 0; from < len(order); {
		start := ends[order[from]]
		to, sum := from, 0.0
		for to < len(order) && ends[order[to]] == start {
			sum += start - arrivals[order[to]]
			to++
		}
		dst = append(dst, Batch{Start: start, Members: order[from:to:to],
			MeanWait: sum / float64(to-from), MaxWait: start - arrivals[order[from]]})
		from = to
	}
	return dst, nil
}

// windowEnd returns the first boundary after a.
func windowEnd(a, window, boundary float64) (end float64, ok bool) {
	k := math.Floor((a - boundary) / window)
	if !(math.Abs(k) < 1<<50) {
		return 0, false
	}
	bound := func(k float64) float64 { return float64(k*window) + boundary }
	// The quotient is rounded: k may be one off.
	switch {
	case bound(k) > a:
		k--
	case bound(k+1) <= a:
		k++
	}
	low, high := bound(k), bound(k+1)
	return high, low <= a && a < high && high <= math.MaxFloat64
}

// Demand is the stream of jobs that scan one dataset: Poisson arrivals, and what a batch of n of
// them takes, Scan + n*Own.
type Demand struct {
	Rate float64 // arrivals in a unit of time, > 0
	Scan float64 // time of the shared scan, >= 0
	// Own: time of what each job does beside it, >= 0; (1-f)/f times Scan for a scanned fraction f
	Own float64
}

// PerceivedWait returns how much longer than alone, Scan + Own, the jobs of one dataset take under
// a batching window ([1], Section 1), on average and at most, where batches have the machine to
// themselves:
//
//	mean = window/2 + Rate*window*Own
//	most = window + Rate*window*Own, as expected for the job that waits longest
func PerceivedWait(window float64, d Demand) (mean, most float64, err error) {
	// A job waits for the end of its window, half of it on average and all of it when it is the first,
	// and then for the own work of the others in its batch, of whom a Poisson stream brings Rate*window
	// on average.
	const fn = "sharedscan.PerceivedWait"
	if !(window >= 0 && window <= math.MaxFloat64) {
		return 0, 0, input.Bad(fn, "window", -1, "%v, want finite and at least 0", window)
	}
	if reason := d.fault(); reason != "" {
		return 0, 0, input.Bad(fn, "d", -1, "%s", reason)
	}
	others := float64(float64(d.Rate*window) * d.Own)
	mean, most = window/2+others, window+others
	if !(most <= math.MaxFloat64) {
		return 0, 0, input.Bad(fn, "window", -1, "%v, want a wait that is finite", window)
	}
	return mean, most, nil
}

// BatchWindows appends to dst the window of each dataset that makes PerceivedWait least: for agg
// precedence.Sum its mean over all jobs, for precedence.Max its maximum. The load is then 1, or
// less if no scan takes time; for less divide Scan and Own by the load wanted. With h = Rate*Own
// and R = 1 - sum of h,
//
//	Sum:  T_d = sqrt(Scan_d/a_d) * (sum of sqrt(Scan*a)) / R   with a = Rate*(1/2 + h)
//	Max:  T_d = (sum of Scan*(1+h)) / (R*(1+h_d))              so that all maxima are equal
//
// Errors: own work that alone takes the whole machine.
func BatchWindows(dst []float64, demands []Demand, agg precedence.Aggregate) ([]float64, error) {
	// [1], Section 2.1, ascribes to [2] such windows by a heuristic with Lagrange multipliers; with the
	// waits of PerceivedWait they have a closed form. The policies of [2] themselves, which choose at
	// run time what to scan next, are not here.
	const fn = "sharedscan.BatchWindows"
	if agg != precedence.Sum && agg != precedence.Max {
		return dst, input.Bad(fn, "agg", -1, "%d, want Sum or Max", int(agg))
	}
	// term returns what d adds to the sum of its formula, and what the sum over R is to be
	// multiplied by.
	term := func(d Demand) (add, factor float64) {
		h := float64(d.Rate * d.Own)
		if agg == precedence.Sum {
			x, y := math.Sqrt(d.Scan), math.Sqrt(float64(d.Rate*(0.5+h)))
			return x * y, x / y
		}
		return d.Scan * (1 + h), 1 / (1 + h)
	}
	busy, sum := 0.0, 0.0
	for i, d := range demands {
		if reason := d.fault(); reason != "" {
			return dst, input.Bad(fn, "demands", i, "%s", reason)
		}
		if busy += float64(d.Rate * d.Own); !(busy < 1) {
			return dst, input.Bad(fn, "demands", i, "the sum of Rate*Own is %v so far, want below 1", busy)
		}
		add, _ := term(d)
		sum += add
	}
	base := len(dst)
	for i, d := range demands {
		_, factor := term(d)
		t := sum / (1 - busy) * factor
		if !(t <= math.MaxFloat64) {
			return dst[:base], input.Bad(fn, "demands", i, "the window is %v, want demands whose windows are finite", t)
		}
		dst = append(dst, t)
	}
	return dst, nil
}

// fault says what is wrong, or nothing.
func (d Demand) fault() string {
	switch {
	case !(d.Rate > 0 && d.Rate <= math.MaxFloat64):
		return fmt.Sprintf("Rate is %v, want finite and above 0", d.Rate)
	case !(d.Scan >= 0 && d.Scan <= math.MaxFloat64):
		return fmt.Sprintf("Scan is %v, want finite and at least 0", d.Scan)
	case !(d.Own >= 0 && d.Own <= math.MaxFloat64):
		return fmt.Sprintf("Own is %v, want finite and at least 0", d.Own)
	}
	return ""
}
