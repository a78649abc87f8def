package dynprio_test

import (
	"testing"

	"github.com/schedmath/schedmath/examples/internal/dynprio"
	"github.com/schedmath/schedmath/examples/internal/figures/papers"
)

func TestFigures(t *testing.T) {
	papers.Check(t, papers.Paper{
		Name: "dynprio", Main: dynprio.Main, Plan: dynprio.Plan, Columns: columns,
		Seeds: map[string]bool{"fig1.tsv": false, "fig10.tsv": true},
		Says:  []string{"Figure 11"},
	})
}

// columns are those of the numbers of each figure.
var columns = map[string]string{
	"fig1":     "user rate share slots charge price",
	"fig3":     "reading experiment time_s budget_1 budget_2 slots_1 slots_2 price",
	"fig4":     traceColumns,
	"table3":   "reading ideal scheduler queue ideal_s mean_s distance_s distance_ci95 published_s published_bound_s",
	"fig5":     traceColumns,
	"fig6":     traceColumns,
	"fig7":     profileColumns,
	"fig8":     profileColumns,
	"fig9":     profileColumns,
	"fig10":    traceColumns,
	"fig11":    traceColumns,
	"settings": "tasks_a_slot spread misfit market_1_s market_2_s capacity_1_s capacity_2_s",
	"tasks":    "task_s preempting preempting_ci95 not_preempting not_preempting_ci95",
}

const (
	traceColumns   = "reading phase user job end_s completion_s"
	profileColumns = "reading line user completion_s ci95"
)
