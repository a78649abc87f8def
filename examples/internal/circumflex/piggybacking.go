package circumflex

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/sharedscan"
)

// snapshot is when red job 6, the fourth of its dataset, arrives: the time of the circles here and
// of Figure 3.
const snapshot = 6

// A piggybacking is what cyclic piggybacking makes of the ten jobs.
type piggybacking []toyScan

func toyScans() (piggybacking, error) {
	var all piggybacking
	for i := range toyDatasets {
		s, err := toyDatasets[i].play(figure2End+10, snapshot)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

func figure2(all piggybacking) (report.Figure, error) {
	f := report.NewFigure("Figure 2: cyclic piggybacking",
		"The jobs of Figure 1 again. A job begins when it arrives; dark: it drives, that is, reads blocks that no earlier job needs; pale: it rides on another's scan. Middle: how many jobs a "+
			"block is read for. Bottom: the datasets as circles when job 6 arrives; each ring is what one job has had scanned so far, clockwise from where it began (dot).",
		"dataset", "time", "block", "driver", "riders", "concurrency")
	f.Shown.Columns = []string{"job", "dataset", "arrives", "ends", "blocks driven", "blocks ridden"}
	c := jobRows(figure2End, 200)
	levels := &draw.Chart{Height: 110, GridY: true}
	levels.X = draw.Axis{Label: paperTime, Min: 0, Max: figure2End, Ticks: draw.Ticks(0, figure2End, 2)}
	levels.Y = draw.Axis{Label: "jobs per block", Min: 0, Max: 4.3, Ticks: draw.Ticks(0, 4, 1)}
	shown := make([][]string, len(toyArrivals))
	for i := range all {
		d, s := &toyDatasets[i], &all[i]
		c.Key(d.name+", drives", d.Fill)
		c.Key(d.name+", rides", d.pale)
		for _, r := range s.runs {
			f.Numbers.Add(d.name, r.start, r.block, r.riders[0]+1, jobList(r.riders[1:]), len(r.riders))
		}
		for k, j := range d.jobs {
			driven, ridden := 0, 0
			for n := 0; n < len(s.runs); {
				at := slices.Index(s.runs[n].riders, j)
				if at < 0 {
					n++
					continue
				}
				first := n // of a stretch in which the job does the same
				for n < len(s.runs) && (slices.Index(s.runs[n].riders, j) == 0) == (at == 0) && slices.Contains(s.runs[n].riders, j) {
					n++
				}
				fill := d.pale
				if at == 0 {
					fill = d.Fill
					driven += n - first
				} else {
					ridden += n - first
				}
				c.Area(s.runs[first].start, row(j)+0.1, min(s.runs[n-1].start+tick, figure2End), row(j)+0.9, fill)
			}
			shown[j] = []string{fmt.Sprint(j + 1), d.name, numbers.Short(toyArrivals[j]), numbers.Short(s.end[k]), fmt.Sprint(driven), fmt.Sprint(ridden)}
		}
		times, counts := s.concurrency(figure2End)
		levels.Steps("", times, counts, draw.Stroke{Color: d.Fill, Dash: draw.Dash(i)})
	}
	f.Shown.Rows = shown
	return f.Done(claims2(all), "Ten rows, one a job, that begin at the arrivals; a chart of the concurrency over time, up to 4 for red and 2 for blue; and two circles of rings that show what each job has had scanned when job 6 arrives.",
		append(draw.Panels(1, c, levels), circles(all))...)
}

// circles draws each dataset as a circle at the snapshot.
func circles(all piggybacking) *draw.Chart {
	const height, wide = 160, 352.0
	c := &draw.Chart{Height: height}
	half := wide / height
	c.X = draw.Axis{Min: -half, Max: half, NoLine: true, Ticks: []draw.Tick{}}
	c.Y = draw.Axis{Min: -1, Max: 1, NoLine: true, Ticks: []draw.Tick{}}
	for i := range all {
		d, s := &toyDatasets[i], &all[i]
		middle := (float64(i) - 0.5) * half
		angle := func(blocks float64) float64 { return math.Pi/2 - 2*math.Pi*blocks/float64(d.blocks) }
		ring := func(radius, from, to float64, stroke draw.Stroke) {
			var xs, ys []float64
			for k := range 81 {
				a := angle(from + (to-from)*float64(k)/80)
				xs, ys = append(xs, middle+radius*math.Cos(a)), append(ys, radius*math.Sin(a))
			}
			c.Line("", xs, ys, stroke)
		}
		ring(0.93, 0, float64(d.blocks), draw.Stroke{Color: draw.Black, Width: 0.8})
		c.Line("", []float64{middle, middle}, []float64{0.88, 0.98}, draw.Stroke{Color: draw.Black, Width: 1.2}) // midnight
		radius := 0.78
		for k, j := range d.jobs {
			left, present := s.left[j]
			if !present {
				continue
			}
			from, done := float64(s.begin[k]), float64(d.blocks-left)
			ring(radius, from, from+done, draw.Stroke{Color: d.Fill, Width: 3})
			a := angle(from)
			x, y := []float64{middle + radius*math.Cos(a)}, []float64{radius * math.Sin(a)}
			c.Dots("", x, y, draw.Disc, draw.White, 6.5)
			c.Dots("", x, y, draw.Ring, d.Fill, 6.5)
			c.Text(x[0], y[0], fmt.Sprint(j+1), draw.Black)
			radius -= 0.18
		}
		c.Text(middle-0.8, 0.93, d.name, draw.Black)
	}
	return c
}

func claims2(all piggybacking) []report.Claim {
	prompt, jobs := 0, 0
	slowest := 0.0
	for i := range all {
		d, s := &toyDatasets[i], &all[i]
		for k, j := range d.jobs {
			jobs++
			first := slices.IndexFunc(s.runs, func(r toyRun) bool { return slices.Contains(r.riders, j) })
			response := s.end[k] - toyArrivals[j]
			slowest = math.Max(slowest, response/d.scan())
			if first >= 0 && s.runs[first].start == toyArrivals[j] && response == d.scan() {
				prompt++
			}
		}
	}
	red, blue := &all[0], &all[1]
	job3, job5, job6, job7 := toyArrivals[2], toyArrivals[4], toyArrivals[5], toyArrivals[6]
	end3, end7 := blue.end[0], blue.end[2]
	single := numbers.Number(blue.runs, func(r toyRun) bool { return slices.Equal(r.riders, []int{6}) && r.start >= job7 && r.start < end7 })
	return []report.Claim{
		report.Says("no built-in latency: every job begins at once and takes one scan", "all jobs", "its first block is read when it arrives and it ends one scan's time later, all jobs",
			"%d of %d jobs; the slowest takes %s of a scan's time", prompt, jobs, numbers.Short(slowest)).When(prompt == jobs),
		report.Says("job 6 causes a concurrency level of 4 for the red dataset, job 4 one of 3, job 2 one of 2", "2, 3, 4", "equal",
			"%d, %d, %d", red.at(toyArrivals[1]), red.at(toyArrivals[3]), red.at(job6)).When(red.at(toyArrivals[1]) == 2 && red.at(toyArrivals[3]) == 3 && red.at(job6) == 4),
		report.Says("job 5 causes a concurrency level of 2 for the blue dataset; the departure of job 3 reduces it back to 1", "1, 2, 1", "equal, and job 3 departs after job 6 arrives",
			"%d, %d, %d", blue.at(job3), blue.at(job5), blue.at(end3)).When(blue.at(job3) == 1 && blue.at(job5) == 2 && blue.at(end3) == 1 && end3 > job6),
		report.Says("after the departure of job 5 the arrival of job 7 causes a new single scan of the blue dataset", "single", "job 5 has ended, and every block is read for job 7 alone",
			"%d of %d blocks read for job 7 alone", single, toyDatasets[1].blocks).When(blue.end[1] < job7 && single == toyDatasets[1].blocks),
	}
}

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

func figure3(chain chainOf) (report.Figure, error) {
	f := report.NewFigure("Figure 3: the chain of subjobs",
		"The red dataset of Figure 2 when job 6 arrives. What the four jobs still need is cut where each of them ends; a subjob (columns) is scanned once for all of its members (rows). "+
			"Its minimum is the largest and its maximum the least of its members.",
		"subjob", "work_blocks", "concurrency", "members", "completes", "min_slots", "max_slots")
	f.Shown.Columns = []string{"subjob", "blocks", "for jobs", "completes", "slots"}
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
		report.Says("K active jobs become K subjobs, subjob k of concurrency K - k + 1, which completes the k-th job", "4, 3, 2, 1",
			"equal, for each subjob", "%v", concurrency).When(falling),
		report.Says("the (K+1)st set, of blocks that nobody needs, is empty when the last job has just arrived", "empty",
			"the subjobs have all blocks", "%s of %d blocks are in subjobs", numbers.Short(sum), c.blocks).When(sum == float64(c.blocks)),
		report.Says("the minimum of a subjob is the largest of its jobs' minima, the maximum the least of their maxima", "Appendix A.1",
			"equal, for each subjob", "%s", strings.Join(slots, ", ")).When(limits),
	}
}
