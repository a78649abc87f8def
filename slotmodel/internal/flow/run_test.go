package flow_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// A ledger runs a network with everything the caller can do and keeps account of bytes by link.
type ledger struct {
	n        *flow.Network
	r        *rand.Rand
	scale    float64
	capacity []float64
	flows    []entry
	refs     []int32
	queued   []float64 // bytes queued less bytes lost or closed unsent, by link
	hash     func(x float64)
	ask      func() // called between changes
}

type entry struct {
	f     flow.Flow
	links []int
}

func newLedger(scale float64, seed uint64) *ledger {
	l := &ledger{r: rand.New(rand.NewPCG(seed, 77)), scale: scale, capacity: make([]float64, 24), queued: make([]float64, 24), hash: func(float64) {}, ask: func() {}}
	for i := range l.capacity {
		l.capacity[i] = scale * (5e7 + 1e9*l.r.Float64())
	}
	l.capacity[3] = 0
	l.n = flow.New(l.capacity...)
	l.flows = make([]entry, 60)
	for i := range l.flows {
		l.open(i)
	}
	return l
}

func (l *ledger) count(e entry, bytes float64) {
	for _, i := range e.links {
		l.queued[i] += bytes
	}
}

// open opens a flow over at most one link of each five.
func (l *ledger) open(i int) {
	e := entry{links: l.flows[i].links[:0]}
	for k := range 4 {
		if l.r.IntN(3) > 0 {
			e.links = append(e.links, 6*k+l.r.IntN(6))
		}
	}
	e.f = l.n.Open(1+l.r.IntN(9), e.links...)
	l.flows[i] = e
	l.send(i)
}

func (l *ledger) send(i int) {
	e := l.flows[i]
	bytes := l.scale * (1e5 + 1e7*l.r.ExpFloat64())
	l.n.Send(e.f, bytes)
	l.count(e, bytes)
	if l.r.IntN(3) > 0 {
		l.n.Mark(e.f, int32(i))
	}
}

// step reaches the next instant and makes a few changes.
func (l *ledger) step() {
	t := l.n.Next()
	if math.IsInf(t, 1) {
		t = l.n.Now()
	}
	l.refs = l.n.Advance(l.refs[:0], t)
	l.hash(t)
	for _, ref := range l.refs {
		l.hash(float64(ref))
		l.send(int(ref))
	}
	l.ask()
	i := l.r.IntN(len(l.flows))
	e := l.flows[i]
	switch l.r.IntN(10) {
	case 0:
		l.count(e, -l.n.Close(e.f))
		l.ask()
		l.open(i)
	case 1:
		l.n.Weigh(e.f, 1+l.r.IntN(9))
	case 2:
		lost := l.n.Lose(e.f, l.r.Float64())
		l.hash(lost / l.scale)
		l.count(e, -lost)
	case 3, 4, 5, 6:
		l.send(i)
	}
	l.ask()
	if l.r.IntN(10) == 0 {
		l.n.Resize(l.r.IntN(len(l.capacity)), []float64{inf, l.scale * (1e7 + 1e9*l.r.Float64())}[min(1, l.r.IntN(4))])
	}
}

// balance returns the greatest relative difference between what passed a link and what the ledger
// says.
func (l *ledger) balance() (worst float64) {
	want := slices.Clone(l.queued)
	for _, e := range l.flows {
		for _, i := range e.links {
			want[i] -= l.n.Pending(e.f)
		}
	}
	for i := range want {
		worst = max(worst, math.Abs(l.n.Sent(i)-want[i])/want[i])
	}
	return worst
}

// In a long run each link has carried what was queued less what was not sent, with an error that does
// not grow with the number of events. The instants, marks and bytes lost are the same to the bit if
// all bytes and rates are scaled by a power of two, and if rates, bytes sent and bytes pending are
// asked between all changes.
func TestLedger(t *testing.T) {
	run := func(scale float64, asks bool) uint64 {
		events, asked := 20000, 0
		if scale == 1 && !asks && !testing.Short() {
			events = 100000
		}
		l, h := newLedger(scale, 1), fnv.New64a()
		var sum uint64
		l.hash = func(x float64) { fmt.Fprintf(h, "%x ", math.Float64bits(x)) }
		if asks {
			l.ask = func() {
				asked++
				for i := range l.capacity {
					if got := l.n.Rate(i); !(got >= 0) {
						t.Fatalf("Rate(%d) = %v", i, got)
					}
					l.n.Sent(i)
				}
				l.n.Pending(l.flows[asked%len(l.flows)].f)
			}
		}
		for k := range events {
			if l.step(); k == 999 || k == 19999 || k == events-1 {
				if b := l.balance(); !(b < 1e-11) {
					t.Fatalf("scale %v: after %d events bytes differ by %v, want below 1e-11", scale, k+1, b)
				}
			}
			if k == 19999 {
				sum = h.Sum64()
			}
		}
		return sum
	}
	want := run(1, false)
	for _, scale := range []float64{0x1p-30, 0x1p40} {
		if got := run(scale, scale < 1); got != want {
			t.Errorf("all bytes times %v: hash %x, want %x", scale, got, want)
		}
	}
}

// Nothing is allocated per event once pools have grown.
func TestAllocs(t *testing.T) {
	l := newLedger(1, 3)
	l.refs = make([]int32, 0, 1000)
	for range 50000 {
		l.step()
	}
	if got := testing.AllocsPerRun(20, func() {
		for range 1000 {
			l.step()
		}
	}); got >= 1 {
		t.Errorf("1000 events allocate %v times, want 0", got)
	}
}
