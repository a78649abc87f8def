package shufflewatcher

import (
	"flag"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

var search = flag.Bool("settings", false, "run the rates of maps anew, in eleven minutes of a processor, and write settings.tsv")

// TestSettings: settings.tsv has a run for each rate, outer mix and repetition of the search. With
// -settings it makes the runs.
func TestSettings(t *testing.T) {
	if *search {
		s := &study{Options: program.Options{Seed: 1}, seeds: found, from: 2 * steadyWindow, until: 2*steadyWindow + 4*3600, terminal: io.Discard, outcomes: map[cell][]*outcome{}}
		s.simulate = s.run
		table := numbers.Table{Columns: searchedColumns}
		for _, rate := range rates {
			for _, mix := range outerMixes {
				r := readingA.with(func(set *setting) { set.rate, set.mix = rate, mix }).versus("")
				if err := s.runRows("settings", []row{r}); err != nil {
					t.Fatal(err)
				}
				for i, x := range s.runs(r.a) {
					table.Add(rate, mix, found.At(i), throughput(all)(s.runs(r.b)[i]), throughput(all)(x))
				}
			}
		}
		if err := os.WriteFile("settings.tsv", table.TSV(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	list, err := changes(searched)
	if err != nil {
		t.Fatal(err)
	}
	if runs := strings.Count(searched, "\n") - 1; runs != len(rates)*len(outerMixes)*found.N {
		t.Errorf("settings.tsv has %d runs, want %d", runs, len(rates)*len(outerMixes)*found.N)
	}
	// By hand, of the rows at 2.5 MB/s: 100 ((303.75/232 + 299.75/236)/2 - 1).
	if got := list[0][0]; !(math.Abs(got-28.9697) <= 1e-3) {
		t.Errorf("at 2.5 MB/s more heavy jobs change throughput by %v%%, want 28.9697", got)
	}
	for _, bad := range []string{"", "map_rate\n", searched + "1\t2\n", searched + "1\t1\t11000\t1\t1\n", searched + "x\t1\t9500\t1\t1\n"} {
		if _, err := changes(bad); err == nil {
			t.Errorf("changes(%.20q...) = nil, want an error", bad)
		}
	}
}
