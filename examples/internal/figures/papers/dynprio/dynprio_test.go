package dynprio_test

import (
	"testing"

	"github.com/schedmath/schedmath/examples/internal/dynprio"
	"github.com/schedmath/schedmath/examples/internal/figures/papers"
)

func TestFigures(t *testing.T) {
	papers.Check(t, papers.Paper{
		Name: "dynprio", Main: dynprio.Main, Plan: dynprio.Plan, Columns: columns,
		Seeds: map[string]bool{"gaming.tsv": false, "fig10.tsv": true},
		Says:  []string{"Figure 11"},
	})
}

// columns are those of the numbers of each figure.
var columns = map[string]string{
	"fig1":   "user rate share slots charge price",
	"fig3":   "experiment time_s budget_1 budget_2 slots_1 slots_2 price",
	"fig4":   traceColumns,
	"table3": "ideal scheduler queue ideal_s mean_s distance_s distance_ci95 published_s published_bound_s",
	"fig5":   traceColumns,
	"fig6":   traceColumns,
	"fig7":   profileColumns,
	"fig8":   profileColumns,
	"fig9":   profileColumns,
	"fig10":  traceColumns,
	"fig11":  traceColumns,
	"queues": "users whole_slots_over_share carried_over_share carried_not_preempting_over_share",
	"gaming": "rules interval rider_slots rider_charge toggler_per_slot rival_per_slot",
}

const (
	traceColumns   = "phase user job end_s completion_s"
	profileColumns = "line user completion_s ci95"
)
