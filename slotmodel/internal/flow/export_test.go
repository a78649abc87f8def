package flow

// RateOf returns the x of f: bytes per second and unit of weight, 0 if nothing flows.
func (n *Network) RateOf(f Flow) float64 {
	n.settle()
	if s := &n.flows[f]; !s.queue.empty() {
		return n.classes[s.class].x
	}
	return 0
}

// Now returns the time up to which the network has advanced.
func (n *Network) Now() float64 { return n.now }

// Classes returns the number of classes with something queued.
func (n *Network) Classes() int { return len(n.due) }
