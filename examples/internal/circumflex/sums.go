package circumflex

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
)

// Instances of the figure sums, and those of a quick run.
const (
	instances      = 200
	quickInstances = 30
	sumsSlots      = 20
)

// sumsMaxima are the values of M of its second chart.
var sumsMaxima = []int{5, 7, 10, 14, sumsSlots}

// A tally is what all instances gave.
type tally struct {
	instances int
	exact     [sumGoals]float64       // sums over instances of the least value
	way       [sumGoals][ways]float64 // of the value of each way
	proved    []int                   // by goal: instances whose order is known to be best
	agreed    [sumGoals]int           // instances where the programme over down-sets finds the same value
	factor    [][]float64             // by M: value of the plan over its bound, for the sum of weighted response times
	optimal   []int                   // by M: plans known to be best
}

// opaque hides what a penalty is, so that only the programme for arbitrary penalties applies.
type opaque struct{ p precedence.Penalty }

// At is that of the penalty.
func (o opaque) At(t float64) float64 { return o.p.At(t) }

func (t *tally) add(x *instance) (err error) {
	solved := func(s precedence.Solution, bad error) precedence.Solution {
		err = errors.Join(err, bad)
		return s
	}
	for k, g := range goals {
		objective, bad := g.make(x)
		err = errors.Join(err, bad)
		best := solved(precedence.Minimize(x.graph, x.work, objective, precedence.Options{}))
		if best.Exact {
			t.proved[k]++
		}
		if k >= sumGoals {
			continue
		}
		t.exact[k] += best.Value
		hidden := precedence.Objective{Aggregate: objective.Aggregate}
		weights := make([]float64, len(x.work))
		for j, p := range objective.Penalties {
			hidden.Penalties = append(hidden.Penalties, opaque{p})
			weights[j] = g.ratio(x, j)
		}
		again := solved(precedence.Minimize(x.graph, x.work, hidden, precedence.Options{}))
		if again.Exact && math.Abs(again.Value-best.Value) <= 1e-12*math.Abs(best.Value) {
			t.agreed[k]++
		}
		smith := solved(precedence.Smith(x.graph, x.work, weights))
		lawler := solved(precedence.Lawler(x.graph, x.work, objective.Penalties))
		for way, order := range [ways][]int{generalised: smith.Order, bySubjob: readyByRatio(x, weights), minimax: lawler.Order} {
			v, bad := precedence.Evaluate(x.work, objective, order)
			t.way[k][way], err = t.way[k][way]+v, errors.Join(err, bad)
		}
	}
	return errors.Join(err, t.plan(x))
}

// plan runs both steps of the scheme for each M.
func (t *tally) plan(x *instance) error {
	objective, err := precedence.SumWeightedResponse(x.weight)
	if err != nil {
		return err
	}
	for k, m := range sumsMaxima {
		var jobs []malleable.Job
		for _, w := range x.work {
			jobs = append(jobs, malleable.Job{Work: w, Max: m})
		}
		_, r, err := malleable.Plan(sumsSlots, jobs, x.graph, objective, malleable.PlanOptions{})
		if err != nil {
			return err
		}
		t.factor[k] = append(t.factor[k], r.Value/r.Bound)
		if r.Exact {
			t.optimal[k]++
		}
	}
	return nil
}

func (s *study) tally() (*tally, error) {
	t := &tally{instances: instances, proved: make([]int, len(goals)), factor: make([][]float64, len(sumsMaxima)), optimal: make([]int, len(sumsMaxima))}
	if s.quick() {
		t.instances = quickInstances
	}
	r := stream(s.seed, 0, sumsStream)
	for range t.instances {
		x, err := newInstance(r)
		if err != nil {
			return nil, err
		}
		if err := t.add(&x); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (s *study) figureSums() (report.Figure, error) {
	t, err := s.tally()
	if err != nil {
		return report.Figure{}, err
	}
	f := report.NewFigure("Sums of penalties over chains: exact orders against the two-step scheme",
		fmt.Sprintf("Total over %d instances of three datasets with up to four scans under way each, over the least possible total. Top: the order on one machine, for the eight sums; the paper has no algorithm for the last five (U tardy jobs, "+
			"T tardiness). Bottom: both steps, the order and the packing on %d slots, for ΣwC: value over lower bound, as jobs can use more slots; box: quartiles, whiskers: 5%% to 95%%, rings: extremes.", t.instances, sumsSlots),
		"objective", "max_slots", "instances", "least_total", "generalised_smith", "smith_by_subjob", "lawler_for_maximum", "mean_factor", "largest_factor")
	f.Shown.Columns = []string{"objective", "in the paper", "generalised Smith / least", "each subjob by itself / least", "Lawler for the maximum / least"}
	c := &draw.Chart{Height: 230, GridY: true}
	c.X = draw.Axis{Min: -0.5, Max: sumGoals - 0.5}
	c.Y = draw.Axis{Label: "total over the least", Min: 0.95}
	colours := [ways]draw.Stroke{generalised: {Color: draw.Blue}, bySubjob: {Color: draw.Vermilion}, minimax: {Color: draw.Green}}
	shapes := [ways]draw.Mark{generalised: draw.Disc, bySubjob: draw.Triangle, minimax: draw.Square}
	all := []float64{1}
	none := math.NaN()
	var xs [ways][]float64
	var ys [ways][]float64
	for k := range sumGoals {
		c.X.Ticks = append(c.X.Ticks, draw.Tick{At: float64(k), Label: goals[k].name})
		cells := []any{goals[k].name, "one machine", t.instances, t.exact[k]}
		where := "B.1"
		if goals[k].open {
			where = "open"
		}
		row := []string{goals[k].name, where}
		for way := range ways {
			v := t.way[k][way] / t.exact[k]
			xs[way], ys[way] = append(xs[way], float64(k)+[ways]float64{-.15, 0, .15}[way]), append(ys[way], v)
			all = append(all, v)
			cells = append(cells, t.way[k][way])
			row = append(row, report.Short(v))
		}
		f.Numbers.Add(append(cells, none, none)...)
		f.Shown.Rows = append(f.Shown.Rows, row)
	}
	c.Y.Max = slices.Max(all) + 0.05
	c.Level("", 1, draw.Stroke{Color: draw.Black, Dash: draw.Dashed, Width: 1})
	for way := range ways {
		c.Dots(wayNames[way], xs[way], ys[way], shapes[way], colours[way].Color, 4)
	}
	two := &draw.Chart{Height: 180, GridY: true}
	two.X = draw.Axis{Label: fmt.Sprintf("M, slots a job can use, of %d", sumsSlots), Min: -0.5, Max: float64(len(sumsMaxima)) - 0.5}
	two.Y = draw.Axis{Label: "value over bound", Min: 0.98, Max: 1.02}
	var places []float64
	var boxes []draw.Box
	for k, m := range sumsMaxima {
		two.X.Ticks = append(two.X.Ticks, draw.Tick{At: float64(k), Label: strconv.Itoa(m)})
		places = append(places, float64(k))
		boxes = append(boxes, report.Box(slices.Sorted(slices.Values(t.factor[k]))))
		most := slices.Max(t.factor[k])
		two.Y.Max = math.Max(two.Y.Max, most+.02)
		f.Numbers.Add("ΣwC", m, t.instances, none, none, none, none, report.Mean(t.factor[k]), most)
	}
	two.Level("", 1, draw.Stroke{Color: draw.Black, Dash: draw.Dashed, Width: 1})
	two.Boxes("", places, boxes, 0, 30, draw.Pale)
	return f.Done(s.claimsSums(t), "Dots of three ways to order subjobs over the least total, for eight sums; and box plots of the value of a plan over its bound for five numbers of slots.", c, two)
}

// sumsBasis says how many instances there are.
func (s *study) sumsBasis() string {
	if s.quick() {
		return fmt.Sprintf("%d drawn instances, a quick run; else %d", quickInstances, instances)
	}
	return fmt.Sprintf("%d drawn instances", instances)
}

func (s *study) claimsSums(t *tally) []report.Claim {
	everywhere := func(n int) bool { return n == t.instances }
	solved, agreed := report.Number(t.proved, everywhere), report.Number(t.agreed[:], everywhere)
	best, worse, gap := 0, 0, 0
	for k := range sumGoals {
		if goals[k].open {
			if t.way[k][generalised] > t.exact[k] && t.way[k][minimax] > t.exact[k] {
				gap++
			}
			continue
		}
		if math.Abs(t.way[k][generalised]-t.exact[k]) <= 1e-12*t.exact[k] {
			best++
		}
		if t.way[k][bySubjob] > t.exact[k]*(1+1e-12) {
			worse++
		}
	}
	most, last := 0.0, len(sumsMaxima)-1
	for k := range sumsMaxima {
		most = math.Max(most, slices.Max(t.factor[k]))
	}
	return []report.Claim{
		{Claim: "of the 16 metrics the current version can handle 11; there may be heuristics for the other 5", Published: "11 of 16", Model: fmt.Sprintf("%d of %d", solved, len(goals)),
			Relation: "all, with orders known to be best on every instance: more than the paper has", Holds: solved == len(goals), Extends: true, Note: "some order is not known to be best"},
		{Claim: "the generalised Smith's rule is optimal for average response time, weighted or not, and average stretch", Published: "optimal interim schedule", Model: fmt.Sprintf("%d of 3 totals equal the least; %d of %d sums agree with an exact programme that knows no ratios, on every instance", best, agreed, sumGoals),
			Relation: "all of both", Holds: best == 3 && agreed == sumGoals, Note: "some order found by ratios is not best"},
		{Claim: "the partial ratios of sums matter: Smith's rule for each subjob by itself is not optimal", Published: "generalisation to chains", Model: fmt.Sprintf("above the least for %d of 3 sums", worse),
			Relation: "for all 3", Holds: worse == 3, Note: "weights fall along the chains, so that blocks are single subjobs"},
		{Claim: "for the five open sums neither order that the paper has is best", Published: "open", Model: fmt.Sprintf("both above the least for %d of 5", gap),
			Relation: "for all 5", Holds: gap == 5, Kind: report.Beyond, Note: "deadlines so loose, or so tight, that any order does"},
		{Claim: "both steps together are optimal when each job can use all slots", Published: "not in the paper", Model: fmt.Sprintf("%d of %d plans", t.optimal[last], t.instances),
			Relation: fmt.Sprintf("known to be optimal on every instance with M = %d", sumsMaxima[last]), Holds: t.optimal[last] == t.instances, Kind: report.Beyond, Note: "the order, or the packing, loses something"},
		{Claim: "packing a best order is within a factor of 2 of the best schedule of any M", Published: "high quality", Model: fmt.Sprintf("at most %s", report.Fixed(most)),
			Relation: "value at most twice the lower bound, every instance and M", Holds: most <= 2, Kind: report.Beyond, Note: "the bound is weak, or the packing bad"},
	}
}
