package flow

// RateOf returns the x of f: bytes per second and unit of weight, 0 if nothing flows.
func (n *Network) RateOf(f Flow) float64 {
	n.settle()
	if c := n.flows[f].class; c != none {
		return n.rate(c)
	}
	return 0
}

// Classes returns the number of slots in use.
func (n *Network) Classes() int { return len(n.classes) - len(n.free) }
