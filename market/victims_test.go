package market_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/market"
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
		r := market.Running{User: rapid.IntRange(0, n-1).Draw(t, "user"), Kind: schedmath.Kind(rapid.IntRange(0, 1).Draw(t, "kind")), Elapsed: float64(rapid.IntRange(0, 9).Draw(t, "elapsed")),
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

// Of all sets within the bounds none is larger, and of those of its size none has more spare
// attempts or loses less.
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
		// What users at the limit lack beyond the free slots: all of them, and those without a slot
		// or a share.
		var short, owed market.Slots
		limited := false
		if waiting := rapid.Bool().Draw(t, "waiting"); waiting && p.o.Limit > 0 {
			short, owed = market.Slots{-p.free[0], -p.free[1]}, market.Slots{-p.free[0], -p.free[1]}
			for i := range p.claims {
				for k := range 2 {
					c := &p.claims[i]
					if c.Pending[k] == 0 || c.Held[k] >= max(c.Share[k], 1) {
						continue
					}
					if c.Waiting[k] = float64(rapid.IntRange(0, 6).Draw(t, "waited")); c.Waiting[k] < p.o.Limit {
						continue
					}
					limited = true
					short[k] += min(c.Pending[k], max(1, c.Share[k]-c.Held[k]))
					if c.Share[k] == 0 {
						owed[k]++
					}
				}
			}
		}
		got, err := market.Victims(nil, p.free, p.claims, p.running, p.o)
		if err != nil || !limited && !p.allowed(got) {
			t.Fatal(got, err)
		}
		var young, shared market.Slots
		holds := slices.Clone(p.claims)
		for n, i := range got {
			r := p.running[i]
			if slices.Contains(got[:n], i) {
				t.Fatalf("%+v: %v has one twice", p, got)
			}
			if r.Elapsed < p.o.MinRun {
				young[r.Kind]++
			}
			if holds[r.User].Held[r.Kind]--; holds[r.User].Held[r.Kind] < p.claims[r.User].Share[r.Kind] {
				shared[r.Kind]++
			}
		}
		for k := range 2 {
			if young[k] > max(0, short[k]) || shared[k] > max(0, owed[k]) {
				t.Fatalf("%+v: %v takes %d within MinRun for %d, %d from shares for %d", p, got, young[k], short[k], shared[k], owed[k])
			}
		}
		p.kill(t, got)
	})
}

// kill kills attempts, which start from the beginning, and fails unless a second call returns nothing.
func (p preemption) kill(t *rapid.T, victims []int) {
	var left []market.Running
	for i, r := range p.running {
		if !slices.Contains(victims, i) {
			left = append(left, r)
			continue
		}
		n := max(r.Slots, 1)
		p.free[r.Kind] += n
		p.claims[r.User].Held[r.Kind] -= n
		p.claims[r.User].Pending[r.Kind] += n
	}
	again, err := market.Victims(nil, p.free, p.claims, left, p.o)
	if err != nil || len(again) > 0 {
		t.Fatalf("%+v after killing %v: %v, %v, want nothing", p, victims, again, err)
	}
}

// AsListed takes attempts in their order, spare ones and those beyond the limit too, after MinRun.
func TestVictimsAsListed(t *testing.T) {
	claims := []market.Claim{{Share: market.Slots{2}, Pending: market.Slots{2}}, {Held: market.Slots{4}}}
	running := []market.Running{{User: 1, Elapsed: 9}, {User: 1, Elapsed: 1}, {User: 1, Elapsed: 5, Progress: .5}, {User: 1, Elapsed: 3, Spare: true}}
	for _, c := range []struct {
		o    market.VictimOptions
		want []int
	}{{market.VictimOptions{}, []int{3, 1}}, {market.VictimOptions{AsListed: true}, []int{0, 1}}, {market.VictimOptions{AsListed: true, MinRun: 2, ByProgress: true}, []int{0, 2}}} {
		got, err := market.Victims(nil, market.Slots{}, claims, running, c.o)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Victims with %+v = %v, %v, want %v", c.o, got, err, c.want)
		}
	}
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

// A user that has waited for the limit takes slots from attempts within
// MinRun, and one without a slot takes one even if its share is 0.
func TestVictimsWaiting(t *testing.T) {
	running := []market.Running{{Elapsed: 5}, {Elapsed: 3}, {Elapsed: 4}, {Elapsed: 50}}
	for _, c := range []struct {
		share, waitShare int     // of user 0, which holds the four, and of user 1, which waits
		waited           float64 // by user 1
		free             int
		minRun           float64
		want             []int
	}{
		{2, 2, 0, 0, 100, nil},
		{2, 2, 99, 0, 100, nil},
		{2, 2, 100, 0, 100, []int{1, 2}}, // the two of the least loss
		{2, 2, 100, 1, 100, []int{1}},
		{2, 2, 100, 0, 20, []int{3, 1}}, // first the one that may be killed anyway
		{2, 2, 0, 0, 20, []int{3}},
		{4, 0, 99, 0, 0, nil},
		{4, 0, 100, 0, 0, []int{1}},
		{4, 0, 100, 0, 100, []int{1}},
		{4, 0, 100, 1, 100, nil},
		{3, 0, 100, 0, 4, []int{2}}, // beyond the share of user 0
		{5, 0, 100, 0, 0, nil},      // user 0 is below its share
		{4, 1, 100, 0, 0, nil},      // shares beyond the slots: user 1 has one to wait for
	} {
		claims := []market.Claim{{Share: market.Slots{c.share}, Held: market.Slots{4}}, {Share: market.Slots{c.waitShare}, Pending: market.Slots{9}, Waiting: [2]float64{c.waited}}}
		got, err := market.Victims(nil, market.Slots{c.free}, claims, running, market.VictimOptions{MinRun: c.minRun, Limit: 100})
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: Victims = %v, %v", c, got, err)
		}
	}
	// User 1 has waited for two slots, user 2 lacks one and has not: of the young ones two are
	// taken.
	claims := []market.Claim{{Share: market.Slots{1}, Held: market.Slots{4}}, {Share: market.Slots{2}, Pending: market.Slots{2}, Waiting: [2]float64{7}}, {Share: market.Slots{1}, Pending: market.Slots{1}}}
	if got, err := market.Victims(nil, market.Slots{}, claims, running, market.VictimOptions{MinRun: 60, Limit: 7}); err != nil || !slices.Equal(got, []int{1, 2}) {
		t.Errorf("Victims = %v, %v, want two", got, err)
	}
	// Two without a share: one slot comes from beyond the share of user 0, the other from within
	// it.
	claims = []market.Claim{{Share: market.Slots{3}, Held: market.Slots{4}}, {Pending: market.Slots{2}, Waiting: [2]float64{7}}, {Pending: market.Slots{1}, Waiting: [2]float64{8}}}
	if got, err := market.Victims(nil, market.Slots{}, claims, running, market.VictimOptions{Limit: 7}); err != nil || !slices.Equal(got, []int{3, 1}) {
		t.Errorf("Victims = %v, %v, want two", got, err)
	}
	// Two such users, one of which gets the free slot; the other's is taken
	// of the user above its share. A user with nothing to start claims none.
	claims = []market.Claim{{Share: market.Slots{1}, Held: market.Slots{2}}, {Share: market.Slots{1}, Held: market.Slots{2}}}
	for _, pending := range []int{1, 9, 0} {
		claims = append(claims, market.Claim{Pending: market.Slots{pending}, Waiting: [2]float64{7}})
	}
	running = []market.Running{{Elapsed: 1}, {Elapsed: 2, User: 1}, {Elapsed: 1}, {Elapsed: 2, User: 1}}
	got, err := market.Victims(nil, market.Slots{1}, claims, running, market.VictimOptions{MinRun: 9, Limit: 7})
	if err != nil || !slices.Equal(got, []int{0}) {
		t.Errorf("Victims = %v, %v, want one", got, err)
	}
}

func TestVictimsErrors(t *testing.T) {
	type (
		claim   = market.Claim
		running = market.Running
		o       = market.VictimOptions
	)
	nan, good := math.NaN(), running{Elapsed: 1}
	var calls []expect.Call
	bad := func(arg string, index int, free int, c claim, r running, o o) {
		calls = append(calls, expect.Bad(arg, index, []int{3}, market.Slots{free}, []claim{{Held: market.Slots{2}}, c}, []running{good, r}, o))
	}
	bad("free", -1, -1, claim{}, good, o{})
	for _, c := range []claim{{Share: market.Slots{-1}}, {Held: market.Slots{0, 1e9 + 1}}, {Pending: market.Slots{-1}}, {Waiting: [2]float64{0, -1}}, {Waiting: [2]float64{nan}}} {
		bad("claims", 1, 0, c, good, o{})
	}
	for _, r := range []running{{User: 2}, {User: -1}, {Kind: 2}, {Slots: -1}, {Slots: 1e9 + 1}, {Slots: 2}, {Elapsed: nan}, {Elapsed: math.Inf(1)}, {Progress: 1.5}, {User: 1}} {
		bad("running", 1, 0, claim{}, r, o{})
	}
	bad("o", -1, 0, claim{}, good, o{MinRun: nan})
	bad("o", -1, 0, claim{}, good, o{Limit: -1})
	expect.Refused(t, "market.Victims", market.Victims, nil, calls...)
}

// Jobs of equal Slots are chosen as single attempts are in units of that many slots. With unequal
// Slots no bound is broken, and a second call returns nothing.
func TestVictimsGangLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPreemption(t)
		want, err := market.Victims(nil, p.free, p.claims, p.running, p.o)
		must(t, err)
		n := rapid.IntRange(2, 9).Draw(t, "slots")
		for k := range 2 {
			p.free[k] *= n
			for i := range p.claims {
				c := &p.claims[i]
				c.Share[k], c.Held[k], c.Pending[k] = n*c.Share[k], n*c.Held[k], n*c.Pending[k]
			}
		}
		for i := range p.running {
			p.running[i].Slots = n
		}
		if got, err := market.Victims(nil, p.free, p.claims, p.running, p.o); err != nil || !slices.Equal(got, want) {
			t.Fatalf("Victims with %d slots each = %v, %v, want %v", n, got, err, want)
		}
		for i := range p.running {
			p.running[i].Slots = rapid.IntRange(0, n).Draw(t, "unequal")
		}
		got, err := market.Victims(nil, p.free, p.claims, p.running, p.o)
		must(t, err)
		var need market.Slots
		for k := range 2 {
			need[k] = -p.free[k]
			for _, c := range p.claims {
				need[k] += min(c.Pending[k], max(0, c.Share[k]-c.Held[k]))
			}
		}
		holds := slices.Clone(p.claims)
		for _, i := range got {
			r := &p.running[i]
			need[r.Kind] -= max(r.Slots, 1)
			c := &holds[r.User]
			if c.Held[r.Kind] -= max(r.Slots, 1); c.Held[r.Kind] < c.Share[r.Kind] || need[r.Kind] < 0 {
				t.Fatalf("%v frees more than is needed, or takes from a share", got)
			}
		}
		p.kill(t, got)
	})
}
