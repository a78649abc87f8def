package sharedscan_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/sharedscan"
)

// ledger is a model of CircularScan: one row for each job that ever joined and each block, and
// every question answered by going through all rows.
type ledger struct {
	blocks  int
	rows    []*row
	tickets int
	started []int // the driver's number of each run
	next    int
}

type row struct {
	key, number, partitions, block int
	state                          string // "waits", "rides", "has" or "left"
	ticket                         int    // when it began to wait
	run, offset                    int    // of the run that carries it or gave it the block
}

func (l *ledger) list(block int) []*row {
	var list []*row
	for _, w := range l.rows {
		if w.block == block && w.state == "waits" {
			list = append(list, w)
		}
	}
	slices.SortFunc(list, func(a, b *row) int { return cmp.Compare(a.ticket, b.ticket) })
	return list
}

func (l *ledger) wait(w *row) {
	l.tickets++
	w.state, w.ticket, w.run, w.offset = "waits", l.tickets, 0, 0
}

func (l *ledger) leave(key int) {
	for _, w := range l.rows {
		if w.key == key {
			w.state = "left"
		}
	}
}

// again lets all rows of lost runs wait, and returns the blocks with the number of them.
func (l *ledger) again(lost func(run int) bool) map[int]int {
	var claims []*row
	for _, w := range l.rows {
		if (w.state == "rides" || w.state == "has") && lost(w.run) {
			claims = append(claims, w)
		}
	}
	slices.SortFunc(claims, func(a, b *row) int { return cmp.Or(cmp.Compare(a.run, b.run), cmp.Compare(a.number, b.number)) })
	blocks := make(map[int]int)
	for _, w := range claims {
		l.wait(w)
		blocks[w.block]++
	}
	return blocks
}

func spell(list []*row) []sharedscan.Ride[int] {
	var out []sharedscan.Ride[int]
	sum := 0
	for _, w := range list {
		out = append(out, sharedscan.Ride[int]{Job: w.key, Offset: sum, Partitions: w.partitions})
		sum += w.partitions
	}
	return out
}

func (l *ledger) compare(t *testing.T, at string, c *sharedscan.CircularScan[int], keys []int) {
	t.Helper()
	for _, key := range keys {
		var waiting []int
		var sources []sharedscan.Source[int]
		left, there := 0, false
		for _, w := range l.rows { // by block within a job
			if w.key != key || w.state == "left" {
				continue
			}
			there = true
			switch w.state {
			case "waits":
				waiting = append(waiting, w.block)
				left++
			case "rides":
				left++
			case "has":
				driver := l.started[w.run]
				sources = append(sources, sharedscan.Source[int]{Block: w.block, Run: int64(w.run), Driver: driver % 1000, Offset: w.offset})
			}
		}
		if got, ok := c.Left(key); got != left || ok != there {
			t.Fatalf("%s: Left(%d) = %d, %v, want %d, %v", at, key, got, ok, left, there)
		}
		if got := c.Waiting(nil, key); !slices.Equal(got, waiting) {
			t.Fatalf("%s: Waiting(%d) = %v, want %v", at, key, got, waiting)
		}
		if got := c.Sources(nil, key); !slices.Equal(got, sources) {
			t.Fatalf("%s: Sources(%d) = %v, want %v", at, key, got, sources)
		}
	}
	wantNext, wantOK := 0, false
	for d := range l.blocks {
		if b := (l.next + d) % l.blocks; len(l.list(b)) > 0 {
			wantNext, wantOK = b, true
			break
		}
	}
	if got, ok := c.Next(); got != wantNext || ok != wantOK {
		t.Fatalf("%s: Next() = %d, %v, want %d, %v", at, got, ok, wantNext, wantOK)
	}
}
