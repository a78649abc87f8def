package fairqueue

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/internal/program"
)

// raised is at seconds of the caps scenario, in which the heavy tenant's cap is raised.
const raised = 600.

// capped is a queue whose flow 0 has a cap until then.
type capped struct{ *startTags }

func (c capped) next(now float64) int {
	if now >= raised {
		must(c.queue.SetLimit(0, 0))
	}
	return c.startTags.next(now)
}

// An allowance is what a Lag gives three tenants of weights 4, 1 and 1 who always have something
// waiting, on 8 streams, where the first has a cap.
type allowance struct {
	ratio  float64 // of the first to another, with a cap of 6
	others float64 // part of the others in 100 s after a cap of 3 is raised; 1/3 is due
}

var lags = []float64{0, 12.5, 25, 50, 100, 200, math.Inf(1)}

// allowances are those of lags, in seconds of service for each unit of weight: means of ten draws.
func allowances(seed uint64) (list []allowance) {
	const draws = 10
	for _, lag := range lags {
		queue := func(limit int) rule {
			rule := newStartTags(func(*request) float64 { return 10 }, fairqueue.Options{Lag: lag}, 4, 1, 1)
			must(rule.queue.SetLimit(0, limit))
			return capped{rule}
		}
		var a allowance
		for run := range uint64(draws) {
			src := rand.New(rand.NewPCG(seed, 3+run))
			runs := play(8, raised+100, backlog(4500, 3, func() float64 { return 10 * src.ExpFloat64() }), queue(6), queue(3))
			six, three := runs[0], runs[1]
			a.ratio += 2 * had(six, 0, 0, raised) / (had(six, 1, 0, raised) + had(six, 2, 0, raised)) / draws
			others := had(three, 1, raised, raised+100) + had(three, 2, raised, raised+100)
			a.others += others / (had(three, 0, raised, raised+100) + others) / draws
		}
		list = append(list, a)
	}
	return list
}

func capsClaims(none, some, all allowance) []report.Claim {
	return []report.Claim{
		claim("without credit a tenant with a cap just above its part loses some of the part", "4 : 1 : 1 wanted", "less than with credit for five mean requests",
			none.ratio < some.ratio, "%.2f : 1 with a cap of 6 of 8, %.2f : 1 with credit", none.ratio, some.ratio),
		claim("credit without limit starves the others when a cap is raised", "not considered", "the others have less than a tenth in the 100 s after",
			all.others < .1, "%.2f of the service", all.others),
	}
}

func figureCaps(o program.Options) (report.Figure, error) {
	p := newPanel("A tenant at its cap, and what it may save",
		"Three tenants of weights 4, 1 and 1 on 8 streams, all with requests waiting (mean 10 s, charged as 10 s). The first has a cap of 6, just above its part, or one of 3 that is raised after 600 s. Lag is how much it may save meanwhile, in seconds for each unit of weight.",
		"lag", "first tenant to another, cap of 6", "others' part after a cap of 3, in twelfths")
	list := allowances(o.Seed)
	p.chart.X, p.chart.Y = draw.Axis{Label: "Lag (s for each unit of weight)", Max: float64(len(lags) - 1)}, draw.Axis{Label: "4 is due of each", Max: 5, Ticks: draw.Ticks(0, 5, 1)}
	for i, name := range []string{"0", "12.5", "25", "50", "100", "200", "no limit"} {
		p.chart.X.Ticks = append(p.chart.X.Ticks, draw.Tick{At: float64(i), Label: name})
		p.row(name, float64(i), list[i].ratio, 12*list[i].others)
	}
	return p.done(capsClaims(list[0], list[3], list[6]), "With more Lag the capped tenant keeps more of its part, and the others get less after its cap is raised.")
}
