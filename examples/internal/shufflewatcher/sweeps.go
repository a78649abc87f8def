package shufflewatcher

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// figure14a is SW-fair over Fair with other numbers of jobs a user.
func (s *study) figure14a() (report.Figure, error) {
	a, _, _, _ := s.readings()
	a = s.on16(a)[0]
	g := group{reading: a}
	for _, k := range []int{1, 9, 12, 18} {
		a.set.perUser = k
		x := a.rows(swFair, fair)[0]
		x.label = fmt.Sprintf("%d jobs a user", k)
		g.rows = append(g.rows, x)
	}
	return s.grid("Figure 14(a): jobs per user", "SW-fair over Fair with 1, 9, 12 and 18 jobs a user, on 16 nodes.", func() (claims []report.Claim) {
		for _, x := range g.rows {
			claims = append(claims, gain("SW-fair against Fair with "+x.label, "throughput", s.ratio(g.n, x, 0), 1, "raised", "a user with few jobs has little choice"))
		}
		return claims
	}, g)
}

// figure14b is SW-fair over Fair with other mixes of jobs.
func (s *study) figure14b() (report.Figure, error) {
	a, _, _, d := s.readings()
	var groups []group
	for _, r := range s.on16(a, d) {
		g := group{reading: r}
		for i, name := range []string{"20, 20, 60%", "40, 20, 40%", "60, 20, 20%"} {
			r.set.mix = []int{1, 0, 2}[i]
			x := r.rows(swFair, fair)[0]
			x.label = name
			g.rows = append(g.rows, x)
		}
		groups = append(groups, g)
	}
	return s.grid("Figure 14(b): mixes of jobs", "SW-fair over Fair with three mixes of light, medium and heavy jobs, on 16 nodes.", func() (claims []report.Claim) {
		for _, g := range groups {
			var seeds [3][]float64
			for i, r := range g.rows {
				seeds[i] = s.pairs(g.n, r.a, r.b, ratio(throughput(all)))
			}
			claims = append(claims, g.of(
				comes("with 20, 20 and 60% of light, medium and heavy jobs SW-fair / Fair", "throughput", report.Over(seeds[0]), 31, g.note),
				comes("with 60, 20 and 20% of them SW-fair / Fair", "throughput", report.Over(seeds[2]), 22, g.note),
				together("the gain in throughput is greatest for the mix in the middle", "+39% against +31% and +22%", "95% intervals of the differences from both others above 0", "other mixes gain as much",
					more("than with more heavy jobs", "", report.Difference(seeds[1], seeds[0]), ""), more("than with more light jobs", "", report.Difference(seeds[1], seeds[2]), "")))...)
		}
		return claims
	}, groups...)
}

// figureNodes16 is Figure 8 on the smaller cluster.
func (s *study) figureNodes16() (report.Figure, error) {
	var groups []group
	a, b, c, d := s.readings()
	for _, r := range s.on16(a, b, c, d) {
		groups = append(groups, group{r, r.rows(swFair, fair, swFair, lateFair, swRelaxed, delay)})
	}
	if err := s.runRows("16 nodes, beside 100", a.n, a.rows(swFair, fair)); err != nil {
		return report.Figure{}, err
	}
	return s.grid("Section 5.5: 16 nodes", "As Figure 8 on 4 racks of 4 nodes. The paper prints the gains over Fair here also as the gains over Delay on 100 nodes.", func() []report.Claim {
		x := groups[0].rows[0]
		exceeds := more("the gain in throughput over Fair exceeds that on 100 nodes", "exceeds", report.Difference(s.pairs(a.n, x.a, x.b, ratio(throughput(all))), s.pairs(a.n, a.cell(swFair), a.cell(fair), ratio(throughput(all)))), "four racks give ShuffleWatcher less to gain than ten")
		return a.of(append(s.headlines(groups[0].reading), exceeds)...)
	}, groups...)
}

// figureFixed is SW-fair over reduces fixed by map output or by input.
func (s *study) figureFixed() (report.Figure, error) {
	a, _, _, d := s.readings()
	var groups []group
	for _, r := range s.on16(a, d) {
		groups = append(groups, group{r, r.rows(swFair, byOutput, swFair, byInput)})
	}
	return s.grid("Section 3.4: reduces fixed in advance", "SW-fair over schedulers that put a job's reduces on racks in proportion to its map output, all after its last map, or in proportion to its input, on 16 nodes.", func() (claims []report.Claim) {
		for _, x := range groups[0].rows {
			for m := range 2 {
				claims = append(claims, a.of(s.gainOf(s.n, x, m, "not as good", "reduces that start after the maps hold no slots and go where the output is"))...)
			}
		}
		return claims
	}, groups...)
}

// figureOptions is what each of our options does, and its price in fairness.
func (s *study) figureOptions() (report.Figure, error) {
	a, b, _, d := s.readings()
	d.n = s.n
	small := s.on16(a, b)
	groups := []group{{reading: d}, {reading: small[0]}, {reading: small[1]}}
	for i := range groups {
		g := &groups[i]
		for _, k := range options {
			g.set.ties = k.ties
			g.rows = append(g.rows, row{k.label, g.cell(k.contender), g.cell(lateFair)})
		}
	}
	return s.grid("Options of ShuffleWatcher that the paper does not have", "SW-fair with each option over Fair with late reduces. "+
		"Ties: of users with equal shares, or within some slots, one with a preferred task goes first. Patience: so long a job waits for its racks. Readings A and B on 16 nodes.", func() (claims []report.Claim) {
		for _, g := range groups {
			for _, r := range g.rows {
				if r.a.ties || r.a.watch.Patience > 0 || r.a.watch.Within {
					moved, ended := s.ratio(g.n, r, 2), s.ratio(g.n, r, 0)
					claims = append(claims, g.of(together("SW-fair with "+r.label+", against Fair with late reduces, cuts the traffic by 40% at no loss of throughput", "not run", "95% intervals of the ratios: traffic below .6, throughput not below 1", "columns Σp², Σpr and throughput say what prevents it",
						below("traffic", "", moved, .6, percent(moved), ""), report.Claim{Claim: "throughput", Model: percent(ended), Holds: ended.High() >= 1}))...)
				}
			}
		}
		return claims
	}, groups...)
}
