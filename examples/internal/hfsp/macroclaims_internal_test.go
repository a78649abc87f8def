package hfsp

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
)

// imagined is a macro with a place for everything that claims are made from, and with no run behind
// it.
func imagined(seeds int) *macro {
	m := &macro{experiment: experiment{testbed(0), jobsPerRun, 1}, seeds: seeds, table: make(variantRuns, len(workloadNames))}
	for kind := range m.cells {
		m.cells[kind] = make([][]outcome, len(contenders))
		for x := range m.cells[kind] {
			m.cells[kind][x] = make([]outcome, seeds)
		}
		m.table[kind] = make([][]outcome, len(tabled))
		for k, name := range tabled {
			m.table[kind][k] = m.cells[kind][find(name)]
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
	for range interferences[1:] {
		for range workloadNames {
			runs := [][]outcome{make([]outcome, seeds), make([]outcome, seeds)}
			m.slowed = append(m.slowed, runs)
		}
	}
	m.slowed = append(m.slowed, m.table...)
	for range assumptions {
		like := func(n int) assumed {
			return assumed{mean: make([]report.Interval, n), ratio: make([]report.Interval, n), load: make([]report.Interval, n), bySeed: []float64{1, 1}, means: []float64{1, 1}}
		}
		m.assumed, m.steady = append(m.assumed, like(len(supposed))), append(m.steady, like(2))
	}
	return m
}

// Every relation can fail: numbers like the paper's, and their opposite, give opposite verdicts.
func TestMacroClaimsCanFail(t *testing.T) {
	m := imagined(2)
	// set gives all runs of a contender jobs of these sojourn times, and a load.
	set := func(kind, x int, load, hours float64, sojourn ...float64) {
		for rep := range m.seeds {
			o := outcome{load: load, hours: hours * (1 + 0.001*float64(rep)), local: 0.99, sampled: 0.99, lost: 0.05}
			for i := range jobsPerRun {
				o.sojourn = append(o.sojourn, sojourn[i*len(sojourn)/jobsPerRun])
				o.mean += o.sojourn[i] / jobsPerRun
				o.mapped = append(o.mapped, o.sojourn[i]/2)
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
	verdicts := func() map[string]bool {
		got := map[string]bool{}
		var list []report.Claim
		for _, c := range [][]report.Claim{m.claimsTable2(), m.claims3a(m.sojourns(onSmall, byHFSP), m.sojourns(onSmall, fair)), m.claims3b(), m.claimsPhases(), append(m.claimsAblation(), m.claimCode()), m.claimsInterference(), m.claimsAssumptions(), claims4(m.works)} {
			list = append(list, c...)
		}
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
		list = slices.Concat(list, f.Claims, m.claims5(fits, [2]string{"MAP", "REDUCE"}))
		for _, c := range list {
			if c.Note == "" || utf8.RuneCountInString(c.Note) > 200 || strings.Contains(c.Note+c.Model, "NaN") {
				t.Errorf("claim %q: holds %v, model %q, note %q", c.Claim, c.Holds, c.Model, c.Note)
			}
			got[c.Reading+": "+c.Claim] = c.Holds
		}
		if len(got) != len(list) {
			t.Errorf("%d claims of %d are equal in words to others", len(list)-len(got), len(list))
		}
		return got
	}
	works := func(long float64) []float64 {
		list := make([]float64, 1000)
		for i := range list {
			if list[i] = 20; float64(i) >= 1000*(1-long) {
				list[i] = 2000
			}
		}
		return list
	}
	spread := func(mu, sigma float64, n int) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = math.Exp(mu + sigma*math.Sqrt2*math.Erfinv(2*(float64(i)+0.5)/float64(n)-1))
		}
		return list
	}
	errorsLike := func(maps, reduces []float64) {
		m.errors = [2][]float64{maps, reduces}
		m.perSeed = [2][][]float64{{maps, maps}, {reduces, reduces}}
	}
	// slow fills in the runs with less interference: like those with most, but that HFSP takes so many
	// times as long on LARGE, by steps of a thousandth more or less. Assumptions have this ratio.
	slow := func(factor, step, ratio float64) {
		for i, runs := range m.slowed[:len(m.slowed)-len(workloadNames)] {
			for x := range runs {
				for rep := range runs[x] {
					o := m.cells[i%2][x][rep]
					if i%2 == onLarge && x == byHFSP {
						o.mean *= factor + step*float64(i)
					}
					runs[x][rep] = o
				}
			}
		}
		for i := range m.assumed {
			m.assumed[i].ratio[byHFSP] = report.Interval{Mean: ratio + 0.1*float64(i%3), Half: 0.01}
			m.steady[i].ratio[byHFSP], m.steady[i].bySeed = report.Interval{Mean: ratio, Half: 0.01}, []float64{ratio, ratio}
		}
	}

	remote, fewer := under(m.steady, "no-delay"), under(m.steady, "failure")
	for x := range contenders {
		set(onSmall, x, 2, 1, 40, 40, 50, 90)
		set(onLarge, x, 5, 3, 90, 90, 90, 300, 300, 300, 300, 300, 800, 3000)
	}
	set(onSmall, fair, 2.2, 1, 41, 41, 51, 120)
	set(onLarge, fair, 16, 3.8, append([]float64{90}, 900, 2000, 2000, 2500, 2500, 2500, 3000, 3000, 4500)...)
	set(onLarge, find("hfsp-half-speed"), 5, 3, 80)
	set(onLarge, find("hfsp-xi-4"), 5, 3, 900)
	set(onLarge, find("hfsp-s-10"), 5, 3, 900)
	set(onLarge, find("hfsp-kill"), 5, 3, 900)
	for rep := range m.seeds {
		m.cells[onLarge][find("hfsp-wait")][rep].sampled = 0.8
	}
	m.works, m.taken = [2][]float64{works(0.02), works(0.1)}, [2][2][]float64{{works(0.02), works(0.1)}, {works(0.02), works(0.1)}}
	errorsLike(spread(0.0976, 0.411, 150), spread(0.0878, 0.228, 150))
	slow(1.02, -0.001, 0.2)
	remote.means, fewer.bySeed = []float64{1.1, 1.1}, []float64{0.1, 0.1}
	paper := verdicts()

	for x := range contenders {
		set(onSmall, x, 4, 1, 60, 60, 60, 60)
		set(onLarge, x, 17, 4, 2000)
	}
	set(onSmall, fair, 3, 1, 20, 50, 50, 50)
	set(onLarge, fair, 5, 3, 50, 500)
	set(onLarge, find("hfsp-true"), 5, 3, 100)
	set(onLarge, find("hfsp-kill"), 5, 3, 100)
	for rep := range m.seeds {
		m.cells[onLarge][byHFSP][rep].sampled = 0.5
	}
	m.works = [2][]float64{works(0.6), works(0)}
	m.works[0] = ascending(append(m.works[0], 100_000, 200_000))
	for i := range m.works[1] {
		m.works[1][i] = 90
	}
	half := append(slices.Repeat([]float64{0.1}, 400), slices.Repeat([]float64{0.7}, 400)...)
	errorsLike(half, append(slices.Clone(half), 0.01, 0.01, 50, 0.001))
	set(onLarge, find("hfsp-half-speed"), 5, 3, 3000)
	slow(0.9, 0.001, 1.5)
	remote.means, fewer.bySeed = []float64{0.9, 0.9}, []float64{1.6, 1.6}
	opposite := verdicts()

	if len(paper) != len(opposite) || len(paper) < 30 {
		t.Fatalf("%d and %d claims, want equally many", len(paper), len(opposite))
	}
	for claim := range paper {
		if !paper[claim] || opposite[claim] {
			t.Errorf("claim %q: %v on numbers like the paper's, %v on opposite ones, want true and false", claim, paper[claim], opposite[claim])
		}
	}
}

// A quick run decides what lies three half widths of an interval from a limit.
func TestUndecidedClaims(t *testing.T) {
	far := report.Interval{Mean: 5, Half: 1}
	yes, open, no := report.Claim{}.Above(far, 2), report.Claim{}.Above(far, 5), report.Claim{}.Above(far, 8)
	for _, c := range []struct {
		name        string
		claim       report.Claim
		holds, open bool
	}{
		{"in the middle", between(yes, report.Interval{Mean: 5, Half: .5}, 3, 7), true, false},
		{"within, across the upper end", between(no, report.Interval{Mean: 5, Half: 3}, 1, 7), true, true},
		{"below, across the lower end", between(yes, report.Interval{Mean: 2, Half: 1}, 3, 7), false, true},
		{"above", between(yes, report.Interval{Mean: 9, Half: .5}, 3, 7), false, false},
		{"all hold", all(no, yes, yes), true, false},
		{"one is open", all(yes, yes, open), false, true},
		{"one fails, one is open", all(yes, open, no), false, false},
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
			m.table[onLarge][fair][rep].soon, m.table[onLarge][byHFSP][rep].soon = c.fair, c.hfsp
		}
		list := m.claims3b()
		if list[1].Holds != c.want[0] || list[3].Holds != c.want[1] {
			t.Errorf("FAIR %v, HFSP %v: %v and %v, want %v", c.fair, c.hfsp, list[1].Holds, list[3].Holds, c.want)
		}
	}
}
