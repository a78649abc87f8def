package fairqueue

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/internal/program"
)

// A word is what a replica tells the others of a service.
type word struct {
	at     float64
	flow   int
	length float64
}

// A site is a replica: a queue, its slots, and what it will hear.
type site struct {
	*fairqueue.Queue[int]
	free  [2]float64
	heard []word
}

// total is the service of two tenants of weights 2 and 1, the first over the second, at three
// replicas of two slots each, of which the second tenant comes to two. Each tells what it has begun
// to serve after delay, and a part of its words is lost.
func total(delay, lost, seconds float64, seed uint64) float64 {
	src, had := rand.New(rand.NewPCG(seed, 4)), [2]float64{}
	var sites [3]site
	for i := range sites {
		sites[i].Queue = newQueue(fairqueue.Options{}, 2, 1)
		must(sites[i].SetActive(0, true))
		must(sites[i].SetActive(1, i < 2))
	}
	for {
		first, slot := &sites[0], 0
		for i := range sites {
			for s, at := range sites[i].free {
				if at < first.free[slot] {
					first, slot = &sites[i], s
				}
			}
		}
		now := first.free[slot]
		if now >= seconds {
			return had[0] / had[1]
		}
		for ; len(first.heard) > 0 && first.heard[0].at <= now; first.heard = first.heard[1:] {
			must(first.Elsewhere(first.heard[0].flow, first.heard[0].length))
		}
		flow, _ := first.Next(nil)
		length := src.ExpFloat64()
		must(first.Charge(flow, length))
		first.free[slot] = now + length
		had[flow] += length
		for i := range sites {
			if &sites[i] != first && src.Float64() >= lost {
				sites[i].heard = append(sites[i].heard, word{now + delay, flow, length})
			}
		}
	}
}

func replicasClaims(alone, late float64) []report.Claim {
	return []report.Claim{
		claim("replicas that do not hear of each other leave a tenant that comes to some of them behind", "not considered", "more than 3 : 1 for weights of 2 and 1",
			alone > 3, "%.2f : 1", alone),
		claim("replicas that hear of each other late share by weight in total", "the total service is by weight", "2 : 1 within .1",
			math.Abs(late-2) <= .1, "%.2f : 1, told after 100 mean services", late),
	}
}

func figureReplicas(o program.Options) (report.Figure, error) {
	p := newPanel("Three replicas, and a tenant that comes to two of them",
		"Service of two tenants of weights 2 and 1 in total, the first over the second. Both always wait: the first at three replicas of two slots, the second at two of them. Services take 1 s in the mean. Each replica tells the others what it serves, after a delay.",
		"delay_s", "not told", "a tenth lost", "none lost")
	seconds := 20000.
	if o.Quick {
		seconds = 5000
	}
	alone, late := total(math.Inf(1), 0, seconds, o.Seed), 0.
	for _, delay := range []float64{.1, 1, 10, 100, 1000} {
		none := total(delay, 0, seconds, o.Seed)
		p.row(delay, delay, alone, total(delay, .1, seconds, o.Seed), none)
		if delay == 100 {
			late = none
		}
	}
	p.chart.X, p.chart.Y = draw.Axis{Label: "delay (s)", Log: true, Min: .08, Max: 1200}, draw.Axis{Label: "service, first : second", Max: 4, Ticks: draw.Ticks(0, 4, 1)}
	return p.done(replicasClaims(alone, late), "In total the parts stay near 2 : 1 whatever the delay; replicas that are told nothing give more than 3 : 1.")
}
