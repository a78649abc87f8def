package shufflewatcher

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/schedmath/schedmath/examples/internal/report"
)

func TestPilot(t *testing.T) {
	s := &study{Options: report.Options{Seed: 100}, n: 2, from: 3600, until: 5 * 3600, after: 5.5 * 3600, outcomes: map[cell][]*outcome{}}
	if os.Getenv("QUICK") != "" {
		s.Quick = true
		s.from, s.until, s.after = 900, 4500, 5400
	}
	cs := []*contender{fair, delay, drf, swFair, swRelaxed, swDRF, onlyNASS, withSARP, byOutput, byInput}
	if os.Getenv("ALL") != "" {
		cs = append(cs, settings...)
	}
	for _, c := range cs {
		now := time.Now()
		x := cell{contender: c}
		if err := s.ensure("", s.n, x); err != nil {
			t.Fatal(c.name, err)
		}
		b := cell{contender: fair}
		fmt.Printf("%-24s %6.1fs ", c.name, time.Since(now).Seconds())
		for _, m := range []metric{throughput(all), func(o *outcome) float64 { return o.kept }, turnaround(all), turnaround(heavy), turnaround(medium), turnaround(light), traffic(all), shuffled(all), burstiness, func(o *outcome) float64 { return o.busy }, func(o *outcome) float64 { return o.longest }, func(o *outcome) float64 { return report.Mean(o.load) }} {
			fmt.Printf(" %.3g/%.3f", s.mean(s.n, x, m).Mean, s.compare(s.n, x, b, m).Mean)
		}
		fmt.Println()
	}
	r := s.outcomes[s.fit(cell{contender: swFair})][0]
	fmt.Println(r.report, r.expected, r.shift, traffic(all)(r), r.uneven)
}
