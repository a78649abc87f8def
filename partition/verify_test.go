package partition_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/partition"
)

// TestVerifyRejects breaks a good plan in one place at a time.
func TestVerifyRejects(t *testing.T) {
	cost, err := partition.Affine([]float64{1, 0, 0, 0}, []float64{1, 2, 1, 1})
	must(t, err)
	sizes := []float64{2, 9, 4, 3, 1}
	o := partition.Options{Ready: []float64{0, 3, 1, inf}, Deadlines: []float64{20, 20, 20, 0}, Previous: []int{0, 0, 1, -1, 3}, MoveCost: 0.5}
	good := func() partition.Plan {
		p, err := partition.Assign(4, sizes, cost, o)
		must(t, err)
		must(t, partition.Verify(4, sizes, cost, o, p))
		return p
	}
	if p := good(); !p.Feasible || p.Critical != 1 {
		t.Fatalf("%+v, want a plan on time with partition 1 critical", p)
	}
	for name, c := range map[string]struct {
		spoil              func(p *partition.Plan)
		partition, machine int
	}{
		"Of too short":      {func(p *partition.Plan) { p.Of = p.Of[:4] }, -1, -1},
		"Why too long":      {func(p *partition.Plan) { p.Why = append(p.Why, 0) }, -1, -1},
		"Load too short":    {func(p *partition.Plan) { p.Load = p.Load[:3] }, -1, -1},
		"Finish missing":    {func(p *partition.Plan) { p.Finish = nil }, -1, -1},
		"machine -1":        {func(p *partition.Plan) { p.Of[2] = -1 }, 2, -1},
		"machine 4":         {func(p *partition.Plan) { p.Of[0] = 4 }, 0, -1},
		"machine away":      {func(p *partition.Plan) { p.Of[3] = 3 }, 3, -1},
		"unknown reason":    {func(p *partition.Plan) { p.Why[1] = 9 }, 1, -1},
		"another machine":   {func(p *partition.Plan) { p.Of[1] = (p.Of[1] + 1) % 3 }, -1, 0},
		"load":              {func(p *partition.Plan) { p.Load[1] *= 1 + 1e-8 }, -1, 1},
		"load NaN":          {func(p *partition.Plan) { p.Load[1] = nan }, -1, 1},
		"finish":            {func(p *partition.Plan) { p.Finish[0] *= 1 - 1e-8 }, -1, 0},
		"finish infinite":   {func(p *partition.Plan) { p.Finish[2] = inf }, -1, 2},
		"finish of an away": {func(p *partition.Plan) { p.Finish[3] = 0 }, -1, 3},
		"makespan less":     {func(p *partition.Plan) { p.Makespan *= 0.99 }, -1, -1},
		"makespan NaN":      {func(p *partition.Plan) { p.Makespan = nan }, -1, -1},
		"net makespan":      {func(p *partition.Plan) { p.NetMakespan *= 1.01 }, -1, -1},
		"moves":             {func(p *partition.Plan) { p.Moves++ }, -1, -1},
		"not feasible":      {func(p *partition.Plan) { p.Feasible = false }, -1, -1},
		"bound above":       {func(p *partition.Plan) { p.Bound = p.Makespan * 1.01 }, -1, -1},
		"bound negative":    {func(p *partition.Plan) { p.Bound = -1 }, -1, -1},
		"bound NaN":         {func(p *partition.Plan) { p.Bound = nan }, -1, -1},
		"critical -2":       {func(p *partition.Plan) { p.Critical = -2 }, -1, -1},
		"critical 5":        {func(p *partition.Plan) { p.Critical = 5 }, -1, -1},
		"critical small":    {func(p *partition.Plan) { p.Critical = 0 }, 0, -1},
		"critical large":    {func(p *partition.Plan) { p.Bound /= 2 }, 1, -1},
	} {
		p := good()
		c.spoil(&p)
		err := partition.Verify(4, sizes, cost, o, p)
		if err == nil || errors.Is(err, schedmath.ErrInput) {
			t.Errorf("%s: Verify = %v, want a verdict", name, err)
			continue
		}
		if name == "another machine" {
			continue // whichever machine comes first
		}
		at := ""
		if c.partition >= 0 {
			at = fmt.Sprintf("partition %d: ", c.partition)
		} else if c.machine >= 0 {
			at = fmt.Sprintf("machine %d: ", c.machine)
		}
		if what, ok := strings.CutPrefix(err.Error(), "partition: broken plan: "+at); !ok || what == "" || at == "" && strings.ContainsAny(what[:1], "pm") {
			t.Errorf("%s: Verify = %v, want %qand why", name, err, at)
		}
	}
	late := o
	late.Deadlines = []float64{0, 0, 0, 0}
	p := good()
	if err := partition.Verify(4, sizes, cost, late, p); err == nil {
		t.Error("Verify takes a late plan for feasible")
	}
}

// TestVerifyCost: a cost that is no time is bad input, not a broken plan.
func TestVerifyCost(t *testing.T) {
	sizes := []float64{2, 1}
	cost := func(i int, total float64) float64 { return total }
	p, err := partition.Assign(2, sizes, cost, partition.Options{})
	must(t, err)
	for _, x := range []float64{nan, inf, -1} {
		expect.InputError(t, "Verify", partition.Verify(2, sizes, func(int, float64) float64 { return x }, partition.Options{}, p), "partition.Verify", "cost", 0)
		q := p
		q.Of, q.Load, q.Finish, q.Critical = []int{0, 0}, []float64{3, 0}, []float64{3, 0}, 0
		expect.InputError(t, "Verify", partition.Verify(2, sizes, func(i int, total float64) float64 {
			if i == 1 {
				return x
			}
			return total
		}, partition.Options{}, q),
			"partition.Verify", "cost", 1)
	}
}

// TestAssignErrors: every bad argument, for Assign, AssignSketch and Verify.
func TestAssignErrors(t *testing.T) {
	s := newSketch(t, 2, 3, 1)
	cost := func(int, float64) float64 { return 1 }
	three := []float64{1, 2, 3}
	type options = partition.Options
	try := func(name string, sizes []float64, machines int, cost partition.Cost, o options, arg string, index int) {
		t.Helper()
		p, err := partition.Assign(machines, sizes, cost, o)
		expect.InputError(t, "Assign, "+name, err, "partition.Assign", arg, index)
		if p.Of != nil || p.Load != nil || p.Finish != nil || p.Why != nil || p.Makespan != 0 {
			t.Errorf("%s: Assign returns %+v with its error", name, p)
		}
		expect.InputError(t, "Verify, "+name, partition.Verify(machines, sizes, cost, o, partition.Plan{}), "partition.Verify", arg, index)
		if arg == "sizes" || o.Previous != nil {
			return
		}
		row, p, err := partition.AssignSketch(machines, s, cost, o)
		expect.InputError(t, "AssignSketch, "+name, err, "partition.AssignSketch", arg, index)
		if row != 0 || p.Of != nil {
			t.Errorf("%s: AssignSketch returns %d, %+v with its error", name, row, p)
		}
	}
	for _, x := range []float64{nan, -1, inf, -inf, 0x1p201} {
		try("size", []float64{1, x, 1}, 1, cost, options{}, "sizes", 1)
		try("MoveCost", three, 1, cost, options{MoveCost: x}, "o", -1)
		if x != inf {
			try("Ready", three, 2, cost, options{Ready: []float64{0, x}}, "o", 1)
		}
	}
	for _, m := range []int{0, -1, 1<<20 + 1, int(^uint(0) >> 1)} {
		try("machines", three, m, cost, options{}, "machines", -1)
	}
	try("cost", three, 1, nil, options{}, "cost", -1)
	try("Method", three, 1, cost, options{Method: 6}, "o", -1)
	try("Method", three, 1, cost, options{Method: 255}, "o", -1)
	try("Steps", three, 1, cost, options{Steps: -1}, "o", -1)
	try("unknown and bad", []float64{nan, 1, -1}, 1, cost, options{Unknown: true}, "sizes", 2)
	try("Ready", three, 2, cost, options{Ready: three}, "o", -1)
	try("Ready", three, 2, cost, options{Ready: []float64{}}, "o", -1)
	try("Ready", three, 2, cost, options{Ready: []float64{inf, inf}}, "o", -1)
	try("Deadlines", three, 2, cost, options{Deadlines: three}, "o", -1)
	try("Deadlines", three, 2, cost, options{Deadlines: []float64{1, nan}}, "o", 1)
	try("Previous", three, 2, cost, options{Previous: []int{1}}, "o", -1)
	try("Previous", three, 2, cost, options{Previous: []int{0, 2, 0}}, "o", 1)
	try("Previous", three, 2, cost, options{Previous: []int{0, 1, -2}}, "o", 2)
	_, _, err := partition.AssignSketch(2, s, cost, options{Previous: []int{0, 0, 0}})
	expect.InputError(t, "AssignSketch with Previous", err, "partition.AssignSketch", "o", -1)
	must(t, s.Add(1, 5))
	_, _, err = partition.AssignSketch(2, s, func(i int, total float64) float64 { return nan }, options{})
	expect.InputError(t, "AssignSketch with a bad cost", err, "partition.AssignSketch", "cost", 0)
}

// TestHostile: sizes and times at the ends of their ranges, very many equal partitions, none, more
// machines than partitions.
func TestHostile(t *testing.T) {
	same := slices.Repeat([]float64{3}, 100000)
	ramp := make([]float64, 3000)
	for k := range ramp {
		ramp[k] = float64(k % 7)
	}
	for name, c := range map[string]struct {
		sizes    []float64
		machines int
		o        partition.Options
	}{
		"no partition":                {nil, 3, partition.Options{}},
		"one":                         {[]float64{5}, 1, partition.Options{}},
		"more machines":               {[]float64{5, 1}, 1000, partition.Options{}},
		"all zero":                    {make([]float64, 100), 3, partition.Options{Ready: []float64{2, 1, 0}, Deadlines: []float64{0, 0, 0}}},
		"all alike":                   {same, 7, partition.Options{}},
		"all alike on one":            {same, 2, partition.Options{Previous: make([]int, len(same))}},
		"a few values":                {ramp, 50, partition.Options{}},
		"subnormal":                   {[]float64{5e-324, 5e-324, 1e-310}, 2, partition.Options{}},
		"minus zero":                  {[]float64{-1 / inf, 1}, 2, partition.Options{}},
		"largest":                     {[]float64{0x1p199, 0x1p198}, 2, partition.Options{Ready: []float64{0x1p200, 0x1p200}, MoveCost: 0x1p200, Previous: []int{1, 0}}},
		"far apart":                   {[]float64{0x1p199, 1, 1e-300}, 3, partition.Options{}},
		"queues longer than the work": {[]float64{1, 2, 3}, 3, partition.Options{Ready: []float64{1e9, 1e9 + 1, 1e9}}},
		"deadlines passed":            {[]float64{1, 2, 3}, 2, partition.Options{Deadlines: []float64{-inf, -1}}},
	} {
		for _, m := range methods {
			o := c.o
			o.Method = m
			for costName, cost := range map[string]partition.Cost{
				"total":    func(i int, total float64) float64 { return total },
				"constant": func(i int, total float64) float64 { return 7 },
				"nothing":  func(i int, total float64) float64 { return 0 },
			} {
				p, err := partition.Assign(c.machines, c.sizes, cost, o)
				if err != nil {
					t.Errorf("%s, %v, %s: %v", name, m, costName, err)
					continue
				}
				if err := partition.Verify(c.machines, c.sizes, cost, o, p); err != nil {
					t.Errorf("%s, %v, %s: %v", name, m, costName, err)
				}
			}
		}
	}
}
