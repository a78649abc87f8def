package sharedscan_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/sharedscan"
)

// TestCircularScanHistories plays random histories on the ledger and on a CircularScan that goes
// through JSON now and then. Six keys come and go, so that keys are used again.
func TestCircularScanHistories(t *testing.T) {
	keys := []int{0, 1, 2, 3, 4, 5}
	seen := make(map[string]int)
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 47))
		l := &ledger{blocks: 1 + r.IntN(6), started: []int{0}}
		c, err := sharedscan.New[int](l.blocks)
		must(t, err)
		number := 0
		for step := range 60 {
			at := fmt.Sprintf("seed %d, step %d", seed, step)
			key := r.IntN(len(keys))
			there := slices.ContainsFunc(l.rows, func(w *row) bool { return w.key == key && w.state != "left" })
			run := r.IntN(len(l.started))
			riding := slices.DeleteFunc(slices.Clone(l.rows), func(w *row) bool { return w.state != "rides" || w.run != run })
			switch what := r.IntN(12); {
			case what < 2:
				partitions := r.IntN(4)
				begin, err := c.Join(key, partitions)
				if (err == nil) == there {
					t.Fatalf("%s: Join(%d, %d): %v with the job there: %v", at, key, partitions, err, there)
				}
				if there {
					break
				}
				if begin != l.next {
					t.Fatalf("%s: Join(%d, %d) begins at %d, want %d", at, key, partitions, begin, l.next)
				}
				number++
				for b := range l.blocks {
					w := &row{key: key, number: number, partitions: partitions, block: b}
					l.wait(w)
					l.rows = append(l.rows, w)
				}
			case what < 6:
				b := r.IntN(l.blocks)
				if n, ok := c.Next(); ok && what < 5 {
					b = n
				}
				list := l.list(b)
				got, err := c.Start(b)
				if (err == nil) != (len(list) > 0) {
					t.Fatalf("%s: Start(%d): %v with %d waiting", at, b, err, len(list))
				}
				if err != nil {
					break
				}
				l.started = append(l.started, list[0].number*1000+list[0].key)
				want := sharedscan.Run[int]{ID: int64(len(l.started) - 1), Block: b, Rides: spell(list)}
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: Start(%d) = %+v, want %+v", at, b, got, want)
				}
				for k, w := range list {
					w.state, w.run, w.offset = "rides", len(l.started)-1, want.Rides[k].Offset
				}
				l.next = (b + 1) % l.blocks
			case what < 9:
				var want []int
				slices.SortFunc(riding, func(a, b *row) int { return cmp.Compare(a.ticket, b.ticket) })
				for _, w := range riding {
					w.state = "has"
					if !slices.ContainsFunc(l.rows, func(v *row) bool { return v.number == w.number && v.state != "has" }) {
						want = append(want, w.key)
						seen["complete"]++
					}
				}
				got, err := c.Finish(nil, int64(run))
				if !slices.Equal(got, want) || (err != nil && len(riding) > 0) {
					t.Fatalf("%s: Finish(nil, %d) = %v, %v, want %v", at, run, got, err, want)
				}
			case what == 9:
				if got := c.Leave(key); got != there {
					t.Fatalf("%s: Leave(%d) = %v, want %v", at, key, got, there)
				}
				l.leave(key)
			default:
				var got []sharedscan.Rerun[int]
				var err error
				var want map[int]int
				if what == 10 {
					i := slices.IndexFunc(l.rows, func(w *row) bool { return w.key == key && w.state != "left" })
					got, err = c.Fail(nil, key)
					if (err == nil) != (i >= 0) {
						t.Fatalf("%s: Fail(%d): %v with the job there: %v", at, key, err, i >= 0)
					}
					if i < 0 {
						break
					}
					driver := l.rows[i].number*1000 + key
					l.leave(key)
					want = l.again(func(run int) bool { return l.started[run] == driver })
				} else {
					got, err = c.Lost(nil, int64(run))
					if (err == nil) != (run > 0) {
						t.Fatalf("%s: Lost(%d): %v, want an error for 0 only", at, run, err)
					}
					if run > 0 {
						want = l.again(func(lost int) bool { return lost == run })
					}
				}
				if len(got) != len(want) {
					t.Fatalf("%s: %v must be read again, want %v", at, got, want)
				}
				for _, g := range got {
					if g.Again != want[g.Block] || !reflect.DeepEqual(g.Rides, spell(l.list(g.Block))) {
						t.Fatalf("%s: again %+v, want %d riders and %v", at, g, want[g.Block], spell(l.list(g.Block)))
					}
					seen["again"]++
				}
			}
			if r.IntN(4) == 0 {
				c = throughJSON(t, c)
			}
			l.compare(t, at, c, keys)
		}
	}
	if seen["complete"] < 100 || seen["again"] < 100 {
		t.Errorf("the histories have %d completions and %d blocks read again, want 100 each at least", seen["complete"], seen["again"])
	}
}

func throughJSON(t *testing.T, c *sharedscan.CircularScan[int]) *sharedscan.CircularScan[int] {
	t.Helper()
	s := c.Snapshot()
	text, err := json.Marshal(s)
	must(t, err)
	var back snapshot
	must(t, json.Unmarshal(text, &back))
	d, err := sharedscan.Restore(back)
	must(t, err)
	if again := d.Snapshot(); !reflect.DeepEqual(again, s) {
		t.Fatalf("Snapshot of the restored = %+v, want %+v", again, s)
	}
	return d
}
