package workload

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

// ZipfProbabilities appends to dst the probabilities of a Zipf-like choice among n things: the
// k-th, counted from 0, has probability (k+1)^-alpha / H with H the sum of all n numerators, for
// any alpha >= 0: 0 is the uniform choice, and unlike Zipf's distribution on infinitely many ranks
// alpha may be at most 1. They descend and add up to 1 to rounding.
//
// The cost is O(n). n outside 1..2^27 and an alpha that is negative or not finite are
// *schedmath.InputErrors.
func ZipfProbabilities(dst []float64, n int, alpha float64) ([]float64, error) {
	return zipfProbabilities("ZipfProbabilities", dst, n, alpha)
}

func zipfProbabilities(fn string, dst []float64, n int, alpha float64) ([]float64, error) {
	g := guard{fn: fn}
	g.count("n", n, 1)
	g.arg("alpha", notAmount(alpha))
	if g.err != nil {
		return dst, g.err
	}
	out := slices.Grow(dst, n)[:len(dst)+n]
	p := out[len(dst):]
	h := 0.0
	for k := n - 1; k >= 0; k-- { // smallest first: the sum errs least
		p[k] = math.Exp(-alpha * math.Log(float64(k+1)))
		h += p[k]
	}
	for k := range p {
		p[k] /= h
	}
	return out, nil
}

// Zipf draws Zipf-like ranks: create it with NewZipf. It may be shared between goroutines, each
// with its own source.
type Zipf struct {
	above []float64 // above[k] is proportional to the probability of a rank >= k
}

// NewZipf prepares draws among n ranks with exponent alpha, as ZipfProbabilities defines them,
// in O(n) time and 8n bytes. n outside 1..2^27 and an alpha that is negative or not finite are
// *schedmath.InputErrors.
func NewZipf(n int, alpha float64) (*Zipf, error) {
	p, err := zipfProbabilities("NewZipf", nil, n, alpha)
	if err != nil {
		return nil, err
	}
	for k := n - 2; k >= 0; k-- {
		p[k] += p[k+1]
	}
	return &Zipf{above: p}, nil
}

// Draw appends n independent ranks, 0 for the most frequent, to dst. Each takes one Uint64 of src
// and O(log of the number of ranks). n outside 0..2^27, a nil src and a Zipf that NewZipf has not
// made are *schedmath.InputErrors.
func (z *Zipf) Draw(dst []int, n int, src rand.Source) ([]int, error) {
	g := guard{fn: "Zipf.Draw"}
	if z == nil || len(z.above) == 0 {
		g.arg("z", "holds no ranks, want one that NewZipf made")
	}
	g.count("n", n, 0)
	g.source(src)
	if g.err != nil {
		return dst, g.err
	}
	out := slices.Grow(dst, n)
	total := z.above[0]
	for range n {
		x := uniform(src) * total
		// The last rank whose tail still holds x.
		k := sort.Search(len(z.above)-1, func(i int) bool { return z.above[i+1] < x })
		out = append(out, k)
	}
	return out, nil
}
