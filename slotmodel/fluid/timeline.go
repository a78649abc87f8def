package fluid

// timeline converts between time and work: a server of capacity slots behaves like one of speed 1
// whose clock is the work u(t) that the capacity can do by time t, so that the policies never see
// the capacity. Clocks start at 0 at the beginning of every busy period (base), which keeps the
// digits of small jobs late in a long run.
type timeline struct {
	slots, base float64
}

// toWork is the work that the capacity can do from base to time t.
func (l *timeline) toWork(t float64) dd { return twoSum(t, -l.base).scale(l.slots) }

// toTime is the time, counted from base, at which the capacity has done work u.
func (l *timeline) toTime(u dd) dd { return u.over(l.slots) }
