package fairqueue

import (
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// Lottery draws who is served next (C. A. Waldspurger, W. E. Weihl: Lottery scheduling, OSDI 1994).
// A user's chance is in proportion to its weight over the cost of its last service, as with the
// compensation tickets of section 3.4 there: who used a part f of a quantum has 1/f times the
// chance until it is drawn again. So users get service in proportion to their weights in the long
// run, whatever their requests cost. Where all requests cost the same, a user with the part p of
// the weights gets N p of N draws in the mean, with a standard deviation of sqrt(N p (1 - p)).
//
// Charges of one user add up until it is drawn again. Until its first charge a user draws as if it
// had been charged as much as anybody was last. Costs below 2^-200 count as 2^-200. NewLottery
// returns a Lottery. Its methods cost O(log n) for n users, the first charge of all O(n log n).
type Lottery[K comparable] = Sequencer[K, lottery]

// SmoothWRR chooses who is served next by smooth weighted round robin, as nginx does, with costs. A
// user is behind by its part of all service, w_i of the sum W of the weights, less its own service;
// its current weight is W times that. Next is the user that would be furthest behind if there were
// one service more, at the cost of the last charge.
//
// Among users that joined before the first charge, until one leaves or changes weight, none of n is
// ever ahead by more than the largest cost, or behind by more than n-1 times the largest cost. If
// all requests cost the same and the weights are whole numbers, each period of W requests holds
// exactly w_i of user i. Methods cost O(n).
type SmoothWRR[K comparable] = Sequencer[K, smoothWRR]

type (
	lottery   struct{}
	smoothWRR struct{}
	rule      interface{ name() string }
)

func (lottery) name() string   { return "Lottery" }
func (smoothWRR) name() string { return "SmoothWRR" }

// Sequencer chooses among users with weights who always have something to serve; R is the rule of
// Lottery or SmoothWRR. Next chooses, Charge says what the service costs. Ties go to the user that
// joined first. What a Queue promises of flows that come and go, a Sequencer does not: a user that
// leaves is forgotten, and one that joins starts level.
//
// Next and Charge allocate nothing. A zero SmoothWRR is ready. A nil Sequencer is empty, and nobody
// can join it. Keys of an interface type must hold a comparable value, or methods panic, as a Go
// map does. A Sequencer is not safe for concurrent use.
type Sequencer[K comparable, R rule] struct {
	src   rand.Source
	users []Turn[K]
	index map[K]int
	last  float64 // latest charge above 0; 0: none so far
	// tickets is a binary tree of sums for a Lottery: tickets[len/2+i] are of users[i], tickets[i]
	// those of 2i and 2i+1 together. Sums are computed anew, so that no rounding builds up.
	tickets []float64
}

const minCost = 0x1p-200 // keeps tickets finite

// NewLottery returns an empty Lottery that draws from src. Errors: a nil src.
func NewLottery[K comparable](src rand.Source) (*Lottery[K], error) {
	if src == nil {
		return nil, input.Bad("fairqueue.NewLottery", "src", -1, "nil")
	}
	return &Lottery[K]{src: src}, nil
}

// name is a method's name in errors.
func (s *Sequencer[K, R]) name(method string) string {
	return "fairqueue." + (*new(R)).name() + "." + method
}

// draws tells a Lottery from a SmoothWRR.
func (s *Sequencer[K, R]) draws() bool {
	_, draws := any(*new(R)).(lottery)
	return draws
}

// Len returns the number of users.
func (s *Sequencer[K, R]) Len() int {
	if s == nil {
		return 0
	}
	return len(s.users)
}

// find returns the index of a user, or the error of a method.
func (s *Sequencer[K, R]) find(method string, key K) (int, error) {
	if s != nil {
		if i, ok := s.index[key]; ok {
			return i, nil
		}
	}
	return 0, input.Bad(s.name(method), "key", -1, "%v has not joined", key)
}

// Join adds a user, level with the others.
//
// Errors: a key that has joined, or is not equal to itself; a weight outside [2^-100, 2^100]; a nil
// s, or a Lottery that is not of NewLottery.
func (s *Sequencer[K, R]) Join(key K, weight float64) error {
	const fn = "Join"
	if s == nil || s.draws() && s.src == nil {
		return input.Bad(s.name(fn), "s", -1, "nil, or a Lottery that is not of NewLottery")
	}
	_, present := s.index[key]
	switch {
	case key != key:
		return input.Bad(s.name(fn), "key", -1, badKey)
	case present:
		return input.Bad(s.name(fn), "key", -1, "%v has joined already", key)
	case !validWeight(weight):
		return input.Bad(s.name(fn), "weight", -1, badWeight)
	}
	u, before := Turn[K]{Key: key, Weight: weight}, s.weights()
	if s.draws() {
		u.Cost = s.last
	}
	s.add(u)
	s.level(before, 0)
	return nil
}

func (s *Sequencer[K, R]) add(u Turn[K]) {
	if s.index == nil {
		s.index = make(map[K]int)
	}
	i := len(s.users)
	s.index[u.Key] = i
	s.users = append(s.users, u)
	if s.draws() && i == len(s.tickets)/2 {
		s.tickets = make([]float64, max(2, 2*len(s.tickets)))
		for k := range i {
			s.update(k)
		}
	}
	s.update(i)
}

// update brings the tickets of a Lottery up to date with users[i], which may have left.
func (s *Sequencer[K, R]) update(i int) {
	if !s.draws() {
		return
	}
	at := len(s.tickets)/2 + i
	s.tickets[at] = 0
	if i < len(s.users) {
		s.tickets[at] = s.users[i].Weight / max(s.users[i].Cost, minCost)
	}
	for at /= 2; at > 0; at /= 2 {
		s.tickets[at] = s.tickets[2*at] + s.tickets[2*at+1]
	}
}

// weights is the sum of the weights of a SmoothWRR; a Lottery needs none.
func (s *Sequencer[K, R]) weights() (sum float64) {
	for i := 0; i < len(s.users) && !s.draws(); i++ {
		sum += s.users[i].Weight
	}
	return sum
}

// level brings the current weights of a SmoothWRR from a former sum of the weights to the present
// one: each user stays behind by the same service. The current weight of a user that left goes to
// the others by weight.
func (s *Sequencer[K, R]) level(before, left float64) {
	after := s.weights()
	for i := range s.users {
		if u := &s.users[i]; before > 0 {
			u.Current = bounded((u.Current + float64(left*(u.Weight/after))) * (after / before))
		}
	}
}

func bounded(current float64) float64 { return min(max(current, -maxTag), maxTag) }

// Leave removes a user. It returns false if the key has not joined. What the user of a SmoothWRR is
// behind goes to the others by weight.
func (s *Sequencer[K, R]) Leave(key K) bool {
	i, err := s.find("Leave", key)
	if err != nil {
		return false
	}
	before, left, last := s.weights(), s.users[i].Current, len(s.users)-1
	delete(s.index, key)
	if s.draws() {
		s.users[i], s.users[last] = s.users[last], Turn[K]{}
		s.users = s.users[:last]
		if i < last {
			s.index[s.users[i].Key] = i
		}
		s.update(last)
		s.update(i)
		return true
	}
	s.users = slices.Delete(s.users, i, i+1)
	for ; i < last; i++ {
		s.index[s.users[i].Key] = i
	}
	s.level(before, left)
	return true
}

// SetWeight changes a user's weight from the next choice on. Errors: a key that has not joined; a
// weight outside [2^-100, 2^100].
func (s *Sequencer[K, R]) SetWeight(key K, weight float64) error {
	const fn = "SetWeight"
	i, err := s.find(fn, key)
	switch {
	case err != nil:
		return err
	case !validWeight(weight):
		return input.Bad(s.name(fn), "weight", -1, badWeight)
	}
	before := s.weights()
	s.users[i].Weight = weight
	s.update(i)
	s.level(before, 0)
	return nil
}

// Next returns the user to serve and charges nothing: call Charge before the next Next, or a
// SmoothWRR returns the same user again. ok is false if nobody has joined.
func (s *Sequencer[K, R]) Next() (key K, ok bool) {
	if s.Len() == 0 {
		return key, false
	}
	i := 0
	if s.draws() {
		i = s.draw()
		s.users[i].Drawn = true
	} else {
		i = s.furthest()
	}
	return s.users[i].Key, true
}

// draw returns a user with a chance in proportion to its tickets.
func (s *Sequencer[K, R]) draw() int {
	x := float64(s.src.Uint64()>>11) * 0x1p-53 * s.tickets[1]
	i := 1
	for i < len(s.tickets)/2 {
		i *= 2
		if x >= s.tickets[i] && s.tickets[i+1] > 0 { // rounding may leave x at the total
			x -= s.tickets[i]
			i++
		}
	}
	return i - len(s.tickets)/2
}

// furthest returns the user of the greatest current weight after one more service.
func (s *Sequencer[K, R]) furthest() (best int) {
	cost, most := s.last, 0.0
	if s.last == 0 {
		cost = 1 // any: nobody is behind
	}
	for i := range s.users {
		if current := s.users[i].Current + float64(s.users[i].Weight*cost); i == 0 || current > most {
			best, most = i, current
		}
	}
	return best
}

// Charge adds a cost to a user: what a service that starts now costs, or is expected to. Services
// may be charged in parts.
//
// Errors: a key that has not joined; a cost outside [0, 2^200].
func (s *Sequencer[K, R]) Charge(key K, cost float64) error {
	const fn = "Charge"
	i, err := s.find(fn, key)
	switch {
	case err != nil:
		return err
	case !validCost(cost):
		return input.Bad(s.name(fn), "cost", -1, badCost)
	}
	first := s.last == 0
	if cost > 0 {
		s.last = cost
	}
	u := &s.users[i]
	if !s.draws() {
		for k := range s.users {
			s.users[k].Current = bounded(s.users[k].Current + float64(s.users[k].Weight*cost))
		}
		u.Current = bounded(u.Current - float64(s.weights()*cost))
		return nil
	}
	if first {
		for k := range s.users {
			s.users[k].Cost = cost
			s.update(k)
		}
	}
	if first || u.Drawn {
		u.Cost, u.Drawn = 0, false
	}
	u.Cost = min(u.Cost+cost, maxCost)
	s.update(i)
	return nil
}
