package dynamicshare

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// concurrent are the numbers of jobs of Figure 5.
var concurrent = [...]int{1, 2, 3, 4, 5, 6, 7, 8, 10}

// batches returns how many batches of jobs are run for each seed and number of jobs.
func (s *study) batches() int {
	if s.Quick {
		return 1
	}
	return 3
}

// mixes are the jobs of the charts of Figure 5.
var mixes = [...]struct {
	name   string
	job    *job
	spread float64 // σ of the sizes of the jobs
}{{"Twitter", &twitter, 0}, {"YouTube", &youTube, 0}, {"unequal", &twitter, 1}}

// A deadlineStudy is what the seeds gave.
type deadlineStudy []misses

// misses are of one seed, by chart and number of jobs.
type misses struct {
	percent [len(mixes)][len(concurrent)][len(contenders)]float64 // of the deadlines
	offered [len(mixes)][len(concurrent)][2]float64               // by kind: the load of the slots
}

// of lists the seeds.
func (all deadlineStudy) of(mix, n, contender int) []float64 {
	return numbers.Column(all, func(x *misses) float64 { return x.percent[mix][n][contender] })
}

func (s *study) missDeadlines() (deadlineStudy, error) {
	return program.Each(s.terminal, "dynamicshare: deadlines", s.n, func(seed int) (x misses, err error) {
		p, err := newPlant(s.Seed, seed, natural, jobs)
		if err != nil {
			return x, err
		}
		for m, mix := range mixes {
			for i, n := range concurrent {
				for range s.batches() {
					gap := mix.job.alone() / float64(n)
					b := p.submit(n, gap, []*job{mix.job}, mix.spread)
					for k, load := range b.offered(gap) {
						x.offered[m][i][k] += load / float64(s.batches())
					}
					for c := range contenders {
						missed, err := b.missed(contenders[c].make(b))
						if err != nil {
							return x, err
						}
						x.percent[m][i][c] += 100 * float64(missed) / float64(n*s.batches())
					}
				}
			}
		}
		return x, nil
	})
}

func (s *study) figure5(all deadlineStudy) (report.Figure, error) {
	f := report.NewFigure("Figure 5: missed deadlines over the number of concurrent jobs",
		fmt.Sprintf("Jobs that end after their deadlines, means over %s of %s each. Task i of a job is bound to worker i. The jobs of a run arrive with exponential gaps, on average within the time that one job takes alone. 70%% of them have the strict deadline. "+
			"Bottom: Twitter-like jobs of log-normal sizes, σ %v. LLF with one laxity a job is by equation 3, which the paper is judged by; LLF alone has a laxity for each job and worker. Times are those of %d earlier runs on each worker by k-NN.", numbers.Count(s.n, "repetition"), numbers.Count(s.batches(), "run"), mixes[len(mixes)-1].spread, rehearsals),
		"jobs", "concurrent", "policy", "repetitions", "missed_percent", "missed_ci95")
	f.Shown.Columns = []string{"jobs", "concurrent"}
	for _, x := range contenders {
		f.Shown.Columns = append(f.Shown.Columns, x.name+", %")
	}
	var charts []*draw.Chart
	for m, mix := range mixes {
		c := &draw.Chart{Height: 190, GridY: true, X: places("concurrent jobs", concurrent[:]), Y: draw.Axis{Label: mix.name + ": missed (%)"}}
		var lines []draw.Series
		for k, x := range contenders {
			var y []float64
			for i, n := range concurrent {
				missed := numbers.Over(all.of(m, i, k))
				f.Numbers.Add(mix.name, n, x.name, s.n, missed.Mean, missed.Half)
				y = append(y, missed.Mean)
			}
			lines = append(lines, draw.Curve(k, x.name, nil, y))
			if m > 0 && (k <= edfQueue || k == llfJobQueue) {
				lines[k].Label = "" // once in the legend
			}
		}
		shown := []draw.Series{lines[fifoQueue], lines[fairQueue], lines[edfQueue], lines[llfJobQueue]}
		if mix.spread > 0 {
			shown = append(shown, lines[llfQueue], lines[edfLateQueue])
		}
		c.Series(shown)
		charts = append(charts, c)
		for i, n := range concurrent {
			row := []any{mix.name, strconv.Itoa(n)}
			for k := range contenders {
				row = append(row, lines[k].Y[i])
			}
			f.Shown.Show(row...)
		}
	}
	return f.Done(all.claims(), "Three charts of missed deadlines over one to ten concurrent jobs under four policies, and under six with jobs of unequal sizes.", charts...)
}

func (all deadlineStudy) claims() []report.Claim {
	alone, unequal := []int{0, 1}, []int{2} // charts; the paper's jobs are of one size
	at := func(n int) int { return slices.Index(concurrent[:], n) }
	mean := func(m, n, k int) float64 { return numbers.Mean(all.of(m, at(n), k)) }
	others := []int{fifoQueue, fairQueue, edfQueue}
	var jumps, few []numbers.Interval // of each kind and order: misses more at 6 jobs than at 5, and LLF's more than its
	met, fewest, points := true, 0, 0
	for _, m := range alone {
		for _, n := range concurrent {
			llf, least := mean(m, n, llfJobQueue), true
			for _, k := range others {
				met = met && (n > 3 || mean(m, n, k) == 0 && llf == 0)
				least = least && llf <= mean(m, n, k)+1e-9
			}
			if points++; least {
				fewest++
			}
		}
		for _, k := range others {
			jumps = append(jumps, numbers.Difference(all.of(m, at(6), k), all.of(m, at(5), k)))
			few = append(few, numbers.Difference(all.of(m, at(6), llfJobQueue), all.of(m, at(6), k)))
		}
	}
	// less is how much less one contender misses than another, over all numbers of jobs of some
	// charts.
	less := func(charts []int, a, b int) numbers.Interval {
		return numbers.Across(all, func(x *misses) float64 {
			sum := 0.0
			for _, m := range charts {
				for i := range concurrent {
					sum += (x.percent[m][i][a] - x.percent[m][i][b]) / float64(len(charts)*len(concurrent))
				}
			}
			return sum
		})
	}
	text := func(n int) string {
		return fmt.Sprintf("%d jobs: ", n) + numbers.Words(alone, "; ", func(m int) string {
			return mixes[m].name + "-like " + numbers.Words(append(others, llfJobQueue), ", ", func(k int) string {
				return contenders[k].name + " " + numbers.Short2(mean(m, n, k)) + "%"
			})
		})
	}
	percentage := func(i numbers.Interval) string { return fmt.Sprintf("%s percentage points", i) }
	fewer := func(claim, published, jobs string, i numbers.Interval, kind report.Kind) report.Claim {
		return report.Says(claim, published, "95% interval of the difference below 0, over all numbers of jobs "+jobs,
			"%s", percentage(i)).As(kind).Below(i, 0)
	}
	return []report.Claim{
		report.Says("for a small number of concurrent jobs all algorithms meet the deadlines", "all meet them",
			"no job misses, up to 3 jobs of one kind", "%s", text(3)).When(met),
		report.Says("at all times LLF, by the laxity of a job (equation 3), has the smallest percentage of missed deadlines", "smallest", "mean at most those of the others, at all numbers of jobs of one kind",
			"no more than FIFO, FAIR and EDF at %d of %d points; %s more than EDF", fewest, points, percentage(less(alone, llfJobQueue, edfQueue))).Headlined("Figure 5: the paper's LLF misses least").When(fewest == points),
		report.Says("with 6 jobs there is a significant increase of misses on all other algorithms", "significant",
			"FIFO, FAIR and EDF: 95% interval of the increase from 5 jobs above 0, both kinds", "%s", text(6)).AllAbove(0, jumps...),
		report.Says("with 6 jobs LLF misses few deadlines", "few",
			"95% interval of the difference to each of the others below 0, both kinds", "%s", text(6)).AllBelow(0, few...),
		fewer("LLF that counts the queue ahead in a laxity, as section 3.2 has it, misses fewer deadlines than EDF", "fewer", "of one size", less(alone, llfAheadQueue, edfQueue), report.Measured),
		fewer("LLF misses fewer deadlines than FAIR by turns", "fewer", "of one size", less(alone, llfJobQueue, turnsQueue), report.Measured),
		fewer("with a laxity for each job and worker LLF misses fewer deadlines than EDF", "not compared", "of one size", less(alone, llfQueue, edfQueue), report.Beyond),
		fewer("with a laxity for each job and worker, and jobs of unequal sizes, LLF misses fewer deadlines than EDF", "not compared", "of unequal sizes", less(unequal, llfQueue, edfQueue), report.Beyond),
		fewer("and than EDF that serves jobs of negative laxity last", "not compared", "of unequal sizes", less(unequal, llfQueue, edfLateQueue), report.Beyond),
		fewer("LLF that preempts misses fewer deadlines than LLF that does not", "not compared", "of unequal sizes", less(unequal, llfPreemptQueue, llfJobQueue), report.Beyond),
	}
}
