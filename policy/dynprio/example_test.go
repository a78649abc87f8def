package dynprio_test

import (
	"encoding/json"
	"fmt"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy/dynprio"
	"github.com/schedmath/schedmath/slotmodel"
)

// Two users with jobs of 24 maps each, on six slots: user 0 bids 2 credits a slot and minute, user
// 1 one. After three minutes user 1 bids 4.
func ExamplePolicy() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 3}, {Maps: 3}}}
	jobs := []slotmodel.JobSpec{
		{User: 0, Maps: slotmodel.Phase{Tasks: 24, Work: 60}},
		{User: 1, Maps: slotmodel.Phase{Tasks: 24, Work: 60}},
	}
	m := &dynprio.Policy{
		Users:   []market.User{{Budget: 100 * market.Credit, Rate: 2 * market.Credit}, {Budget: 100 * market.Credit, Rate: market.Credit}},
		Period:  60,
		Changes: []dynprio.Change{{Time: 180, User: 1, Set: dynprio.SetRate, Amount: 4 * market.Credit}},
		Report: func(r dynprio.Report) {
			fmt.Printf("%3v s  price %v  slots %d and %d  budgets %v and %v\n", r.Time, r.Totals.Price, r.Grants[0].Slots[0], r.Grants[1].Slots[0],
				r.Grants[0].Next.Budget, r.Grants[1].Next.Budget)
		},
	}
	res, err := slotmodel.Run(cluster, jobs, m, slotmodel.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Jobs[0].Finish, res.Jobs[1].Finish)
	// Output:
	//   0 s  price 3  slots 4 and 2  budgets 100 and 100
	//  60 s  price 3  slots 4 and 2  budgets 92 and 98
	// 120 s  price 3  slots 4 and 2  budgets 84 and 96
	// 180 s  price 6  slots 2 and 4  budgets 76 and 94
	// 240 s  price 6  slots 2 and 4  budgets 72 and 78
	// 300 s  price 6  slots 2 and 4  budgets 68 and 62
	// 360 s  price 6  slots 2 and 4  budgets 64 and 46
	// 420 s  price 6  slots 4 and 2  budgets 60 and 30
	// 480 s  price 0  slots 0 and 0  budgets 52 and 22
	// 480 480
}

// A run is broken off after four minutes. A policy that is restored has the budgets and grants as
// they were.
func ExampleRestore() {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 3}, {Maps: 3}}}
	jobs := []slotmodel.JobSpec{{User: 0, Maps: slotmodel.Phase{Tasks: 24, Work: 60}}, {User: 1, Maps: slotmodel.Phase{Tasks: 24, Work: 60}}}
	users := []market.User{{Budget: 100 * market.Credit, Rate: 2 * market.Credit}, {Budget: 100 * market.Credit, Rate: market.Credit}}
	m := &dynprio.Policy{Users: users, Period: 60}
	if _, err := slotmodel.Run(cluster, jobs, m, slotmodel.Options{Until: 230}); err != nil {
		fmt.Println(err)
		return
	}
	text, err := json.Marshal(m.Snapshot())
	if err != nil {
		fmt.Println(err)
		return
	}
	var s dynprio.Snapshot
	if err := json.Unmarshal(text, &s); err != nil {
		fmt.Println(err)
		return
	}
	again, err := dynprio.Restore(s, &dynprio.Policy{Users: users, Period: 60})
	if err != nil {
		fmt.Println(err)
		return
	}
	s = again.Snapshot()
	fmt.Println("next Step at", s.Next, "s; budgets", s.Accounts[0].User.Budget, "and", s.Accounts[1].User.Budget)
	// Output: next Step at 240 s; budgets 76 and 94
}
