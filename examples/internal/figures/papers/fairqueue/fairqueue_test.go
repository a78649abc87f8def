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
	"rounding":  "weight Temporal finer steps fairqueue",
	"returning": "alone Loki rank remembered fairqueue",
	"burst":     "time_s llm-d charged at start fairqueue one estimate",
	"two-slots": "time_s forgotten never forgotten fairqueue",
	"caps":      "lag first tenant to another, cap of 6 others' part after a cap of 3, in twelfths",
	"replicas":  "delay_s not told a tenth lost none lost",
}
