package flow_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// near allows for about 2^23 roundings of 2^-53 each.
const near = 1e-9

func close9(a, b, scale float64) bool {
	return a == b || math.Abs(a-b) <= near*math.Max(math.Abs(scale), math.Max(math.Abs(a), math.Abs(b)))
}

// topology draws racks' capacities; some links have no limit.
func topology(r *rand.Rand, racks int) []rackLinks {
	links := make([]rackLinks, racks)
	c := func() float64 {
		switch r.IntN(8) {
		case 0:
			return 0
		case 1:
			return math.Inf(1)
		case 2:
			return 12
		}
		return float64(1 + r.IntN(40))
	}
	for i := range links {
		links[i] = rackLinks{Egress: c(), Ingress: c()}
	}
	return links
}

// TestHistories runs random histories on the network and on the oracle: all marks' times, all bytes
// lost, left and sent. Half of them have ports, whose capacities change.
func TestHistories(t *testing.T) {
	cases := 4000
	if testing.Short() {
		cases = 400
	}
	for seed := range cases {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		racks := 1 + r.IntN(4)
		links := topology(r, racks)
		n := newNetwork(links)
		var out, in []float64
		for _, l := range links {
			out, in = append(out, l.Egress), append(in, l.Ingress)
		}
		o := newOracle(out, in)
		var ports []float64
		draw := func() float64 {
			if r.IntN(5) == 0 {
				return inf
			}
			return 1 + float64(r.IntN(40))
		}
		if seed%2 == 1 {
			ports = drawPorts(r, racks, draw)
			n.Links(ports...)
			for _, c := range ports {
				o.ports = append(o.ports, rat(c))
			}
		}
		type open struct {
			id int
			f  flow.Flow
		}
		var flows []open
		now, ref, id := 0.0, int32(0), 0
		var log []string
		say := func(format string, a ...any) { log = append(log, fmt.Sprintf("%g: ", now)+fmt.Sprintf(format, a...)) }
		fail := func(format string, a ...any) {
			t.Helper()
			for _, s := range log {
				t.Log(s)
			}
			t.Fatalf("seed %d, racks %v: "+format, append([]any{seed, links}, a...)...)
		}
		var sentMax float64
		check := func(to float64) {
			var got []reached
			for {
				next := n.Next()
				if next < n.Now() {
					fail("Next() = %v before Now() = %v", next, n.Now())
				}
				if next > to {
					break
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
			key := func(g []reached) func(i, j int) bool { return func(i, j int) bool { return g[i].ref < g[j].ref } }
			sort.SliceStable(got, key(got))
			sort.SliceStable(want, key(want))
			if len(got) != len(want) {
				fail("until %v marks %v, want %v", to, got, want)
			}
			for i := range got {
				if got[i].ref != want[i].ref || !close9(got[i].t, want[i].t, 1) {
					fail("until %v mark %v, want %v", to, got[i], want[i])
				}
			}
			now = to
		}
		for range 15 + r.IntN(40) {
			if r.IntN(3) > 0 {
				check(now + r.ExpFloat64()*3)
			}
			if len(flows) == 0 || r.IntN(5) == 0 {
				s, d, w := r.IntN(racks), r.IntN(racks), 1+r.IntN(5)
				if len(ports) == 0 {
					flows = append(flows, open{id, n.Open(s, d, w)})
					o.open(id, s, d, w)
				} else {
					x := drawEnds(r, n, racks, len(ports), 5)
					x.openIn(o, id)
					flows = append(flows, open{id, x.f})
					s, d, w = x.src, x.dst, x.weight
					say("ports %d, %d", x.out, x.in)
				}
				say("open %d: %d->%d weight %d", id, s, d, w)
				id++
			}
			i := r.IntN(len(flows))
			f := flows[i]
			switch r.IntN(8) {
			case 0, 1, 2:
				bytes := float64(r.IntN(200)) / 4
				say("send %d %v", f.id, bytes)
				n.Send(f.f, bytes)
				o.send(f.id, bytes)
				sentMax += bytes
			case 3, 4:
				say("mark %d %d", f.id, ref)
				if got, want := n.Mark(f.f, ref), o.mark(f.id, ref); got != want {
					fail("Mark(%d, %d) = %v, want %v", f.id, ref, got, want)
				}
				ref++
			case 5:
				w := 1 + r.IntN(5)
				say("weigh %d %d", f.id, w)
				n.Weigh(f.f, w)
				o.get(f.id).weight = w
			case 6:
				x := float64(r.IntN(5)) / 4
				say("lose %d %v", f.id, x)
				got, want := n.Lose(f.f, x), o.lose(f.id, x)
				if !close9(got, want, sentMax) {
					fail("Lose(%d, %v) = %v, want %v", f.id, x, got, want)
				}
			case 7:
				say("close %d", f.id)
				if got, want := n.Close(f.f), o.close(f.id); !close9(got, want, sentMax) {
					fail("Close(%d) = %v, want %v", f.id, got, want)
				}
				flows = append(flows[:i], flows[i+1:]...)
			}
			if len(ports) > 0 && r.IntN(4) == 0 {
				i, c := r.IntN(len(ports)), draw()
				say("resize %d %v", i, c)
				n.ResizePort(i, c)
				o.ports[i] = rat(c)
			}
			for _, f := range flows {
				left, _ := o.get(f.id).left.Float64()
				if got := n.Pending(f.f); !close9(got, left, sentMax) {
					fail("Pending(%d) = %v, want %v", f.id, got, left)
				}
			}
		}
		check(now + 100)
		for i := range links {
			e, g := n.Sent(i)
			we, _ := o.sentOut[i].Float64()
			wg, _ := o.sentIn[i].Float64()
			if !close9(e, we, 0) || !close9(g, wg, 0) {
				fail("Sent(%d) = %v, %v, want %v, %v", i, e, g, we, wg)
			}
		}
	}
}
