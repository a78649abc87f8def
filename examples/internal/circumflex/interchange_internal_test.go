package circumflex

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/sharedscan"
)

// Section 3.1: subjobs can be assumed to be done in the order of the chain.
func TestInterchange(t *testing.T) {
	chain, err := figure3Chain()
	must(t, err)
	with, without, err := chain.interchange()
	must(t, err)
	if len(with) != 3 || !slices.Equal(with, without) {
		t.Errorf("least with the chains %v, of all orders without %v", with, without)
	}
}

// figure3Others are the subjobs of another dataset beside the chain.
var figure3Others = []sharedscan.Scan{{Remaining: 3}, {Remaining: 12}}

// interchange returns the least values of three objectives for this chain beside another dataset:
// along the chains by precedence.Minimize, and without precedence by trying every order of the
// subjobs, where a job ends with the last subjob that it needs.
func (c *chainOf) interchange() (with, without []float64, err error) {
	other, err := sharedscan.CyclicChain(nil, figure3Others)
	if err != nil {
		return nil, nil, err
	}
	jobs := len(c.scans) + len(figure3Others)
	weights, deadlines := make([]float64, jobs), make([]float64, jobs)
	for i := range jobs {
		weights[i], deadlines[i] = float64(1+i*3%5), float64(6+i*7%19)
	}
	var work []float64
	var members [][]int
	var completes []int
	for k, list := range [][]sharedscan.Subjob{c.subjobs, other} {
		for _, s := range list {
			shift := k * len(c.scans)
			var m []int
			for _, i := range s.Members {
				m = append(m, i+shift)
			}
			work, members, completes = append(work, s.Work), append(members, m), append(completes, s.Completes+shift)
		}
	}
	g, err := precedence.Chains(len(c.subjobs), len(other))
	if err != nil {
		return nil, nil, err
	}
	responses, err := precedence.SumWeightedResponse(weights)
	most, err1 := precedence.MaxWeightedTardiness(deadlines, weights)
	sum, err2 := precedence.SumWeightedTardiness(deadlines, weights)
	if err := errors.Join(err, err1, err2); err != nil {
		return nil, nil, err
	}
	for _, o := range []precedence.Objective{responses, most, sum} {
		over := precedence.Objective{Aggregate: o.Aggregate}
		for _, i := range completes {
			over.Penalties = append(over.Penalties, o.Penalties[i])
		}
		s, err := precedence.Minimize(g, work, over, precedence.Options{})
		if err != nil {
			return nil, nil, err
		}
		with, without = append(with, s.Value), append(without, leastOfAll(work, members, o))
	}
	return with, without, nil
}

// leastOfAll tries every order of pieces of work; a job ends with the last piece that has it as a
// member.
func leastOfAll(work []float64, members [][]int, o precedence.Objective) float64 {
	least := math.Inf(1)
	value := func(order []int) float64 {
		end, now := make([]float64, len(o.Penalties)), 0.0
		for _, piece := range order {
			now += work[piece]
			for _, i := range members[piece] {
				end[i] = now
			}
		}
		sum, most := 0.0, math.Inf(-1)
		for i, p := range o.Penalties {
			sum, most = sum+p.At(end[i]), math.Max(most, p.At(end[i]))
		}
		if o.Aggregate == precedence.Max {
			return most
		}
		return sum
	}
	var order []int
	var try func()
	try = func() {
		if len(order) == len(work) {
			least = math.Min(least, value(order))
		}
		for piece := range work {
			if !slices.Contains(order, piece) {
				order = append(order, piece)
				try()
				order = order[:len(order)-1]
			}
		}
	}
	try()
	return least
}
