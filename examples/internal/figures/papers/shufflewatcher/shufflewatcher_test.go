package shufflewatcher_test

import (
	"testing"

	"github.com/schedmath/schedmath/examples/internal/figures/papers"
	"github.com/schedmath/schedmath/examples/internal/shufflewatcher"
)

func TestFigures(t *testing.T) {
	papers.Check(t, papers.Paper{
		Name: "shufflewatcher", Main: shufflewatcher.Main, Plan: shufflewatcher.Plan, Columns: columns,
		Seeds: map[string]bool{"fig7.tsv": false, "table3.tsv": true},
		Says:  []string{"drawn from seed 1"},
	})
}

// columns are those of the numbers of each figure.
var columns = map[string]string{
	"fig5":       "job placement maps_rack1 maps_rack2 remote_map_gb cross_shuffle_gb",
	"fig7":       "job placement reduces_rack1 reduces_rack2 cross_shuffle_gb",
	"table3":     "reading class seeds shuffle_tb cross_rack_shuffle_tb remote_map_tb cross_rack_ci95",
	"fig1":       "reading time_h load",
	"fig8":       rowColumns,
	"fig9":       "reading concurrency seeds fair sw_fair ratio ratio_ci95",
	"fig10":      "reading time_h load",
	"fig11":      "reading rank share ratio",
	"fig12":      "reading step class seeds ratio_to_fair ratio_ci95",
	"fig13":      "reading step class seeds ratio_to_fair ratio_ci95",
	"fig14a":     rowColumns,
	"fig14b":     rowColumns,
	"nodes16":    rowColumns,
	"fixed":      rowColumns,
	"thresholds": rowColumns,
	"predicted":  "reading seeds predicted_tb realised_tb sum_p2 sum_pr within_quota sum_p2_fair sum_pr_fair",
	"options":    rowColumns,
	"map":        rowColumns,
	"settings":   "map_mb_s more_heavy more_light misfit",
}

const rowColumns = "reading comparison seeds throughput throughput_of_the_other throughput_ratio throughput_ci95 turnaround turnaround_of_the_other turnaround_ratio turnaround_ci95 " +
	"traffic traffic_of_the_other traffic_ratio traffic_ci95 bytes_ratio bytes_ci95 unfair_of_the_other unfair sum_p2 sum_pr within_quota"
