package fairqueue_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// change does one thing that may be refused, with one of the numbers.
func change(q *fairqueue.Queue[int], r *rand.Rand, numbers []float64) {
	a, b, x := r.IntN(6), r.IntN(6), numbers[r.IntN(len(numbers))]
	switch r.IntN(11) {
	case 0:
		_ = q.JoinUnder(a, b, x)
	case 1:
		_ = q.Join(a, x)
	case 2:
		q.Leave(a)
	case 3, 4:
		_ = q.SetActive(a, r.IntN(3) > 0)
	case 5:
		_ = q.Charge(a, x)
	case 6:
		_, _ = q.Start(a, x)
	case 7:
		_ = q.SetLimit(a, r.IntN(3))
		_ = q.Elsewhere(b, x)
	case 8:
		_ = q.SetWeight(a, x)
	case 9:
		for s := range q.Services() {
			if r.IntN(2) == 0 {
				_ = q.Grow(s, x)
			} else {
				_ = q.End(s, x)
			}
			break
		}
	default:
		q.Next(nil)
	}
}

// legal numbers are weights and costs; most odd ones are refused.
var (
	legal = []float64{0x1p-60, .1, 1, 1, 3, 1e15, 0x1p59, 0x1p60}
	odd   = []float64{0, math.Copysign(0, -1), 5e-324, 0x1p-200, 0x1p-60, .1, 1, 0x1p60, 0x1p200, math.MaxFloat64, math.Inf(1), math.NaN(), -1}
)

var snapshots = expect.RoundTrip[fairqueue.Snapshot[int], *fairqueue.Queue[int]]{
	Func:     "fairqueue.Restore",
	Restore:  fairqueue.Restore[int],
	Snapshot: (*fairqueue.Queue[int]).Snapshot,
	Infinite: true, // Options.Lag
	GoOn: func(t testing.TB, q *fairqueue.Queue[int], seed uint64) {
		r := rand.New(rand.NewPCG(seed, 2))
		for range 40 {
			change(q, r, legal)
			if _, err := fairqueue.Restore(q.Snapshot()); err != nil {
				t.Fatalf("a restored queue leads to %+v: %v", q.Snapshot(), err)
			}
		}
	},
}

// Whatever the arguments, and whatever a skip function changes, a queue is one that can be
// restored, so that its tags are finite.
func TestSnapshots(t *testing.T) {
	n := 0
	snapshots.Drawn(t, 3000, func(r *rand.Rand) *fairqueue.Queue[int] {
		q, err := fairqueue.New[int](fairqueue.Options{Return: fairqueue.Return(n % 2), Lag: float64(n % 3), Least: float64(n%4) / 4})
		must(t, err)
		n++
		for range 60 {
			change(q, r, legal)
			if n%3 == 0 {
				q.Next(func(int) bool { change(q, r, odd); return r.IntN(2) == 0 })
			}
		}
		return q
	})
}

// Restore refuses what no queue produces.
func TestRestoreErrors(t *testing.T) {
	type snapshot = fairqueue.Snapshot[float64]
	sound := func() snapshot {
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
		q.Leave(3) // its 10 are remembered
		must(t, q.Join(4, 1))
		must(t, q.SetServers(4, 7, 8))
		return q.Snapshot()
	}
	r := expect.RoundTrip[snapshot, *fairqueue.Queue[float64]]{Func: "fairqueue.Restore", Restore: fairqueue.Restore[float64]}
	bad := expect.Spoilt[snapshot]
	r.Refuses(t, sound,
		bad("return", -1, func(s *snapshot) { s.Options.Return = 7 }),
		bad("lag", -1, func(s *snapshot) { s.Options.Lag = math.NaN() }),
		bad("virtual", -1, func(s *snapshot) { s.Virtual[5] = 1 << 63 }),
		bad("twice", -1, func(s *snapshot) { s.Flows[1].Key = 1 }),
		bad("key", -1, func(s *snapshot) { s.Flows[1].Key = math.NaN() }),
		bad("parent", -1, func(s *snapshot) { s.Flows[1].Parent = 3 }),
		bad("cycle", -1, func(s *snapshot) { s.Flows[0].Parent = 1; s.Flows[1].Active = false }),
		bad("own parent", -1, func(s *snapshot) { s.Flows[1].Parent = 1; s.Flows[1].Active = false }),
		bad("weight", -1, func(s *snapshot) { s.Flows[1].Weight = 0 }),
		bad("limit", -1, func(s *snapshot) { s.Flows[1].Limit = -1 }),
		bad("quota", -1, func(s *snapshot) { s.Flows[1].Quota[5] = 1 << 60 }),
		bad("active left", -1, func(s *snapshot) { s.Flows[2].Active = true }),
		bad("active", -1, func(s *snapshot) { s.Flows[0].Active = true }),
		bad("forget", -1, func(s *snapshot) { s.Options.Forget = true }),
		bad("forgotten", -1, func(s *snapshot) { s.Flows[0].Virtual[4] = 1 }),
		bad("left parent", -1, func(s *snapshot) { s.Flows[0].Left = true }),
		bad("under left", -1, func(s *snapshot) { s.Flows[1].Parent = 2 }),
		bad("floor", -1, func(s *snapshot) { s.Flows[1].Floor[5] = 1 << 60 }),
		bad("since", -1, func(s *snapshot) { s.Flows[1].Since = 2 }),
		bad("finish", -1, func(s *snapshot) { s.Flows[1].Finish[5] = 1 << 60 }),
		bad("idle", -1, func(s *snapshot) { s.Flows[1].Active, s.Services = false, nil }),
		bad("flow", -1, func(s *snapshot) { s.Services[0].Flow = 4 }),
		bad("id", -1, func(s *snapshot) { s.Services[0].ID = 0 }),
		bad("service", -1, func(s *snapshot) { s.Services = append(s.Services, s.Services[0]) }),
		bad("charged", -1, func(s *snapshot) { s.Services[0].Charged[4] = 1 }),
		bad("charged less", -1, func(s *snapshot) { s.Services[0].Charged = [6]uint64{1} }),
		bad("servers out of order", -1, func(s *snapshot) { slices.Reverse(s.Servers) }),
		bad("a server twice", -1, func(s *snapshot) { s.Servers[1] = s.Servers[0] }),
		bad("server", -1, func(s *snapshot) { s.Servers[0].Server = -1 }),
		bad("flow of a server", -1, func(s *snapshot) { s.Servers[1].Flow = 4 }),
		bad("negative flow of a server", -1, func(s *snapshot) { s.Servers[0].Flow = -2 }),
		bad("servers of an inner node", -1, func(s *snapshot) { s.Servers[0].Flow, s.Servers[1].Flow = 0, 0 }),
		bad("idle virtual", -1, func(s *snapshot) { s.Flows, s.Services, s.Servers, s.Virtual[2] = s.Flows[:1], nil, nil, 5 }),
	)
}

// FuzzRestore: what Restore takes, Snapshot gives back, and it goes on.
func FuzzRestore(f *testing.F) {
	q, r := flows(f, fairqueue.Options{}, 1, 2), rand.New(rand.NewPCG(1, 2))
	for range 60 {
		change(q, r, legal)
	}
	text, err := json.Marshal(q.Snapshot())
	must(f, err)
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		var s fairqueue.Snapshot[int]
		if json.Unmarshal(text, &s) == nil {
			snapshots.Same(t, s)
		}
	})
}
