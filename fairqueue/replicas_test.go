package fairqueue_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
)

// message tells a replica of a service of a flow elsewhere, at a time.
type message struct {
	at   float64
	key  int
	cost float64
}

// replica is a queue with its servers.
type replica struct {
	q       *fairqueue.Queue[int]
	busy    []busy
	heard   []message // in no order
	counted []float64 // of each flow: what q was charged and told
}

// busy is a server's service, or none.
type busy struct {
	until, cost float64
	key         int
	s           fairqueue.Service
}

// A fleet is k replicas of some servers each. Flows wait at the replicas that waits says. Each
// replica charges what it starts with guess, and tells what it has ended after delay; each message
// is lost to a replica with probability loss. With faults, replica 0 is restored once from a
// snapshot that is 1 s old, and replica 1 is cut off for the second quarter of the time.
type fleet struct {
	k, servers  int
	weights     []float64
	delay, loss float64
	until       float64
	faults      bool
	waits       func(replica, key int) bool
}

const guess = .2 // the least cost

// run returns what each flow has had, services counted at their ends. It checks after each end that
// flows which wait everywhere are within the bound of replicas; what a replica has not counted is
// taken as it starts a service.
func (c fleet) run(t *testing.T, o fairqueue.Options) (had []float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(c.k), 9))
	n := len(c.weights)
	had = make([]float64, n)
	charged, missed, largest := make([]float64, n), make([]float64, n), 0.
	all := make([]*replica, c.k)
	for i := range all {
		q, err := fairqueue.New[int](o)
		must(t, err)
		for key, w := range c.weights {
			must(t, q.Join(key, w))
			must(t, q.SetActive(key, c.waits(i, key)))
		}
		all[i] = &replica{q: q, busy: make([]busy, c.servers), counted: make([]float64, n)}
	}
	var saved []byte
	var counted []float64
	restarted := false
	for {
		who, server, now := 0, 0, math.Inf(1) // the server that is free first
		for i, p := range all {
			for s, b := range p.busy {
				if b.until < now {
					who, server, now = i, s, b.until
				}
			}
		}
		if now >= c.until {
			return had
		}
		p := all[who]
		if b := &p.busy[server]; b.s != 0 {
			must(t, p.q.End(b.s, b.cost))
			had[b.key] += b.cost
			p.counted[b.key] += b.cost - guess
			charged[b.key] += b.cost - guess
			for i := range all {
				x := message{now + c.delay, b.key, b.cost}
				if apart := c.faults && (i == 1 || who == 1); apart && x.at > c.until/4 && now < c.until/2 {
					x.at = max(x.at, c.until/2)
				}
				if i != who && r.Float64() >= c.loss {
					all[i].heard = append(all[i].heard, x)
				}
			}
			for f, w := range c.weights {
				for m, v := range c.weights {
					bound := float64(c.k*c.servers)*(largest/w+largest/v) + missed[f]/w
					if ahead := had[f]/w - had[m]/v; o.Least == 0 && c.waits(0, f) && c.waits(c.k-1, m) && ahead > bound*(1+rounding) {
						t.Fatalf("%+v, at %v: flow %d is %v ahead of flow %d for each weight, want at most %v", c, now, f, ahead, m, bound)
					}
				}
			}
			b.s = 0
		}
		if who == 0 && c.faults && saved == nil && now >= c.until*.6 {
			var err error
			saved, err = json.Marshal(p.q.Snapshot())
			must(t, err)
			counted = slices.Clone(p.counted)
		}
		if who == 0 && c.faults && !restarted && now >= c.until*.6+1 {
			restarted = true
			var s fairqueue.Snapshot[int]
			must(t, json.Unmarshal(saved, &s))
			s.Epoch++
			var err error
			p.q, err = fairqueue.Restore(s)
			must(t, err)
			for s := range p.q.Services() {
				must(t, p.q.End(s, guess))
			}
			for i, b := range p.busy { // what ran is lost
				if p.busy[i].s = 0; b.s != 0 {
					charged[b.key] -= guess
				}
			}
			p.counted = counted
		}
		p.heard = slices.DeleteFunc(p.heard, func(x message) bool {
			if x.at <= now {
				must(t, p.q.Elsewhere(x.key, x.cost))
				p.counted[x.key] += x.cost
			}
			return x.at <= now
		})
		b := &p.busy[server]
		key, ok := p.q.Next(nil)
		if !ok {
			b.until = now + .1
			continue
		}
		missed[key] = max(missed[key], charged[key]-p.counted[key])
		s, err := p.q.Start(key, guess)
		must(t, err)
		charged[key] += guess
		p.counted[key] += guess
		cost := guess + r.ExpFloat64()
		largest = max(largest, cost)
		*b = busy{now + cost, cost, key, s}
	}
}

func everywhere(int, int) bool { return true }

// Flows that wait at every replica get in total by weight, within the bound of docs/fair-queues.md,
// however many replicas there are and however late they hear of each other; when messages are lost,
// through a restart from an old snapshot and a time apart, within what was not counted.
func TestReplicasShareInTotal(t *testing.T) {
	weights := []float64{2, 1, 1}
	for _, k := range []int{1, 2, 3, 8, 16} {
		for _, delay := range []float64{0, .1, 1, 10, 100} {
			fleet{k: k, servers: 2, weights: weights, delay: delay, until: 500, waits: everywhere}.run(t, fairqueue.Options{Lag: 100})
		}
		for _, loss := range []float64{0, .02, .3} {
			if k == 1 {
				continue
			}
			had := fleet{k: k, servers: 2, weights: weights, delay: 1, loss: loss, until: 2000, faults: true, waits: everywhere}.run(t, fairqueue.Options{Lag: 100})
			if sum := had[0] + had[1] + had[2]; math.Abs(had[0]-sum/2) > .03*sum {
				t.Errorf("%d replicas, %v of the messages lost, a restart and a time apart: %v, want half for the first", k, loss, had)
			}
		}
	}
}

// A flow at two of three replicas gets by its weight in total, since these serve it more.
func TestReplicasMakeUp(t *testing.T) {
	waits := func(replica, key int) bool { return key == 0 || replica < 2 }
	for _, delay := range []float64{.1, 10, 100} {
		c := fleet{k: 3, servers: 2, weights: []float64{2, 1}, delay: delay, until: 5000, waits: waits}
		had := c.run(t, fairqueue.Options{Lag: 100})
		if ratio := had[0] / had[1]; math.Abs(ratio-2) > .05 {
			t.Errorf("delay %v: %v, ratio %v, want 2", delay, had, ratio)
		}
		c.delay = math.Inf(1)
		alone := c.run(t, fairqueue.Options{Lag: 100})
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
