package market_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/market"
	"pgregory.net/rapid"
)

// preemption is a random state of a small cluster.
type preemption struct {
	free    market.Slots
	claims  []market.Claim
	running []market.Running
	o       market.VictimOptions
}

func drawPreemption(t *rapid.T) preemption {
	var p preemption
	n := rapid.IntRange(1, 4).Draw(t, "users")
	p.claims = make([]market.Claim, n)
	for range rapid.IntRange(0, 9).Draw(t, "running") {
		r := market.Running{User: rapid.IntRange(0, n-1).Draw(t, "user"), Kind: rapid.IntRange(0, 1).Draw(t, "kind"), Elapsed: float64(rapid.IntRange(0, 9).Draw(t, "elapsed")),
			Progress: float64(rapid.IntRange(0, 4).Draw(t, "progress")) / 4, Spare: rapid.IntRange(0, 3).Draw(t, "spare") == 0}
		p.claims[r.User].Held[r.Kind]++
		p.running = append(p.running, r)
	}
	for i := range p.claims {
		for k := range 2 {
			p.claims[i].Held[k] += rapid.IntRange(0, 1).Draw(t, "other") // a slot without an attempt that could be killed
			p.claims[i].Share[k] = rapid.IntRange(0, 5).Draw(t, "share")
			p.claims[i].Pending[k] = rapid.IntRange(0, 4).Draw(t, "pending")
		}
	}
	p.free = market.Slots{rapid.IntRange(0, 2).Draw(t, "free"), rapid.IntRange(0, 2).Draw(t, "free")}
	p.o = market.VictimOptions{ByProgress: rapid.Bool().Draw(t, "by progress"), MinRun: float64(rapid.IntRange(0, 3).Draw(t, "min"))}
	return p
}

// allowed reports whether a set of attempts keeps to the bounds.
func (p preemption) allowed(set []int) bool {
	left := slices.Clone(p.claims)
	var killed, used market.Slots
	for _, i := range set {
		r := p.running[i]
		killed[r.Kind]++
		left[r.User].Held[r.Kind]--
		if r.Elapsed < p.o.MinRun || left[r.User].Held[r.Kind] < p.claims[r.User].Share[r.Kind] {
			return false
		}
	}
	for k := range 2 {
		for _, c := range p.claims {
			used[k] += min(c.Pending[k], max(0, c.Share[k]-c.Held[k]))
		}
		if killed[k] > 0 && killed[k] > used[k]-p.free[k] {
			return false
		}
	}
	return true
}

func (p preemption) loss(set []int) (spare int, lost float64) {
	for _, i := range set {
		r := p.running[i]
		switch {
		case r.Spare:
			spare++
		case p.o.ByProgress:
			lost += r.Progress
		default:
			lost += r.Elapsed
		}
	}
	return spare, lost
}

// Of all sets within the bounds none is larger, and of those of its size none has more spare attempts or loses less.
func TestVictimsLeastLoss(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPreemption(t)
		got, err := market.Victims([]int{-1}, p.free, p.claims, p.running, p.o)
		if err != nil || got[0] != -1 {
			t.Fatal(got, err)
		}
		got = got[1:]
		if !p.allowed(got) {
			t.Fatalf("%+v: %v breaks a bound", p, got)
		}
		spare, lost := p.loss(got)
		for set := range uint(1) << len(p.running) {
			if bits.OnesCount(set) < len(got) {
				continue
			}
			var list []int
			for i := range p.running {
				if set>>i&1 > 0 {
					list = append(list, i)
				}
			}
			if s, l := p.loss(list); p.allowed(list) && (len(list) > len(got) || s > spare || s == spare && l < lost) {
				t.Fatalf("%+v: %v, better %v", p, got, list)
			}
		}
	})
}

// After the kills a second call returns nothing, with a time limit too.
func TestVictimsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPreemption(t)
		p.o.Limit = float64(rapid.IntRange(0, 6).Draw(t, "limit"))
		got, err := market.Victims(nil, p.free, p.claims, p.running, p.o)
		if err != nil || !p.allowed(got) {
			t.Fatal(got, err)
		}
		for _, i := range got {
			r := p.running[i]
			p.free[r.Kind]++
			p.claims[r.User].Held[r.Kind]--
			p.claims[r.User].Pending[r.Kind]++ // it starts from the beginning
		}
		var left []market.Running
		for i, r := range p.running {
			if !slices.Contains(got, i) {
				left = append(left, r)
			}
		}
		again, err := market.Victims(nil, p.free, p.claims, left, p.o)
		if err != nil || len(again) != 0 {
			t.Fatalf("%+v after killing %v: %v, %v, want nothing", p, got, again, err)
		}
	})
}

func TestVictimsLimit(t *testing.T) {
	claims := []market.Claim{{Share: market.Slots{1}, Held: market.Slots{5}}, {Share: market.Slots{4}, Pending: market.Slots{9}}}
	running := []market.Running{{Elapsed: 1}, {Elapsed: 50}, {Elapsed: 70}, {Elapsed: 60, Spare: true}, {Elapsed: 2}}
	for _, c := range []struct {
		free int
		o    market.VictimOptions
		want []int
	}{
		{0, market.VictimOptions{}, []int{3, 0, 4, 1}},
		{0, market.VictimOptions{Limit: 40}, []int{3, 2, 1, 0}},
		{1, market.VictimOptions{Limit: 50}, []int{3, 2, 0}},
		{3, market.VictimOptions{}, []int{3}},
		{4, market.VictimOptions{Limit: 1}, nil},
		{0, market.VictimOptions{MinRun: 50}, []int{3, 1, 2}},
	} {
		got, err := market.Victims(nil, market.Slots{c.free}, claims, running, c.o)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Victims with %d free, %+v = %v, %v, want %v", c.free, c.o, got, err, c.want)
		}
	}
}

func TestVictimsErrors(t *testing.T) {
	nan := math.NaN()
	good := market.Running{Elapsed: 1}
	for _, c := range []struct {
		free    market.Slots
		claim   market.Claim
		running market.Running
		o       market.VictimOptions
		arg     string
		index   int
	}{
		{market.Slots{-1}, market.Claim{}, good, market.VictimOptions{}, "free", -1},
		{market.Slots{}, market.Claim{Share: market.Slots{-1}}, good, market.VictimOptions{}, "claims", 1},
		{market.Slots{}, market.Claim{Held: market.Slots{0, 1e9 + 1}}, good, market.VictimOptions{}, "claims", 1},
		{market.Slots{}, market.Claim{Pending: market.Slots{-1}}, good, market.VictimOptions{}, "claims", 1},
		{market.Slots{}, market.Claim{}, market.Running{User: 2}, market.VictimOptions{}, "running", 1},
		{market.Slots{}, market.Claim{}, market.Running{User: -1}, market.VictimOptions{}, "running", 1},
		{market.Slots{}, market.Claim{}, market.Running{Kind: 2}, market.VictimOptions{}, "running", 1},
		{market.Slots{}, market.Claim{}, market.Running{Elapsed: nan}, market.VictimOptions{}, "running", 1},
		{market.Slots{}, market.Claim{}, market.Running{Elapsed: math.Inf(1)}, market.VictimOptions{}, "running", 1},
		{market.Slots{}, market.Claim{}, market.Running{Progress: 1.5}, market.VictimOptions{}, "running", 1},
		{market.Slots{}, market.Claim{}, market.Running{User: 1}, market.VictimOptions{}, "running", 1},
		{market.Slots{}, market.Claim{}, good, market.VictimOptions{MinRun: nan}, "o", -1},
		{market.Slots{}, market.Claim{}, good, market.VictimOptions{Limit: -1}, "o", -1},
	} {
		got, err := market.Victims([]int{3}, c.free, []market.Claim{{Held: market.Slots{2}}, c.claim}, []market.Running{good, c.running}, c.o)
		wantInput(t, err, "Victims", c.arg, c.index)
		if !slices.Equal(got, []int{3}) {
			t.Errorf("Victims = %v, want dst", got)
		}
	}
}
