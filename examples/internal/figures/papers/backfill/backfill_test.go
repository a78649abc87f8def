package backfill_test

import (
	"testing"

	"github.com/schedmath/schedmath/examples/internal/backfill"
	"github.com/schedmath/schedmath/examples/internal/figures/papers"
)

func TestFigures(t *testing.T) {
	papers.Check(t, papers.Paper{
		Name: "backfill", Main: backfill.Main, Plan: backfill.Plan, Columns: columns,
		Seeds: map[string]bool{"policies.tsv": true, "requests.tsv": true, "depth.tsv": true, "forecasts.tsv": true, "gantt.tsv": true},
		Says:  []string{"Lublin and Feitelson", "EASY", "conservative", "calibrated"},
	})
}

// columns are those of the numbers of each figure.
var columns = map[string]string{
	"policies":  "log policy bounded_slowdown ratio_to_easy ratio_ci95",
	"requests":  "log policy bounded_slowdown ratio_to_easy ratio_ci95",
	"depth":     "log policy bounded_slowdown ratio_to_easy ratio_ci95",
	"forecasts": "log method part jobs cover width_h pinball_h pinball_of_99%_h pinball_log",
	"gantt":     "job start_s end_s processor processors overtook",
}
