package shufflewatcher

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

const terabyte = 1e12

// table3 is the traffic of each class of jobs under Fair.
func (s *study) table3() (report.Figure, error) {
	f := report.NewFigure("Table 3: shuffle and cross-rack traffic under Fair",
		"Bytes moved for the jobs of the window under Fair, by class. "+"Means over "+report.Count(s.n, "seed")+"; whiskers: 95% intervals.",
		"class", "seeds", "shuffle_tb", "cross_rack_shuffle_tb", "remote_map_tb", "cross_rack_ci95")
	f.Shown.Columns = []string{"jobs", "shuffle (TB)", "across racks", "remote map"}
	c := cell{contender: fair}
	if err := s.ensure(f.Title, s.n, c); err != nil {
		return f, err
	}
	values := make([][]report.Interval, 3)
	for k := light; k <= all; k++ {
		inside := total(k, func(j *jobOutcome) float64 { return j.inside })
		row := []metric{func(o *outcome) float64 { return inside(o) + shuffled(k)(o) }, shuffled(k), remote(k)}
		var means []float64
		for i, what := range row {
			m := s.mean(s.n, c, func(o *outcome) float64 { return what(o) / terabyte })
			values[i], means = append(values[i], m), append(means, m.Mean)
		}
		f.Numbers.Add(classNames[k], s.n, means[0], means[1], means[2], finite(values[1][k].Half))
		f.Shown.Show(classNames[k], means[0], means[1], means[2])
	}
	racks, _ := s.fit(c).racks()
	crossing := s.mean(s.n, c, func(o *outcome) float64 {
		return shuffled(all)(o) / (shuffled(all)(o) + total(all, func(j *jobOutcome) float64 { return j.inside })(o))
	})
	share := s.mean(s.n, c, func(o *outcome) float64 { return shuffled(heavy)(o) / traffic(all)(o) })
	reads := s.mean(s.n, c, func(o *outcome) float64 { return remote(all)(o) / traffic(all)(o) })
	uniform := 1 - 1/float64(racks)
	return f.Done([]report.Claim{
		{Claim: "most of the shuffle crosses racks", Published: "about 90%, which is 1 - 1/racks", Model: crossing.String() + " of the shuffle", Relation: fmt.Sprintf("mean within .05 of %v", uniform),
			Holds: crossing.Mean > uniform-.05 && crossing.Mean < uniform+.05, Note: "maps and reduces are not spread evenly"},
		{Claim: "the heavy jobs' shuffle is most of the cross-rack traffic", Published: "more than 75%", Model: share.String(), Relation: "95% interval above .75", Holds: share.Low() > .75,
			Note: "the ratios of shuffle to input are assumptions", Kind: report.Constructed},
		{Claim: "remote maps are a small part of the cross-rack traffic", Published: "less than 20%", Model: reads.String(), Relation: "95% interval below .2", Holds: reads.High() < .2, Note: "many maps find no free node in a rack with their block"},
	}, fmt.Sprintf("Bars by class of jobs. %s of the shuffle crosses racks.", crossing),
		bars("TB", 0, classNames[:], []string{"shuffle", "across racks", "remote map"}, values))
}

const spokenLoad = "The load of the links between racks over the hours of the window."

// profile draws the load of the links over the window of the first seed.
func (s *study) profile(f *report.Figure, r reading, list ...*contender) ([]*draw.Chart, error) {
	f.Numbers.Columns = []string{"time_h"}
	var charts []*draw.Chart
	var loads [][]float64
	for _, k := range list {
		c := r.cell(k)
		if err := s.ensure(f.Title, r.n, c); err != nil {
			return nil, err
		}
		y := s.runs(c)[0].load
		x := make([]float64, len(y))
		for i := range x {
			x[i] = float64(i+1) * sampled / 3600
		}
		f.Numbers.Columns, loads = append(f.Numbers.Columns, k.name), append(loads, y)
		p := &draw.Chart{Height: 150, GridY: true, X: draw.Axis{Label: "time in the window (h)", Min: 0, Max: x[len(x)-1]}, Y: draw.Axis{Label: k.name + ": load", Min: 0, Max: 1.02, Ticks: draw.Ticks(0, 1, .2)}}
		p.Line("", x, y, draw.Stroke{Color: draw.Blue, Width: .8})
		charts = append(charts, p)
	}
	for i := range slices.MaxFunc(loads, func(a, b []float64) int { return len(a) - len(b) }) {
		row := []any{float64(i+1) * sampled / 3600}
		for _, y := range loads {
			if i < len(y) {
				row = append(row, y[i])
			} else {
				row = append(row, math.NaN()) // the window has ended
			}
		}
		f.Numbers.Add(row...)
	}
	return charts, nil
}

// figure1 is the load of the links under Fair.
func (s *study) figure1() (report.Figure, error) {
	f := report.NewFigure("Figure 1: cross-rack traffic over time under Fair",
		fmt.Sprintf("Bytes that leave the racks over the bandwidth of their links, means of %d s, first seed. They are shuffles and remote maps.", sampled))
	charts, err := s.profile(&f, steady(s), fair)
	if err != nil {
		return f, err
	}
	below := func(o *outcome) float64 {
		return float64(report.Number(o.load, func(x float64) bool { return x < .5 })) / float64(len(o.load))
	}
	full, low := s.mean(s.n, cell{contender: fair}, func(o *outcome) float64 { return o.busy }), s.mean(s.n, cell{contender: fair}, below)
	return f.Done([]report.Claim{{Claim: "the network is saturated in some periods and under-utilized in others", Published: "quite bursty", Model: fmt.Sprintf("links above 80%% in %s of the time, the load below 50%% in %s", full, low),
		Relation: "both means at least .05", Holds: full.Mean >= .05 && low.Mean >= .05, Note: "at an arrival rate that saturates Delay the backlog keeps the links full"}},
		spokenLoad, charts...)
}

// figure10 is the load of the links under SW-fair, beside Fair.
func (s *study) figure10(r reading) (report.Figure, error) {
	f := report.NewFigure("Figure 10: cross-rack traffic over time under SW-fair",
		fmt.Sprintf("%s As Figure 1: means of %d s, first seed. The claims are about all seeds.", r.caption, sampled))
	charts, err := s.profile(&f, r, swFair, fair)
	if err != nil {
		return f, err
	}
	x := row{label: "SW-fair / Fair", a: r.cell(swFair), b: r.cell(fair)}
	even := s.gain(r.n, x, "the coefficient of variation of the load", burstiness, -1, 0, "what varies is the work at hand: towards the end of a backlog few jobs are left, and at a steady load arrivals come and go")
	peak := s.gain(r.n, x, "the time above 80%", func(o *outcome) float64 { return o.busy }, -1, 0, "full links are also links that are used: nearly the same bytes cross racks, sooner")
	even.Published, peak.Published = "relatively balanced", "relatively balanced"
	return f.Done([]report.Claim{even, peak}, spokenLoad, charts...)
}
