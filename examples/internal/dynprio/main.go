package dynprio

import (
	"fmt"
	"io"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// Seeds of each experiment, and those of a quick run.
const (
	repetitions      = 10
	quickRepetitions = 5
)

// A study is what the figures of a reading share.
type study struct {
	program.Options
	n        int               // seeds
	terminal io.Writer         // for progress bars
	seeds    report.Seeds      // numbers of the repetitions
	change   func(c *scenario) // what the reading changes of the scenarios; nil: nothing
	runs     [experiments][]outcome
}

// Plan lists the figures. A progress bar goes to terminal, when it is one.
func Plan(o program.Options, terminal io.Writer) (report.Plan, error) {
	a := &study{Options: o, n: repetitions, seeds: judged, terminal: terminal, change: contrib}
	if o.Quick {
		a.n = quickRepetitions
	}
	b := &study{Options: o, n: a.n, seeds: judged, terminal: terminal}
	both := func(figure func(*study) (report.Figure, error), list ...experiment) func() (report.Figure, error) {
		return inReadings(report.From(a.after(list...), figure), report.From(b.after(list...), figure))
	}
	return report.Plan{
		Paper: "dynprio",
		Title: "Dynamic Priority: proportional shares of slots for money",
		Intro: func() (string, error) {
			return fmt.Sprintf("Users submit one job after another to a cluster of 120 slots (Figures 10 and 11: 40) and always have one that waits or runs. FIFO gives all users one time. "+
				"The paper prints no task times: they follow from the times under FIFO. Means leave out each user's first job. All experiments draw %s from seed %d. "+
				"Pictures are of reading B; claims and numbers of both.", numbers.Count(b.n, "repetition"), o.Seed), nil
		},
		Readings:  readings,
		Workloads: b.workloads,
		Items: []report.Item{
			{Name: "fig1", Make: a.figure1, Kind: report.Constructed, Exact: true},
			{Name: "fig3", Make: both((*study).figure3, drain)},
			{Name: "fig4", Make: both((*study).figure4, drain, twoOff, twoCapacity, twoFIFO)},
			{Name: "table3", Make: both((*study).table3, drain, twoCapacity, twoFIFO)},
			{Name: "fig5", Make: both((*study).figure5, tenOn, tenFIFO)},
			{Name: "fig6", Make: both((*study).figure6, eightyOn, eightyFIFO, eightyOff, eightyReduces)},
			{Name: "fig7", Make: both((*study).figure7, drain, twoOff, twoCapacity, twoFIFO)},
			{Name: "fig8", Make: both((*study).figure8, tenOn, tenFIFO)},
			{Name: "fig9", Make: both((*study).figure9, eightyOn, eightyFIFO, eightyReduces)},
			{Name: "fig10", Make: both((*study).figure10, boostOn)},
			{Name: "fig11", Make: both((*study).figure11, boostOn, boostOff)},
			{Name: "settings", Make: a.figureSettings},
			{Name: "tasks", Make: b.figureTasks, Reading: "B"},
		},
	}, nil
}

// Repetitions that the number of tasks and the spread of their times were found by, under the rules
// of reading A, and those that both readings are judged by.
var (
	found  = report.Seeds{First: 100, N: repetitions}
	judged = report.Seeds{First: 200, N: repetitions}
)

// Assumptions that both readings share.
var shared = []report.Assumption{
	{Text: fmt.Sprintf("a job has %d maps for each slot for maps, whose times lie within %.0f%% of their mean", several.tasks, 100*several.spread), Evidence: report.Implied, By: "Figure 4's means; 4.1 counts \"both mappers and reducers\""},
	{Text: "120 and 40 slots for maps", Evidence: report.Implied, By: "Table 2's cores"},
	{Text: "rates, price and shares of the interval before", Evidence: report.Stated, By: "3.1"},
	{Text: "allocation every 20 s", Evidence: report.Implied, By: "10 s to a minute (3.1); the implementation's default"},
	{Text: "preemption every 60 s", Evidence: report.Stated, By: "Figures 7 and 10"},
	{Text: "the order of kills of Hadoop's contrib scheduler; spare slots by arrival", Evidence: report.Implied, By: "its source"},
	{Text: "a free slot goes to who lacks most, not to the earliest job that lacks", Evidence: report.Assumed},
	{Text: "task times from FIFO's 3450 s (two queues), 3000 s (10, 80) and 900 s (boosts)", Evidence: report.Implied, By: "Table 3 with Figure 4; the others assumed"},
}

var readings = []report.Reading{
	{Name: "A", Title: "the published implementation", Found: found, Judged: judged, Assumptions: append([]report.Assumption{
		{Text: "charges and rounding of Hadoop's contrib scheduler", Evidence: report.Implied, By: "its source; a queue without budget has its share back in every other interval, against 4.2"}}, shared...)},
	{Name: "B", Title: "the rules of the text", Found: found, Judged: judged,
		Main: "section 3.1 states its rules, and under those of A a queue that has spent its budget keeps slots, which 4.2 denies",
		Assumptions: append([]report.Assumption{
			{Text: "a user pays its rate for the slots used, of its share, and without budget has none", Evidence: report.Stated, By: "3.1"}}, shared...)},
}

// inReadings is a figure of both readings: the picture of B, which the title says, the claims and
// numbers of both. Theory stands once, in none.
func inReadings(a, b func() (report.Figure, error)) func() (report.Figure, error) {
	return func() (report.Figure, error) {
		f, err := a()
		if err != nil {
			return f, err
		}
		g, err := b()
		if err != nil {
			return f, err
		}
		for i := range f.Claims {
			if f.Claims[i].Kind != report.Theory {
				f.Claims[i].Reading = "A"
			}
		}
		for _, c := range g.Claims {
			if c.Reading = "B"; c.Kind != report.Theory {
				f.Claims = append(f.Claims, c)
			}
		}
		g.Title, g.Claims = g.Title+" (reading B)", f.Claims
		g.Numbers, g.Shown = merged(f.Numbers, g.Numbers), merged(f.Shown, g.Shown)
		return g, nil
	}
}

// merged is the table of both readings.
func merged(a, b numbers.Table) numbers.Table {
	if a.Columns == nil {
		return a
	}
	t := numbers.Table{Columns: append([]string{"reading"}, a.Columns...)}
	for i, x := range []numbers.Table{a, b} {
		for _, row := range x.Rows {
			t.Rows = append(t.Rows, append([]string{readings[i].Name}, row...))
		}
	}
	return t
}

// Main is the program: it returns the exit code. There is no -trace: all jobs are alike.
var Main = report.Program{
	Name:  "dynprio",
	Quick: fmt.Sprintf("%d seeds instead of %d", quickRepetitions, repetitions),
	Plan:  Plan,
	Help: `dynprio draws Figures 1 and 3 to 11 and Table 3 of the paper "Dynamic Proportional Share Scheduling in Hadoop" (Dynamic Priority) and
checks what the paper says about them.

This takes 15 seconds on two cores and 250 MB, with -quick 5 s.
`,
}.Main
