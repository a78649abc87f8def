package hfsp

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The law of taskTimes on one query: its distribution against the formula.
func TestTaskTimesLaw(t *testing.T) {
	const spread = 0.25
	query := pigMixQuery{Name: "q", Fraction: 0.5, MapTime: 3, ReduceTime: 1, PerGiB: 1}
	p := pigMix{shares: [4]float64{0, 1, 0, 0}, gap: 30, queries: []pigMixQuery{query}, maps: taskTimes{8, spread}, reduces: taskTimes{Median: 7}}
	var times []float64
	jobs, _ := drawn(t, p, 1000, 5, 0)
	for _, j := range jobs {
		times = append(times, j.Maps.Works...)
		for _, x := range j.Reduces.Works {
			if x != 7 {
				t.Fatalf("without spread a reduce takes %v s, want 7", x)
			}
		}
	}
	slices.Sort(times)
	law, d := distuv.LogNormal{Mu: math.Log(8 * 3), Sigma: spread}, 0.0
	for i, x := range times { // Kolmogorov-Smirnov distance; sqrt(n) d > 2.2 has a chance of 1 in 8000
		f := law.CDF(x)
		d = max(d, math.Abs(f-float64(i)/float64(len(times))), math.Abs(f-float64(i+1)/float64(len(times))))
	}
	if s := d * math.Sqrt(float64(len(times))); !(s < 2.2) {
		t.Errorf("sqrt(n) times the Kolmogorov-Smirnov distance is %v, want below 2.2", s)
	}
}
