package dynamicshare

import (
	"fmt"
	"io"
	"sync"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// Seeds of each experiment, and those of a quick run.
const (
	repetitions      = 40
	quickRepetitions = 5
)

// A study is what all figures share.
type study struct {
	report.Options
	n        int       // seeds
	terminal io.Writer // for progress bars
}

// Plan lists the figures. A progress bar goes to terminal, when it is one.
func Plan(o report.Options, terminal io.Writer) (report.Plan, error) {
	s := &study{Options: o, n: repetitions, terminal: terminal}
	if o.Quick {
		s.n = quickRepetitions
	}
	run, joined := sync.OnceValues(s.runTrials), sync.OnceValues(func() ([]joint, error) {
		return report.Each(terminal, "dynamicshare: the parts joined", s.n, s.join)
	})
	return report.Plan{
		Paper: "dynamicshare",
		Title: "DynamicShare: real-time, skewed jobs on unequal machines",
		Intro: func() (string, error) {
			return fmt.Sprintf("All experiments draw %s from seed %d: jobs of %d maps and %d reduces on machines of speeds 1 to %d, shuffled by the seed. "+
				"The YouTube-like job has deadlines of %v and %v s, the Twitter-like job of %v and %v s. The lists of the %d keys of a job follow a truncated zeta law; its exponent is solved for the skewness "+
				"that a figure names, at %d partitions under the first hash function, and the same keys are split into more partitions. Each seed has the same keys, hash functions and speeds under every scheme. "+
				"Figures 8 to 12 have a second reading, B, with speeds up to %v; the others rest on the machines of reading A.",
				report.Count(s.n, "repetition"), o.Seed, maps, reduces, fastest, youTube.strict, youTube.relaxed, twitter.strict, twitter.relaxed, keys, reduces, settings[1].top), nil
		},
		Readings: assumed,
		Items: []report.Item{
			{Name: "fig1", Make: s.figure1},
			{Name: "fig4", Make: report.From(joined, s.figure4)},
			{Name: "fig5", Make: s.figure5, Reading: "A"},
			{Name: "fig6", Make: s.figure6},
			{Name: "fig7", Make: s.figure7},
			{Name: "fig8", Make: report.From(run, readings.figure8)},
			{Name: "fig9", Make: report.From(run, readings.figure9)},
			{Name: "fig10", Make: report.From(run, readings.figure10)},
			{Name: "fig11", Make: report.From(run, readings.figure11)},
			{Name: "fig12", Make: report.From(run, readings.figure12)},
			{Name: "bias", Make: s.figureBias, Kind: report.Beyond},
			{Name: "drift", Make: s.figureDrift, Kind: report.Beyond},
			{Name: "joined", Make: report.From(joined, s.figureJoined), Kind: report.Beyond},
			{Name: "plans", Make: s.figurePlans, Reading: "A"},
		},
	}, nil
}

const help = `dynamicshare draws Figures 1 and 4 to 12 of the paper "Real-Time Scheduling of Skewed MapReduce Jobs in Heterogeneous
Environments" (DynamicShare) and checks what the paper says about them.

Figure 1 shows partitions of simple hashing, Figure 4 estimates of run times by k-NN, Figure 5 missed deadlines under four orders, Figures
6 and 7 local outlier factors of laxities. Figures 8 to 12 assign skewed partitions to reduce tasks on machines of different speeds.
Beyond the paper: bias and drift are about estimates, joined about all parts together, and plans about more partitions than reduces in the
scheduler. Figure 7 measures times: its files differ from run to run.

It writes, for each of these,
  DIR/dynamicshare-ITEM.tsv   the numbers, at full precision
  DIR/dynamicshare-ITEM.svg   the picture
and puts its rows into DIR/claims.tsv: one per statement of the paper, with the relation that was computed and whether it holds.

This takes about 75 s on two cores and 250 MB, with -quick 5 s.
`

// Main is the program: it returns the exit code. There is no -trace: a trace of the SWIM format has
// neither keys nor deadlines.
func Main(args []string, stdout, stderr io.Writer) int {
	p := report.Program{
		Name:  "dynamicshare",
		Help:  help,
		Quick: fmt.Sprintf("%d seeds instead of %d", quickRepetitions, repetitions),
		Plan:  Plan,
	}
	return p.Main(args, stdout, stderr)
}
