package circumflex

import (
	"fmt"
	"math"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/report"
)

// claims fills in what the claims of one figure have in common. A claim that holds needs no note about why it does not; basis, what the
// numbers rest on, is for all.
func claims(item, basis string, list ...report.Claim) []report.Claim {
	for i := range list {
		c := &list[i]
		c.Paper, c.Item = "circumflex", item
		if c.Holds {
			c.Note = ""
		}
		if c.Note != "" && basis != "" {
			c.Note += "; "
		}
		c.Note += basis
	}
	return list
}

// within says whether x is no further from want than tolerance; NaN is near nothing.
func within(x, want, tolerance float64) bool { return math.Abs(x-want) <= tolerance }

// fixed writes x with two decimals, as the paper does.
func fixed(x float64) string {
	if x != x {
		return "NA"
	}
	return fmt.Sprintf("%.2f", x)
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// joined writes numbers with two decimals.
func joined(xs []float64) string {
	var text []string
	for _, x := range xs {
		text = append(text, fixed(x))
	}
	return strings.Join(text, " ")
}
