package shufflewatcher

import (
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// What a run says of where tasks of heavy jobs ran, and of its price in fairness.
func concentration(o *outcome) float64 { return o.concentration }
func kept(o *outcome) float64          { return o.kept }
func withinQuota(o *outcome) float64   { return over(float64(o.report.Met), float64(o.report.Reduces)) }
func unfair(o *outcome) float64        { return o.unfair }

// planned is the traffic between racks that SAMP predicts, and across that which moved, in TB.
func planned(o *outcome) float64 { return o.expected / terabyte }
func across(o *outcome) float64  { return traffic(all)(o) / terabyte }

// figurePredicted compares the traffic that SAMP predicts with what moved.
func (s *study) figurePredicted() (report.Figure, error) {
	f := report.NewFigure("Predicted and realised traffic",
		"Bytes that SAMP's plans predict to cross racks for the measured jobs under SW-fair, and the bytes that did, by reading; small dots: each seed. Table, of heavy jobs: the sums over racks of p² and p r, p and r being the parts of the job's maps and reduces there (both are 1 / racks where tasks are spread evenly); the share of reduces within the quota of their rack.",
		"reading", "seeds", "predicted_tb", "realised_tb", "sum_p2", "sum_pr", "within_quota", "sum_p2_fair", "sum_pr_fair")
	f.Shown.Columns = []string{"reading", "Σp²", "Σpr", "within quota", "Σp², Fair", "Σpr, Fair"}
	var names []string
	series := []draw.Series{draw.Look(0, "predicted"), draw.Look(1, "realised")}
	for _, r := range closer {
		x, y := r.cell(swFair), r.cell(fair)
		if err := s.ensure(f.Title, x, y); err != nil {
			return f, err
		}
		mean := func(c cell, what metric) float64 { return s.mean(c, what).Mean }
		for k, what := range []metric{planned, across} {
			series[k].Add(s.values(x, what))
		}
		places := []any{mean(x, concentration), mean(x, kept), mean(x, withinQuota), mean(y, concentration), mean(y, kept)}
		f.Numbers.Add(append([]any{r.Name, s.seeds.N, mean(x, planned), mean(x, across)}, places...)...)
		f.Shown.Show(append([]any{r.Name}, places...)...)
		names = append(names, "reading "+r.Name)
		beyond := s.mean(x, func(o *outcome) float64 { return across(o) - 1.25*planned(o) })
		claim := below("intermediate data and SAMP's predictions are close", "so close that the threshold of SARP does not matter", beyond, 0, "traffic "+numbers.Short(mean(x, across))+" TB, predicted "+numbers.Short(mean(x, planned))+" TB")
		claim.Relation = "95% interval of the traffic less 1.25 times the predicted below 0"
		f.Claims = append(f.Claims, r.of(claim)...)
	}
	return f.Done(f.Claims, "Points of predicted and realised traffic by reading.", draw.PointsAt("", "TB across racks", names, series))
}
