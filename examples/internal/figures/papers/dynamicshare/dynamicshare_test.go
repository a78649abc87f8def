package dynamicshare_test

import (
	"testing"

	"github.com/schedmath/schedmath/examples/internal/dynamicshare"
	"github.com/schedmath/schedmath/examples/internal/figures/papers"
)

func TestFigures(t *testing.T) {
	papers.Check(t, papers.Paper{
		Name: "dynamicshare", Main: dynamicshare.Main, Plan: dynamicshare.Plan, Columns: columns,
		Seeds: map[string]bool{"fig6.tsv": true, "bias.tsv": true},
		Says:  []string{"Figure 12"},
	})
}

// columns are those of the numbers of each figure.
var columns = map[string]string{
	"fig1":   "partition values speed reduce_s",
	"fig4":   "runs paper_k_estimate_s default_k_estimate_s actual_s repetitions paper_k_error paper_k_ci95 default_k_error default_k_ci95 known_law_error scheduler_error scheduler_ci95",
	"fig5":   "jobs concurrent policy repetitions missed_percent missed_ci95",
	"fig6":   "worker overloaded laxity_s lof flagged",
	"bias":   "runs k repetitions squared_bias variance mean_squared_error",
	"joined": "policy repetitions missed_percent missed_ci95 less_fifo less_fifo_ci95",

	"fig8":  schemeColumns,
	"fig9":  schemeColumns,
	"fig10": schemeColumns,
	"fig11": schemeColumns,
	"fig12": schemeColumns,
}

const schemeColumns = "reading job scheme target_skewness_percent partitions seeds reduce_s reduce_ci95 balance_percent skewness_percent"
