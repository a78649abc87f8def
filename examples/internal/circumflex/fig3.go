package circumflex

import (
	"fmt"
	"math"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/sharedscan"
)

// figure3Slots are minimum and maximum slots of the red jobs 1, 2, 4 and 6, to show what subjobs
// get of them.
var figure3Slots = [][2]int{{2, 50}, {4, 60}, {1, 20}, {3, 30}}

// A chainOf is the chain of one dataset.
type chainOf struct {
	jobs    []int // of the scans
	scans   []sharedscan.Scan
	subjobs []sharedscan.Subjob
	blocks  int
}

// figure3Chain is the chain of the red dataset at the snapshot, after Figure 2's scans.
func figure3Chain() (chainOf, error) {
	d := &toyDatasets[0]
	c := chainOf{blocks: d.blocks}
	s, err := d.play(snapshot, snapshot)
	if err != nil {
		return c, err
	}
	for _, j := range d.jobs {
		if left, present := s.left[j]; present {
			m := figure3Slots[len(c.jobs)]
			c.jobs = append(c.jobs, j)
			c.scans = append(c.scans, sharedscan.Scan{Remaining: float64(left), Min: m[0], Max: m[1]})
		}
	}
	c.subjobs, err = sharedscan.CyclicChain(nil, c.scans)
	return c, err
}

func figure3() (report.Figure, error) {
	f := report.NewFigure("Figure 3: the chain of subjobs",
		"The red dataset of Figure 2 when job 6 arrives. What the four jobs still need is cut where each of them ends; a subjob (columns) is scanned once for all of its members (rows). "+
			"Its minimum is the largest and its maximum the least of its members.",
		"subjob", "work_blocks", "concurrency", "members", "completes", "min_slots", "max_slots")
	f.Shown.Columns = []string{"subjob", "blocks", "for jobs", "completes", "slots"}
	chain, err := figure3Chain()
	if err != nil {
		return f, err
	}
	c := &draw.Chart{Height: 170}
	n := float64(len(chain.jobs))
	c.X = draw.Axis{Label: "blocks still to be scanned for job 6, in the order of the chain", Min: 0, Max: float64(chain.blocks)}
	c.X.Ticks = []draw.Tick{{At: 0, Label: "0"}}
	c.Y = draw.Rows("job", len(chain.jobs))
	c.Y.Max++
	for i, j := range chain.jobs {
		c.Y.Ticks[i].Label = fmt.Sprint(j + 1)
	}
	x := 0.0
	for k, s := range chain.subjobs {
		var members []int
		for _, i := range s.Members {
			members = append(members, chain.jobs[i])
			y := n - float64(i) - 1
			c.Area(x, y+0.1, x+s.Work, y+0.9, draw.PaintOf(k).Fill)
		}
		name := fmt.Sprintf("(d,%d)", k+1)
		c.Text(x+s.Work/2, n+0.55, name, draw.Black)
		x += s.Work
		c.X.Ticks = append(c.X.Ticks, draw.Tick{At: x, Label: numbers.Short(x)})
		completes := chain.jobs[s.Completes] + 1
		f.Numbers.Add(k+1, s.Work, len(s.Members), jobList(members), completes, s.Min, s.Max)
		f.Shown.Add(name, numbers.Short(s.Work), jobList(members), fmt.Sprint(completes), fmt.Sprintf("%d–%d", s.Min, s.Max))
	}
	return f.Done(claims3(&chain), "Four rows, one a job, cut into four columns, the subjobs of 4, 4, 10 and 8 blocks; they serve four, three, two and one of the jobs.", c)
}

func claims3(c *chainOf) []report.Claim {
	var concurrency []int
	var slots []string
	k, sum := len(c.scans), 0.0
	falling, limits := len(c.subjobs) == k, len(c.subjobs) == k
	for i, s := range c.subjobs {
		concurrency, slots = append(concurrency, len(s.Members)), append(slots, fmt.Sprintf("%d–%d", s.Min, s.Max))
		falling = falling && len(s.Members) == k-i && s.Completes == i
		sum += s.Work
		low, high := 0, math.MaxInt
		for _, m := range s.Members {
			low, high = max(low, c.scans[m].Min), min(high, c.scans[m].Max)
		}
		limits = limits && s.Min == low && s.Max == high
	}
	return []report.Claim{
		{Claim: "K active jobs become K subjobs, subjob k of concurrency K - k + 1, which completes the k-th job", Published: "4, 3, 2, 1", Model: fmt.Sprint(concurrency),
			Relation: "equal, for each subjob", Holds: falling},
		{Claim: "the (K+1)st set, of blocks that nobody needs, is empty when the last job has just arrived", Published: "empty", Model: fmt.Sprintf("%s of %d blocks are in subjobs", numbers.Short(sum), c.blocks),
			Relation: "the subjobs have all blocks", Holds: sum == float64(c.blocks)},
		{Claim: "the minimum of a subjob is the largest of its jobs' minima, the maximum the least of their maxima", Published: "Appendix A.1", Model: strings.Join(slots, ", "),
			Relation: "equal, for each subjob", Holds: limits},
	}
}
