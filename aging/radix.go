package aging

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
)

const (
	digitBits = 11
	digits    = 3
	// From here on passes without comparisons beat a comparison sort.
	radixLeast = 400
	// Up to here two digits leave few keys to compare.
	twoDigits = 1 << 17
)

// sortByKey sorts entries, whose ids ascend and whose keys are positive, by (Key, ID). O(n) unless many keys share the
// digits looked at, never worse than O(n log n), with scratch of like size.
func sortByKey(entries []heap.Entry) []heap.Entry {
	sorted, _ := sortWith(entries, nil)
	return sorted
}

// sortWith is sortByKey in scratch of the length of entries, which it makes if need be. It returns the sorted entries in one
// of the two and the other for further use.
//
// The bits of positive keys order as the keys do. A sort by two or three digits, from the least, of the first bits in which the
// keys differ is stable and leaves few keys in the wrong order, each among those that share these digits with it.
func sortWith(entries, scratch []heap.Entry) (sorted, other []heap.Entry) {
	if len(entries) < radixLeast {
		slices.SortFunc(entries, byKey)
		return entries, scratch
	}
	if len(scratch) < len(entries) {
		scratch = make([]heap.Entry, len(entries))
	}
	lo, hi := uint64(math.MaxUint64), uint64(0)
	for _, e := range entries {
		b := math.Float64bits(e.Key)
		lo, hi = min(lo, b), max(hi, b)
	}
	passes := digits
	if len(entries) <= twoDigits {
		passes = 2
	}
	shift := max(0, bits.Len64(hi-lo)-passes*digitBits)
	front := func(e heap.Entry) uint64 { return (math.Float64bits(e.Key) - lo) >> (shift & 63) }

	var counts [digits][1 << digitBits]int32
	for _, e := range entries {
		f := front(e)
		counts[0][f&(1<<digitBits-1)]++
		counts[1][f>>digitBits&(1<<digitBits-1)]++
		counts[2][f>>(2*digitBits)&(1<<digitBits-1)]++
	}
	from, to := entries, scratch[:len(entries)]
	for d := range passes {
		if (hi-lo)>>shift>>(d*digitBits) == 0 {
			break // all keys share the digits from here on
		}
		count := &counts[d]
		at := int32(0)
		for i, n := range count {
			count[i] = at
			at += n
		}
		for _, e := range from {
			b := front(e) >> (d * digitBits) & (1<<digitBits - 1)
			to[count[b]] = e
			count[b]++
		}
		from, to = to, from
	}
	for i := 1; i < len(from); i++ {
		if from[i].Key < from[i-1].Key {
			first, last := i-1, i
			for first > 0 && front(from[first-1]) == front(from[i]) {
				first--
			}
			for last < len(from) && front(from[last]) == front(from[i]) {
				last++
			}
			slices.SortFunc(from[first:last], byKey)
			i = last - 1
		}
	}
	return from, to
}

func byKey(a, b heap.Entry) int {
	switch {
	case a.Key < b.Key:
		return -1
	case a.Key > b.Key:
		return 1
	}
	return cmp.Compare(a.ID, b.ID)
}
