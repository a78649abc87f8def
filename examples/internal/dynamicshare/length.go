package dynamicshare

import (
	"fmt"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/partition"
)

// lengths are the factors by which a job is made longer.
var lengths = []float64{1, 3, 10, 30, 100}

// figureLength compares SkewTune with DP on ever longer jobs; the overhead of splitting stays.
func (t *trials) figureLength() (report.Figure, error) {
	f := report.Figure{
		Item:    "length",
		Title:   "Repartitioning against the length of jobs",
		Caption: fmt.Sprintf("The Twitter job at 80%% with %d partitions, its machines so many times slower. Splitting a task takes %v s at any length. Whiskers: 95%% intervals.", reduces, overhead),
		Numbers: report.Table{Columns: []string{"length", "scheme", "seeds", "ratio_to_dp", "ratio_ci95"}},
	}
	c := &draw.Chart{GridY: true, X: draw.Axis{Label: "length of the job (times)", Log: true, Min: .8, Max: 125, Ticks: draw.LogTicks(1, 100)}, Y: draw.Axis{Label: "reduce phase / that of DP"}}
	last := map[scheme]report.Interval{} // over DP, of the longest job
	var gains []float64                  // SkewTune over Hadoop, of the longest job
	var list []draw.Series
	for _, k := range []scheme{hadoop, skewTune} {
		s := k.series()
		s.X = lengths
		for _, factor := range lengths {
			var ratios []float64
			for i := range t.list {
				p, j := t.list[i].steep[onTwitter], *jobs[onTwitter]
				j.rate /= factor
				sketch, err := p.sketch(1, reduces)
				if err != nil {
					return f, err
				}
				load, err := sketch.Row(nil, 0)
				if err != nil {
					return f, err
				}
				dynamic, err := t.list[i].plan(&j, load, partition.DynamicShare)
				if err != nil {
					return f, err
				}
				plain := rotated(t.list[i].speeds, func(v []float64) float64 { return j.slowest(load, v) })
				if k == skewTune {
					split := rotated(t.list[i].speeds, func(v []float64) float64 { return j.skewTune(load, p.longest(), v, overhead) })
					if factor == lengths[len(lengths)-1] {
						gains = append(gains, split/plain)
					}
					plain = split
				}
				ratios = append(ratios, plain/dynamic.Makespan)
			}
			r := report.Over(ratios)
			s.Y, s.Spread, last[k] = append(s.Y, r.Mean), append(s.Spread, r.Half), r
			f.Numbers.Add(factor, schemeNames[k], len(ratios), r.Mean, r.Half)
		}
		list = append(list, s)
	}
	c.Series(list, 0)
	c.Level("DP, exact times", 1, dpExact.series().Stroke)
	var err error
	f.Picture, err = draw.New(fmt.Sprintf("Two lines over the length of the job. At the longest Hadoop takes %s times as long as DP, SkewTune %s times.", report.Fixed(last[hadoop].Mean), report.Fixed(last[skewTune].Mean)), c)
	gain := report.Over(gains)
	f.Claims = report.Claims("dynamicshare", f.Item, "", report.OfKind(report.Beyond,
		report.Claim{Claim: "SkewTune's repartitioning is beneficial for long jobs", Published: "cited from [27]", Model: "SkewTune/Hadoop " + gain.String(), Relation: "95% interval of the ratio below 1 at the longest", Holds: gain.High() < 1,
			Note: "the heaviest key, which cannot be split, is most of the longest task"},
		report.Claim{Claim: "for long jobs SkewTune ends before DP", Published: "not measured", Model: "SkewTune/DP " + last[skewTune].String(), Relation: "95% interval of the ratio below 1 at the longest", Holds: last[skewTune].High() < 1,
			Note: "the heaviest key moves to a faster machine only when one becomes idle, and begins anew there what it is sent for; DP had it on the fastest from the start"},
	)...)
	return f, err
}
