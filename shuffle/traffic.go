package shuffle

import "github.com/schedmath/schedmath/internal/input"

const (
	most      = 0x1p200 // bytes and times; no sum or product of two overflows
	mostTasks = 1e9     // of one job, or slots of one rack
	mostRacks = 1 << 20
)

// Link is what a rack sends to and receives from all other racks: bytes, or bytes per time.
type Link struct{ Out, In float64 }

// CrossRack returns the bytes of a job's shuffle that cross racks [SW 3.2, 3.3]: the sum of I_q (1
// - R_q / R) over the racks q, where intermediate[q] is I_q, reduces[q] is R_q and R their sum.
// Without reduces nothing is shuffled.
func CrossRack(intermediate []float64, reduces []int) (float64, error) {
	if err := checkPlacement("shuffle.CrossRack", intermediate, reduces); err != nil {
		return 0, err
	}
	return cross(intermediate, reduces), nil
}

// Traffic appends to dst what each rack sends and receives during the shuffle: Out is I_q (1 - R_q
// / R), In is R_q / R times the bytes of all other racks. Each sums to CrossRack of the same
// arguments.
func Traffic(dst []Link, intermediate []float64, reduces []int) ([]Link, error) {
	if err := checkPlacement("shuffle.Traffic", intermediate, reduces); err != nil {
		return dst, err
	}
	n := len(dst)
	dst = append(dst, make([]Link, len(intermediate))...)
	all := float64(count(reduces))
	if all == 0 {
		return dst, nil
	}
	// The bytes of the racks before and after each, since the total less those of the rack would
	// cancel.
	before, after := 0.0, 0.0
	for q, x := range intermediate {
		dst[n+q] = Link{Out: sent(x, reduces[q], all), In: before}
		before += x
	}
	for q := len(intermediate) - 1; q >= 0; q-- {
		dst[n+q].In = (dst[n+q].In + after) * (float64(reduces[q]) / all)
		after += intermediate[q]
	}
	return dst, nil
}

// cross is CrossRack without checks.
func cross(intermediate []float64, reduces []int) float64 {
	all := float64(count(reduces))
	if all == 0 {
		return 0
	}
	sum := 0.0
	for q, x := range intermediate {
		sum += sent(x, reduces[q], all)
	}
	return sum
}

// sent is what a rack with x bytes of map output and some of all reduces sends to others.
func sent(x float64, reduces int, all float64) float64 {
	return x * ((all - float64(reduces)) / all)
}

func count(tasks []int) int64 {
	n := int64(0)
	for _, k := range tasks {
		n += int64(k)
	}
	return n
}

func checkPlacement(fn string, intermediate []float64, reduces []int) error {
	if err := checkBytes(fn, "intermediate", intermediate); err != nil {
		return err
	}
	return checkTasks(fn, "reduces", reduces, len(intermediate))
}

// checkBytes checks bytes for each rack.
func checkBytes(fn, arg string, bytes []float64) error {
	if len(bytes) == 0 {
		return input.Bad(fn, arg, -1, "empty, want an element for each rack")
	}
	for q, x := range bytes {
		if !isSize(x) {
			return input.Bad(fn, arg, q, "%v, want bytes in [0, 2^200]", x)
		}
	}
	return nil
}

// checkTasks checks numbers of tasks or slots for each rack.
func checkTasks(fn, arg string, tasks []int, racks int) error {
	if len(tasks) != racks {
		return input.Bad(fn, arg, -1, "%d elements, want %d, one for each rack", len(tasks), racks)
	}
	for q, k := range tasks {
		if !isCount(k) {
			return input.Bad(fn, arg, q, "%d, want a number in [0, 10^9]", k)
		}
	}
	return nil
}

func isSize(x float64) bool { return x >= 0 && x <= most }
func isCount(k int) bool    { return k >= 0 && k <= mostTasks }
