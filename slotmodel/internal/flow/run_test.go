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
	n       *network
	r       *rand.Rand
	racks   int
	scale   float64
	flows   []entry
	refs    []int32
	out, in []float64 // bytes queued less bytes lost, closed unsent or pending: what must have been sent
	hash    func(x float64)
	events  int
	ports   int
	ask     func() // called between changes
}

type entry struct {
	f        flow.Flow
	src, dst int
}

func newLedger(racks, flows int, scale float64, seed uint64, ports ...float64) *ledger {
	r := rand.New(rand.NewPCG(seed, 77))
	links := racksOf(r, racks)
	links[0].Egress, links[racks-1].Ingress = 0, 0
	for i := range links {
		links[i].Egress *= scale
		links[i].Ingress *= scale
	}
	l := &ledger{n: newNetwork(links), r: r, racks: racks, scale: scale, out: make([]float64, racks), in: make([]float64, racks), hash: func(float64) {}, ask: func() {}}
	if l.ports = len(ports); l.ports > 0 {
		ports = slices.Clone(ports)
		for i := range ports {
			ports[i] *= scale
		}
		l.n.Links(ports...)
	}
	l.flows = make([]entry, flows)
	for i := range l.flows {
		l.open(i)
	}
	return l
}

func (l *ledger) count(e entry, bytes float64) {
	if e.src != e.dst {
		l.out[e.src] += bytes
		l.in[e.dst] += bytes
	}
}

func (l *ledger) open(i int) {
	e := entry{src: l.r.IntN(l.racks), dst: l.r.IntN(l.racks)}
	if half := l.ports / 2; half > 0 && l.r.IntN(4) > 0 {
		out, in := -1, -1
		if l.r.IntN(3) > 0 {
			out = l.r.IntN(half)
			e.src = out % l.racks
		}
		if out < 0 || l.r.IntN(3) > 0 {
			in = l.r.IntN(half)
			e.dst = in % l.racks
			in += half
		}
		e.f = l.n.OpenAt(e.src, e.dst, out, in, 1+l.r.IntN(9))
		l.flows[i] = e
		l.send(i)
		return
	}
	e.f = l.n.Open(e.src, e.dst, 1+l.r.IntN(9))
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
	l.events++
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
	if l.ports > 0 && l.r.IntN(10) == 0 {
		capacity := inf
		if l.r.IntN(4) > 0 {
			capacity = l.scale * (1e7 + 1e9*l.r.Float64())
		}
		l.n.ResizePort(l.r.IntN(l.ports), capacity)
	}
}

// balance returns the greatest relative difference between what passed a link and what the ledger
// says.
func (l *ledger) balance() float64 {
	out, in := slices.Clone(l.out), slices.Clone(l.in)
	for _, e := range l.flows {
		if e.src != e.dst {
			p := l.n.Pending(e.f)
			out[e.src] -= p
			in[e.dst] -= p
		}
	}
	worst, allOut, allIn := 0.0, 0.0, 0.0
	for r := range l.racks {
		e, i := l.n.Sent(r)
		allOut += e
		allIn += i
		worst = max(worst, math.Abs(e-out[r])/out[r], math.Abs(i-in[r])/in[r])
	}
	return max(worst, math.Abs(allOut-allIn)/allOut)
}

// TestConservation: what enters equals what leaves and what was queued less what was not sent, and
// the error does not grow with the number of events.
func TestConservation(t *testing.T) {
	events := 1000000
	if testing.Short() {
		events = 100000
	}
	l := newLedger(5, 60, 1, 1)
	for l.events < events {
		l.step()
		if l.events == 1000 || l.events%(events/4) == 0 {
			b := l.balance()
			t.Logf("%d events, %.3g s: relative difference %.3g", l.events, l.n.Now(), b)
			if !(b < 1e-11) {
				t.Fatalf("after %d events bytes differ by %v, want below 1e-11", l.events, b)
			}
		}
	}
}

// TestPortsConserve: the same with ports, and the same instants if all bytes are scaled.
func TestPortsConserve(t *testing.T) {
	run := func(scale float64) uint64 {
		l := newLedger(5, 60, scale, 3, 1e8, 2e8, 5e7, 3e8, 1e9, 1e8, 4e8, 1e8, 2e8, 5e7, 3e8, 1e9, 1e8, 4e8)
		h := fnv.New64a()
		l.hash = func(x float64) { fmt.Fprintf(h, "%x ", math.Float64bits(x)) }
		for range 30000 {
			l.step()
		}
		if b := l.balance(); !(b < 1e-11) {
			t.Errorf("after %d events bytes differ by %v, want below 1e-11", l.events, b)
		}
		return h.Sum64()
	}
	if want, got := run(1), run(0x1p-30); got != want {
		t.Errorf("all bytes times 2^-30: hash %x, want %x", got, want)
	}
}

// TestScale: bytes and rates times a power of two, same instants bit for bit; and the same run
// twice.
func TestScale(t *testing.T) {
	run := func(scale float64) uint64 {
		l := newLedger(6, 80, scale, 2)
		h := fnv.New64a()
		l.hash = func(x float64) { fmt.Fprintf(h, "%x ", math.Float64bits(x)) }
		for range 20000 {
			l.step()
		}
		return h.Sum64()
	}
	want := run(1)
	for _, scale := range []float64{1, 0x1p-30, 0x1p40} {
		if got := run(scale); got != want {
			t.Errorf("all bytes times %v: hash %x, want %x", scale, got, want)
		}
	}
}

// TestAskingChangesNothing: a run in which rates, bytes sent and bytes pending are asked between
// all changes is the same to the bit as one in which they are not.
func TestAskingChangesNothing(t *testing.T) {
	run := func(asks bool) (uint64, int) {
		l := newLedger(5, 60, 1, 4, 1e8, 2e8, 5e7, 3e8, 1e9, 1e8, 4e8, 1e8, 2e8, 5e7)
		h := fnv.New64a()
		l.hash = func(x float64) { fmt.Fprintf(h, "%x ", math.Float64bits(x)) }
		asked := 0
		if asks {
			l.ask = func() {
				asked++
				for link := range 2*l.racks + l.ports {
					if got := l.n.Rate(link); !(got >= 0) {
						t.Fatalf("Rate(%d) = %v", link, got)
					}
					l.n.Network.Sent(link)
				}
				for _, e := range l.flows {
					l.n.Pending(e.f)
				}
			}
		}
		for range 20000 {
			l.step()
		}
		for link := range 2*l.racks + l.ports {
			l.hash(l.n.Network.Sent(link))
		}
		return h.Sum64(), asked
	}
	want, _ := run(false)
	if got, asked := run(true); got != want || asked < 20000 {
		t.Errorf("hash %x after %d questions, want %x as without", got, asked, want)
	}
}

// TestOneAdvance: a late Advance reports what stepping does, in the same order.
func TestOneAdvance(t *testing.T) {
	build := func() *network {
		r := rand.New(rand.NewPCG(5, 6))
		n := newNetwork(racksOf(r, 5))
		for i := range 200 {
			f := n.Open(r.IntN(5), r.IntN(5), 1+r.IntN(4))
			for k := range 3 {
				n.Send(f, 1e8*r.ExpFloat64())
				n.Mark(f, int32(3*i+k))
			}
		}
		return n
	}
	a, b := build(), build()
	var want []int32
	for next := a.Next(); next < inf; next = a.Next() {
		want = a.Advance(want, next)
	}
	if len(want) != 600 {
		t.Fatalf("stepping reports %d marks, want 600", len(want))
	}
	if got := b.Advance(nil, 1e9); !slices.Equal(got, want) {
		t.Fatalf("Advance(nil, 1e9) = %v, want %v", got, want)
	}
	if b.Now() != 1e9 || b.Next() != inf {
		t.Fatalf("Now() = %v, Next() = %v, want 1e9, +Inf", b.Now(), b.Next())
	}
}
