package shufflewatcher

import (
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// netSat measures the links of racks. Its slices are by rack.
type netSat struct {
	since    float64        // when the period began
	bytes    []shuffle.Link // bytes that had passed the links when the period began
	used     []shuffle.Link // scratch: mean loads of a period
	capacity []shuffle.Link
	flags    []bool // whether a link is saturated
	before   []bool // flags of the period before
	limited  bool   // some link has a limit
}

// begin forgets the previous run.
func (x *netSat) begin(v *slotmodel.View) {
	n := v.Racks()
	*x = netSat{bytes: make([]shuffle.Link, n), used: make([]shuffle.Link, n), capacity: make([]shuffle.Link, n), flags: make([]bool, n)}
	for r := range x.capacity {
		c := &x.capacity[r]
		c.Out, c.In = v.LinkCapacity(slotmodel.Rack(r))
		x.limited = x.limited || c.Out <= 0x1p200 || c.In <= 0x1p200
	}
}

// sense ends NetSat's period if it is over.
func (s *Chooser) sense(v *slotmodel.View) {
	x, now := &s.net, v.Now()
	if !x.limited || now < x.since+s.period || now == x.since {
		return
	}
	for r := range x.used {
		out, in := v.LinkBytes(slotmodel.Rack(r))
		// Differences of sums may round below 0.
		x.used[r] = shuffle.Link{Out: max(0, out-x.bytes[r].Out) / (now - x.since), In: max(0, in-x.bytes[r].In) / (now - x.since)}
		x.bytes[r] = shuffle.Link{Out: out, In: in}
	}
	x.since = now
	s.report.Periods++
	flags, err := shuffle.Saturated(x.before[:0], x.used, x.capacity, s.Threshold)
	if err == nil { // an error: a load beyond 2^200
		x.flags, x.before = flags, x.flags
	}
	for r, full := range x.flags {
		if err == nil && full != x.before[r] {
			s.report.Flips[r]++
		}
		if full {
			s.report.Saturated[r]++
		}
	}
}
