package dynamicshare

import "github.com/schedmath/schedmath/examples/internal/report"

// partitionFigures are Figures 8 to 12, about the assignment of partitions, and those beyond the paper on that.
func (s *study) partitionFigures() (paper, beyond []report.Item) {
	return nil, nil
}
