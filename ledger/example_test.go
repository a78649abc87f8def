package ledger_test

import (
	"encoding/json"
	"fmt"

	"github.com/schedmath/schedmath/ledger"
)

// Money as text.
func ExampleParseCredits() {
	c, err := ledger.ParseCredits("12.5")
	fmt.Println(int64(c), c, err)
	sum, ok := c.Add(ledger.Credit)
	fmt.Println(sum, ok)
	// Output:
	// 12500000 12.5 <nil>
	// 13.5 true
}

func ExampleLedger() {
	l, err := ledger.New([]ledger.Account{
		{Parent: -1, Free: 100 * ledger.Credit},                                                         // the organisation
		{Parent: 0, Free: 60 * ledger.Credit, Allowance: 60 * ledger.Credit, Carry: 10 * ledger.Credit}, // a team
	})
	if err != nil {
		panic(err)
	}
	job, err := l.Reserve(1, 50*ledger.Credit)
	fmt.Println(job, err)
	_, err = l.Reserve(1, 20*ledger.Credit)
	fmt.Println(err)
	fmt.Println(l.Settle(job, 40*ledger.Credit), l.Refund(job, 5*ledger.Credit))
	statement, err := l.NextPeriod(nil)
	fmt.Println(statement[0].Charged, statement[0].Refunded, err)
	team := l.Snapshot().Accounts[1]
	fmt.Println(team.Free, team.Expired)
	// Output:
	// 0 <nil>
	// ledger: account 1 has 10 credits too few
	// <nil> <nil>
	// 35 5 <nil>
	// 70 15
}

// A ledger that is stored while a grant is open.
func ExampleRestore() {
	l, err := ledger.New([]ledger.Account{{Parent: -1, Free: 10 * ledger.Credit}})
	if err != nil {
		panic(err)
	}
	job, err := l.Reserve(0, 4*ledger.Credit)
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(l.Snapshot())
	if err != nil {
		panic(err)
	}
	var s ledger.Snapshot
	if err := json.Unmarshal(text, &s); err != nil {
		panic(err)
	}
	l, err = ledger.Restore(s)
	fmt.Println(err, l.Settle(job, 3*ledger.Credit))
	fmt.Println(l.Accounts(nil)[0].Free)
	// Output:
	// <nil> <nil>
	// 7
}

// What 1,000 slots at 1.25 credits cost, and what is left of 2,000. Sums that int64 cannot hold are
// told.
func ExampleCredits_Mul() {
	rate, err := ledger.ParseCredits("1.25")
	if err != nil {
		panic(err)
	}
	cost, ok := rate.Mul(1000)
	fmt.Println(cost, ok)
	left, ok := (2000 * ledger.Credit).Sub(cost)
	fmt.Println(left, ok)
	_, ok = cost.Mul(1 << 40)
	fmt.Println(ok)
	// Output:
	// 1250 true
	// 750 true
	// false
}
