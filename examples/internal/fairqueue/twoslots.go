package fairqueue

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/program"
)

const (
	longest  = .5                            // s; lengths are from .1 s on
	sfqBound = (2 + 1) * (longest + longest) // SFQ(D) on D = 2 slots, in seconds of service
)

// tenants are the weights of ten who always have something to run.
var tenants = slices.Repeat([]float64{1}, 10)

// standings are the tenants' requests under today's rule, the repaired one and ours: the same under
// each.
func standings(seconds int, seed uint64) [][]request {
	src := rand.New(rand.NewPCG(seed, 1))
	list := backlog(5*seconds*len(tenants), len(tenants), func() float64 { return .1 + (longest-.1)*src.Float64() }) // more than one slot can serve
	queue := func(forget float64) rule {
		return &tokens{queues: flows(len(tenants)), forget: forget, ties: rand.New(rand.NewPCG(seed, 2)), used: make([]float64, len(tenants))}
	}
	return play(2, float64(seconds), list, queue(1), queue(math.Inf(1)), newStartTags(exactly, credit, tenants...))
}

func twoSlotsClaims(runs [][]request) []report.Claim {
	forgotten, kept := gap(runs[0], math.Inf(1), tenants...), gap(runs[1], math.Inf(1), tenants...)
	return []report.Claim{
		claim("tenants whose used tokens are forgotten each second drift apart", "used tokens are forgotten each second", "some two tenants further apart than SFQ allows",
			forgotten > sfqBound, "%.1f s apart", forgotten),
		claim("tokens that are never forgotten repair it while all are active", "not considered", "no two tenants further apart than 3 (.5 s + .5 s), at any time",
			kept <= sfqBound, "%.2f s apart", kept),
	}
}

func figureTwoSlots(o program.Options) (report.Figure, error) {
	p := newPanel("Two slots and ten tenants: CockroachDB's work queue",
		"Greatest difference in service between two of ten tenants so far. All wait all the time; tasks run for .1 to .5 s. The tenant of the fewest tokens used is next, a draw decides between equals; tokens are forgotten each second (August 2026). The level is the bound of SFQ on two slots.",
		"time_s", "forgotten", "never forgotten", "fairqueue")
	seconds := 600
	if o.Quick {
		seconds = 200
	}
	p.chart.X, p.chart.Y = draw.Axis{Label: "time (s)", Max: float64(seconds)}, draw.Axis{Label: "greatest difference (s)", Log: true, Min: .3, Max: 100}
	p.chart.Level("", sfqBound, draw.Stroke{Color: draw.Black, Width: .8})
	runs := standings(seconds, o.Seed)
	for at := 1; at <= seconds; at++ {
		p.add(float64(at), runs, func(run []request) float64 { return gap(run, float64(at), tenants...) })
	}
	return p.done(twoSlotsClaims(runs), "With tokens that are forgotten the difference grows with time; without forgetting and by start tags it stays below a second.")
}
