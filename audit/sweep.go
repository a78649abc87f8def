package audit

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/exact"
	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/tree"
)

// event is the time at which a span arrives, starts or ends, or the capacity changes.
type event struct {
	at    float64
	kind  kind
	index int // of the span or the capacity
}

type kind uint8

const (
	arrives kind = iota
	starts
	ends
	tires // waits for longer than Patience
	resizes
)

// sweep passes through the log from event to event.
type sweep struct {
	Options
	whole    bool // all of each wait counts, and Patience tells one part of them from the other
	spans    []Span
	capacity []Capacity
	leaf     []bool
	most     []float64 // what each leaf is entitled to at most

	// As of the last event:
	claims      []aging.Claim // with the demands
	amount      float64       // of the capacity
	demand, use []exact.Sum   // of each leaf: sums that come back to 0
	never, late []exact.Sum   // of each leaf: what its spans that wait ask for and never run, or have waited for longer than Patience
	used        exact.Sum     // by all leaves
	waiting     []heap.Heap   // of each leaf: its spans that wait, by Amount
	place       []int32       // of each span in its heap
	changed     bool          // demands or the capacity, since entitlements were computed
	active      active

	// Since the time now; 0 of a node that is not active:
	now           float64
	entitled, had []float64
	next          [2][]float64    // what follows them
	fits          []bool          // the smallest span of the leaf that waits would fit into what is free
	parts         [2][][2]float64 // of what the leaf waits for, by never and late; what follows them

	accounts      []account
	idle, over    dd.T
	pairs         [][]float64
	gaps          []float64
	owed, holders []int // leaves whose gaps are above and below 0
}

// account is what is integrated for one node.
type account struct {
	entitled, had, owed, beyond dd.T
	parts                       [2]dd.T // of owed, by never and late
	worst                       window
}

func (a *account) debt() Debt {
	w := &a.worst
	return Debt{
		Entitled: a.entitled.Float(), Had: a.had.Float(), Owed: a.owed.Float(), Beyond: a.beyond.Float(),
		// Entitled - Had but for gaps that are rounding.
		Net:   a.owed.Sub(a.beyond).Float(),
		Worst: w.most.Float(), WorstFrom: w.from, WorstTo: w.to,
		NeverRan: a.parts[0].Float(), Late: a.parts[1].Float(),
	}
}

func newSweep(capacity []Capacity, spans []Span, claims []aging.Claim, t tree.Tree, o Options) *sweep {
	n := len(claims)
	s := &sweep{
		Options: o, spans: spans, capacity: capacity, leaf: make([]bool, n), most: make([]float64, n),
		claims: claims, amount: capacity[0].Amount, demand: make([]exact.Sum, n), use: make([]exact.Sum, n),
		entitled: make([]float64, n), had: make([]float64, n), next: [2][]float64{make([]float64, n), make([]float64, n)},
		accounts: make([]account, n), pairs: make([][]float64, n), gaps: make([]float64, n), active: allActive(o.Parents, n),
		waiting: make([]heap.Heap, n), place: make([]int32, len(spans)), fits: make([]bool, n),
		never: make([]exact.Sum, n), late: make([]exact.Sum, n), parts: [2][][2]float64{make([][2]float64, n), make([][2]float64, n)},
	}
	s.Patience = cmp.Or(o.Patience, math.Inf(1))
	for i := range claims {
		s.accounts[i].worst.limit = cmp.Or(o.Window, math.Inf(1))
		s.most[i] = claims[i].Demand
		if s.leaf[i] = len(t.Children(i)) == 0; s.leaf[i] {
			claims[i].Demand = 0
		}
	}
	return s
}

// waits returns when the wait of a span that counts ends.
func (s *sweep) waits(x *Span) float64 {
	if s.whole {
		return min(x.Start, x.End)
	}
	return min(x.Start, x.End, x.From+s.Patience)
}

// impatient reports whether a span waits for longer than Patience.
func (s *sweep) impatient(x *Span) bool { return x.From+s.Patience < min(x.Start, x.End) }

// events returns the events of the log by time, and the last time at which a span or the capacity
// changes.
func (s *sweep) events() (list []event, last float64) {
	list = make([]event, 0, 3*len(s.spans)+len(s.capacity))
	for i, x := range s.spans {
		if x.Amount == 0 || x.From == x.End {
			continue
		}
		list = append(list, event{x.From, arrives, i})
		if x.Start < x.End {
			list = append(list, event{x.Start, starts, i})
		}
		if !math.IsInf(x.End, 1) {
			list = append(list, event{x.End, ends, i})
		}
		if s.impatient(&x) {
			list = append(list, event{x.From + s.Patience, tires, i})
		}
	}
	for i := range s.capacity {
		if i > 0 {
			list = append(list, event{s.capacity[i].Time, resizes, i})
		}
	}
	slices.SortFunc(list, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind), cmp.Compare(a.index, b.index))
	})
	for _, e := range slices.Backward(list) {
		if e.kind != tires {
			return list, e.at
		}
	}
	return nil, 0
}

func (s *sweep) run() {
	events, last := s.events()
	if len(events) == 0 {
		return
	}
	until := cmp.Or(s.Until, last)
	s.now = events[0].at
	for k := 0; k < len(events) && events[k].at < until; {
		at := events[k].at
		for ; k < len(events) && events[k].at == at; k++ {
			s.apply(events[k])
		}
		s.settle(at)
	}
	s.pass(until)
}

func (s *sweep) apply(e event) {
	if e.kind == resizes {
		s.amount, s.changed = s.capacity[e.index].Amount, true
		return
	}
	x, id := &s.spans[e.index], int32(e.index)
	demand, queue, impatient, never := &s.demand[x.User], &s.waiting[x.User], s.impatient(x), math.IsInf(x.Start, 1)
	lapses := impatient && !s.whole // its wait ends to count before it ends
	leave := func() {
		queue.Remove(s.place[id], s.place, heap.LowID{})
		if never {
			s.never[x.User].Sub(x.Amount)
		}
		if impatient && s.whole {
			s.late[x.User].Sub(x.Amount)
		}
	}
	switch e.kind {
	case arrives:
		s.active.add(x.User)
		demand.Add(x.Amount)
		queue.Push(heap.Entry{Key: x.Amount, ID: id}, s.place, heap.LowID{})
		if never {
			s.never[x.User].Add(x.Amount)
		}
	case tires:
		if s.whole {
			s.late[x.User].Add(x.Amount)
			break
		}
		demand.Sub(x.Amount)
		leave()
	case starts:
		s.use[x.User].Add(x.Amount)
		s.used.Add(x.Amount)
		if lapses {
			s.active.add(x.User)
			demand.Add(x.Amount)
		} else {
			leave()
		}
	case ends:
		switch {
		case x.Start < x.End:
			demand.Sub(x.Amount)
			s.use[x.User].Sub(x.Amount)
			s.used.Sub(x.Amount)
		case !lapses:
			demand.Sub(x.Amount)
			leave()
		}
	}
	// No share is larger than most, and aging.Shares takes no demand that is.
	now, asks := min(s.demand[x.User].Value().Float(), s.most[x.User], most), &s.claims[x.User].Demand
	if now != *asks && !(s.next[0][x.User] < min(now, *asks)) { // a demand above the share moves no share
		s.changed = true
	}
	*asks = now
	s.next[1][x.User] = s.use[x.User].Value().Float()
	s.parts[1][x.User] = s.divide(x.User)
}

// divide returns the parts of what a leaf waits for that never run, or have waited for longer than
// Patience.
func (s *sweep) divide(i int) (parts [2]float64) {
	never, late := s.never[i].Value().Float(), s.late[i].Value().Float()
	if never > 0 || late > 0 {
		waits := s.demand[i].Value().Sub(s.use[i].Value()).Float()
		parts = [2]float64{never / waits, late / waits}
	}
	return parts
}

// settle computes entitlements, uses and what would fit as of a time and, if any differs from
// before, closes the stretch of the ones before.
func (s *sweep) settle(at float64) {
	entitled, had, a := s.next[0], s.next[1], &s.active
	a.lay()
	if s.changed {
		s.share(entitled)
		s.changed = false
	}
	for _, k := range slices.Backward(a.tree.Order) {
		i := a.nodes[k]
		if s.leaf[i] {
			continue
		}
		had[i] = 0
		for _, kid := range a.tree.Children(k) {
			had[i] += had[a.nodes[kid]]
		}
	}
	free := max(0, dd.Of(s.amount).Sub(s.used.Value()).Float())
	fits := func(i int) bool { return s.waiting[i].Len() > 0 && s.waiting[i].Key(0) <= free*(1+near) }
	if !slices.ContainsFunc(a.nodes, func(i int) bool {
		return entitled[i] != s.entitled[i] || had[i] != s.had[i] || fits(i) != s.fits[i] || s.parts[1][i] != s.parts[0][i]
	}) {
		return
	}
	s.pass(at)
	for _, i := range a.nodes {
		s.entitled[i], s.had[i], s.fits[i], s.parts[0][i] = entitled[i], had[i], fits(i), s.parts[1][i]
	}
	a.keep(func(i int) bool { return s.claims[i].Demand > 0 || !s.accounts[i].worst.rests() })
}

// share computes what each active node is entitled to.
func (s *sweep) share(entitled []float64) {
	a := &s.active
	a.claims = a.claims[:0]
	for _, i := range a.nodes {
		a.claims = append(a.claims, s.claims[i])
	}
	a.shares, _ = aging.Shares(a.shares[:0], s.amount, a.claims, a.parents, s.Floors) // check has tried the claims
	for k, i := range a.nodes {
		entitled[i] = a.shares[k]
	}
}

// near is the part of entitlement and use below which a gap between them is rounding of a share,
// and the part of what is free by which an amount that fits may exceed it.
const near = 0x1p-40

// pass integrates from now to a time.
func (s *sweep) pass(to float64) {
	from, length := s.now, to-s.now
	if length <= 0 {
		return
	}
	s.now = to
	if s.Each != nil {
		s.Each(from, to, s.entitled, s.had)
	}
	debts, surpluses := 0., 0.
	s.owed, s.holders = s.owed[:0], s.holders[:0]
	for _, i := range s.active.nodes {
		a, gap := &s.accounts[i], s.entitled[i]-s.had[i]
		if math.Abs(gap) <= near*(s.entitled[i]+s.had[i]) {
			gap = 0
		}
		s.gaps[i] = gap
		a.entitled = a.entitled.AddFloat(s.entitled[i] * length)
		a.had = a.had.AddFloat(s.had[i] * length)
		a.worst.add(gap, from, to)
		switch {
		case gap > 0:
			a.owed = a.owed.AddFloat(gap * length)
		case gap < 0:
			a.beyond = a.beyond.AddFloat(-gap * length)
		}
		switch {
		case gap > 0 && s.leaf[i]:
			debts += gap
			s.owed = append(s.owed, i)
			for k, part := range s.parts[0][i] {
				if part > 0 {
					a.parts[k] = a.parts[k].AddFloat(gap * length * part)
				}
			}
		case gap < 0 && s.leaf[i]:
			surpluses -= gap
			s.holders = append(s.holders, i)
		}
	}
	idle := max(0, debts-surpluses)
	s.idle = s.idle.AddFloat(idle * length)
	s.over = s.over.AddFloat(max(0, surpluses-debts) * length)
	if s.whole { // of which nobody asks who had it instead
		return
	}
	n := len(s.accounts)
	for _, i := range s.owed {
		if s.pairs[i] == nil {
			s.pairs[i] = make([]float64, n+2)
		}
		row, debt, all := s.pairs[i], s.gaps[i]*length, max(debts, surpluses)
		for _, j := range s.holders {
			row[j] -= debt * s.gaps[j] / all
		}
		column := n + 1
		if s.fits[i] {
			column = n
		}
		row[column] += debt * idle / all
	}
}

// blame finds the span that waited for most within the worst window of each node.
func (s *sweep) blame(debts []Debt) {
	most := make([]float64, len(debts))
	for i := range debts {
		debts[i].WorstSpan = -1
	}
	for k := range s.spans {
		x := &s.spans[k]
		until := s.waits(x)
		for i := x.User; i >= 0; i = s.active.parent(i) {
			d := &debts[i]
			if wait := x.Amount * (min(until, d.WorstTo) - max(x.From, d.WorstFrom)); wait > most[i] {
				most[i], d.WorstSpan = wait, k
			}
		}
	}
}
