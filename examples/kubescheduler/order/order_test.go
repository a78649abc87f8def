package order_test

import (
	"container/heap"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/schedmath/schedmath/examples/kubescheduler/order"
)

// at is so many seconds after some day.
func at(seconds float64) time.Time {
	return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(math.Round(seconds * 1e9)))
}

func newOrder(t *testing.T, cpus float64, options order.Options) *order.Order {
	t.Helper()
	o, err := order.New(options)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.SetCPUs(at(0), cpus); err != nil {
		t.Fatal(err)
	}
	return o
}

func enqueue(t *testing.T, o *order.Order, seconds float64, p order.Pod) {
	t.Helper()
	if err := o.Enqueue(at(seconds), p); err != nil {
		t.Fatal(err)
	}
}

// sorted returns the IDs by Less, from either direction.
func sorted(t *testing.T, o *order.Order, ids []string) []string {
	t.Helper()
	less := func(a, b string) int {
		switch x, y := o.Less(a, b), o.Less(b, a); {
		case x && y || !x && !y && a != b:
			t.Fatalf("Less(%q, %q) = %t, Less(%q, %q) = %t", a, b, x, b, a, y)
			return 0
		case x:
			return -1
		case y:
			return 1
		}
		return 0
	}
	forth := slices.SortedFunc(slices.Values(ids), less)
	slices.Reverse(ids)
	if back := slices.SortedFunc(slices.Values(ids), less); !slices.Equal(forth, back) {
		t.Fatalf("sorted to %v, reversed to %v", forth, back)
	}
	return forth
}

func TestByEstimate(t *testing.T) {
	o := newOrder(t, 4, order.Options{})
	var ids []string
	for _, seconds := range []float64{500, 30, 200, 5, 100} {
		ids = append(ids, fmt.Sprint(seconds))
		enqueue(t, o, 0, order.Pod{ID: fmt.Sprint(seconds), Estimate: seconds, CPUs: 1})
	}
	if got, want := sorted(t, o, append(ids, "none", "any")), []string{"5", "30", "100", "200", "500", "any", "none"}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}

// TestAges: one CPU. Pods of 40 and 100 share it for 60 s, 30 each, so that 10 and 70 are left. A
// pod of 20 that comes then ends after the former and before the latter. Keys do not change.
func TestAges(t *testing.T) {
	o := newOrder(t, 1, order.Options{})
	enqueue(t, o, 0, order.Pod{ID: "40", Estimate: 40, CPUs: 1})
	enqueue(t, o, 0, order.Pod{ID: "100", Estimate: 100, CPUs: 1})
	enqueue(t, o, 60, order.Pod{ID: "20", Estimate: 20, CPUs: 1})
	want := []string{"40", "20", "100"}
	for _, later := range []float64{60, 80, 1000} { // 40 is late at 90, all are at 1000
		enqueue(t, o, later, order.Pod{ID: "100", Estimate: 1, CPUs: 1}) // a retry: it has its key
		enqueue(t, o, later, order.Pod{ID: fmt.Sprint("at ", later), Estimate: 1e6, CPUs: 1})
		if got := sorted(t, o, []string{"100", "20", "40"}); !slices.Equal(got, want) {
			t.Errorf("at %v s the order is %v, want %v", later, got, want)
		}
	}
}

// TestCompletedAge: a pod that ended before its virtual finish goes on there, so that the others
// are served no earlier than under sharing. At 15 s 92.5 of 100 s are left; without the pod that
// ended it would be 85.5.
func TestCompletedAge(t *testing.T) {
	o := newOrder(t, 1, order.Options{})
	enqueue(t, o, 0, order.Pod{ID: "10", Estimate: 10, CPUs: 1})
	enqueue(t, o, 0, order.Pod{ID: "100", Estimate: 100, CPUs: 1})
	o.Complete(at(1), order.Pod{ID: "10"}, 1)
	enqueue(t, o, 15, order.Pod{ID: "88", Estimate: 88, CPUs: 1})
	if !o.Less("88", "100") {
		t.Error("100 comes before 88, want it after")
	}
}

func TestEstimates(t *testing.T) {
	o := newOrder(t, 4, order.Options{Default: 77})
	end := func(id, owner string, seconds float64) {
		enqueue(t, o, 0, order.Pod{ID: id, Owner: owner})
		o.Complete(at(0), order.Pod{ID: id, Owner: owner}, seconds)
		o.Complete(at(0), order.Pod{ID: id, Owner: owner}, 1e6) // said again: passed over
	}
	end("a", "nightly", 10)
	end("b", "nightly", 30)
	end("c", "nightly", 20)
	end("d", "nightly", 0) // it failed
	end("e", "", 1000)
	o.Complete(at(0), order.Pod{ID: "stranger", Owner: "nightly"}, 1000)
	for _, c := range []struct {
		pod  order.Pod
		want float64
	}{
		{order.Pod{Owner: "nightly"}, 20},
		{order.Pod{Owner: "nightly", Estimate: 5}, 5},
		{order.Pod{Owner: "other"}, 77},
		{order.Pod{}, 77},
		{order.Pod{Estimate: -1}, 77},
		{order.Pod{Estimate: math.NaN()}, 77},
		{order.Pod{Estimate: math.Inf(1)}, 1e9},
	} {
		if got := o.Estimate(c.pod); got != c.want {
			t.Errorf("Estimate(%+v) = %v, want %v", c.pod, got, c.want)
		}
	}
	for i := range 1001 { // the first of them pushes nobody out, the last pushes nightly out
		o.Complete(at(0), order.Pod{}, 0)
		enqueue(t, o, float64(i+1), order.Pod{ID: fmt.Sprint(i)})
		o.Complete(at(float64(i+1)), order.Pod{ID: fmt.Sprint(i), Owner: fmt.Sprint("owner", i)}, 5)
		want := 20.0
		if i >= 999+1 {
			want = 77
		}
		if got := o.Estimate(order.Pod{Owner: "nightly"}); i != 999 && got != want {
			t.Fatalf("after %d more owners the first one's estimate is %v, want %v", i+1, got, want)
		}
	}
}

func TestReadyRemoveKeep(t *testing.T) {
	o := newOrder(t, 1, order.Options{})
	next := func(want string) {
		t.Helper()
		if got, ok := o.Next(); got != want || ok != (want != "") {
			t.Errorf("Next() = %q, %t, want %q", got, ok, want)
		}
	}
	for i, id := range []string{"a", "b", "c", "d"} {
		enqueue(t, o, 0, order.Pod{ID: id, Estimate: float64(1 + i)})
	}
	next("a")
	o.SetReady("a", false) // Reserve
	next("b")
	o.SetReady("a", true) // Unreserve
	o.SetReady("a", true)
	o.SetReady("nobody", true)
	next("a")
	o.Complete(at(.1), order.Pod{ID: "a"}, 0)
	o.Remove(at(.1), "a") // its object goes after its end: it goes on in virtual time
	next("b")
	o.Remove(at(.2), "b")
	o.Remove(at(.2), "b")
	next("c")
	o.Keep(at(.3), func(id string) bool { return id == "d" })
	next("d")
	if o.Less("c", "d") || !o.Less("d", "c") {
		t.Error("c has a key, and was removed")
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []order.Options{{Overtake: -1}, {Overtake: math.NaN()}, {Default: math.Inf(1)}, {Default: -1}} {
		if _, err := order.New(o); err == nil {
			t.Errorf("New(%+v) accepts it", o)
		}
	}
}

func TestLessAllocatesNothing(t *testing.T) {
	o := newOrder(t, 1, order.Options{Overtake: 1})
	enqueue(t, o, 0, order.Pod{ID: "a"})
	enqueue(t, o, 0, order.Pod{ID: "b"})
	if n := testing.AllocsPerRun(100, func() { o.Less("a", "b") }); n != 0 {
		t.Errorf("Less allocates %v times", n)
	}
}

// queue is the heap in which kube-scheduler keeps its pods.
type queue struct {
	ids []string
	o   *order.Order
}

func (q *queue) Len() int           { return len(q.ids) }
func (q *queue) Less(i, j int) bool { return q.o.Less(q.ids[i], q.ids[j]) }
func (q *queue) Swap(i, j int)      { q.ids[i], q.ids[j] = q.ids[j], q.ids[i] }
func (q *queue) Push(x any)         { q.ids = append(q.ids, x.(string)) }
func (q *queue) Pop() any {
	last := q.ids[len(q.ids)-1]
	q.ids = q.ids[:len(q.ids)-1]
	return last
}

// stream lets a big pod arrive at time 0 and small ones of 1 s, one every 1/load s, on one CPU
// without preemption, as in Kubernetes. It returns how many have a key before the big one's, which
// is how many would end before it with preemption, and how many end before it starts or the last
// arrives.
func stream(t *testing.T, load, size float64, small int, options order.Options) (before, waited int) {
	t.Helper()
	o := newOrder(t, 1, options)
	q := &queue{o: o}
	enqueue(t, o, 0, order.Pod{ID: "big", Estimate: size, CPUs: 1})
	heap.Push(q, "big")
	now, started := 0.0, false
	for i := range small {
		arrival, id := float64(i)/load, fmt.Sprint(i)
		for !started && now < arrival {
			if next := heap.Pop(q).(string); next == "big" {
				started = true
			} else {
				waited, now = waited+1, now+1
			}
		}
		enqueue(t, o, arrival, order.Pod{ID: id, Estimate: 1, CPUs: 1})
		if heap.Push(q, id); o.Less(id, "big") {
			before++
		}
	}
	return before, waited
}

// TestOverload: by virtual finish as many small pods come before a big one as the table of
// docs/guide.md says. With arrival + c * estimate only those do that arrive within c times the
// difference of the estimates, and at the end of that time: of equal keys the small pod's is first.
func TestOverload(t *testing.T) {
	for _, c := range []struct {
		load, size, overtake  float64
		small, before, waited int
	}{
		{.8, 10, 0, 200, 31, 1}, // the CPU is idle after the first
		{1, 10, 0, 2000, 96, 96},
		{1.25, 5, 0, 2000, 61, 61},
		{1.25, 10, 0, 2000, 914, 914},
		{1.25, 20, 0, 3000, 3000, 2400}, // all that come
		{2, 5, 0, 4000, 1742, 1742},
		{1.25, 10, 1, 2000, 12, 12},
		{1.25, 20, 1, 3000, 24, 24},
		{1.25, 20, .5, 3000, 12, 12},
		{2, 100, 1, 3000, 199, 199},
	} {
		before, waited := stream(t, c.load, c.size, c.small, order.Options{Overtake: c.overtake})
		if before != c.before || waited != c.waited {
			t.Errorf("at load %v a pod of %v s with Overtake %v has %d of 1 s before it and waits for %d, want %d and %d", c.load, c.size, c.overtake, before, waited, c.before, c.waited)
		}
	}
}
