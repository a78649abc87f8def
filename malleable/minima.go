package malleable

import (
	"math/bits"
	"slices"

	"github.com/schedmath/schedmath/precedence"
)

// CheckMinima returns nil if the minima can be kept whatever the works and the priority are: no
// antichain has more than slots. Otherwise it returns a MinimaError with the heaviest antichain.
// Pack may still find a schedule for these works, if the jobs of that antichain are never all
// ready at once. Cost and errors are otherwise those of HeaviestAntichain, and an InputError for
// slots outside 1 to MaxSlots.
func CheckMinima(slots int, jobs []Job, g *precedence.Graph) error {
	const fn = "malleable.CheckMinima"
	if err := checkJobs(fn, slots, jobs, g); err != nil {
		return err
	}
	chain, sum, err := HeaviestAntichain(nil, jobs, g)
	if err != nil {
		return renamed(fn, err)
	}
	if sum > slots {
		return &MinimaError{Jobs: chain, Minima: sum, Slots: slots}
	}
	return nil
}

// NormalizeMinima appends to dst a minimum for each job such that CheckMinima returns
// nil: Min itself if the minima of the heaviest antichain add up to W <= slots, otherwise
// floor(Min*slots/W), so that all give up the same part. Section 3.3 of [1] asks for this as a
// precomputation step without saying how. A minimum of 0 can come out; such a job may have to wait.
//
// Cost and errors are those of CheckMinima, without its MinimaError; dst is then returned as it
// was.
func NormalizeMinima(dst []int, slots int, jobs []Job, g *precedence.Graph) ([]int, error) {
	const fn = "malleable.NormalizeMinima"
	if err := checkJobs(fn, slots, jobs, g); err != nil {
		return dst, err
	}
	_, sum, err := HeaviestAntichain(nil, jobs, g)
	if err != nil {
		return dst, renamed(fn, err)
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
