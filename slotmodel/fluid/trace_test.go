package fluid_test

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// loadTrace reads a SWIM trace: submit time in the second field, then, after the gap, bytes of map
// input, shuffle and output. A job's size is its bytes with the shuffle counted 1 + d/n = 5 times,
// scaled to load 0.9 over the time to the last arrival.
func loadTrace(tb testing.TB, name string) []fluid.Job {
	tb.Helper()
	f, err := os.Open(golden.Trace(tb, "data/swim/"+name))
	must(tb, err)
	defer f.Close()
	var jobs []fluid.Job
	var sum float64
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var id string
		var at, gap, in, shuffle, out float64
		if _, err := fmt.Fscan(strings.NewReader(sc.Text()), &id, &at, &gap, &in, &shuffle, &out); err != nil {
			tb.Fatalf("%s: %v in %q", name, err, sc.Text())
		}
		jobs = append(jobs, fluid.Job{Arrival: at, Size: in + 5*shuffle + out})
		sum += in + 5*shuffle + out
	}
	scale := 0.9 * jobs[len(jobs)-1].Arrival / sum
	for i := range jobs {
		jobs[i].Size *= scale
		jobs[i].Estimate = jobs[i].Size
	}
	return jobs
}

// misjudged draws estimates that are wrong by log-normal factors.
func misjudged(jobs []fluid.Job, sigma float64, seed uint64) []fluid.Job {
	rng := rand.New(rand.NewPCG(9, seed))
	out := slices.Clone(jobs)
	for i := range out {
		out[i].Estimate = out[i].Size * math.Exp(sigma*rng.NormFloat64())
	}
	return out
}

// Mean sojourn times in seconds as another simulator gave them, which works to an absolute
// tolerance of 1e-6 s.
var published = map[string]map[fluid.Policy]float64{
	"FB-2010_samples_24_times_1hr_0.tsv": {
		fluid.FIFO{Turn: true}: 1933.911427, fluid.PS{}: 27.748637, fluid.SRPT{}: 9.792529, fluid.LAS{}: 17.395701,
		fluid.FSP{}: 10.381256, fluid.FSP{Late: fluid.LateFirst}: 10.381256,
		fluid.FSP{Late: fluid.LateLeastAttained}: 10.381256, fluid.FSP{Late: fluid.LateNext}: 10.381256, fluid.FSP{ByWork: true}: 10.381256,
	},
	"FB-2009_samples_24_times_1hr_0.tsv": {
		fluid.FIFO{Turn: true}: 11135.459237, fluid.PS{}: 75.171077, fluid.SRPT{}: 32.486367, fluid.LAS{}: 49.089941,
		fluid.FSP{}: 32.843027, fluid.FSP{Late: fluid.LateFirst}: 32.843027,
		fluid.FSP{Late: fluid.LateLeastAttained}: 32.843027, fluid.FSP{Late: fluid.LateNext}: 32.843027, fluid.FSP{ByWork: true}: 32.843027,
	},
}

// The means are the other simulator's, and nobody is later under FSP than under PS, not even by
// rounding: a relative 1e-12 of the finish time is allowed.
func TestTraceMeans(t *testing.T) {
	const tol = 1e-5 // relative; the other simulator's tolerance shows in the sixth digit
	for name, means := range published {
		in := instance{slots: 1, jobs: loadTrace(t, name)}
		for p, want := range means {
			if got := mustRun(t, in.with(p)).MeanSojourn(); !(math.Abs(got-want) <= tol*want) {
				t.Errorf("%s: mean sojourn under %v is %v, want %v", name, p, got, want)
			}
		}
		ps, fsp := mustRun(t, in.with(fluid.PS{})), mustRun(t, in.with(fluid.FSP{}))
		for i := range in.jobs {
			if fsp.Finish[i] > ps.Finish[i]*(1+1e-12) {
				t.Fatalf("%s: job %d finishes at %v under FSP, at %v under PS", name, i, fsp.Finish[i], ps.Finish[i])
			}
		}
	}
}

// With log-normal errors the median over the seeds of the mean sojourn time lies between the
// quartiles that another simulator gave for other errors of the same distribution (Figure 2 of the
// HFSP paper).
func TestTraceErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("long: many replays of a trace")
	}
	type quartiles struct{ low, high float64 }
	published := []struct {
		sigma               float64
		srpt, first, shared quartiles
	}{
		{0.125, quartiles{10.44, 12.09}, quartiles{10.22, 11.53}, quartiles{10.11, 10.53}},
		{0.25, quartiles{12.27, 18.50}, quartiles{10.48, 15.39}, quartiles{10.22, 10.57}},
		{0.5, quartiles{17.78, 30.92}, quartiles{11.17, 12.55}, quartiles{10.66, 11.01}},
		{1, quartiles{28.44, 57.23}, quartiles{12.33, 14.14}, quartiles{11.96, 12.90}},
	}
	const seeds = 60
	jobs := loadTrace(t, "FB-2010_samples_24_times_1hr_0.tsv")
	var r fluid.Runner
	var res fluid.Result
	for _, row := range published {
		means := map[fluid.Policy][]float64{}
		for seed := range uint64(seeds) {
			wrong := misjudged(jobs, row.sigma, seed)
			for _, p := range []fluid.Policy{fluid.SRPT{}, fluid.FSP{Late: fluid.LateFirst}, fluid.FSP{}} {
				must(t, r.Run(&res, 1, wrong, p))
				means[p] = append(means[p], res.MeanSojourn())
			}
		}
		for p, want := range map[fluid.Policy]quartiles{fluid.SRPT{}: row.srpt, fluid.FSP{Late: fluid.LateFirst}: row.first, fluid.FSP{}: row.shared} {
			slices.Sort(means[p])
			if m := (means[p][seeds/2-1] + means[p][seeds/2]) / 2; !(want.low <= m && m <= want.high) {
				t.Errorf("sigma %v: median of the mean sojourn times under %v is %v, want from %v to %v", row.sigma, p, m, want.low, want.high)
			}
		}
	}
}

var policies = []fluid.Policy{
	fluid.FIFO{}, fluid.PS{}, fluid.LAS{}, fluid.SRPT{}, fluid.SPT{},
	fluid.FSP{}, fluid.FSP{Late: fluid.LateFirst}, fluid.FSP{Late: fluid.LateLeastAttained}, fluid.FSP{Late: fluid.LateNext},
}
