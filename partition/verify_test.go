package partition_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath"
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
		"unknown reason":    {func(p *partition.Plan) { p.Why[1] = 10 }, 1, -1},
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

// TestHostile: sizes and times at the ends of their ranges, very many equal partitions, none, more
// machines than partitions.
func TestHostile(t *testing.T) {
	same := slices.Repeat([]float64{3}, 20000)
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
