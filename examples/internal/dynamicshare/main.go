package dynamicshare

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/slotmodel"
)

// Seeds of each experiment, and those of a quick run.
const (
	repetitions      = 40
	quickRepetitions = 5
)

// A study is what all figures share.
type study struct {
	program.Options
	n        int       // seeds
	terminal io.Writer // for progress bars
}

// Plan lists the figures. A progress bar goes to terminal, when it is one.
func Plan(o program.Options, terminal io.Writer) (report.Plan, error) {
	s := &study{Options: o, n: repetitions, terminal: terminal}
	if o.Quick {
		s.n = quickRepetitions
	}
	run, missed, joined := sync.OnceValues(s.runTrials), sync.OnceValues(s.missDeadlines), sync.OnceValues(func() ([]joint, error) {
		return program.Each(terminal, "dynamicshare: the parts joined", s.n, s.join)
	})
	return report.Plan{
		Paper: "dynamicshare",
		Title: "DynamicShare: real-time, skewed jobs on unequal machines",
		Intro: func() (string, error) {
			return fmt.Sprintf("All experiments draw %s from seed %d: jobs of %d maps and %d reduces on machines of speeds 1 to %v, shuffled by the seed, in reading A of Figures 8 to 12 up to %v. "+
				"The YouTube-like job has deadlines of %v and %v s, the Twitter-like job of %v and %v s. The lists of the %d keys of a job follow a truncated zeta law; its exponent is solved for the skewness "+
				"of %d partitions that divide the keys evenly. Each seed has the same keys, hash functions and speeds under every scheme. A load is the work over what the workers can do in the mean gaps of as many jobs. The paper's Figure 7, the time that local outlier factors took, is not drawn: it measures machines of 2014.",
				numbers.Count(s.n, "repetition"), o.Seed, maps, reduces, fastest, settings[0].top, youTube.strict, youTube.relaxed, twitter.strict, twitter.relaxed, keys, reduces), nil
		},
		Readings: assumed,
		Workloads: report.From(missed, func(m deadlineStudy) (numbers.Table, error) {
			return report.From(joined, func(j []joint) (numbers.Table, error) { return s.workloads(m, j), nil })()
		}),
		Items: []report.Item{
			{Name: "fig1", Make: s.figure1},
			{Name: "fig4", Make: report.From(joined, s.figure4)},
			{Name: "fig5", Make: report.From(missed, s.figure5), Reading: "B"},
			{Name: "fig6", Make: s.figure6},
			{Name: "fig8", Make: report.From(run, readings.figure8)},
			{Name: "fig9", Make: report.From(run, readings.figure9)},
			{Name: "fig10", Make: report.From(run, readings.figure10)},
			{Name: "fig11", Make: report.From(run, readings.figure11)},
			{Name: "fig12", Make: report.From(run, readings.figure12)},
			{Name: "bias", Make: s.figureBias, Kind: report.Beyond},
			{Name: "joined", Make: report.From(joined, s.figureJoined), Kind: report.Beyond},
		},
	}, nil
}

// Main is the program: it returns the exit code. There is no -trace: a trace of the SWIM format has
// neither keys nor deadlines.
var Main = report.Program{
	Name:  "dynamicshare",
	Quick: fmt.Sprintf("%d seeds instead of %d", quickRepetitions, repetitions),
	Plan:  Plan,
	Help: `dynamicshare draws Figures 1, 4 to 6 and 8 to 12 of the paper "Real-Time Scheduling of Skewed MapReduce Jobs in Heterogeneous
Environments" (DynamicShare) and checks what the paper says about them.

This takes about 65 s on two cores and 250 MB, with -quick 3 s.
`,
}.Main

// offered is the work of the jobs by kind, over what the slots for it can do in the mean gaps of as
// many jobs.
func (b *batch) offered(gap float64) (loads [2]float64) {
	workers := [2]float64{slotmodel.Map: maps, slotmodel.Reduce: reduces}
	for _, s := range b.specs {
		for k, works := range [2][]float64{slotmodel.Map: s.Maps.Works, slotmodel.Reduce: s.Reduces.Works} {
			for i, work := range works {
				loads[k] += work / b.plant.nodes[k*maps+i].Speed / (workers[k] * gap * float64(len(b.specs)))
			}
		}
	}
	return loads
}

// workloads says what loads the slots in Figure 5 and in the figure joined, and what FIFO misses,
// which has neither sizes nor deadlines. Partitions make the reduces on some workers longer than
// those on others.
func (s *study) workloads(deadlines deadlineStudy, joined []joint) numbers.Table {
	t := numbers.Table{Columns: []string{"workload", "jobs", "map load", "reduce load", "bottleneck", "FIFO misses (%)", "LLF misses (%)", "LLF less FIFO, 16 to 84% of the seeds (points)", "seeds"}}
	row := func(name string, jobs int, load func(k slotmodel.Kind) float64, fifo, llf []float64) {
		whole := func(x float64) string { return fmt.Sprintf("%.0f", x) }
		t.Show(name, jobs, numbers.Fixed(load(slotmodel.Map)), numbers.Fixed(load(slotmodel.Reduce)), "slow workers, and those of large partitions", numbers.Over(fifo).String(), numbers.Over(llf).String(),
			numbers.Middle(numbers.Differences(llf, fifo), whole), len(fifo))
	}
	for m, mix := range mixes {
		for _, n := range []int{3, 6, 10} {
			i := slices.Index(concurrent[:], n)
			row("Figure 5, "+mix.name, n, func(k slotmodel.Kind) float64 {
				return numbers.Across(deadlines, func(x *misses) float64 { return x.offered[m][i][k] }).Mean
			}, deadlines.of(m, i, fifoQueue), deadlines.of(m, i, llfJobQueue))
		}
	}
	row("joined, Twitter in a stream", s.inStream(), func(k slotmodel.Kind) float64 {
		return numbers.Across(joined, func(x *joint) float64 { return x.offered[k] }).Mean
	}, missedBy(joined, 0), missedBy(joined, joinNearest))
	t.Show("Figures 8 to 12", 1, "-", "-", "the heaviest partition, or the slowest machine", "-", "-", "-", s.n)
	return t
}
