package estimate

// KolmogorovP is the distribution behind LogNormal.KS, for tests against tables.
var KolmogorovP = kolmogorovP

// Edge and BinOf are the bins of Mode, for tests against numpy.
var Edge, BinOf = edge, binOf

// What SampleSnapshot.State may be.
const (
	SampleWaiting      = sampleWaiting
	SampleRunning      = sampleRunning
	SampleExtrapolated = sampleExtrapolated
	SampleFinished     = sampleFinished
)

// Len returns the number of jobs, Running that of the sample tasks that run.
func (t *Trainer[K]) Len() int     { return len(t.of) }
func (t *Trainer[K]) Running() int { return t.running }

// Modes appends what Estimate expects of the features that a question leaves out.
func (q *Requirements[K]) Modes(dst []float64, t Task[K]) []float64 {
	for _, at := range t.both() {
		if h := q.asked(at); h != nil {
			for j := range h.modes {
				dst = append(dst, q.options.mode(h, j))
			}
			break
		}
	}
	return dst
}
