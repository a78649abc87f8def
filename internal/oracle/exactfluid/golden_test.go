package exactfluid_test

import (
	"encoding/json"
	"math/big"
	"os"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/exactfluid"
)

func TestGolden(t *testing.T) {
	raw, err := os.ReadFile("../../../../shared/golden/fluid.json")
	if err != nil {
		t.Skip(err)
	}
	var file struct {
		Cases []struct {
			ID    int
			Slots json.RawMessage
			Jobs  []struct {
				A, S, Cap, W int64
				E            *int64
			}
			Expected map[string]struct{ Completion, Virtual []string }
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
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
	for _, c := range file.Cases {
		var slots int64
		var pairs [][2]int64
		var steps []exactfluid.Step
		if json.Unmarshal(c.Slots, &slots) != nil {
			if err := json.Unmarshal(c.Slots, &pairs); err != nil {
				t.Fatal(err)
			}
			for _, p := range pairs {
				steps = append(steps, exactfluid.Step{Time: big.NewRat(p[0], 1), Slots: big.NewRat(p[1], 1)})
			}
		}
		var jobs []exactfluid.Job
		for _, j := range c.Jobs {
			job := exactfluid.Job{Arrival: big.NewRat(j.A, 1), Size: big.NewRat(j.S, 1), Weight: big.NewRat(max(j.W, 1), 1)}
			job.Estimate = job.Size
			if j.E != nil {
				job.Estimate = big.NewRat(*j.E, 1)
			}
			if j.Cap > 0 {
				job.Slots = big.NewRat(j.Cap, 1)
			}
			jobs = append(jobs, job)
		}
		for name, want := range c.Expected {
			cfg, ok := configs[name]
			if !ok {
				t.Fatalf("case %d: unknown policy %s", c.ID, name)
			}
			got := exactfluid.Run(big.NewRat(slots, 1), steps, jobs, cfg)
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

func compare(t *testing.T, id int, policy, what string, got []*big.Rat, want []string) {
	t.Helper()
	for j, w := range want {
		r, ok := new(big.Rat).SetString(w)
		if !ok {
			t.Fatalf("case %d: %q is no rational", id, w)
		}
		if got[j] == nil || got[j].Cmp(r) != 0 {
			t.Errorf("case %d, %s: %s of job %d is %v, want %v", id, policy, what, j, got[j], w)
		}
	}
}
