package shufflewatcher

import (
	"fmt"
	"math"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
)

// comes is the claim that a ratio has the published change, in whole percent.
func comes(claim string, q numbers.Interval, published float64) report.Claim {
	return report.Claim{Claim: claim, Published: signed(published) + "%", Model: percent(q)}.Single(q, report.Change(numbers.Short(published)))
}

// of are claims of a reading.
func (r reading) of(list ...report.Claim) []report.Claim { return report.Of(r.Name, list...) }

// above and below are the claims that a number, written as model, is above or below x.
func above(claim, published string, q numbers.Interval, x float64, model string) report.Claim {
	return report.Claim{Claim: claim, Published: published, Model: model, Relation: fmt.Sprintf("95%% interval above %v", x)}.Above(q, x)
}

func below(claim, published string, q numbers.Interval, x float64, model string) report.Claim {
	return report.Claim{Claim: claim, Published: published, Model: model, Relation: fmt.Sprintf("95%% interval below %v", x)}.Below(q, x)
}

// gain is the claim that a ratio is above 1, or below where better is negative.
func gain(label, what string, q numbers.Interval, better float64, published string) report.Claim {
	if better < 0 {
		return below(label+" lowers "+what, published, q, 1, percent(q))
	}
	return above(label+" raises "+what, published, q, 1, percent(q))
}

// more is the claim that a difference of ratios is above 0.
func more(claim, published string, q numbers.Interval) report.Claim {
	return above(claim, published, q, 0, points(q))
}

// near is the claim that something lies within d of x.
func near(claim, published string, q numbers.Interval, x, d float64) report.Claim {
	return report.Claim{Claim: claim, Published: published, Model: q.String(), Relation: fmt.Sprintf("95%% interval within %v of %v", d, x)}.Within(q, x-d, x+d)
}

// together is the claim that all of a list hold.
func together(claim, published, relation string, list ...report.Claim) report.Claim {
	model := numbers.Words(list, ", ", func(x report.Claim) string { return x.Claim + " " + x.Model })
	return report.Claim{Claim: claim, Published: published, Model: model, Relation: relation}.All(list...)
}

// percent writes the interval of a ratio as a change: "+12 ± 3%".
func percent(i numbers.Interval) string {
	i.Mean--
	return points(i) + "%"
}

// points writes an interval times 100.
func points(i numbers.Interval) string {
	return signed(100*i.Mean) + " ± " + numbers.Short2(100*i.Half)
}

// signed writes a number with its sign and one decimal.
func signed(x float64) string {
	x = math.Round(10*x)/10 + 0 // -0 is 0
	if x >= 0 {
		return "+" + numbers.Short(x)
	}
	return numbers.Short(x)
}
