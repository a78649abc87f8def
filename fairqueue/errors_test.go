package fairqueue_test

import (
	"math"
	"testing"

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
	must(t, q.Join(8, 1))
	must(t, q.SetServers(8, 3, 1))
	kept, bad := func() any { return q.Snapshot() }, expect.Bad
	expect.Refused(t, "fairqueue.New", fairqueue.New[float64], nil, bad("o", -1, fairqueue.Options{Return: 2}),
		bad("o", -1, fairqueue.Options{Lag: nan}), bad("o", -1, fairqueue.Options{Least: 1.1}))
	expect.Refused(t, "fairqueue.Queue.Join", q.Join, kept, bad("key", -1, 1., 1.), bad("key", -1, nan, 1.),
		bad("weight", -1, 5., 0.), bad("weight", -1, 5., nan), bad("weight", -1, 5., 0x1p101))
	expect.Refused(t, "fairqueue.Queue.JoinUnder", q.JoinUnder, kept, bad("parent", -1, 9., 5., 1.), bad("parent", -1, 3., 5., 1.), bad("parent", -1, 5., 5., 1.),
		bad("key", -1, 1., 2., 1.), bad("key", -1, 1., 7., 1.), bad("weight", -1, 1., 5., -1.))
	expect.Refused(t, "fairqueue.Queue.JoinUnder", q.JoinUnder, kept, bad("parent", -1, 8., 5., 1.))
	expect.Refused(t, "fairqueue.Queue.Set", q.Set, kept, bad("key", -1, nan, 1.), bad("weight", -1, 5., 0.), bad("weight", -1, 1., nan), bad("weight", -1, 7., inf))
	expect.Refused(t, "fairqueue.Queue.SetOwner", q.SetOwner, kept, bad("key", -1, 9., true), bad("key", -1, 1., true), bad("key", -1, 7., true))
	expect.Refused(t, "fairqueue.Queue.SetServers", func(key float64, servers []int) error { return q.SetServers(key, servers...) }, kept,
		bad("key", -1, 9., []int{1}), bad("key", -1, 1., []int{1}), bad("key", -1, 2., []int(nil)), bad("servers", 1, 4., []int{1, -1}), bad("servers", 2, 4., []int{1, 2, 1}))
	expect.Refused(t, "fairqueue.Queue.SetWeight", q.SetWeight, kept, bad("key", -1, 9., 1.), bad("weight", -1, 1., inf))
	expect.Refused(t, "fairqueue.Queue.SetActive", q.SetActive, kept, bad("key", -1, 9., true), bad("key", -1, 1., true))
	expect.Refused(t, "fairqueue.Queue.SetLimit", q.SetLimit, kept, bad("key", -1, 9., 1), bad("services", -1, 3., -1))
	expect.Refused(t, "fairqueue.Queue.Charge", q.Charge, kept, bad("key", -1, 9., 1.), bad("key", -1, 1., 1.),
		bad("cost", -1, 3., -1.), bad("cost", -1, 3., nan), bad("cost", -1, 3., inf), bad("cost", -1, 3., 0x1p-61), bad("cost", -1, 3., 0x1p61))
	expect.Refused(t, "fairqueue.Queue.Elsewhere", q.Elsewhere, kept, bad("key", -1, 9., 1.), bad("cost", -1, 3., nan))
	expect.Refused(t, "fairqueue.Queue.Start", q.Start, kept, bad("key", -1, 9., 1.), bad("key", -1, 1., 1.), bad("key", -1, 6., 1.), bad("key", -1, 7., 1.), bad("cost", -1, 3., -1.))
	expect.Refused(t, "fairqueue.Queue.Grow", q.Grow, kept, bad("s", -1, fairqueue.Service(99), 1.), bad("more", -1, s, nan), bad("more", -1, s, 0x1p60))
	expect.Refused(t, "fairqueue.Queue.End", q.End, kept, bad("s", -1, fairqueue.Service(0), 1.), bad("cost", -1, s, inf))
	expect.Refused(t, "fairqueue.Queue.Why", q.Why, kept, bad("key", -1, []fairqueue.Level[float64]{{Key: 8}}, 9.))
	expect.Refused(t, "fairqueue.Tag", fairqueue.Tag, nil, bad("virtual", -1, nan, 0., 1., 1.), bad("last", -1, 0., inf, 1., 1.), bad("cost", -1, 0., 0., -1., 1.), bad("weight", -1, 0., 0., 1., 0.))
	expect.Words(t, map[fairqueue.Return]string{fairqueue.ByVirtualTime: "virtual time", fairqueue.ToLeast: "least"})
	if q.Leave(9) || q.Leave(1) {
		t.Error("Leave of an unknown key or of one with children is true, want false")
	}
}

// TestSetUnderActive: Set brings a flow back under its parent, unless that has become a flow of its own.
func TestSetUnderActive(t *testing.T) {
	q := flows(t, fairqueue.Options{}, 1)
	must(t, q.Join(1, 1))
	must(t, q.JoinUnder(1, 2, 1))
	must(t, q.SetActive(2, true))
	_, err := q.Start(2, 10)
	must(t, err)
	q.Leave(2) // it is remembered while its service runs
	must(t, q.SetActive(1, true))
	expect.Refused(t, "fairqueue.Queue.Set", q.Set, func() any { return q.Snapshot() }, expect.Bad("key", -1, 2, 1.))
	must(t, q.SetActive(1, false))
	must(t, q.Set(2, 1))
	if l, err := q.Why(nil, 2); err != nil || len(l) != 2 || l[0].Key != 1 {
		t.Errorf("Why(2) = %+v, %v, want levels of 1 and 2", l, err)
	}
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
