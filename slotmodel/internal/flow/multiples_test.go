package flow_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// TestIntervalByHand: one link of 10 bytes/s, interval 1 s.
func TestIntervalByHand(t *testing.T) {
	n := flow.New([]flow.Link{{Egress: 10}, {}}, 1)
	a, b := n.Open(0, 1, 1, 0), n.Open(0, 1, 1, 0)
	n.Send(a, 12)
	n.Mark(a, 1)
	n.Advance(nil, 0.5)
	if got := n.Pending(a); got != 7 {
		t.Fatalf("Pending(a) = %v at 0.5, want 7: what is sent at a multiple flows at once", got)
	}
	n.Send(b, 20) // flows from 1 on
	n.Mark(b, 2)
	for _, want := range []struct {
		t      float64
		refs   string
		egress float64
	}{
		{1, "[]", 10},   // b starts: 5 each
		{1.4, "[1]", 5}, // a's last 2 bytes; its half stays unused
		{2, "[]", 10},   // b has 15 left
		{3.5, "[2]", 0},
		{inf, "[]", 0},
	} {
		next := n.Next()
		if next != want.t {
			t.Fatalf("Next() = %v at %v, want %v", next, n.Now(), want.t)
		}
		if got := fmt.Sprint(n.Advance(nil, next)); got != want.refs {
			t.Fatalf("Advance(%v) = %v, want %v", next, got, want.refs)
		}
		if got, _ := n.Rates(0); got != want.egress {
			t.Fatalf("Rates(0) = %v at %v, want %v", got, next, want.egress)
		}
	}
	if out, _ := n.Sent(0); !close9(out, 32, 0) {
		t.Fatalf("Sent(0) = %v, want 32", out)
	}
}

// TestMultiples: k*interval counts as a multiple of the interval although the quotient is rounded.
func TestMultiples(t *testing.T) {
	for _, interval := range []float64{0.1, 0.3, 1.0 / 7, 1e-9, 3} {
		n := flow.New([]flow.Link{{Egress: 1}, {}}, interval)
		f := n.Open(0, 1, 1, 0)
		for k := range 2000 {
			at := float64(k) * interval
			n.Advance(nil, at)
			n.Send(f, 0.5*interval)
			if out, _ := n.Rates(0); out != 1 {
				t.Fatalf("interval %v: what is sent at %d times it, %v, does not flow at once", interval, k, at)
			}
			if end := n.Next(); !(end > at && end < at+0.75*interval) {
				t.Fatalf("interval %v: Next() = %v at %v, want half an interval later", interval, end, at)
			}
			n.Advance(nil, n.Next())
			if next := n.Next(); next != inf {
				t.Fatalf("interval %v: Next() = %v at %v with nothing queued, want +Inf", interval, next, n.Now())
			}
			n.Send(f, 0.25*interval) // flows from the next multiple on, and is through before the one after
			if next, want := n.Next(), float64(k+1)*interval; next != want {
				t.Fatalf("interval %v: Next() = %v at %v, want %v", interval, next, n.Now(), want)
			}
			n.Close(f)
			f = n.Open(0, 1, 1, 0)
		}
	}
}

// TestLastWeightCounts: a weight set while nothing flows replaces one that waits.
func TestLastWeightCounts(t *testing.T) {
	n := flow.New([]flow.Link{{Egress: 12}, {}}, 1)
	a, b := n.Open(0, 1, 1, 0), n.Open(0, 1, 1, 0)
	n.Send(a, 3)
	n.Advance(nil, 0.125)
	n.Weigh(a, 5, 0)
	n.Advance(nil, 0.5) // a's queue is empty
	n.Weigh(a, 2, 0)
	n.Send(a, 100)
	n.Send(b, 100)
	n.Advance(nil, 2)
	if got, want := n.Pending(a), 92.0; got != want {
		t.Fatalf("Pending(a) = %v, want %v: two thirds of the link for a second", got, want)
	}
}

var inf = math.Inf(1)

// TestIntervalConverges: the marks of one history come nearer to the exact instants as the interval shrinks.
func TestIntervalConverges(t *testing.T) {
	const flows = 300
	ends := func(interval float64) []float64 {
		r := rand.New(rand.NewPCG(3, 4))
		const racks = 6
		n := flow.New(racksOf(r, racks), interval)
		end := make([]float64, flows)
		now := 0.0
		advance := func(to float64) {
			for next := n.Next(); next <= to && next < inf; next = n.Next() {
				for _, ref := range n.Advance(nil, next) {
					end[ref] = next
				}
			}
			if to < inf {
				n.Advance(nil, to)
			}
		}
		for i := range flows {
			now += 0.05 * r.ExpFloat64()
			advance(now)
			f := n.Open(r.IntN(racks), r.IntN(racks), 1+r.IntN(5), 4e8)
			n.Send(f, 1e7+1e8*r.ExpFloat64())
			n.Mark(f, int32(i))
		}
		advance(inf)
		return end
	}
	exact := ends(0)
	last := inf
	for _, interval := range []float64{1, 0.1, 0.01, 1e-3, 1e-4} {
		sum, late := 0.0, 0.0
		for i, e := range ends(interval) {
			if !(e > 0) {
				t.Fatalf("interval %v: mark %d was not reached", interval, i)
			}
			sum += math.Abs(e - exact[i])
			late = max(late, math.Abs(e-exact[i]))
		}
		mean := sum / flows
		t.Logf("interval %v: mean difference %.3g s, greatest %.3g s", interval, mean, late)
		if !(mean < last/4) {
			t.Errorf("interval %v: mean difference %v s, with ten times the interval %v s", interval, mean, last)
		}
		last = mean
	}
	if last > 1e-2 {
		t.Errorf("mean difference %v s at the shortest interval", last)
	}
}
