package circumflex

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// silent is the progress that nobody watches.
var silent = program.NewProgress(io.Discard, "", 1)

// Each reading is what it was found by: over 18 repetitions, and over 20 of another seed for the M
// of reading B.
func TestReadings(t *testing.T) {
	if testing.Short() {
		t.Skip("long: many simulated runs")
	}
	s, err := newStudy(report.Options{Quick: true, Seed: 1}), error(nil)
	s.n, s.points = 9, steepEnds()
	s.cells, err = simulate(under(s.o, s.points...), s.seed, s.n, []metric{averageResponse}, silent)
	must(t, err)
	must(t, s.read(&bytes.Buffer{}))
	for i := range s.readings[:3] {
		r := &s.readings[i]
		for _, c := range r.claims() {
			if slices.Contains(r.found, c.Headline) && !c.Holds {
				t.Errorf("reading %s was found by %q, which does not hold: %s", r.Name, c.Headline, c.Model)
			}
		}
	}
	off := func(most int) float64 { // of F at both ends, squared
		o := s.readings[1].settings
		o.max = most
		sum := 0.0
		for i, p := range steepEnds() {
			mean := 0.0
			for k := range 20 {
				w := newWorkload(p, o, 777, k)
				mean += play(t, &w, o, flex, averageResponse).value / 20
			}
			d := mean - 1/(published5[batch][i]-published5[circumflex][i])
			sum += d * d
		}
		return sum
	}
	found := s.readings[1].max
	for _, other := range []int{found - 1, found + 1} {
		if off(other) < off(found) {
			t.Errorf("M = %d gives FLEX's response time closer than M = %d", other, found)
		}
	}
}

func TestFlags(t *testing.T) {
	for _, args := range [][]string{{"-max", "40"}, {"-trace", "file"}} {
		var out, errs bytes.Buffer
		if code := Main(append(args, "-out", t.TempDir()), &out, &errs); code != 2 || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 || !strings.HasPrefix(errs.String(), "circumflex: ") {
			t.Errorf("circumflex %q = %d, stdout %q, stderr %q, want 2 and one line on stderr", args, code, out.String(), errs.String())
		}
	}
	var out, errs bytes.Buffer
	if code := Main([]string{"-help"}, &out, &errs); code != 0 || errs.Len() > 0 {
		t.Errorf("circumflex -help = %d, stderr %q", code, errs.String())
	}
	for _, want := range []string{"-out DIR", "-quick", "-seed N", "(default 1)", `(default "figures")`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("-help lacks %q:\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "-trace") {
		t.Error("-help names -trace, which this example does not have")
	}
}

func TestSlope(t *testing.T) {
	if got := slope([]float64{1, 3, 5, 7}); !within(got, 2, 1e-15) {
		t.Errorf("slope(1 3 5 7) = %v, want 2", got)
	}
}
