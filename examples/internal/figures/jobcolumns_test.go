package figures_test

import "strings"

// jobColumns are the columns of those figures of dynamicshare that are about estimates, laxities and stragglers.
var jobColumns = map[string]string{
	"fig1":      "partition values speed reduce_s",
	"fig4":      "runs paper_k_estimate_s default_k_estimate_s actual_s repetitions paper_k_error paper_k_ci95 default_k_error default_k_ci95 known_law_error",
	"fig5":      "jobs concurrent policy repetitions missed_percent missed_ci95",
	"fig6":      "worker overloaded laxity_s lof flagged",
	"fig7":      "tasks lof_s scikit_learn_s",
	"bias":      "kernel runs k repetitions squared_bias variance mean_squared_error",
	"drift":     "estimator runs repetitions error ci95",
	"intervals": "law runs repetitions coverage coverage_ci95 width_over_median",
	"joined":    "policy repetitions missed_percent missed_ci95 less_fifo less_fifo_ci95",
	"rules":     "law rule snapshots overloaded found_percent all_found others_flagged_percent",
}

// untimed is a file without Figure 7 of dynamicshare: it shows run times, which differ from run to run.
func untimed(name, text string) string {
	const timed = "dynamicshare-fig7"
	switch name {
	case timed + ".svg", timed + ".tsv":
		return ""
	case "claims.tsv":
		var kept strings.Builder
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "dynamicshare\tfig7\t") {
				kept.WriteString(line)
			}
		}
		return kept.String()
	case "index.html":
		before, rest, ok := strings.Cut(text, `<article id="`+timed+`">`)
		if _, after, closed := strings.Cut(rest, "</article>"); ok && closed {
			return before + after
		}
	}
	return text
}
