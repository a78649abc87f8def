package circumflex

import (
	"math/rand/v2"

	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/sharedscan"
)

// An instance is three datasets with up to four scans under way each, in whole numbers.
type instance struct {
	graph    *precedence.Graph
	work     []float64
	weight   []float64
	deadline []float64
	alone    []float64 // time of the whole scan
	levels   []precedence.SLA
}

func newInstance(r *rand.Rand) (instance, error) {
	var x instance
	var lengths []int
	total := 0.0
	for range 3 {
		var scans []sharedscan.Scan
		size := 0.0
		for range 1 + r.IntN(4) {
			size += float64(1 + r.IntN(9))
			scans = append(scans, sharedscan.Scan{Remaining: size})
		}
		chain, err := sharedscan.CyclicChain(nil, scans)
		if err != nil {
			return x, err
		}
		lengths = append(lengths, len(chain))
		for _, s := range chain {
			x.work, total = append(x.work, s.Work), total+s.Work
			x.weight = append(x.weight, float64(1+r.IntN(9)))
			x.alone = append(x.alone, size)
		}
	}
	for range x.work {
		d := float64(1 + r.IntN(int(total)))
		x.deadline = append(x.deadline, d)
		first, second := float64(1+r.IntN(5)), float64(1+r.IntN(5))
		x.levels = append(x.levels, precedence.SLA{Deadlines: []float64{d, d + float64(1+r.IntN(20))}, Costs: []float64{first, first + second}})
	}
	var err error
	x.graph, err = precedence.Chains(lengths...)
	return x, err
}

// A goal is one of the paper's 16 metrics.
type goal struct {
	name  string
	open  bool // the paper leaves it open for chains
	make  func(x *instance) (precedence.Objective, error)
	ratio func(x *instance, j int) float64 // weight for Smith's rule; nil for a maximum
}

func one(*instance, int) float64            { return 1 }
func weighted(x *instance, j int) float64   { return x.weight[j] }
func stretching(x *instance, j int) float64 { return 1 / x.alone[j] }
func costing(x *instance, j int) float64    { return x.levels[j].Costs[1] }

var goals = []goal{
	{"ΣC", false, func(x *instance) (precedence.Objective, error) { return precedence.SumResponse(len(x.work)) }, one},
	{"ΣwC", false, func(x *instance) (precedence.Objective, error) { return precedence.SumWeightedResponse(x.weight) }, weighted},
	{"Σstretch", false, func(x *instance) (precedence.Objective, error) { return precedence.SumStretch(x.alone) }, stretching},
	{"ΣU", true, func(x *instance) (precedence.Objective, error) { return precedence.SumTardy(x.deadline) }, one},
	{"ΣwU", true, func(x *instance) (precedence.Objective, error) {
		return precedence.SumWeightedTardy(x.deadline, x.weight)
	}, weighted},
	{"ΣT", true, func(x *instance) (precedence.Objective, error) { return precedence.SumTardiness(x.deadline) }, one},
	{"ΣwT", true, func(x *instance) (precedence.Objective, error) {
		return precedence.SumWeightedTardiness(x.deadline, x.weight)
	}, weighted},
	{"ΣSLA", true, func(x *instance) (precedence.Objective, error) { return precedence.SumSLA(x.levels) }, costing},
	{"max C", false, func(x *instance) (precedence.Objective, error) { return precedence.MaxResponse(len(x.work)) }, nil},
	{"max wC", false, func(x *instance) (precedence.Objective, error) { return precedence.MaxWeightedResponse(x.weight) }, nil},
	{"max stretch", false, func(x *instance) (precedence.Objective, error) { return precedence.MaxStretch(x.alone) }, nil},
	{"max T", false, func(x *instance) (precedence.Objective, error) { return precedence.MaxTardiness(x.deadline) }, nil},
	{"max wT", false, func(x *instance) (precedence.Objective, error) {
		return precedence.MaxWeightedTardiness(x.deadline, x.weight)
	}, nil},
	{"max L", false, func(x *instance) (precedence.Objective, error) { return precedence.MaxLateness(x.deadline) }, nil},
	{"max wL", false, func(x *instance) (precedence.Objective, error) {
		return precedence.MaxWeightedLateness(x.deadline, x.weight)
	}, nil},
	{"max SLA", false, func(x *instance) (precedence.Objective, error) { return precedence.MaxSLA(x.levels) }, nil},
}

// sumGoals is how many of goals are sums.
const sumGoals = 8

// Ways of ordering subjobs, beside the exact one.
const (
	generalised = iota // the paper's B.1
	minimax            // the paper's B.2 for the maximum of the same penalties
	ways
)

var wayNames = [ways]string{generalised: "generalised Smith (B.1)", minimax: "Lawler for the maximum (B.2)"}
