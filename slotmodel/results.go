package slotmodel

// Result is what a run yields.
type Result struct {
	Jobs   []JobResult  // by index of the job
	Users  []UserResult // by number of the user
	Series []Sample     // with Options.Period
	Totals Totals
	Hash   uint64 // of the event log, with Options.Hash: equal for equal decisions on every machine
	Events int64  // length of the event log
	Calls  int64  // of Decide
	// PassedOver is how often the run passed over heartbeats and wake-ups after too many calls of
	// Decide in vain, as Policy says.
	PassedOver int64
	End        float64 // s
}

// JobResult tells of one job. Times are in seconds; -1: it has not happened.
type JobResult struct {
	Outcome Outcome
	Reason  string  // for Stuck
	Arrival float64 // as given; with After when it arrived, -1 before the other job's end
	Start   float64 // of its first attempt or ride
	MapEnd  float64 // end of its last map
	Finish  float64 // when it ended, however
	Wasted  float64 // work lost by kills and failures

	CrossRack Bytes // moved for it between racks; 0 without a fluid network
	InRack    Bytes // moved for it within a rack; for shuffles, within a node too
}

// Sojourn returns the time from a job's arrival to its end, however it ended; false if it has not.
func (j *JobResult) Sojourn() (seconds float64, ok bool) {
	if j.Finish < 0 {
		return 0, false
	}
	return j.Finish - j.Arrival, true
}

// Sojourns appends to dst the sojourn times of the jobs with the outcome Finished, in the order of
// the jobs. O(n).
func (r *Result) Sojourns(dst []float64) []float64 {
	for j := range r.Jobs {
		if s, ok := r.Jobs[j].Sojourn(); ok && r.Jobs[j].Outcome == Finished {
			dst = append(dst, s)
		}
	}
	return dst
}

// UserResult tells of one user.
type UserResult struct {
	SlotSeconds [kinds]float64 // time that its attempts held slots
	Share       float64        // of all slot-seconds of all users; 0 when there are none
	// Entitled is the seconds of the whole cluster that it was entitled to: while it had jobs, the
	// integral of its weight over that of all users with jobs.
	Entitled float64
}

// Sample is one row of the time series: means over the interval that ends at Time.
type Sample struct {
	Time    float64
	Load    float64        // jobs present
	Running [kinds]float64 // attempts that hold slots
	Pending [kinds]float64 // tasks of jobs present that could start and do not run
	Slots   [kinds]float64 // slots of nodes that are up for one kind alone
	Shared  float64        // slots of nodes that are up for either kind
	Users   []UserSample   // by number of the user
	Egress  []float64      // bytes per second out of each rack; nil without a fluid network
	Ingress []float64
}

// UserSample is what one user had in the interval of a Sample.
type UserSample struct {
	Slots    [kinds]float64 // that its attempts held
	Entitled float64        // fraction of the cluster that it was entitled to, as in UserResult
}

// Totals are sums over the run. What else happened is counted by the types of the events that
// Options.Log is told.
type Totals struct {
	Work     float64 // work done, lost work included
	Wasted   float64 // work lost
	Overhead float64 // seconds that slots were held for resuming
	Load     float64 // integral of the number of jobs present over time

	CrossRack Bytes // moved between racks: the sum over the jobs

	LocalMaps  int // map attempts on a node that holds their block
	RackMaps   int // on another node of a rack that holds it
	RemoteMaps int // elsewhere

	Kills       int // attempts ended by the policy, a walltime, a cancellation or a job's failure
	Suspensions int
}

// Bytes are amounts of data by what they were moved for.
type Bytes struct {
	Read    float64 // blocks that maps read
	Shuffle float64 // from maps to reduces
	Output  float64 // of the tasks of the last phase
}

func (b *Bytes) add(x *Bytes) {
	b.Read += x.Read
	b.Shuffle += x.Shuffle
	b.Output += x.Output
}
