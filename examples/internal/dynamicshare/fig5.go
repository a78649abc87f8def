package dynamicshare

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// concurrent are the numbers of jobs of Figure 5.
var concurrent = []int{1, 2, 3, 4, 5, 6, 7, 8, 10}

// batches returns how many batches of jobs run for each seed and number.
func (s *study) batches() int {
	if s.Quick {
		return 1
	}
	return 3
}

// mixes are the jobs of the charts of Figure 5.
var mixes = []struct {
	name string
	list []*job
}{{"Twitter", []*job{&twitter}}, {"YouTube", []*job{&youTube}}, {"both", []*job{&twitter, &youTube}}}

// A deadlineStudy is the share of missed deadlines, in percent, by mix, number of jobs and contender, seed by seed.
type deadlineStudy [][][][]float64

func (s *study) missDeadlines() (deadlineStudy, error) {
	all := make(deadlineStudy, len(mixes))
	for m := range all {
		all[m] = make([][][]float64, len(concurrent))
		for i := range all[m] {
			all[m][i] = make([][]float64, len(contenders))
			for c := range all[m][i] {
				all[m][i][c] = make([]float64, s.n)
			}
		}
	}
	bar := report.NewProgress(s.terminal, "dynamicshare: deadlines", s.n)
	defer bar.Done()
	err := report.Parallel(s.n, func(_ *struct{}, seed int) error {
		defer bar.Add(1)
		p, err := newPlant(s.Seed, seed, natural, jobs)
		if err != nil {
			return err
		}
		for m, mix := range mixes {
			for i, n := range concurrent {
				gap := 0.0
				for _, j := range mix.list {
					gap += j.alone() / float64(n*len(mix.list))
				}
				for range s.batches() {
					b := p.submit(n, gap, mix.list)
					for c := range contenders {
						missed, err := b.missed(contenders[c].make(b))
						if err != nil {
							return err
						}
						all[m][i][c][seed] += 100 * float64(missed) / float64(n*s.batches())
					}
				}
			}
		}
		return nil
	})
	return all, err
}

func batchCount(n int) string {
	if n == 1 {
		return "1 batch"
	}
	return fmt.Sprintf("%d batches", n)
}

func (s *study) figure5() (report.Figure, error) {
	f := report.Figure{
		Item:  "fig5",
		Title: "Figure 5: missed deadlines over the number of concurrent jobs",
		Caption: fmt.Sprintf("Jobs that end after their deadlines, means over %s of %s each. Task i of a job is bound to worker i. The jobs of a batch arrive with exponential gaps, all of them on average within the time that one takes alone; 70%% have the strict deadline. "+
			"LLF takes times from %d earlier runs on each worker by k-NN, and laxities as if the job were served next.", report.Count(s.n, "repetition"), batchCount(s.batches()), rehearsals),
		Numbers: report.Table{Columns: []string{"jobs", "concurrent", "policy", "repetitions", "missed_percent", "missed_ci95"}},
		Shown:   report.Table{Columns: []string{"jobs", "concurrent", "FIFO, %", "FAIR, %", "EDF, %", "LLF, %", "EDF, late last, %", "LLF, exact, %", "LLF, queues, %"}},
	}
	all, err := s.missDeadlines()
	if err != nil {
		return f, err
	}
	var charts []*draw.Chart
	for m, mix := range mixes {
		c := &draw.Chart{Height: 190, GridY: true, X: places("concurrent jobs", concurrent), Y: draw.Axis{Label: mix.name + ": missed (%)"}}
		var lines []draw.Series
		for k := range contenders {
			var y []float64
			for i, n := range concurrent {
				missed := report.Over(all[m][i][k])
				f.Numbers.Add(mix.name, n, contenders[k].name, s.n, missed.Mean, missed.Half)
				y = append(y, missed.Mean)
			}
			if k <= llfQueue {
				label := contenders[k].name
				if m > 0 {
					label = "" // once in the legend
				}
				lines = append(lines, curve(llfQueue-k, label, nil, y...))
			}
		}
		c.Series(lines)
		charts = append(charts, c)
		for i, n := range concurrent {
			row := []any{mix.name, strconv.Itoa(n)}
			for k := range contenders {
				row = append(row, report.Mean(all[m][i][k]))
			}
			f.Shown.Show(row...)
		}
	}
	if f.Picture, err = draw.New("Three charts of missed deadlines over one to ten concurrent jobs under four policies.", charts...); err != nil {
		return f, err
	}
	f.Claims = report.Claims("dynamicshare", "fig5", "", all.claims()...)
	return f, nil
}

func (all deadlineStudy) claims() []report.Claim {
	const alone, onBoth = 2, 2 // the paper runs jobs of one kind: charts below alone
	at := func(n int) int { return slices.Index(concurrent, n) }
	others := []int{fifoQueue, fairQueue, edfQueue}
	met, fewest, points := true, 0, 0
	for m := range alone {
		for i, n := range concurrent {
			least := true
			for _, k := range others {
				met = met && (n > 3 || report.Mean(all[m][i][k]) == 0)
				least = least && report.Mean(all[m][i][llfQueue]) <= report.Mean(all[m][i][k])+1e-9
			}
			met = met && (n > 3 || report.Mean(all[m][i][llfQueue]) == 0)
			if points++; least {
				fewest++
			}
		}
	}
	// Over all numbers of jobs of some charts, by seed.
	total := func(from, to, k int) []float64 {
		sum := make([]float64, len(all[0][0][0]))
		for m := from; m < to; m++ {
			for i := range concurrent {
				for seed, x := range all[m][i][k] {
					sum[seed] += x / float64((to-from)*len(concurrent))
				}
			}
		}
		return sum
	}
	means := func(m, n int) string {
		text := ""
		for i, k := range []int{fifoQueue, fairQueue, edfQueue, llfQueue} {
			text += [...]string{"", ", ", ", ", ", "}[i] + contenders[k].name + " " + report.Short2(report.Mean(all[m][at(n)][k])) + "%"
		}
		return text
	}
	jumps, few := true, true
	for m := range alone {
		for _, k := range others {
			jumps = jumps && minus(all[m][at(6)][k], all[m][at(5)][k]).Low() > 0
			few = few && minus(all[m][at(6)][llfQueue], all[m][at(6)][k]).High() < 0
		}
	}
	edf := minus(total(0, alone, llfQueue), total(0, alone, edfQueue))
	ahead := minus(total(0, alone, llfAheadQueue), total(0, alone, edfQueue))
	exact := minus(total(0, alone, llfExactQueue), total(0, alone, llfQueue))
	mixed := minus(total(onBoth, len(mixes), llfQueue), total(onBoth, len(mixes), edfQueue))
	late := minus(total(0, len(mixes), llfQueue), total(0, len(mixes), edfLateQueue))
	points95 := func(i report.Interval) string { return fmt.Sprintf("%s percentage points", i) }
	return []report.Claim{
		{Claim: "for a small number of concurrent jobs all algorithms meet the deadlines", Published: "all meet them", Model: "with 3 Twitter-like jobs " + means(0, 3) + "; YouTube-like " + means(1, 3),
			Relation: "no job misses, up to 3 jobs of one kind", Holds: met, Note: "a reduce with much load by others on the slowest machine"},
		{Claim: "at all times LLF has the smallest percentage of missed deadlines", Published: "smallest", Model: fmt.Sprintf("no more than FIFO, FAIR and EDF at %d of %d points", fewest, points),
			Relation: "mean at most those of the others, at all numbers of jobs of one kind", Holds: fewest == points, Note: "a job that LLF takes for lost is served last, and the estimate can be wrong"},
		{Claim: "LLF misses fewer deadlines than EDF", Published: "fewer", Model: points95(edf),
			Relation: "95% interval of the difference below 0, over all numbers of jobs of one kind", Holds: edf.High() < 0, Note: "on a worker all jobs of a kind are expected to take alike: least laxity is the earliest deadline, and only jobs that are late already differ"},
		{Claim: "with 6 jobs there is a significant increase of misses on all other algorithms", Published: "significant", Model: "6 Twitter-like jobs: " + means(0, 6) + "; YouTube-like: " + means(1, 6),
			Relation: "FIFO, FAIR and EDF: 95% interval of the increase from 5 jobs above 0, both kinds", Holds: jumps, Note: "FAIR rises earlier, EDF later: misses grow with the work on the slowest machine, without a jump"},
		{Claim: "while LLF maintains few misses with 6 jobs", Published: "few", Model: "6 Twitter-like jobs: " + means(0, 6) + "; YouTube-like: " + means(1, 6),
			Relation: "95% interval of the difference to each of the others below 0, both kinds", Holds: few, Note: "EDF has as few: on a worker all jobs of a kind are expected to take alike, so that laxities order them as deadlines do"},
		{Claim: "LLF that counts the queue ahead in a laxity, as the paper defines it, misses fewer deadlines than EDF", Published: "fewer", Model: points95(ahead),
			Relation: "95% interval of the difference below 0, over all numbers of jobs of one kind", Holds: ahead.High() < 0, Note: "a job that would meet its deadline if served next counts as lost and goes last; the LLF of the other claims takes each job as served next"},
		{Claim: "exact times let LLF miss fewer", Published: "not compared", Model: points95(exact), Kind: report.Beyond,
			Relation: "95% interval of the difference to estimates below 0", Holds: exact.High() < 0, Note: "the tasks of a job differ, so that each worker serves the jobs in another order, and a job waits for its last task; estimates alike for all its tasks keep one order"},
		{Claim: "with both kinds of jobs LLF misses fewer deadlines than EDF", Published: "fewer", Model: points95(mixed), Kind: report.Beyond,
			Relation: "95% interval of the difference below 0", Holds: mixed.High() < 0, Note: "a long task that runs makes the short jobs miss under any order"},
		{Claim: "LLF misses fewer deadlines than EDF that serves jobs of negative laxity last, too", Published: "not compared", Model: points95(late), Kind: report.Beyond,
			Relation: "95% interval of the difference below 0, over all numbers and kinds of jobs", Holds: late.High() < 0, Note: "the gain is that of serving late jobs last, not of the order by laxity"},
	}
}
