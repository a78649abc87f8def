package dynamicshare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/partition"
)

// A test suite for figure ci: files, past runs of each, and logarithmic standard deviations of the
// files' times and of a file's runs.
const (
	testFiles    = 400
	testRuns     = 5
	newFiles     = .05 // the share of files that never ran
	fileSpread   = 1.3
	runSpread    = .2
	fileSeconds  = 2.  // median, on a runner of speed 1
	queueSeconds = 30. // most that a runner still has to do
)

var runners = []int{4, 8, 16, 32}

// suite returns the time of each file, in s on a runner of speed 1, in the next run and as its past
// runs have it. The past time of a file is the mean of its runs; that of a new file is the median
// of all others.
func suite(r *rand.Rand) (next, past []float64) {
	var seen []float64
	for range testFiles {
		mean := fileSeconds * math.Exp(fileSpread*r.NormFloat64())
		run := func() float64 { return mean * math.Exp(runSpread*r.NormFloat64()) }
		sum := 0.0
		for range testRuns {
			sum += run()
		}
		next = append(next, run())
		if r.Float64() < newFiles {
			past = append(past, math.NaN())
		} else {
			past, seen = append(past, sum/testRuns), append(seen, sum/testRuns)
		}
	}
	slices.Sort(seen)
	for i, x := range past {
		if x != x {
			past[i] = report.Quantile(seen, .5)
		}
	}
	return next, past
}

// finish is when the last runner ends if files take the given times.
func finish(of []int, times, speeds, ready []float64) float64 {
	ends := slices.Clone(ready)
	for i, m := range of {
		ends[m] += times[i] / speeds[m]
	}
	return slices.Max(ends)
}

// figureCI gives the files of a test suite to CI runners of different speeds.
func (s *study) figureCI() (report.Figure, error) {
	f := report.NewFigure("Test files on unequal CI runners",
		fmt.Sprintf("%d test files with log-normal times go to runners of speeds 1 to %d that are busy for up to %v s more. Files are assigned by their mean over %d past runs; %v%% are new and count as the median. The next run has other times. "+
			"The bound knows the times of the next run. Whiskers: 95%% intervals.", testFiles, fastest, queueSeconds, testRuns, 100*newFiles),
		"runners", "method", "seeds", "ratio_to_bound", "ratio_ci95")
	names := []string{"by number of files", "by past times alone", "by past times and speeds"}
	methods := []partition.Method{partition.Hash, partition.LoadBalance, partition.Best}
	ratios := make([][][]float64, len(methods)) // by method, number of runners, seed
	for k := range ratios {
		ratios[k] = make([][]float64, len(runners))
	}
	for i := range s.n {
		for q, n := range runners {
			r := stream(s.Seed, i, filesStream+q)
			next, past := suite(r)
			v, ready := speeds(n, fastest, r), make([]float64, n)
			for m := range ready {
				ready[m] = queueSeconds * r.Float64()
			}
			cost, err := partition.BySpeed(v)
			if err != nil {
				return f, err
			}
			o := partition.Options{Ready: ready}
			truth, err := partition.Assign(next, n, cost, o)
			if err != nil {
				return f, err
			}
			for k, m := range methods {
				o.Method = m
				plan, err := partition.Assign(past, n, cost, o)
				if err != nil {
					return f, err
				}
				ratios[k][q] = append(ratios[k][q], finish(plan.Of, next, v, ready)/truth.Bound)
			}
		}
	}
	c := &draw.Chart{GridY: true, X: logAxis("runners", runners), Y: draw.Axis{Label: "end of the last runner / bound", Log: true}}
	var list []draw.Series
	means := make([][]report.Interval, len(methods))
	for k, name := range names {
		for q, n := range runners {
			i := report.Over(ratios[k][q])
			means[k] = append(means[k], i)
			f.Numbers.Add(n, name, s.n, i.Mean, i.Half)
		}
		list = append(list, whiskers(k, name, floats(runners), means[k]))
	}
	blind, best := means[1], means[2]
	c.Series(list, 1)
	return f.Done([]report.Claim{
		{Claim: "past times and speeds bring the last runner near the bound", Published: "not measured", Model: "over the bound " + span(best), Relation: "mean at most 1.15 at every number of runners", Holds: !anyMean(best, 1.15),
			Note: "many runners have few files each: a single new or slower file delays its runner"},
		every(report.Claim{Claim: "past times alone, without speeds and queues, are not enough", Published: "not measured", Model: "over the bound " + span(blind), Relation: "95% interval above 1.5 at every number of runners", Note: "the runners differ little"}, blind, 1.5, report.Claim.Above),
	}, "Three lines over the number of runners. By past times and speeds the last runner ends at "+span(best)+" times the bound, by past times alone at "+span(blind)+" times.", c)
}
