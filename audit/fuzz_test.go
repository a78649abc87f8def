package audit_test

import (
	"errors"
	"math"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/audit"
	"github.com/schedmath/schedmath/internal/oracle/drawn"
)

// Whatever the arguments, everyday ones in half of the cases: an InputError, or numbers of which those that cannot be negative are not,
// and debts that add up.
func FuzzShortfall(f *testing.F) {
	drawn.Fuzz(f, 400, 50, func(t *testing.T, b drawn.Bytes) bool {
		number := b.Number
		if b.Below(2) == 0 {
			number = func() float64 { return float64(b.Below(64)) / 4 }
		}
		var l log
		for range (b.Below(16) + 4) / 5 { // seldom none
			l.capacity = append(l.capacity, audit.Capacity{Time: float64(len(l.capacity)), Amount: number()})
		}
		for i := range b.Below(6) {
			l.o.Claims = append(l.o.Claims, aging.Claim{Demand: number(), Floor: number(), Weight: number(), Priority: b.Below(3)})
			l.o.Parents = append(l.o.Parents, b.Below(i+1)-1)
		}
		if b.Below(2) == 0 {
			l.o.Parents = nil
		}
		l.o.Floors, l.o.Until, l.o.Window = aging.Floors(b.Below(2)), number()*float64(b.Below(2)), number()*float64(b.Below(2))
		l.o.Patience = number() * float64(b.Below(2))
		for range b.Below(8) {
			s := audit.Span{User: b.Below(max(len(l.o.Claims), 1)), From: number(), Amount: number()}
			if b.Below(32) == 0 {
				s.User++
			}
			s.Start = s.From + number()
			s.End = s.Start + number()
			l.spans = append(l.spans, s)
		}
		debts, report, err := audit.Shortfall(nil, l.capacity, l.spans, l.o)
		if err != nil {
			if !errors.Is(err, schedmath.ErrInput) || debts != nil {
				t.Fatalf("%+v: %v, %v, want nil and an InputError", l, debts, err)
			}
			return false
		}
		least := func(x, low float64) {
			if !(x >= low && x <= math.MaxFloat64) {
				t.Errorf("%+v: %v, want %v or more: %+v %+v", l, x, low, debts, report)
			}
		}
		least(report.Idle, 0)
		least(report.Over, 0)
		for i, d := range debts {
			least(d.Entitled, 0)
			least(d.Had, 0)
			least(d.Owed, 0)
			least(d.Beyond, 0)
			least(d.Net, -d.Beyond)
			least(d.Worst, 0)
			least(d.WorstTo, d.WorstFrom)
			sum := 0.
			for _, x := range report.Pairs[i] {
				least(x, 0)
				sum += x
			}
			if report.Pairs[i] != nil && !(math.Abs(sum-d.Owed) <= accuracy*d.Owed) {
				t.Errorf("%+v: pairs %v, want a sum of %v", l, report.Pairs[i], d.Owed)
			}
		}
		return len(l.spans) > 1 && len(debts) > 1
	})
}
