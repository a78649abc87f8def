package flow_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// TestOrder: marks of one instant by links, position, handle, queue; a flow within a rack passes no
// link and comes first.
func TestOrder(t *testing.T) {
	n := newNetwork(make([]rackLinks, 3))
	send := func(src, dst int, bytes float64, refs ...int32) {
		f := n.Open(src, dst, 2)
		n.Send(f, bytes)
		for _, ref := range refs {
			n.Mark(f, ref)
		}
	}
	send(2, 0, 4, 7)
	send(1, 2, 2, 5, 6)
	send(1, 1, 2, 0)
	send(0, 1, 4, 4)
	send(0, 1, 2, 1, 2)
	send(0, 1, 2, 3)
	if next := n.Next(); next != 0 {
		t.Fatalf("Next() = %v, want 0", next)
	}
	if got, want := n.Advance(nil, 0), []int32{0, 1, 2, 3, 4, 5, 6, 7}; !slices.Equal(got, want) {
		t.Fatalf("Advance(nil, 0) = %v, want %v", got, want)
	}
}

// TestSmallNextToLarge: a class whose clock stands at 1e15 bytes, where float64 has a spacing of
// 1/8, sends single bytes.
func TestSmallNextToLarge(t *testing.T) {
	n := newNetwork([]rackLinks{{Egress: 1e15}, {}, {}})
	giant := n.Open(0, 1, 1)
	n.Send(giant, 1e18)
	n.Advance(nil, 1)
	crowd := n.Open(0, 2, 1e9) // from now on x is nearly 1e6
	n.Send(crowd, 1e30)
	small := n.Open(0, 1, 1)
	const x = 1e15 / (1e9 + 2)
	for k := range 1000 {
		start := n.Now()
		n.Send(small, 1)
		n.Mark(small, 0)
		n.Advance(nil, n.Next())
		// The instants are rounded to 2^-52 near 1, a relative 2.2e-10 of the microsecond.
		if got, want := n.Now()-start, 1/x; math.Abs(got-want) > 3e-10*want {
			t.Fatalf("byte %d takes %v s, want %v", k, got, want)
		}
	}
	if got, want := n.Pending(giant), 1e18-1e15-1000; math.Abs(got-want) > 256 {
		t.Fatalf("Pending(giant) = %v, want %v within two spacings of float64", got, want)
	}
}

// TestManyPieces: marks behind one another in one flow keep their distance.
func TestManyPieces(t *testing.T) {
	n := newNetwork([]rackLinks{{Egress: 1}, {}})
	f := n.Open(0, 1, 3)
	const pieces = 200000
	for i := range pieces {
		n.Send(f, 0.1)
		n.Mark(f, int32(i))
	}
	for i := range pieces {
		refs := n.Advance(nil, n.Next())
		if want := 0.1 * float64(i+1); len(refs) != 1 || refs[0] != int32(i) || math.Abs(n.Now()-want) > 1e-13*want {
			t.Fatalf("mark %d: Advance = %v at %v, want at %v", i, refs, n.Now(), want)
		}
	}
	if n.Classes() != 0 {
		t.Fatalf("%d classes are left", n.Classes())
	}
}

// TestOneClass: 500 flows share one link, many are closed or weighed anew; the rest end in the
// order of bytes left per unit of weight.
func TestOneClass(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 13))
		n := newNetwork([]rackLinks{{Egress: 1}, {}})
		type item struct {
			ref  int32
			key  float64
			f    flow.Flow
			size float64
		}
		var items []item
		for i := range int32(500) {
			it := item{ref: i, size: 1 + 100*r.Float64(), f: n.Open(0, 1, 1)}
			it.key = it.size
			n.Send(it.f, it.size)
			n.Mark(it.f, i)
			items = append(items, it)
		}
		var left []item
		for _, i := range r.Perm(500) {
			it := items[i]
			switch r.IntN(4) {
			case 0:
				n.Close(it.f)
				continue
			case 1:
				w := 1 + r.IntN(9)
				n.Weigh(it.f, w)
				it.key = it.size / float64(w)
			}
			left = append(left, it)
		}
		slices.SortFunc(left, func(a, b item) int { return cmp.Compare(a.key, b.key) })
		got := n.Advance(nil, 1e9)
		if len(got) != len(left) {
			t.Fatalf("seed %d: %d marks, want %d", seed, len(got), len(left))
		}
		for i, ref := range got {
			if ref != left[i].ref {
				t.Fatalf("seed %d: mark %d is %d, want %d", seed, i, ref, left[i].ref)
			}
		}
	}
}

// TestNothingToDo: calls that change nothing.
func TestNothingToDo(t *testing.T) {
	n := newNetwork([]rackLinks{{Egress: 1, Ingress: 1}, {Egress: 1, Ingress: 1}})
	f := n.Open(0, 1, 1)
	n.Send(f, 0)
	n.Send(f, math.NaN())
	if n.Mark(f, 1) || n.Lose(f, 0.5) != 0 || n.Lose(f, math.NaN()) != 0 || n.Pending(f) != 0 || n.Next() != inf {
		t.Fatal("a flow with nothing queued has something to send")
	}
	n.Advance(nil, 3)
	if refs := n.Advance(nil, 2); len(refs) != 0 || n.Now() != 3 {
		t.Fatalf("Advance(nil, 2) = %v at %v, want none at 3", refs, n.Now())
	}
	n.Send(f, 5)
	n.Mark(f, 1)
	if got := n.Close(f); got != 5 {
		t.Fatalf("Close = %v, want 5", got)
	}
	if g := n.Open(1, 0, 1); g != f {
		t.Fatalf("Open = %v, want the handle %v again", g, f)
	}
	if n.Next() != inf {
		t.Fatalf("Next() = %v after Close, want +Inf", n.Next())
	}
}

var inf = math.Inf(1)

// rackLinks is what a rack can send to and receive from other racks, bytes per second; 0: no limit.
type rackLinks struct{ Egress, Ingress float64 }

// network is a Network of racks: link r is the egress of rack r, link racks + r its ingress.
type network struct {
	*flow.Network
	racks int
}

func newNetwork(racks []rackLinks) *network {
	n := &network{flow.New(), len(racks)}
	for _, r := range racks {
		n.Links(r.Egress)
	}
	for _, r := range racks {
		n.Links(r.Ingress)
	}
	return n
}

// Open opens a flow from rack src to rack dst, which passes no link within a rack.
func (n *network) Open(src, dst, weight int) flow.Flow {
	if src == dst {
		return n.Network.Open(weight)
	}
	return n.Network.Open(weight, src, n.racks+dst)
}
