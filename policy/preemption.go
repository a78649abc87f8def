package policy

import "github.com/schedmath/schedmath/policy/internal"

// Preemption says what happens to running tasks when a job that goes before their own waits.
type Preemption = internal.Preemption

// The kinds of preemption.
const (
	PreemptWait = internal.PreemptWait // nothing: the job waits for the next free slot
	PreemptKill = internal.PreemptKill // attempts are killed; their work is lost
	// Attempts are suspended, and resumed on their node when it is their turn.
	PreemptSuspend = internal.PreemptSuspend
)
