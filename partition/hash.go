package partition

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// prime is 2^61 - 1, the modulus of all hash functions.
const prime = 1<<61 - 1

// hashing is the hash functions of a sketch. A key of 64 bits is first made a residue, because x
// and x + 2^61 - 1 would collide in every row: high u + low v mod the prime, of its halves. With u
// and v drawn uniformly two keys get one residue with probability 1/(2^61 - 1).
type hashing struct {
	point uint64 // where the polynomial of a key of bytes is evaluated
	u, v  uint64
	rows  []rowHash
}

// rowHash is x -> (a x + b mod 2^61 - 1) p / (2^61 - 1), rounded down. With a and b drawn
// uniformly, the values of two residues modulo the prime are independent and uniform. The last step
// gives each partition an equal part of [0, 2^61 - 1), to within one value, without a division.
type rowHash struct{ a, b uint64 }

// newHashing draws the functions from one stream: first point, u and v, then a and b of each row.
// The binary form of a sketch holds the seed alone, so a change here needs another version there.
func newHashing(rows int, seed uint64) hashing {
	stream := rand.NewPCG(seed, 0)
	draw := func() uint64 {
		for {
			if x := stream.Uint64() >> 3; x < prime {
				return x
			}
		}
	}
	h := hashing{point: draw(), u: draw(), v: draw(), rows: make([]rowHash, rows)}
	for i := range h.rows {
		h.rows[i] = rowHash{draw(), draw()}
	}
	return h
}

// residue returns the residue of a key.
func (h *hashing) residue(key uint64) uint64 {
	h1, l1 := bits.Mul64(h.u, key>>32)
	h2, l2 := bits.Mul64(h.v, key&(1<<32-1))
	lo, carry := bits.Add64(l1, l2, 0)
	return reduce(h1+h2+carry, lo)
}

// column returns the partition of residue x among p.
func (h *rowHash) column(x, p uint64) uint64 {
	hi, lo := bits.Mul64(h.a, x)
	x = reduce(hi, lo) + h.b
	if x >= prime {
		x -= prime
	}
	column, _ := bits.Mul64(x<<3, p)
	return column
}

// bytes evaluates the polynomial whose coefficients are the length of the key and then its bytes,
// seven at a time, at the point, modulo the prime. Different keys have different polynomials, of
// degree at most (len + 6) / 7.
func (h *hashing) bytes(key []byte) uint64 {
	x := uint64(len(key))
	for len(key) > 0 {
		var word [8]byte
		key = key[copy(word[:7], key):]
		hi, lo := bits.Mul64(x, h.point)
		lo, carry := bits.Add64(lo, binary.LittleEndian.Uint64(word[:]), 0)
		x = reduce(hi+carry, lo)
	}
	return x
}

// reduce returns hi 2^64 + lo modulo the prime, in which 2^61 is 1. The number is at most a product
// of two residues and 2^56 more.
func reduce(hi, lo uint64) uint64 {
	x := lo&prime + (lo>>61 | hi<<3)
	if x >= prime {
		x -= prime
	}
	return x
}
