package fluid_test

import (
	"bufio"
	"compress/gzip"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// goldenNames are the names of policies in the golden files.
var goldenNames = map[string]fluid.Policy{
	"FIFO": fluid.FIFO{}, "PS": fluid.PS{}, "LAS": fluid.LAS{}, "SRPT": fluid.SRPT{},
	"FSP": fluid.FSP{Late: fluid.LateFirst}, "FSP/remaining": fluid.FSP{Late: fluid.LateFirst, ByWork: true},
	"FSP+PS": fluid.FSP{}, "FSP+DC": fluid.FSP{Late: fluid.LateNext}, "FSP+LAS": fluid.FSP{Late: fluid.LateLeastAttained},
}

func TestGoldenCases(t *testing.T) {
	cases := golden.ReadFluid(t).Cases
	if len(cases) != 120 {
		t.Fatalf("the golden file has %d cases, want 120", len(cases))
	}
	played := 0
	for _, c := range cases {
		in := instance{slots: c.Slots.Slots}
		capped := len(c.Slots.Steps) > 0
		for _, j := range c.Jobs {
			capped = capped || j.Cap > 0 && j.Cap < in.slots
			job := fluid.Job{Arrival: j.A, Size: j.S, Estimate: j.S, Weight: j.W}
			if j.E != nil {
				job.Estimate = *j.E
			}
			in.jobs = append(in.jobs, job)
		}
		if capped { // played by internal/oracle/exactfluid
			continue
		}
		played++
		for name, want := range c.Expected {
			in.p = goldenNames[name]
			got, err := fluid.Run(in.slots, in.jobs, in.p)
			if err != nil {
				t.Fatalf("case %d: %v: %v", c.ID, in, err)
			}
			sameTimes(t, c.ID, name, "finish", got.Finish, want.Completion)
			if want.Virtual != nil {
				sameTimes(t, c.ID, name, "virtual finish", got.Virtual, want.Virtual)
			}
		}
	}
	if played < 40 {
		t.Errorf("%d of the golden cases are without caps that bind and steps, want at least 40", played)
	}
}

func sameTimes(t *testing.T, id int, policy, what string, got []float64, want []string) {
	t.Helper()
	for j, w := range want {
		if f := golden.Float(t, w); !(math.Abs(got[j]-f) <= ulps*f) {
			t.Errorf("case %d, %s: %s of job %d is %v, want %s = %v", id, policy, what, j, got[j], w, f)
		}
	}
}

// replay is a golden replay: the jobs and completion times by policy name.
func loadReplay(t *testing.T, name string) (jobs []fluid.Job, finish map[string][]float64) {
	t.Helper()
	f, err := os.Open(golden.Trace(t, "golden/"+name))
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	finish = map[string][]float64{}
	var head []string
	sc := bufio.NewScanner(z)
	for sc.Scan() {
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
	must(t, sc.Err())
	return jobs, finish
}

func replayPolicy(name string) (fluid.Policy, bool) {
	if name == "FIFO" {
		return fluid.FIFO{Turn: true}, true
	}
	p, ok := goldenNames[name]
	return p, ok
}

func TestTraceReplay(t *testing.T) {
	const tol = 1e-5 // seconds; that simulator works to 1e-6 s
	jobs, finish := loadReplay(t, "fb2010_dn4_load0.9_sigma0.tsv.gz")
	if len(finish) != 5 || len(jobs) != 24442 {
		t.Fatalf("the golden replay has %d policies and %d jobs, want 5 and 24442", len(finish), len(jobs))
	}
	for name, want := range finish {
		p, ok := replayPolicy(name)
		if !ok {
			t.Fatalf("unknown policy %s", name)
		}
		got, err := fluid.Run(1, jobs, p)
		must(t, err)
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

func TestTraceReplayErrors(t *testing.T) {
	const tol = 1e-4 // relative, of the mean: single jobs swap at that simulator's tolerance
	jobs, finish := loadReplay(t, "fb2010_dn4_load0.9_sigma0.5.tsv.gz")
	checked := 0
	for name, times := range finish {
		p, ok := replayPolicy(name)
		if !ok {
			continue // SRPT+PS is not one of ours
		}
		checked++
		got, err := fluid.Run(1, jobs, p)
		must(t, err)
		// That simulator lets a job of size 0 wait behind an under-estimated one, ours end when
		// they arrive.
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
