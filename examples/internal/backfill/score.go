package backfill

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/numbers"
)

// A said is what a job was told, and what it waited.
type said struct {
	week       int // since the first job that was told
	raw, moved quantiles
	wait       float64
}

// A score is how near quantiles came.
type score struct {
	jobs         int
	cover, width float64 // of the interval of 90%: part of the waits within, median width, h
	// The mean pinball loss of the ranks, h; without the largest 1%; of the logarithms of a minute more
	pinball, trimmed, logarithmic float64
}

func judge(list []said) (s score) {
	if len(list) == 0 {
		return s
	}
	var widths, losses, logs []float64
	for _, t := range list {
		if t.moved[0] <= t.wait && t.wait <= t.moved[last] {
			s.cover += 1 / float64(len(list))
		}
		widths = append(widths, (t.moved[last]-t.moved[0])/hour)
		losses = append(losses, t.loss(func(wait float64) float64 { return wait / hour }))
		logs = append(logs, t.loss(func(wait float64) float64 { return math.Log(max(wait, 0) + 60) }))
	}
	slices.Sort(widths)
	slices.Sort(losses)
	s.jobs, s.width, s.pinball, s.logarithmic = len(list), numbers.Quantile(widths, .5), numbers.Mean(losses), numbers.Mean(logs)
	s.trimmed = numbers.Mean(losses[:len(losses)-(len(losses)+99)/100])
	return s
}

// loss is the pinball loss of what was said, in a scale.
func (t *said) loss(scale func(wait float64) float64) (sum float64) {
	for k, p := range ranks {
		off := scale(t.wait) - scale(t.moved[k])
		sum += max(p*off, (p-1)*off) / float64(len(ranks))
	}
	return sum
}

// A verdict is the score on a log, in quarters of it by the median that was said, the least first,
// and by week.
type verdict struct {
	score
	quarters [4]score
	weeks    []score
}

func verdictOn(list []said) (v verdict) {
	v.score = judge(list)
	var byWeek [][]said
	for _, t := range list {
		for len(byWeek) <= t.week {
			byWeek = append(byWeek, nil)
		}
		byWeek[t.week] = append(byWeek[t.week], t)
	}
	for _, of := range byWeek {
		v.weeks = append(v.weeks, judge(of))
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b said) int { return cmp.Compare(a.moved[median], b.moved[median]) })
	for k := range v.quarters {
		v.quarters[k] = judge(list[k*len(list)/4 : (k+1)*len(list)/4])
	}
	return v
}

// low counts the weeks with enough forecasts, and those of them with less than three quarters within.
func (v *verdict) low() (low, judged int) {
	of := slices.DeleteFunc(slices.Clone(v.weeks), func(s score) bool { return s.jobs < few })
	return numbers.Number(of, func(s score) bool { return s.cover < .75 }), len(of)
}
