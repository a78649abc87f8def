package slotmodel

// Policy decides which tasks run where. Run calls Decide at every instant at which something
// happened that can matter to it: an arrival, a task that ended, a slot that became free or
// was lost, a job's end, a wake-up that it asked for, a change of a node's pace; for a Ticker
// heartbeats; for an Observer also a task whose transfer is over. Decide reads v and acts by a;
// what it does takes effect at once and shows in v.
//
// An instant has one decision, and another when more happens in the same instant because of the
// first: a task without work ends, or the decision killed an attempt. So a policy that kills need
// not look for the slot again: the next Decide sees it free.
//
// A call is in vain if neither the policy nor anything else has done anything since the last one.
// After 100,000 calls in vain and 10,000 more for each node (at most 1e9), one after the other, the
// run passes over the heartbeats and wake-ups before whatever else happens next, and counts that in
// Result.PassedOver. If nothing else is to come it ends, with a *DeadlockError or stuck jobs.
//
// A policy without state, or a Beginner that starts anew in BeginRun, serves one run after another.
// Any other policy belongs to one run: what it has learnt in one is wrong in the next. What a
// policy panics with goes through Run to its caller.
type Policy interface {
	Decide(v *View, a *Actions)
}

// Checker is a policy with settings. Run calls Check before the first event, and before BeginRun;
// an error ends Run, which returns it as it is, without a Result. Policies made of other policies
// hand Check on to their parts.
type Checker interface {
	// Check returns an error, an *schedmath.InputError that names the setting, if a setting is out
	// of its range.
	Check() error
}

// Beginner is a policy with state. BeginRun is called once in a run, before its first event:
// the policy forgets earlier runs and may look at the cluster and at what was given of the jobs.
// Policies made of other policies hand BeginRun on to their parts.
type Beginner interface {
	BeginRun(v *View)
}

// Observer is a policy that learns: it sees every event, before the Decide of the same instant.
// Observe may read v, which shows the state just after the event, and must not keep it. An attempt
// that has ended can still be asked about in its own Ended, Killed or Crashed event.
type Observer interface {
	Observe(v *View, e Event)
}

// Ticker is a policy that is called at heartbeats: each node beats with the same period, in
// seconds, and node i of n first at i/n of it. v.Heartbeat names the node. Nodes beat while jobs
// are present. A period of 0 is none. A period that is too short to advance the clock, by less than
// about 2^-52 of the time for each node, ends the run with an *schedmath.InputError.
type Ticker interface {
	Heartbeat() float64
}
