package fairqueue

import (
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

func meet(rule rule) (m meeting, err error) {
	m = meeting{firstStart: math.Inf(1), firstLongEnd: math.Inf(1)}
	for range 100 {
		m.list = append(m.list, request{flow: long, arrival: -2, length: 60})
	}
	for range 1000 {
		m.list = append(m.list, request{flow: short, arrival: -1, length: 1})
	}
	err = serve(rule, 100, math.Inf(1), m.list, nil)
	for _, r := range m.list {
		if r.flow == long {
			m.firstLongEnd = min(m.firstLongEnd, r.end)
			continue
		}
		m.firstStart, m.ended, m.wait = min(m.firstStart, r.start), max(m.ended, r.end), m.wait+r.start/1000
	}
	return m, err
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
// and one for all requests, their mean, which is left until the end or grows as a request runs.
func meetings() (list [5]meeting, err error) {
	exact, err := newStartTags(exactly, 1, 1)
	if err != nil {
		return list, err
	}
	mean := func(*request) float64 { return 7000. / 1100 }
	rough, err := newStartTags(mean, 1, 1)
	if err != nil {
		return list, err
	}
	growing, err := newStartTags(mean, 1, 1)
	if err != nil {
		return list, err
	}
	growing.grow = true
	scores := func(atStart bool) rule {
		return &scores{queues: make(queues, 2), atStart: atStart, service: make([]float64, 2), at: make([]float64, 2)}
	}
	for i, rule := range []rule{scores(false), scores(true), exact, rough, growing} {
		if list[i], err = meet(rule); err != nil {
			return list, err
		}
	}
	return list, nil
}

func burstClaims(m [5]meeting) []report.Claim {
	before := "the last short request ends before the first long one"
	return []report.Claim{
		claim("a burst that is charged at its end holds all slots until then", "tokens are charged when a request ends", "no short request starts before a long one ends", m[0].firstStart >= m[0].firstLongEnd,
			"short requests start beside the burst", "the first starts after %.0f s, the mean wait is %.1f s", m[0].firstStart, m[0].wait),
		claim("the same score with tokens charged at the start lets others in", "not considered", before, m[1].ended <= m[1].firstLongEnd,
			"the burst keeps its slots", "ends after %.0f s, mean wait %.1f s", m[1].ended, m[1].wait),
		claim("start tags with exact estimates let others in", "not considered", before, m[2].ended <= m[2].firstLongEnd,
			"the burst keeps its slots", "ends after %.0f s, mean wait %.1f s", m[2].ended, m[2].wait),
		claim("one estimate for all requests, settled at their ends, is enough", "not considered", before, m[3].ended <= m[3].firstLongEnd,
			"a long request counts as 6.4 s until its end tells the truth: the burst takes one slot after another", "ends after %.0f s, mean wait %.1f s", m[3].ended, m[3].wait),
		claim("an estimate that grows as the request runs is enough", "not considered", before, m[4].ended <= m[4].firstLongEnd,
			"the burst keeps its slots", "ends after %.0f s, mean wait %.1f s", m[4].ended, m[4].wait),
	}
}

func figureBurst() (report.Figure, error) {
	f := report.NewFigure("The burst that is charged at its end: the llm-d router",
		"Slots of 100 that hold short requests (1,000 of 1 s). A flow of 100 long ones (60 s) came one second before them; the slots open at 0. Score: .8 for little service, .2 for the wait; charged at the end (August 2026).",
		"rule", "time_s", "slots")
	list, err := meetings()
	if err != nil {
		return f, err
	}
	c := &draw.Chart{X: draw.Axis{Label: "time (s)", Max: 80, Ticks: draw.Ticks(0, 80, 10)}, Y: draw.Axis{Label: "slots with short requests", Max: 105, Ticks: draw.Ticks(0, 100, 20)}, GridY: true}
	for i, name := range []string{"llm-d", "charged at the start", "fairqueue", "fairqueue, one estimate", "estimate that grows"} {
		var x, y []float64
		for k := range 161 {
			x, y = append(x, float64(k)/2), append(y, list[i].held(float64(k)/2))
			f.Numbers.Add(name, x[k], y[k])
		}
		c.Steps(name, x, y, looks[i])
	}
	return f.Done(burstClaims(list), "Under llm-d's rule short requests hold nothing for 60 s and then all slots; charged at the start they hold slots at once and are done long before.", c)
}
