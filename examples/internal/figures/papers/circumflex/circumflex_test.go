package circumflex_test

import (
	"testing"

	"github.com/schedmath/schedmath/examples/internal/circumflex"
	"github.com/schedmath/schedmath/examples/internal/figures/papers"
)

func TestFigures(t *testing.T) {
	papers.Check(t, papers.Paper{
		Name: "circumflex", Main: circumflex.Main, Plan: circumflex.Plan, Columns: columns,
		Seeds: map[string]bool{"fig2.svg": false, "load.tsv": true, "sums.tsv": true},
		Says:  []string{"Figure 6(c)", "drawn from seed 1"},
	})
}

// columns are those of the numbers of each figure.
var columns = map[string]string{
	"fig1":       "job dataset arrival window_end wait scan_end concurrency",
	"fig2":       "dataset time block driver riders concurrency",
	"fig3":       "subjob work_blocks concurrency members completes min_slots max_slots",
	"fig4":       "subjob blocks members completes before",
	"fig5a":      "correlation scheme repetitions ratio_to_flex sd average_response_min published_ratio",
	"fig5b":      "correlation repetitions circumflex_work_ratio circumflex_sd batch_work_ratio batch_sd circumflex_concurrency circumflex_all_runs circumflex_crowd batch_largest batch_all_runs",
	"fig6a":      "theta1 theta2 correlation repetitions circumflex_to_flex circumflex_sd batch_to_flex batch_sd circumflex_work_ratio batch_work_ratio flex_value",
	"fig6b":      "theta1 theta2 correlation repetitions circumflex_to_flex circumflex_sd batch_to_flex batch_sd circumflex_work_ratio batch_work_ratio flex_value",
	"fig6c":      "theta1 theta2 correlation repetitions circumflex_to_flex circumflex_sd batch_to_flex batch_sd circumflex_work_ratio batch_work_ratio flex_value",
	"fig7":       "time response_time tardy tardiness lateness sla",
	"fig8":       "subjob slots start end",
	"fig9":       "run block driver job offset partitions",
	"readings":   "reading correlation repetitions circumflex_to_flex batch_to_flex flex_response_min circumflex_work_ratio batch_work_ratio circumflex_concurrency circumflex_all_runs",
	"slots":      "max_slots correlation repetitions circumflex_to_flex circumflex_sd batch_to_flex batch_sd",
	"arrivals":   "load scheme repetitions average_response_min work_of_capacity last_end_min",
	"load":       "load scheme repetitions average_response_min work_of_capacity last_end_min",
	"fraction":   "fraction repetitions circumflex_to_flex batch_to_flex circumflex_work_ratio batch_work_ratio flex_response_min",
	"sums":       "objective max_slots instances least_total generalised_smith smith_by_subjob lawler_for_maximum mean_factor largest_factor",
	"semishared": "max_slots objective shared shared_bound shared_exact unshared unshared_bound unshared_exact order_method",
}
