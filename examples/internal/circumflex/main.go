package circumflex

import (
	"fmt"
	"io"
	"sync"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// Repetitions of each point: the paper's, and those of a quick run.
const (
	repetitions      = 10
	quickRepetitions = 5
)

// calibrated is M of reading A: the paper does not say how many slots a job can use.
const calibrated = 40

// Plan lists the figures. A progress bar goes to terminal, when it is one.
func Plan(o program.Options, terminal io.Writer) (report.Plan, error) {
	s := newStudy(o, terminal)
	once := func(run func() error) func() (*study, error) {
		return sync.OnceValues(func() (*study, error) { return s, run() })
	}
	grid, limits := once(s.grid), once(s.limits)
	read := once(func() error {
		if _, err := grid(); err != nil { // reading A's
			return err
		}
		return s.read()
	})
	figure6 := func(m metric) func() (report.Figure, error) {
		return report.From(read, func(s *study) (report.Figure, error) { return s.figure6(m) })
	}
	loads := func(s *study) (report.Figure, error) { // with the rows of D, whose picture is arrivals
		return s.figureLoad(&s.readings[0], append(s.readings[0].claimsLoad(), s.readings[3].claimsLoad()...))
	}
	more := func(s *study) (report.Figure, error) { return s.figureLoad(&s.readings[3], nil) }
	chance := s.chance()
	return report.Plan{
		Paper:     "circumflex",
		Title:     "CIRCUMFLEX: shared scans and malleable jobs",
		Readings:  assumptions(s.readings),
		Workloads: report.From(read, (*study).workloads),
		Intro: func() (string, error) {
			return fmt.Sprintf("Figures 1 to 4 and 7 to 9 are small examples that packages precedence, sharedscan and malleable work out. Figures 5 and 6 are simulations of %d points, %s each, "+
				"drawn from seed %d: %d scans of %d datasets in %d minutes on %d slots, load %v without sharing, batching windows of %d minutes, a new plan at every arrival. The same repetition has "+
				"the same arrivals at every point and under every scheme. Where no reading is named, %s.",
				len(s.points), numbers.Count(s.n, "repetition"), o.Seed, arrivals, datasets, span, slots, load, window, s.basis()), nil
		},
		Items: []report.Item{
			{Name: "fig1", Make: report.From(toyBatches, figure1), Kind: report.Constructed, Exact: true},
			{Name: "fig2", Make: report.From(toyScans, figure2), Kind: report.Constructed, Exact: true},
			{Name: "fig3", Make: report.From(figure3Chain, figure3), Kind: report.Constructed, Exact: true},
			{Name: "fig4", Make: figure4, Kind: report.Constructed, Exact: true},
			{Name: "readings", Make: report.From(read, (*study).figureReadings), Basis: chance},
			{Name: "fig5a", Make: report.From(grid, (*study).figure5a), Basis: chance, Reading: "A"},
			{Name: "fig5b", Make: report.From(grid, (*study).figure5b), Basis: chance, Reading: "A"},
			{Name: "fig6a", Make: figure6(averageResponse), Basis: chance, Reading: "A"},
			{Name: "fig6b", Make: figure6(averageStretch), Basis: chance, Reading: "A"},
			{Name: "fig6c", Make: figure6(maximumStretch), Basis: chance, Reading: "A"},
			{Name: "fig7", Make: figure7, Kind: report.Theory, Exact: true},
			{Name: "fig8", Make: report.From(figure8Packing, figure8), Kind: report.Constructed, Exact: true},
			{Name: "fig9", Make: report.From(figure9Ledger, figure9), Kind: report.Constructed, Exact: true},
			{Name: "load", Make: report.From(limits, loads), Basis: chance, Reading: "A"},
			{Name: "arrivals", Make: report.From(limits, more), Basis: chance, Reading: "D"},
			{Name: "fraction", Make: report.From(limits, (*study).figureFraction), Basis: chance, Reading: "A"},
		},
	}, nil
}

// Main is the program: it returns the exit code. There is no -trace: a job's dataset, which the
// paper needs, is in no trace of the SWIM format.
var Main = report.Program{
	Name:  "circumflex",
	Quick: fmt.Sprintf("%d repetitions instead of %d, and 12 of the 225 points", quickRepetitions, repetitions),
	Plan:  Plan,
	Help: `circumflex draws Figures 1 to 9 of the paper "CIRCUMFLEX: A Scheduling Optimizer for MapReduce Workloads Involving Shared Scans" and
checks what the paper says about them.

This takes about 85 s on two cores and 300 MB, with -quick 3 s.
`,
}.Main
