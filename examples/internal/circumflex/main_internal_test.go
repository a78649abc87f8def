package circumflex

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// missed are the readings and claims that do not follow from the published parameters together
// with the others, whatever the seed.
var missed = []string{
	"A BATCH/FLEX, perfectly negative correlation",
	"A BATCH/FLEX, perfectly positive correlation",
	"A FLEX's average response time, minutes",
	"A most concurrent subjobs, averaged over datasets, perfectly positive correlation",
	"A the worst CIRCUMFLEX/FLEX in the entire graph",
	"A the best BATCH/FLEX overall",
	"B most concurrent subjobs, averaged over datasets, perfectly positive correlation",
	"B the worst CIRCUMFLEX/FLEX in the entire graph",
	"C CIRCUMFLEX/FLEX, perfectly negative correlation",
	"C FLEX's average response time, minutes",
	"C most concurrent subjobs, averaged over datasets, perfectly positive correlation",
	"C the worst CIRCUMFLEX/FLEX in the entire graph",
	"A CIRCUMFLEX is even stronger relative to FLEX than for the average response time, average stretch",
	" one M gives CIRCUMFLEX/FLEX .81 → .47 and BATCH/FLEX 1.48 → 1.11",
	" CIRCUMFLEX does more work than BATCH whatever M",
	"A BATCH goes on satisfactorily at loads far above 1",
	"A BATCH runs at loads far above 1 with essentially unchanging work averages",
	"A CIRCUMFLEX runs at loads far above 1 with essentially unchanging work averages",
	"D BATCH runs at loads far above 1 with essentially unchanging work averages",
	"D CIRCUMFLEX runs at loads far above 1 with essentially unchanging work averages",
	"A the maximum number of jobs batched together, averaged over datasets",
}

// orderings are those that hold at every point, also by the wider intervals of a quick run.
var orderings = []string{"CIRCUMFLEX always performs better", "the worst CIRCUMFLEX ratio is better than", "CIRCUMFLEX does more work than BATCH but", "BATCH always performs worse"}

// kinds are those of figures whose claims are all of one kind.
var kinds = map[string]report.Kind{"fig2": report.Constructed, "fig5b": report.Measured, "fig6a": report.Measured, "fig6b": report.Measured, "fig6c": report.Measured, "fig7": report.Theory,
	"fig8": report.Constructed, "fig9": report.Constructed, "load": report.Measured}

// extended are what the paper says cannot be done.
var extended = []string{"of the 16 metrics the current version can handle 11", "with semi-shared scans minimax metrics can be handled, but not"}

func TestCircumflexSection(t *testing.T) {
	if testing.Short() {
		t.Skip("long: many simulated runs")
	}
	p, err := Plan(report.Options{Quick: true, Seed: 1}, &bytes.Buffer{})
	must(t, err)
	s, err := p.Section(nil)
	must(t, err)
	no := slices.Clone(missed)
	for _, f := range s.Figures {
		if len(f.Claims) == 0 || len(f.Numbers.Rows) == 0 || f.Picture == nil {
			t.Errorf("%s: %d claims, %d rows, picture %v", f.Item, len(f.Claims), len(f.Numbers.Rows), f.Picture)
		}
		simulated := strings.HasPrefix(f.Item, "fig5") || strings.HasPrefix(f.Item, "fig6") || slices.Contains([]string{"readings", "slots", "load", "arrivals", "fraction", "sums"}, f.Item)
		for _, c := range f.Claims {
			if quick := strings.Contains(c.Note, "quick run"); quick != simulated {
				t.Errorf("%s %q: a quick run is noted %v, want %v: %q", f.Item, c.Claim, quick, simulated, c.Note)
			}
			if want, ok := kinds[f.Item]; ok && c.Kind != want {
				t.Errorf("%s %q is %v, want %v", f.Item, c.Claim, c.Kind, want)
			}
			if want := slices.ContainsFunc(extended, func(s string) bool { return strings.HasPrefix(c.Claim, s) }); (c.HoldsWord() == "extends") != want {
				t.Errorf("%s %q: %s, extends %v wanted", f.Item, c.Claim, c.HoldsWord(), want)
			}
			if k := slices.Index(no, c.Reading+" "+c.Claim); k >= 0 {
				no = slices.Delete(no, k, k+1)
				if c.Holds {
					t.Errorf("%s %q holds: %s", f.Item, c.Claim, c.Model)
				}
			} else if !c.Holds && (!simulated || slices.ContainsFunc(orderings, func(s string) bool { return strings.HasPrefix(c.Claim, s) })) {
				t.Errorf("%s %q: %q does not hold: %s", f.Item, c.Claim, c.Relation, c.Model)
			}
		}
	}
	if len(no) > 0 {
		t.Errorf("claims not made: %q", no)
	}
}

// Each reading is what it was found by: over 40 repetitions, and over 20 of another seed for the M
// of reading B.
func TestReadings(t *testing.T) {
	if testing.Short() {
		t.Skip("long: many simulated runs")
	}
	s, err := newStudy(report.Options{Quick: true, Seed: 1}), error(nil)
	s.n = 4
	s.cells, err = simulate(under(s.o, s.points[len(s.points)-relations:]...), s.seed, s.n, []metric{averageResponse}, nil)
	must(t, err)
	s.points = s.points[len(s.points)-relations:]
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
		cells, err := simulate(under(o, steepEnds()...), 777, 20, []metric{averageResponse}, nil)
		must(t, err)
		sum := 0.0
		for i, c := range cells {
			d := report.Mean(c.value[averageResponse][flex]) - 1/(published5[batch][i]-published5[circumflex][i])
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
	largest, err := largestBatches(s.o, s.seed)
	must(t, err)
	if m, d := report.Mean(largest.perSet), report.SD(largest.perSet); !within(m, 4.9, 2*d) {
		t.Errorf("largest batch over ten runs %v ± %v, want 4.8 to 5.0", m, d)
	}
	if len(largest.perRun) != repetitions*len(largest.perSet) || !(report.Mean(largest.perRun) < 4) {
		t.Errorf("largest batch in each of %d runs %v, want less than over ten", len(largest.perRun), report.Mean(largest.perRun))
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
