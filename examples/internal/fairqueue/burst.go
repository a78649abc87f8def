package fairqueue

import (
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// meet plays 1,000 short requests of 1 s (flow 0), which are there 1 s before 100 slots open, and 100
// long ones of 60 s, which are there 2 s before.
func meet(rules ...rule) [][]request {
	var list []request
	for k := range 1100 {
		list = append(list, request{arrival: -1, length: 1})
		if k < 100 {
			list[k] = request{flow: 1, arrival: -2, length: 60}
		}
	}
	return play(100, math.Inf(1), list, rules...)
}

// meetings are those under today's rule, the repaired one and ours with two estimates: the truth,
// and one for all requests, their mean.
func meetings() [][]request {
	router := func(atStart bool) rule {
		return &scores{queues: flows(2), atStart: atStart, service: make([]float64, 2), at: make([]float64, 2)}
	}
	mean := func(*request) float64 { return 7000. / 1100 }
	return meet(router(false), router(true), newStartTags(exactly, credit, 1, 1), newStartTags(mean, credit, 1, 1))
}

// A meeting is what becomes of the requests: when the first short one starts and the last ends,
// when the first long one ends, and how long the short ones wait from the opening on.
type meeting struct{ start, end, longEnd, wait float64 }

func meetingOf(run []request) meeting {
	m := meeting{start: math.Inf(1), longEnd: math.Inf(1)}
	for _, r := range run {
		if r.flow == 1 {
			m.longEnd = min(m.longEnd, r.end)
		} else {
			m.start, m.end, m.wait = min(m.start, r.start), max(m.end, r.end), m.wait+r.start/1000
		}
	}
	return m
}

func burstClaims(runs [][]request) []report.Claim {
	ends := func(run []request, statement string) report.Claim {
		m := meetingOf(run)
		return claim(statement, "not considered", "the last short request ends before the first long one", m.end <= m.longEnd, "ends after %.0f s, mean wait %.1f s", m.end, m.wait)
	}
	late := meetingOf(runs[0])
	estimate := ends(runs[3], "one estimate for all requests, settled at their ends, is enough")
	estimate.Note = report.Because(meetingOf(runs[3]).end > meetingOf(runs[2]).end, "with exact estimates they end earlier: a long request counts as 6.4 s until its end tells the truth")
	return []report.Claim{
		claim("a burst that is charged at its end holds all slots until then", "tokens are charged when a request ends", "no short request starts before a long one ends",
			late.start >= late.longEnd, "the first starts after %.0f s, the mean wait is %.1f s", late.start, late.wait),
		ends(runs[1], "the same score with tokens charged at the start lets others in"),
		estimate,
	}
}

func figureBurst(program.Options) (report.Figure, error) {
	p := newPanel("The burst that is charged at its end: the llm-d router",
		"Slots of 100 that hold short requests (1,000 of 1 s). A flow of 100 long ones (60 s) came one second before them; the slots open at 0. Score: .8 for little service, .2 for the wait; charged at the end (August 2026). With one estimate fairqueue takes every request for 6.4 s until it ends.",
		"time_s", "llm-d", "charged at start", "fairqueue", "one estimate")
	p.chart.X, p.chart.Y = draw.Axis{Label: "time (s)", Max: 80, Ticks: draw.Ticks(0, 80, 10)}, draw.Axis{Label: "slots with short requests", Max: 105, Ticks: draw.Ticks(0, 100, 20)}
	runs := meetings()
	for at := 0.; at <= 80; at += .5 {
		p.add(at, runs, func(run []request) float64 {
			return float64(numbers.Number(run, func(r request) bool { return r.flow == 0 && r.start <= at && at < r.end }))
		})
	}
	return p.done(burstClaims(runs), "Under llm-d's rule short requests hold nothing for 60 s and then all slots; charged at the start they hold slots at once and are done long before.")
}
