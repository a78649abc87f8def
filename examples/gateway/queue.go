package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/schedmath/schedmath/fairqueue"
)

// A tenant is a node of the tree of tenants: an organisation, a team, or who has a key.
type tenant struct {
	Name     string   `json:"name"`
	Weight   float64  `json:"weight"` // share among its siblings
	Cap      int      `json:"cap"`    // most requests at the backend at once; 0: no limit
	Keys     []string `json:"keys"`   // API keys of a leaf
	Children []tenant `json:"children"`
}

var errFull, errLate = errors.New("too many requests wait"), errors.New("the request waited for too long")

// A gate lets requests through to the backend, streams at once, in the order of a fair queue.
type gate struct {
	streams, most  int                                 // requests at the backend, and waiting
	patience, slow time.Duration                       // of a request that waits, and of one write to a client
	limit          int64                               // bytes of a body
	header, file   string                              // whose value names the tenant, -: the key does; of snapshots
	lag            float64                             // of the queue
	charge         func(tenant string, tokens float64) // is told of every service that has ended

	mu      sync.Mutex
	q       *fairqueue.Queue[string]
	leaves  map[string]string     // names of tenants by "key " and their keys, and by "name " and their names
	Waiting map[string][]*request // by tenant
	count   int                   // of those
	Flying  int                   // requests at the backend
	Served  map[string]float64    // tokens in all
	mean    map[string]float64    // tokens a request, lately
}

// A request is one that waits or is served.
type request struct {
	gate     *gate
	tenant   string
	asked    time.Time
	turn     chan struct{}     // closed when it is its turn
	ticket   fairqueue.Service // from then on
	charged  float64           // tokens, at first a guess
	progress func()            // called whenever something of the answer came
}

// open reads the tenants, and restores the queue of the file or makes one.
func (g *gate) open(tree string) (err error) {
	g.charge = func(tenant string, n float64) { tokens.WithLabelValues(tenant).Add(n) }
	g.leaves, g.Waiting, g.Served, g.mean = map[string]string{}, map[string][]*request{}, map[string]float64{}, map[string]float64{}
	var tenants []tenant
	s := fairqueue.Snapshot[string]{Version: 1} // of an empty queue
	if err := read(tree, &tenants); err != nil {
		return err
	}
	if err := read(g.file, &s); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	s.Epoch++ // what was begun after the snapshot is unknown here
	s.Options.Lag = g.lag
	if g.q, err = fairqueue.Restore(s); err != nil {
		return fmt.Errorf("%s: %w", g.file, err)
	}
	for s := range g.q.Services() {
		g.q.End(s, 0) // lost with the process
	}
	return g.admit("", tenants)
}

// read reads a file of JSON.
func read(file string, v any) error {
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, v)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return err
}

// admit joins tenants that are new and sets the weights and caps of all. Nobody waits yet.
func (g *gate) admit(parent string, tenants []tenant) error {
	for _, t := range tenants {
		name := strings.TrimPrefix(parent+"/"+t.Name, "/")
		if len(t.Children) == 0 {
			g.leaves["name "+name], g.Served[name] = name, 0 // the page shows all
			for _, key := range t.Keys {
				g.leaves["key "+key] = name
			}
		}
		if parent == "" {
			g.q.Join(name, t.Weight) // an error for one that has joined
		} else {
			g.q.JoinUnder(parent, name, t.Weight)
		}
		g.q.SetActive(name, false)
		if err := errors.Join(g.q.SetWeight(name, t.Weight), g.q.SetLimit(name, t.Cap), g.admit(name, t.Children)); err != nil {
			return err
		}
	}
	return nil
}

// enter waits until it is the turn of a request of a tenant that may cost up to most tokens; 0: not
// said. It fails if too many wait, if it waits for too long, and if the client goes.
func (g *gate) enter(ctx context.Context, tenant string, most float64) (*request, error) {
	r := &request{gate: g, tenant: tenant, asked: time.Now(), turn: make(chan struct{})}
	g.mu.Lock()
	if g.count >= g.most {
		g.mu.Unlock()
		return nil, errFull
	}
	r.charged = max(1, min(cmp.Or(g.mean[tenant], most), cmp.Or(most, g.mean[tenant])))
	g.Waiting[tenant] = append(g.Waiting[tenant], r)
	g.count++
	g.q.SetActive(tenant, true)
	g.dispatch()
	g.mu.Unlock()

	ctx, cancel := context.WithTimeoutCause(ctx, g.patience, errLate)
	defer cancel()
	select {
	case <-r.turn:
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.ticket == 0 {
		g.forget(r)
		return nil, context.Cause(ctx)
	}
	return r, nil
}

// forget takes a request out of those that wait.
func (g *gate) forget(r *request) {
	list := slices.DeleteFunc(g.Waiting[r.tenant], func(x *request) bool { return x == r })
	g.Waiting[r.tenant] = list
	g.count--
	if len(list) == 0 {
		g.q.SetActive(r.tenant, false)
	}
}

// dispatch begins services while there are streams and somebody waits.
func (g *gate) dispatch() {
	for g.Flying < g.streams {
		tenant, ok := g.q.Next(nil)
		if !ok {
			return
		}
		r := g.Waiting[tenant][0]
		r.ticket, _ = g.q.Start(tenant, r.charged) // of a tenant that Next names it has no error
		g.forget(r)
		g.Flying++
		waits.WithLabelValues(tenant).Observe(time.Since(r.asked).Seconds())
		close(r.turn)
	}
}

// grow charges tokens beyond the guess as they come.
func (r *request) grow(tokens float64) {
	if tokens > r.charged {
		r.gate.mu.Lock()
		defer r.gate.mu.Unlock()
		r.gate.q.Grow(r.ticket, tokens-r.charged)
		r.charged = tokens
	}
}

// leave ends a service that took so many tokens; 0 for one that the backend did not do.
func (r *request) leave(tokens float64) {
	g := r.gate
	g.mu.Lock()
	if g.q.End(r.ticket, tokens) == nil {
		g.Flying--
	}
	if tokens > 0 { // which is so once, at the end of the answer
		g.Served[r.tenant] += tokens
		g.mean[r.tenant] = .9*cmp.Or(g.mean[r.tenant], tokens) + .1*tokens
		g.charge(r.tenant, tokens)
	}
	g.dispatch()
	g.mu.Unlock()
}

// save writes a snapshot, whole or not at all.
func (g *gate) save() error {
	g.mu.Lock()
	text, err := json.Marshal(g.q.Snapshot())
	g.mu.Unlock()
	if err == nil {
		err = os.WriteFile(g.file+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(g.file+".new", g.file)
	}
	return err
}
