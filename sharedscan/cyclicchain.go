package sharedscan

import (
	"cmp"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// CyclicChain appends to dst the chain of subjobs that the scans of one dataset become under cyclic
// piggybacking ([1], Sections 2.2 and 3.1). By what scans have left, ties by index, subjob k is
// what the k-th scan has left beyond the one before; its Members are the scans from the k-th on,
// and it Completes the k-th. The chain is part of some best order on one machine, or where all
// scans under way have one Max; in general not, against [1], A.1.
//
// Errors: a Min above the Max of another scan under way.
func CyclicChain(dst []Subjob, scans []Scan) ([]Subjob, error) {
	// With different maxima sharing can hurt: on 100 slots, scans with 10 left (Max 1) and 20 left (Max
	// 100) end at 10 and 10.1 as a chain, and at 10 and about .2 when each reads for itself.
	const fn = "sharedscan.CyclicChain"
	if err := checkScans(fn, scans); err != nil {
		return dst, err
	}
	return chain(dst, scans, nil), nil
}

// CyclicTree is CyclicChain where rest[i] is work of scan i's job that nobody shares and that waits
// for the scan ([1], Section 4). The subjobs are an out-tree, which Smith solves exactly: the chain
// without the scans that are done and have a rest, then, by index, a subjob with the one member i
// for each rest, which Completes scan i in place of the chain's. Arcs, numbered from len(dst), are
// appended to arcs.
func CyclicTree(dst []Subjob, arcs [][2]int, scans []Scan, rest []float64) ([]Subjob, [][2]int, error) {
	const fn = "sharedscan.CyclicTree"
	if err := checkScans(fn, scans); err != nil {
		return dst, arcs, err
	}
	if len(rest) != len(scans) {
		return dst, arcs, input.Bad(fn, "rest", -1, "%d elements, want one for each of %d scans", len(rest), len(scans))
	}
	for i, r := range rest {
		if !(r >= 0 && r <= math.MaxFloat64) {
			return dst, arcs, input.Bad(fn, "rest", i, "%v, want finite and at least 0", r)
		}
	}
	base := len(dst)
	dst = chain(dst, scans, rest)
	after := make([]int, len(scans)) // the subjob that ends the scan, plus 1
	own := make([]int, len(scans))
	for k := base; k < len(dst); k++ {
		if k > base {
			arcs = append(arcs, [2]int{k - 1, k})
		}
		after[dst[k].Completes] = k + 1
	}
	for i, r := range rest {
		if r > 0 {
			if after[i] > 0 {
				arcs = append(arcs, [2]int{after[i] - 1, len(dst)})
				dst[after[i]-1].Completes = -1
			}
			own[i] = i
			dst = append(dst, Subjob{Work: r, Members: own[i : i+1 : i+1], Completes: i, Min: scans[i].Min, Max: scans[i].Max})
		}
	}
	return dst, arcs, nil
}

// checkScans checks each scan, and that those under way can share slots.
func checkScans(fn string, scans []Scan) error {
	low, high, lowAt := 0, 0, 0 // of those under way
	for i, s := range scans {
		if !(s.Remaining >= 0 && s.Remaining <= math.MaxFloat64) {
			return input.Bad(fn, "scans", i, "Remaining is %v, want finite and at least 0", s.Remaining)
		}
		if err := checkSlots(fn, i, s); err != nil {
			return err
		}
		if s.Remaining > 0 {
			if s.Min > low {
				lowAt = i
			}
			low, high = both(low, high, s)
		}
	}
	if high > 0 && low > high {
		return input.Bad(fn, "scans", lowAt, "Min is %d, want at most %d, the Max of another scan, which shares its slots", low, high)
	}
	return nil
}

// chain appends the chain of all scans but those that are done and have a rest; rest may be nil.
func chain(dst []Subjob, scans []Scan, rest []float64) []Subjob {
	byWork := make([]int, 0, len(scans))
	for i, s := range scans {
		if s.Remaining > 0 || rest == nil || rest[i] == 0 {
			byWork = append(byWork, i)
		}
	}
	slices.SortFunc(byWork, func(i, j int) int {
		return cmp.Or(cmp.Compare(scans[i].Remaining, scans[j].Remaining), cmp.Compare(i, j))
	})
	n := len(byWork)
	base := len(dst)
	dst = slices.Grow(dst, n)[:base+n]
	low, high := 0, 0
	for k, i := range slices.Backward(byWork) {
		s := scans[i]
		work := s.Remaining
		if s.Remaining > 0 {
			low, high = both(low, high, s)
		}
		if k > 0 {
			work -= scans[byWork[k-1]].Remaining
		}
		dst[base+k] = Subjob{Work: math.Abs(work), Members: byWork[k:n:n], Completes: i, Min: low, Max: high}
	}
	return dst
}
