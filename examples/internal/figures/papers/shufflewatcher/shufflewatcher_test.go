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
	"fig5":      "job placement maps_rack1 maps_rack2 remote_map_gb cross_shuffle_gb",
	"fig7":      "job placement reduces_rack1 reduces_rack2 cross_shuffle_gb",
	"table3":    "class seeds shuffle_tb cross_rack_shuffle_tb remote_map_tb cross_rack_ci95",
	"fig1":      "time_h Fair",
	"fig8":      rowColumns,
	"fig9":      "concurrency seeds fair sw_fair ratio ratio_ci95",
	"fig10":     "time_h SW-fair Fair",
	"fig11":     "rank share ratio",
	"fig12":     "mechanisms class seeds ratio_to_fair ratio_ci95",
	"fig13":     "mechanisms class seeds ratio_to_fair ratio_ci95 shuffle_part remote_map_part ratio_published",
	"fig14a":    rowColumns,
	"fig14b":    rowColumns,
	"nodes16":   rowColumns,
	"backlog8":  rowColumns,
	"backlog9":  "concurrency seeds fair sw_fair ratio ratio_ci95",
	"backlog10": "time_h SW-fair Fair",
	"backlog11": "rank share ratio",
	"backlog12": "mechanisms class seeds ratio_to_fair ratio_ci95",
	"backlog13": "mechanisms class seeds ratio_to_fair ratio_ci95 shuffle_part remote_map_part ratio_published",
	"backlog16": rowColumns,
	"rates":     "scheduler rate seeds served served_ci95",
	"settings":  rowColumns,
	"others":    rowColumns,
	"shared":    rowColumns,
	"predicted": "seed predicted_tb realised_tb maps_elsewhere preferred_map_choices map_choices",
}

const rowColumns = "comparison seeds throughput throughput_of_the_other throughput_ratio throughput_ci95 throughput_published " +
	"turnaround turnaround_of_the_other turnaround_ratio turnaround_ci95 turnaround_published traffic traffic_of_the_other traffic_ratio traffic_ci95 traffic_published"
