package fairqueue_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"pgregory.net/rapid"
)

// sequencer is what Stride, Lottery and SmoothWRR have in common. tester is what testing and rapid
// have in common.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// wantFault fails unless err names the function, argument and index.
func wantFault(t *testing.T, err error, fn, arg string, index int) {
	t.Helper()
	expect.InputError(t, fn, err, "fairqueue."+fn, arg, index)
}

type sequencer interface {
	Join(key int, weight, remain float64) error
	Leave(key int) (remain float64, ok bool)
	SetWeight(key int, weight float64) error
	Next() (key int, ok bool)
	Len() int
	Snapshot() fairqueue.Sequence[int]
}

// restore returns a sequencer of a rule in a state. A Lottery draws from a PCG with that seed.
func restore(rule string, s fairqueue.Sequence[int], seed uint64) (sequencer, error) {
	switch rule {
	case "Stride":
		return fairqueue.RestoreStride(s)
	case "SmoothWRR":
		return fairqueue.RestoreSmoothWRR(s)
	}
	return fairqueue.RestoreLottery(s, rand.NewPCG(seed, 1))
}

// sequencers returns one of each rule, empty. The Lottery draws from a PCG with that seed.
func sequencers(t tester, seed uint64) map[string]sequencer {
	t.Helper()
	drawn, err := fairqueue.NewLottery[int](rand.NewPCG(seed, 1))
	if err != nil {
		t.Fatalf("NewLottery: %v", err)
	}
	return map[string]sequencer{"Stride": new(fairqueue.Stride[int]), "Lottery": drawn, "SmoothWRR": new(fairqueue.SmoothWRR[int])}
}

func join(t tester, s sequencer, weights ...float64) {
	t.Helper()
	for i, w := range weights {
		if err := s.Join(i, w, 0); err != nil {
			t.Fatalf("Join(%d, %v, 0): %v", i, w, err)
		}
	}
}

// grants is the number of grants over which bounds are tested.
func grants() int {
	if testing.Short() {
		return 1e5
	}
	return 1e6
}

// The bounds of Waldspurger and Weihl, over 10^6 grants: less than one grant off between two users,
// and the bounds on one user's own count.
func TestStrideBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 10 {
		m := 2 + r.IntN(6)
		weights, total := make([]float64, m), 0.0
		for i := range weights {
			weights[i] = math.Exp(4 * r.Float64())
			if r.IntN(2) == 0 {
				weights[i] = 1 + float64(r.IntN(9))
			}
			total += weights[i]
		}
		var s fairqueue.Stride[int]
		join(t, &s, weights...)
		had := make([]float64, m)
		for n := 1.; n <= float64(grants()/10); n++ {
			key, _ := s.Next()
			had[key]++
			for i, w := range weights {
				if low, high := n*w/total-1, (n+float64(m)-1)*w/total; !(had[i] > low-1e-9 && had[i] <= high+1e-9) {
					t.Fatalf("weights %v: after %v grants user %d had %v, want within (%v, %v]", weights, n, i, had[i], low, high)
				}
				for j, v := range weights[:i] {
					if off := math.Abs(had[i]*v - had[j]*w); off > max(w, v)*(1+1e-9) {
						t.Fatalf("weights %v: after %v grants users %d and %d had %v and %v", weights, n, i, j, had[i], had[j])
					}
				}
			}
		}
	}
}

func TestStrideOrder(t *testing.T) {
	var s fairqueue.Stride[int]
	join(t, &s, 3, 2, 1) // the paper's example: passes 1/3, 1/2, 1
	got := make([]int, 6)
	for k := range got {
		got[k], _ = s.Next()
	}
	if want := [6]int{0, 1, 0, 0, 1, 2}; [6]int(got) != want {
		t.Errorf("weights 3, 2, 1: %v, want %v", got, want)
	}
}

// Each period of W grants holds exactly w_i of user i, and nginx's example comes in nginx's order.
func TestSmoothWRRCounts(t *testing.T) {
	var s fairqueue.SmoothWRR[int]
	join(t, &s, 5, 1, 1)
	for k, want := range []int{0, 0, 1, 0, 2, 0, 0, 0, 0, 1, 0, 2, 0, 0} {
		if got, _ := s.Next(); got != want {
			t.Errorf("weights 5, 1, 1: grant %d is %d's, want %d's", k, got, want)
		}
	}
	r := rand.New(rand.NewPCG(7, 8))
	for n := 0; n < grants(); {
		weights, total := make([]float64, 1+r.IntN(8)), 0
		for i := range weights {
			w := 1 + r.IntN(1+r.IntN(40))
			weights[i], total = float64(w), total+w
		}
		var s fairqueue.SmoothWRR[int]
		join(t, &s, weights...)
		for range 1 + 20000/total {
			had := make([]float64, len(weights))
			for range total {
				key, _ := s.Next()
				had[key]++
				n++
			}
			for i, w := range weights {
				if had[i] != w {
					t.Fatalf("weights %v: user %d has %v of %d grants", weights, i, had[i], total)
				}
			}
		}
	}
}

// Five standard deviations, which one of 10^6 counts exceeds.
func TestLotteryChances(t *testing.T) {
	s := sequencers(t, 9)["Lottery"]
	weights := []float64{1, 2, 3, .5, 10, 7, 1e-3, .25, 4}
	total := 0.0
	for _, w := range weights {
		total += w
	}
	join(t, s, weights...)
	had, n := make([]float64, len(weights)), float64(grants())
	for range grants() {
		key, _ := s.Next()
		had[key]++
	}
	for i, w := range weights {
		p := w / total
		if off := had[i] - n*p; math.Abs(off) > 5*math.Sqrt(n*p*(1-p))+1 {
			t.Errorf("user %d had %v of %v grants, want %v within five deviations", i, had[i], n, n*p)
		}
		if remain, _ := s.Leave(i); i == 0 && math.Abs(remain-(had[i]-n*p)) > 1e-9*n {
			t.Errorf("user 0 leaves with %v, want %v", remain, had[i]-n*p)
		}
	}
}

// share is a user of the model: what it had beyond its share so far.
type share struct{ weight, remain, joined float64 }

// Histories of joins, leaves, changes of weight and grants: the rule holds at every grant, and
// remains are what they say.
func TestSequencerHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		name := rapid.SampledFrom([]string{"Stride", "Lottery", "SmoothWRR"}).Draw(t, "rule")
		s, source := sequencers(t, seed)[name], seed
		model, away, joined := map[int]share{}, map[int]float64{}, 0.0
		weight := rapid.OneOf(rapid.Float64Range(.01, 100), rapid.Map(rapid.IntRange(1, 9), func(w int) float64 { return float64(w) }))
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			key, w := rapid.IntRange(0, 5).Draw(t, "key"), weight.Draw(t, "weight")
			u, present := model[key]
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0, 1:
				if err := s.Join(key, w, away[key]); (err == nil) == present {
					t.Fatalf("Join(%d): %v", key, err)
				}
				if !present {
					model[key] = share{w, away[key], joined}
					joined++
				}
			case 2:
				remain, ok := s.Leave(key)
				if ok != present || math.Abs(remain-u.remain) > 1e-9*(1+math.Abs(u.remain)) {
					t.Fatalf("Leave(%d) = %v, %v, want %v, %v", key, remain, ok, u.remain, present)
				}
				if present {
					away[key] = remain
					delete(model, key)
				}
			case 3:
				if err := s.SetWeight(key, w); (err == nil) != present {
					t.Fatalf("SetWeight(%d): %v", key, err)
				}
				if present {
					u.weight = w
					model[key] = u
				}
			case 4:
				q := s.Snapshot()
				b, err := json.Marshal(q)
				var back fairqueue.Sequence[int]
				if err == nil {
					err = json.Unmarshal(b, &back)
				}
				var copied sequencer
				if err == nil {
					copied, err = restore(name, back, source)
				}
				if err != nil {
					t.Fatalf("%s: %v", b, err)
				}
				if name == "Lottery" { // from here on both draw from the same seed
					if s, err = restore(name, q, source); err != nil {
						t.Fatal(err)
					}
				}
				again := copied.Snapshot()
				for k := range 20 {
					a, _ := s.Next()
					b, _ := copied.Next()
					if a != b {
						t.Fatalf("grant %d after Restore is %d's, want %d's", k, b, a)
					}
				}
				if s, err = restore(name, again, source); err != nil { // takes the 20 grants back
					t.Fatal(err)
				}
			default:
				for range 7 {
					grantNext(t, name, s, model)
				}
			}
			if s.Len() != len(model) {
				t.Fatalf("Len() = %d, want %d", s.Len(), len(model))
			}
		}
	})
}

// grantNext grants a slot, and checks it against the model.
func grantNext(t *rapid.T, name string, s sequencer, model map[int]share) {
	got, ok := s.Next()
	chosen, present := model[got]
	if ok != (len(model) > 0) || ok != present {
		t.Fatalf("Next() = %d, %v with %d users", got, ok, len(model))
	}
	total := 0.0
	for _, u := range model {
		total += u.weight
	}
	due := func(u share) float64 { // ascending
		if name == "Stride" {
			return (u.remain + 1) / u.weight
		}
		return u.remain - u.weight/total
	}
	for key, u := range model {
		if slack := 1e-9 * (math.Abs(due(u)) + 1); name != "Lottery" && due(chosen) > due(u)+slack {
			t.Fatalf("%s: user %d of %+v is next, before user %d of %+v", name, got, chosen, key, u)
		}
	}
	for key, u := range model {
		u.remain -= u.weight / total
		if key == got {
			u.remain++
		}
		model[key] = u
	}
}

func BenchmarkSequencer(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"Stride", 1e5}, {"Lottery", 1e5}, {"SmoothWRR", 100}} {
		b.Run(c.name+"/n="+strconv.Itoa(c.n), func(b *testing.B) {
			s, err := sequencers(b, 1)[c.name], error(nil)
			r := rand.New(rand.NewPCG(1, 2))
			for i := range c.n {
				err = errors.Join(err, s.Join(i, 1+r.Float64()*99, 0))
			}
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			sum := 0
			for b.Loop() {
				key, _ := s.Next()
				sum += key
			}
			if sum < 0 {
				b.Fatal(sum)
			}
		})
	}
}

func TestSequencersAllocate(t *testing.T) {
	for name, s := range sequencers(t, 1) {
		join(t, s, 1, 2, 3, 4, 5)
		if n := testing.AllocsPerRun(100, func() { s.Next() }); n != 0 {
			t.Errorf("%s.Next allocates %v times", name, n)
		}
	}
}

// Ties go to the user that joined first, also after the last has taken the place of one that left.
func TestSequencerTies(t *testing.T) {
	for _, name := range []string{"Stride", "SmoothWRR"} {
		s := sequencers(t, 1)[name]
		join(t, s, 1, 1, 1, 1)
		s.Leave(0)
		for _, want := range []int{1, 2, 3, 1} {
			if got, _ := s.Next(); got != want {
				t.Errorf("%s: %d is next, want %d", name, got, want)
			}
		}
	}
}

// Grants to a user of little weight, alone, leave no trace once that user has left.
func TestSequencerAfterLittleWeight(t *testing.T) {
	for _, name := range []string{"Stride", "SmoothWRR"} {
		s := sequencers(t, 1)[name]
		join(t, s, 0x1p-100)
		for range 100 {
			s.Next()
		}
		s.Leave(0)
		join(t, s, 1, 2, 3)
		had := [3]int{}
		for range 60 {
			key, _ := s.Next()
			had[key]++
		}
		if want := [3]int{10, 20, 30}; had != want {
			t.Errorf("%s: weights 1, 2 and 3 have %v of 60 grants, want %v", name, had, want)
		}
	}
}

// Nor do they while that user stays, or gets a larger weight.
func TestSequencerBesideLittleWeight(t *testing.T) {
	for _, name := range []string{"Stride", "SmoothWRR"} {
		for _, reweigh := range []bool{false, true} {
			s := sequencers(t, 1)[name]
			if err := s.Join(9, 1e-12, 0); err != nil {
				t.Fatal(err)
			}
			for range 1_000_000 {
				s.Next()
			}
			weights := []float64{1, 2, 3}
			if reweigh {
				if err := s.SetWeight(9, 4); err != nil {
					t.Fatal(err)
				}
			}
			join(t, s, weights...)
			had := map[int]float64{}
			for range 600 {
				key, _ := s.Next()
				had[key]++
			}
			sum := 6.0
			if reweigh {
				sum = 10
			}
			for i, w := range weights {
				if math.Abs(had[i]-600*w/sum) > 1 {
					t.Errorf("%s, reweigh %v: user of weight %v has %v of 600 grants, want %v", name, reweigh, w, had[i], 600*w/sum)
				}
			}
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
		if err != nil {
			t.Fatal(err)
		}
		join(t, s, r.Float64()/8, r.Float64()/8, r.Float64()/8, r.Float64()/8, .5+r.Float64()/2)
		if key, ok := s.Next(); key != 4 || !ok {
			t.Fatalf("Next() = %d, %v, want 4", key, ok)
		}
	}
}
