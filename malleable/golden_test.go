package malleable_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/malleable"
)

type goldenJob struct {
	P, W, D float64
	SLA     [][2]float64
	M, Most int
}

// UnmarshalJSON tells m from M, which encoding/json does not by itself.
func (j *goldenJob) UnmarshalJSON(b []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	for name, to := range map[string]any{"p": &j.P, "w": &j.W, "d": &j.D, "sla": &j.SLA, "m": &j.M, "M": &j.Most} {
		if raw, ok := fields[name]; ok {
			if err := json.Unmarshal(raw, to); err != nil {
				return err
			}
		}
	}
	return nil
}

func (j goldenJob) job() malleable.Job { return malleable.Job{Work: j.P, Min: j.M, Max: j.Most} }

type goldenCase struct {
	ID      int
	N, S    int
	Prec    [][2]int
	Jobs    []goldenJob
	Optimum struct {
		Sum, Max map[string]float64
	}
	Packing []struct {
		Priority   []int
		Completion []string
		Makespan   string
		SumWC      string `json:"sum_wC"`
		Intervals  []struct {
			Start, End string
			Alloc      map[string]int
		}
	}
	Best string `json:"best_packing_sum_wC_over_all_priority_orders"`
}

type goldenFile struct {
	Cases      []goldenCase
	Infeasible []struct {
		S    int
		Prec [][2]int
		Jobs []goldenJob
		At   string `json:"infeasible_at"`
	} `json:"infeasible_minima"`
}

func readGolden(t *testing.T) goldenFile {
	t.Helper()
	var f goldenFile
	golden.Decode(t, "precedence_malleable.json", &f)
	return f
}

func (c *goldenCase) instance() instance {
	in := instance{slots: c.S, arcs: c.Prec}
	if in.arcs == nil {
		in.arcs = [][2]int{}
	}
	for _, j := range c.Jobs {
		in.jobs = append(in.jobs, j.job())
	}
	return in
}

// TestPackGolden compares every packing of the golden file, interval by interval.
func TestPackGolden(t *testing.T) {
	all := readGolden(t)
	packings := 0
	for _, c := range all.Cases {
		in := c.instance()
		g := in.graph(t)
		for _, want := range c.Packing {
			packings++
			in.priority = want.Priority
			s, err := malleable.Pack(in.slots, in.jobs, g, want.Priority)
			if err != nil {
				t.Fatalf("case %d: Pack(%v): %v", c.ID, want.Priority, err)
			}
			if err := malleable.Verify(in.slots, in.jobs, g, s); err != nil {
				t.Errorf("case %d: Pack(%v) fails Verify: %v", c.ID, want.Priority, err)
			}
			sum := 0.0
			for j, got := range s.Completion(nil) {
				if w := golden.Float(t, want.Completion[j]); !near(got, w) {
					t.Errorf("case %d: Pack(%v): job %d completes at %v, want %v", c.ID, want.Priority, j, got, w)
				}
				sum += c.Jobs[j].W * got
			}
			if w := golden.Float(t, want.SumWC); !near(sum, w) {
				t.Errorf("case %d: Pack(%v): weighted completion %v, want %v", c.ID, want.Priority, sum, w)
			}
			if w := golden.Float(t, want.Makespan); !near(s.Makespan(), w) {
				t.Errorf("case %d: Pack(%v): makespan %v, want %v", c.ID, want.Priority, s.Makespan(), w)
			}
			var intervals []exactInterval
			for _, iv := range want.Intervals {
				e := exactInterval{golden.Rat(t, iv.Start), golden.Rat(t, iv.End), make([]int, c.N)}
				for name, slots := range iv.Alloc {
					j, err := strconv.Atoi(name)
					must(t, err)
					e.slots[j] = slots
				}
				intervals = append(intervals, e)
			}
			compareIntervals(t, in, s, intervals)
		}
	}
	if packings < 150 {
		t.Errorf("%d packings in the file, want at least 150", packings)
	}
	for i, c := range all.Infeasible {
		in := instance{slots: c.S, arcs: c.Prec}
		var priority []int
		for j, job := range c.Jobs {
			in.jobs = append(in.jobs, job.job())
			priority = append(priority, j)
		}
		_, err := malleable.Pack(in.slots, in.jobs, in.graph(t), priority)
		var minima *malleable.MinimaError
		if want := golden.Float(t, c.At); !errors.As(err, &minima) || !near(minima.Time, want) {
			t.Errorf("infeasible case %d: Pack = %v, want a MinimaError at %v", i, err, want)
		}
	}
}
