package audit_test

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/audit"
	"github.com/schedmath/schedmath/internal/oracle/exactshares"
)

// log is the arguments of a call.
type log struct {
	capacity []audit.Capacity
	spans    []audit.Span
	o        audit.Options
}

// drawLog draws up to six nodes and twelve spans: ties, trees, floors, capacities that change, spans
// of no length or amount, and such as never start or end.
func drawLog(r *rapid.T) log {
	amount := rapid.OneOf(rapid.SampledFrom([]float64{0, 1, 1, 2, .1, .3, 16}), rapid.Float64Range(.01, 20))
	time := rapid.OneOf(rapid.Map(rapid.IntRange(-5, 20), func(k int) float64 { return float64(k) }),
		rapid.SampledFrom([]float64{.1, .3, 7.7}), rapid.Float64Range(-3, 20))
	late := func(from float64, name string) float64 {
		if rapid.IntRange(0, 4).Draw(r, name+" never") == 0 {
			return inf
		}
		return max(from, time.Draw(r, name))
	}
	var l log
	n := rapid.IntRange(1, 6).Draw(r, "nodes")
	inner := make([]bool, n)
	for i := range n {
		c := aging.Claim{Weight: amount.Draw(r, "weight"), Priority: rapid.IntRange(0, 1).Draw(r, "priority")}
		if rapid.Bool().Draw(r, "floored") {
			c.Floor = amount.Draw(r, "floor")
		}
		if rapid.IntRange(0, 3).Draw(r, "capped") == 0 {
			c.Demand = amount.Draw(r, "cap")
		}
		p := rapid.IntRange(-1, i-1).Draw(r, "parent")
		if p >= 0 {
			inner[p] = true
		}
		l.o.Claims, l.o.Parents = append(l.o.Claims, c), append(l.o.Parents, p)
	}
	l.o.Floors = aging.Floors(rapid.IntRange(0, 1).Draw(r, "floors"))
	if rapid.Bool().Draw(r, "until") {
		l.o.Until = time.Draw(r, "until")
	}
	if rapid.Bool().Draw(r, "patient") {
		l.o.Patience = rapid.SampledFrom([]float64{.1, 1, 2.5, 7, inf}).Draw(r, "patience")
	}
	if rapid.Bool().Draw(r, "limited") {
		l.o.Window = rapid.SampledFrom([]float64{.25, 1, 2, 3.3, 10, 100}).Draw(r, "window")
	}
	for range rapid.IntRange(1, 4).Draw(r, "capacities") {
		l.capacity = append(l.capacity, audit.Capacity{Time: time.Draw(r, "at"), Amount: amount.Draw(r, "capacity")})
	}
	slices.SortStableFunc(l.capacity, func(a, b audit.Capacity) int { return cmp.Compare(a.Time, b.Time) })
	for range rapid.IntRange(0, 12).Draw(r, "spans") {
		s := audit.Span{User: rapid.IntRange(0, n-1).Draw(r, "user"), From: time.Draw(r, "from"), Amount: amount.Draw(r, "amount")}
		if inner[s.User] {
			continue
		}
		if s.Start = late(s.From, "start"); math.IsInf(s.Start, 1) {
			s.End = late(s.From, "end")
		} else {
			s.End = late(s.Start, "end")
		}
		l.spans = append(l.spans, s)
	}
	return l
}

func rat(x float64) *big.Rat { return exactshares.Rat(x) }

// integral is a gap between two times, in rationals.
type stretch struct{ from, to, gap *big.Rat }

// exactAudit is an audit by definition: at each time between two instants all spans are asked anew.
type exactAudit struct {
	debts      [][4]*big.Rat // Entitled, Had, Owed, Beyond
	gaps       [][]stretch
	pairs      [][]*big.Rat
	idle, over *big.Rat
	parts      [][2]*big.Rat // of Owed, by spans that never ran and by waits beyond Patience
	whole      bool          // waits count beyond Patience
}

func (l log) exact(whole bool) exactAudit {
	n := len(l.o.Claims)
	e := exactAudit{debts: make([][4]*big.Rat, n), gaps: make([][]stretch, n), pairs: make([][]*big.Rat, n), idle: new(big.Rat), over: new(big.Rat), parts: make([][2]*big.Rat, n), whole: whole}
	for i := range n {
		e.parts[i] = [2]*big.Rat{new(big.Rat), new(big.Rat)}
		for k := range e.debts[i] {
			e.debts[i][k] = new(big.Rat)
		}
		for range n + 2 {
			e.pairs[i] = append(e.pairs[i], new(big.Rat))
		}
	}
	var instants, tired []float64
	for _, s := range l.spans {
		if s.Amount == 0 || s.From == s.End {
			continue
		}
		for _, x := range []float64{s.From, s.Start, s.End} {
			if !math.IsInf(x, 1) {
				instants = append(instants, x)
			}
		}
		if l.o.Patience > 0 && !math.IsInf(l.o.Patience, 1) {
			tired = append(tired, s.From+l.o.Patience)
		}
	}
	for i, c := range l.capacity {
		if i > 0 {
			instants = append(instants, c.Time)
		}
	}
	if l.o.Until != 0 {
		instants = append(instants, l.o.Until)
		instants = slices.DeleteFunc(instants, func(x float64) bool { return x > l.o.Until })
	}
	if len(instants) > 0 { // nobody's patience makes the audit longer
		last := slices.Max(instants)
		instants = append(instants, slices.DeleteFunc(tired, func(x float64) bool { return x > last })...)
	}
	slices.Sort(instants)
	instants = slices.Compact(instants)
	for k := 1; k < len(instants); k++ {
		e.add(l, instants[k-1], instants[k])
	}
	return e
}

func (e *exactAudit) add(l log, from, to float64) {
	length := new(big.Rat).Sub(rat(to), rat(from))
	capacity := l.capacity[0].Amount
	for _, c := range l.capacity {
		if c.Time <= from {
			capacity = c.Amount
		}
	}
	n := len(l.o.Claims)
	tree := exactshares.Tree{Parents: l.o.Parents, OnTop: l.o.Floors == aging.OnTop}
	use := make([]*big.Rat, n)
	asked := make([][3]*big.Rat, n) // by the spans of each leaf that wait: by all, by those that never run, by the late
	free, least := rat(capacity), make([]float64, n)
	for i, c := range l.o.Claims {
		demand := new(big.Rat)
		least[i] = inf
		use[i] = new(big.Rat)
		asked[i] = [3]*big.Rat{new(big.Rat), new(big.Rat), new(big.Rat)}
		for _, s := range l.spans {
			if s.From <= from && s.End >= to {
				waits, tired := s.Start > from, l.o.Patience > 0 && s.From+l.o.Patience <= from
				if s.User == i && waits && (e.whole || !tired) {
					for k, counts := range []bool{true, math.IsInf(s.Start, 1), tired} {
						if counts {
							asked[i][k].Add(asked[i][k], rat(s.Amount))
						}
					}
				}
				if s.User == i && !(waits && tired && !e.whole) {
					demand.Add(demand, rat(s.Amount))
					if waits && s.Amount > 0 {
						least[i] = min(least[i], s.Amount)
					}
				}
				if s.User == i && !waits {
					free.Sub(free, rat(s.Amount))
				}
				for j := s.User; s.Start <= from && j >= 0; j = l.o.Parents[j] {
					if j == i {
						use[i].Add(use[i], rat(s.Amount))
					}
				}
			}
		}
		if limit := rat(c.Demand); len(l.kids(i)) > 0 {
			demand = limit
		} else if c.Demand > 0 {
			demand = exactshares.Min(demand, limit)
		}
		tree.Claims = append(tree.Claims, exactshares.Claim{Demand: demand, Floor: rat(c.Floor), Weight: rat(c.Weight), Priority: c.Priority})
	}
	shares := tree.Shares(rat(capacity))
	gaps := make([]*big.Rat, n)
	positive, negative := new(big.Rat), new(big.Rat)
	for i := range n {
		gap := new(big.Rat).Sub(shares[i], use[i])
		gaps[i] = gap
		up, down := exactshares.Max(gap, new(big.Rat)), exactshares.Max(new(big.Rat).Neg(gap), new(big.Rat))
		for k, x := range []*big.Rat{shares[i], use[i], up, down} {
			e.debts[i][k].Add(e.debts[i][k], new(big.Rat).Mul(x, length))
		}
		e.gaps[i] = append(e.gaps[i], stretch{rat(from), rat(to), gap})
		if len(l.kids(i)) == 0 {
			positive.Add(positive, up)
			negative.Add(negative, down)
		}
	}
	idle := exactshares.Max(new(big.Rat).Sub(positive, negative), new(big.Rat))
	over := exactshares.Max(new(big.Rat).Sub(negative, positive), new(big.Rat))
	e.idle.Add(e.idle, new(big.Rat).Mul(idle, length))
	e.over.Add(e.over, over.Mul(over, length))
	room := free.Mul(free, rat(1+0x1p-40))
	for i := range n {
		if len(l.kids(i)) > 0 || gaps[i].Sign() <= 0 {
			continue
		}
		for k := range e.parts[i] {
			x := new(big.Rat).Mul(gaps[i], length)
			e.parts[i][k].Add(e.parts[i][k], x.Mul(x, asked[i][1+k]).Quo(x, asked[i][0]))
		}
		part := new(big.Rat).Quo(gaps[i], exactshares.Max(positive, negative))
		part.Mul(part, length)
		for j := range n {
			if len(l.kids(j)) == 0 && gaps[j].Sign() < 0 {
				e.pairs[i][j].Sub(e.pairs[i][j], new(big.Rat).Mul(part, gaps[j]))
			}
		}
		column := n + 1
		if !math.IsInf(least[i], 1) && rat(least[i]).Cmp(room) <= 0 {
			column = n
		}
		e.pairs[i][column].Add(e.pairs[i][column], part.Mul(part, idle))
	}
}

func (l log) kids(i int) (kids []int) {
	for j, p := range l.o.Parents {
		if p == i {
			kids = append(kids, j)
		}
	}
	return kids
}

// between is the integral of the gap of node i over a window.
func (e *exactAudit) between(i int, from, to *big.Rat) *big.Rat {
	sum := new(big.Rat)
	for _, s := range e.gaps[i] {
		if a, b := exactshares.Max(from, s.from), exactshares.Min(to, s.to); a.Cmp(b) < 0 {
			sum.Add(sum, new(big.Rat).Mul(s.gap, new(big.Rat).Sub(b, a)))
		}
	}
	return sum
}

// waited is how much a span waited for, within patience, between two times.
func (l log) waited(s audit.Span, from, to float64) *big.Rat {
	until := min(s.Start, s.End, to)
	if l.o.Patience > 0 {
		until = min(until, s.From+l.o.Patience)
	}
	if until <= max(from, s.From) {
		return new(big.Rat)
	}
	length := new(big.Rat).Sub(rat(until), rat(max(from, s.From)))
	return length.Mul(length, rat(s.Amount))
}

// below reports whether node i is j or below it.
func (l log) below(i, j int) bool {
	for ; i >= 0 && i != j; i = l.o.Parents[i] {
	}
	return i == j
}

// blame checks the span that is said to have waited for most in the worst window of node i.
func (l log) blame(r *rapid.T, i int, d audit.Debt) {
	best := new(big.Rat)
	for _, s := range l.spans {
		if l.below(s.User, i) {
			best = exactshares.Max(best, l.waited(s, d.WorstFrom, d.WorstTo))
		}
	}
	if d.WorstSpan < 0 {
		if best.Sign() > 0 {
			r.Fatalf("%+v: node %d: %+v, want a span that waited", l, i, d)
		}
		return
	}
	s := l.spans[d.WorstSpan]
	got := l.waited(s, d.WorstFrom, d.WorstTo)
	// Beyond rounding nobody waited for more.
	if !l.below(s.User, i) || got.Sign() == 0 || best.Mul(best, rat(1-0x1p-50)).Cmp(got) > 0 {
		r.Fatalf("%+v: node %d: %+v, which waited for %v, want a span of it with %v", l, i, d, got, best)
	}
}

// worst is the greatest integral of the gap of node i over a window no longer than limit: one end
// of the best lies at an instant, and the other does too or lies as far away as the limit allows.
func (e *exactAudit) worst(i int, limit float64) *big.Rat {
	most := new(big.Rat)
	for _, a := range e.gaps[i] {
		for _, s := range []*big.Rat{a.from, a.to} {
			for _, b := range e.gaps[i] {
				if limit == 0 || new(big.Rat).Sub(b.to, s).Cmp(rat(limit)) <= 0 {
					most = exactshares.Max(most, e.between(i, s, b.to))
				}
			}
			if limit > 0 {
				most = exactshares.Max(most, e.between(i, s, new(big.Rat).Add(s, rat(limit))))
				most = exactshares.Max(most, e.between(i, new(big.Rat).Sub(s, rat(limit)), s))
			}
		}
	}
	return most
}

// accuracy is what is promised of answers, as a part of all that anybody was entitled to or had.
const accuracy = 2e-12

func TestAgainstRationals(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := drawLog(r)
		debts, report, err := audit.Shortfall(nil, l.capacity, l.spans, l.o)
		if err != nil {
			r.Fatal(err)
		}
		e := l.exact(false)
		size := 0.
		for _, d := range debts {
			size += d.Entitled + d.Had
		}
		same := func(what string, got float64, want *big.Rat) {
			if w, _ := want.Float64(); !(math.Abs(got-w) <= accuracy*size) {
				r.Fatalf("%+v: %s is %v, want %v", l, what, got, w)
			}
		}
		left, right, idle := report.Over, report.Idle, 0.
		for i, d := range debts {
			for k, x := range []float64{d.Entitled, d.Had, d.Owed, d.Beyond} {
				same([]string{"Entitled", "Had", "Owed", "Beyond"}[k], x, e.debts[i][k])
			}
			same("Net", d.Net, new(big.Rat).Sub(e.debts[i][0], e.debts[i][1]))
			same("Worst", d.Worst, e.worst(i, l.o.Window))
			l.blame(r, i, d)
			if d.Worst > 0 {
				same("the integral over the worst window", d.Worst, e.between(i, rat(d.WorstFrom), rat(d.WorstTo)))
			}
			if !(d.WorstTo-d.WorstFrom <= cmp.Or(l.o.Window, inf)*(1+accuracy)) {
				r.Fatalf("%+v: window of %+v, want at most %v", l, d, l.o.Window)
			}
			if len(l.kids(i)) > 0 {
				if report.Pairs[i] != nil {
					r.Fatalf("%+v: pairs %v of the inner node %d", l, report.Pairs, i)
				}
				continue
			}
			same("NeverRan", d.NeverRan, e.parts[i][0])
			same("Late", d.Late, new(big.Rat))
			left, right = left+d.Owed, right+d.Beyond
			sum := 0.
			for j, x := range e.pairs[i] {
				got := 0.
				if report.Pairs[i] != nil {
					got = report.Pairs[i][j]
				}
				same("a pair", got, x)
				sum += got
				if j >= len(debts) {
					idle += got
				}
			}
			if (report.Pairs[i] != nil) != (d.Owed > 0) || !(math.Abs(sum-d.Owed) <= accuracy*d.Owed) {
				r.Fatalf("%+v: pairs %v sum up to %v, want %v", l, report.Pairs[i], sum, d.Owed)
			}
		}
		whole := l.exact(true)
		for _, d := range report.Whole {
			size += d.Entitled + d.Had
		}
		for i, d := range report.Whole {
			for k, x := range []float64{d.Entitled, d.Had, d.Owed, d.Beyond} {
				same([]string{"Entitled", "Had", "Owed", "Beyond"}[k]+" if all of each wait counts", x, whole.debts[i][k])
			}
			same("Worst if all of each wait counts", d.Worst, whole.worst(i, l.o.Window))
			if len(l.kids(i)) == 0 {
				same("NeverRan if all of each wait counts", d.NeverRan, whole.parts[i][0])
				same("Late", d.Late, whole.parts[i][1])
			}
		}
		if report.Whole == nil {
			for i, d := range debts {
				same("Owed, as all of each wait counts", d.Owed, whole.debts[i][2])
			}
		}
		same("Idle", report.Idle, e.idle)
		same("Idle by columns", idle, e.idle)
		same("Over", report.Over, e.over)
		if !(math.Abs(left-right) <= accuracy*left) {
			r.Fatalf("%+v: debts and Over are %v, surpluses and Idle %v", l, left, right)
		}
	})
}

// Who is which index, and the order of the spans, change nothing else.
func TestPermuted(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := drawLog(r)
		n := len(l.o.Claims)
		to := rapid.Permutation(slices.Collect(indices(n))).Draw(r, "permutation")
		p := log{capacity: l.capacity, spans: rapid.Permutation(l.spans).Draw(r, "spans"), o: l.o}
		p.o.Claims, p.o.Parents = make([]aging.Claim, n), make([]int, n)
		for i, j := range to {
			p.o.Claims[j], p.o.Parents[j] = l.o.Claims[i], -1
			if up := l.o.Parents[i]; up >= 0 {
				p.o.Parents[j] = to[up]
			}
		}
		for k := range p.spans {
			p.spans[k].User = to[p.spans[k].User]
		}
		before, one := shortfall(t, l.capacity, l.spans, l.o)
		after, other := shortfall(t, p.capacity, p.spans, p.o)
		size := 0.
		for _, d := range before {
			size += d.Entitled + d.Had
		}
		near := func(x, y float64) bool { return math.Abs(x-y) <= 2*accuracy*size }
		pairs := func(rows [][]float64, i, j int) float64 {
			if rows[i] == nil {
				return 0
			}
			return rows[i][j]
		}
		for i, j := range to {
			a, b := before[i], after[j]
			if !near(a.Entitled, b.Entitled) || !near(a.Had, b.Had) || !near(a.Owed, b.Owed) || !near(a.Net, b.Net) || !near(a.Worst, b.Worst) {
				r.Fatalf("%+v: node %d has %+v, and permuted by %v %+v", l, i, a, to, b)
			}
			for k, m := range to {
				if x, y := pairs(one.Pairs, i, k), pairs(other.Pairs, j, m); !near(x, y) {
					r.Fatalf("%+v: %d has %v from %d, and permuted by %v %v", l, i, x, k, to, y)
				}
			}
			for k := n; k < n+2; k++ {
				if x, y := pairs(one.Pairs, i, k), pairs(other.Pairs, j, k); !near(x, y) {
					r.Fatalf("%+v: %d has %v idle in column %d, and permuted by %v %v", l, i, x, k, to, y)
				}
			}
		}
		if !near(one.Idle, other.Idle) || !near(one.Over, other.Over) {
			r.Fatalf("%+v: Idle %v and Over %v, and permuted by %v %v and %v", l, one.Idle, one.Over, to, other.Idle, other.Over)
		}
	})
}

// Nodes without spans are entitled to nothing and change nothing, not by a bit, wherever in the tree
// they are.
func TestNodesWithoutSpans(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		l := drawLog(r)
		n := len(l.o.Claims)
		more := rapid.IntRange(1, 5).Draw(r, "more")
		at := rapid.Permutation(slices.Collect(indices(n+more))).Draw(r, "places")[:n]
		slices.Sort(at)
		p := log{capacity: l.capacity, spans: slices.Clone(l.spans), o: l.o}
		p.o.Claims, p.o.Parents = slices.Repeat([]aging.Claim{{Weight: 3, Floor: 2, Priority: 1}}, n+more), slices.Repeat([]int{-1}, n+more)
		inner := []int{-1}
		for i, j := range at {
			p.o.Claims[j] = l.o.Claims[i]
			if up := l.o.Parents[i]; up >= 0 {
				p.o.Parents[j], inner = at[up], append(inner, at[up])
			}
		}
		for j := range p.o.Parents {
			if !slices.Contains(at, j) {
				p.o.Parents[j] = rapid.SampledFrom(inner).Draw(r, "above")
			}
		}
		for k := range p.spans {
			p.spans[k].User = at[p.spans[k].User]
		}
		before, one := shortfall(t, l.capacity, l.spans, l.o)
		after, other := shortfall(t, p.capacity, p.spans, p.o)
		nothing := audit.Debt{WorstSpan: -1}
		for i, j := range at {
			if after[j] != before[i] {
				r.Fatalf("%+v: node %d has %+v, and among others %+v", l, i, before[i], after[j])
			}
			after[j] = nothing
		}
		if one.Idle != other.Idle || one.Over != other.Over || slices.ContainsFunc(after, func(d audit.Debt) bool { return d != nothing }) {
			r.Fatalf("%+v: Idle %v and Over %v, and with %v more %v, %v and %+v", l, one.Idle, one.Over, more, other.Idle, other.Over, after)
		}
	})
}

func indices(n int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}
