package fairqueue_test

import (
	"testing"

	"github.com/schedmath/schedmath/examples/internal/fairqueue"
	"github.com/schedmath/schedmath/examples/internal/figures/papers"
)

func TestFigures(t *testing.T) {
	papers.Check(t, papers.Paper{
		Name: "fairqueue", Main: fairqueue.Main, Plan: fairqueue.Plan, Columns: columns,
		Seeds: map[string]bool{"rounding.tsv": false, "returning.tsv": false, "burst.tsv": false, "two-slots.tsv": true},
		Says:  []string{"Temporal", "Loki", "llm-d", "CockroachDB", "August 2026"},
	})
}

// columns are those of the numbers of each figure.
var columns = map[string]string{
	"rounding":  "rule weight tasks due",
	"returning": "rule alone waits_for",
	"burst":     "rule time_s slots",
	"two-slots": "rule time_s gap_s",
}
