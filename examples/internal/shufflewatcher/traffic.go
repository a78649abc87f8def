package shufflewatcher

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// part is what a part of the traffic is of another.
func part(what, whole metric) metric {
	return func(o *outcome) float64 { return over(what(o), whole(o)) }
}

// whole is the shuffle of a class, across racks or not, in bytes.
func whole(k class) metric {
	return total(k, func(j *jobOutcome) float64 { return j.shuffle + j.inside })
}

// table3 is the traffic of each class of jobs under Fair.
func (s *study) table3() (report.Figure, error) {
	f := report.NewFigure("Table 3: shuffle and cross-rack traffic under Fair", "Bytes moved for the measured jobs under Fair, by reading and class; small dots: each seed.",
		"reading", "class", "seeds", "shuffle_tb", "cross_rack_shuffle_tb", "remote_map_tb", "cross_rack_ci95")
	f.Shown.Columns = []string{"reading", "jobs", "shuffle (TB)", "across racks", "remote map"}
	var charts []*draw.Chart
	for _, r := range closer {
		c := r.cell(fair)
		if err := s.ensure(f.Title, c); err != nil {
			return f, err
		}
		series := []draw.Series{draw.Look(0, "shuffle"), draw.Look(1, "across racks"), draw.Look(2, "remote map")}
		for k := light; k <= all; k++ {
			var means []any
			for i, what := range []metric{whole(k), shuffled(k), remote(k)} {
				series[i].Add(s.values(c, func(o *outcome) float64 { return what(o) / terabyte }))
				means = append(means, series[i].Y[k])
			}
			f.Numbers.Add(append(append([]any{r.Name, classNames[k], s.seeds.N}, means...), numbers.Over(series[1].Seeds[k]).Half)...)
			f.Shown.Show(append([]any{r.Name, classNames[k]}, means...)...)
		}
		chart := draw.PointsAt("", "TB in reading "+r.Name, classNames[:], series)
		chart.Height = 180
		charts = append(charts, chart)
		racks, _ := s.fit(c).racks()
		reads, lights, most := s.mean(c, part(remote(all), traffic(all))), s.mean(c, part(remote(light), traffic(light))), s.mean(c, part(shuffled(heavy), traffic(all)))
		crosses := near("the part of the shuffle that crosses racks", "about 90%, which is 1 - 1/racks", s.mean(c, part(shuffled(all), whole(all))), 1-1/float64(racks), .05)
		crosses.Relation = "95% interval within 0.05 of 1 - 1/racks"
		f.Claims = append(f.Claims, r.of(
			crosses,
			below("remote maps are a small part of the cross-rack traffic", "less than 20%", reads, .2, reads.String()),
			above("most of the light jobs' traffic is remote maps", "most of it", lights, .5, lights.String()),
			above("the heavy jobs' shuffle is most of the cross-rack traffic", "more than 75%", most, .75, most.String()))...)
	}
	return f.Done(f.Claims, "Points of bytes by class of jobs: all shuffle, what crosses racks, and remote maps; a panel for each reading.", draw.Panels(1, charts...)...)
}

// profiles draws the load of the links over the window of the first seed under a contender, a panel
// for each reading, and makes claims of each.
func (s *study) profiles(title, caption string, k *contender, claims func(r reading) []report.Claim) (report.Figure, error) {
	f := report.NewFigure(title, fmt.Sprintf("Bytes that leave the racks over the bandwidth of their links, means of %d s, first seed of each reading%s.", sampled, caption), "reading", "time_h", "load")
	var charts []*draw.Chart
	for _, r := range closer {
		if err := s.ensure(title, r.cell(k), r.cell(fair)); err != nil {
			return f, err
		}
		var x []float64
		y := s.runs(r.cell(k))[0].load
		for i := range y {
			x = append(x, float64(i+1)*sampled/3600)
			f.Numbers.Add(r.Name, x[i], y[i])
		}
		p := &draw.Chart{Title: "Reading " + r.Name, Height: 150, GridY: true, X: draw.Axis{Label: "time in the window (h)", Min: 0, Max: x[len(x)-1]}, Y: draw.Axis{Label: "load", Min: 0, Max: 1.02, Ticks: draw.Ticks(0, 1, .2)}}
		p.Line("", x, y, draw.Stroke{Color: draw.Blue, Width: .8})
		charts = append(charts, p)
		f.Claims = append(f.Claims, r.of(claims(r)...)...)
	}
	return f.Done(f.Claims, "The load of the links between racks over the hours of the window, by reading.", charts...)
}

// figure1 is the load of the links under Fair.
func (s *study) figure1() (report.Figure, error) {
	low := func(o *outcome) float64 {
		return float64(numbers.Number(o.load, func(x float64) bool { return x < .5 })) / float64(len(o.load))
	}
	return s.profiles("Figure 1: cross-rack traffic over time under Fair", ". They are shuffles and remote maps", fair, func(r reading) []report.Claim {
		full, low := s.mean(r.cell(fair), func(o *outcome) float64 { return o.busy }), s.mean(r.cell(fair), low)
		return []report.Claim{together("the network is saturated in some periods and under-utilized in others", "quite bursty", "95% intervals of both parts of the time above .05",
			above("links above 80%:", "", full, .05, full.String()), above("load below 50%:", "", low, .05, low.String()))}
	})
}

// figure10 is the load of the links under SW-fair.
func (s *study) figure10() (report.Figure, error) {
	return s.profiles("Figure 10: cross-rack traffic over time under SW-fair", "; the claims are about all seeds", swFair, func(r reading) []report.Claim {
		less := s.paired(r.cell(swFair), r.cell(fair), func(x, y *outcome) float64 { return x.busy - y.busy })
		return []report.Claim{
			gain("SW-fair against Fair", "the coefficient of variation of the load", s.compare(r.cell(swFair), r.cell(fair), burstiness), -1, "relatively balanced"),
			below("links are above 80% for less of the time than under Fair", "relatively balanced", less, 0, points(less)+" points")}
	})
}

// workloads are what each reading loads, by cluster.
func (s *study) workloads() (numbers.Table, error) {
	t := numbers.Table{Columns: []string{"reading", "nodes", "seeds", "users x jobs", "Fair: jobs an hour", "turn-around (s)", "links in use", "links above 80%", "slots for maps held", "for reduces", "bottleneck"}}
	for _, r := range []reading{readingA, main16, readingB} {
		k := r.cell(fair)
		if err := s.ensure("workloads", k); err != nil {
			return t, err
		}
		set := s.fit(k).setting
		racks, nodes := set.racks()
		users, jobs := set.atOnce()
		links := s.mean(k, func(o *outcome) float64 { return numbers.Mean(o.load) })
		bottleneck := "slots"
		if links.Mean > .8 {
			bottleneck = "links"
		}
		row := []any{r.Name, racks * nodes, s.seeds.N, fmt.Sprintf("%d x %d", users, jobs), s.mean(k, throughput(all)).String(), s.mean(k, turnaround(all)).String(), links.String()}
		for _, what := range []metric{func(o *outcome) float64 { return o.busy }, func(o *outcome) float64 { return o.slots[0] }, func(o *outcome) float64 { return o.slots[1] }} {
			row = append(row, s.mean(k, what).Mean)
		}
		t.Show(append(row, bottleneck)...)
	}
	return t, nil
}

// What a run says of where tasks of heavy jobs ran, and of its price in fairness.
func concentration(o *outcome) float64 { return o.concentration }
func kept(o *outcome) float64          { return o.kept }
func withinQuota(o *outcome) float64   { return over(float64(o.report.Met), float64(o.report.Reduces)) }
func unfair(o *outcome) float64        { return o.unfair }

// planned is the traffic between racks that SAMP predicts, and across that which moved, in TB.
func planned(o *outcome) float64 { return o.expected / terabyte }
func across(o *outcome) float64  { return traffic(all)(o) / terabyte }

// figurePredicted compares the traffic that SAMP predicts with what moved.
func (s *study) figurePredicted() (report.Figure, error) {
	f := report.NewFigure("Predicted and realised traffic",
		"Bytes that SAMP's plans predict to cross racks for the measured jobs under SW-fair, and the bytes that did, by reading; small dots: each seed. Table, of heavy jobs: the sums over racks of p² and p r, p and r being the parts of the job's maps and reduces there (both are 1 / racks where tasks are spread evenly); the share of reduces within the quota of their rack.",
		"reading", "seeds", "predicted_tb", "realised_tb", "sum_p2", "sum_pr", "within_quota", "sum_p2_fair", "sum_pr_fair")
	f.Shown.Columns = []string{"reading", "Σp²", "Σpr", "within quota", "Σp², Fair", "Σpr, Fair"}
	var names []string
	series := []draw.Series{draw.Look(0, "predicted"), draw.Look(1, "realised")}
	for _, r := range closer {
		x, y := r.cell(swFair), r.cell(fair)
		if err := s.ensure(f.Title, x, y); err != nil {
			return f, err
		}
		mean := func(c cell, what metric) float64 { return s.mean(c, what).Mean }
		for k, what := range []metric{planned, across} {
			series[k].Add(s.values(x, what))
		}
		places := []any{mean(x, concentration), mean(x, kept), mean(x, withinQuota), mean(y, concentration), mean(y, kept)}
		f.Numbers.Add(append([]any{r.Name, s.seeds.N, mean(x, planned), mean(x, across)}, places...)...)
		f.Shown.Show(append([]any{r.Name}, places...)...)
		names = append(names, "reading "+r.Name)
		beyond := s.mean(x, func(o *outcome) float64 { return across(o) - 1.25*planned(o) })
		claim := below("intermediate data and SAMP's predictions are close", "so close that the threshold of SARP does not matter", beyond, 0, "traffic "+numbers.Short(mean(x, across))+" TB, predicted "+numbers.Short(mean(x, planned))+" TB")
		claim.Relation = "95% interval of the traffic less 1.25 times the predicted below 0"
		f.Claims = append(f.Claims, r.of(claim)...)
	}
	return f.Done(f.Claims, "Points of predicted and realised traffic by reading.", draw.PointsAt("", "TB across racks", names, series))
}
