package main

import (
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/ledger"
	"github.com/schedmath/schedmath/market"
)

// accounts adds up what is reserved and charged at and below each account.
func accounts(r *rand.Rand) func(loss) {
	list := make([]ledger.Account, 6)
	for i := range list {
		list[i] = ledger.Account{Parent: r.IntN(i+1) - 1, Allowance: ledger.Credits(r.IntN(50)), Carry: ledger.Credits(r.IntN(20)), Free: ledger.Credits(r.IntN(100))}
	}
	type book = *ledger.Ledger
	p := pair[book, ledger.Snapshot]{r: r, it: must(ledger.New(list)), snapshot: book.Snapshot, restore: ledger.Restore}
	// post returns the accounts after more is reserved and charged, and whether the money does.
	post := func(account int, reserved, charged ledger.Credits) (after []ledger.Account, fits bool) {
		after, fits = slices.Clone(list), true
		for i := account; i >= 0; i = list[i].Parent {
			a := &after[i]
			a.Free, a.Reserved, a.Charged = a.Free-reserved-charged, a.Reserved+reserved, a.Charged+charged
			fits = fits && a.Free >= 0
		}
		return after, fits
	}
	return func(l loss) {
		account, amount, lines := r.IntN(len(list)), ledger.Credits(r.IntN(40)), p.it.Snapshot().Lines
		operation := func(b book) error { _, err := b.Reserve(account, amount); return err }
		after, fits := post(account, amount, 0)
		if r.IntN(8) == 0 {
			operation = func(b book) error { _, err := b.NextPeriod(nil); return err }
			after, fits = slices.Clone(list), true
			for i, a := range list {
				kept := min(a.Free, a.Carry)
				after[i].Free, after[i].Expired = kept+a.Allowance, a.Expired+a.Free-kept
			}
		} else if len(lines) > 0 && r.IntN(2) == 0 {
			line := lines[r.IntN(len(lines))]
			operation = func(b book) error { return b.Settle(line.ID, amount) }
			after, fits = post(line.Account, -line.Reserved, amount)
			if line.Settled {
				amount = min(amount, line.Charged)
				operation = func(b book) error { return b.Refund(line.ID, amount) }
				after, fits = post(line.Account, 0, -amount)
			}
		}
		refused := p.do(l, func(b book) any { return operation(b) != nil }, func() {
			if fits {
				list = after
			}
		})
		same("refused", refused, !fits)
		same("accounts", p.it.Accounts(nil), list)
	}
}

// carry divides seats again and again. What a user is owed is what it has missed so far, and a
// seat goes to who is owed most.
func carry(r *rand.Rand) func(loss) {
	weights, missed := []float64{1, 2, 3, 4, 5}, make([]float64, 5)
	var owed []float64
	return func(l loss) {
		seats, total := 1+r.IntN(9), 0.0
		weights[r.IntN(len(weights))] = 1 / (1e-3 + r.Float64())
		for _, w := range weights {
			total += w
		}
		got, next, err := market.ApportionCarry(nil, nil, seats, weights, market.ApportionOptions{Carry: owed})
		must(0, err)
		if l != copyLoses {
			owed = next
		}
		for i := range weights {
			if l != plainLoses {
				missed[i] += float64(seats)*weights[i]/total - float64(got[i])
			}
		}
		for i := range weights {
			near("owed", owed[i], missed[i], 1)
			if got[i] > 0 {
				near("owed above a seat more than who got one", max(0, slices.Max(missed)-missed[i]-1), 0, 1)
			}
		}
	}
}
