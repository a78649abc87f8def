package fairworkqueue_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/schedmath/schedmath/examples/fairworkqueue"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// The options of a controller take it.
var _ = controller.Options{NewQueue: func(name string, limiter workqueue.TypedRateLimiter[reconcile.Request]) workqueue.TypedRateLimitingInterface[reconcile.Request] {
	fair, err := fairworkqueue.New(fairworkqueue.Options[reconcile.Request]{
		Path: func(r reconcile.Request) []string { return []string{r.Namespace} }})
	if err != nil {
		panic(err)
	}
	return fairworkqueue.RateLimiting(name, limiter, fair)
}}

// item is "cluster/namespace/name".
func path(item string) []string { return strings.Split(item, "/")[:2] }

func fair(t *testing.T, o fairworkqueue.Options[string]) *fairworkqueue.Queue[string] {
	t.Helper()
	q, err := fairworkqueue.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func pop(q workqueue.Queue[string], n int) (items []string) {
	for range n {
		items = append(items, q.Pop())
	}
	return items
}

// TestOneBurst: one namespace pushes 1,000 items, then another 2. These are served second and
// fourth.
func TestOneBurst(t *testing.T) {
	q := fair(t, fairworkqueue.Options[string]{Path: path})
	for i := range 1000 {
		q.Push(fmt.Sprint("c/noisy/", i))
	}
	q.Push("c/quiet/0")
	q.Push("c/quiet/1")
	q.Touch("c/quiet/1")
	if got, want := pop(q, 5), []string{"c/noisy/0", "c/quiet/0", "c/noisy/1", "c/quiet/1", "c/noisy/2"}; !slices.Equal(got, want) || q.Len() != 997 {
		t.Errorf("served %v, %d left, want %v and 997", got, q.Len(), want)
	}
	q.Push("c/quiet/2") // it comes back, and has saved nothing up
	q.Push("c/quiet/3")
	if got, want := pop(q, 4), []string{"c/quiet/2", "c/noisy/3", "c/quiet/3", "c/noisy/4"}; !slices.Equal(got, want) {
		t.Errorf("served %v, want %v", got, want)
	}
}

// TestTree: clusters share 3 : 1 whatever namespaces they have, these share equally.
func TestTree(t *testing.T) {
	q := fair(t, fairworkqueue.Options[string]{Path: path, Weights: map[string]float64{"big": 3}})
	for i := range 400 {
		for _, p := range []string{"big/a", "small/a", "small/b", "small/c"} {
			q.Push(fmt.Sprint(p, "/", i))
		}
	}
	served := map[string]int{}
	for _, item := range pop(q, 400) {
		served[strings.Join(path(item), "/")]++
	}
	for p, want := range map[string]int{"big/a": 300, "small/a": 33, "small/b": 33, "small/c": 33} {
		if got := served[p]; got < want-1 || got > want+1 {
			t.Errorf("%s is served %d times in 400, want %d", p, got, want)
		}
	}
}

// TestCost: items that cost three times as much are served a third as often.
func TestCost(t *testing.T) {
	q := fair(t, fairworkqueue.Options[string]{Path: path, Cost: func(item string) float64 {
		if strings.HasPrefix(item, "c/dear") {
			return 3
		}
		return 1
	}})
	for i := range 100 {
		q.Push(fmt.Sprint("c/dear/", i))
		q.Push(fmt.Sprint("c/cheap/", i))
	}
	n := 0
	for _, item := range pop(q, 100) {
		if strings.HasPrefix(item, "c/dear") {
			n++
		}
	}
	if n != 25 {
		t.Errorf("25 of 100 items of cost 3 should be served beside those of 1, were %d", n)
	}
}

// TestEach: whatever comes and goes, each item comes out once, in its order within its path, and
// nothing is left.
func TestEach(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	q := fair(t, fairworkqueue.Options[string]{Path: path})
	pushed, popped := map[string]int{}, map[string]int{}
	for range 20000 {
		if r.IntN(2) == 0 {
			p := fmt.Sprintf("%d/%d", r.IntN(3), r.IntN(4))
			q.Push(fmt.Sprintf("%s/%d", p, pushed[p]))
			pushed[p]++
		} else if q.Len() > 0 {
			item := q.Pop()
			p := strings.Join(path(item), "/")
			if want := fmt.Sprintf("%s/%d", p, popped[p]); item != want {
				t.Fatalf("Pop() = %q, want %q", item, want)
			}
			popped[p]++
		}
		sum := 0
		for p := range pushed {
			sum += pushed[p] - popped[p]
		}
		if q.Len() != sum {
			t.Fatalf("Len() = %d, want %d", q.Len(), sum)
		}
	}
}

// TestWorkqueue: in a real workqueue an item that is added while it is served is served once more,
// in the turn of its tenant.
func TestWorkqueue(t *testing.T) {
	q := fairworkqueue.RateLimiting("", workqueue.NewTypedItemExponentialFailureRateLimiter[string](time.Millisecond, time.Second), fair(t, fairworkqueue.Options[string]{Path: path}))
	defer q.ShutDown()
	for _, item := range []string{"c/a/0", "c/a/0", "c/a/1", "c/a/2", "c/b/0"} {
		q.Add(item)
	}
	get := func(want string) {
		t.Helper()
		if item, down := q.Get(); item != want || down {
			t.Fatalf("Get() = %q, %t, want %q", item, down, want)
		}
	}
	get("c/a/0")
	q.Add("c/a/0")
	get("c/b/0")
	q.Done("c/b/0")
	get("c/a/1")
	q.Done("c/a/0") // now it waits again
	q.AddRateLimited("c/d/0")
	for range 1000 { // it comes after a millisecond
		if time.Sleep(time.Millisecond); q.Len() == 3 {
			break
		}
	}
	get("c/d/0") // one of c/a was served while it was away
	get("c/a/2")
	get("c/a/0")
}

// TestSetWeight: a change of weight counts at once, while items wait and after they have gone; a
// weight that is refused changes nothing, and makes no queue.
func TestSetWeight(t *testing.T) {
	q := fair(t, fairworkqueue.Options[string]{Path: path})
	for round := range 2 {
		for i := range 400 {
			q.Push(fmt.Sprint("c/a/", round, i))
			q.Push(fmt.Sprint("c/b/", round, i))
		}
		if round == 0 {
			if err := q.SetWeight("c/b", 4); err != nil || q.SetWeight("c/b", 0) == nil || q.SetWeight("c/x", -1) == nil {
				t.Fatalf("SetWeight: %v, or a weight of 0 or -1 is taken", err)
			}
		}
		b := 0
		for _, item := range pop(q, 400) {
			b += strings.Count(item, "/b/")
		}
		if b < 319 || b > 321 {
			t.Errorf("round %d: b is served %d times in 400, want 320", round, b)
		}
		pop(q, q.Len())
	}
	for _, o := range []fairworkqueue.Options[string]{{}, {Path: path, Weights: map[string]float64{"c": 0}}} {
		if _, err := fairworkqueue.New(o); err == nil {
			t.Errorf("New(%+v) is no error", o)
		}
	}
}
