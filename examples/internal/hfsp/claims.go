package hfsp

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// Places in laws; the first four are those of sigmas.
const (
	sigma0125 = iota
	sigma025
	sigma05
	sigma1
	measuredMap
	measuredReduce
)

func (s *sweep) median(p, k int) float64 { return s.boxes[p][k].Median }

// medians lists those of a policy by increasing sigma.
func (s *sweep) medians(p int) string {
	return numbers.Words(s.boxes[p][:len(sigmas)], " / ", func(b draw.Box) string { return numbers.Short(b.Median) }) + " s"
}

// between is a claim that the mean of an interval lies within [low, high].
func between(c report.Claim, i numbers.Interval, low, high float64) report.Claim {
	c.Holds, c.Margin = i.Mean >= low && i.Mean <= high, min(i.Over(low), -i.Over(high))
	return c
}

// claims2b are what Section II-B says about Figure 2(b). top is where its axis ends.
func (s *sweep) claims2b(top float64) []report.Claim {
	ps, exact := s.ps, s.exact[srpt]
	increasing := true
	for k := range sigmas[1:] {
		increasing = increasing && s.median(srpt, k) < s.median(srpt, k+1)
	}
	return []report.Claim{
		{Claim: "FCFS has a mean sojourn time of 1934 s", Published: "1934 s", Model: fmt.Sprintf("%.1f s", s.fifo),
			Relation: "equal when rounded to a whole second", Holds: math.Abs(s.fifo-1934) <= 0.5, Margin: math.Inf(1), NotRun: s.synthetic},
		{Claim: "FCFS performs poorly: it lies outside of the plotted graphs", Published: "outside",
			Model: fmt.Sprintf("FCFS %s s, axis up to %s s", numbers.Short(s.fifo), numbers.Short(top)), Relation: "FCFS > the end of the axis, which holds every box and line",
			Holds: s.fifo > top},
		{Claim: "SRPT strongly depends on the error distribution", Published: "strongly dependent",
			Model:    "medians " + s.medians(srpt) + " for increasing σ",
			Relation: "medians increase with σ, the last is at least twice the first", Holds: increasing && s.median(srpt, sigma1) >= 2*s.median(srpt, sigma0125)},
		{Claim: "at σ = 0.25 SRPT largely outperforms PS", Published: "largely outperforms",
			Model: fmt.Sprintf("median %s s, PS %s s", numbers.Short(s.median(srpt, sigma025)), numbers.Short(ps)), Relation: "median <= 2/3 of PS",
			Holds: s.median(srpt, sigma025) <= ps*2/3},
		{Claim: "at σ = 0.5 and above SRPT's sojourn time dramatically increases", Published: "dramatically increases",
			Model:    fmt.Sprintf("medians %s s at 0.5, %s s at 1, %s s without errors", numbers.Short(s.median(srpt, sigma05)), numbers.Short(s.median(srpt, sigma1)), numbers.Short(exact)),
			Relation: "median at 0.5 >= 2 times, at 1 >= 3 times that without errors",
			Holds:    s.median(srpt, sigma05) >= 2*exact && s.median(srpt, sigma1) >= 3*exact},
	}
}

// claims2c are what Section II-B says about Figure 2(c). The paper's SRVT serves late jobs one at a
// time.
func (s *sweep) claims2c() []report.Claim {
	exact := s.exact[fspFirst]
	below, vastly, close, beneficial := true, true, true, true
	for k := range sigmas {
		b := s.boxes[fspFirst][k]
		below = below && b.Median < s.median(srpt, k)
		beneficial = beneficial && b.P95 < s.ps
		if k >= sigma05 {
			vastly = vastly && b.Median <= s.median(srpt, k)*2/3
		} else {
			close = close && near(b.Median, exact, 0.1)
		}
	}
	ends := numbers.Words(s.boxes[fspFirst][:len(sigmas)], " / ", func(b draw.Box) string { return numbers.Short(b.P95) })
	return []report.Claim{
		{Claim: "without errors SRVT is slightly worse than SRPT", Published: "slightly worse",
			Model:    fmt.Sprintf("SRVT %s s, SRPT %s s: ratio %.4f", numbers.Short(exact), numbers.Short(s.exact[srpt]), exact/s.exact[srpt]),
			Relation: "1 < ratio <= 1.1", Holds: exact > s.exact[srpt] && exact <= 1.1*s.exact[srpt], Margin: math.Inf(1)},
		{Claim: "with errors SRVT is vastly preferable to SRPT", Published: "vastly preferable",
			Model:    "medians " + s.medians(fspFirst) + " against " + s.medians(srpt),
			Relation: "median below SRPT's at every σ, at most 2/3 of it at 0.5 and 1", Holds: below && vastly},
		{Claim: "for σ < 0.5 SRVT is close to its mean without errors", Published: "close",
			Model:    fmt.Sprintf("medians %s s at 0.125, %s s at 0.25; %s s without errors", numbers.Short(s.median(fspFirst, sigma0125)), numbers.Short(s.median(fspFirst, sigma025)), numbers.Short(exact)),
			Relation: "medians at 0.125 and 0.25 within 10%", Holds: close},
		{Claim: "size-based scheduling with aging is beneficial even with large errors", Published: "largely beneficial",
			Model:    fmt.Sprintf("95%% of the runs end below %s s, PS %s s", ends, numbers.Short(s.ps)),
			Relation: "95% of the runs below PS at every σ", Holds: beneficial},
		{Claim: "with errors as measured SRVT achieves a near-optimal mean sojourn time", Published: "near-optimal",
			Model:    fmt.Sprintf("medians %s s with the errors of MAP, %s s with those of REDUCE; SRPT without errors %s s", numbers.Short(s.median(fspFirst, measuredMap)), numbers.Short(s.median(fspFirst, measuredReduce)), numbers.Short(s.exact[srpt])),
			Relation: "both at most 1.2 times SRPT's without errors, which is optimal", Holds: max(s.median(fspFirst, measuredMap), s.median(fspFirst, measuredReduce)) <= 1.2*s.exact[srpt]},
	}
}
