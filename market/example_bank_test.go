package market_test

import (
	"encoding/json"
	"fmt"

	"github.com/schedmath/schedmath/ledger"
	"github.com/schedmath/schedmath/market"
)

// Two users of a team share its 30 credits, of which the organisation above has only 20.
func ExampleBank() {
	l, err := ledger.NewLedger([]ledger.Account{{Free: 20 * market.Credit}, {Parent: 0, Free: 30 * market.Credit}})
	if err != nil {
		panic(err)
	}
	bank, err := market.NewBank(l, []int{1, 1})
	if err != nil {
		panic(err)
	}
	users := []market.User{{Rate: market.Credit, Demand: market.Slots{10}}, {Rate: market.Credit, Demand: market.Slots{10}}}
	for range 3 {
		grants, _, err := bank.Step(nil, market.Slots{12}, users, market.Options{})
		if err != nil {
			panic(err)
		}
		for i, g := range grants {
			users[i] = g.Next
			users[i].Used[0] = float64(g.Slots[0]) // all slots are held
		}
		accounts := bank.Ledger().Accounts(nil)
		fmt.Println(grants[0].Slots[0], grants[1].Slots[0], "slots;", accounts[0].Free, "free above,", accounts[1].Free, "in the team")
	}
	// Output:
	// 6 6 slots; 8 free above, 18 in the team
	// 4 4 slots; 0 free above, 10 in the team
	// 0 0 slots; 0 free above, 10 in the team
}

// The bank and the users that the last Step gave back are stored together.
func ExampleRestoreBank() {
	l, err := ledger.NewLedger([]ledger.Account{{Free: 20 * market.Credit}})
	if err != nil {
		panic(err)
	}
	bank, err := market.NewBank(l, []int{0})
	if err != nil {
		panic(err)
	}
	users := []market.User{{Rate: market.Credit, Demand: market.Slots{5}}}
	grants, _, err := bank.Step(nil, market.Slots{5}, users, market.Options{})
	if err != nil {
		panic(err)
	}
	users[0] = grants[0].Next
	text, err := json.Marshal([]any{bank.Snapshot(), users})
	if err != nil {
		panic(err)
	}
	var s market.BankSnapshot
	if err := json.Unmarshal(text, &[2]any{&s, &users}); err != nil {
		panic(err)
	}
	bank, err = market.RestoreBank(s)
	fmt.Println(err)
	users[0].Used[0] = 3
	grants, _, err = bank.Step(nil, market.Slots{5}, users, market.Options{})
	fmt.Println("charged", grants[0].Charge, err)
	// Output:
	// <nil>
	// charged 3 <nil>
}
