package fairqueue

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

const (
	tenants  = 10
	longest  = .5                            // s; lengths are from .1 s on
	sfqBound = (2 + 1) * (longest + longest) // SFQ(D) on D = 2 slots, in seconds of service
)

// A standing is what ten tenants get on two slots who always have something to run.
type standing struct {
	times, gaps []float64 // when the greatest difference between two tenants grew, and to what
	served      [tenants]float64
}

func (s *standing) gap() float64 { return s.gaps[len(s.gaps)-1] }

// standings are those under today's rule, the repaired one and ours. Tenants have the same requests
// under each.
func standings(seconds float64, seed uint64) (list [3]standing, err error) {
	queue := func(forget float64) rule {
		return &tokens{queues: make(queues, tenants), forget: forget, ties: rand.New(rand.NewPCG(seed, 2)), used: make([]float64, tenants)}
	}
	ours := newStartTags(exactly, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
	for i, rule := range []rule{queue(1), queue(math.Inf(1)), ours} {
		src, s := rand.New(rand.NewPCG(seed, 1)), &list[i]
		var requests []request
		for k := range tenants * int(5*seconds) { // more than one slot can serve
			requests = append(requests, request{flow: k % tenants, length: .1 + (longest-.1)*src.Float64()})
		}
		serve(rule, 2, seconds, requests, func(r *request) {
			s.served[r.flow] += r.length
			if gap := slices.Max(s.served[:]) - slices.Min(s.served[:]); len(s.gaps) == 0 || gap > s.gap() {
				s.times, s.gaps = append(s.times, r.start), append(s.gaps, gap)
			}
		})
		s.times, s.gaps = append(s.times, seconds), append(s.gaps, s.gap())
	}
	return list, ours.err
}

func twoSlotsClaims(s [3]standing) []report.Claim {
	within := "no two tenants further apart than 3 (.5 s + .5 s), at any time"
	return []report.Claim{
		claim("tenants whose used tokens are forgotten each second drift apart", "used tokens are forgotten each second", "some two tenants further apart than SFQ allows", s[0].gap() > sfqBound,
			"chance has evened out", "%.1f s apart", s[0].gap()),
		claim("tokens that are never forgotten repair it while all are active", "not considered", within, s[1].gap() <= sfqBound,
			"past service is lost", "%.2f s apart", s[1].gap()),
		claim("start tags repair it", "the bound of SFQ(D)", within, s[2].gap() <= sfqBound,
			"past service is lost", "%.2f s apart", s[2].gap()),
	}
}

func figureTwoSlots(o report.Options) (report.Figure, error) {
	f := report.NewFigure("Two slots and ten tenants: CockroachDB's work queue",
		"Greatest difference in service between two of ten tenants so far. All wait all the time; tasks run for .1 to .5 s. The tenant of the fewest tokens used is next, a draw decides between equals; tokens are forgotten each second (August 2026).",
		"rule", "time_s", "gap_s")
	seconds := 600.0
	if o.Quick {
		seconds = 200
	}
	list, err := standings(seconds, o.Seed)
	if err != nil {
		return f, err
	}
	c := &draw.Chart{X: draw.Axis{Label: "time (s)", Max: seconds}, Y: draw.Axis{Label: "greatest difference (s)", Log: true, Min: .3, Max: 100}, GridY: true}
	for i, l := range newLines("forgotten each second", "never forgotten", "fairqueue") {
		for k, at := range list[i].times {
			f.Numbers.Add(l.Label, at, list[i].gaps[k])
		}
		c.Steps(l.Label, list[i].times, list[i].gaps, l.Stroke)
	}
	c.Level("bound of SFQ", sfqBound, draw.Stroke{Color: draw.Black, Width: .8})
	return f.Done(twoSlotsClaims(list), "With tokens that are forgotten the difference grows with time; without forgetting and by start tags it stays below a second.", c)
}
