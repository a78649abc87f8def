package shufflewatcher

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// The conditions of the map, and their names.
var (
	mapJobs   = []int{1, 6, 24} // of a user at once
	mapCopies = []setting{{copies: 1}, {copies: 3}, {copies: 3, home: true}}
	mapLinks  = []setting{{oversubscription: 5}, {oversubscription: 20}, {oversubscription: 5, pairs: true}}

	copiesNames = []string{"one copy", "three copies", "three, one in a home rack"}
	linksNames  = []string{"5:1", "20:1", "5:1 per pair"}
	sizesNames  = []string{"tables' jobs", "equal inputs"}
)

// mapRow compares SW-fair with ties and Fair with late reduces under the conditions of the map.
func mapRow(sizes, links, copies, jobs int) row {
	set := mapLinks[links]
	set.copies, set.home = mapCopies[copies].copies, mapCopies[copies].home
	set.small, set.backlog, set.ties, set.equal, set.perUser = true, true, true, sizes == 1, jobs
	return row{"", cell{set, swFair}, cell{set, lateFair}}
}

// figureMap is where ShuffleWatcher with ties gains over Fair with late reduces.
func (s *study) figureMap() (report.Figure, error) {
	n, jobs := quickRepetitions, mapJobs
	if s.Quick {
		jobs = []int{3, 12}
	}
	f := report.NewFigure("Conditions of the gain", fmt.Sprintf("Traffic and throughput of SW-fair with ties over Fair with late reduces: a backlog on 16 nodes with 12 users, by the jobs that a user has at once, their sizes, the copies of blocks and the oversubscription of the racks' links. Means over %s; whiskers: 95%% intervals.", report.Count(n, "seed")),
		"measure", "sizes", "links", "copies", "jobs_per_user", "seeds", "ratio", "ratio_ci95")
	var rows []row
	for x := range sizesNames {
		for l := range mapLinks {
			for c := range mapCopies {
				for _, k := range jobs {
					rows = append(rows, mapRow(x, l, c, k))
				}
			}
		}
	}
	if err := s.runRows(f.Title, n, rows); err != nil {
		return f, err
	}
	var charts []*draw.Chart
	for x, sizes := range sizesNames {
		for l, links := range linksNames {
			for _, m := range []int{2, 0} {
				c := &draw.Chart{Title: sizes + ", " + links, Height: 130, GridY: true, X: draw.Axis{Label: "jobs of a user at once", Log: true, Min: .8, Max: 30, Ticks: draw.TicksAt(1, 3, 6, 12, 24)},
					Y: draw.Axis{Label: []string{2: "traffic", 0: "throughput"}[m]}}
				var lines []draw.Series
				for i, name := range copiesNames {
					line := draw.Look(i, name)
					for _, k := range jobs {
						r := mapRow(x, l, i, k)
						q := s.ratio(n, r, m)
						line.X, line.Y, line.Spread = append(line.X, float64(k)), append(line.Y, q.Mean), append(line.Spread, finite(q.Half))
						f.Numbers.Add(measures[m].column, sizes, links, name, k, n, q.Mean, finite(q.Half))
					}
					lines = append(lines, line)
				}
				c.Series(lines, 1)
				c.Level("", 1, draw.Stroke{Color: draw.Black, Width: .8})
				charts = append(charts, c)
			}
		}
	}
	fewest, most := jobs[0], jobs[len(jobs)-1]
	cut := func(x, k int) []float64 {
		r := mapRow(x, 0, 1+x, k) // 5:1; uniform copies of the tables' jobs, home racks of equal inputs
		return s.pairs(n, r.a, r.b, ratio(traffic(all)))
	}
	tables := report.Over(cut(0, most))
	return f.Done([]report.Claim{
		more("equal inputs in home racks: the traffic falls more with many jobs a user than with few", "the choice among a user's jobs", report.Difference(cut(1, fewest), cut(1, most)), "ties among users give as much choice with few jobs"),
		below("the tables' jobs with uniform copies: the traffic falls by 36% with many jobs a user", "-36% with 12", tables, .64, percent(tables), "no rack holds a job's blocks, and three in ten jobs hold nearly all bytes"),
	}, "Lines of traffic and of throughput over Fair's by jobs at once, a panel for each size and kind of links.", draw.Panels(2, charts...)...)
}
