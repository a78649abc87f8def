package precedence_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/internal/oracle/orders"
	"github.com/schedmath/schedmath/precedence"
)

// A problem20 has whole numbers only; stretch's times alone are powers of two up to 8, and its
// values count in eighths.
type problem20 struct {
	n                        int
	arcs                     [][2]int
	work, weight, due, alone []int64
	slaDue, slaCost          [][]int64
	kind                     string
}

// objectiveNames are the ten penalties in the order of costs.
var objectiveNames = []string{"response", "weighted response", "stretch", "tardy", "weighted tardy", "tardiness", "weighted tardiness",
	"SLA", "lateness", "weighted lateness"}

// costs are the ten penalties of job j if it completes at end, in whole numbers.
func (c *problem20) costs(j int, end int64) [10]int64 {
	late := end - c.due[j]
	f := [10]int64{end, c.weight[j] * end, end * (8 / c.alone[j]), 0, 0, 0, 0, 0, late, c.weight[j] * late}
	if late > 0 {
		f[3], f[4], f[5], f[6] = 1, c.weight[j], late, c.weight[j]*late
	}
	for k, d := range c.slaDue[j] {
		if end > d {
			f[7] = c.slaCost[j][k]
		}
	}
	return f
}

func scaled(x []int64, scale float64) []float64 {
	f := make([]float64, len(x))
	for i, v := range x {
		f[i] = float64(v) * scale
	}
	return f
}

// must20 makes the twenty objectives of the instance, times in units of scale: ten sums and then
// ten maxima. factor is what the value of each is to be divided by to give a whole number.
func must20(t rapid.TB, c *problem20, scale float64) (objs [20]precedence.Objective, factor [10]float64) {
	w, d, alone := scaled(c.weight, 1), scaled(c.due, scale), scaled(c.alone, scale)
	levels := make([]precedence.SLA, c.n)
	for j := range levels {
		levels[j] = precedence.SLA{Deadlines: scaled(c.slaDue[j], scale), Costs: scaled(c.slaCost[j], 1)}
	}
	add := func(i int) func(precedence.Objective, error) {
		return func(o precedence.Objective, err error) {
			must(t, err)
			objs[i] = o
		}
	}
	add(0)(precedence.SumResponse(c.n))
	add(10)(precedence.MaxResponse(c.n))
	add(7)(precedence.SumSLA(levels))
	add(17)(precedence.MaxSLA(levels))
	for i, f := range map[int]func(_ []float64) (precedence.Objective, error){3: precedence.SumTardy, 5: precedence.SumTardiness,
		8: precedence.SumLateness, 13: precedence.MaxTardy, 15: precedence.MaxTardiness, 18: precedence.MaxLateness} {
		add(i)(f(d))
	}
	for i, f := range map[int]func(_, _ []float64) (precedence.Objective, error){
		4: precedence.SumWeightedTardy, 6: precedence.SumWeightedTardiness, 9: precedence.SumWeightedLateness,
		14: precedence.MaxWeightedTardy, 16: precedence.MaxWeightedTardiness, 19: precedence.MaxWeightedLateness} {
		add(i)(f(d, w))
	}
	add(1)(precedence.SumWeightedResponse(w))
	add(11)(precedence.MaxWeightedResponse(w))
	add(2)(precedence.SumStretch(alone))
	add(12)(precedence.MaxStretch(alone))
	return objs, [10]float64{scale, scale, 1.0 / 8, 1, 1, scale, scale, 1, scale, scale}
}

// drawProblem20 draws a graph of one of the kinds and small numbers, zeros and ties among them.
func drawProblem20(t *rapid.T, most int) *problem20 {
	c := &problem20{n: rapid.IntRange(0, most).Draw(t, "n")}
	c.kind = rapid.SampledFrom(orders.Kinds).Draw(t, "kind")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "arcs"), 1))
	c.arcs = orders.Draw(r, c.kind, c.n)
	for range c.n {
		c.work = append(c.work, rapid.Int64Range(0, 6).Draw(t, "work"))
		c.weight = append(c.weight, rapid.Int64Range(0, 4).Draw(t, "weight"))
		c.due = append(c.due, rapid.Int64Range(-3, 24).Draw(t, "due"))
		c.alone = append(c.alone, 1<<rapid.IntRange(0, 3).Draw(t, "alone"))
		var due, cost []int64
		d, x := rapid.Int64Range(-2, 8).Draw(t, "level"), int64(0)
		for range rapid.IntRange(0, 3).Draw(t, "levels") {
			x += rapid.Int64Range(0, 5).Draw(t, "cost")
			due, cost = append(due, d), append(cost, x)
			d += rapid.Int64Range(1, 9).Draw(t, "next")
		}
		c.slaDue, c.slaCost = append(c.slaDue, due), append(c.slaCost, cost)
	}
	return c
}

func (c *problem20) graph(t rapid.TB) *precedence.Graph {
	g, err := precedence.NewGraph(c.n, c.arcs)
	must(t, err)
	return g
}

// checkSolution checks what holds of every solution.
func checkSolution(t interface{ Fatalf(string, ...any) }, call string, c *problem20, g *precedence.Graph, work []float64, obj precedence.Objective, s precedence.Solution) {
	if err := precedence.Verify(g, s.Order); err != nil {
		t.Fatalf("%s: order %v: %v", call, s.Order, err)
	}
	v, err := precedence.Evaluate(work, obj, s.Order)
	if err != nil || v != s.Value {
		t.Fatalf("%s: Value = %v, Evaluate gives %v, %v", call, s.Value, v, err)
	}
	if !(s.Bound <= s.Value) || s.Exact != (s.Bound == s.Value) && c.n > 0 {
		t.Fatalf("%s: Value %v, Bound %v, Exact %v, Method %v", call, s.Value, s.Bound, s.Exact, s.Method)
	}
}

func TestMinimizeAgainstAllLinearExtensions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			checkProblem20(t, drawProblem20(t, 8), rapid.SampledFrom([]float64{1, 0.125, 1024}).Draw(t, "scale"))
		}
	})
}

// checkProblem20 compares the twenty optima with those of all linear extensions.
func checkProblem20(t *rapid.T, c *problem20, scale float64) {
	g := c.graph(t)
	if c.n == 0 {
		return
	}
	objs, factor := must20(t, c, scale)
	work := scaled(c.work, scale)
	for i, obj := range objs {
		call := fmt.Sprintf("Minimize(%s, arcs %v, work %v, %s #%d %v)", c.kind, c.arcs, work, objectiveNames[i%10], i, obj.Penalties)
		cost := func(j int, end int64) int64 { return c.costs(j, end)[i%10] }
		least, _ := orders.Least(c.n, c.arcs, c.work, cost, i >= 10)
		want := float64(least) * factor[i%10]
		s, err := precedence.Minimize(g, work, obj, precedence.Options{})
		if err != nil {
			t.Fatalf("%s: %v", call, err)
		}
		checkSolution(t, call, c, g, work, obj, s)
		if !s.Exact || s.Value != want {
			t.Fatalf("%s = %v exact %v by %s, want %v", call, s.Value, s.Exact, s.Method, want)
		}
	}
}

func TestMinimizeGolden(t *testing.T) {
	var file struct {
		Cases []struct {
			ID   int
			Kind string
			N    int
			Prec [][2]int
			Jobs []struct {
				P, W, D int64
				SLA     [][2]int64
			}
			Optimum struct{ Sum, Max map[string]int64 }
			Blocks  [][]int `json:"sidney_blocks"`
		}
	}
	golden.Decode(t, "precedence_malleable.json", &file)
	keys := map[string]int{"C": 0, "wC": 1, "U": 3, "wU": 4, "T": 5, "wT": 6, "SLA": 7, "L": 8, "wL": 9}
	checked, blocks := 0, 0
	for _, e := range file.Cases {
		c := &problem20{n: e.N, arcs: e.Prec, kind: e.Kind}
		for _, j := range e.Jobs {
			c.work, c.weight, c.due, c.alone = append(c.work, j.P), append(c.weight, j.W), append(c.due, j.D), append(c.alone, 1)
			var due, cost []int64
			for _, s := range j.SLA {
				due, cost = append(due, s[0]), append(cost, s[1])
			}
			c.slaDue, c.slaCost = append(c.slaDue, due), append(c.slaCost, cost)
		}
		g := c.graph(t)
		in := sumCase{kind: e.Kind, n: e.N, arcs: e.Prec, work: c.work, weight: c.weight}
		if s := in.checkSmith(t, e.Optimum.Sum["wC"]); !s.Exact {
			t.Errorf("case %d: Smith = %+v, want Exact", e.ID, s)
		}
		if e.Blocks != nil {
			blocks++
			got, err := precedence.SidneyBlocks(g, floats(c.work), floats(c.weight))
			if err != nil || !slices.EqualFunc(got, e.Blocks, slices.Equal) {
				t.Errorf("case %d: SidneyBlocks = %v, %v, want %v", e.ID, got, err, e.Blocks)
			}
		}
		objs, _ := must20(t, c, 1)
		work := scaled(c.work, 1)
		for key, i := range keys {
			for _, x := range []struct {
				obj  precedence.Objective
				want int64
			}{{objs[i], e.Optimum.Sum[key]}, {objs[10+i], e.Optimum.Max[key]}} {
				call := fmt.Sprintf("case %d: Minimize(%s, %s, %v)", e.ID, e.Kind, key, x.obj.Aggregate)
				s, err := precedence.Minimize(g, work, x.obj, precedence.Options{})
				if err != nil {
					t.Fatalf("%s: %v", call, err)
				}
				checkSolution(t, call, c, g, work, x.obj, s)
				if !s.Exact || s.Value != float64(x.want) {
					t.Errorf("%s = %v exact %v by %s, want %d", call, s.Value, s.Exact, s.Method, x.want)
				}
				checked++
			}
		}
	}
	if checked != 18*len(file.Cases) || len(file.Cases) < 100 || blocks < 90 {
		t.Errorf("checked %d optima of %d cases, %d with blocks, want 18 of each of at least 100, and 90", checked, len(file.Cases), blocks)
	}
}
