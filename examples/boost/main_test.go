package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// fewest is the least number of changes that make now decrease, by trying all subsets to keep.
func fewest(now []int, least, most int) int {
	n, best := min(len(now), most-least), math.MaxInt
	for kept := range 1 << n {
		changes, ok, above := 0, true, most+1 // above: the last number, as large as can be
		for i := range n {
			if kept>>i&1 == 1 {
				ok = ok && now[i] < above && now[i] > least
				above = now[i]
			} else {
				changes++
				above--
			}
			ok = ok && above > least
		}
		for _, b := range now[n:] {
			if b != least {
				changes++
			}
		}
		if ok {
			best = min(best, changes)
		}
	}
	return best
}

func changed(a, b []int) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// wellFormed says what is wrong with boosts, or "".
func wellFormed(b []int, least, most int) string {
	for i, x := range b {
		switch {
		case x < least || x > most:
			return fmt.Sprintf("place %d has %d", i, x)
		case i >= most-least && x != least:
			return fmt.Sprintf("place %d has %d, want the least", i, x)
		case i > 0 && i < most-least && x >= b[i-1]:
			return fmt.Sprintf("place %d has %d after %d", i, x, b[i-1])
		}
	}
	return ""
}

func TestFewestChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		least := r.IntN(5) - 3
		most := least + r.IntN(9)
		now := make([]int, r.IntN(8))
		for i := range now {
			now[i] = least - 1 + r.IntN(most-least+3)
		}
		before := slices.Clone(now)
		got := boosts(now, least, most)
		if !slices.Equal(now, before) {
			t.Fatalf("boosts(%v, %d, %d) changes its argument to %v", before, least, most, now)
		}
		if why := wellFormed(got, least, most); why != "" || len(got) != len(now) {
			t.Fatalf("boosts(%v, %d, %d) = %v: %s", now, least, most, got, why)
		}
		if n, want := changed(now, got), fewest(now, least, most); n != want {
			t.Fatalf("boosts(%v, %d, %d) = %v, %d changes, want %d", now, least, most, got, n, want)
		}
	}
}

// TestHysteresis: 300 workloads wait. In each of 3,000 ticks one leaves at one end of the order and
// another comes, anywhere or at an end. Few others are written.
func TestHysteresis(t *testing.T) {
	const workloads, ticks, most = 300, 3000, 10000
	for _, where := range []string{"anywhere", "last", "first"} {
		r, writes := rand.New(rand.NewPCG(1, 2)), 0
		now := boosts(make([]int, workloads), 0, most)
		for range ticks {
			next := slices.Clone(now[1:])
			switch where {
			case "anywhere":
				next = slices.Insert(next, r.IntN(workloads), 0)
			case "last":
				next = append(next, 0)
			case "first":
				next = slices.Insert(now[:workloads-1:workloads-1], 0, 0)
			}
			now = boosts(next, 0, most)
			if why := wellFormed(now, 0, most); why != "" {
				t.Fatalf("%s: %s", where, why)
			}
			if changed(now, boosts(now, 0, most)) != 0 {
				t.Fatalf("%s: the same order changes boosts", where)
			}
			writes += changed(now, next)
		}
		t.Logf("%s: %d writes in %d ticks", where, writes, ticks)
		if writes > 3*ticks {
			t.Errorf("%s: %d writes in %d ticks, want at most 3 a tick of %d", where, writes, ticks, workloads)
		}
	}
}

const list = `{"items": [
{"metadata": {"namespace": "a", "name": "long", "uid": "1", "creationTimestamp": "2026-03-01T10:00:00Z", "annotations": {"kueue.x-k8s.io/priority-boost": "7"}},
 "spec": {"maximumExecutionTimeSeconds": 7200}},
{"metadata": {"namespace": "a", "name": "short", "uid": "2", "creationTimestamp": "2026-03-01T11:00:00Z"},
 "spec": {"maximumExecutionTimeSeconds": 60}, "status": {"conditions": [{"type": "QuotaReserved", "status": "False", "reason": "Pending"}]}},
{"metadata": {"namespace": "b", "name": "silent", "uid": "3", "creationTimestamp": "2026-03-01T09:00:00Z"}, "spec": {}},
{"metadata": {"namespace": "b", "name": "running", "uid": "4", "creationTimestamp": "2026-03-01T09:00:00Z"}, "spec": {},
 "status": {"conditions": [{"type": "QuotaReserved", "status": "True"}]}},
{"metadata": {"namespace": "b", "name": "done", "uid": "5", "creationTimestamp": "2026-03-01T09:00:00Z"}, "spec": {},
 "status": {"conditions": [{"type": "Finished", "status": "True"}]}}]}`

// TestRun: by arrival + longest run time silent is due at 10:00, short at 11:01, long at 12:00,
// which keeps its boost. By arrival alone the order is silent, long, short.
func TestRun(t *testing.T) {
	const set = "kubectl annotate workload -n %s %s kueue.x-k8s.io/priority-boost=%d --overwrite\n"
	for _, c := range []struct {
		overtake float64
		want     string
	}{
		{1, fmt.Sprintf(set, "b", "silent", 27) + fmt.Sprintf(set, "a", "short", 17)},
		{0, fmt.Sprintf(set, "b", "silent", 17) + fmt.Sprintf(set, "a", "short", 4)},
	} {
		var out strings.Builder
		if err := run(strings.NewReader(list), &out, c.overtake, 3600, 0, 100); err != nil || out.String() != c.want {
			t.Errorf("overtake %v: %v, %s\nwant %s", c.overtake, err, out.String(), c.want)
		}
	}
	for _, c := range []struct {
		text        string
		overtake    float64
		least, most int
	}{{"{", 1, 0, 9}, {"", 1, 0, 9}, {"{}", 1, 9, 8}, {"{}", 1, 0, 1<<30 + 1}, {"{}", -1, 0, 9}, {"{}", math.NaN(), 0, 9}} {
		if err := run(strings.NewReader(c.text), &strings.Builder{}, c.overtake, 1, c.least, c.most); err == nil {
			t.Errorf("run(%q, %v, %d, %d) succeeds", c.text, c.overtake, c.least, c.most)
		}
	}
}
