package backfill

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// A study is what every contender does on each log.
type study struct {
	quick bool     // no log of the archive was replayed
	seeds []result // of the synthetic log
	names []string // of the logs of the archive that are there
	real  []result // of these
}

// ratios are those of two contenders on the synthetic log, by seed, and ratio is their interval.
func (s *study) ratios(k, base int) []float64 {
	return numbers.Column(s.seeds, func(r *result) float64 { return r[k] / r[base] })
}

func (s *study) ratio(k, base int) numbers.Interval { return numbers.Over(s.ratios(k, base)) }

// below are the rows that a contender's slowdown is below so many times another one's: on the
// synthetic log, unless it has no users, and on each of the archive's. A quick run leaves these
// undecided; a run without a log has no row of it.
func (s *study) below(statement, published string, k, base int, most float64) (rows []report.Claim) {
	row := report.Claim{Published: published, Relation: fmt.Sprintf("mean bounded slowdown, %s : %s, below %v", list[k].name, list[base].name, most)}
	if k != plusPlus {
		r := row.Below(s.ratio(k, base), most)
		r.Claim, r.Model, r.Note = statement+": synthetic", s.ratio(k, base).String(), higher(s.ratio(k, base).Mean, most)
		rows = append(rows, r)
	}
	for _, a := range archive {
		rows = append(rows, s.onLog(row, statement, a.name, k, base, most))
	}
	return rows
}

// onLog is a row on a log of the archive.
func (s *study) onLog(r report.Claim, statement, name string, k, base int, most float64) report.Claim {
	r.Claim, r.Model = statement+": "+name, "a whole run plays this log, where it is at hand"
	i := slices.Index(s.names, name)
	if r.NotRun = i < 0 && !s.quick; i >= 0 {
		x := s.real[i][k] / s.real[i][base]
		r.Model, r.Holds, r.Margin = fmt.Sprintf("%s : %s = %.3f", numbers.Short(s.real[i][k]), numbers.Short(s.real[i][base]), x), x < most, math.Inf(1)
		r.Note = higher(x, most)
	}
	return r
}

// higher says why a ratio, or its interval, is not below most.
func higher(ratio, most float64) string {
	if ratio < most {
		return fmt.Sprintf("the mean is below, the interval holds %v", most)
	}
	return fmt.Sprintf("higher by %.0f%%", 100*(ratio-1))
}

// series are the slowdowns of contenders over that of EASY, a series for each log; of the synthetic
// one with a dot for each seed.
func (s *study) series(ks []int, xs []float64, add func(log string, k int, slowdown, ratio, half float64)) (list []draw.Series) {
	synthetic := draw.Look(0, "synthetic")
	for i, k := range ks {
		r := s.ratio(k, easy)
		slowdown := numbers.Mean(numbers.Column(s.seeds, func(r *result) float64 { return r[k] }))
		add("synthetic", k, slowdown, r.Mean, r.Half)
		synthetic.X, synthetic.Y, synthetic.Seeds = append(synthetic.X, xs[i]), append(synthetic.Y, r.Mean), append(synthetic.Seeds, s.ratios(k, easy))
	}
	list = append(list, synthetic)
	for n, name := range s.names {
		look := draw.Look(n+1, name)
		for i, k := range ks {
			add(name, k, s.real[n][k], s.real[n][k]/s.real[n][easy], math.NaN())
			look.X, look.Y = append(look.X, xs[i]), append(look.Y, s.real[n][k]/s.real[n][easy])
		}
		list = append(list, look)
	}
	return list
}

var columns = []string{"log", "policy", "bounded_slowdown", "ratio_to_easy", "ratio_ci95"}

const overEASY = "mean bounded slowdown (10 s) : EASY's"

// figure starts a figure of slowdowns.
func (s *study) figure(title, caption string, ks []int, xs []float64) (report.Figure, []draw.Series) {
	f := report.NewFigure(title, caption, columns...)
	f.Shown.Columns = []string{"log", "policy", "bounded slowdown", "over EASY's"}
	series := s.series(ks, xs, func(log string, k int, slowdown, ratio, half float64) {
		f.Numbers.Add(log, list[k].name, slowdown, ratio, half)
		f.Shown.Show(log, list[k].name, slowdown, ratio)
	})
	return f, series
}

const (
	easyPlus = "Tsafrir, Etsion, Feitelson 2007 (recalled): lower"
	doubling = "Tsafrir, Feitelson 2006, abstract: multiplying trades fairness for performance"
)

func (s *study) policies() (report.Figure, error) {
	ks := []int{fcfs, easy, sjbf, exact, plusPlus, conservative}
	f, series := s.figure("Slowdown by policy", "The synthetic log has no users, and so no row of EASY++. Small dots: seeds.", ks, []float64{0, 1, 2, 3, 4, 5})
	var names []string
	for _, k := range ks {
		names = append(names, list[k].name)
	}
	c := &draw.Chart{X: draw.Axis{Label: overEASY, Log: true, Min: .3, Max: 100, Ticks: draw.LogTicks(.3, 100)}, Y: draw.Categories("", names...)}
	c.Points(series, .5, 2)
	return f.Done(s.policyClaims(), "FCFS lies far above EASY; true times, the shortest first and EASY++ lie below or near it.", c)
}

func (s *study) policyClaims() (rows []report.Claim) {
	rows = append(rows, s.below("backfill lowers slowdown", "Lifka 1995 (recalled): lower", easy, fcfs, 1)...)
	rows = append(rows, s.below("the shortest first (SJBF) lowers slowdown", easyPlus, sjbf, easy, 1)...)
	rows = append(rows, s.below("true times lower slowdown against requests", easyPlus, exact, easy, 1)...)
	return append(rows, s.below("the mean of the last two runs with SJBF (EASY++) lowers slowdown", easyPlus, plusPlus, easy, 1)...)
}

func (s *study) requests() (report.Figure, error) {
	f, asked := s.figure("What wrong times cost", "EASY with planned times of 1, 2 and 5 times the requests, and of 1, 2 and 5 times the run times; over EASY with the requests.", []int{easy, twice, fiveTimes}, []float64{1, 2, 5})
	more, known := s.figure("", "", []int{exact, exactTwice, exactFiveTimes}, []float64{1, 2, 5})
	f.Numbers.Rows, f.Shown.Rows = append(f.Numbers.Rows, more.Numbers.Rows...), append(f.Shown.Rows, more.Shown.Rows...)
	var charts []*draw.Chart
	for i, series := range [][]draw.Series{asked, known} {
		c := &draw.Chart{Title: []string{"times the request", "times the run time"}[i], X: draw.Axis{Label: "factor", Min: .8, Max: 5.2, Ticks: draw.TicksAt(1, 2, 5)}, Y: draw.Axis{Label: "slowdown : EASY's"}, GridY: true}
		c.Series(series, 1.2)
		charts = append(charts, c)
	}
	return f.Done(s.requestClaims(), "Slowdown changes little with the factor.", draw.Panels(2, charts...)...)
}

func (s *study) requestClaims() []report.Claim {
	return append(s.below("doubled requests do no harm", doubling, twice, easy, 1.05),
		s.below("doubled run times lower slowdown", doubling, exactTwice, exact, 1)...)
}

func (s *study) depths() (report.Figure, error) {
	at := []float64{1, 2, 4, 8, 16, 32}
	f, series := s.figure("From one reservation to all", "EASY reserves for the first job that waits, conservative backfill for all; between them a given number.", []int{easy, depth2, depth4, depth8, depth16, conservative}, at)
	ticks := draw.TicksAt(at...)
	ticks[len(ticks)-1].Label = "all"
	c := &draw.Chart{X: draw.Axis{Label: "reservations", Min: .9, Max: 36, Log: true, Ticks: ticks}, Y: draw.Axis{Label: overEASY}, GridY: true}
	c.Series(series, 1.2)
	return f.Done(s.depthClaims(), "Slowdown against the number of reservations.", c)
}

func (s *study) depthClaims() []report.Claim {
	return s.below("one reservation gives no more slowdown than all", "Mu'alem, Feitelson 2001 (recalled): it depends on the log", easy, conservative, 1.05)
}
