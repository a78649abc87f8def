package flow_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// tick is the interval of the tests against the oracle: a power of two, so that multiples are exact.
const tick = 0.5

// A frozen oracle is the oracle with rates that change at multiples of tick only. A flow's left is what it may send.
type frozen struct {
	oracle
	waiting map[int]*big.Rat
	weigh   map[int]func(*oracleFlow)
}

func (o *frozen) publish() {
	for id, bytes := range o.waiting {
		f := o.get(id)
		f.left = new(big.Rat).Add(f.left, bytes)
	}
	for id, change := range o.weigh {
		change(o.get(id))
	}
	clear(o.waiting)
	clear(o.weigh)
	o.rates()
}

// run lets time pass to t; at a multiple of tick changes take effect before time passes.
func (o *frozen) run(t float64) []reached {
	end := new(big.Rat).SetFloat64(t)
	step := new(big.Rat).SetFloat64(tick)
	var got []reached
	for {
		k := new(big.Rat).Quo(o.now, step)
		if k.IsInt() {
			o.publish()
			for _, f := range o.flows {
				if f.left.Sign() > 0 && f.x == nil {
					f.take(f.left, o.now, &got)
				}
			}
		}
		if o.now.Cmp(end) >= 0 {
			break
		}
		to := new(big.Rat).Add(new(big.Rat).SetInt(new(big.Int).Quo(k.Num(), k.Denom())), big.NewRat(1, 1))
		to.Mul(to, step)
		if to.Cmp(end) > 0 {
			to = end
		}
		dt := new(big.Rat).Sub(to, o.now)
		for _, f := range o.flows {
			if f.left.Sign() == 0 || f.x == nil {
				continue
			}
			r := f.rate()
			bytes := new(big.Rat).Mul(r, dt)
			if bytes.Cmp(f.left) > 0 {
				bytes = f.left
			}
			var rest []oracleMark
			for _, m := range f.marks {
				if m.at.Cmp(bytes) <= 0 {
					x, _ := new(big.Rat).Add(o.now, new(big.Rat).Quo(m.at, r)).Float64()
					got = append(got, reached{m.ref, x})
					continue
				}
				rest = append(rest, oracleMark{m.ref, new(big.Rat).Sub(m.at, bytes)})
			}
			f.marks, f.left = rest, new(big.Rat).Sub(f.left, bytes)
		}
		o.now = to
	}
	return got
}

func (o *frozen) total(id int) *big.Rat {
	sum := new(big.Rat).Set(o.get(id).left)
	if w := o.waiting[id]; w != nil {
		sum.Add(sum, w)
	}
	return sum
}

// TestIntervalHistories runs random histories in interval mode against the frozen oracle.
func TestIntervalHistories(t *testing.T) {
	for seed := range 1500 {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		racks := 1 + r.IntN(4)
		links := topology(r, racks)
		n := flow.New(links, tick)
		var out, in []float64
		for _, l := range links {
			out, in = append(out, l.Egress), append(in, l.Ingress)
		}
		o := &frozen{oracle: *newOracle(out, in), waiting: map[int]*big.Rat{}, weigh: map[int]func(*oracleFlow){}}
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
		var gotAll, wantAll []reached
		check := func(to float64) {
			for next := n.Next(); next <= to; next = n.Next() {
				for _, ref := range n.Advance(nil, next) {
					gotAll = append(gotAll, reached{ref, next})
				}
				for r, l := range links {
					if e, i := n.Rates(r); l.Egress > 0 && e > l.Egress*(1+over) || l.Ingress > 0 && i > l.Ingress*(1+over) {
						fail("Rates(%d) = %v, %v at %v", r, e, i, next)
					}
				}
			}
			for _, ref := range n.Advance(nil, to) {
				gotAll = append(gotAll, reached{ref, to})
			}
			wantAll = append(wantAll, o.run(to)...)
			now = to
		}
		for range 15 + r.IntN(30) {
			switch r.IntN(4) {
			case 0:
				check(now + r.ExpFloat64())
			case 1:
				check(tick * math.Ceil(now/tick))
			}
			if len(flows) == 0 || r.IntN(5) == 0 {
				s, d, w, u := r.IntN(racks), r.IntN(racks), 1+r.IntN(5), drawUnit(r)
				flows = append(flows, open{id, n.Open(s, d, w, u)})
				o.open(id, s, d, w, u)
				say("open %d: %d->%d weight %d unit %v", id, s, d, w, u)
				id++
			}
			i := r.IntN(len(flows))
			f := flows[i]
			switch r.IntN(7) {
			case 0, 1, 2:
				bytes := float64(1+r.IntN(200)) / 4
				say("send %d %v", f.id, bytes)
				n.Send(f.f, bytes)
				if o.waiting[f.id] == nil {
					o.waiting[f.id] = new(big.Rat)
				}
				o.waiting[f.id].Add(o.waiting[f.id], new(big.Rat).SetFloat64(bytes))
			case 3:
				say("mark %d %d", f.id, ref)
				at := o.total(f.id)
				if got, want := n.Mark(f.f, ref), at.Sign() > 0; got != want {
					fail("Mark(%d, %d) = %v, want %v", f.id, ref, got, want)
				} else if want {
					g := o.get(f.id)
					g.marks = append(g.marks, oracleMark{ref, at})
				}
				ref++
			case 4:
				w, u := 1+r.IntN(5), drawUnit(r)
				say("weigh %d %d %v", f.id, w, u)
				n.Weigh(f.f, w, u)
				o.weigh[f.id] = func(g *oracleFlow) { g.weight, g.unit = w, rat(u) }
				// A flow's rate is frozen too; its weight in the oracle's rate() must be the frozen one until then.
			case 5:
				x := float64(r.IntN(4)) / 4
				say("lose %d %v", f.id, x)
				before := o.total(f.id)
				want := new(big.Rat).Mul(before, new(big.Rat).SetFloat64(x))
				got := n.Lose(f.f, x)
				if w, _ := want.Float64(); !close9(got, w, 1000) {
					fail("Lose(%d, %v) = %v, want %v", f.id, x, got, w)
				}
				o.lose(f.id, x)
				if w := o.waiting[f.id]; w != nil {
					w.Mul(w, new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).SetFloat64(x)))
				}
			case 6:
				say("close %d", f.id)
				w, _ := o.total(f.id).Float64()
				if got := n.Close(f.f); !close9(got, w, 1000) {
					fail("Close(%d) = %v, want %v", f.id, got, w)
				}
				o.close(f.id)
				delete(o.waiting, f.id)
				delete(o.weigh, f.id)
				flows = append(flows[:i], flows[i+1:]...)
			}
			for _, f := range flows {
				want, _ := o.total(f.id).Float64()
				if got := n.Pending(f.f); !close9(got, want, 1000) {
					fail("Pending(%d) = %v, want %v", f.id, got, want)
				}
			}
		}
		check(now + 200)
		for _, g := range [][]reached{gotAll, wantAll} {
			sort.Slice(g, func(i, j int) bool { return g[i].ref < g[j].ref })
		}
		if len(gotAll) != len(wantAll) {
			fail("marks %v, want %v", gotAll, wantAll)
		}
		for i := range gotAll {
			if gotAll[i].ref != wantAll[i].ref || !close9(gotAll[i].t, wantAll[i].t, 1) {
				fail("mark %v, want %v", gotAll[i], wantAll[i])
			}
		}
	}
}
