package fairqueue

import "testing"

// TestNoPause: flows that left are unknown at once, however many they are; each call frees at most
// two of them, and in the end all.
func TestNoPause(t *testing.T) {
	const n = 5000
	for name, pass := range map[string]func(q *Queue[int]){
		"idle":   func(q *Queue[int]) { q.SetActive(-1, false) },
		"passed": func(q *Queue[int]) { q.Charge(-1, 10); q.Next(nil) },
	} {
		q := new(Queue[int])
		q.Join(-1, 1)
		q.SetActive(-1, true)
		for i := range n {
			q.Join(i, 1)
			q.Charge(i, 5)
		}
		for i := range n {
			q.Leave(i)
		}
		if got := len(q.index); got != n+1 {
			t.Fatalf("%s: %d flows are kept of %d that are ahead", name, got, n+1)
		}
		before := len(q.index)
		pass(q)
		if got := before - len(q.index); got > 4 {
			t.Errorf("%s: two calls free %d flows, want at most 4", name, got)
		}
		if flows := q.Snapshot().Flows; len(flows) != 1 || q.Charge(7, 1) == nil {
			t.Errorf("%s: %d flows are known, want 1", name, len(flows))
		}
		q.Join(7, 1) // new, while its old node waits to be freed
		for range n/2 + 1 {
			before := len(q.index)
			q.Charge(-1, 0)
			if freed := before - len(q.index); freed > 2 {
				t.Fatalf("%s: a call frees %d flows, want at most 2", name, freed)
			}
		}
		if len(q.index) != 2 || len(q.nodes)-len(q.free) != 3 || len(q.Snapshot().Flows) != 2 {
			t.Errorf("%s: %d keys and %d nodes stay of 2 flows", name, len(q.index), len(q.nodes)-len(q.free)-1)
		}
	}
}

// TestEmptyQueueGivesMemoryBack: when the last flow has left, the nodes and the map are made anew.
func TestEmptyQueueGivesMemoryBack(t *testing.T) {
	q := new(Queue[int])
	for i := range 5000 {
		q.Join(i, 1)
	}
	for i := range 5000 {
		q.Leave(i)
	}
	if len(q.nodes) != 0 || len(q.index) != 0 || len(q.lost) != 0 {
		t.Errorf("%d nodes and %d keys stay of no flow", len(q.nodes), len(q.index))
	}
	if q.Join(1, 1) != nil || q.SetActive(1, true) != nil {
		t.Fatal("a flow is refused")
	}
	if key, ok := q.Next(nil); key != 1 || !ok {
		t.Errorf("Next = %d, %v", key, ok)
	}
}
