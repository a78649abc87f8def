package shufflewatcher

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// figure14a is SW-fair over Fair with other numbers of jobs a user.
func (s *study) figure14a() (report.Figure, error) {
	rows := slices.Concat(
		against("1 a user: ", setting{perUser: 1, small: true}, 1, [3]float64{}, fair, swFair),
		against("9 a user: ", setting{perUser: 9}, 1, [3]float64{}, fair, swFair),
		against("12 a user: ", setting{}, 1, [3]float64{39}, fair, swFair),
		against("18 a user: ", setting{perUser: 18}, 1, [3]float64{}, fair, swFair))
	return s.rowsFigure("Figure 14(a): jobs per user", "SW-fair over Fair with 1, 9, 12 and 18 jobs a user at one rate of arrivals; as in the paper one job a user is on 16 nodes.", s.n, rows, fewJobs,
		func() report.Claim {
			return s.nobody(s.n, rows[0], "its performance does not suffer under per-job fairness")
		})
}

// figure14b is SW-fair over Fair with other mixes of jobs.
func (s *study) figure14b() (report.Figure, error) {
	rows := slices.Concat(
		against("mix1: ", setting{mix: 1}, 1, [3]float64{31}, fair, swFair),
		against("mix2: ", setting{}, 1, [3]float64{39}, fair, swFair),
		against("mix3: ", setting{mix: 2}, 1, [3]float64{22}, fair, swFair))
	return s.rowsFigure("Figure 14(b): mixes of jobs", "SW-fair over Fair with 20, 20 and 60% of light, medium and heavy jobs, with 40, 20 and 40%, and with 60, 20 and 20%.", s.n, rows, fewJobs,
		func() report.Claim { return s.middle(s.n, rows, fewJobs) })
}

// middle is the claim that of three mixes the second gains most.
func (s *study) middle(n int, rows []row, note string) report.Claim {
	var seeds [3][]float64            // the gains of each mix
	var gains, more []report.Interval // of each mix; of the second beyond the two others
	for i, r := range rows[:3] {
		seeds[i] = s.pairs(n, r.a, r.b, ratio(throughput(all)))
		gains = append(gains, report.Over(seeds[i]))
	}
	for i := range seeds {
		more = append(more, report.Difference(seeds[1], seeds[i]))
	}
	return report.Claim{Claim: "the gain in throughput is greatest for the mix in the middle", Published: "+39% against +31% and +22%", Model: percent(gains[0]) + ", " + percent(gains[1]) + ", " + percent(gains[2]),
		Relation: "95% intervals of the differences from both others above 0", Holds: more[0].Low() > 0 && more[2].Low() > 0, Note: note}
}

// figureNodes16 is Figure 8 on the smaller cluster.
func (s *study) figureNodes16() (report.Figure, error) {
	set := setting{small: true}
	rows := slices.Concat(against("", set, 3, [3]float64{46, -32, -48}, fair, swFair), against("", set, 3, [3]float64{54, -38, -56}, delay, swRelaxed))
	return s.rowsFigure("Section 5.5: 16 nodes", "As Figure 8 on 4 racks of 4 nodes. The paper prints the gains over Fair here also as the gains over Delay on 100 nodes.", s.n, rows, fewJobs)
}

// figureBacklog16 is the second reading on the smaller cluster: Section 5.5, Figure 14, and other
// settings.
func (s *study) figureBacklog16() (report.Figure, error) {
	var rows []row
	add := func(name string, set setting, claims int, published [3]float64, pairs ...*contender) {
		set.small, set.backlog = true, true
		rows = append(rows, against(name, set, claims, published, pairs...)...)
	}
	add("", setting{}, 3, [3]float64{46, -32, -48}, fair, swFair)
	add("", setting{}, 3, [3]float64{54, -38, -56}, delay, swRelaxed)
	add("mix1: ", setting{mix: 1}, 1, [3]float64{31}, fair, swFair)
	add("mix3: ", setting{mix: 2}, 1, [3]float64{22}, fair, swFair)
	for _, k := range []int{1, 9, 18} {
		add(fmt.Sprintf("%d a user: ", k), setting{perUser: k}, 1, [3]float64{}, fair, swFair)
	}
	add("either kind: ", setting{shared: true}, 3, [3]float64{}, fair, swFair, delay, swRelaxed)
	add("either kind: ", setting{shared: true}, 1, [3]float64{}, fair, onlyNASS, onlyNASS, withSARP, withSARP, swFair)
	add("home rack: ", setting{home: true}, 3, [3]float64{}, fair, swFair, delay, swRelaxed)
	add("SWIM: ", setting{swim: true}, 0, [3]float64{}, fair, swFair)
	add("", setting{}, 3, [3]float64{}, byOutput, swFair)
	add("", setting{}, 0, [3]float64{}, fair, byOutput, swFair, noWindows, swFair, settings[2], swFair, settings[5])
	f, err := s.rowsFigure("16 nodes, each user's jobs at once", backlog(s).caption+" Mixes as in Figure 14(b). Either kind: slots for maps and reduces alike. SWIM: jobs of at least 1 GB of the trace, scaled to the same bytes of shuffle. Home rack and fixed: as in figure others.", s.n, rows, manyJobs)
	if err != nil {
		return f, err
	}
	for i := range f.Claims {
		if c := &f.Claims[i]; strings.HasPrefix(c.Claim, "either kind") || strings.HasPrefix(c.Claim, "home rack") {
			c.Published, c.Kind = "not run", report.Beyond
		}
	}
	f.Claims = append(f.Claims, s.middle(s.n, []row{rows[2], rows[0], rows[3]}, "the seeds do not tell the mixes apart"))
	return f, nil
}

// figureRates is the input that each scheduler gets done in overload: what it can carry at most.
func (s *study) figureRates() (report.Figure, error) {
	list := []*contender{fair, swFair, delay, swRelaxed, drf, swDRF}
	rates := []float64{1, 1.5, 2}
	f := report.NewFigure("The greatest rate of arrivals that can be carried",
		fmt.Sprintf("16 nodes. Input that ends per second, until nine tenths of all have ended, over the input that usually arrives per second, by the rate of arrivals. In overload it is the greatest rate that a scheduler carries. Means over %s; whiskers: 95%% intervals.", report.Count(s.n, "seed")),
		"scheduler", "rate", "seeds", "served", "served_ci95")
	served := func(o *outcome) float64 { return o.served }
	var groups, names []string
	values := make([][]report.Interval, len(list))
	at := func(i, k int) cell { return cell{setting{small: true, rate: rates[i]}, list[k]} }
	for i, rate := range rates {
		groups = append(groups, "rate "+report.Short(rate))
		for k, c := range list {
			if err := s.ensure(f.Title, s.n, at(i, k)); err != nil {
				return f, err
			}
			m := s.mean(s.n, at(i, k), func(o *outcome) float64 { return rate * served(o) })
			values[k] = append(values[k], m)
			f.Numbers.Add(c.name, rate, s.n, m.Mean, m.Half)
		}
	}
	for k, c := range list {
		names = append(names, c.name)
		if k%2 == 1 {
			last := len(rates) - 1
			r := row{label: c.name + " / " + list[k-1].name, a: at(last, k), b: at(last, k-1)}
			f.Claims = append(f.Claims, s.gain(s.n, r, "the greatest rate that can be carried", served, 1, []float64{39, 46, 0}[k/2], "the same bytes cross racks, and the links are the bottleneck"))
		}
	}
	return f.Done(f.Claims, fmt.Sprintf("Bars by rate and scheduler. In overload: Fair %s, SW-fair %s.", values[0][2], values[1][2]), bars("served / usual rate", 0, groups, names, values))
}

// figureSettings changes one setting of ShuffleWatcher at a time.
func (s *study) figureSettings() (report.Figure, error) {
	set := setting{small: true}
	var rows []row
	for _, k := range settings {
		rows = append(rows, row{label: k.name, a: cell{set, k}, b: cell{set, swFair}})
	}
	f, err := s.rowsFigure("ShuffleWatcher with one other setting each", fmt.Sprintf("16 nodes. SW-fair with one setting changed over SW-fair as it is: threshold 80%%, maps done 15%%, period 3 s, windows of 10 min, ratios by type. The noise is a log-normal factor of σ %v on each measured load.", settings[5].noise), s.n, rows, "")
	if err != nil {
		return f, err
	}
	for i, r := range rows[:6] {
		q := s.compare(s.n, r.a, r.b, throughput(all))
		f.Claims = append(f.Claims, report.Claim{Claim: "the throughput is the same with " + r.label, Published: "less than 1% difference", Model: percent(q), Relation: "mean within 1%", Holds: math.Abs(q.Mean-1) < .01,
			Note: "small changes of the order of starts move the ends of large jobs across the window's end"})
		if i == 5 {
			f.Claims[i].Published, f.Claims[i].Kind = "significant improvements despite it", report.Beyond
		}
	}
	flips := s.mean(s.n, rows[0].b, func(o *outcome) float64 {
		n := 0.0
		for _, x := range o.report.Flips {
			n += float64(x)
		}
		return n / float64(o.report.Periods) / float64(len(o.report.Flips))
	})
	f.Claims = append(f.Claims, report.Claim{Claim: "NetSat's flag does not oscillate", Published: "not measured", Model: "changes a rack and period " + flips.String(), Relation: "mean below .25", Holds: flips.Mean < .25, Note: "it follows the load of each period", Kind: report.Beyond})
	return f, nil
}

// figureOthers compares on other workloads and clusters, and with fixed assignments.
func (s *study) figureOthers() (report.Figure, error) {
	var rows []row
	add := func(name string, set setting, claims int, pairs ...*contender) {
		set.small = true
		rows = append(rows, against(name, set, claims, [3]float64{}, pairs...)...)
	}
	add("", setting{}, 0, fair, byOutput, fair, byInput)
	add("", setting{}, 3, byOutput, swFair)
	for _, x := range []float64{1, 2, 10, 20} {
		add(fmt.Sprintf("%v:1: ", x), setting{oversubscription: x}, 0, fair, swFair)
	}
	add("1 copy: ", setting{copies: 1}, 0, fair, swFair)
	add("2 copies: ", setting{copies: 2}, 0, fair, swFair)
	add("home rack: ", setting{home: true}, 0, fair, swFair)
	add("rack down: ", setting{down: true}, 0, fair, swFair)
	last := rows[len(rows)-1]
	longest := func(o *outcome) float64 { return o.longest }
	return s.rowsFigure("Other clusters, copies and placements", "16 nodes, jobs at a steady rate. Fixed: reduces on racks in proportion to the map output, all after the last map, or to the input (section 3.4). "+
		"N:1: oversubscription of the racks' links. Home rack: one rack has a copy of each of a job's blocks. "+
		"Rack down: a rack that holds blocks is down for the whole run.", s.n, rows, fewJobs, func() report.Claim {
		a, b, q := s.mean(s.n, last.a, longest), s.mean(s.n, last.b, longest), s.compare(s.n, last.a, last.b, longest)
		return report.Claim{Claim: "a preferred rack that is down for the whole run starves nobody", Published: "rare; windows prevent it", Model: fmt.Sprintf("longest turn-around %.0f s, under Fair %.0f s, ratio %s", a.Mean, b.Mean, q),
			Relation: "all jobs end; mean ratio of the longest to Fair's at most 1.5", Holds: q.Mean <= 1.5, Note: "jobs wait for racks that do not ask"}
	})
}

// figureShared is Figures 8 and 12 with slots of either kind.
func (s *study) figureShared() (report.Figure, error) {
	set := setting{shared: true}
	rows := slices.Concat(
		against("", set, 3, [3]float64{39, -27, -36}, fair, swFair),
		against("", set, 3, [3]float64{46, -32, -48}, delay, swRelaxed),
		against("", set, 3, [3]float64{}, drf, swDRF),
		against("", set, 1, [3]float64{}, fair, onlyNASS, onlyNASS, withSARP, withSARP, swFair))
	return s.rowsFigure("Figures 8 and 12 with slots of either kind", "4 slots for maps and reduces alike on each node, so that NASS decides between a map and a reduce at every start. At most half of the slots go to reduces that wait for maps.", s.n, rows, fewJobs)
}

// figurePredicted compares the traffic that SAMP predicts with what moved.
func (s *study) figurePredicted() (report.Figure, error) {
	f := report.NewFigure("Predicted and realised traffic",
		"Bytes that SAMP's plans predict to cross racks for the jobs of the window under SW-fair, and the bytes that did; the share of a job's maps that ran on other racks than planned, mean over the jobs. By seed.",
		"seed", "predicted_tb", "realised_tb", "maps_elsewhere", "preferred_map_choices", "map_choices")
	c := cell{contender: swFair}
	if err := s.ensure(f.Title, s.n, c); err != nil {
		return f, err
	}
	var names []string
	values := make([][]report.Interval, 2)
	var ratios, shifts []float64
	for i, o := range s.runs(c)[:s.n] {
		moved, l := traffic(all)(o), o.report.Lines
		preferred := l[4] + l[16]
		f.Numbers.Add(i, o.expected/terabyte, moved/terabyte, o.shift, preferred, preferred+l[5]+l[6]+l[17]+l[18])
		names = append(names, fmt.Sprint(i))
		values[0], values[1] = append(values[0], report.Interval{Mean: o.expected / terabyte}), append(values[1], report.Interval{Mean: moved / terabyte})
		ratios, shifts = append(ratios, moved/o.expected), append(shifts, o.shift)
	}
	q, shift := report.Over(ratios), report.Over(shifts)
	chart := bars("TB across racks", 0, names, []string{"predicted", "realised"}, values)
	chart.X.Label = "seed"
	return f.Done([]report.Claim{{Claim: "intermediate data and SAMP's predictions are close", Published: "so close that the threshold of SARP does not matter", Model: fmt.Sprintf("realised over predicted traffic %s; maps elsewhere %s", q, shift),
		Relation: "mean ratio at most 1.25", Holds: q.Mean <= 1.25, Note: "the preference is soft: where the user has no job that prefers a free node's rack, a local map of another job starts there"}},
		fmt.Sprintf("Bars by seed. Realised over predicted: %s.", q), chart)
}
