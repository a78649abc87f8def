package main

import (
	"cmp"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/schedmath/schedmath/fairqueue"
)

// A refusal is an answer of the gateway's own: its status, a word for the metrics, and a text.
type refusal struct {
	code       int
	word, text string
}

func (r *refusal) Error() string { return r.text }

var (
	errUnknown = &refusal{401, "unknown", "unknown key"}
	errPath    = &refusal{404, "path", "unknown path"}
	errFull    = &refusal{429, "queue", "too many requests of this tenant wait"}
	errBodies  = &refusal{429, "bodies", "requests of this tenant wait with too many bytes"}
	errLate    = &refusal{503, "late", "the request waited for too long"}
	errSlow    = &refusal{504, "slow", "the backend takes too long"}
)

// A leaf is what a tenant without children keeps when the configuration changes.
type leaf struct {
	node          *node
	label         string     // in the metrics
	requests      []*request // that wait, come in or are free, in the order of arrival
	ready         int        // that wait
	bytes         int64      // of the bodies of all those
	answer, token float64    // lately: tokens of an answer, bytes of a token; 0: not known
}

// A gate lets requests through to the backend, streams at once, in the order of a fair queue.
type gate struct {
	streams  int
	patience time.Duration // of a request that waits
	budget   int64         // bytes of all bodies that wait
	prices   tokens

	mu      sync.Mutex
	q       *fairqueue.Queue[string] // by node.flow
	config  *config
	leaving []string           // flows that are no longer in config, and below which services fly; children first
	held    int64              // bytes of all bodies that wait
	flying  int                // requests at the backend
	totals  map[string]float64 // cost of ended services by tenant
	pace    float64            // tokens a second of the fastest stream, lately
}

func (g *gate) open(lag float64) (err error) {
	g.config, g.totals = new(config), map[string]float64{}
	g.q, err = fairqueue.New[string](fairqueue.Options{Lag: lag})
	return err
}

// do changes the queue and lets through whose turn it is. What the queue refuses is logged outside the lock.
func (g *gate) do(change func() error) (err error) {
	defer func() {
		if err != nil {
			slog.Error("queue", "error", err)
		}
	}()
	g.mu.Lock()
	defer g.mu.Unlock()
	return errors.Join(change(), g.dispatch())
}

// admit finds the tenant of a request and gives it a place in the queue, before its body of so many
// bytes is read.
func (g *gate) admit(r *request, bytes int64) error {
	return g.do(func() error {
		n := g.config.names[cmp.Or(r.name, g.config.keys[r.key])]
		if n == nil || n.leaf == nil {
			r.cancel(errUnknown)
			return nil
		}
		for up := n; up != nil; up = up.parent {
			if up.Queue > 0 && up.places >= up.Queue {
				r.cancel(errFull)
				return nil
			}
		}
		n.move(1)
		r.leaf, r.inside = n.leaf, true
		n.requests = append(n.requests, r)
		return g.hold(r, bytes)
	})
}

// hold says how many bytes a request holds. Above the budget the newest of the tenant that holds most
// is refused.
func (g *gate) hold(r *request, bytes int64) (err error) {
	g.held, r.leaf.bytes, r.bytes = g.held+bytes-r.bytes, r.leaf.bytes+bytes-r.bytes, bytes
	for g.held > g.budget {
		most := r.leaf
		for _, n := range g.config.nodes {
			if n.leaf != nil && n.bytes > most.bytes {
				most = n.leaf
			}
		}
		for _, newest := range slices.Backward(most.requests) {
			if newest.bytes > 0 {
				newest.cancel(errBodies)
				err = errors.Join(err, g.remove(newest))
				break
			}
		}
	}
	return err
}

// remove takes a request out of those that wait or come in.
func (g *gate) remove(r *request) error {
	l := r.leaf
	l.requests, r.inside = slices.DeleteFunc(l.requests, func(x *request) bool { return x == r }), false
	g.held, l.bytes = g.held-r.bytes, l.bytes-r.bytes
	l.node.move(-1)
	if !r.ready {
		return nil
	}
	l.ready--
	return g.q.SetActive(l.node.flow, l.ready > 0)
}

// wait waits until it is the turn of a request whose body is read.
func (g *gate) wait(r *request) error {
	err := g.do(func() error {
		if !r.inside {
			return nil // it is refused
		}
		r.guess, r.perToken, r.ready = r.leaf.guess(r.ask), r.leaf.perToken(), true
		r.charged = g.cost(r.guess)
		r.leaf.ready++
		return errors.Join(g.q.SetActive(r.leaf.node.flow, true), g.hold(r, int64(len(r.ask.body))))
	})
	select {
	case <-r.turn:
	case <-r.ctx.Done():
	case <-time.After(g.patience):
		r.cancel(errLate)
	}
	return err
}

// dispatch begins services while there are streams and somebody waits.
func (g *gate) dispatch() error {
	for g.flying < g.streams {
		name, ok := g.q.Next(nil)
		if !ok {
			return nil
		}
		waiting := g.config.names[name].requests
		r := waiting[slices.IndexFunc(waiting, func(r *request) bool { return r.ready })]
		service, err := g.q.Start(name, r.charged)
		if err = errors.Join(err, g.remove(r)); err != nil {
			r.cancel(err)
			return err
		}
		r.service, r.begun = service, time.Now()
		g.flying++
		close(r.turn)
	}
	return nil
}

// grow charges what a request costs beyond its guess, as it comes.
func (g *gate) grow(r *request, cost float64) {
	if more := cost - r.charged; more > 0 {
		r.charged = cost
		g.do(func() error { return g.q.Grow(r.service, more) })
	}
}

// end takes a request out of the queue, or ends its service, once: it took these tokens, none if the
// backend did not do it. told says that the backend has counted them; unseen is how many it may have
// written at most, of which the time tells.
func (x *request) end(took tokens, told bool, unseen float64) {
	ended := false
	x.do(func() error {
		if x.inside {
			return x.remove(x)
		}
		if ended = x.service != 0; !ended {
			return nil
		}
		g, l, seconds := x.gate, x.leaf, time.Since(x.begun).Seconds()
		took.output = max(took.output, min(unseen, x.ask.n*g.pace*seconds))
		cost := g.cost(took)
		err := g.q.End(x.service, cost)
		g.leaving = slices.DeleteFunc(g.leaving, g.q.Leave)
		x.service = 0
		g.flying--
		if cost > 0 {
			g.totals[l.node.name] += cost
		}
		if told && took.output > 0 {
			l.answer = lately(l.answer, took.output/x.ask.n)
			g.pace = max(.99*g.pace, took.output/x.ask.n/max(seconds, 1e-3)) // nobody lowers it fast
		}
		if prompt := took.prompt + took.cached; told && prompt > 0 {
			l.token = lately(l.token, float64(len(x.ask.body))/prompt)
		}
		return err
	})
	if ended {
		for kind, n := range map[string]float64{"prompt": took.prompt, "cached": took.cached, "output": took.output} {
			x.metrics.served.WithLabelValues(x.leaf.label, kind).Add(n)
		}
		slog.Debug("served", "tenant", x.leaf.label, "tokens", took, "after", time.Since(x.arrived))
	}
}

// elsewhere charges a tenant what another gateway has served it.
func (g *gate) elsewhere(name string, cost float64) {
	g.do(func() error {
		if n := g.config.names[name]; n == nil || n.leaf == nil || cost < 1e-9 {
			return nil
		}
		return g.q.Elsewhere(name, min(cost, 1e15))
	})
}
