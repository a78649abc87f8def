package shuffle_test

import (
	"math"
	"slices"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/shuffle"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

// unit divides by every number of racks up to 12, so that what fills up racks evenly is a whole
// number.
const unit = 27720

var must = expect.Must

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(math.Abs(a), math.Abs(b)) }

// job is an input of MapRacks in whole bytes.
type job struct {
	blocks  []shuffle.Block
	racks   int
	ratio   float64
	reduces int
	o       shuffle.Options
}

// drawJob draws a job on up to most racks, with every option. Few different sizes and loads make
// ties.
func drawJob(t *rapid.T, most int) job {
	j := job{racks: rapid.IntRange(1, most).Draw(t, "racks"), ratio: float64(rapid.IntRange(0, 12).Draw(t, "ratio/4")) / 4,
		reduces: rapid.IntRange(0, 9).Draw(t, "reduces")}
	all := make([]int, j.racks)
	for q := range all {
		all[q] = q
	}
	for range rapid.IntRange(0, 12).Draw(t, "blocks") {
		copies := rapid.IntRange(0, min(3, j.racks)).Draw(t, "copies")
		j.blocks = append(j.blocks, shuffle.Block{Bytes: float64(unit * rapid.IntRange(0, 4).Draw(t, "bytes")),
			Racks: rapid.Permutation(all).Draw(t, "where")[:copies]})
	}
	if rapid.Bool().Draw(t, "load") {
		for range all {
			j.o.Load = append(j.o.Load, float64(rapid.IntRange(0, 1).Draw(t, "load of a rack")))
		}
	}
	if rapid.Bool().Draw(t, "slots") {
		for range all {
			j.o.Slots = append(j.o.Slots, rapid.IntRange(0, 6).Draw(t, "slots of a rack"))
		}
	}
	j.o.MinRacks = rapid.IntRange(0, j.racks).Draw(t, "least racks")
	return j
}

// order is the racks by input held, then load, then number: by selection.
func (j job) order() []int {
	held := make([]float64, j.racks)
	for _, b := range j.blocks {
		for _, q := range b.Racks {
			held[q] += b.Bytes
		}
	}
	load := func(q int) float64 {
		if j.o.Load == nil {
			return 0
		}
		return j.o.Load[q]
	}
	var order []int
	for len(order) < j.racks {
		first := -1
		for q := range j.racks {
			if !slices.Contains(order, q) && (first < 0 || held[q] > held[first] || held[q] == held[first] && load(q) < load(first)) {
				first = q
			}
		}
		order = append(order, first)
	}
	return order
}

// outcome is what a job does if its maps run on a set of racks.
type outcome struct {
	maps    []int64
	reduces []int
	remote  int64
	shuffle float64
}

func (o outcome) total() float64 { return float64(o.remote) + o.shuffle }

// on is the outcome on the racks of set, in their order of choice: each block to the least loaded
// of its racks there; then the least loaded racks are filled up by the bytes of the others.
func (j job) on(set []int) outcome {
	out := outcome{maps: make([]int64, j.racks), reduces: make([]int, j.racks)}
	least := func(among []int) int {
		at := among[0]
		for _, q := range among {
			if out.maps[q] < out.maps[at] {
				at = q
			}
		}
		return at
	}
	bytes := int64(0)
	for _, b := range j.blocks {
		bytes += int64(b.Bytes)
		var among []int
		for _, q := range set {
			if slices.Contains(b.Racks, q) {
				among = append(among, q)
			}
		}
		if len(among) == 0 {
			out.remote += int64(b.Bytes)
		} else {
			out.maps[least(among)] += int64(b.Bytes)
		}
	}
	for left := out.remote; left > 0; {
		// Raise the lowest racks, together, to the next lowest, or as far as the bytes go.
		low, next := out.maps[least(set)], int64(math.MaxInt64)
		var lowest []int
		for _, q := range set {
			if x := out.maps[q]; x == low {
				lowest = append(lowest, q)
			} else {
				next = min(next, x)
			}
		}
		rise := min(next-low, left/int64(len(lowest)))
		for _, q := range lowest {
			out.maps[q] += rise
		}
		left -= rise * int64(len(lowest))
	}
	if j.reduces == 0 || bytes == 0 {
		return out
	}
	out.reduces = largestRemainder(j.reduces, out.maps)
	crossing := int64(0) // times the number of reduces
	for q, x := range out.maps {
		for p, r := range out.reduces {
			if p != q {
				crossing += x * int64(r)
			}
		}
	}
	out.shuffle = j.ratio * float64(crossing) / float64(j.reduces)
	return out
}

// largestRemainder divides seats by weights, in whole numbers: quotas rounded down, and one more
// for each of the largest remainders.
func largestRemainder(seats int, weights []int64) []int {
	sum := int64(0)
	for _, w := range weights {
		sum += w
	}
	out := make([]int, len(weights))
	rest := make([]int64, len(weights))
	left := seats
	for q, w := range weights {
		out[q], rest[q] = int(int64(seats)*w/sum), int64(seats)*w%sum
		left -= out[q]
	}
	for ; left > 0; left-- {
		at := 0
		for q := range rest {
			if rest[q] > rest[at] {
				at = q
			}
		}
		out[at]++
		rest[at] = -1
	}
	return out
}

// allowed reports whether the options allow the first k racks of order.
func (j job) allowed(order []int, k int) bool {
	if k < j.o.MinRacks || k < 1 {
		return false
	}
	room := 0
	for _, q := range order[:k] {
		if j.o.Slots != nil {
			room += j.o.Slots[q]
		}
	}
	return j.o.Slots == nil || room >= len(j.blocks) || k == j.racks
}
