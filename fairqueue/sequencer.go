package fairqueue

import (
	"math"
	"math/rand/v2"

	"github.com/schedmath/schedmath/internal/input"
)

// Stride chooses who gets the next slot by stride scheduling (C. A. Waldspurger, W. E. Weihl,
// MIT/LCS/TM-528, 1995): in turns, as evenly as whole slots allow. Each user has a pass, at which
// its next slot is due; a slot moves it on by 1/weight. The user of the least pass is next.
//
// While nobody joins, leaves or changes weight, the grants n_i and n_j of two users stay less
// than one grant off their shares of n_i + n_j: |n_i w_j - n_j w_i| <= max(w_i, w_j). Of N grants
// among m users, n_i is above N w_i / W - 1 and at most (N + m - 1) w_i / W. Next costs O(log n).
type Stride[K comparable] = Sequencer[K, stride]

// Lottery draws who gets the next slot, with chances in proportion to the
// weights (C. A. Waldspurger, W. E. Weihl, OSDI 1994): of N grants a user with
// the part p of the weights gets N p in the mean, with a standard deviation of
// sqrt(N p (1 - p)). NewLottery returns one. Next costs O(log n).
type Lottery[K comparable] = Sequencer[K, lottery]

// SmoothWRR chooses who gets the next slot by smooth weighted round robin, as nginx does:
// the user whose share of all grants, the next one included, exceeds its own grants by most.
// If the weights are whole numbers of sum W and nobody joins, leaves or changes weight after
// the first grant, each period of W grants holds exactly w_i of user i. Next costs O(n).
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

// Sequencer grants slots one at a time to users with weights; R is the rule
// of Stride, Lottery or SmoothWRR. Ties go to the user that joined first.
//
// A user's remain is the number of its grants less its share, which is N w_i / W
// of N grants; below 0 the user is behind. A newcomer has 0, SetWeight keeps it,
// Leave returns it, and Join takes it back. A Lottery's draws do not depend on
// it. Grants are counted in whole numbers, so that rounding does not build up.
//
// Join, Leave and SetWeight cost O(log n) for n users, Next as its rule says, without
// allocation. When the pass has grown to 2^32 times 1/weight, Join and SetWeight cost
// O(n log n). A zero Stride or SmoothWRR is ready. A nil one is empty, and nobody can
// join it. Keys of an interface type must hold a comparable value, or methods panic,
// as a Go map does. A Sequencer is for one goroutine at a time.
type Sequencer[K comparable, R rule] struct {
	src    rand.Source
	users  []Turn[K] // Leave moves the last one into the gap
	index  map[K]int
	joined int64
	mark   float64 // the global pass when W last changed; it grows by 1/W with each grant
	grants int64   // of all users since W last changed
	// tree is a binary tree over the users: tree[len(tree)/2+i] is of users[i],
	// tree[i] of tree[2i] and tree[2i+1], and tree[1] of all. When a user changes,
	// the nodes over it are computed anew, so that no rounding builds up in W.
	tree []summary
}

// summary is about some users; without any it is 0.
type summary struct {
	weight float64 // the sum of theirs; W in the root
	pass   float64 // the least
	first  int     // the user of the least pass, of several the one that joined first
}

const (
	maxTurn   = 0x1p100 // the largest weight; the least is 1/maxTurn
	maxMark   = 0x1p200 // the largest mark, either way; only marks of a made-up Sequence come near it
	maxGrants = 1 << 52 // grants are counted up to it, and then go into the mark
	maxJoined = 1 << 62
	maxRemain = 1e9 // either way
)

func bounded(mark float64) float64 { return min(max(mark, -maxMark), maxMark) }

// pass is the global pass at which the user's next slot is due.
func (u *Turn[K]) pass() float64 { return u.Mark + float64(u.Grants+1)/u.Weight }

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

// unusable is the error of a method that changes a nil Sequencer or a Lottery without a source, or
// nil.
func (s *Sequencer[K, R]) unusable(method string) error {
	if _, draws := any(*new(R)).(lottery); s == nil || draws && s.src == nil {
		return input.Bad(s.name(method), "s", -1, "nil, or a Lottery that is not of NewLottery")
	}
	return nil
}

const (
	badKey  = "not equal to itself, as NaN is: no key"
	badTurn = "want a number in [2^-100, 2^100]"
)

func validTurn(weight float64) bool { return weight >= 1/maxTurn && weight <= maxTurn }

// Join adds a user. Its remain is what Leave returned, or 0.
//
// Errors: a key that has joined, or is not equal to itself; a weight outside [2^-100, 2^100]; a
// remain outside [-10^9, 10^9]; a nil s, or a zero Lottery; more than 2^62 users in all.
func (s *Sequencer[K, R]) Join(key K, weight, remain float64) error {
	const fn = "Join"
	if err := s.unusable(fn); err != nil {
		return err
	}
	_, present := s.index[key]
	switch {
	case key != key:
		return input.Bad(s.name(fn), "key", -1, badKey)
	case present:
		return input.Bad(s.name(fn), "key", -1, "%v has joined already", key)
	case !validTurn(weight):
		return input.Bad(s.name(fn), "weight", -1, badTurn)
	case !(math.Abs(remain) <= maxRemain):
		return input.Bad(s.name(fn), "remain", -1, "want a number in [-10^9, 10^9]")
	case s.joined == maxJoined:
		return input.Bad(s.name(fn), "s", -1, "2^62 users have joined")
	}
	s.rebase(weight)
	s.add(Turn[K]{Key: key, Weight: weight, Joined: s.joined, Mark: bounded(s.mark + remain/weight)})
	s.joined++
	return nil
}

// rebase moves mark to the present global pass, before W changes. If the passes have grown
// so far that steps of 1/weight would be lost in rounding, they count from there on.
func (s *Sequencer[K, R]) rebase(weight float64) {
	if s.grants > 0 {
		s.mark, s.grants = bounded(s.mark+float64(s.grants)/s.tree[1].weight), 0
	}
	if s.mark*weight <= 0x1p32 {
		return
	}
	for i := range s.users {
		s.users[i].Mark = bounded(s.users[i].Mark - s.mark)
		s.update(i)
	}
	s.mark = 0
}

func (s *Sequencer[K, R]) add(u Turn[K]) {
	from := len(s.users)
	if s.index == nil {
		s.index = make(map[K]int)
	}
	s.index[u.Key] = from
	s.users = append(s.users, u)
	if from == len(s.tree)/2 {
		from, s.tree = 0, make([]summary, max(2, 2*len(s.tree)))
	}
	for i := from; i < len(s.users); i++ {
		s.update(i)
	}
}

// update brings the tree up to date with users[i], which may have left.
func (s *Sequencer[K, R]) update(i int) {
	at := len(s.tree)/2 + i
	s.tree[at] = summary{}
	if i < len(s.users) {
		u := &s.users[i]
		s.tree[at] = summary{u.Weight, u.pass(), i}
	}
	for at /= 2; at > 0; at /= 2 {
		a, b := s.tree[2*at], s.tree[2*at+1]
		sum := a.weight + b.weight
		if a.weight == 0 || b.weight > 0 && (b.pass < a.pass || b.pass == a.pass && s.users[b.first].Joined < s.users[a.first].Joined) {
			a = b
		}
		a.weight = sum
		s.tree[at] = a
	}
}

// Leave removes a user and returns its remain, to pass to Join when it comes back. ok is false if
// it has not joined.
func (s *Sequencer[K, R]) Leave(key K) (remain float64, ok bool) {
	if s == nil {
		return 0, false
	}
	i, ok := s.index[key]
	if !ok {
		return 0, false
	}
	s.rebase(0)
	remain = s.remain(&s.users[i])
	last := len(s.users) - 1
	s.users[i] = s.users[last]
	s.index[s.users[i].Key] = i
	delete(s.index, key)
	s.users[last] = Turn[K]{}
	s.users = s.users[:last]
	s.update(last)
	s.update(i)
	if last == 0 {
		s.mark = 0 // one that small weights have carried far would swallow the steps of large ones
	}
	return min(max(remain, -maxRemain), maxRemain), true
}

// remain is the number of u's grants less its share of the grants before s.mark. Just after rebase
// these are all grants.
func (s *Sequencer[K, R]) remain(u *Turn[K]) float64 {
	return (u.Mark-s.mark)*u.Weight + float64(u.Grants)
}

// SetWeight changes a user's weight from the next grant on. Errors: a key that has not joined; a
// weight outside [2^-100, 2^100]; a nil s.
func (s *Sequencer[K, R]) SetWeight(key K, weight float64) error {
	const fn = "SetWeight"
	if err := s.unusable(fn); err != nil {
		return err
	}
	i, ok := s.index[key]
	switch {
	case !ok:
		return input.Bad(s.name(fn), "key", -1, "%v has not joined", key)
	case !validTurn(weight):
		return input.Bad(s.name(fn), "weight", -1, badTurn)
	}
	s.rebase(weight)
	u := &s.users[i]
	u.Mark, u.Grants, u.Weight = bounded(s.mark+s.remain(u)/weight), 0, weight
	s.update(i)
	return nil
}

// Next grants the next slot. ok is false if nobody has joined.
func (s *Sequencer[K, R]) Next() (key K, ok bool) {
	if s.Len() == 0 {
		return key, false
	}
	i := s.tree[1].first
	switch any(*new(R)).(type) {
	case lottery:
		i = s.draw()
	case smoothWRR:
		i = s.furthest()
	}
	u := &s.users[i]
	if u.Grants == maxGrants {
		u.Mark, u.Grants = bounded(u.Mark+float64(u.Grants)/u.Weight), 0
	}
	if s.grants == maxGrants {
		s.rebase(0)
	}
	u.Grants++
	s.grants++
	s.update(i)
	return u.Key, true
}

func (s *Sequencer[K, R]) draw() int {
	x := float64(s.src.Uint64()>>11) * 0x1p-53 * s.tree[1].weight
	i := 1
	for i < len(s.tree)/2 {
		i *= 2
		if x >= s.tree[i].weight && s.tree[i+1].weight > 0 { // rounding may leave x at the total
			x -= s.tree[i].weight
			i++
		}
	}
	return i - len(s.tree)/2
}

// furthest returns the user with the largest (N + 1) w_i - n_i W, nginx's
// current weight. For whole weights it is exact until one of them changes.
func (s *Sequencer[K, R]) furthest() (best int) {
	most := 0.0
	for i := range s.users {
		u := &s.users[i]
		current := float64(s.grants+1)*u.Weight - s.remain(u)*s.tree[1].weight
		if i == 0 || current > most || current == most && u.Joined < s.users[best].Joined {
			best, most = i, current
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
