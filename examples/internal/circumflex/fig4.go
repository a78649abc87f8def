package circumflex

import (
	"fmt"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/sharedscan"
)

// figure4Scans are three overlapping sets of blocks of which the first and the last meet only where
// the second is, as in the paper's drawing: six of the seven regions that three sets can have.
var figure4Scans = [][]int{{0, 1, 2, 3, 4}, {2, 3, 4, 5, 6, 7}, {4, 6, 7, 8, 9, 10}}

func figure4() (report.Figure, error) {
	f := report.NewFigure("Figure 4: semi-shared scans",
		"Three jobs scan overlapping sets of blocks (top, a column a block). Blocks that the same jobs need are one subjob; the numbers are the subjobs. Bottom: their precedence, from the most overlapped to "+
			"the least; only arcs that others do not imply.",
		"subjob", "blocks", "members", "completes", "before")
	f.Shown.Columns = []string{"subjob", "blocks", "for jobs", "completes job", "before"}
	blocks := slices.Max(slices.Concat(figure4Scans...)) + 1
	v, err := sharedscan.Regions(figure4Scans, slices.Repeat([]float64{1}, blocks))
	if err != nil {
		return f, err
	}
	sets := blockChart(figure4Scans, &v, blocks)
	for k, r := range v.Regions {
		var before []int
		for _, n := range v.Graph.Succs(k) {
			before = append(before, int(n))
		}
		completes := "none"
		if r.Completes >= 0 {
			completes = fmt.Sprint(r.Completes + 1)
		}
		f.Numbers.Add(k+1, r.Work, jobList(r.Members), completes, jobList(before))
		f.Shown.Add(fmt.Sprint(k+1), numbers.Short(r.Work), jobList(r.Members), completes, jobList(before))
	}
	return f.Done(claims4(&v), "Three rows of blocks cut into six subjobs, and a graph of these: the one that all three jobs need comes before those of two, these before those of one.", sets, graphChart(&v))
}

// blockChart shows which blocks each scan needs, and the subjob that each block belongs to.
func blockChart(scans [][]int, v *sharedscan.Venn, end int) *draw.Chart {
	n := float64(len(scans))
	c := &draw.Chart{Height: 120, X: draw.Axis{Label: "block", Max: float64(end), Ticks: []draw.Tick{}}, Y: draw.Rows("job", len(scans))}
	for i, scan := range scans {
		y := n - float64(i) - 1
		blocks := slices.Compact(slices.Sorted(slices.Values(scan)))
		for k := 0; k < len(blocks); { // neighbours of one subjob are one area
			first, region := blocks[k], v.Of[blocks[k]]
			for k++; k < len(blocks) && blocks[k] == blocks[k-1]+1 && v.Of[blocks[k]] == region; k++ {
			}
			last := blocks[k-1] + 1
			p := draw.PaintOf(int(region))
			c.Area(float64(first), y+0.1, float64(last), y+0.9, p.Fill)
			c.Text(float64(first+last)/2, y+0.5, fmt.Sprint(region+1), p.Text)
		}
	}
	return c
}

// graphChart draws the regions by number of members, the most at the left, with the arcs between
// them.
func graphChart(v *sharedscan.Venn) *draw.Chart {
	c := &draw.Chart{Height: 130}
	c.X = draw.Axis{Min: 0, Max: 1, NoLine: true, Ticks: []draw.Tick{}}
	c.Y = draw.Axis{Min: 0, Max: 1, NoLine: true, Ticks: []draw.Tick{}}
	var levels [][]int
	for k := range v.Regions {
		if k == 0 || len(v.Regions[k].Members) != len(v.Regions[k-1].Members) {
			levels = append(levels, nil)
		}
		last := len(levels) - 1
		levels[last] = append(levels[last], k)
	}
	xs, ys := make([]float64, len(v.Regions)), make([]float64, len(v.Regions))
	for l, level := range levels {
		for i, k := range level {
			xs[k] = (float64(l) + 0.5) / float64(len(levels))
			ys[k] = 1 - (float64(i)+0.5)/float64(len(level))
		}
	}
	const wide, high = 0.075, 0.11 // half of a box
	for k := range v.Regions {
		for _, n := range v.Graph.Succs(k) {
			c.Arrow(xs[k]+wide, ys[k], xs[n]-wide, ys[n], draw.Stroke{Color: draw.Black, Width: 1})
		}
	}
	for k, r := range v.Regions {
		p := draw.PaintOf(k)
		c.Area(xs[k]-wide, ys[k]-high, xs[k]+wide, ys[k]+high, p.Fill)
		c.Text(xs[k], ys[k], fmt.Sprintf("%d: {%s}", k+1, strings.ReplaceAll(jobList(r.Members), " ", ",")), p.Text)
	}
	return c
}

func claims4(v *sharedscan.Venn) []report.Claim {
	var sizes [4]int // regions by number of members
	for _, r := range v.Regions {
		sizes[len(r.Members)]++
	}
	arcs, inward := 0, 0
	for k := range v.Regions {
		for _, n := range v.Graph.Succs(k) {
			arcs++
			if contains(v.Regions[k].Members, v.Regions[n].Members) {
				inward++
			}
		}
	}
	return []report.Claim{
		{Claim: "three overlapping arrivals make 6 subjobs: a three-way intersection, two two-way ones and three of one job", Published: "1 + 2 + 3", Model: fmt.Sprintf("%d + %d + %d", sizes[3], sizes[2], sizes[1]),
			Relation: "equal", Holds: sizes == [4]int{0, 3, 2, 1}},
		{Claim: "the order goes from most overlapped to least overlapped subset", Published: "arrows of the drawing", Model: fmt.Sprintf("%d of %d arcs go to a subset of the jobs", inward, arcs),
			Relation: "all arcs", Holds: inward == arcs && arcs > 0},
	}
}

// contains says whether every element of b is in a.
func contains(a, b []int) bool {
	return !slices.ContainsFunc(b, func(x int) bool { return !slices.Contains(a, x) })
}
