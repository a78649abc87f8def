package malleable

import (
	"math/bits"
	"slices"

	"github.com/schedmath/schedmath/precedence"
)

// NormalizeMinima appends to dst minima that can be kept whatever the works and the priority are
// ([1], section 3.3): Min of a job without work or if W <= slots, otherwise floor(Min*slots/W),
// which may be 0. W is the largest sum of Min over jobs with work of which none precedes another.
//
// Errors: minima that add up to more than math.MaxInt/4.
func NormalizeMinima(dst []int, slots int, jobs []Job, g *precedence.Graph) ([]int, error) {
	const fn = "malleable.NormalizeMinima"
	if err := checkJobs(fn, slots, jobs, g); err != nil {
		return dst, err
	}
	sum, err := heaviestAntichain(fn, jobs, g)
	if err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, len(jobs))
	for _, j := range jobs {
		m := j.Min
		if sum > slots && j.Work > 0 { // then m <= sum, and the quotient fits
			hi, lo := bits.Mul64(uint64(m), uint64(slots))
			q, _ := bits.Div64(hi, lo, uint64(sum))
			m = int(q)
		}
		dst = append(dst, m)
	}
	return dst, nil
}
