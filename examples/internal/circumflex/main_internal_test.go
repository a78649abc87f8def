package circumflex

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/program"
)

// seeded is a study of a seed whose progress nobody watches.
func seeded(seed uint64) *study {
	return newStudy(program.Options{Seed: seed}, io.Discard)
}

// Of the M tried each reading has the one that is nearest to what found it, on the repetitions of
// finding.
func TestReadings(t *testing.T) {
	if testing.Short() {
		t.Skip("long: many simulated runs")
	}
	off := func(o settings, of func(flexMinutes, ratio float64, end int) float64, k scheme) (squares float64) {
		for end := range 2 {
			minutes, ratio := 0.0, 0.0
			for i := range found.N {
				w := newWorkload(steepEnds()[end], o, 1, found.At(i))
				f := play(t, &w, o, flex, averageResponse).value
				minutes += f / float64(found.N)
				ratio += play(t, &w, o, k, averageResponse).value / f / float64(found.N)
			}
			d := of(minutes, ratio, end)
			squares += d * d
		}
		return squares
	}
	byFlex := func(minutes, _ float64, end int) float64 { return minutes - impliedFlex(end).Middle() }
	by := func(k scheme) func(_, ratio float64, end int) float64 {
		return func(_, ratio float64, end int) float64 { return ratio - published5[k][end] }
	}
	for i, c := range []struct {
		scheme scheme
		of     func(minutes, ratio float64, end int) float64
		others []int
	}{{circumflex, by(circumflex), []int{5, 10, 20, 100}}, {batch, byFlex, []int{9, 11}}, {batch, by(batch), []int{17, 19}}} {
		r := newReadings()[i]
		best := off(r.settings, c.of, c.scheme)
		for _, max := range c.others {
			o := r.settings
			if o.max = max; off(o, c.of, c.scheme) < best {
				t.Errorf("reading %s: a maximum of %d is nearer than %d", r.Name, max, r.max)
			}
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
