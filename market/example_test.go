package market_test

import (
	"fmt"

	"github.com/schedmath/schedmath/market"
)

// The package comment's code.
func Example() {
	users := []market.User{
		{Budget: 100 * market.Credit, Rate: 4 * market.Credit, Demand: market.Slots{15}},
		{Budget: 100 * market.Credit, Rate: 3 * market.Credit / 2, Demand: market.Slots{15}},
		{Budget: 100 * market.Credit, Rate: 2 * market.Credit, Demand: market.Slots{15}},
	}
	grants, totals, err := market.Step(nil, market.Slots{15}, users, market.Options{})
	fmt.Println(totals.Price, err)
	for i, g := range grants {
		fmt.Println(g.Slots[0], g.Why[0])
		users[i] = g.Next
		users[i].Used = [2]float64{float64(g.Slots[0])}
	}
	grants, _, _ = market.Step(grants[:0], market.Slots{15}, users, market.Options{})
	for _, g := range grants {
		fmt.Println(g.Charge, g.Next.Budget)
	}
	// Output:
	// 7.5 <nil>
	// 8 share
	// 3 share
	// 4 share
	// 32 68
	// 4.5 95.5
	// 8 92
}

// Hamilton takes a seat from the fourth when there is one more to divide; Webster does not.
func ExampleApportion() {
	weights := []int{21878, 9713, 4167, 3252, 1065}
	for _, m := range []market.Method{market.Hamilton, market.Webster} {
		a, _ := market.Apportion(nil, 43, weights, market.ApportionOptions{Method: m})
		b, _ := market.Apportion(nil, 44, weights, market.ApportionOptions{Method: m})
		fmt.Println(m, a, b)
	}
	// Output:
	// Hamilton [24 10 4 4 1] [24 11 5 3 1]
	// Webster [24 10 4 4 1] [24 10 5 4 1]
}

// Shares of .25 and .75 of one slot.
func ExampleApportionCarry() {
	var seats []int
	var carry []float64
	for range 4 {
		seats, carry, _ = market.ApportionCarry(seats[:0], nil, 1, []float64{1, 3}, market.ApportionOptions{Carry: carry})
		fmt.Println(seats, carry)
	}
	// Output:
	// [0 1] [0.25 -0.25]
	// [1 0] [-0.5 0.5]
	// [0 1] [-0.25 0.25]
	// [0 1] [0 0]
}

// User 0 lacks two slots, of which one is free; user 1 has two too many.
func ExampleVictims() {
	claims := []market.Claim{
		{Share: market.Slots{3}, Held: market.Slots{1}, Pending: market.Slots{5}},
		{Share: market.Slots{1}, Held: market.Slots{3}},
	}
	running := []market.Running{{User: 0, Elapsed: 5}, {User: 1, Elapsed: 40}, {User: 1, Elapsed: 7}, {User: 1, Elapsed: 30}}
	fmt.Println(market.Victims(nil, market.Slots{1}, claims, running, market.VictimOptions{}))
	// Output: [2] <nil>
}

// rivals are a user who asks for quotes and one who bids 5.5, on 15 slots.
func rivals() ([]market.User, market.Slots) {
	return []market.User{
		{Budget: 100 * market.Credit, Demand: market.Slots{15}},
		{Budget: 1000 * market.Credit, Rate: 11 * market.Credit / 2, Demand: market.Slots{15}},
	}, market.Slots{15}
}

// 9.5 / (9.5 + 5.5) of 15 slots are 9.5, and a tie goes to the lower index.
func ExampleRateForSlots() {
	users, slots := rivals()
	q, err := market.RateForSlots(slots, users, 0, market.Slots{10}, market.Options{})
	fmt.Println(q.Rate, q.Slots[0], q.Cost, q.OK, err)
	// Output: 9.5 10 95 true <nil>
}

// 100 credits for 10 intervals.
func ExampleRateToLast() {
	users, slots := rivals()
	q, err := market.RateToLast(slots, users, 0, 10, market.Options{})
	fmt.Println(q.Rate, q.Slots[0], q.Cost, q.OK, err)
	// Output: 2.357142 4 9.428568 true <nil>
}

// 45 slot-intervals of work in 9 intervals are too dear.
func ExampleRateByDeadline() {
	users, slots := rivals()
	q, err := market.RateByDeadline(slots, users, 0, 45, 9, market.Options{})
	fmt.Println(q.Rate, q.Slots[0], q.OK, q.Why, err)
	// Output: 2.357143 5 false budget <nil>
}

// The published implementation rounds each quota by itself: of 5 slots it gives 6.
func ExampleHadoopContrib() {
	users := []market.User{
		{Budget: 100 * market.Credit, Rate: market.Credit, Demand: market.Slots{5}},
		{Budget: 100 * market.Credit, Rate: market.Credit, Demand: market.Slots{5}},
	}
	for _, o := range []market.Options{market.HadoopContrib(), {}} {
		grants, _, err := market.Step(nil, market.Slots{5}, users, o)
		fmt.Println(grants[0].Slots[0], grants[1].Slots[0], err)
	}
	// Output:
	// 3 3 <nil>
	// 3 2 <nil>
}

// 200 servers: 4800 credits a day, a tenth for users to come.
func ExampleIncomes() {
	fmt.Println(market.Incomes(nil, 200*24*market.Credit, .1, []float64{3, 2, 1}))
	// Output: [2160 1440 720] 480 <nil>
}

func ExampleInflation() {
	window := []market.Totals{
		{},
		{Revenue: 150 * market.Credit, Income: 100 * market.Credit}, // 100 slots were sold for 150 credits, out of savings
	}
	fmt.Println(market.Inflation(window, market.Slots{100}, market.Credit))
	// Output: 1.5 -0.5 <nil>
}
