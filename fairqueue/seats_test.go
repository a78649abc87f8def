package fairqueue_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
)

// client sends requests from threads, each of which sends the next some time after the one before
// has been served. Times are in nanoseconds.
type client struct {
	threads, calls   int
	exec, think, pad int64 // pad: the seats stay taken after it was served
	seats, final     int   // while it is served, and in pad
	split            bool  // half of the threads begin after half of the time, with half of the calls
}

// averages plays clients on seats and returns how many each had on average, in each half of the
// time. guess is what a request is charged at its start, 0: the truth. The request of the first
// flow waits until there are seats enough, or none is taken.
func averages(t *testing.T, clients []client, limit int, until int64, guess float64) (halves [2][]float64) {
	q := flows(t, fairqueue.Options{})
	type event struct {
		at int64
		do func(now int64)
	}
	var events []event
	after := func(at int64, do func(int64)) {
		k, _ := slices.BinarySearchFunc(events, at+1, func(e event, at int64) int { return cmp.Compare(e.at, at) })
		events = slices.Insert(events, k, event{at, do})
	}
	waiting := make([][]func(now int64), len(clients)) // what each request does when it begins
	taken := 0
	var dispatch func(now int64)
	dispatch = func(now int64) {
		for {
			i, ok := q.Next(nil)
			if !ok {
				return
			}
			c := clients[i]
			most := max(c.seats, c.final)
			if taken > 0 && taken+most > limit {
				return
			}
			begin := waiting[i][0]
			waiting[i] = waiting[i][1:]
			truth := (float64(c.seats)*float64(c.exec) + float64(c.final)*float64(c.pad)) / 1e9
			s, err := q.Start(i, cmp.Or(guess, truth))
			must(t, err)
			must(t, q.SetActive(i, len(waiting[i]) > 0))
			taken += most
			begin(now)
			after(now+c.exec+c.pad, func(now int64) {
				taken -= most
				must(t, q.End(s, truth))
				dispatch(now)
			})
			for h := range halves { // its part of each half
				from, to := int64(h)*until/2, int64(h+1)*until/2
				halves[h][i] += float64(c.seats) * float64(max(0, min(now+c.exec, to)-max(now, from))) / float64(until/2)
			}
		}
	}
	for h := range halves {
		halves[h] = make([]float64, len(clients))
	}
	for i, c := range clients {
		must(t, q.Join(i, 1))
		for j := range c.threads {
			at, calls := int64(90*j+20*i), c.calls
			if c.split && j >= c.threads/2 {
				at, calls = at+until/2, calls/2
			}
			var call func(k int) func(int64)
			call = func(k int) func(int64) {
				return func(now int64) {
					if k == calls {
						return
					}
					waiting[i] = append(waiting[i], func(now int64) { after(now+c.exec+c.think, call(k+1)) })
					must(t, q.SetActive(i, true))
					dispatch(now)
				}
			}
			after(at, call(0))
		}
	}
	for len(events) > 0 {
		e := events[0]
		events = events[1:]
		e.do(e.at)
	}
	return halves
}

// The scenarios of the fair queueing tests of Kubernetes API Priority and Fairness (queueset), with
// their margins. In the last, windup, theirs is unfair by more than .1; here it is not.
func TestSeats(t *testing.T) {
	const s = int64(1e9)
	one := func(threads, calls int, exec, think int64) client {
		return client{threads, calls, exec, think, 0, 1, 1, false}
	}
	wide := func(c client, seats int) client { c.seats, c.final = seats, seats; return c }
	type scenario struct {
		name    string
		clients []client
		limit   int
		until   int64
		margin  float64
		want    []float64 // seats on average
	}
	wider := []client{}
	for range 4 {
		wider = append(wider, wide(one(15, 21, s, s-1), 2))
	}
	const quarter = 91 * 24 * 3600 * s
	scenarios := []scenario{
		{"baseline", []client{one(1, 21, s, 0)}, 1, 20 * s, 0, []float64{1}},
		{"uniform flows, hand size 1", []client{one(8, 20, s, s-1), one(8, 20, s, s-1)}, 4, 50 * s, .01, []float64{2, 2}},
		{"uniform flows, hand size 3", []client{one(8, 30, s, s-1), one(8, 30, s, s-1)}, 4, 60 * s, .03, []float64{2, 2}},
		{"different flows, equal", []client{one(8, 20, s, s), one(7, 30, s, s/2)}, 4, 40 * s, .01, []float64{2, 2}},
		{"seat seconds", []client{wide(one(8, 20, quarter, quarter), 500), wide(one(7, 30, quarter, quarter/2), 500)}, 2000, 40 * quarter, .01, []float64{1000, 1000}},
		{"different flows, unequal", []client{one(4, 20, s, s-1), one(2, 20, s, s-1)}, 3, 20 * s, .01, []float64{2, 1}},
		{"different widths", []client{one(13, 10, s, s-1), wide(one(7, 10, s, s-1), 2)}, 6, 20 * s, .155, []float64{3, 3}},
		{"too wide", append(wider, wide(one(15, 21, s, s-1), 7)), 6, 225 * s, .33, []float64{1.2, 1.2, 1.2, 1.2, 1.2}},
	}
	for _, c := range []struct {
		think, pad            int64
		final, limit, clients int
		want                  float64
	}{
		{s, 0, 1, 1, 1, .5}, {s, 0, 1, 2, 1, .5}, {s, 0, 2, 2, 1, .5}, {s, 0, 1, 1, 2, .5}, {s, 0, 1, 2, 2, .5}, {s, 0, 2, 2, 2, .5},
		{0, s, 1, 1, 1, .5}, {0, s, 1, 2, 1, 1}, {0, s, 2, 2, 1, .5}, {0, s, 1, 1, 2, .25}, {0, s, 1, 2, 2, .5}, {0, s, 2, 2, 2, .25},
		{s, s / 2, 1, 1, 1, .5}, {s, s / 2, 1, 2, 1, .5}, {s, s / 2, 2, 2, 1, .5}, {s, s / 2, 1, 1, 2, 1. / 3}, {s, s / 2, 1, 2, 2, .5}, {s, s / 2, 2, 2, 2, 1. / 3},
		{s / 2, s, 1, 1, 1, .5}, {s / 2, s, 1, 2, 1, 1 / 1.5}, {s / 2, s, 2, 2, 1, .5}, {s / 2, s, 1, 1, 2, .25}, {s / 2, s, 1, 2, 2, .5}, {s / 2, s, 2, 2, 2, .25},
	} {
		x := client{1, 25, s, c.think, c.pad, 1, c.final, false}
		scenarios = append(scenarios, scenario{fmt.Sprintf("separations %+v", c), []client{x, x}[:c.clients], c.limit, 24 * s, 0, []float64{c.want, c.want}})
	}
	for _, guess := range []float64{0, .003} {
		for _, c := range scenarios {
			halves := averages(t, c.clients, c.limit, c.until, guess)
			for i := range c.clients {
				if got := (halves[0][i] + halves[1][i]) / 2; math.Abs(got-c.want[i]) > (c.margin+rounding)*c.want[i] {
					t.Errorf("%s, guess %v: client %d has %v seats, want %v", c.name, guess, i, got, c.want[i])
				}
			}
		}
		late := one(2, 40, s, -1)
		late.split = true
		halves := averages(t, []client{one(2, 40, s, -1), late}, 3, 40*s, guess)
		for h, want := range [2][2]float64{{2, 1}, {1.5, 1.5}} {
			for i, got := range halves[h] {
				if math.Abs(got-want[i]) > []float64{.01, .1}[h]*want[i] {
					t.Errorf("windup, half %d, guess %v: client %d has %v seats, want %v", h, guess, i, got, want[i])
				}
			}
		}
	}
}
