package malleable

import "github.com/schedmath/schedmath/precedence"

// FromSubjobs appends a job for each subjob to dst, with its Work, Min and Max: the way from shared scans (precedence.CyclicChain,
// CyclicTree, or Regions and Limits) to Plan. Works must be in slot-seconds. The graph is that of the subjobs, and the objective
// that of precedence.OverSubjobs; a scan ends with the job whose subjob has it in Completes. The example SharedScans of Plan
// goes all the way. Cost O(n).
func FromSubjobs(dst []Job, subjobs []precedence.Subjob) []Job {
	for i := range subjobs {
		s := &subjobs[i]
		dst = append(dst, Job{Work: s.Work, Min: s.Min, Max: s.Max})
	}
	return dst
}
