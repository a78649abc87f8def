package dynamicshare

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/knn"
)

// Numbers of runs and of questions of the figure bias.
const (
	trained = 1000
	queries = 40
)

// ks are the k of the figure bias, the rates marked n^(4/5) and n^(4/7) among them.
var ks = []int{2, 4, 8, 16, 32, 53, 125, 252, 500, 1000}

// A smoother is a kernel with its bandwidth.
type smoother struct {
	name    string
	options knn.Options
}

var smoothers = []smoother{
	{"Epanechnikov", knn.Options{}},
	{"Epanechnikov, next as bandwidth", knn.Options{Bandwidth: knn.NextNeighbour}},
	{"uniform", knn.Options{Kernel: knn.Uniform}},
}

// features are what an estimator sees of a run.
func features(x *estimate.Run) []float64 { return []float64{x.Bytes, x.CPU, x.Memory} }

// A decomposition is the squared bias and the variance of an estimator, means over the questions, in squared parts of the true value.
type decomposition struct{ bias, variance float64 }

func (d decomposition) error() float64 { return d.bias + d.variance }

// decompose asks the same questions of estimators that have learnt from n runs each, one for each seed and k. Bias and variance are unbiased estimates:
// of the squared mean error its own variance over the seeds is taken.
func (s *study) decompose(n int, o knn.Options, ks []int) ([]decomposition, error) {
	j := &twitter
	ask := stream(s.Seed, 0, queryStream)
	asks, truth := mat.NewDense(queries, 3, nil), make([]float64, queries)
	for q := range truth {
		x := j.run(1, ask)
		asks.SetRow(q, features(&x))
		truth[q] = j.expected(x, 1) * math.Exp(timeSpread*timeSpread/2)
	}
	answers := make([][][]knn.Prediction, s.n) // by seed and k
	err := report.Parallel(s.n, func(_ *struct{}, i int) error {
		r := stream(s.Seed, i, runStream)
		e, err := knn.New(3, o)
		if err != nil {
			return err
		}
		for range n {
			x := j.run(1, r)
			if err := e.Add(features(&x), x.Time); err != nil {
				return err
			}
		}
		answers[i] = make([][]knn.Prediction, len(ks))
		for c, k := range ks {
			if err := e.SetK(knn.Fixed(k)); err != nil {
				return err
			}
			if answers[i][c], err = e.PredictAll(nil, asks); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	list := make([]decomposition, len(ks))
	for c := range ks {
		for q, want := range truth {
			var off []float64
			for i := range answers {
				off = append(off, answers[i][c][q].Value/want-1)
			}
			sd := report.SD(off)
			list[c].bias += (math.Pow(report.Mean(off), 2) - sd*sd/float64(s.n)) / queries
			list[c].variance += sd * sd / queries
		}
	}
	return list, nil
}

func (s *study) figureBias() (report.Figure, error) {
	f := report.Figure{
		Item:  "bias",
		Title: "Bias and variance of k-NN regression over k",
		Caption: fmt.Sprintf("Squared bias and variance, relative to the true time, of estimates from %d runs of a reduce task, means over %d questions and %s. Bottom: the mean squared error under three kernels.",
			trained, queries, report.Count(s.n, "repetition")),
		Numbers: report.Table{Columns: []string{"kernel", "runs", "k", "repetitions", "squared_bias", "variance", "mean_squared_error"}},
		Shown:   report.Table{Columns: []string{"k", "squared bias", "variance", "error, Epanechnikov", "error, uniform"}},
	}
	var all [][]decomposition
	for _, m := range smoothers {
		list, err := s.decompose(trained, m.options, ks)
		if err != nil {
			return f, err
		}
		for c, d := range list {
			f.Numbers.Add(m.name, trained, ks[c], s.n, d.bias, d.variance, d.error())
		}
		all = append(all, list)
	}
	var rates [][2]decomposition // k = n^(4/5) and n^(4/7), for the numbers of runs
	sizes := []int{100, trained, 10 * trained}
	for _, n := range sizes {
		at, err := s.decompose(n, knn.Options{}, []int{knn.Paper(n, 3), knn.Rate(n, 3)})
		if err != nil {
			return f, err
		}
		rates = append(rates, [2]decomposition{at[0], at[1]})
		if n != trained {
			f.Numbers.Add(smoothers[0].name, n, knn.Paper(n, 3), s.n, at[0].bias, at[0].variance, at[0].error())
			f.Numbers.Add(smoothers[0].name, n, knn.Rate(n, 3), s.n, at[1].bias, at[1].variance, at[1].error())
		}
	}
	top, bottom := &draw.Chart{Height: 190, GridY: true}, &draw.Chart{Height: 190, GridY: true}
	for _, c := range []*draw.Chart{top, bottom} {
		c.X = draw.Axis{Label: "k", Min: 1.8, Max: 1100, Log: true}
		for _, k := range ks {
			c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(k), Label: strconv.Itoa(k)})
		}
		c.Y.Log = true
	}
	top.Y.Label, bottom.Y.Label = "share of the time, squared", "mean squared error"
	line := func(label string, list []decomposition, of func(decomposition) float64, look draw.Stroke, m draw.Mark) draw.Series {
		x := draw.Series{Label: label, Stroke: look, Mark: m, Radius: 2.5}
		for c, d := range list {
			x.X, x.Y = append(x.X, float64(ks[c])), append(x.Y, max(of(d), 1e-5))
		}
		return x
	}
	top.Y.Min, top.Y.Max = 1e-4, 1
	top.Series([]draw.Series{
		line("squared bias", all[0], func(d decomposition) float64 { return d.bias }, draw.Stroke{Color: draw.Blue}, draw.Disc),
		line("variance", all[0], func(d decomposition) float64 { return d.variance }, draw.Stroke{Color: draw.Vermilion, Dash: draw.DashDot}, draw.Triangle),
	})
	bottom.Y.Min, bottom.Y.Max = 3e-3, 1
	bottom.Series([]draw.Series{
		line(smoothers[0].name, all[0], decomposition.error, draw.Stroke{Color: draw.Blue}, draw.Disc),
		line(smoothers[1].name, all[1], decomposition.error, draw.Stroke{Color: draw.Green, Dash: draw.Dashed}, draw.Square),
		line(smoothers[2].name, all[2], decomposition.error, draw.Stroke{Color: draw.Orange, Dash: draw.Dotted}, draw.Triangle),
	})
	for c, k := range ks {
		f.Shown.Show(strconv.Itoa(k), all[0][c].bias, all[0][c].variance, all[0][c].error(), all[2][c].error())
	}
	var err error
	if f.Picture, err = draw.New("Squared bias rises and variance falls as k grows; the error is least in between, and alike under all kernels.", top, bottom); err != nil {
		return f, err
	}
	best := func(list []decomposition) (k int, e float64) {
		c := slices.IndexFunc(list, func(d decomposition) bool {
			return d == slices.MinFunc(list, func(a, b decomposition) int { return compareErrors(a, b) })
		})
		return ks[c], list[c].error()
	}
	k, least := best(all[0])
	uniformK, uniform := best(all[2])
	rises, falls := true, true
	for c := 1; c < len(ks); c++ {
		falls = falls && all[0][c].variance < all[0][c-1].variance
		rises = rises && (ks[c] < 53 || all[0][c].bias > all[0][c-1].bias)
	}
	balance := func(rate int) (model string, spread float64) {
		var list []float64
		for i := range sizes {
			list = append(list, rates[i][rate].bias/rates[i][rate].variance)
			model += [...]string{"", ", ", ", "}[i] + report.Short2(list[i])
		}
		return fmt.Sprintf("squared bias over variance %s for %d, %d, %d runs", model, sizes[0], sizes[1], sizes[2]), slices.Max(list) / slices.Min(list)
	}
	paper, paperSpread := balance(0)
	three, threeSpread := balance(1)
	f.Claims = report.Claims("dynamicshare", "bias", "", report.OfKind(report.Beyond, []report.Claim{
		{Claim: "too many examples increase the bias", Published: "increase", Model: fmt.Sprintf("squared bias %s at k = 53, %s at %d", report.Short2(all[0][5].bias), report.Short2(all[0][len(ks)-1].bias), trained),
			Relation: "grows from each k to the next, from 53 on", Holds: rises, Note: "noise of the estimate"},
		{Claim: "few previous runs lead to large variance", Published: "large", Model: fmt.Sprintf("variance %s at k = 2, %s at %d", report.Short2(all[0][0].variance), report.Short2(all[0][len(ks)-1].variance), trained),
			Relation: "falls from each k to the next", Holds: falls, Note: "noise of the estimate"},
		{Claim: "k in proportion to n^(4/5) keeps a constant balance between the variance and the bias", Published: "constant", Model: paper,
			Relation: "largest at most 3 times the least", Holds: paperSpread <= 3, Note: fmt.Sprintf("n^(4/5) is the rate of one feature, and x has three: the bias takes over; with n^(4/7) %s", three)},
		{Claim: "k = n^(4/7) does, the rate of three features", Published: "n^(4/5)", Model: three,
			Relation: "largest at most 3 times the least", Holds: threeSpread <= 3, Note: "the rate is asymptotic: the tails of size and load, where runs are few, bias the mean at these numbers of runs"},
		{Claim: "the choice of the kernel is not significant", Published: "not significant", Model: fmt.Sprintf("least error %s with Epanechnikov (k = %d), %s uniform (k = %d)", report.Short2(least), k, report.Short2(uniform), uniformK),
			Relation: "the least errors within 20% of each other", Holds: max(uniform, least) <= 1.2*min(uniform, least), Note: "at its own best k each kernel differs"},
	}...)...)
	return f, nil
}

func compareErrors(a, b decomposition) int {
	switch {
	case a.error() < b.error():
		return -1
	case a.error() > b.error():
		return 1
	}
	return 0
}
