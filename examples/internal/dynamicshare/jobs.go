package dynamicshare

import (
	"sync"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// jobFigures are Figures 1 and 4 to 7, about estimates, laxities and stragglers, and those beyond the paper on the same subjects.
func (s *study) jobFigures() (paper, beyond []report.Item) {
	judged := sync.OnceValues(s.judge)
	return []report.Item{
			{Name: "fig1", Make: s.figure1},
			{Name: "fig4", Make: s.figure4},
			{Name: "fig5", Make: s.figure5},
			{Name: "fig6", Make: func() (report.Figure, error) { return s.figure6(judged) }},
			{Name: "fig7", Make: s.figure7},
		}, []report.Item{
			{Name: "bias", Make: s.figureBias},
			{Name: "drift", Make: s.figureDrift},
			{Name: "intervals", Make: s.figureIntervals},
			{Name: "joined", Make: s.figureJoined},
			{Name: "rules", Make: func() (report.Figure, error) { return s.figureRules(judged) }},
		}
}
