package sharedscan_test

import (
	"fmt"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/sharedscan"
)

// Five jobs scan two datasets, three the one and two the other, on ten slots. Cyclic piggybacking
// makes a chain of subjobs of each dataset; the plan minimises the sum of the scans' weighted
// response times.
func ExampleFromSubjobs_chains() {
	datasets := []struct {
		scans   []sharedscan.Scan
		weights []float64
	}{
		{[]sharedscan.Scan{{Remaining: 16, Min: 1, Max: 8}, {Remaining: 40, Max: 8}, {Remaining: 58, Max: 6}}, []float64{1, 3, 1}},
		{[]sharedscan.Scan{{Remaining: 20, Max: 5}, {Remaining: 35}}, []float64{2, 1}},
	}
	var (
		chains  [][]sharedscan.Subjob // of each dataset
		lengths []int
		jobs    []malleable.Job
		obj     precedence.Objective
	)
	for _, d := range datasets {
		chain, _ := sharedscan.CyclicChain(nil, d.scans)
		weighted, _ := precedence.SumWeightedResponse(d.weights)
		part, _ := sharedscan.OverSubjobs(chain, weighted)
		chains, lengths = append(chains, chain), append(lengths, len(chain))
		jobs, _ = sharedscan.FromSubjobs(jobs, chain, nil)
		obj.Penalties = append(obj.Penalties, part.Penalties...)
	}
	g, _ := precedence.Chains(lengths...)
	s, r, err := malleable.Plan(10, jobs, g, obj, malleable.PlanOptions{})
	fmt.Printf("value %.4g, bound %.4g, exact %t, %v\n", r.Value, r.Bound, r.Exact, err)
	completion := s.Completion(nil)
	for d, chain := range chains {
		for _, subjob := range chain {
			fmt.Printf("dataset %d: scan %d ends at %.4g\n", d, subjob.Completes, completion[0])
			completion = completion[1:]
		}
	}
	// Output:
	// value 50.67, bound 45.83, exact false, <nil>
	// dataset 0: scan 0 ends at 2.667
	// dataset 0: scan 1 ends at 6.667
	// dataset 0: scan 2 ends at 10.5
	// dataset 1: scan 0 ends at 5
	// dataset 1: scan 1 ends at 7.5
}

// Two jobs scan weeks that overlap in one day, as in the paper's Figure 4: what both need is a
// region of its own, which goes first. The plan minimises the largest lateness.
func ExampleFromSubjobs_regions() {
	scans := [][]int{{0, 1, 2, 3}, {3, 4, 5}}         // the blocks that each scan needs
	work := []float64{8, 8, 8, 4, 10, 10}             // of each block, in slot-seconds
	slots := []sharedscan.Scan{{Max: 6}, {Max: 4}}    // of each scan
	due, _ := precedence.MaxLateness([]float64{6, 4}) // of each scan
	venn, _ := sharedscan.Regions(scans, work)
	jobs, _ := sharedscan.FromSubjobs(nil, venn.Regions, slots)
	obj, _ := sharedscan.OverSubjobs(venn.Regions, due)
	s, r, err := malleable.Plan(8, jobs, venn.Graph, obj, malleable.PlanOptions{})
	completion := s.Completion(nil)
	for i := range scans {
		fmt.Printf("scan %d ends at %.4g\n", i, completion[venn.Own+i])
	}
	fmt.Printf("lateness %.4g, at least %.4g: %s, %v\n", r.Value, r.Bound, r.Why, err)
	// Output:
	// scan 0 ends at 6.667
	// scan 1 ends at 6
	// lateness 2, at least 2: the value meets the lower bound, <nil>
}

// Three scans of one dataset on eight slots: from scans to a plan.
func Example() {
	scans := []sharedscan.Scan{{Remaining: 16, Max: 8}, {Remaining: 40}, {Remaining: 60}}
	chain, _ := sharedscan.CyclicChain(nil, scans)
	g, _ := precedence.Chains(len(chain))
	sum, _ := precedence.SumResponse(len(scans))
	obj, _ := sharedscan.OverSubjobs(chain, sum)
	jobs, _ := sharedscan.FromSubjobs(nil, chain, nil)
	s, r, err := malleable.Plan(8, jobs, g, obj, malleable.PlanOptions{})
	fmt.Println(jobs, s.Completion(nil), r.Value, r.Exact, err)
	// Output: [{16 0 8} {24 0 0} {20 0 0}] [2 5 7.5] 14.5 true <nil>
}

func ExampleFromSubjobs() {
	chain, _ := sharedscan.CyclicChain(nil, []sharedscan.Scan{{Remaining: 3, Min: 2}, {Remaining: 5, Max: 20}})
	fmt.Println(sharedscan.FromSubjobs(nil, chain, nil))
	// Output: [{3 2 20} {2 0 20}] <nil>
}
