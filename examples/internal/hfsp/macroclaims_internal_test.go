package hfsp

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/examples/internal/report/reporttest"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/slotmodel"
)

// imagined is a macro with a place for everything that claims are made from, and with no run behind
// it.
func imagined(seeds int) *macro {
	m := &macro{experiment: experiment{testbed(plain), jobsPerRun, 1}, seeds: seeds, most: [2]int{seeds, seeds}}
	for kind := range m.cells {
		m.cells[kind] = make([][]outcome, len(contenders))
		for x := range m.cells[kind] {
			m.cells[kind][x] = make([]outcome, seeds)
		}
	}
	for range seeds {
		var both [2]*recorder
		for x := range both {
			both[x] = newRecorder()
			both[x].times, both[x].pending = []float64{0, 3600}, []float64{1, 0}
		}
		m.recorded = append(m.recorded, both)
	}
	return m
}

// Every relation can fail: numbers like the paper's, and their opposite, give opposite verdicts.
func TestMacroClaimsCanFail(t *testing.T) {
	m := imagined(6)
	vary := func(rep, by int) float64 { return 1 + 0.01*float64(by)*(float64(rep)-2.5) }
	// set gives all runs of a contender jobs of these sojourn times, the last tenth of which find four
	// others, and a load.
	set := func(kind, x int, load, hours float64, sojourn ...float64) {
		for rep := range m.seeds {
			v := vary(rep, 1+x%2)
			o := outcome{load: load * v, hours: hours * (1 + 0.001*float64(rep)), local: 0.99, sampled: 0.99, lost: 0.05}
			for i := range jobsPerRun {
				o.sojourn = append(o.sojourn, v*sojourn[i*len(sojourn)/jobsPerRun])
				o.mean += o.sojourn[i] / jobsPerRun
				o.mapped = append(o.mapped, o.sojourn[i]/2)
				o.met = append(o.met, i/90*4)
				for k, limit := range soonSeconds {
					if o.sojourn[i] <= limit {
						o.soon[k] += 1. / jobsPerRun
					}
				}
			}
			o.phases = [3]float64{o.mean / 2, o.mean / 2, o.mean / 2}
			m.cells[kind][x][rep] = o
		}
	}
	jobs := func(parts ...float64) (list []float64) { // so many times so many seconds
		for i := 0; i < len(parts); i += 2 {
			list = append(list, slices.Repeat(parts[i+1:i+2], int(parts[i]))...)
		}
		return list
	}
	claims := func() []report.Claim {
		f, err := m.figure3c()
		if err != nil {
			t.Fatal(err)
		}
		var fits [2]fitted
		for k := range fits {
			if fits[k], err = m.fit(slotmodel.Kind(k)); err != nil {
				t.Fatal(err)
			}
		}
		return slices.Concat(m.claimsTable2(), m.claims3a(m.sojourns(onSmall, byHFSP), m.sojourns(onSmall, fair)), m.claims3b(), m.claimsPhases(), m.claimsAblation(), claims4(m.works), f.Claims,
			m.claims5(fits, [2]string{"MAP", "REDUCE"}))
	}
	works := func(long float64) []float64 {
		list := make([]float64, 1000)
		for i := range list {
			if list[i] = 20; float64(i) >= 1000*(1-long) {
				list[i] = 3000
			}
		}
		return list
	}
	spread := func(fit estimate.LogNormal, rep int) []float64 {
		list := make([]float64, 150)
		for i := range list {
			list[i] = math.Exp(fit.Mu + vary(rep, 2)*fit.Sigma*(math.Sqrt2*math.Erfinv(2*(float64(i)+0.5)/150-1)+.01*float64(rep%3-1)))
		}
		return list
	}

	peaks := func(x int, jobs float64) {
		for rep := range m.recorded {
			m.recorded[rep][x].pending[0] = jobs * vary(rep, 1+x)
		}
	}
	peaks(fair, 28)
	peaks(byHFSP, 11)
	for x := range contenders {
		set(onSmall, x, 1.99, 1, jobs(60, 40, 30, 55, 10, 125)...)
		set(onLarge, x, 4.6, 3.29, jobs(30, 90, 60, 400, 10, 2770)...)
	}
	set(onSmall, fair, 2.26, 1, jobs(60, 41, 30, 60, 10, 204)...)
	set(onLarge, fair, 16.8, 3.79, jobs(2, 90, 13, 900, 85, 2555)...)
	for rep := range m.seeds {
		m.cells[onLarge][find("hfsp-wait")][rep].sampled = 0.8
		m.cells[onSmall][find("hfsp-over")][rep].mean = m.cells[onSmall][byHFSP][rep].mean
		m.cells[onLarge][find("hfsp-over")][rep].mean = m.cells[onLarge][byHFSP][rep].mean
	}
	m.works = [2][]float64{works(0.02), works(0.1)}
	for k := range m.perSeed {
		m.perSeed[k] = nil
		for rep := range m.seeds {
			m.perSeed[k] = append(m.perSeed[k], spread(paperFit[k], rep))
		}
	}
	paper := claims()
	peaks(fair, 10)

	for x := range contenders {
		set(onSmall, x, 4, 1, jobs(50, 45, 50, 75)...)
		set(onLarge, x, 17, 4, 2000)
	}
	set(onSmall, fair, 3, 1, 50)
	set(onLarge, fair, 5, 3, 1600)
	set(onLarge, exact, 5, 3, 100)
	set(onLarge, find("hfsp-over"), 5, 3, 3000)
	for rep := range m.seeds {
		m.cells[onLarge][byHFSP][rep].sampled = 0.5
	}
	m.works = [2][]float64{ascending(append(works(0.6), 100_000, 200_000)), slices.Repeat([]float64{90}, 1000)}
	half := append(slices.Repeat([]float64{0.1}, 400), slices.Repeat([]float64{0.7}, 400)...)
	for rep := range m.seeds {
		m.perSeed[slotmodel.Map][rep], m.perSeed[slotmodel.Reduce][rep] = half, append(slices.Clone(half), 0.01, 0.01, 50, 0.001)
	}
	opposite := claims()

	reporttest.CanFail(t, paper, opposite)
}

// A quick run decides what lies three half widths of an interval from a limit.
func TestUndecidedClaims(t *testing.T) {
	far := numbers.Interval{Mean: 5, Half: 1}
	yes, open, no := report.Claim{}.Above(far, 2), report.Claim{}.Above(far, 5), report.Claim{}.Above(far, 8)
	for _, c := range []struct {
		name        string
		claim       report.Claim
		holds, open bool
	}{
		{"in the middle", between(yes, numbers.Interval{Mean: 5, Half: .5}, 3, 7), true, false},
		{"within, across the upper end", between(no, numbers.Interval{Mean: 5, Half: 3}, 1, 7), true, true},
		{"below, across the lower end", between(yes, numbers.Interval{Mean: 2, Half: 1}, 3, 7), false, true},
		{"above", between(yes, numbers.Interval{Mean: 9, Half: .5}, 3, 7), false, false},
		{"all hold", no.All(yes, yes), true, false},
		{"one is open", yes.All(yes, open), false, true},
		{"one fails, one is open", yes.All(open, no), false, false},
	} {
		if c.claim.Holds != c.holds || c.claim.In(true).Undecided != c.open {
			t.Errorf("%s: holds %v, margin %v, want %v and undecided %v", c.name, c.claim.Holds, c.claim.Margin, c.holds, c.open)
		}
	}
}

// The shares of Figure 3(b) are those of both policies: one alone does not do.
func TestSharesOfFigure3(t *testing.T) {
	for _, c := range []struct {
		fair, hfsp [2]float64 // within 100 s, within 1,000 s
		want       [2]bool
	}{
		{[2]float64{0.02, 0.15}, [2]float64{0.3, 0.9}, [2]bool{true, true}},
		{[2]float64{0.2, 0.3}, [2]float64{0.3, 0.9}, [2]bool{false, false}},
		{[2]float64{0.02, 0.15}, [2]float64{0.1, 0.7}, [2]bool{false, false}},
	} {
		m := imagined(2)
		for rep := range 2 {
			m.cells[onLarge][fair][rep].soon, m.cells[onLarge][byHFSP][rep].soon = c.fair, c.hfsp
		}
		list := m.claims3b()
		if list[1].Holds != c.want[0] || list[3].Holds != c.want[1] {
			t.Errorf("FAIR %v, HFSP %v: %v and %v, want %v", c.fair, c.hfsp, list[1].Holds, list[3].Holds, c.want)
		}
	}
}

// Given are the seeds on which FAIR's mean lies within a third of the published, for all policies.
func TestGiven(t *testing.T) {
	m := imagined(4)
	for rep, means := range [][2]float64{{1500, 300}, {1600, 400}, {3000, 600}, {3100, 900}} { // a third of 2291 is 763.7
		m.cells[onLarge][fair][rep].mean, m.cells[onLarge][byHFSP][rep].mean = means[fair], means[byHFSP]
	}
	if got := m.ratiosGiven(onLarge, byHFSP); !slices.Equal(got, []float64{.25, .2}) {
		t.Errorf("ratiosGiven = %v, want .25 and .2", got)
	}
}

// Of four jobs on one seed two find three others or more under FAIR; a seed without such jobs is
// left out.
func TestCrowded(t *testing.T) {
	m := imagined(2)
	for rep, met := range [][]int{{0, 2, 3, 5}, {0, 1, 2, 2}} {
		m.cells[onSmall][fair][rep] = outcome{met: met, sojourn: []float64{10, 30, 40, 60}}
		m.cells[onSmall][byHFSP][rep] = outcome{met: []int{9, 9, 9, 9}, sojourn: []float64{10, 10, 20, 30}}
	}
	if many, few := m.crowded(onSmall); !slices.Equal(many, []float64{.5}) || !slices.Equal(few, []float64{.5}) {
		t.Errorf("crowded = %v, %v, want .5 and .5", many, few)
	}
}
