package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
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
	errFull    = &refusal{429, "queue", "too many requests of this tenant wait"}
	errBodies  = &refusal{429, "bodies", "requests of this tenant wait with too many bytes"}
	errLate    = &refusal{503, "late", "the request waited for too long"}
	errSlow    = &refusal{504, "slow", "the backend takes too long"}
)

// A node is a tenant in the tree, an organisation, a team, or who has a key: fields of the file first.
type node struct {
	Name       string
	Weight     float64  // share among its siblings
	Cap, Queue int      // most requests at the backend, and of all below it that wait; 0: no limit, or -queue for who has no children
	Keys       []string // of who has no children; sha256: and a hash in place of a key
	Children   []*node  // who share what it gets

	name   string // with those above it
	parent *node
	places int // requests that wait or come in, at or below it
	*leaf      // nil for who has children
}

// A leaf is what a tenant without children keeps when the configuration changes.
type leaf struct {
	node          *node
	label         string     // in the metrics
	requests      []*request // that wait or come in, in the order of arrival
	ready, flying int        // that wait, and that are at the backend
	bytes         int64      // of the bodies of all those
	served        tokens
	answer, token float64 // lately: tokens of an answer, bytes of a token; 0: not known
}

// A gate lets requests through to the backend, streams at once, in the order of a fair queue.
type gate struct {
	streams  int
	patience time.Duration // of a request that waits
	budget   int64         // bytes of all bodies that wait
	prices   tokens

	mu      sync.Mutex
	q       *fairqueue.Queue[string]
	config  *config
	leaving []string           // who is no longer in config, and below whom services fly; children first
	holding map[*leaf]bool     // who has bytes
	held    int64              // by all of them
	flying  int                // requests at the backend
	totals  map[string]float64 // cost of ended services by tenant
	changed map[string]bool    // totals since the bus has asked
	pace    float64            // tokens a second of one stream, lately
}

func (g *gate) open(lag float64) (err error) {
	g.config, g.holding, g.totals, g.changed = new(config), map[*leaf]bool{}, map[string]float64{}, map[string]bool{}
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

// admit finds the tenant of a request and, if it is to wait, gives it a place in the queue, before its
// body of so many bytes is read.
func (g *gate) admit(r *request, waits bool, bytes uint64) error {
	return g.do(func() error {
		n := g.config.names[cmp.Or(r.name, g.config.keys[r.key])]
		if n == nil || n.leaf == nil {
			r.cancel(errUnknown)
			return nil
		}
		if r.leaf, r.label = n.leaf, n.label; !waits {
			return nil
		}
		for n := r.leaf.node; n != nil; n = n.parent {
			if n.Queue > 0 && n.places >= n.Queue {
				r.cancel(errFull)
				return nil
			}
		}
		for n := r.leaf.node; n != nil; n = n.parent {
			n.places++
		}
		r.leaf.requests, r.inside = append(r.leaf.requests, r), true
		return g.hold(r, int64(bytes))
	})
}

// hold says how many bytes a request holds. Above the budget the newest of the tenant that holds most
// is refused.
func (g *gate) hold(r *request, bytes int64) (err error) {
	g.held, r.leaf.bytes, r.bytes = g.held+bytes-r.bytes, r.leaf.bytes+bytes-r.bytes, bytes
	g.holding[r.leaf] = true
	for g.held > max(g.budget, 0) {
		var most *leaf
		for l := range g.holding {
			if most == nil || l.bytes > most.bytes || l.bytes == most.bytes && l.node.name < most.node.name {
				most = l
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
	if g.held, l.bytes = g.held-r.bytes, l.bytes-r.bytes; l.bytes == 0 {
		delete(g.holding, l)
	}
	for n := l.node; n != nil; n = n.parent {
		n.places--
	}
	if !r.ready {
		return nil
	}
	l.ready--
	return g.activate(l)
}

// blocked reports whether somebody below a leaf, from when it had children, has not left yet.
func (g *gate) blocked(l *leaf) bool {
	return slices.ContainsFunc(g.leaving, func(name string) bool { return strings.HasPrefix(name, l.node.name+"/") })
}

// activate tells the queue whether something of a leaf waits.
func (g *gate) activate(l *leaf) error {
	if g.blocked(l) {
		return nil
	}
	return g.q.SetActive(l.node.name, l.ready > 0)
}

func (g *gate) activateAll() (err error) {
	for _, n := range g.config.nodes {
		if n.leaf != nil {
			err = errors.Join(err, g.activate(n.leaf))
		}
	}
	return err
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
		return errors.Join(g.activate(r.leaf), g.hold(r, int64(len(r.ask.body))))
	})
	select {
	case <-r.turn:
	case <-r.ctx.Done():
	case <-time.After(g.patience):
		r.cancel(errLate)
	}
	return cmp.Or(context.Cause(r.ctx), err)
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
		r.leaf.flying++
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

// leave takes a request out of the queue, or ends its service, once: it took these tokens, none if
// the backend did not do it. told says that the backend has counted them; unseen, that it may have
// written more than it has sent, to judge by the time.
func (g *gate) leave(r *request, took tokens, told, unseen bool) (ended bool) {
	g.do(func() error {
		if r.inside {
			return g.remove(r)
		}
		if ended = r.service != 0; !ended {
			return nil
		}
		l, seconds := r.leaf, time.Since(r.begun).Seconds()
		if unseen {
			took.output = max(took.output, r.ask.n*min(g.pace*seconds, cmp.Or(r.ask.most, 1e9)))
		}
		cost := g.cost(took)
		err := g.q.End(r.service, cost)
		r.service, r.paid = 0, took
		g.flying--
		l.flying--
		if n := len(g.leaving); n > 0 {
			if g.leaving = slices.DeleteFunc(g.leaving, g.q.Leave); len(g.leaving) < n {
				err = errors.Join(err, g.activateAll())
			}
		}
		if cost > 0 {
			l.served = tokens{l.served.prompt + took.prompt, l.served.cached + took.cached, l.served.output + took.output}
			g.totals[l.node.name] += cost
			g.changed[l.node.name] = true
		}
		if told && took.output > 0 {
			l.answer = lately(l.answer, took.output/r.ask.n)
			g.pace = lately(g.pace, took.output/r.ask.n/max(seconds, 1e-3))
		}
		if prompt := took.prompt + took.cached; told && prompt > 0 {
			l.token = lately(l.token, float64(len(r.ask.body))/prompt)
		}
		return err
	})
	return ended
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
