package fairqueue_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// wantFault fails unless err names the function, argument and index.
func wantFault(t *testing.T, err error, fn, arg string, index int) {
	t.Helper()
	expect.InputError(t, fn, err, "fairqueue."+fn, arg, index)
}

// sequencer is what Lottery and SmoothWRR have in common.
type sequencer interface {
	Join(key int, weight float64) error
	Leave(key int) bool
	SetWeight(key int, weight float64) error
	Next() (key int, ok bool)
	Charge(key int, cost float64) error
	Len() int
	Snapshot() fairqueue.Sequence[int]
}

var rules = []string{"Lottery", "SmoothWRR"}

// restore returns a sequencer of a rule in a state. A Lottery draws from a PCG with that seed.
func restore(rule string, s fairqueue.Sequence[int], seed uint64) (sequencer, error) {
	if rule == "SmoothWRR" {
		return fairqueue.RestoreSmoothWRR(s)
	}
	return fairqueue.RestoreLottery(s, rand.NewPCG(seed, 1))
}

// newSequencer returns one of a rule with users 0, 1, ... of these weights.
func newSequencer(t failer, rule string, seed uint64, weights ...float64) (s sequencer) {
	t.Helper()
	s = new(fairqueue.SmoothWRR[int])
	if rule == "Lottery" {
		drawn, err := fairqueue.NewLottery[int](rand.NewPCG(seed, 1))
		must(t, err)
		s = drawn
	}
	for i, w := range weights {
		must(t, s.Join(i, w))
	}
	return s
}

// take serves the next user at a cost and returns it.
func take(t failer, s sequencer, cost float64) int {
	t.Helper()
	key, ok := s.Next()
	if !ok {
		t.Fatalf("Next() = %d, false", key)
	}
	must(t, s.Charge(key, cost))
	return key
}

// services is the number of services over which bounds are tested.
func services() int {
	if testing.Short() {
		return 1e5
	}
	return 1e6
}

// Each period of W services holds exactly w_i of user i, and nginx's example comes in nginx's
// order.
func TestSmoothWRRCounts(t *testing.T) {
	for _, cost := range []float64{1, .1, 7e9} {
		s := newSequencer(t, "SmoothWRR", 0, 5, 1, 1)
		for k, want := range []int{0, 0, 1, 0, 2, 0, 0, 0, 0, 1, 0, 2, 0, 0} {
			if got := take(t, s, cost); got != want {
				t.Errorf("weights 5, 1, 1: service %d is %d's, want %d's", k, got, want)
			}
		}
	}
	r := rand.New(rand.NewPCG(7, 8))
	for n := 0; n < services(); {
		weights, total := make([]float64, 1+r.IntN(8)), 0
		for i := range weights {
			w := 1 + r.IntN(1+r.IntN(40))
			weights[i], total = float64(w), total+w
		}
		s := newSequencer(t, "SmoothWRR", 0, weights...)
		for range 1 + 20000/total {
			had := make([]float64, len(weights))
			for range total {
				had[take(t, s, 1)]++
				n++
			}
			if !slices.Equal(had, weights) {
				t.Fatalf("weights %v: %v of %d services", weights, had, total)
			}
		}
	}
}

// costsOf is what requests cost: each user's have a scale of their own, up to so many times apart,
// and are constant, random, or small and large by turns.
func costsOf(r *rand.Rand, users int, apart float64) func(user int) float64 {
	scale, turn := make([]float64, users), make([]int, users)
	for i := range scale {
		scale[i] = math.Pow(apart, r.Float64())
	}
	return func(user int) float64 {
		turn[user]++
		switch user % 3 {
		case 0:
			return scale[user]
		case 1:
			return scale[user] * r.Float64()
		}
		return scale[user] * []float64{1, .001}[turn[user]%2]
	}
}

// Whatever requests cost, a user of n is at most the largest cost ahead of its part of all service,
// and n-1 times the largest cost behind.
func TestSmoothWRRCosts(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 20 {
		weights, total := make([]float64, 2+r.IntN(8)), 0.
		for i := range weights {
			weights[i] = []float64{math.Exp(6 * r.Float64()), 1 + float64(r.IntN(9)), .1, 7.1}[r.IntN(4)]
			total += weights[i]
		}
		s, cost := newSequencer(t, "SmoothWRR", 0, weights...), costsOf(r, len(weights), 1e6)
		had, all, largest := make([]float64, len(weights)), 0., 0.
		for range services() / 20 {
			key, _ := s.Next()
			c := cost(key)
			must(t, s.Charge(key, c))
			had[key], all, largest = had[key]+c, all+c, max(largest, c)
			for i, w := range weights {
				if behind := all*w/total - had[i]; behind < -largest-rounding*all || behind > float64(len(weights)-1)*largest+rounding*all {
					t.Fatalf("weights %v: user %d of service %v is %v behind, the largest cost is %v", weights, i, had[i], behind, largest)
				}
			}
		}
	}
}

// Where all requests cost the same, counts are those of independent draws. Five standard
// deviations, which one of 10^6 counts exceeds.
func TestLotteryChances(t *testing.T) {
	weights := []float64{1, 2, 3, .5, 10, 7, 1e-3, .25, 4}
	total := 0.0
	for _, w := range weights {
		total += w
	}
	s := newSequencer(t, "Lottery", 9, weights...)
	had, n := make([]float64, len(weights)), float64(services())
	for range services() {
		had[take(t, s, 7.1)]++
	}
	for i, w := range weights {
		p := w / total
		if off := had[i] - n*p; math.Abs(off) > 5*math.Sqrt(n*p*(1-p))+1 {
			t.Errorf("user %d had %v of %v services, want %v within five deviations", i, had[i], n, n*p)
		}
	}
}

// Whatever requests cost, service is in the long run in proportion to the weights. In a time in
// which a user of tickets w/c is drawn at that rate, its service takes c/w in the mean, with that
// standard deviation, independently of all others: so the service of each unit of weight in N
// services deviates by sqrt(sum c^2) / sum c of itself.
func TestLotteryCosts(t *testing.T) {
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 13))
		weights := []float64{1, 2, 3, .5, 10, 7}
		s, cost := newSequencer(t, "Lottery", seed, weights...), costsOf(r, len(weights), 10)
		had, squares := make([]float64, len(weights)), make([]float64, len(weights))
		for range services() {
			key, _ := s.Next()
			c := cost(key)
			must(t, s.Charge(key, c/4)) // in parts
			must(t, s.Charge(key, c-c/4))
			had[key], squares[key] = had[key]+c, squares[key]+c*c
		}
		for i, w := range weights {
			for j, v := range weights[:i] {
				deviation := math.Sqrt(squares[i])/had[i] + math.Sqrt(squares[j])/had[j]
				if ratio := had[i] / w / (had[j] / v); math.Abs(math.Log(ratio)) > 5*deviation || deviation > .1 {
					t.Errorf("seed %d: users %d and %d had %v and %v at weights %v and %v, want in proportion within 5 times %v", seed, i, j, had[i], had[j], w, v, deviation)
				}
			}
		}
	}
}

// Costs in another unit change no choice.
func TestSequencerUnits(t *testing.T) {
	for _, rule := range rules {
		weights := []float64{.1, .3, 7.1, 2, 2}
		a, b := newSequencer(t, rule, 3, weights...), newSequencer(t, rule, 3, weights...)
		cost := costsOf(rand.New(rand.NewPCG(1, 1)), len(weights)+1, 1e6)
		for k := range 2000 {
			if k == 1000 {
				must(t, errors.Join(a.Join(5, 1), b.Join(5, 1)))
			}
			key, _ := a.Next()
			c := cost(key)
			must(t, a.Charge(key, c))
			if got := take(t, b, c*0x1p-70); got != key {
				t.Fatalf("%s: service %d is %d's, want %d's", rule, k, got, key)
			}
		}
	}
}

// Ties go to the user that joined first, also after one has left.
func TestSequencerTies(t *testing.T) {
	s := newSequencer(t, "SmoothWRR", 0, 1, 1, 1, 1)
	s.Leave(0)
	for _, want := range []int{1, 2, 3, 1} {
		if got := take(t, s, 1); got != want {
			t.Errorf("%d is next, want %d", got, want)
		}
	}
}

// topmost is a source of the largest number alone, at which rounding could lead past the last user,
// whose it is.
type topmost struct{}

func (topmost) Uint64() uint64 { return math.MaxUint64 }

func TestLotteryHighest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for range 2000 {
		s, err := fairqueue.NewLottery[int](topmost{})
		must(t, err)
		for i := range 5 {
			must(t, s.Join(i, r.Float64()/8+float64(i/4)))
		}
		if key, ok := s.Next(); key != 4 || !ok {
			t.Fatalf("Next() = %d, %v, want 4", key, ok)
		}
	}
}

func TestSequencersAllocate(t *testing.T) {
	for _, rule := range rules {
		s := newSequencer(t, rule, 1, 1, 2, 3, 4, 5)
		if n := testing.AllocsPerRun(100, func() { take(t, s, 2) }); n != 0 {
			t.Errorf("%s: a service allocates %v times", rule, n)
		}
	}
}

func BenchmarkSequencer(b *testing.B) {
	for rule, n := range map[string]int{"Lottery": 1e5, "SmoothWRR": 100} {
		b.Run(rule+"/n="+strconv.Itoa(n), func(b *testing.B) {
			s, r := newSequencer(b, rule, 1), rand.New(rand.NewPCG(1, 2))
			for i := range n {
				must(b, s.Join(i, 1+r.Float64()*99))
			}
			b.ReportAllocs()
			sum := 0
			for b.Loop() {
				sum += take(b, s, 3)
			}
			if sum < 0 {
				b.Fatal(sum)
			}
		})
	}
}
