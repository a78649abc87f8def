package main

import (
	"errors"
	"slices"
)

// load puts a configuration in the place of the one before. Requests of who is no longer a leaf are
// refused. A flow that is no longer named leaves, once no service below it flies; a node that gains or
// loses all children is another flow.
func (f *front) load(c *config) error {
	return f.do(func() (err error) {
		before := f.config
		for _, old := range slices.Backward(before.nodes) { // children before parents
			n := c.names[old.flow]
			if n == nil {
				f.leaving = append(f.leaving, old.flow)
			}
			if old.leaf == nil {
				continue
			}
			if n == nil {
				for _, r := range slices.Clone(old.requests) {
					r.cancel(errUnknown)
					err = errors.Join(err, f.remove(r))
				}
			} else {
				n.leaf, old.leaf.node = old.leaf, n
				n.move(len(n.requests))
			}
		}
		f.config = c
		f.leaving = slices.DeleteFunc(f.leaving, func(flow string) bool { return c.names[flow] != nil || f.q.Leave(flow) })
		for _, n := range c.nodes {
			switch {
			case f.q.Has(n.flow):
				err = errors.Join(err, f.q.SetWeight(n.flow, n.Weight))
			case n.parent == nil:
				err = errors.Join(err, f.q.Join(n.flow, n.Weight))
			default:
				err = errors.Join(err, f.q.JoinUnder(n.parent.flow, n.flow, n.Weight))
			}
			err = errors.Join(err, f.q.SetLimit(n.flow, n.Cap))
			if n.leaf != nil && n.label == "" {
				n.label = f.labelOf(n.name)
			}
		}
		return err
	})
}
