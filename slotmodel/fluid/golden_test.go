package fluid_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// goldenNames are the names of policies in the golden files.
var goldenNames = map[string]fluid.Policy{
	"FIFO": fluid.FIFO{}, "PS": fluid.PS{}, "LAS": fluid.LAS{}, "SRPT": fluid.SRPT{},
	"FSP": fluid.FSP{Late: fluid.First}, "FSP/remaining": fluid.FSP{Late: fluid.First, ByWork: true},
	"FSP+PS": fluid.FSP{}, "FSP+DC": fluid.FSP{Late: fluid.Next}, "FSP+LAS": fluid.FSP{Late: fluid.LeastAttained},
}

func TestGoldenCases(t *testing.T) {
	raw, err := os.ReadFile("../../../shared/golden/fluid.json")
	if err != nil {
		t.Skip(err)
	}
	var file struct {
		Cases []struct {
			ID    int
			Slots json.RawMessage
			Jobs  []struct {
				A, S, Cap, W float64
				E            *float64
			}
			Expected map[string]struct{ Completion, Virtual []string }
		}
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Cases {
		in := instance{}
		var pairs [][2]float64
		if json.Unmarshal(c.Slots, &in.slots) != nil {
			if err := json.Unmarshal(c.Slots, &pairs); err != nil {
				t.Fatal(err)
			}
		}
		for _, p := range pairs {
			in.o.Capacity = append(in.o.Capacity, fluid.Step{Time: p[0], Slots: p[1]})
		}
		for _, j := range c.Jobs {
			job := fluid.Job{Arrival: j.A, Size: j.S, Estimate: j.S, Slots: j.Cap, Weight: j.W}
			if j.E != nil {
				job.Estimate = *j.E
			}
			in.jobs = append(in.jobs, job)
		}
		for name, want := range c.Expected {
			in.p = goldenNames[name]
			got, err := fluid.Run(in.slots, in.jobs, in.p, in.o)
			if err != nil {
				t.Fatalf("case %d: %v: %v", c.ID, in, err)
			}
			sameTimes(t, c.ID, name, "finish", got.Finish, want.Completion)
			if want.Virtual != nil {
				sameTimes(t, c.ID, name, "virtual finish", got.Virtual, want.Virtual)
			}
		}
	}
}

func sameTimes(t *testing.T, id int, policy, what string, got []float64, want []string) {
	t.Helper()
	for j, w := range want {
		r, ok := new(big.Rat).SetString(w)
		if !ok {
			t.Fatalf("case %d: %q is no rational", id, w)
		}
		if f, _ := r.Float64(); !(math.Abs(got[j]-f) <= ulps*f) {
			t.Errorf("case %d, %s: %s of job %d is %v, want %s = %v", id, policy, what, j, got[j], w, f)
		}
	}
}

// replay is a golden replay: the jobs and completion times by policy name.
func loadReplay(t *testing.T, name string) (jobs []fluid.Job, finish map[string][]float64) {
	t.Helper()
	f, err := os.Open("../../../shared/golden/" + name)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	finish = map[string][]float64{}
	var head []string
	for sc := bufio.NewScanner(z); sc.Scan(); {
		fields := strings.Split(sc.Text(), "\t")
		if head == nil {
			head = fields
			continue
		}
		var x [16]float64
		for i := 1; i < len(fields); i++ {
			if x[i], err = strconv.ParseFloat(fields[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		jobs = append(jobs, fluid.Job{Arrival: x[1], Size: x[2], Estimate: x[3]})
		for i := 4; i < len(fields); i++ {
			finish[head[i]] = append(finish[head[i]], x[i])
		}
	}
	return jobs, finish
}

func replayPolicy(name string) (fluid.Policy, bool) {
	if name == "FIFO" {
		return fluid.FIFO{Turn: true}, true
	}
	p, ok := goldenNames[name]
	return p, ok
}

func TestGoldenReplay(t *testing.T) {
	const tol = 1e-5 // seconds; that simulator works to 1e-6 s
	jobs, finish := loadReplay(t, "fb2010_dn4_load0.9_sigma0.tsv.gz")
	for name, want := range finish {
		p, ok := replayPolicy(name)
		if !ok {
			t.Fatalf("unknown policy %s", name)
		}
		got, err := fluid.Run(1, jobs, p, fluid.Options{})
		if err != nil {
			t.Fatal(err)
		}
		worst, at := 0.0, 0
		for i := range want {
			if d := math.Abs(got.Finish[i] - want[i]); !(d <= worst) {
				worst, at = d, i
			}
		}
		if !(worst <= tol) {
			t.Errorf("%s: job %d finishes at %v, want %v within %v", name, at, got.Finish[at], want[at], tol)
		}
	}
}

func TestGoldenReplayErrors(t *testing.T) {
	const tol = 1e-4 // relative, of the mean: single jobs swap at that simulator's tolerance
	jobs, finish := loadReplay(t, "fb2010_dn4_load0.9_sigma0.5.tsv.gz")
	checked := 0
	for name, times := range finish {
		p, ok := replayPolicy(name)
		if !ok {
			continue // SRPT+PS is not one of ours
		}
		checked++
		got, err := fluid.Run(1, jobs, p, fluid.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// That simulator lets a job of size 0 wait behind an under-estimated one, ours end when they arrive.
		var mean, want float64
		for i, f := range times {
			if jobs[i].Size > 0 {
				mean += got.Sojourn[i]
				want += f - jobs[i].Arrival
			}
		}
		if !(math.Abs(mean-want) <= tol*want) {
			t.Errorf("%s: sum of sojourns is %v, want %v", name, mean, want)
		}
	}
	if checked != 5 {
		t.Errorf("checked %d policies, want 5", checked)
	}
}
