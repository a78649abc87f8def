package figures_test

import "maps"

// partitionColumns are the columns of those figures of dynamicshare that are about the assignment of partitions.
var partitionColumns = map[string]string{
	"fig8":  schemeColumns,
	"fig9":  schemeColumns,
	"fig10": schemeColumns,
	"fig11": schemeColumns,
	"fig12": schemeColumns,
	"width": "partitions rows seeds ratio_to_floor ratio_ci95 critical_share",
	"best":  "method partitions seeds ratio_to_bound ratio_ci95 optimal_small small_instances",
	"ci":    "runners method seeds ratio_to_bound ratio_ci95",
}

const schemeColumns = "job scheme target_skewness_percent partitions seeds reduce_s reduce_ci95 balance_percent skewness_percent"

// dynamicshareColumns are those of all its figures.
func dynamicshareColumns() map[string]string {
	all := maps.Clone(partitionColumns)
	maps.Copy(all, jobColumns)
	return all
}
