package flow_test

import (
	"cmp"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/slotmodel/internal/flow"
)

// An oracle is the model of doc.go taken word for word: rational numbers, one flow at a time, rates
// solved anew at every instant at which anything happens.
type oracle struct {
	capacity []*big.Rat // nil: no limit
	sent     []*big.Rat
	now      *big.Rat
	flows    []*oracleFlow
}

type oracleFlow struct {
	f      flow.Flow // in the network
	weight int
	links  []int
	left   *big.Rat
	marks  []oracleMark
	x      *big.Rat // nil: no limit at all
	fixed  bool
}

type oracleMark struct {
	ref int32
	at  *big.Rat // bytes before it
}

type reached struct {
	ref int32
	t   float64
}

func rat(x float64) *big.Rat {
	if math.IsInf(x, 1) || x == 0 {
		return nil
	}
	return new(big.Rat).SetFloat64(x)
}

func newOracle(capacity []float64) *oracle {
	o := &oracle{now: new(big.Rat)}
	for _, c := range capacity {
		o.capacity, o.sent = append(o.capacity, rat(c)), append(o.sent, new(big.Rat))
	}
	return o
}

// drawFlow opens a flow over up to five of some links, in the network and in the oracle.
func (o *oracle) drawFlow(r *rand.Rand, n *flow.Network) *oracleFlow {
	f := &oracleFlow{weight: 1 + r.IntN(6), links: r.Perm(len(o.capacity)), left: new(big.Rat)}
	f.links = f.links[:min(r.IntN(6), len(f.links))]
	f.f = n.Open(f.weight, f.links...)
	o.flows = append(o.flows, f)
	return f
}

// rates fills the flows' x: raise all that are not fixed by the greatest step that breaks nothing,
// fix those on a full link. Those that are left pass no link that has a limit.
func (o *oracle) rates() {
	for _, f := range o.flows {
		f.x, f.fixed = nil, f.left.Sign() == 0
	}
	for {
		var level *big.Rat
		var full int
		for l, c := range o.capacity {
			if c == nil {
				continue
			}
			room, w := new(big.Rat).Set(c), new(big.Rat)
			for _, f := range o.flows {
				switch {
				case !slices.Contains(f.links, l):
				case !f.fixed:
					w.Add(w, big.NewRat(int64(f.weight), 1))
				case f.x != nil:
					room.Sub(room, f.rate())
				}
			}
			if w.Sign() > 0 && (level == nil || room.Quo(room, w).Cmp(level) < 0) {
				if level == nil {
					room.Quo(room, w)
				}
				level, full = room, l
			}
		}
		if level == nil {
			return
		}
		for _, f := range o.flows {
			if !f.fixed && slices.Contains(f.links, full) {
				f.x, f.fixed = level, true
			}
		}
	}
}

// rate returns w*x, nil for no limit.
func (f *oracleFlow) rate() *big.Rat {
	if f.x == nil {
		return nil
	}
	return new(big.Rat).Mul(f.x, big.NewRat(int64(f.weight), 1))
}

// take removes bytes from the head of f and returns the marks that are reached.
func (f *oracleFlow) take(bytes *big.Rat, t *big.Rat) (got []reached) {
	f.left = new(big.Rat).Sub(f.left, bytes)
	at, _ := t.Float64()
	f.marks = slices.DeleteFunc(f.marks, func(m oracleMark) bool {
		if m.at.Sub(m.at, bytes).Sign() <= 0 {
			got = append(got, reached{m.ref, at})
			return true
		}
		return false
	})
	return got
}

// advance lets time pass to t and returns the marks reached by time, then ref. Each step ends where
// the first flow reaches a mark or the end of its queue.
func (o *oracle) advance(t float64) (got []reached) {
	end := new(big.Rat).SetFloat64(t)
	for _, f := range o.flows {
		got = append(got, f.take(new(big.Rat), o.now)...)
	}
	for {
		o.rates()
		step, next := new(big.Rat).Sub(end, o.now), o.flows[:0:0]
		for _, f := range o.flows {
			if f.left.Sign() == 0 {
				continue
			}
			next = append(next, f)
			if f.x == nil {
				step = new(big.Rat)
				continue
			}
			d := new(big.Rat).Set(f.left)
			for _, m := range f.marks {
				if m.at.Cmp(d) < 0 {
					d.Set(m.at)
				}
			}
			if d.Quo(d, f.rate()); d.Cmp(step) < 0 {
				step = d
			}
		}
		o.now = new(big.Rat).Add(o.now, step)
		again := false // something unlimited was sent, or something else has changed
		for _, f := range next {
			bytes := f.left
			if f.x != nil {
				bytes = new(big.Rat).Mul(f.rate(), step)
			}
			for _, l := range f.links {
				o.sent[l].Add(o.sent[l], bytes)
			}
			had := len(got)
			got = append(got, f.take(bytes, o.now)...)
			again = again || f.x == nil || f.left.Sign() == 0 || len(got) > had
		}
		if !again && o.now.Cmp(end) == 0 {
			slices.SortStableFunc(got, func(a, b reached) int { return cmp.Or(cmp.Compare(a.t, b.t), cmp.Compare(a.ref, b.ref)) })
			return got
		}
	}
}

func (f *oracleFlow) send(bytes float64) {
	f.left = new(big.Rat).Add(f.left, new(big.Rat).SetFloat64(bytes))
}

func (f *oracleFlow) mark(ref int32) bool {
	if f.left.Sign() == 0 && len(f.marks) == 0 {
		return false
	}
	f.marks = append(f.marks, oracleMark{ref, new(big.Rat).Set(f.left)})
	return true
}

func (f *oracleFlow) lose(fraction float64) float64 {
	keep := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).SetFloat64(fraction))
	before := f.left
	f.left = new(big.Rat).Mul(f.left, keep)
	for i := range f.marks {
		f.marks[i].at.Mul(f.marks[i].at, keep)
	}
	x, _ := new(big.Rat).Sub(before, f.left).Float64()
	return x
}

func (o *oracle) close(f *oracleFlow) float64 {
	x, _ := f.left.Float64()
	o.flows = slices.DeleteFunc(o.flows, func(g *oracleFlow) bool { return g == f })
	return x
}
