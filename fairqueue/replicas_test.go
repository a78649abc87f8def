package fairqueue_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
)

// told is a service of a flow that a replica has told, to be heard later.
type told struct {
	at   float64
	key  int
	cost float64
}

// replica is a queue with its servers.
type replica struct {
	q      *fairqueue.Queue[int]
	free   []float64 // when each server is free
	heard  []told    // in no order
	cut    bool      // it hears and tells nobody
	unsaid []told    // meanwhile
}

// replicated runs k replicas of servers for a while. Flows wait at the replicas that waits says.
// Each tells what it has begun to serve after delay. At restart replica 0 is restored from the
// snapshot of a little before; replica 1 is cut off for the second quarter.
func replicated(t *testing.T, o fairqueue.Options, k, servers int, weights []float64, delay, until float64, waits func(replica, key int) bool, faults bool) (had []float64, largest float64, untold []float64) {
	r := rand.New(rand.NewPCG(uint64(k), 9))
	had, untold = make([]float64, len(weights)), make([]float64, len(weights))
	all := make([]*replica, k)
	for i := range all {
		q, err := fairqueue.New[int](o)
		must(t, err)
		for key, w := range weights {
			must(t, q.Join(key, w))
			must(t, q.SetActive(key, waits(i, key)))
		}
		all[i] = &replica{q: q, free: make([]float64, servers)}
	}
	var saved []byte
	restarted := false
	for {
		// The server that is free first serves next.
		who, server, now := 0, 0, math.Inf(1)
		for i, p := range all {
			for s, at := range p.free {
				if at < now {
					who, server, now = i, s, at
				}
			}
		}
		if now >= until {
			break
		}
		p := all[who]
		if faults && k > 1 {
			cut := now >= until/4 && now < until/2
			if all[1].cut && !cut { // it is back: both sides hear what they have missed
				for _, x := range all[1].unsaid {
					for i := range all {
						if i != 1 {
							must(t, all[i].q.Elsewhere(x.key, x.cost))
						}
					}
				}
				all[1].unsaid = nil
			}
			all[1].cut = cut
			if who == 0 && saved == nil && now >= until*.6 {
				var err error
				saved, err = json.Marshal(p.q.Snapshot())
				must(t, err)
			}
			if who == 0 && !restarted && now >= until*.6+1 {
				restarted = true
				var s fairqueue.Snapshot[int]
				must(t, json.Unmarshal(saved, &s))
				s.Epoch++
				q, err := fairqueue.Restore(s)
				must(t, err)
				for s := range q.Services() {
					must(t, q.End(s, 0))
				}
				p.q = q
			}
		}
		later := p.heard[:0]
		for _, x := range p.heard {
			if x.at > now || p.cut {
				later = append(later, x)
				continue
			}
			must(t, p.q.Elsewhere(x.key, x.cost))
		}
		p.heard = later
		key, ok := p.q.Next(nil)
		if !ok {
			p.free[server] = now + .1
			continue
		}
		cost := .2 + r.ExpFloat64()
		largest = max(largest, cost)
		s, err := p.q.Start(key, 1)
		must(t, err)
		must(t, p.q.End(s, cost))
		p.free[server] = now + cost
		had[key] += cost
		x := told{now + delay, key, cost}
		if p.cut {
			p.unsaid = append(p.unsaid, x)
			continue
		}
		for i := range all {
			if i != who {
				all[i].heard = append(all[i].heard, x)
			}
		}
	}
	for _, p := range all {
		for _, x := range p.heard {
			untold[x.key] += x.cost
		}
	}
	return had, largest, untold
}

func everywhere(int, int) bool { return true }

// Flows that wait at every replica get in total by weight, within the bound of the package comment,
// however many replicas there are and however late they hear of each other; through a restart from
// an old snapshot and a time apart, within what was lost or served meanwhile.
func TestReplicasShareInTotal(t *testing.T) {
	weights := []float64{2, 1, 1}
	for _, k := range []int{1, 2, 3, 8, 16} {
		for _, delay := range []float64{0, .1, 1, 10, 100} {
			const servers, until = 2, 500
			had, l, untold := replicated(t, fairqueue.Options{Lag: 100}, k, servers, weights, delay, until, everywhere, false)
			for f := range weights {
				for m := range f {
					bound := float64(k*(servers+1))*(l/weights[f]+l/weights[m]) + untold[f]/weights[f] + untold[m]/weights[m]
					if d := math.Abs(had[f]/weights[f] - had[m]/weights[m]); d > bound {
						t.Errorf("%d replicas, delay %v: flows %d and %d have %v, %v apart for each weight, want at most %v", k, delay, f, m, had, d, bound)
					}
				}
			}
		}
		if k == 1 {
			continue
		}
		had, _, _ := replicated(t, fairqueue.Options{Lag: 100}, k, 2, weights, 1, 2000, everywhere, true)
		if sum := had[0] + had[1] + had[2]; math.Abs(had[0]-sum/2) > .03*sum {
			t.Errorf("%d replicas with a restart and a time apart: %v, want half for the first", k, had)
		}
	}
}

// A flow at two of three replicas gets by its weight in total, since these serve it more.
func TestReplicasMakeUp(t *testing.T) {
	waits := func(replica, key int) bool { return key == 0 || replica < 2 }
	for _, delay := range []float64{.1, 10, 100} {
		had, _, _ := replicated(t, fairqueue.Options{Lag: 100}, 3, 2, []float64{2, 1}, delay, 5000, waits, false)
		if ratio := had[0] / had[1]; math.Abs(ratio-2) > .05 {
			t.Errorf("delay %v: %v, ratio %v, want 2", delay, had, ratio)
		}
		alone, _, _ := replicated(t, fairqueue.Options{Lag: 100}, 3, 2, []float64{2, 1}, math.Inf(1), 5000, waits, false)
		if ratio := alone[0] / alone[1]; ratio < 3 {
			t.Errorf("without a word between them: ratio %v, want far from 2", ratio)
		}
	}
}

// A flow that has used idle capacity elsewhere, for long, starves here for it without Least, and
// keeps its part here with it.
func TestLeastAtAReplica(t *testing.T) {
	for _, least := range []float64{0, .25} {
		q := flows(t, fairqueue.Options{Least: least}, 1, 1)
		var turns []int
		for range 400 {
			key := serve(t, q, 1)
			turns = append(turns, key)
			must(t, q.Elsewhere(0, 20)) // far more than it could get here
		}
		mine := len(turns) - len(slices.DeleteFunc(slices.Clone(turns), func(key int) bool { return key == 0 }))
		// With Least .25 what others serve counts for at most 3 services here, so that one of five
		// services here is its own.
		if least == 0 && mine > 2 || least > 0 && (mine < 75 || mine > 85) {
			t.Errorf("Least %v: %d of 400 services", least, mine)
		}
	}
}
