package hfsp_test

import (
	"testing"

	"github.com/schedmath/schedmath/examples/internal/figures/papers"
	"github.com/schedmath/schedmath/examples/internal/hfsp"
)

func TestFigures(t *testing.T) {
	papers.Check(t, papers.Paper{
		Name: "hfsp", Main: hfsp.Main, Plan: hfsp.Plan, Columns: columns,
		Seeds: map[string]bool{"fig1.svg": false, "fig2b.tsv": true},
		Says:  []string{"Figure 1", "Figure 2(c)", "the synthetic day of seed 1", "drawn from seed 1"},
	})
}

// columns are those of the numbers of each figure.
var columns = map[string]string{
	"fig1":     "policy job arrival size start end usage_percent finish",
	"fig2a":    "x sigma_0.125 sigma_0.25 sigma_0.5 sigma_1",
	"fig2b":    "policy mu sigma seeds median p25 p75 p5 p95 min max",
	"fig2c":    "policy mu sigma seeds median p25 p75 p5 p95 min max",
	"settings": "reduces median_s slower seeds misfit fair_s hfsp_s ratio ratio_ci95 fair_load hfsp_load fair_hours hfsp_hours fair_within_100_s hfsp_within_100_s fair_within_1000_s hfsp_within_1000_s",
	"table2":   "workload policy seeds mean_sojourn_s mean_sojourn_ci95 mean_load mean_load_ci95 ratio_to_fair ratio_ci95 seeds_given_fair ratio_given_fair ratio_given_fair_ci95 local_maps published_sojourn_s published_load published_ratio",
	"fig3a":    "share hfsp_s fair_s hfsp_first_seed_s fair_first_seed_s",
	"fig3b":    "share hfsp_s fair_s hfsp_first_seed_s fair_first_seed_s",
	"fig3c":    "seed policy time_h pending_jobs",
	"fig4":     "share map_work_s reduce_work_s map_hfsp_s reduce_hfsp_s map_fair_s reduce_fair_s",
	"fig5":     "error map_ecdf reduce_ecdf map_fit_cdf reduce_fit_cdf map_paper_cdf reduce_paper_cdf",
	"ablation": "workload policy seeds mean_sojourn_s mean_ci95 ratio_to_fair ratio_ci95 work_lost",
}
