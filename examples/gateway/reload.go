package main

import (
	"errors"
	"slices"

	"github.com/schedmath/schedmath/fairqueue"
)

// load puts a configuration in the place of the one before, or changes nothing. Requests of who is no
// longer a leaf are refused; who is no longer named leaves, once no service below it flies.
func (g *gate) load(c *config, label func(name string) string) error {
	return g.do(func() error {
		q, err := fairqueue.Restore(g.q.Snapshot()) // a copy, in case that something is refused
		if err != nil {
			return err
		}
		leaving := slices.Clone(g.leaving)
		for _, old := range slices.Backward(g.config.nodes) { // children before parents
			n := c.names[old.name]
			if n == nil {
				leaving = append(leaving, old.name)
			}
			if old.leaf != nil && (n == nil || n.leaf == nil) && !g.blocked(old.leaf) {
				err = errors.Join(err, q.SetActive(old.name, false))
			}
		}
		leaving = slices.DeleteFunc(leaving, func(name string) bool { return c.names[name] != nil || q.Leave(name) })
		for _, n := range c.nodes {
			if q.Has(n.name) {
				err = errors.Join(err, q.SetWeight(n.name, n.Weight))
			} else if n.parent == nil {
				err = errors.Join(err, q.Join(n.name, n.Weight))
			} else {
				err = errors.Join(err, q.JoinUnder(n.parent.name, n.name, n.Weight))
			}
			err = errors.Join(err, q.SetLimit(n.name, n.Cap))
		}
		if err != nil {
			return err
		}
		for _, old := range g.config.nodes {
			if n := c.names[old.name]; old.leaf != nil && n != nil && n.leaf != nil {
				n.leaf, old.leaf.node = old.leaf, n
				for p := n; p != nil; p = p.parent {
					p.places += len(n.requests)
				}
			} else if old.leaf != nil {
				for _, r := range slices.Clone(old.requests) {
					r.cancel(errUnknown)
					err = errors.Join(err, g.remove(r)) // of the queue before
				}
			}
		}
		for _, n := range c.nodes {
			if n.leaf != nil && n.label == "" {
				n.label = label(n.name)
			}
		}
		g.q, g.config, g.leaving = q, c, leaving
		return errors.Join(err, g.activateAll())
	})
}
