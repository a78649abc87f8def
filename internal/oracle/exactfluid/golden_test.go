package exactfluid_test

import (
	"math/big"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/exactfluid"
	"github.com/schedmath/schedmath/internal/oracle/golden"
)

func TestGolden(t *testing.T) {
	configs := map[string]exactfluid.Config{
		"FIFO":          {Policy: exactfluid.FIFO},
		"PS":            {Policy: exactfluid.PS},
		"LAS":           {Policy: exactfluid.LAS},
		"SRPT":          {Policy: exactfluid.SRPT},
		"FSP":           {Policy: exactfluid.FSP, Late: exactfluid.First},
		"FSP/remaining": {Policy: exactfluid.FSP, Late: exactfluid.First, ByWork: true},
		"FSP+PS":        {Policy: exactfluid.FSP, Late: exactfluid.Share},
		"FSP+DC":        {Policy: exactfluid.FSP, Late: exactfluid.Next},
		"FSP+LAS":       {Policy: exactfluid.FSP, Late: exactfluid.LeastAttained},
	}
	checked := 0
	for _, c := range golden.ReadFluid(t).Cases {
		var steps []exactfluid.Step
		for _, p := range c.Slots.Steps {
			steps = append(steps, exactfluid.Step{Time: exact(p[0]), Slots: exact(p[1])})
		}
		var jobs []exactfluid.Job
		for _, j := range c.Jobs {
			job := exactfluid.Job{Arrival: exact(j.A), Size: exact(j.S), Weight: exact(max(j.W, 1))}
			job.Estimate = job.Size
			if j.E != nil {
				job.Estimate = exact(*j.E)
			}
			if j.Cap > 0 {
				job.Slots = exact(j.Cap)
			}
			jobs = append(jobs, job)
		}
		for name, want := range c.Expected {
			cfg, ok := configs[name]
			if !ok {
				t.Fatalf("case %d: unknown policy %s", c.ID, name)
			}
			got := exactfluid.Run(exact(c.Slots.Slots), steps, jobs, cfg)
			compare(t, c.ID, name, "finish", got.Finish, want.Completion)
			if want.Virtual != nil {
				compare(t, c.ID, name, "virtual finish", got.Virtual, want.Virtual)
			}
			checked++
		}
	}
	if checked < 800 {
		t.Errorf("checked %d runs of the golden file, want at least 800", checked)
	}
}

func exact(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func compare(t *testing.T, id int, policy, what string, got []*big.Rat, want []string) {
	t.Helper()
	for j, w := range want {
		if got[j] == nil || got[j].Cmp(golden.Rat(t, w)) != 0 {
			t.Errorf("case %d, %s: %s of job %d is %v, want %v", id, policy, what, j, got[j], w)
		}
	}
}
