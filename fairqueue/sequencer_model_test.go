package fairqueue_test

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
	"pgregory.net/rapid"
)

// model is a Sequencer by the definitions.
type model struct {
	rule  string
	users []fairqueue.Turn[int] // in the order of joining
	last  float64
}

func (m *model) find(key int) int {
	return slices.IndexFunc(m.users, func(u fairqueue.Turn[int]) bool { return u.Key == key })
}

func (m *model) weights() (sum float64) {
	for _, u := range m.users {
		sum += u.Weight
	}
	return sum
}

// chosen checks and records a choice.
func (m *model) chosen(t *rapid.T, key int) {
	u := &m.users[m.find(key)]
	if u.Drawn = m.rule == "Lottery"; u.Drawn {
		return
	}
	cost := m.last
	if cost == 0 {
		cost = 1
	}
	then := func(u fairqueue.Turn[int]) float64 { return u.Current + cost*u.Weight }
	for _, o := range m.users {
		if then(*u) < then(o)-rounding*m.weights()*(1+cost) {
			t.Fatalf("%+v is next, before %+v", *u, o)
		}
	}
}

func (m *model) charge(i int, cost float64) {
	if m.rule == "SmoothWRR" {
		for k := range m.users {
			m.users[k].Current += cost * m.users[k].Weight
		}
		m.users[i].Current -= cost * m.weights()
	} else {
		if m.last == 0 {
			for k := range m.users {
				m.users[k].Cost = cost
			}
		}
		if m.last == 0 || m.users[i].Drawn {
			m.users[i].Cost, m.users[i].Drawn = 0, false
		}
		m.users[i].Cost += cost
	}
	m.last = cost
}

// reweigh changes the weights, and keeps how far each user is behind.
func (m *model) reweigh(change func()) {
	before := m.weights()
	for k := range m.users {
		m.users[k].Current /= before
	}
	change()
	after := m.weights()
	for k := range m.users {
		m.users[k].Current *= after
	}
}

func (m *model) leave(i int) {
	m.reweigh(func() {
		behind := m.users[i].Current
		m.users = slices.Delete(m.users, i, i+1)
		for k := range m.users {
			m.users[k].Current += behind * m.users[k].Weight / m.weights()
		}
	})
}

// compare checks a state.
func (m *model) compare(t *rapid.T, s fairqueue.Sequence[int]) {
	t.Helper()
	if len(s.Users) != len(m.users) || s.Last != m.last {
		t.Fatalf("state %+v, want %+v", s, m)
	}
	for k, u := range s.Users {
		i := m.find(u.Key)
		if i < 0 || m.rule == "SmoothWRR" && i != k {
			t.Fatalf("state %+v, want %+v", s, m)
		}
		want := m.users[i]
		if want.Current = u.Current; u != want || math.Abs(u.Current-m.users[i].Current) > rounding*(1+math.Abs(u.Current)+m.weights()) {
			t.Fatalf("user %+v, want %+v", u, m.users[i])
		}
	}
}

// Histories of everything that a sequencer can do: the rule holds at every choice, and states are
// what the definitions say. A copy through JSON goes on alike.
func TestSequencerHistories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		m := &model{rule: rapid.SampledFrom(rules).Draw(t, "rule")}
		s := newSequencer(t, m.rule, seed)
		weight := rapid.OneOf(rapid.Float64Range(.01, 100), rapid.Map(rapid.IntRange(1, 9), func(w int) float64 { return float64(w) }))
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			key, w := rapid.IntRange(0, 5).Draw(t, "key"), weight.Draw(t, "weight")
			i := m.find(key)
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0, 1:
				if err := s.Join(key, w); (err == nil) != (i < 0) {
					t.Fatalf("Join(%d): %v", key, err)
				}
				if u := (fairqueue.Turn[int]{Key: key, Weight: w}); i < 0 {
					if m.rule == "Lottery" {
						u.Cost = m.last
					}
					m.reweigh(func() { m.users = append(m.users, u) })
				}
			case 2:
				if ok := s.Leave(key); ok != (i >= 0) {
					t.Fatalf("Leave(%d) = %v", key, ok)
				}
				if i >= 0 {
					m.leave(i)
				}
			case 3:
				if err := s.SetWeight(key, w); (err == nil) != (i >= 0) {
					t.Fatalf("SetWeight(%d): %v", key, err)
				}
				if i >= 0 {
					m.reweigh(func() { m.users[i].Weight = w })
				}
			case 4:
				if err := s.Charge(key, w); (err == nil) != (i >= 0) {
					t.Fatalf("Charge(%d): %v", key, err)
				}
				if i >= 0 {
					m.charge(i, w)
				}
			default:
				got, ok := s.Next()
				if ok != (m.find(got) >= 0) || s.Len() != len(m.users) {
					t.Fatalf("Next() = %d, %v of %+v", got, ok, m)
				}
				if ok {
					m.chosen(t, got)
				}
			}
			m.compare(t, s.Snapshot())
		}
		text, err := json.Marshal(s.Snapshot())
		must(t, err)
		var back fairqueue.Sequence[int]
		must(t, json.Unmarshal(text, &back))
		a, err := restore(m.rule, s.Snapshot(), seed)
		must(t, err)
		b, err := restore(m.rule, back, seed)
		must(t, err)
		for k := range 20 * min(1, s.Len()) {
			if x, y := take(t, a, float64(k)), take(t, b, float64(k)); x != y {
				t.Fatalf("service %d after Restore is %d's, want %d's", k, y, x)
			}
		}
		if !reflect.DeepEqual(a.Snapshot(), b.Snapshot()) {
			t.Fatalf("%+v, through JSON %+v", a.Snapshot(), b.Snapshot())
		}
	})
}
