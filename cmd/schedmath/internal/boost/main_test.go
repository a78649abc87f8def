package boost

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/program"
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
		if err := run([]string{"-overtake", fmt.Sprint(c.overtake), "-most", "100"}, strings.NewReader(list), &out); err != nil || out.String() != c.want {
			t.Errorf("overtake %v: %v, %s\nwant %s", c.overtake, err, out.String(), c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	with := func(old, new string) string { return strings.Replace(list, old, new, 1) }
	for _, c := range []struct{ text, args string }{
		{"{", ""}, {"", ""}, {"{}", ""}, {`{"metadata":{"namespace":"a","name":"b"}}`, ""}, {list, "-least 9 -most 8"}, {list, "-most 1073741825"}, {list, "-overtake -1"}, {list, "-overtake NaN"}, {list, "-unknown -1s"}, {list, "stray"},
		{with(`"name": "done"`, `"name": "done; reboot"`), ""}, {with(`"name": "short"`, `"name": "$(reboot)"`), ""}, {with(`"name": "short"`, `"name": "a\nreboot"`), ""},
		{with(`"name": "short"`, `"name": "--all"`), ""}, {with(`"name": "short"`, `"name": ""`), ""}, {with(`"name": "short"`, `"name": "Short"`), ""},
		{with(`"namespace": "b"`, `"namespace": "b|sh"`), ""},
	} {
		var out strings.Builder
		if err := run(strings.Fields(c.args), strings.NewReader(c.text), &out); program.Exit(io.Discard, "boost", err) != 2 || out.Len() > 0 {
			t.Errorf("boost %s of %s = %v and prints %q, want an error of the user's and nothing", c.args, c.text, err, out.String())
		}
	}
}

// TestMemory: items that do not wait take no memory, and empty ones are refused at the first.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		item string
		ok   bool
	}{{"{}", false}, {`{"metadata":{"namespace":"a","name":"b"},"status":{"conditions":[{"type":"Finished","status":"True"}]}}`, true}} {
		const size = 1 << 21
		text := `{"items":[` + c.item + strings.Repeat(","+c.item, size/len(c.item)) + `]}`
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := run(nil, strings.NewReader(text), io.Discard)
		runtime.ReadMemStats(&after)
		if got := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(text)); (err == nil) != c.ok || got > 12 {
			t.Errorf("2 MiB of items %s: %v, and %.1f bytes are allocated for one of text, want at most 12", c.item, err, got)
		}
	}
}
