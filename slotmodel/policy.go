package slotmodel

// Policy decides which tasks run where. Run calls Decide at each instant at which a job arrives or
// ends, a task ends, a slot becomes free or is lost, a node changes its pace, or a wake-up comes
// for which the policy has asked; for a Ticker at heartbeats too, for an Observer also when the
// transfer of a task is over. Decide reads v and acts by a.
//
// An instant has one decision, and another one if the first makes more happen in the same instant:
// a task without work ends, or the decision has killed an attempt. So a policy that kills sees the
// slot free in the next Decide.
//
// A call of Decide is in vain if the policy has not acted and nothing has happened since the last
// call. After 100,000 calls in vain that follow one another, and 10,000 more for each node (at most
// 1e9), the run passes over heartbeats and wake-ups until something else happens
// (Result.PassedOver), and ends, with a *DeadlockError or stuck jobs, if nothing else is to come.
//
// A policy without state, or a Beginner that starts anew in BeginRun, serves one run after another.
// What a policy panics with goes through Run to its caller.
type Policy interface {
	Decide(v *View, a *Actions)
}

// Checker is a policy with settings. Check returns an *schedmath.InputError that names a setting
// out of its range. Run calls it before BeginRun, and returns its error without a Result. Policies
// made of other policies hand Check on to their parts.
type Checker interface {
	Check() error
}

// Beginner is a policy with state. BeginRun is called once in a run, before its first event: the
// policy forgets earlier runs and may look at the cluster and at what was given of the jobs.
// Policies made of other policies hand BeginRun on to their parts.
type Beginner interface {
	BeginRun(v *View)
}

// Observer is a policy that learns: it sees every event, before the Decide of the same instant; v
// shows the state just after the event. An attempt that has ended can still be asked about in its
// own Ended, Killed or Crashed event.
type Observer interface {
	Observe(v *View, e Event)
}

// GangObserver is an Observer that need not see each map of a job whose maps start together: where
// all of them start, or end, by one event, one call of Observe is enough, that of the last map.
// Attempts that end so cannot be asked about. This makes runs of wide rigid jobs several times
// faster, unless Options.Log, Cluster.Speed or a fluid network needs the maps one by one.
//
// A type that embeds such a policy has its methods too. ObservesGangs gets the value that Run was
// given, and returns whether the promise is meant for it: for a policy p, self == p and that all
// parts to which p hands events on promise the same.
type GangObserver interface {
	Observer
	ObservesGangs(self any) bool
}

// Ticker is a policy that is called at heartbeats: each node beats with the same period, in
// seconds, and node i of n first at i/n of it, while jobs are present. View.Heartbeat names the
// node. A period of 0 is none. One that is too short to advance the clock, by less than about 2^-52
// of the time for each node, ends the run with an *schedmath.InputError.
type Ticker interface {
	Heartbeat() float64
}
