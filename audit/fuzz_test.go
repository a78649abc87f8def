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

// Whatever the arguments: an InputError, or numbers of which those that cannot be negative are not,
// and debts that add up.
func FuzzShortfall(f *testing.F) {
	drawn.Seed(f, 200)
	f.Fuzz(func(t *testing.T, data []byte) {
		b := drawn.Bytes(data)
		var l log
		for range b.Below(4) {
			l.capacity = append(l.capacity, audit.Capacity{Time: float64(len(l.capacity)), Amount: b.Number()})
		}
		for i := range b.Below(6) {
			l.o.Claims = append(l.o.Claims, aging.Claim{Demand: b.Number(), Floor: b.Number(), Weight: b.Number(), Priority: b.Below(3)})
			l.o.Parents = append(l.o.Parents, b.Below(i+1)-1)
		}
		if b.Below(3) == 0 {
			l.o.Parents = nil
		}
		l.o.Floors, l.o.Until, l.o.Window = aging.Floors(b.Below(2)), b.Number()*float64(b.Below(2)), b.Number()*float64(b.Below(2))
		for range b.Below(8) {
			s := audit.Span{User: b.Below(len(l.o.Claims) + 1), From: b.Number(), Amount: b.Number()}
			s.Start = s.From + b.Number()
			s.End = s.Start + b.Number()
			l.spans = append(l.spans, s)
		}
		debts, report, err := audit.Shortfall(nil, l.capacity, l.spans, l.o)
		if err != nil {
			if !errors.Is(err, schedmath.ErrInput) || debts != nil {
				t.Fatalf("%+v: %v, %v, want nil and an InputError", l, debts, err)
			}
			return
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
	})
}
