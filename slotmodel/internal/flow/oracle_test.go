package flow_test

import (
	"math"
	"math/big"
	"slices"
	"sort"
)

// An oracle is the model of doc.go taken word for word: rational numbers, one flow at a time, rates
// solved anew at every instant at which anything happens.
type oracle struct {
	out, in []*big.Rat // nil: no limit
	ports   []*big.Rat // the same of ports
	now     *big.Rat
	flows   []*oracleFlow // by handle given by the test
	sentOut []*big.Rat
	sentIn  []*big.Rat
	queued  *big.Rat
}

type oracleFlow struct {
	id, src, dst, weight int
	ports                []int // that it passes
	left                 *big.Rat
	marks                []oracleMark
	x                    *big.Rat // nil: no limit at all
	fixed                bool
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

func newOracle(out, in []float64) *oracle {
	o := &oracle{now: new(big.Rat), queued: new(big.Rat)}
	for i := range out {
		o.out, o.in = append(o.out, rat(out[i])), append(o.in, rat(in[i]))
		o.sentOut, o.sentIn = append(o.sentOut, new(big.Rat)), append(o.sentIn, new(big.Rat))
	}
	return o
}

// rates fills the flows' x: raise all that are not fixed by the greatest step that breaks nothing,
// fix those that are at their limit or on a full link.
func (o *oracle) rates() {
	var open []*oracleFlow
	for _, f := range o.flows {
		f.x, f.fixed = nil, true
		if f.left.Sign() > 0 {
			f.x, f.fixed = new(big.Rat), false
			open = append(open, f)
		}
	}
	for {
		// The level all open flows can reach.
		var level *big.Rat
		lower := func(x *big.Rat) {
			if x != nil && (level == nil || x.Cmp(level) < 0) {
				level = x
			}
		}
		room := func(side []*big.Rat, rack int, leaves bool) *big.Rat {
			if side[rack] == nil {
				return nil
			}
			room, w := new(big.Rat).Set(side[rack]), new(big.Rat)
			for _, f := range open {
				if f.src == f.dst || leaves && f.src != rack || !leaves && f.dst != rack {
					continue
				}
				if f.fixed {
					room.Sub(room, new(big.Rat).Mul(f.x, big.NewRat(int64(f.weight), 1)))
				} else {
					w.Add(w, big.NewRat(int64(f.weight), 1))
				}
			}
			if w.Sign() == 0 {
				return nil
			}
			return room.Quo(room, w)
		}
		portRoom := func(i int) *big.Rat {
			if o.ports[i] == nil {
				return nil
			}
			room, w := new(big.Rat).Set(o.ports[i]), new(big.Rat)
			for _, f := range open {
				switch {
				case !slices.Contains(f.ports, i):
				case f.fixed:
					room.Sub(room, new(big.Rat).Mul(f.x, big.NewRat(int64(f.weight), 1)))
				default:
					w.Add(w, big.NewRat(int64(f.weight), 1))
				}
			}
			return room.Quo(room, w)
		}
		n := 0
		rooms := map[*oracleFlow][]*big.Rat{}
		for _, f := range open {
			if f.fixed {
				continue
			}
			n++
			if f.src != f.dst {
				rooms[f] = append(rooms[f], room(o.out, f.src, true), room(o.in, f.dst, false))
			}
			for _, i := range f.ports {
				rooms[f] = append(rooms[f], portRoom(i))
			}
			for _, x := range rooms[f] {
				lower(x)
			}
		}
		if n == 0 {
			return
		}
		if level == nil {
			for _, f := range open {
				if !f.fixed {
					f.x, f.fixed = nil, true
				}
			}
			// They pass no link that has a limit, so the sums of the others do not see them.
			return
		}
		for _, f := range open {
			if f.fixed {
				continue
			}
			for _, x := range rooms[f] {
				if x != nil && x.Cmp(level) == 0 {
					f.x, f.fixed = new(big.Rat).Set(level), true
				}
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

// take removes bytes from the head of f.
func (f *oracleFlow) take(bytes *big.Rat, t *big.Rat, got *[]reached) {
	f.left = new(big.Rat).Sub(f.left, bytes)
	var rest []oracleMark
	for _, m := range f.marks {
		m.at = new(big.Rat).Sub(m.at, bytes)
		if m.at.Sign() <= 0 {
			x, _ := t.Float64()
			*got = append(*got, reached{m.ref, x})
			continue
		}
		rest = append(rest, m)
	}
	f.marks = rest
}

// advance lets time pass to t and returns the marks reached by time, then ref.
func (o *oracle) advance(t float64) []reached {
	end := new(big.Rat).SetFloat64(t)
	var got []reached
	for _, f := range o.flows {
		f.take(new(big.Rat), o.now, &got)
	}
	for {
		o.rates()
		step := new(big.Rat).Sub(end, o.now)
		for _, f := range o.flows {
			if f.left.Sign() == 0 {
				continue
			}
			r := f.rate()
			if r == nil {
				step = new(big.Rat)
				continue
			}
			// Only ends of queues change rates; marks in between are placed by take at the instant
			// computed here.
			if d := new(big.Rat).Quo(f.left, r); d.Cmp(step) < 0 {
				step = d
			}
			for _, m := range f.marks {
				if d := new(big.Rat).Quo(m.at, r); d.Cmp(step) < 0 {
					step = d
				}
			}
		}
		o.now = new(big.Rat).Add(o.now, step)
		moved := false
		for _, f := range o.flows {
			if f.left.Sign() == 0 {
				continue
			}
			bytes := f.left
			if r := f.rate(); r != nil {
				bytes = new(big.Rat).Mul(r, step)
			}
			if bytes.Sign() > 0 {
				moved = true
			}
			if f.src != f.dst {
				o.sentOut[f.src].Add(o.sentOut[f.src], bytes)
				o.sentIn[f.dst].Add(o.sentIn[f.dst], bytes)
			}
			f.take(bytes, o.now, &got)
		}
		if o.now.Cmp(end) == 0 && (step.Sign() == 0 && !moved || step.Sign() > 0 && !o.infinite()) {
			break
		}
	}
	sort.SliceStable(got, func(i, j int) bool { return got[i].t < got[j].t || got[i].t == got[j].t && got[i].ref < got[j].ref })
	return got
}

func (o *oracle) infinite() bool {
	o.rates()
	for _, f := range o.flows {
		if f.left.Sign() > 0 && f.x == nil {
			return true
		}
	}
	return false
}

func (o *oracle) open(id, src, dst, weight int) {
	o.flows = append(o.flows, &oracleFlow{id: id, src: src, dst: dst, weight: weight, left: new(big.Rat)})
}

func (o *oracle) get(id int) *oracleFlow {
	for _, f := range o.flows {
		if f.id == id {
			return f
		}
	}
	return nil
}

func (o *oracle) send(id int, bytes float64) {
	f := o.get(id)
	f.left = new(big.Rat).Add(f.left, new(big.Rat).SetFloat64(bytes))
}

func (o *oracle) mark(id int, ref int32) bool {
	f := o.get(id)
	if f.left.Sign() == 0 && len(f.marks) == 0 {
		return false
	}
	f.marks = append(f.marks, oracleMark{ref, new(big.Rat).Set(f.left)})
	return true
}

func (o *oracle) lose(id int, fraction float64) float64 {
	f := o.get(id)
	keep := new(big.Rat).Sub(big.NewRat(1, 1), new(big.Rat).SetFloat64(fraction))
	before := f.left
	f.left = new(big.Rat).Mul(f.left, keep)
	for i := range f.marks {
		f.marks[i].at = new(big.Rat).Mul(f.marks[i].at, keep)
	}
	x, _ := new(big.Rat).Sub(before, f.left).Float64()
	return x
}

func (o *oracle) close(id int) float64 {
	f := o.get(id)
	x, _ := f.left.Float64()
	for i, g := range o.flows {
		if g == f {
			o.flows = append(o.flows[:i:i], o.flows[i+1:]...)
		}
	}
	return x
}
