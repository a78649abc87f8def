package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// TestReports: what each report of another gateway tells anew.
func TestReports(t *testing.T) {
	now := time.Unix(1e9, 0)
	b := &bus{rate: 10, peers: map[string]*peer{}}
	for i, c := range []struct {
		name   string
		epoch  int64
		full   bool
		totals map[string]float64
		after  time.Duration
		want   map[string]float64
	}{
		{"x", 5, false, map[string]float64{"a": 3}, 0, nil},                                                  // a stranger that tells a part
		{"x", 5, true, map[string]float64{"a": 7}, 0, nil},                                                   // is compared with from now on
		{"x", 5, false, map[string]float64{"a": 9}, time.Second, map[string]float64{"a": 2}},                 // counts
		{"x", 5, false, map[string]float64{"a": 9}, time.Second, nil},                                        // twice
		{"x", 5, false, map[string]float64{"a": 8}, time.Second, nil},                                        // out of turn
		{"x", 5, true, map[string]float64{"a": 10, "b": 4}, time.Second, map[string]float64{"a": 1, "b": 4}}, // b had 0 before
		{"y", 1, true, nil, time.Second, nil},                                                                // another
		{"y", 1, false, map[string]float64{"a": 2}, time.Second, map[string]float64{"a": 2}},                 // counts from 0
		{"x", 4, true, map[string]float64{"a": 99}, time.Second, nil},                                        // before its restart
		{"x", 6, false, map[string]float64{"a": 3}, time.Second, map[string]float64{"a": 3}},                 // after it
		{"x", 5, false, map[string]float64{"a": 50}, time.Second, nil},                                       // late, of before
		{"x", 6, true, map[string]float64{"a": 4}, time.Second, map[string]float64{"a": 1}},                  // on
		{"x", 6, false, map[string]float64{"a": 1e15}, 0, map[string]float64{"a": 112}},                      // at most what is believed: ten a second
		{"x", 6, false, map[string]float64{"a": 1e15 + 64}, 2 * time.Second, map[string]float64{"a": 20}},    // and no more because of the lie
		{"x", 6, false, map[string]float64{"a": 2e15}, 100 * time.Second, map[string]float64{"a": 1000}},
	} {
		now = now.Add(c.after)
		got := b.count(report{c.name, c.epoch, c.full, c.totals}, now)
		if i == 12 { // what was left over from the seconds before
			if got["a"] <= 0 || got["a"] > 10*(burst+12) {
				t.Errorf("report %d tells %v, want at most what the time before allows", i, got)
			}
			continue
		}
		if len(got)+len(c.want) > 0 && !maps.Equal(got, c.want) {
			t.Errorf("report %d of %s tells %v, want %v", i, c.name, got, c.want)
		}
	}
}

// TestReportsHeal: reports are lost, late, twice and out of turn, and gateways start again; once all
// is told again, the receiver has counted exactly what was served, less what a process that was killed
// had not told, and what it had told before it was first heard.
func TestReportsHeal(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 2))
		b := &bus{rate: 1e9, peers: map[string]*peer{}}
		now, epoch := time.Unix(1e9, 0), int64(1)
		totals, counted, want := map[string]float64{}, 0., 0.
		sent := []report{} // on its way
		hear := func(m report) {
			now = now.Add(time.Second)
			for _, d := range b.count(m, now) {
				counted += d
			}
		}
		hear(report{"x", epoch, true, nil})
		for range 100 {
			switch r.IntN(6) {
			case 0, 1, 2:
				totals[string(rune('a'+r.IntN(2)))] += float64(1 + r.IntN(5))
				sent = append(sent, report{"x", epoch, true, maps.Clone(totals)})
			case 3, 4:
				if len(sent) > 0 {
					i := r.IntN(len(sent)) // out of turn, and perhaps again
					hear(sent[i])
				}
			case 5:
				if r.IntN(10) == 0 { // killed: what it has told counts, as far as it came before the next is heard
					sum := 0.
					if p := b.peers["x"]; p.epoch == epoch {
						for _, x := range p.last {
							sum += x
						}
					}
					want += sum
					epoch, totals = epoch+1, map[string]float64{}
					hear(report{"x", epoch, true, nil})
				}
			}
		}
		hear(report{"x", epoch, true, maps.Clone(totals)})
		if want += totals["a"] + totals["b"]; counted != want {
			t.Fatalf("seed %d: counted %v, want %v", seed, counted, want)
		}
	}
}

// TestHeard: the metrics say when each replica's last report came, by which its age is known.
func TestHeard(t *testing.T) {
	b := newBus(newBench(t, twoTenants, 1, 1, nil).front, "here", 1)
	heard := func(name string) float64 {
		return (&bench{front: b.front}).metric(t, `gateway_replica_heard_seconds{replica="`+name+`"}`)
	}
	began := float64(time.Now().UnixNano()) / 1e9
	b.hear([]byte(`{"Name":"x","Epoch":1,"Full":true}`))
	first := heard("x")
	b.hear([]byte(`{"Name":"y","Epoch":1,"Full":true}`))
	b.hear([]byte(`no report`))
	if again, y, ended := heard("x"), heard("y"), float64(time.Now().UnixNano())/1e9; !(began <= first && first == again && first <= y && y <= ended) {
		t.Errorf("x was heard at %f and then %f, y at %f, want times between %f and %f", first, again, y, began, ended)
	}
}

// TestReportSize: a report of the most tenants with the longest names fits into a message of NATS.
func TestReportSize(t *testing.T) {
	totals := map[string]float64{}
	for i := range mostTenants {
		totals[fmt.Sprintf("%s%05d", strings.Repeat("a", longestName-5), i)] = math.Pi * 1e12
	}
	text, err := json.Marshal(report{strings.Repeat("x", 300), time.Now().UnixNano(), true, totals})
	if err != nil || len(text) > 1<<20 {
		t.Errorf("%d bytes, %v, want at most 1 MB", len(text), err)
	}
}
