package audit_test

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/audit"
)

// Two teams of eight GPUs. The second took all of them at 0, for eight hours; the first asked for
// six at 2, and has a floor of four.
func ExampleShortfall() {
	gpus := []audit.Capacity{{Time: 0, Amount: 8}, {Time: 9, Amount: 6}} // two are lost at 9
	spans := []audit.Span{
		{User: 0, From: 2, Start: 8, End: 10, Amount: 6},
		{User: 1, From: 0, Start: 0, End: 8, Amount: 8},
		{User: 1, From: 3, Start: math.Inf(1), End: 5, Amount: 4}, // cancelled while it waited
		{User: 1, From: 9, Start: math.Inf(1), End: math.Inf(1), Amount: 1},
	}
	teams := []aging.Claim{{Floor: 4}, {}}
	debts, report, err := audit.Shortfall(nil, gpus, spans, audit.Options{Claims: teams, Until: 12})
	if err != nil {
		fmt.Println(err)
		return
	}
	for team, d := range debts {
		fmt.Printf("team %d: entitled to %g, had %g, owed %g, net %g, at worst %g from %g to %g\n",
			team, d.Entitled, d.Had, d.Owed, d.Net, d.Worst, d.WorstFrom, d.WorstTo)
	}
	fmt.Println("idle", report.Idle, "over", report.Over)
	fmt.Println(report.Pairs)
	fmt.Println(report.Text)
	// Output:
	// team 0: entitled to 35, had 12, owed 24, net 23, at worst 24 from 2 to 8
	// team 1: entitled to 43, had 64, owed 3, net -21, at worst 3 from 9 to 12
	// idle 2 over 0
	// [[0 24 0 0] [1 0 2 0]]
	// user 0 is owed most: it had 12 of 35, and 100% of what it missed was used by user 1; the worst window: user 0 missed 24 from 2 to 8
}
