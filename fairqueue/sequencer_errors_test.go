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
	if _, err := fairqueue.NewLottery[int](nil); err != nil {
		wantFault(t, err, "NewLottery", "src", -1)
	} else {
		t.Error("NewLottery(nil): no error")
	}
	for name, s := range sequencers(t, 1) {
		join(t, s, 1, 2)
		s.Next()
		before := s.Snapshot()
		for _, w := range []float64{0, -1, nan, inf, 0x1p-101, 0x1p101} {
			wantFault(t, s.Join(7, w, 0), name+".Join", "weight", -1)
			wantFault(t, s.SetWeight(1, w), name+".SetWeight", "weight", -1)
		}
		for _, remain := range []float64{nan, inf, -inf, 1e9 + 1, -1e9 - 1} {
			wantFault(t, s.Join(7, 1, remain), name+".Join", "remain", -1)
		}
		wantFault(t, s.Join(1, 1, 0), name+".Join", "key", -1)
		wantFault(t, s.SetWeight(7, 1), name+".SetWeight", "key", -1)
		if remain, ok := s.Leave(7); remain != 0 || ok {
			t.Errorf("%s: Leave of nobody: %v, %v", name, remain, ok)
		}
		for _, change := range []func(*fairqueue.Sequence[int]){
			func(q *fairqueue.Sequence[int]) { q.Version++ },
			func(q *fairqueue.Sequence[int]) { q.Version = 0 },
			func(q *fairqueue.Sequence[int]) { q.Rule = "Fair" },
			func(q *fairqueue.Sequence[int]) { q.Joined = 1 },
			func(q *fairqueue.Sequence[int]) { q.Joined, q.Users = -1, nil },
			func(q *fairqueue.Sequence[int]) { q.Joined = math.MaxInt64 },
			func(q *fairqueue.Sequence[int]) { q.Mark = nan },
			func(q *fairqueue.Sequence[int]) { q.Grants = -1 },
			func(q *fairqueue.Sequence[int]) { q.Users = nil },
			func(q *fairqueue.Sequence[int]) { q.Users[1].Key = 0 },
			func(q *fairqueue.Sequence[int]) { q.Users[1].Weight = nan },
			func(q *fairqueue.Sequence[int]) { q.Users[1].Mark = inf },
			func(q *fairqueue.Sequence[int]) { q.Users[1].Grants = math.MinInt64 },
			func(q *fairqueue.Sequence[int]) { q.Users[1].Joined = 0 },
			func(q *fairqueue.Sequence[int]) { q.Users[1].Joined = -1 },
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
	var f fairqueue.Stride[float64]
	wantFault(t, f.Join(nan, 1, 0), "Stride.Join", "key", -1)
	q := fairqueue.Sequence[float64]{Version: 1, Rule: "Stride", Joined: 1, Users: []fairqueue.Turn[float64]{{Key: nan, Weight: 1}}}
	_, err := fairqueue.RestoreStride(q)
	wantFault(t, err, "RestoreStride", "s", -1)
	_, err = fairqueue.RestoreLottery(new(fairqueue.Lottery[int]).Snapshot(), nil)
	wantFault(t, err, "RestoreLottery", "src", -1)
	unusable := map[string]sequencer{"Stride": (*fairqueue.Stride[int])(nil), "SmoothWRR": (*fairqueue.SmoothWRR[int])(nil), "Lottery": new(fairqueue.Lottery[int])}
	for name, s := range unusable {
		wantFault(t, s.Join(1, 1, 0), name+".Join", "s", -1)
		wantFault(t, s.SetWeight(1, 1), name+".SetWeight", "s", -1)
		_, left := s.Leave(1)
		if _, ok := s.Next(); ok || left || s.Len() != 0 || len(s.Snapshot().Users) != 0 {
			t.Errorf("%s: nil or without a source, but not empty", name)
		}
	}
}

// Weights and remains at the ends of their ranges: no panic, and remains that Join takes.
func TestSequencerExtremes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"Stride", "Lottery", "SmoothWRR"}).Draw(t, "rule")
		s := sequencers(t, 3)[name]
		weight := rapid.SampledFrom([]float64{0x1p-100, 1e-9, 1, math.Pi, 1e9, 0x1p100})
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			key := rapid.IntRange(0, 3).Draw(t, "key")
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				_ = s.Join(key, weight.Draw(t, "weight"), rapid.SampledFrom([]float64{0, 1, -1e9, 1e9, 5e-324}).Draw(t, "remain"))
			case 1:
				remain, ok := s.Leave(key)
				if ok && s.Join(key, weight.Draw(t, "weight"), remain) != nil {
					t.Fatalf("Leave returns %v, which Join refuses", remain)
				}
			case 2:
				_ = s.SetWeight(key, weight.Draw(t, "weight"))
			case 3:
				if _, ok := s.Next(); ok != (s.Len() > 0) {
					t.Fatalf("Next: %v with %d users", ok, s.Len())
				}
			}
			var err error
			if s, err = restore(name, s.Snapshot(), 3); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Whatever Restore takes, Snapshot gives back, and after any calls Restore takes the Snapshot.
func TestSequencerState(t *testing.T) {
	weight := rapid.SampledFrom([]float64{0x1p-100, .1, 1, math.Pi, 0x1p100})
	mark := rapid.SampledFrom([]float64{0, .3, -7.1, 0x1p100, 0x1p200, -0x1p200, -0x1p199})
	count := rapid.SampledFrom([]int64{0, 1, 5, 1<<52 - 1, 1 << 52})
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"Stride", "Lottery", "SmoothWRR"}).Draw(t, "rule")
		q := fairqueue.Sequence[int]{Version: 1, Rule: name, Joined: rapid.SampledFrom([]int64{3, 1<<62 - 1, 1 << 62}).Draw(t, "joined"), Mark: mark.Draw(t, "mark"), Users: []fairqueue.Turn[int]{}}
		for i := range rapid.IntRange(0, 3).Draw(t, "users") {
			q.Users = append(q.Users, fairqueue.Turn[int]{Key: i, Weight: weight.Draw(t, "weight"), Joined: int64(i), Mark: mark.Draw(t, "mark"), Grants: count.Draw(t, "grants")})
			q.Grants = count.Draw(t, "all grants")
		}
		if beyond := rapid.IntRange(0, 9).Draw(t, "beyond"); beyond == 0 {
			q.Mark *= 1 + 0x1p-52
			q.Grants += 1 << 62
		}
		s, err := restore(name, q, 7)
		if err != nil {
			t.Skip("not a Snapshot")
		}
		if diff := cmp.Diff(q, s.Snapshot()); diff != "" {
			t.Fatal(diff)
		}
		for range rapid.IntRange(1, 9).Draw(t, "calls") {
			key := rapid.IntRange(0, 4).Draw(t, "key")
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				_ = s.Join(key, weight.Draw(t, "weight"), rapid.SampledFrom([]float64{0, -1e9, 1e9}).Draw(t, "remain"))
			case 1:
				s.Leave(key)
			case 2:
				_ = s.SetWeight(key, weight.Draw(t, "weight"))
			case 3:
				s.Next()
			}
			state := s.Snapshot()
			if s, err = restore(name, state, 7); err != nil {
				t.Fatalf("Restore refuses the Snapshot %+v: %v", state, err)
			}
		}
	})
}

// Grants beyond 2^52 go on in turns.
func TestSequencerManyGrants(t *testing.T) {
	for _, name := range []string{"Stride", "SmoothWRR"} {
		q := fairqueue.Sequence[int]{Version: 1, Rule: name, Joined: 2, Grants: 1 << 52,
			Users: []fairqueue.Turn[int]{{Key: 0, Weight: 1, Grants: 1 << 51}, {Key: 1, Weight: 1, Joined: 1, Grants: 1 << 51}}}
		s, err := restore(name, q, 1)
		if err != nil {
			t.Fatal(err)
		}
		for k := range 8 {
			if key, _ := s.Next(); key != k%2 {
				t.Errorf("%s: grant %d goes to %d", name, k, key)
			}
		}
		if state := s.Snapshot(); state.Grants != 8 || state.Mark != 1<<51 {
			t.Errorf("%s: %+v, want 8 grants from a mark of 2^51", name, state)
		}
	}
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
		"RestoreStride": func(b []byte) error {
			var s fairqueue.Sequence[int]
			_ = json.Unmarshal(b, &s)
			_, err := fairqueue.RestoreStride(s)
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
