package fairqueue

import (
	"errors"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// The two flows of the burst.
const (
	short = iota // 1,000 requests of 1 s, there 1 s before the slots open
	long         // 100 of 60 s, there 2 s before: as many as there are slots
)

// A meeting is what becomes of their requests.
type meeting struct {
	list               []request
	firstStart, ended  float64 // of the short requests, the first and the last
	firstLongEnd, wait float64 // of the long requests; mean of the short ones from the opening
}

func meet(rule rule) meeting {
	m := meeting{firstStart: math.Inf(1), firstLongEnd: math.Inf(1)}
	for range 100 {
		m.list = append(m.list, request{flow: long, arrival: -2, length: 60})
	}
	for range 1000 {
		m.list = append(m.list, request{flow: short, arrival: -1, length: 1})
	}
	serve(rule, 100, math.Inf(1), m.list, func(r *request) {
		if r.flow == long {
			m.firstLongEnd = min(m.firstLongEnd, r.end)
			return
		}
		m.firstStart, m.ended, m.wait = min(m.firstStart, r.start), max(m.ended, r.end), m.wait+r.start/1000
	})
	return m
}

// held is how many slots the short requests hold at a time.
func (m *meeting) held(at float64) (slots float64) {
	for _, r := range m.list {
		if r.flow == short && r.start <= at && at < r.end {
			slots++
		}
	}
	return slots
}

// meetings are those under today's rule, the repaired one and ours with two estimates: the truth,
// and one for all requests, their mean.
func meetings() (list [4]meeting, err error) {
	router := func(atStart bool) rule {
		return &scores{queues: make(queues, 2), atStart: atStart, service: make([]float64, 2), at: make([]float64, 2)}
	}
	exact := newStartTags(exactly, 1, 1)
	mean := newStartTags(func(*request) float64 { return 7000. / 1100 }, 1, 1)
	for i, rule := range []rule{router(false), router(true), exact, mean} {
		list[i] = meet(rule)
	}
	return list, errors.Join(exact.err, mean.err)
}

func burstClaims(m [4]meeting) []report.Claim {
	ends := func(m meeting, statement, note string) report.Claim {
		return claim(statement, "not considered", "the last short request ends before the first long one", m.ended <= m.firstLongEnd,
			note, "ends after %.0f s, mean wait %.1f s", m.ended, m.wait)
	}
	return []report.Claim{
		claim("a burst that is charged at its end holds all slots until then", "tokens are charged when a request ends", "no short request starts before a long one ends", m[0].firstStart >= m[0].firstLongEnd,
			"short requests start beside the burst", "the first starts after %.0f s, the mean wait is %.1f s", m[0].firstStart, m[0].wait),
		ends(m[1], "the same score with tokens charged at the start lets others in", "the burst keeps its slots"),
		ends(m[2], "start tags with exact estimates let others in", "the burst keeps its slots"),
		ends(m[3], "one estimate for all requests, settled at their ends, is enough",
			"a long request counts as 6.4 s until its end tells the truth: the burst takes one slot after another"),
	}
}

func figureBurst(report.Options) (report.Figure, error) {
	f := report.NewFigure("The burst that is charged at its end: the llm-d router",
		"Slots of 100 that hold short requests (1,000 of 1 s). A flow of 100 long ones (60 s) came one second before them; the slots open at 0. Score: .8 for little service, .2 for the wait; charged at the end (August 2026).",
		"rule", "time_s", "slots")
	list, err := meetings()
	if err != nil {
		return f, err
	}
	c := &draw.Chart{X: draw.Axis{Label: "time (s)", Max: 80, Ticks: draw.Ticks(0, 80, 10)}, Y: draw.Axis{Label: "slots with short requests", Max: 105, Ticks: draw.Ticks(0, 100, 20)}, GridY: true}
	lines := newLines("llm-d", "charged at the start", "fairqueue", "fairqueue, one estimate")
	for i, l := range lines {
		for k := range 161 {
			at := float64(k) / 2
			f.Numbers.Add(l.Label, at, list[i].held(at))
			lines.add(i, at, list[i].held(at))
		}
		c.Steps(l.Label, lines[i].X, lines[i].Y, l.Stroke)
	}
	return f.Done(burstClaims(list), "Under llm-d's rule short requests hold nothing for 60 s and then all slots; charged at the start they hold slots at once and are done long before.", c)
}
