package dynamicshare

import (
	"fmt"
	"io"
	"sync"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
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
		Workloads: func() (numbers.Table, error) {
			m, err := missed()
			if err != nil {
				return numbers.Table{}, err
			}
			j, err := joined()
			if err != nil {
				return numbers.Table{}, err
			}
			return s.workloads(m, j), nil
		},
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

Figure 1 shows partitions of simple hashing, Figure 4 estimates of run times by k-NN, Figure 5 missed deadlines under four orders, Figure
6 local outlier factors of laxities. Figures 8 to 12 assign skewed partitions to reduce tasks on machines of different speeds, in two readings
of where the skew comes from. Beyond the paper: bias is about estimates, joined about all parts together.

This takes about 65 s on two cores and 250 MB, with -quick 3 s.
`,
}.Main
