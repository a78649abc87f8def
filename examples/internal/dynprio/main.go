package dynprio

import (
	"fmt"
	"io"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// Seeds of each experiment, and those of a quick run.
const (
	repetitions      = 10
	quickRepetitions = 5
)

// A study is what all figures share.
type study struct {
	report.Options
	n        int       // seeds
	terminal io.Writer // for progress bars
	runs     [experiments][]outcome
}

// Plan lists the figures. A progress bar goes to terminal, when it is one.
func Plan(o report.Options, terminal io.Writer) (report.Plan, error) {
	s := &study{Options: o, n: repetitions, terminal: terminal}
	if o.Quick {
		s.n = quickRepetitions
	}
	return report.Plan{
		Paper: "dynprio",
		Title: "Dynamic Priority: proportional shares of slots for money",
		Intro: func() (string, error) {
			return fmt.Sprintf("Users submit one job after another, of equal tasks whose times vary by %.0f%%, to a cluster of 120 slots (Figures 10 and 11: 40). Grants and preemption are renewed every %.0f s. "+
				"The paper prints no task times: they follow from the times under FIFO. Means leave out each user's first job. All experiments draw %s from seed %d.", 100*jitter, interval, report.Count(s.n, "repetition"), o.Seed), nil
		},
		Items: []report.Item{
			{Name: "fig1", Make: s.figure1, Kind: report.Constructed},
			{Name: "fig3", Make: report.From(s.after(drain, twoOn), (*study).figure3)},
			{Name: "fig4", Make: report.From(s.after(drain, twoOn, twoOff, twoCapacity, twoFIFO), (*study).figure4)},
			{Name: "table3", Make: report.From(s.after(twoOn, twoCapacity, twoFIFO), (*study).table3)},
			{Name: "fig5", Make: report.From(s.after(tenOn, tenFIFO), (*study).figure5)},
			{Name: "fig6", Make: report.From(s.after(eightyOn, eightyFIFO, eightyOff, eightyReduces), (*study).figure6)},
			{Name: "fig7", Make: report.From(s.after(twoOn, twoOff, twoCapacity, twoSwift, twoFIFO), (*study).figure7)},
			{Name: "fig8", Make: report.From(s.after(tenOn, tenFIFO), (*study).figure8)},
			{Name: "fig9", Make: report.From(s.after(eightyOn, eightyFIFO, eightyReduces, eightyCarry), (*study).figure9)},
			{Name: "fig10", Make: report.From(s.after(boostOn, boostFine), (*study).figure10)},
			{Name: "fig11", Make: report.From(s.after(boostOn, boostOff, boostFine, boostFineOff), (*study).figure11)},
			{Name: "queues", Make: report.From(s.after(thousand, thousandCarry, thousandOff), (*study).figureQueues), Kind: report.Beyond},
			{Name: "gaming", Make: s.figureGaming, Kind: report.Beyond},
		},
	}, nil
}

const help = `dynprio draws Figures 1 and 3 to 11 and Table 3 of the paper "Dynamic Proportional Share Scheduling in Hadoop" (Dynamic Priority) and
checks what the paper says about them.

Figures 3 and 4, Table 3 and Figure 7 are about two queues, Figures 5 and 8 about ten, Figures 6 and 9 about 80, Figures 10 and 11 about jobs with a
boost. Beyond the paper: queues is 1,000 of them, gaming how to get more for less and how not.

It writes, for each of these,
  DIR/dynprio-ITEM.tsv   the numbers, at full precision
  DIR/dynprio-ITEM.svg   the picture
and puts its rows into DIR/claims.tsv: one per statement of the paper, with the relation that was computed and whether it holds.

This takes ten seconds on two cores and 250 MB, with -quick 3 s.
`

// Main is the program: it returns the exit code. There is no -trace: all jobs are alike.
func Main(args []string, stdout, stderr io.Writer) int {
	p := report.Program{
		Name:  "dynprio",
		Help:  help,
		Quick: fmt.Sprintf("%d seeds instead of %d", quickRepetitions, repetitions),
		Plan:  Plan,
	}
	return p.Main(args, stdout, stderr)
}
