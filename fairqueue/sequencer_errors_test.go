package fairqueue_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/schedmath/schedmath/fairqueue"
	"pgregory.net/rapid"
)

func TestSequencerErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	_, err := fairqueue.NewLottery[int](nil)
	wantFault(t, err, "NewLottery", "src", -1)
	for _, name := range rules {
		s := newSequencer(t, name, 1, 1, 2)
		take(t, s, 1)
		before := s.Snapshot()
		for _, w := range []float64{0, -1, nan, inf, 0x1p-101, 0x1p101} {
			wantFault(t, s.Join(7, w), name+".Join", "weight", -1)
			wantFault(t, s.SetWeight(1, w), name+".SetWeight", "weight", -1)
		}
		for _, c := range []float64{-1, nan, inf, 0x1p201} {
			wantFault(t, s.Charge(1, c), name+".Charge", "cost", -1)
		}
		wantFault(t, s.Join(1, 1), name+".Join", "key", -1)
		wantFault(t, s.SetWeight(7, 1), name+".SetWeight", "key", -1)
		wantFault(t, s.Charge(7, 1), name+".Charge", "key", -1)
		if s.Leave(7) {
			t.Errorf("%s: Leave of nobody: true", name)
		}
		for _, change := range []func(*fairqueue.Sequence[int]){
			func(q *fairqueue.Sequence[int]) { q.Version++ },
			func(q *fairqueue.Sequence[int]) { q.Version = 1 },
			func(q *fairqueue.Sequence[int]) { q.Rule = "Fair" },
			func(q *fairqueue.Sequence[int]) { q.Last = nan },
			func(q *fairqueue.Sequence[int]) { q.Last = -1 },
			func(q *fairqueue.Sequence[int]) { q.Last, q.Users[1].Cost = 0, 1 },
			func(q *fairqueue.Sequence[int]) { q.Users[1].Key = 0 },
			func(q *fairqueue.Sequence[int]) { q.Users[1].Weight = nan },
			func(q *fairqueue.Sequence[int]) { q.Users[1].Current = inf },
			func(q *fairqueue.Sequence[int]) { q.Users[1].Cost = -1 },
			func(q *fairqueue.Sequence[int]) { q.Users[1].Current, q.Users[1].Cost = 1, 1 },
			func(q *fairqueue.Sequence[int]) { q.Users[1].Current, q.Users[1].Drawn = 1, true },
		} {
			q := s.Snapshot()
			change(&q)
			_, err := restore(name, q, 1)
			wantFault(t, err, "Restore"+name, "s", -1)
		}
		if diff := cmp.Diff(before, s.Snapshot()); diff != "" {
			t.Errorf("%s: changed by errors: %s", name, diff)
		}
	}
	var f fairqueue.SmoothWRR[float64]
	wantFault(t, f.Join(nan, 1), "SmoothWRR.Join", "key", -1)
	q := fairqueue.Sequence[float64]{Version: 2, Rule: "SmoothWRR", Users: []fairqueue.Turn[float64]{{Key: nan, Weight: 1}}}
	_, err = fairqueue.RestoreSmoothWRR(q)
	wantFault(t, err, "RestoreSmoothWRR", "s", -1)
	_, err = fairqueue.RestoreLottery(new(fairqueue.Lottery[int]).Snapshot(), nil)
	wantFault(t, err, "RestoreLottery", "src", -1)
	for name, s := range map[string]sequencer{"SmoothWRR": (*fairqueue.SmoothWRR[int])(nil), "Lottery": new(fairqueue.Lottery[int])} {
		wantFault(t, s.Join(1, 1), name+".Join", "s", -1)
		wantFault(t, s.SetWeight(1, 1), name+".SetWeight", "key", -1)
		wantFault(t, s.Charge(1, 1), name+".Charge", "key", -1)
		if _, ok := s.Next(); ok || s.Leave(1) || s.Len() != 0 || len(s.Snapshot().Users) != 0 {
			t.Errorf("%s: nil or without a source, but not empty", name)
		}
	}
}

// Whatever the arguments, Restore takes the Snapshot, and Snapshot gives back what Restore takes.
func TestSequencerState(t *testing.T) {
	weight := rapid.SampledFrom([]float64{0x1p-100, 1e-9, .1, 1, math.Pi, 0x1p100})
	cost := rapid.SampledFrom([]float64{0, 5e-324, .3, 7.1, 0x1p200, math.Nextafter(0x1p200, math.Inf(1))})
	current := rapid.SampledFrom([]float64{0, 0, .3, -7.1, 0x1p600, -0x1p600, math.MaxFloat64})
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(rules).Draw(t, "rule")
		q := fairqueue.Sequence[int]{Version: 2, Rule: name, Last: cost.Draw(t, "last"), Users: []fairqueue.Turn[int]{}}
		for i := range rapid.IntRange(0, 3).Draw(t, "users") {
			u := fairqueue.Turn[int]{Key: i, Weight: weight.Draw(t, "weight")}
			if name == "Lottery" {
				u.Cost, u.Drawn = cost.Draw(t, "cost"), rapid.Bool().Draw(t, "drawn")
			} else {
				u.Current = current.Draw(t, "current")
			}
			q.Users = append(q.Users, u)
		}
		s, err := restore(name, q, 7)
		if err != nil {
			t.Skip("not a Snapshot")
		}
		if diff := cmp.Diff(q, s.Snapshot()); diff != "" {
			t.Fatal(diff)
		}
		for range rapid.IntRange(1, 40).Draw(t, "calls") {
			key := rapid.IntRange(0, 4).Draw(t, "key")
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				_ = s.Join(key, weight.Draw(t, "weight"))
			case 1:
				s.Leave(key)
			case 2:
				_ = s.SetWeight(key, weight.Draw(t, "weight"))
			case 3:
				if _, ok := s.Next(); ok != (s.Len() > 0) {
					t.Fatalf("Next: %v with %d users", ok, s.Len())
				}
			default:
				_ = s.Charge(key, cost.Draw(t, "charge"))
			}
			state := s.Snapshot()
			if s, err = restore(name, state, 7); err != nil {
				t.Fatalf("Restore refuses the Snapshot %+v: %v", state, err)
			}
		}
	})
}

// A snapshot of a version that the reader does not know is refused, whatever else is in it.
func TestUnknownVersion(t *testing.T) {
	for name, read := range map[string]func(b []byte) error{
		"Restore": func(b []byte) error {
			var s fairqueue.Snapshot[int]
			_ = json.Unmarshal(b, &s)
			_, err := fairqueue.Restore(s)
			return err
		},
		"RestoreSmoothWRR": func(b []byte) error {
			var s fairqueue.Sequence[int]
			_ = json.Unmarshal(b, &s)
			_, err := fairqueue.RestoreSmoothWRR(s)
			return err
		},
		"RestoreLottery": func(b []byte) error {
			var s fairqueue.Sequence[int]
			_ = json.Unmarshal(b, &s)
			_, err := fairqueue.RestoreLottery(s, rand.NewPCG(1, 1))
			return err
		},
		"RestoreUsage": func(b []byte) error {
			var s fairqueue.UsageSnapshot
			_ = json.Unmarshal(b, &s)
			_, err := fairqueue.RestoreUsage(s)
			return err
		},
	} {
		for _, text := range []string{`{"Version": 99}`, `{"version": 99}`, `{"version": 0}`, `{}`, `{"version": -1}`} {
			err := read([]byte(text))
			wantFault(t, err, name, "s", -1)
			if !strings.Contains(err.Error(), "Version") {
				t.Errorf("%s(%s): %v, want an error that names the Version", name, text, err)
			}
		}
	}
}
