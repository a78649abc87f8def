package market

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/input"
)

// Claim is what one user is entitled to and has, of each kind.
type Claim struct {
	Share   Slots // whole slots of the grant, paid
	Held    Slots // slots that it holds now, paid or not
	Pending Slots // tasks that it could start now
	// Waiting is for how long it has held fewer than Share of a kind, or none, with tasks to start.
	// Only Limit refers to it; any one unit of time.
	Waiting [2]float64
}

// Running is one running attempt of a task, or a job that runs on several slots and loses all of
// them together.
type Running struct {
	User     int // index of its Claim
	Kind     schedmath.Kind
	Slots    int     // slots that it holds and frees; 0: 1
	Elapsed  float64 // time that each of its slots loses if the attempt is killed, any one unit
	Progress float64 // fraction done, in [0, 1]
	Spare    bool    // runs on a spare slot: goes first
}

// VictimOptions are the rules of preemption. The zero value loses the least time.
type VictimOptions struct {
	ByProgress bool    // lose the least progress in place of the least time
	AsListed   bool    // kill in the order of the attempts, whatever is lost; no other rule of order counts
	MinRun     float64 // an attempt that has run for less is not killed; 0: any may be
	// Limit is a time limit against starvation; 0: none. A user that has been Waiting for so long
	// may take slots also from attempts within MinRun. If it then holds no slot, it claims one even
	// with a Share of 0, and even from users who hold no more than their shares. And an attempt
	// that has run for longer than Limit comes before all but the spare ones, the longest first,
	// whatever is lost [DP 3.1]; without claims nobody is killed for it.
	Limit float64
}

// Victims appends to dst the attempts to kill so that users get their shares, as indices of running
// in the order of choice: spare ones first, then those that lose least time, ties to the lower
// index. It kills as many as two bounds allow: of each kind what users below their shares can use
// at once beyond the free slots, of each user what it holds above its share. Where attempts have
// several Slots another choice may free more or lose less. A second call, with the slots of the
// killed free, returns nothing.
//
// Errors: more slots running of a user and kind than its claim has Held.
func Victims(dst []int, free Slots, claims []Claim, running []Running, o VictimOptions) ([]int, error) {
	// With o.Limit free slots and those of the killed are meant for the users that have waited so
	// long: only what these lack beyond them is taken from attempts within MinRun, after all
	// others, and only what such users without a slot and a share lack is taken from shares, last.
	const fn = "market.Victims"
	if err := checkVictims(fn, free, claims, running, o); err != nil {
		return dst, err
	}
	// Of each kind, slots claimed beyond the free ones and the killed: by all, by users at the
	// limit, and by those of them without a share.
	claimed := [2]int64{-int64(free[0]), -int64(free[1])}
	urgent, shareless := claimed, claimed
	excess := make([]Slots, len(claims))
	for i, c := range claims {
		for k := range 2 {
			n := int64(min(c.Pending[k], max(0, c.Share[k]-c.Held[k])))
			if atLimit := o.Limit > 0 && c.Waiting[k] >= o.Limit; atLimit && c.Share[k] == 0 && c.Held[k] == 0 && c.Pending[k] > 0 {
				n = 1
				urgent[k]++
				shareless[k]++
			} else if atLimit {
				urgent[k] += n
			}
			claimed[k] += n
			excess[i][k] = c.Held[k] - c.Share[k]
		}
	}
	type victim struct {
		index, class int // 0: on a spare slot, 1: beyond the limit, 3: within MinRun
		loss         float64
	}
	var order []victim
	for i, r := range running {
		if r.Elapsed < o.MinRun && urgent[r.Kind] <= 0 || claimed[r.Kind] <= 0 {
			continue
		}
		v := victim{i, 2, r.Elapsed}
		if o.ByProgress {
			v.loss = r.Progress
		}
		switch {
		case r.Elapsed < o.MinRun:
			v.class = 3
		case o.AsListed:
			v.loss = 0
		case r.Spare:
			v.class = 0
		case o.Limit > 0 && r.Elapsed > o.Limit:
			v.class, v.loss = 1, -r.Elapsed
		}
		order = append(order, v)
	}
	// Greedy is optimal: the bounds of the users are a partition matroid, cut off at the number
	// wanted, in units of slots while all attempts of a kind have as many [E].
	slices.SortFunc(order, func(a, b victim) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.loss, b.loss), cmp.Compare(a.index, b.index))
	})
	killed := make([]bool, len(running))
	kill := func(v victim) {
		r := &running[v.index]
		killed[v.index] = true
		claimed[r.Kind] -= int64(r.slots())
		urgent[r.Kind] -= int64(r.slots())
		shareless[r.Kind] -= int64(r.slots())
		excess[r.User][r.Kind] -= r.slots()
		dst = append(dst, v.index)
	}
	for _, v := range order {
		r := &running[v.index]
		n := int64(r.slots())
		if claimed[r.Kind] >= n && int64(excess[r.User][r.Kind]) >= n && (v.class < 3 || urgent[r.Kind] >= n) {
			kill(v)
		}
	}
	for _, v := range order {
		r := &running[v.index]
		if c := &claims[r.User]; !killed[v.index] && shareless[r.Kind] >= int64(r.slots()) && c.Held[r.Kind] >= c.Share[r.Kind] {
			kill(v)
		}
	}
	return dst, nil
}

// slots is the number of slots that r holds.
func (r *Running) slots() int { return cmp.Or(r.Slots, 1) }

func checkVictims(fn string, free Slots, claims []Claim, running []Running, o VictimOptions) error {
	outside := func(s Slots) bool { return min(s[0], s[1]) < 0 || max(s[0], s[1]) > maxSeats }
	isTime := func(t float64) bool { return t >= 0 && t <= math.MaxFloat64 }
	if outside(free) {
		return input.Bad(fn, "free", -1, "want numbers in [0, 10^9]")
	}
	if !isTime(o.MinRun) || !isTime(o.Limit) {
		return input.Bad(fn, "o", -1, "MinRun, Limit: want a finite time >= 0")
	}
	for i, c := range claims {
		if outside(c.Share) || outside(c.Held) || outside(c.Pending) {
			return input.Bad(fn, "claims", i, "want numbers in [0, 10^9]")
		}
		if !isTime(c.Waiting[0]) || !isTime(c.Waiting[1]) {
			return input.Bad(fn, "claims", i, "Waiting: want a finite time >= 0")
		}
	}
	held := make([]Slots, len(claims))
	for i, r := range running {
		switch {
		case r.User < 0 || r.User >= len(claims):
			return input.Bad(fn, "running", i, "User: no such claim")
		case r.Kind > schedmath.Reduce:
			return input.Bad(fn, "running", i, "Kind is %v, want Map or Reduce", r.Kind)
		case r.Slots < 0 || r.Slots > maxSeats:
			return input.Bad(fn, "running", i, "Slots is %d, want a number in [0, 10^9]", r.Slots)
		case !isTime(r.Elapsed):
			return input.Bad(fn, "running", i, "Elapsed: want a finite time >= 0")
		case !(r.Progress >= 0 && r.Progress <= 1):
			return input.Bad(fn, "running", i, "Progress: want a fraction in [0, 1]")
		}
		if held[r.User][r.Kind] += r.slots(); held[r.User][r.Kind] > claims[r.User].Held[r.Kind] {
			return input.Bad(fn, "running", i, "User: more slots running than its claim has Held")
		}
	}
	return nil
}
