package malleable

import (
	"math/bits"
	"slices"

	"github.com/schedmath/schedmath/precedence"
)

// CheckMinima returns nil if the minima can be kept whatever the works and the priority are: no antichain has more than slots.
// Otherwise it returns a MinimaError with the heaviest antichain. A packing of these works may do all the same, because its
// jobs are never all ready at once: Pack finds out. Cost and errors are otherwise those of HeaviestAntichain, and an InputError
// for slots outside 1 to MaxSlots.
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

// NormalizeMinima appends to dst a minimum for each job with which CheckMinima is content: Min itself if the heaviest antichain
// has W <= slots, otherwise floor(Min*slots/W), so that all give up the same part. It is what section 3.3 of [1] calls a
// precomputation step without saying how; a job's minimum may come out as 0, and then it may have to wait.
//
// Cost and errors are those of CheckMinima, without its MinimaError; dst is then returned as it was.
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
