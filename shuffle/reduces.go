package shuffle

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/apportion"
	"github.com/schedmath/schedmath/internal/input"
)

// ReducesPerRack appends to dst how many of a job's reduces each rack should run: in proportion to
// intermediate[q], the bytes that its maps have written on rack q, by largest remainders, ties to
// the lower rack [SW 3.3, Figure 6, lines 2-3]. Take it once, when the first reduce may start;
// before .15 of the maps are done the paper takes MapPlan.Reduces. No bytes on any rack are an
// error.
func ReducesPerRack(dst []int, reduces int, intermediate []float64) ([]int, error) {
	const fn = "shuffle.ReducesPerRack"
	if err := checkReduces(fn, reduces, intermediate); err != nil {
		return dst, err
	}
	if slices.Max(intermediate) == 0 {
		return dst, input.Bad(fn, "intermediate", -1, "0 on every rack, want bytes on one at least")
	}
	n := len(dst)
	dst = slices.Grow(dst, len(intermediate))[:n+len(intermediate)]
	var p proportion
	p.divide(dst[n:], reduces, intermediate)
	return dst, nil
}

// ReducesWithin appends to dst how many of a job's reduces each rack runs for the least CrossRack
// with at most slots[q] on rack q, its free slots or, say, twice the even share: racks are filled
// in the order of their map output, ties to the lower rack. Fewer slots than reduces are an error.
func ReducesWithin(dst []int, reduces int, intermediate []float64, slots []int) ([]int, error) {
	const fn = "shuffle.ReducesWithin"
	if err := checkReduces(fn, reduces, intermediate); err != nil {
		return dst, err
	}
	if err := checkTasks(fn, "slots", slots, len(intermediate)); err != nil {
		return dst, err
	}
	if count(slots) < int64(reduces) {
		return dst, input.Bad(fn, "slots", -1, "%d slots for %d reduces", count(slots), reduces)
	}
	order := make([]int, len(slots))
	for q := range order {
		order[q] = q
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(intermediate[b], intermediate[a]), cmp.Compare(a, b))
	})
	n := len(dst)
	dst = slices.Grow(dst, len(slots))[:n+len(slots)]
	for _, q := range order {
		dst[n+q] = min(reduces, slots[q])
		reduces -= dst[n+q]
	}
	return dst, nil
}

func checkReduces(fn string, reduces int, intermediate []float64) error {
	if !isCount(reduces) {
		return input.Bad(fn, "reduces", -1, "%d, want a number in [0, 10^9]", reduces)
	}
	return checkBytes(fn, "intermediate", intermediate)
}

// proportion divides tasks in proportion to bytes, and keeps its memory for the next division.
type proportion struct{ apportion.Division }

// divide sets out[q] to the share of rack q: 0 if no rack has bytes.
func (p *proportion) divide(out []int, tasks int, bytes []float64) {
	_, e := math.Frexp(slices.Max(bytes)) // the largest is below 2^e
	p.Seats = tasks
	p.Min, p.Cap, p.Weights = p.Min[:0], p.Cap[:0], p.Weights[:0]
	for _, x := range bytes {
		if x = math.Ldexp(x, 200-e); x < 1/most { // what Division takes
			x = 0
		}
		p.Min, p.Cap, p.Weights = append(p.Min, 0), append(p.Cap, tasks), append(p.Weights, x)
	}
	p.Run(out)
}
