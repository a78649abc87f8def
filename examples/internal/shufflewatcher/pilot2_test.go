package shufflewatcher

import (
	"fmt"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
)

func TestPilotRate(t *testing.T) {
	s := &study{Options: report.Options{Seed: 100}, n: 1, from: 3600, until: 5 * 3600, after: 5.5 * 3600, outcomes: map[cell][]*outcome{}}
	for _, set := range []setting{{rate: 1.5}, {rate: 2}, {perUser: 72}} {
		for _, c := range []*contender{fair, swFair, onlyNASS, delay, swRelaxed} {
			x := cell{set, c}
			if err := s.ensure("", s.n, x); err != nil {
				t.Fatal(c.name, err)
			}
			b := cell{set, fair}
			fmt.Printf("%v %-24s ", set, c.name)
			for _, m := range []metric{throughput(all), func(o *outcome) float64 { return o.kept }, turnaround(all), turnaround(heavy), turnaround(medium), turnaround(light), traffic(all), shuffled(all), remote(all), burstiness, func(o *outcome) float64 { return o.busy }} {
				fmt.Printf(" %.3g/%.3f", s.mean(s.n, x, m).Mean, s.compare(s.n, x, b, m).Mean)
			}
			r := s.outcomes[s.fit(x)][0]
			fmt.Println(r.report.Lines, r.shift)
		}
	}
}
