package dynamicshare

import "github.com/schedmath/schedmath/examples/internal/report"

// jobFigures are Figures 1 and 4 to 7, about estimates, laxities and stragglers, and those beyond the paper on the same subjects.
func (s *study) jobFigures() (paper, beyond []report.Item) {
	return nil, nil
}
