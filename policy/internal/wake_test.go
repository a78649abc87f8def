package internal_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// sleeper starts the one map of a run at 0 s, which ends at 100 s, and asks for calls of Decide.
type sleeper struct {
	wake  internal.Wake
	asks  func(now float64) []float64
	calls []float64
}

func (p *sleeper) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.calls = append(p.calls, v.Now())
	if v.Fits(0, slotmodel.Map, 0) {
		a.Start(0, slotmodel.Map, 0)
	}
	for _, at := range p.asks(v.Now()) {
		p.wake.Ask(v, a, at)
	}
}

// sleep returns when Decide is called.
func sleep(t rapid.TB, asks func(now float64) []float64) []float64 {
	p := &sleeper{asks: asks}
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}}
	jobs := []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 1, Work: 100}}}
	if _, err := slotmodel.Run(c, jobs, p, slotmodel.Options{}); err != nil {
		t.Fatalf("Run failed: %v", err)
	}
	return p.calls
}

func TestWake(t *testing.T) {
	for _, x := range []struct {
		name string
		asks map[float64][]float64 // by the time of the call
		want []float64
	}{
		{"nothing", nil, []float64{0, 100}},
		{"once", map[float64][]float64{0: {.3}}, []float64{0, .3, 100}},
		{"a later time while one is to come", map[float64][]float64{0: {.3, 7.1}}, []float64{0, .3, 100}},
		{"the later time again", map[float64][]float64{0: {.3, 7.1}, .3: {7.1}}, []float64{0, .3, 7.1, 100}},
		{"an earlier time", map[float64][]float64{0: {7.1, .3}}, []float64{0, .3, 7.1, 100}},
		{"the present and the past", map[float64][]float64{0: {0, -1, 5}, 5: {5, 4}}, []float64{0, 5, 100}},
		{"no time", map[float64][]float64{0: {math.NaN(), math.Inf(1), math.Inf(-1)}}, []float64{0, 100}},
		{"beyond the end", map[float64][]float64{0: {math.MaxFloat64}}, []float64{0, 100}},
	} {
		got := sleep(t, func(now float64) []float64 { return x.asks[now] })
		if !slices.Equal(got, x.want) {
			t.Errorf("%s: Decide is called at %v, want %v", x.name, got, x.want)
		}
	}
}

// A policy that asks in each call for its next alarm is called at every alarm, and at no other time
// than when something happens.
func TestWakeEveryAlarm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alarms := map[float64]bool{0: true, 100: true}
		for range rapid.IntRange(0, 20).Draw(t, "alarms") {
			alarms[float64(rapid.IntRange(1, 999).Draw(t, "alarm"))/10] = true
		}
		want := slices.Sorted(maps.Keys(alarms))
		extra := rapid.IntRange(0, 2).Draw(t, "more than the next one")
		got := sleep(t, func(now float64) []float64 {
			i, found := slices.BinarySearch(want, now)
			if found {
				i++
			}
			return want[i:min(i+1+extra, len(want))]
		})
		if !slices.Equal(got, want) {
			t.Fatalf("Decide is called at %v, want %v", got, want)
		}
	})
}
