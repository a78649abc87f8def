package shufflewatcher

import (
	"github.com/schedmath/schedmath/examples/internal/report"
)

// What a run says of where tasks of heavy jobs ran, and of its price in fairness.
func concentration(o *outcome) float64 { return o.concentration }
func kept(o *outcome) float64          { return o.kept }
func withinQuota(o *outcome) float64   { return over(float64(o.report.Met), float64(o.report.Reduces)) }
func unfair(o *outcome) float64        { return o.unfair }

// figurePredicted compares the traffic that SAMP predicts with what moved.
func (s *study) figurePredicted() (report.Figure, error) {
	f := report.NewFigure("Predicted and realised traffic",
		"Bytes that SAMP's plans predict to cross racks for the measured jobs under SW-fair, and the bytes that did, by reading. Table, of heavy jobs: the sums over racks of p² and p r, p and r being the parts of the job's maps and reduces there (both are 1 / racks where tasks are spread evenly); the share of reduces within the quota of their rack.",
		"reading", "seeds", "predicted_tb", "realised_tb", "sum_p2", "sum_pr", "within_quota", "sum_p2_fair", "sum_pr_fair")
	f.Shown.Columns = []string{"reading", "Σp²", "Σpr", "within quota", "Σp², Fair", "Σpr, Fair"}
	var names []string
	values := make([][]report.Interval, 2)
	for _, r := range s.closer() {
		x, y := r.cell(swFair), r.cell(fair)
		if err := s.ensure(f.Title, r.n, x, y); err != nil {
			return f, err
		}
		mean := func(c cell, what metric) report.Interval { return s.mean(r.n, c, what) }
		predicted, moved := mean(x, func(o *outcome) float64 { return o.expected / terabyte }), mean(x, func(o *outcome) float64 { return traffic(all)(o) / terabyte })
		places := []any{mean(x, concentration).Mean, mean(x, kept).Mean, mean(x, withinQuota).Mean, mean(y, concentration).Mean, mean(y, kept).Mean}
		f.Numbers.Add(append([]any{r.Name, r.n, predicted.Mean, moved.Mean}, places...)...)
		f.Shown.Show(append([]any{r.Name}, places...)...)
		names, values[0], values[1] = append(names, "reading "+r.Name), append(values[0], predicted), append(values[1], moved)
		beyond := mean(x, func(o *outcome) float64 { return (traffic(all)(o) - 1.25*o.expected) / terabyte })
		claim := below("intermediate data and SAMP's predictions are close", "so close that the threshold of SARP does not matter", beyond, 0, "traffic "+report.Short(moved.Mean)+" TB, predicted "+report.Short(predicted.Mean)+" TB")
		claim.Relation = "95% interval of the traffic less 1.25 times the predicted below 0"
		f.Claims = append(f.Claims, r.of(claim)...)
	}
	return f.Done(f.Claims, "Bars of predicted and realised traffic by reading.", bars("TB across racks", names, []string{"predicted", "realised"}, values))
}
