package shufflewatcher

import (
	"fmt"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// with is a reading with another setting.
func (r reading) with(change func(set *setting)) reading {
	change(&r.set)
	return r
}

// versus is SW-fair over Fair in a reading, as a row of a name, with the changes that are published.
func (r reading) versus(label string, published ...float64) row {
	return row{label, r.cell(swFair), r.cell(fair), published}
}

// gains are the ratios of throughput of a row, by seed.
func (s *study) gains(r row) []float64 { return s.pairs(r.a, r.b, ratio(throughput(all))) }

// figure14a is SW-fair over Fair with other numbers of jobs a user.
func (s *study) figure14a() (report.Figure, error) {
	g := group{reading: readingA, rows: []row{main16.with(func(set *setting) { set.users, set.perUser = 144, 1 }).versus("1 job a user, 16 nodes")}}
	for _, k := range []int{9, 12, 18} {
		x := readingA.with(func(set *setting) { set.users, set.perUser = 360/k, k }).versus(numbers.Count(k, "job") + " a user")
		if k == 12 {
			x = readingA.versus(x.label, 39)
		}
		g.rows = append(g.rows, x)
	}
	return s.grid("Figure 14(a): jobs per user", "SW-fair over Fair with 9, 12 and 18 jobs a user, of 360 in flight, and on 16 nodes, as in the paper, with one, of 144.", func() (claims []report.Claim) {
		for _, x := range g.rows {
			if x.published == nil { // Figure 8 has the other
				claims = append(claims, gain("SW-fair against Fair with "+x.label, "throughput", s.ratio(x, 0), 1, "raised"))
			}
		}
		return claims
	}, g)
}

// figure14b is SW-fair over Fair with other mixes of jobs. The rate of maps was found by the outer
// two.
func (s *study) figure14b() (report.Figure, error) {
	g := group{reading: readingA}
	for i, name := range []string{"20, 20, 60%", "40, 20, 40%", "60, 20, 20%"} {
		g.rows = append(g.rows, readingA.with(func(set *setting) { set.mix = []int{1, 0, 2}[i] }).versus(name, []float64{31, 39, 22}[i]))
	}
	return s.grid("Figure 14(b): mixes of jobs", "SW-fair over Fair with three mixes of light, medium and heavy jobs.", func() []report.Claim {
		var seeds [3][]float64
		for i, r := range g.rows {
			seeds[i] = s.gains(r)
		}
		list := []report.Claim{
			comes("with 20, 20 and 60% of light, medium and heavy jobs SW-fair / Fair changes throughput", numbers.Over(seeds[0]), g.rows[0].published[0]),
			comes("with 60, 20 and 20% of them SW-fair / Fair changes throughput", numbers.Over(seeds[2]), g.rows[2].published[0]),
			together("the gain in throughput is greatest for the mix in the middle", "+39% against +31% and +22%", "95% intervals of the differences from both others above 0",
				more("than with more heavy jobs", "", numbers.Difference(seeds[1], seeds[0])), more("than with more light jobs", "", numbers.Difference(seeds[1], seeds[2])))}
		list[0].Kind, list[1].Kind = report.Found, report.Found
		return list
	}, g)
}

// figureNodes16 is Figure 8 on the smaller cluster.
func (s *study) figureNodes16() (report.Figure, error) {
	var groups []group
	for _, r := range []reading{main16, readingB} {
		groups = append(groups, group{r, append(r.headlineRows(), r.rows(swDRF, drf, lateFair, fair)...)})
	}
	faster := main16.with(func(set *setting) { set.rate = 6.4e6 }).rows(swFair, fair, swRelaxed, delay)
	for i := range faster {
		faster[i].label += ", maps of 6.4 MB/s"
	}
	groups[0].rows = append(groups[0].rows, faster...)
	large := readingA.versus("")
	if err := s.runRows("16 nodes, beside 100", []row{large}); err != nil {
		return report.Figure{}, err
	}
	return s.grid("Section 5.5: 16 nodes", "As Figure 8 on 4 racks of 4 nodes. The paper prints the gains over Fair here also as the gains over Delay on 100 nodes.", func() (claims []report.Claim) {
		for _, g := range groups {
			late := s.gainOf(g.rows[3], 0, "not run")
			late.Kind = report.Beyond
			claims = append(append(claims, s.headlines(g.reading)...), g.of(s.similar(g.rows[2], g.rows[0]), late)...)
		}
		return append(claims, readingA.of(more("the gain in throughput over Fair exceeds that on 100 nodes", "exceeds",
			numbers.Difference(s.gains(groups[0].rows[0]), s.gains(large))))...)
	}, groups...)
}

// figureFixed is SW-fair over reduces fixed by map output or by input.
func (s *study) figureFixed() (report.Figure, error) {
	var groups []group
	for _, r := range []reading{main16, readingB} {
		groups = append(groups, group{r, r.rows(swFair, byOutput, swFair, byInput)})
	}
	return s.grid("Section 3.4: reduces fixed in advance", "SW-fair over schedulers that put a job's reduces on racks in proportion to its map output, all after its last map, or in proportion to its input, on 16 nodes.", func() (claims []report.Claim) {
		for _, g := range groups {
			for _, x := range g.rows {
				var parts []report.Claim
				for m := range 2 {
					parts = append(parts, s.gainOf(x, m, ""))
					parts[m].Claim = measures[m].name
				}
				claims = append(claims, g.of(together(strings.Replace(x.label, " / ", " does better than reduces ", 1), "not as good", "95% intervals of the ratios: throughput above 1, turn-around below", parts...))...)
			}
		}
		return claims
	}, groups...)
}

// figureThresholds is what ShuffleWatcher's two thresholds do.
func (s *study) figureThresholds() (report.Figure, error) {
	g := group{reading: main16}
	add := func(label string, change func(set *setting)) {
		g.rows = append(g.rows, row{label: label, a: main16.with(change).cell(swFair), b: main16.cell(swFair)})
	}
	for _, x := range []float64{.75, 1} {
		add(fmt.Sprintf("%v of the link / .8", x), func(set *setting) { set.saturation = x })
	}
	for _, x := range []float64{.05, .25, .5} {
		add(fmt.Sprintf("%v of the maps / .15", x), func(set *setting) { set.completion = x })
	}
	return s.grid("Sections 3.1 and 3.3: thresholds", "SW-fair with a NWSaturationThreshold of 75 and of 100% over SW-fair with 80%, and with a MapCompletionThreshold of 5, 25 and 50% over 15%, on 16 nodes.", func() []report.Claim {
		same := func(claim string, rows []row) report.Claim {
			var parts []report.Claim
			for _, x := range rows {
				q := s.ratio(x, 0)
				parts = append(parts, report.Claim{Claim: x.label, Model: percent(q)}.Unchanged(q, 1, .01))
			}
			return together(claim, "less than 1%", "mean ratios within .01 of 1, and 1 within the spread of single runs", parts...)
		}
		return []report.Claim{same("a saturation threshold of 75 or 100% changes throughput by less than 1%", g.rows[:2]),
			same("a completion threshold of 5 or 25% changes throughput by less than 1%", g.rows[2:4])}
	}, g)
}

// figureOptions is what each of our options does, and its price in fairness.
func (s *study) figureOptions() (report.Figure, error) {
	var groups []group
	for _, r := range []reading{main16, readingB} {
		g := group{reading: r, rows: r.rows(swFair, lateFair, patient, lateFair, longer, lateFair)}
		g.rows = append(g.rows, r.with(func(set *setting) { set.ties = true }).rows(swFair, lateFair, within4, lateFair)...)
		for i, name := range []string{"as published", "patience 120 s", "patience 600 s", "ties", "ties within 4 slots"} {
			g.rows[i].label = name
		}
		groups = append(groups, g)
	}
	local := readingA.rows(forLocal, delay)[0]
	local.label, local.published = "SW-relaxed, any local map / Delay, 100 nodes", published[false][1]
	groups[0].rows = append(groups[0].rows, local)
	return s.grid("Options of ShuffleWatcher that the paper does not have", "SW-fair with each option over Fair with late reduces, on 16 nodes. "+
		"Ties: of users with equal shares, or within some slots, one with a preferred task goes first. Patience: so long a job waits for its racks. Last, on 100 nodes, SW-relaxed whose wait any local map ends.", func() (claims []report.Claim) {
		var parts []report.Claim
		for m, what := range measures {
			parts = append(parts, comes(what.name, s.ratio(local, m), local.published[m]))
		}
		claims = main16.of(together("SW-relaxed whose wait any local map ends changes throughput, turn-around and traffic over Delay as published", "+46, -32 and -48%", "each published number within the spread of single runs (95%), at most half of the change from the mean; 1 outside the spread", parts...))
		for _, g := range groups {
			for _, r := range g.rows[1:5] {
				moved, ended := s.ratio(r, 2), s.ratio(r, 0)
				c := together("SW-fair with "+r.label+", against Fair with late reduces, cuts the traffic by 40% at no loss of throughput", "not run", "95% intervals of the ratios: traffic below .6, throughput above .95",
					below("traffic", "", moved, .6, percent(moved)), above("throughput", "", ended, .95, percent(ended)))
				claims = append(claims, g.of(c)...)
			}
		}
		return claims
	}, groups...)
}

// figureMap is what the gain of the main reading rests on: the jobs in flight, and with 12 of them
// other conditions.
func (s *study) figureMap() (report.Figure, error) {
	g := group{reading: main16}
	for _, k := range []int{1, 3, 6, 9, 12, 18} {
		g.rows = append(g.rows, main16.with(func(set *setting) { set.perUser = k }).versus(fmt.Sprintf("%d in flight", k)))
	}
	for _, c := range []struct {
		label  string
		change func(set *setting)
	}{
		{"12, links of 20:1", func(set *setting) { set.oversubscription = 20 }},
		{"12, links by pair", func(set *setting) { set.pairs = true }},
		{"12, uniform copies", func(set *setting) { set.uniform = true }},
		{"12, window of 600 s", func(set *setting) { set.window = 600 }},
		{"12, ties", func(set *setting) { set.ties = true }},
	} {
		g.rows = append(g.rows, main16.with(c.change).versus(c.label))
	}
	return s.grid("Conditions of the gain", "SW-fair over Fair on 16 nodes, by the jobs that each of 12 users has in flight, and with 12 by the links' bandwidth, the copies of blocks, the window of submission and ties among users.", func() []report.Claim {
		few, usual, narrow := s.gains(g.rows[0]), s.gains(g.rows[4]), s.gains(g.rows[6])
		return []report.Claim{more("throughput gains more with 12 jobs in flight than with one", "the choice among a user's jobs", numbers.Difference(usual, few)),
			more("throughput gains more where links are 20:1 than where they are 5:1 (4)", "a higher ratio would make ShuffleWatcher even more important", numbers.Difference(narrow, usual))}
	}, g)
}
