package expect_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// list is numbers that were added, at most nine of them.
type list struct{ numbers []float64 }

type Snapshot struct {
	Version int       `json:"version"`
	Limit   int       `json:"limit"`
	Numbers []float64 `json:"numbers,omitempty"`
}

func giveList(l *list) Snapshot {
	return Snapshot{Version: 1, Limit: 9, Numbers: slices.Clone(l.numbers)}
}

func takeList(s Snapshot) (*list, error) {
	bad := slices.ContainsFunc(s.Numbers, func(x float64) bool { return math.IsNaN(x - x) })
	if s.Version != 1 || s.Limit != 9 || len(s.Numbers) > s.Limit || bad {
		return nil, refused("expect_test.Restore", "s", -1, "is bad")
	}
	return &list{slices.Clone(s.Numbers)}, nil
}

// Each RoundTrip breaks one promise, but for the first.
func TestRoundTripFinds(t *testing.T) {
	calls := 0.
	for name, plant := range map[string]func(r *expect.RoundTrip[Snapshot, *list]){
		"nothing":      func(r *expect.RoundTrip[Snapshot, *list]) {},
		"another name": func(r *expect.RoundTrip[Snapshot, *list]) { r.Func = "Load" },
		"nothing taken": func(r *expect.RoundTrip[Snapshot, *list]) {
			r.Restore = func(s Snapshot) (*list, error) { return nil, refused("expect_test.Restore", "s", -1, "is bad") }
		},
		"all taken": func(r *expect.RoundTrip[Snapshot, *list]) {
			r.Restore = func(s Snapshot) (*list, error) { return &list{slices.Clone(s.Numbers)}, nil }
		},
		"a later version taken": func(r *expect.RoundTrip[Snapshot, *list]) {
			r.Restore = func(s Snapshot) (*list, error) { s.Version = min(s.Version, 1); return takeList(s) }
		},
		"NaN taken": func(r *expect.RoundTrip[Snapshot, *list]) {
			r.Restore = func(s Snapshot) (*list, error) {
				if x, err := takeList(Snapshot{s.Version, s.Limit, nil}); err != nil || len(s.Numbers) > 9 {
					return nil, refused("expect_test.Restore", "s", -1, "is bad")
				} else {
					x.numbers = slices.Clone(s.Numbers)
					return x, nil
				}
			}
		},
		"a value beside the error": func(r *expect.RoundTrip[Snapshot, *list]) {
			r.Restore = func(s Snapshot) (*list, error) {
				if x, err := takeList(s); err == nil {
					return x, nil
				}
				return &list{}, refused("expect_test.Restore", "s", -1, "is bad")
			}
		},
		"a part dropped": func(r *expect.RoundTrip[Snapshot, *list]) {
			r.Restore = func(s Snapshot) (*list, error) { s.Numbers = s.Numbers[:len(s.Numbers)/2]; return takeList(s) }
		},
		"a snapshot kept": func(r *expect.RoundTrip[Snapshot, *list]) {
			r.Restore = func(s Snapshot) (*list, error) {
				x, err := takeList(s)
				if x != nil {
					x.numbers = s.Numbers
				}
				return x, err
			}
		},
		"the value given": func(r *expect.RoundTrip[Snapshot, *list]) {
			r.Snapshot = func(l *list) Snapshot { return Snapshot{1, 9, l.numbers} }
		},
		"another way": func(r *expect.RoundTrip[Snapshot, *list]) {
			r.GoOn = func(t testing.TB, l *list, seed uint64) { calls++; l.numbers = []float64{calls} }
		},
		"a dead end": func(r *expect.RoundTrip[Snapshot, *list]) {
			r.GoOn = func(t testing.TB, l *list, seed uint64) { l.numbers = append(l.numbers, make([]float64, 20)...) }
		},
	} {
		r := expect.RoundTrip[Snapshot, *list]{Func: "expect_test.Restore", Restore: takeList, Snapshot: giveList, GoOn: func(t testing.TB, l *list, seed uint64) {
			if len(l.numbers) > 0 {
				l.numbers[0]++
			}
		}}
		plant(&r)
		rec := &recorder{TB: t}
		r.Drawn(rec, 300, func(rng *rand.Rand) *list {
			l := &list{}
			for range rng.IntN(8) {
				l.numbers = append(l.numbers, float64(rng.IntN(5)))
			}
			return l
		})
		if failed := rec.failed > 0; failed != (name != "nothing") {
			t.Errorf("%s: %d failures", name, rec.failed)
		}
	}
}

// A snapshot of another type and of version 2; within a list of it a key that is no word, a list that
// is written where it is empty, and an enumeration that cannot be read.
func TestRefusesFinds(t *testing.T) {
	type unreadable uint8
	type part struct {
		Numbers []int      `json:"Numbers"`
		Kind    unreadable `json:"kind"`
	}
	type otherSnapshot struct {
		Version int    `json:"version"`
		Parts   []part `json:"parts,omitempty"`
	}
	r := expect.RoundTrip[otherSnapshot, *list]{Func: "expect_test.Restore", Restore: func(s otherSnapshot) (*list, error) { return new(list), nil }}
	rec := &recorder{TB: t}
	if r.Refuses(rec, func() otherSnapshot { return otherSnapshot{Version: 2} }); rec.failed != 5 {
		t.Errorf("%d failures, want 5", rec.failed)
	}
}
