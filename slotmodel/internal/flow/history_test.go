package flow_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// near allows for about 2^23 roundings of 2^-53 each.
const near = 1e-9

func close9(a, b, scale float64) bool {
	return a == b || math.Abs(a-b) <= near*math.Max(math.Abs(scale), math.Max(math.Abs(a), math.Abs(b)))
}

// TestHistories runs random histories on the network and on the oracle: all rates, all marks' times,
// all bytes lost, left and sent. Links have small whole capacities, so that several fill at once, and
// some have no limit.
func TestHistories(t *testing.T) {
	cases := 2000
	if testing.Short() {
		cases = 400
	}
	for seed := range cases {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		draw := func() float64 {
			return []float64{0, math.Inf(1), 12, float64(1 + r.IntN(40)), float64(1 + r.IntN(40)), float64(1 + r.IntN(40))}[r.IntN(6)]
		}
		capacity := make([]float64, 1+r.IntN(8))
		for l := range capacity {
			capacity[l] = draw()
		}
		n, o := flow.New(capacity...), newOracle(capacity)
		now, ref, sent := 0.0, int32(0), 0.0
		var log []string
		say := func(format string, a ...any) { log = append(log, fmt.Sprintf("%g: ", now)+fmt.Sprintf(format, a...)) }
		fail := func(format string, a ...any) {
			t.Helper()
			for _, s := range log {
				t.Log(s)
			}
			t.Fatalf("seed %d, links %v: "+format, append([]any{seed, capacity}, a...)...)
		}
		advance := func(to float64) {
			var got []reached
			for next := n.Next(); next <= to; next = n.Next() {
				if next < n.Now() {
					fail("Next() = %v before Now() = %v", next, n.Now())
				}
				for _, ref := range n.Advance(nil, next) {
					got = append(got, reached{ref, next})
				}
				if n.Now() != next {
					fail("Now() = %v after Advance(%v)", n.Now(), next)
				}
			}
			for _, ref := range n.Advance(nil, to) {
				got = append(got, reached{ref, to})
			}
			want := o.advance(to)
			byRef := func(a, b reached) int { return cmp.Compare(a.ref, b.ref) }
			slices.SortStableFunc(got, byRef)
			slices.SortStableFunc(want, byRef)
			if !slices.EqualFunc(got, want, func(a, b reached) bool { return a.ref == b.ref && close9(a.t, b.t, 1) }) {
				fail("until %v marks %v, want %v", to, got, want)
			}
			now = to
		}
		for range 15 + r.IntN(40) {
			if r.IntN(3) > 0 {
				advance(now + r.ExpFloat64()*3)
			}
			if len(o.flows) == 0 || r.IntN(5) == 0 {
				f := o.drawFlow(r, n)
				say("open %d over %v, weight %d", f.f, f.links, f.weight)
			}
			f := o.flows[r.IntN(len(o.flows))]
			switch r.IntN(9) {
			case 0, 1, 2:
				bytes := float64(r.IntN(200)) / 4
				say("send %d %v", f.f, bytes)
				n.Send(f.f, bytes)
				f.send(bytes)
				sent += bytes
			case 3, 4:
				say("mark %d %d", f.f, ref)
				if got, want := n.Mark(f.f, ref), f.mark(ref); got != want {
					fail("Mark(%d, %d) = %v, want %v", f.f, ref, got, want)
				}
				ref++
			case 5:
				f.weight = 1 + r.IntN(5)
				say("weigh %d %d", f.f, f.weight)
				n.Weigh(f.f, f.weight)
			case 6:
				x := float64(r.IntN(5)) / 4
				say("lose %d %v", f.f, x)
				if got, want := n.Lose(f.f, x), f.lose(x); !close9(got, want, sent) {
					fail("Lose(%d, %v) = %v, want %v", f.f, x, got, want)
				}
			case 7:
				say("close %d", f.f)
				if got, want := n.Close(f.f), o.close(f); !close9(got, want, sent) {
					fail("Close(%d) = %v, want %v", f.f, got, want)
				}
			case 8:
				l, c := r.IntN(len(capacity)), draw()
				say("resize %d %v", l, c)
				n.Resize(l, c)
				o.capacity[l] = rat(c)
			}
			if r.IntN(3) > 0 {
				continue // several changes at once
			}
			advance(now) // marks that nothing lies before
			o.rates()
			alike := true // the same flows have something queued: rounding may end a queue a moment late
			for _, f := range o.flows {
				left, _ := f.left.Float64()
				if got := n.Pending(f.f); !close9(got, left, sent) {
					fail("Pending(%d) = %v, want %v", f.f, got, left)
				} else if (got > 0) != (left > 0) {
					alike = false
				}
			}
			for _, f := range o.flows {
				want := 0.0
				if f.x != nil {
					want, _ = f.x.Float64()
				} else if f.left.Sign() > 0 {
					want = math.Inf(1)
				}
				if got := n.RateOf(f.f); alike && !close9(got, want, 0) {
					fail("flow %d has x = %v, want %v", f.f, got, want)
				}
			}
		}
		advance(now + 100)
		for l := range capacity {
			if want, _ := o.sent[l].Float64(); !close9(n.Sent(l), want, 0) {
				fail("Sent(%d) = %v, want %v", l, n.Sent(l), want)
			}
		}
	}
}
