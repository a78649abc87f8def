package fluid

import "strconv"

// Policy is a scheduling policy: one of the values FIFO, PS, LAS, SRPT, SPT and FSP of this
// package.
type Policy interface {
	// String is the short name in lower case, such as "srpt" or "fsp-las".
	String() string

	policy() // only this package has policies
}

// FIFO serves the jobs in the order of (Arrival, index), one at a time.
type FIFO struct {
	// Turn makes a job of size 0 wait for its turn: it finishes as soon as the jobs before it are
	// done. Otherwise it finishes when it arrives, as under the other policies.
	Turn bool
}

// PS is processor sharing: weighted max-min shares. With unequal weights it is known as generalised
// processor sharing (GPS).
type PS struct{}

// LAS is least attained service: the jobs that have received least share the slots equally.
// Weights do not count.
type LAS struct{}

// SRPT is shortest remaining processing time by the estimates: jobs in the order of (Estimate -
// attained service, index), one at a time. The key of an under-estimated job becomes negative.
type SRPT struct{}

// SPT is preemptive shortest processing time by the estimates: jobs in the order of (Estimate,
// index), one at a time.
type SPT struct{}

// FSP is the fair sojourn protocol: jobs are served one at a time, in the order in which they
// finish in the virtual system. A job done in reality stays in the virtual system until its
// virtual finish. A job that is done there and not in reality is late, and late
// jobs come first, by the rule Late. The zero value is the recommended default.
type FSP struct {
	Late Late

	// ByWork orders the on-time jobs by remaining virtual work instead of by virtual finish time.
	// The two differ if jobs have unequal weights.
	ByWork bool
}

// Late says how late jobs are served.
type Late uint8

// The late rules. Under LateShare and LateNext a share is a weighted max-min share; under
// LateLeastAttained weights do not count.
const (
	LateShare Late = iota // late jobs share the slots
	// One at a time, in the order of becoming late; at the same instant by index.
	LateFirst
	// Least attained service first, counting what was received before becoming late.
	LateLeastAttained
	LateNext // late jobs share the slots with the first on-time job
)

// String returns "fifo", with or without Turn.
func (FIFO) String() string { return "fifo" }

// String returns "ps".
func (PS) String() string { return "ps" }

// String returns "las".
func (LAS) String() string { return "las" }

// String returns "srpt".
func (SRPT) String() string { return "srpt" }

// String returns "spt".
func (SPT) String() string { return "spt" }

// String returns "fsp", "fsp-fifo", "fsp-las" or "fsp-next" by the late rule, with "/work" behind
// it under ByWork.
func (p FSP) String() string {
	s := "fsp-" + p.Late.String()
	if names := [...]string{"fsp", "fsp-fifo", "fsp-las", "fsp-next"}; int(p.Late) < len(names) {
		s = names[p.Late]
	}
	if p.ByWork {
		s += "/work"
	}
	return s
}

// String returns "share", "first", "least-attained" or "next", and "Late(7)" for what is none.
func (l Late) String() string {
	if names := [...]string{"share", "first", "least-attained", "next"}; int(l) < len(names) {
		return names[l]
	}
	return "Late(" + strconv.Itoa(int(l)) + ")"
}

// MarshalText returns the word of String.
func (l Late) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

func (FIFO) policy() {}
func (PS) policy()   {}
func (LAS) policy()  {}
func (SRPT) policy() {}
func (SPT) policy()  {}
func (FSP) policy()  {}

// plan is a policy as the engines see it: the late jobs come first, by a rule, and then the jobs on
// time in the order of their keys. FIFO, PS and LAS are FSP with all jobs late; SRPT and SPT have
// no late jobs.
type plan struct {
	key  key
	rule Late
}

// key is what decides the order of the jobs on time.
type key int

const (
	noKey     key = iota // every job is late when it arrives
	estimate             // Estimate
	remaining            // Estimate less attained service
	finish               // finish in the virtual system
	work                 // work left in the virtual system
)

func planOf(p Policy) plan {
	switch p := p.(type) {
	case FIFO:
		return plan{noKey, LateFirst}
	case PS:
		return plan{noKey, LateShare}
	case LAS:
		return plan{noKey, LateLeastAttained}
	case SPT:
		return plan{key: estimate}
	case FSP:
		if p.ByWork {
			return plan{work, p.Late}
		}
		return plan{finish, p.Late}
	}
	return plan{key: remaining}
}

// virtual reports whether there is a virtual system.
func (p plan) virtual() bool { return p.key >= finish }
