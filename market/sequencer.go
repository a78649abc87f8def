package market

import (
	"fmt"
	"math/rand/v2"

	"github.com/schedmath/schedmath/internal/heap"
)

// Stride chooses who gets the next slot by stride scheduling [WW]: in turns, as evenly as whole slots allow. Each user has a pass, at which its next
// slot is due; a slot moves it on by 1/weight. The user of the least pass is next.
//
// While nobody joins, leaves or changes weight, the grants n_i and n_j of two users stay less than one grant off their shares of n_i + n_j: |n_i w_j -
// n_j w_i| <= max(w_i, w_j). Of N grants among m users, n_i is above N w_i / W - 1 and at most (N + m - 1) w_i / W. Next costs O(log n).
type Stride[K comparable] = Sequencer[K, stride]

// Lottery draws who gets the next slot, with chances in proportion to the weights [WL]: of N grants a user with the part p of the weights gets N p in
// the mean, with a standard deviation of sqrt(N p (1 - p)). NewLottery returns one. Next costs O(log n).
type Lottery[K comparable] = Sequencer[K, lottery]

// SmoothWRR chooses who gets the next slot by smooth weighted round robin, as nginx does: the user whose share of all grants, the next one included,
// exceeds its own grants by most. If the weights are whole numbers of sum W and nobody joins, leaves or changes weight after the first grant, each period
// of W grants holds exactly w_i of user i. Next costs O(n).
type SmoothWRR[K comparable] = Sequencer[K, smoothWRR]

type (
	stride    struct{}
	lottery   struct{}
	smoothWRR struct{}
	rule      interface{ name() string }
)

func (stride) name() string    { return "Stride" }
func (lottery) name() string   { return "Lottery" }
func (smoothWRR) name() string { return "SmoothWRR" }

// Sequencer grants slots one at a time to users with weights; R is the rule of Stride, Lottery or SmoothWRR. Ties go to the user that joined first.
//
// A user's remain is the number of its grants less its share, which is N w_i / W of N grants; below 0 the user is behind. A newcomer has 0, SetWeight
// keeps it, Leave returns it, and Join takes it back. A Lottery's draws do not depend on it. Grants are counted in whole numbers, so that rounding does
// not build up.
//
// Join, Leave and SetWeight cost O(log n) for n users, Next as its rule says, without allocation. When the pass has grown to 2^32 times 1/weight, Join and
// SetWeight cost O(n log n). A zero Stride or SmoothWRR is ready. A nil one is
// empty, and nobody can join it. Keys of an interface type must hold a comparable value, or methods panic, as a Go map does. Nothing else panics. A
// Sequencer is for one goroutine at a time.
type Sequencer[K comparable, R rule] struct {
	src    rand.Source
	users  turns[K] // Leave moves the last one into the gap
	index  map[K]int32
	joined int64
	mark   float64 // the global pass when W last changed; it grows by 1/W with each grant
	grants int64   // of all users since W last changed
	byPass heap.Heap
	pos    []int32 // of each user in byPass; its length is a power of two
	// sums is a binary tree: sums[len(pos) + i] is the weight of users[i], sums[i] = sums[2i] + sums[2i+1], and sums[1] is W. When a weight changes
	// the sums over it are added up again, so that no rounding builds up.
	sums []float64
}

const maxTurn = 0x1p100 // the largest weight; the least is 1/maxTurn

type turns[K comparable] []Turn[K]

// Before orders users of equal passes.
func (t *turns[K]) Before(a, b int32) bool { return (*t)[a].Joined < (*t)[b].Joined }

// pass is the global pass at which the user's next slot is due.
func (u *Turn[K]) pass() float64 { return u.Mark + float64(u.Grants+1)/u.Weight }

// NewLottery returns an empty Lottery that draws from src. Errors: a nil src.
func NewLottery[K comparable](src rand.Source) (*Lottery[K], error) {
	if src == nil {
		return nil, inputError("NewLottery", "src", -1, "nil")
	}
	return &Lottery[K]{src: src}, nil
}

func (s *Sequencer[K, R]) inputError(method, arg, reason string) error {
	var r R
	return inputError(r.name()+"."+method, arg, -1, reason)
}

// unusable is the error of a method that changes a nil Sequencer or a Lottery without a source, or nil.
func (s *Sequencer[K, R]) unusable(method string) error {
	if _, draws := any(*new(R)).(lottery); s == nil || draws && s.src == nil {
		return s.inputError(method, "s", "nil, or a Lottery that is not of NewLottery")
	}
	return nil
}

const (
	noKey     = "not equal to itself, as NaN is: no key"
	badWeight = "want a number in [2^-100, 2^100]"
)

func validTurn(weight float64) bool { return weight >= 1/maxTurn && weight <= maxTurn }

// Join adds a user. Its remain is what Leave returned, or 0.
//
// Errors: a key that has joined, or is not equal to itself; a weight outside [2^-100, 2^100]; a remain outside [-10^9, 10^9]; a nil s, or a zero
// Lottery.
func (s *Sequencer[K, R]) Join(key K, weight, remain float64) error {
	const fn = "Join"
	if err := s.unusable(fn); err != nil {
		return err
	}
	_, present := s.index[key]
	switch {
	case key != key:
		return s.inputError(fn, "key", noKey)
	case present:
		return s.inputError(fn, "key", fmt.Sprintf("%v has joined already", key))
	case !validTurn(weight):
		return s.inputError(fn, "weight", badWeight)
	case !validCarry(remain):
		return s.inputError(fn, "remain", "want a number in [-10^9, 10^9]")
	}
	s.rebase()
	s.recentre(weight)
	s.add(Turn[K]{Key: key, Weight: weight, Joined: s.joined, Mark: s.mark + remain/weight})
	s.joined++
	return nil
}

// rebase moves mark to the present global pass. It is called before W changes.
func (s *Sequencer[K, R]) rebase() {
	if s.grants > 0 {
		s.mark, s.grants = s.mark+float64(s.grants)/s.sums[1], 0
	}
}

// recentre counts the passes from the present global pass on if they have grown so far that steps of 1/weight would be lost in rounding.
func (s *Sequencer[K, R]) recentre(weight float64) {
	if s.mark*weight <= 0x1p32 {
		return
	}
	for i := range s.users {
		u := &s.users[i]
		u.Mark -= s.mark
		s.byPass.Fix(s.pos[i], u.pass(), s.pos, &s.users)
	}
	s.mark = 0
}

func (s *Sequencer[K, R]) add(u Turn[K]) {
	i := len(s.users)
	s.users = append(s.users, u)
	switch {
	case i == 0 && s.index == nil:
		s.index, s.pos, s.sums = make(map[K]int32), make([]int32, 1), make([]float64, 2)
	case i == len(s.pos):
		s.pos, s.sums = append(s.pos, make([]int32, i)...), make([]float64, 4*i)
		for i, u := range s.users {
			s.weigh(int32(i), u.Weight)
		}
	}
	s.put(int32(i))
}

// put enters users[i], which is new or has moved, into the index, the sums and the heap.
func (s *Sequencer[K, R]) put(i int32) {
	u := &s.users[i]
	s.index[u.Key] = i
	s.weigh(i, u.Weight)
	s.byPass.Push(heap.Entry{Key: u.pass(), ID: i}, s.pos, &s.users)
}

// weigh sets the weight of users[i] in the sums.
func (s *Sequencer[K, R]) weigh(i int32, weight float64) {
	j := len(s.pos) + int(i)
	for s.sums[j] = weight; j > 1; {
		j /= 2
		s.sums[j] = s.sums[2*j] + s.sums[2*j+1]
	}
}

// Leave removes a user and returns its remain, to pass to Join when it comes back. ok is false if it has not joined.
func (s *Sequencer[K, R]) Leave(key K) (remain float64, ok bool) {
	if s == nil {
		return 0, false
	}
	i, ok := s.index[key]
	if !ok {
		return 0, false
	}
	s.rebase()
	remain = s.remain(&s.users[i])
	last := int32(len(s.users) - 1)
	s.byPass.Remove(s.pos[i], s.pos, &s.users)
	if i < last {
		s.byPass.Remove(s.pos[last], s.pos, &s.users)
		s.users[i] = s.users[last]
		s.put(i)
	}
	delete(s.index, key)
	s.weigh(last, 0)
	s.users[last] = Turn[K]{}
	if s.users = s.users[:last]; last == 0 {
		s.mark = 0 // one that small weights have carried far would swallow the steps of large ones
	}
	return min(max(remain, -maxSeats), maxSeats), true
}

// remain is the number of u's grants less its share of the grants before s.mark. Just after rebase these are all grants.
func (s *Sequencer[K, R]) remain(u *Turn[K]) float64 {
	return (u.Mark-s.mark)*u.Weight + float64(u.Grants)
}

// SetWeight changes a user's weight from the next grant on. Errors: a key that has not joined; a weight outside [2^-100, 2^100]; a nil s.
func (s *Sequencer[K, R]) SetWeight(key K, weight float64) error {
	const fn = "SetWeight"
	if err := s.unusable(fn); err != nil {
		return err
	}
	i, ok := s.index[key]
	switch {
	case !ok:
		return s.inputError(fn, "key", fmt.Sprintf("%v has not joined", key))
	case !validTurn(weight):
		return s.inputError(fn, "weight", badWeight)
	}
	s.rebase()
	s.recentre(weight)
	u := &s.users[i]
	u.Mark, u.Grants, u.Weight = s.mark+s.remain(u)/weight, 0, weight
	s.weigh(i, weight)
	s.byPass.Fix(s.pos[i], u.pass(), s.pos, &s.users)
	return nil
}

// Next grants the next slot. ok is false if nobody has joined.
func (s *Sequencer[K, R]) Next() (key K, ok bool) {
	if s.Len() == 0 {
		return key, false
	}
	i := s.byPass.ID(0)
	switch any(*new(R)).(type) {
	case lottery:
		i = s.draw()
	case smoothWRR:
		i = s.furthest()
	}
	u := &s.users[i]
	u.Grants++
	s.grants++
	s.byPass.Fix(s.pos[i], u.pass(), s.pos, &s.users)
	return u.Key, true
}

func (s *Sequencer[K, R]) draw() int32 {
	x := float64(s.src.Uint64()>>11) * 0x1p-53 * s.sums[1]
	i := 1
	for i < len(s.pos) {
		i *= 2
		if x >= s.sums[i] && s.sums[i+1] > 0 { // rounding may leave x at the total
			x -= s.sums[i]
			i++
		}
	}
	return int32(i - len(s.pos))
}

// furthest returns the user with the largest (N + 1) w_i - n_i W, nginx's current weight. For whole weights it is exact until one of them changes.
func (s *Sequencer[K, R]) furthest() (best int32) {
	most := 0.0
	for i := range s.users {
		u := &s.users[i]
		current := float64(s.grants+1)*u.Weight - s.remain(u)*s.sums[1]
		if i == 0 || current > most || current == most && u.Joined < s.users[best].Joined {
			best, most = int32(i), current
		}
	}
	return best
}

// Len returns the number of users.
func (s *Sequencer[K, R]) Len() int {
	if s == nil {
		return 0
	}
	return len(s.users)
}
