package hfsp

import (
	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
)

// variantRuns are the outcomes of some contenders, the first of which is FAIR, on variants of a
// workload: [variant][contender][seed].
type variantRuns [][][]outcome

// playVariants plays the named contenders on each variant, once per seed, and keeps no single
// sojourn times.
func playVariants(variants, seeds int, names []string, jobs func(i, rep int) ([]slotmodel.JobSpec, error),
	one func(i int, name string, jobs []slotmodel.JobSpec) (outcome, error), bar *program.Progress) (variantRuns, error) {
	runs := make(variantRuns, variants)
	for i := range runs {
		runs[i] = make([][]outcome, len(names))
		for k := range names {
			runs[i][k] = make([]outcome, seeds)
		}
	}
	err := report.Parallel(variants*seeds, func(_ *struct{}, piece int) error {
		i, rep := piece%variants, piece/variants
		list, err := jobs(i, rep)
		if err != nil {
			return err
		}
		for k, name := range names {
			o, err := one(i, name, list)
			if err != nil {
				return err
			}
			o.sojourn = nil
			runs[i][k][rep] = o
			bar.Add(1)
		}
		return nil
	})
	return runs, err
}

// ratios are a number of each seed's outcome over that of another contender.
func ratios(a, b []outcome, number func(*outcome) float64) []float64 {
	return report.Ratios(report.Column(a, number), report.Column(b, number))
}

func sojournOf(o *outcome) float64 { return o.mean }
func hoursOf(o *outcome) float64   { return o.hours }
func loadOf(o *outcome) float64    { return o.load }
func lostOf(o *outcome) float64    { return o.lost }
