package fairqueue_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// Every documented error names its function and argument, and changes nothing.
func TestErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	q, err := fairqueue.New[float64](fairqueue.Options{})
	must(t, err)
	must(t, q.Join(1, 1))
	must(t, q.JoinUnder(1, 2, 1))
	must(t, q.JoinUnder(1, 3, 1))
	must(t, q.SetActive(3, true))
	must(t, q.Charge(3, 10))
	must(t, q.Join(4, 1))
	must(t, q.SetActive(4, true))
	must(t, q.Join(6, 1))
	must(t, q.SetLimit(6, 1))
	s, err := q.Start(6, 1)
	must(t, err)
	must(t, q.Join(7, 1))
	_, err = q.Start(7, 1)
	must(t, err)
	if !q.Leave(7) {
		t.Fatal("a flow with a service in flight cannot leave")
	}
	before := q.Snapshot()
	_, lag := fairqueue.New[float64](fairqueue.Options{Lag: nan})
	_, least := fairqueue.New[float64](fairqueue.Options{Least: 1.1})
	_, err = fairqueue.New[float64](fairqueue.Options{Return: 2})
	_, why := q.Why(nil, 9)
	for _, c := range []struct {
		name, arg string
		err       error
	}{
		{"New", "o", err},
		{"New", "o", lag},
		{"New", "o", least},
		{"Queue.Join", "key", q.Join(1, 1)},
		{"Queue.Join", "key", q.Join(nan, 1)},
		{"Queue.Join", "weight", q.Join(5, 0)},
		{"Queue.Join", "weight", q.Join(5, nan)},
		{"Queue.Join", "weight", q.Join(5, 0x1p101)},
		{"Queue.JoinUnder", "parent", q.JoinUnder(9, 5, 1)},
		{"Queue.JoinUnder", "parent", q.JoinUnder(3, 5, 1)},
		{"Queue.JoinUnder", "parent", q.JoinUnder(5, 5, 1)},
		{"Queue.JoinUnder", "key", q.JoinUnder(1, 2, 1)},
		{"Queue.JoinUnder", "weight", q.JoinUnder(1, 5, -1)},
		{"Queue.SetWeight", "key", q.SetWeight(9, 1)},
		{"Queue.SetWeight", "weight", q.SetWeight(1, inf)},
		{"Queue.SetActive", "key", q.SetActive(9, true)},
		{"Queue.SetActive", "key", q.SetActive(1, true)},
		{"Queue.Charge", "key", q.Charge(9, 1)},
		{"Queue.Charge", "key", q.Charge(1, 1)},
		{"Queue.Charge", "cost", q.Charge(3, -1)},
		{"Queue.Charge", "cost", q.Charge(3, nan)},
		{"Queue.Charge", "cost", q.Charge(3, inf)},
		{"Queue.Charge", "cost", q.Charge(3, 0x1p-61)},
		{"Queue.Charge", "cost", q.Charge(3, 0x1p61)},
		{"Queue.Start", "key", startError(q, 9, 1)},
		{"Queue.Start", "key", startError(q, 1, 1)},
		{"Queue.Start", "key", startError(q, 6, 1)},
		{"Queue.Start", "key", startError(q, 7, 1)},
		{"Queue.Start", "cost", startError(q, 3, -1)},
		{"Queue.Grow", "s", q.Grow(99, 1)},
		{"Queue.Grow", "more", q.Grow(s, nan)},
		{"Queue.Grow", "more", q.Grow(s, 0x1p60)},
		{"Queue.End", "s", q.End(0, 1)},
		{"Queue.End", "cost", q.End(s, inf)},
		{"Queue.Elsewhere", "key", q.Elsewhere(9, 1)},
		{"Queue.Elsewhere", "cost", q.Elsewhere(3, nan)},
		{"Queue.SetLimit", "key", q.SetLimit(9, 1)},
		{"Queue.SetLimit", "services", q.SetLimit(3, -1)},
		{"Queue.JoinUnder", "key", q.JoinUnder(1, 7, 1)},
		{"Queue.Why", "key", why},
		{"Tag", "virtual", tagError(nan, 0, 1, 1)},
		{"Tag", "last", tagError(0, inf, 1, 1)},
		{"Tag", "cost", tagError(0, 0, -1, 1)},
		{"Tag", "weight", tagError(0, 0, 1, 0)},
	} {
		var in *schedmath.InputError
		if !errors.As(c.err, &in) || in.Func != "fairqueue."+c.name || in.Arg != c.arg || in.Index != -1 || !errors.Is(c.err, schedmath.ErrInput) {
			t.Errorf("error %v, want one of fairqueue.%s about %s", c.err, c.name, c.arg)
		}
	}
	if after := q.Snapshot(); !reflect.DeepEqual(before, after) {
		t.Errorf("errors made %+v of %+v", after, before)
	}
	if q.Leave(9) || q.Leave(1) {
		t.Error("Leave of an unknown key or of one with children is true, want false")
	}
}

func startError(q *fairqueue.Queue[float64], key, cost float64) error {
	_, err := q.Start(key, cost)
	return err
}

func tagError(virtual, last, cost, weight float64) error {
	_, _, err := fairqueue.Tag(virtual, last, cost, weight)
	return err
}

// The zero Queue is an empty one of zero Options.
func TestZeroQueue(t *testing.T) {
	var q fairqueue.Queue[string]
	if _, ok := q.Next(nil); ok || len(q.Snapshot().Flows) != 0 || q.Leave("a") {
		t.Error("a zero Queue is not empty")
	}
	twin, err := fairqueue.Restore(q.Snapshot())
	must(t, err)
	if _, ok := twin.Next(nil); ok {
		t.Error("a restored zero Queue is not empty")
	}
	must(t, q.Join("a", 1))
	must(t, q.SetActive("a", true))
	if key, ok := q.Next(nil); key != "a" || !ok {
		t.Errorf("Next() = %q, %t, want a, true", key, ok)
	}
}

// Whatever the arguments, tags are finite, and a skip function that changes the queue breaks
// nothing.
func TestExtremes(t *testing.T) {
	odd := []float64{0, math.Copysign(0, -1), 5e-324, 0x1p-200, 0x1p-100, .1, 1, 0x1p100, 0x1p200, math.MaxFloat64, math.Inf(1), math.NaN(), -1, -0x1p200}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		q, err := fairqueue.New[int](fairqueue.Options{Return: fairqueue.Return(seed % 2)})
		must(t, err)
		change := func() {
			a, b, x := r.IntN(8), r.IntN(8), odd[r.IntN(len(odd))]
			switch r.IntN(8) {
			case 0:
				_ = q.Join(a, x)
			case 1:
				_ = q.JoinUnder(a, b, x)
			case 2:
				q.Leave(a)
			case 3:
				_ = q.SetWeight(a, x)
			case 4, 5:
				_ = q.SetActive(a, r.IntN(3) > 0)
			case 6:
				_ = q.Charge(a, x)
			default:
				if s, err := q.Start(a, x); err == nil && r.IntN(2) == 0 {
					_ = q.Grow(s, odd[r.IntN(len(odd))])
					_ = q.End(s, odd[r.IntN(len(odd))])
				}
			}
		}
		for range 500 {
			change()
			q.Next(nil)
			q.Next(func(int) bool { change(); return r.IntN(2) == 0 })
		}
		s := q.Snapshot()
		if _, err := json.Marshal(s); err != nil {
			t.Fatalf("tags of %+v: %v", s, err)
		}
		if _, err := fairqueue.Restore(s); err != nil {
			t.Fatalf("Restore(%+v): %v", s, err)
		}
	}
}

// Restore refuses what no queue produces.
func TestRestoreErrors(t *testing.T) {
	make := func() fairqueue.Snapshot[float64] {
		q, err := fairqueue.New[float64](fairqueue.Options{})
		must(t, err)
		must(t, q.Join(1, 1))
		must(t, q.JoinUnder(1, 2, 1))
		must(t, q.JoinUnder(1, 3, 1))
		must(t, q.SetActive(2, true))
		must(t, q.SetActive(3, true))
		must(t, q.Charge(3, 10))
		_, err = q.Start(2, 4)
		must(t, err)
		q.Leave(3)
		return q.Snapshot()
	}
	if s := make(); len(s.Flows) != 3 || !s.Flows[2].Left || len(s.Services) != 1 {
		t.Fatalf("snapshot %+v, want three flows, one that has left, and a service", s)
	}
	for name, damage := range map[string]func(s *fairqueue.Snapshot[float64]){
		"version":      func(s *fairqueue.Snapshot[float64]) { s.Version = 9 },
		"return":       func(s *fairqueue.Snapshot[float64]) { s.Options.Return = 7 },
		"lag":          func(s *fairqueue.Snapshot[float64]) { s.Options.Lag = math.NaN() },
		"virtual":      func(s *fairqueue.Snapshot[float64]) { s.Virtual[5] = 1 << 63 },
		"twice":        func(s *fairqueue.Snapshot[float64]) { s.Flows[1].Key = 1 },
		"key":          func(s *fairqueue.Snapshot[float64]) { s.Flows[1].Key = math.NaN() },
		"parent":       func(s *fairqueue.Snapshot[float64]) { s.Flows[1].Parent = 3 },
		"cycle":        func(s *fairqueue.Snapshot[float64]) { s.Flows[0].Parent = 1; s.Flows[1].Active = false },
		"own parent":   func(s *fairqueue.Snapshot[float64]) { s.Flows[1].Parent = 1; s.Flows[1].Active = false },
		"weight":       func(s *fairqueue.Snapshot[float64]) { s.Flows[1].Weight = 0 },
		"limit":        func(s *fairqueue.Snapshot[float64]) { s.Flows[1].Limit = -1 },
		"quota":        func(s *fairqueue.Snapshot[float64]) { s.Flows[1].Quota[5] = 1 << 60 },
		"active left":  func(s *fairqueue.Snapshot[float64]) { s.Flows[2].Active = true },
		"active":       func(s *fairqueue.Snapshot[float64]) { s.Flows[0].Active = true },
		"forget":       func(s *fairqueue.Snapshot[float64]) { s.Options.Forget = true },
		"forgotten":    func(s *fairqueue.Snapshot[float64]) { s.Flows[0].Virtual[4] = 1 },
		"left parent":  func(s *fairqueue.Snapshot[float64]) { s.Flows[0].Left = true },
		"under left":   func(s *fairqueue.Snapshot[float64]) { s.Flows[1].Parent = 2 },
		"floor":        func(s *fairqueue.Snapshot[float64]) { s.Flows[1].Floor[3] = 1 },
		"finish":       func(s *fairqueue.Snapshot[float64]) { s.Flows[1].Finish[5] = 1 << 60 },
		"idle":         func(s *fairqueue.Snapshot[float64]) { s.Flows[1].Active, s.Services = false, nil },
		"flow":         func(s *fairqueue.Snapshot[float64]) { s.Services[0].Flow = 3 },
		"id":           func(s *fairqueue.Snapshot[float64]) { s.Services[0].ID = 0 },
		"service":      func(s *fairqueue.Snapshot[float64]) { s.Services = append(s.Services, s.Services[0]) },
		"charged":      func(s *fairqueue.Snapshot[float64]) { s.Services[0].Charged[4] = 1 },
		"charged less": func(s *fairqueue.Snapshot[float64]) { s.Services[0].Charged = [6]uint64{1} },
		"idle virtual": func(s *fairqueue.Snapshot[float64]) {
			s.Flows, s.Services, s.Virtual[2] = s.Flows[:1], nil, 5
		},
	} {
		s := make()
		damage(&s)
		if _, err := fairqueue.Restore(s); !errors.Is(err, schedmath.ErrInput) {
			t.Errorf("%s: Restore(%+v) = %v, want an InputError", name, s, err)
		}
	}
}

// A snapshot of a version that the reader does not know is refused, whatever else is in it.
func TestUnknownVersion(t *testing.T) {
	for _, text := range []string{`{"version": 99}`, `{"version": 0}`, `{}`, `{"version": -1}`} {
		var s fairqueue.Snapshot[int]
		must(t, json.Unmarshal([]byte(text), &s))
		_, err := fairqueue.Restore(s)
		expect.InputError(t, text, err, "fairqueue.Restore", "s", -1)
	}
}
