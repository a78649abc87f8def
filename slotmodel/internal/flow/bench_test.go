package flow_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// BenchmarkSolve changes one weight and asks for the next instant: one solution, all classes paced
// anew.
func BenchmarkSolve(b *testing.B) {
	for _, racks := range []int{10, 20, 40} {
		for _, c := range []struct {
			name  string
			share float64 // of rack pairs that are active
			same  bool
		}{
			{"pairs=all/links=drawn", 1, false},
			{"pairs=all/links=equal", 1, true},
			{"pairs=10%", 0.1, false},
			{"pairs=1%", 0.01, false},
		} {
			b.Run(fmt.Sprintf("racks=%d/%s", racks, c.name), func(b *testing.B) {
				r := rand.New(rand.NewPCG(1, 2))
				links := racksOf(r, racks)
				if c.same {
					for i := range links {
						links[i] = rackLinks{Egress: 1e9, Ingress: 1e9}
					}
				}
				n := newNetwork(links)
				var flows []flow.Flow
				for s := range racks {
					for d := range racks {
						if s != d && r.Float64() < c.share {
							f := n.Open(s, d, 1+r.IntN(20))
							n.Send(f, 1e15*(1+r.Float64()))
							flows = append(flows, f)
						}
					}
				}
				if len(flows) == 0 {
					b.Skip("no pair")
				}
				n.Next()
				k, sum := 0, 0.0
				for b.Loop() {
					n.Weigh(flows[k%len(flows)], 1+(k+k/len(flows))%20)
					k++
					sum += n.Next()
				}
				if !(sum > 0) {
					b.Fatal(sum)
				}
			})
		}
	}
}

// BenchmarkEvent: the next flow ends, another opens between two random racks.
func BenchmarkEvent(b *testing.B) {
	for _, racks := range []int{10, 20, 40} {
		for _, flows := range []int{1e2, 1e3, 1e4, 1e5} {
			b.Run(fmt.Sprintf("racks=%d/n=%d", racks, flows), func(b *testing.B) {
				e := newEvents(racks, flows)
				for range flows {
					e.step()
				}
				for b.Loop() {
					e.step()
				}
			})
		}
	}
}

// BenchmarkMark: a flow passes a mark and gets more bytes behind others, so nothing has to be
// solved.
func BenchmarkMark(b *testing.B) {
	for _, racks := range []int{10, 40} {
		b.Run(fmt.Sprintf("racks=%d/n=10000", racks), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			n := newNetwork(racksOf(r, racks))
			flows := make([]flow.Flow, 10000)
			for i := range flows {
				flows[i] = n.Open(r.IntN(racks), r.IntN(racks), 1+r.IntN(20))
				for range 3 {
					n.Send(flows[i], 1e7*r.ExpFloat64())
					n.Mark(flows[i], int32(i))
				}
			}
			var refs []int32
			for b.Loop() {
				refs = n.Advance(refs[:0], n.Next())
				for _, i := range refs {
					n.Send(flows[i], 1e7*r.ExpFloat64())
					n.Mark(flows[i], i)
				}
			}
		})
	}
}

// BenchmarkSend: a map's output, sent to all racks as flows that still have bytes queued.
func BenchmarkSend(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	const racks = 40
	n := newNetwork(racksOf(r, racks))
	flows := make([]flow.Flow, 10000)
	for i := range flows {
		flows[i] = n.Open(r.IntN(racks), r.IntN(racks), 1+r.IntN(20))
		n.Send(flows[i], 1e7*r.ExpFloat64())
	}
	k := 0
	for b.Loop() {
		n.Send(flows[k], 1000)
		k = (k + 40) % 9999
	}
}

// events keeps a number of flows open; each sends once, is marked, and gives way to another.
type events struct {
	n     *network
	r     *rand.Rand
	racks int
	scale float64
	flows []flow.Flow
	refs  []int32
}

func newEvents(racks, flows int) *events {
	r := rand.New(rand.NewPCG(1, 0))
	e := &events{n: newNetwork(racksOf(r, racks)), r: r, racks: racks, scale: 1, flows: make([]flow.Flow, flows)}
	for i := range e.flows {
		e.start(i)
	}
	return e
}

func (e *events) start(i int) {
	s, d := e.r.IntN(e.racks), e.r.IntN(e.racks)
	f := e.n.Open(s, d, 1+e.r.IntN(20))
	e.flows[i] = f
	e.n.Send(f, 1e6+1e7*e.r.ExpFloat64())
	e.n.Mark(f, int32(i))
}

func (e *events) step() {
	e.refs = e.n.Advance(e.refs[:0], e.n.Next())
	for _, i := range e.refs {
		e.n.Close(e.flows[i])
		e.start(int(i))
	}
}
