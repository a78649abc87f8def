package ledger_test

import (
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
	l, err := ledger.NewLedger([]ledger.Account{
		{Free: 100 * ledger.Credit}, // the organisation
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
