package market_test

import (
	"fmt"

	"github.com/schedmath/schedmath/market"
)

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
