package partition

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestHashDefinition compares the hash functions with their definition in big integers, drawn from
// the seed once more: PCG(seed, 0) gives the point, u and v, then a and b of each row, 61 bits each
// and again if they are the prime.
func TestHashDefinition(t *testing.T) {
	p := new(big.Int).SetUint64(prime)
	if p.Cmp(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 61), big.NewInt(1))) != 0 {
		t.Fatalf("the prime is %v, want 2^61 - 1", p)
	}
	number := func(x uint64) *big.Int { return new(big.Int).SetUint64(x) }
	mod := func(x *big.Int) *big.Int { return x.Mod(x, p) }
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(1, seed))
		h := newHashing(4, seed)
		stream := rand.NewPCG(seed, 0)
		// the prime itself comes once in 2^61
		draw := func() *big.Int { return number(stream.Uint64() >> 3) }
		point, u, v := draw(), draw(), draw()
		key := rng.Uint64() >> rng.IntN(64)
		if rng.IntN(10) == 0 {
			key = ^uint64(0) - rng.Uint64N(3)
		}
		residue := mod(new(big.Int).Add(new(big.Int).Mul(u, number(key>>32)), new(big.Int).Mul(v, number(key&0xffffffff))))
		if got := h.residue(key); number(got).Cmp(residue) != 0 {
			t.Fatalf("seed %d: residue(%d) = %d, want %v", seed, key, got, residue)
		}
		for i := range h.rows {
			a, b := draw(), draw()
			x := mod(new(big.Int).Add(new(big.Int).Mul(a, residue), b))
			partitions := 1 + rng.Uint64N(maxCells)
			want := new(big.Int).Rsh(new(big.Int).Mul(x, number(partitions)), 61)
			if got := h.rows[i].column(residue.Uint64(), partitions); number(got).Cmp(want) != 0 {
				t.Fatalf("seed %d, row %d: column(%v, %d) = %d, want %v", seed, i, residue, partitions, got, want)
			}
		}
		text := make([]byte, rng.IntN(40))
		for i := range text {
			text[i] = byte(rng.IntN(256))
		}
		want := big.NewInt(int64(len(text)))
		for i := 0; i < len(text); i += 7 {
			word := new(big.Int)
			for j := min(i+7, len(text)) - 1; j >= i; j-- {
				word.Add(word.Lsh(word, 8), big.NewInt(int64(text[j])))
			}
			mod(want.Add(want.Mul(want, point), word))
		}
		if got := h.bytes(text); number(got).Cmp(want) != 0 {
			t.Fatalf("seed %d: bytes(%v) = %d, want %v", seed, text, got, want)
		}
	}
}

// TestReduce compares reduce with big integers at the ends of its range.
func TestReduce(t *testing.T) {
	p := new(big.Int).SetUint64(prime)
	most := new(big.Int).SetUint64(prime - 1)
	most.Add(most.Mul(most, most), new(big.Int).SetUint64(1<<56))
	tried := 0
	for _, hi := range []uint64{0, 1, 7, 8, 1 << 55, 1<<58 - 2, 1<<58 - 1} {
		for _, lo := range []uint64{0, 1, prime - 1, prime, prime + 1, 2*prime - 1, 2 * prime, 1 << 63, 1<<63 + 1<<56 + 4, 7*prime + 7, 1<<64 - 2, 1<<64 - 1} {
			x := new(big.Int).SetUint64(hi)
			x.Add(x.Lsh(x, 64), new(big.Int).SetUint64(lo))
			if x.Cmp(most) > 0 {
				continue
			}
			tried++
			if got := reduce(hi, lo); new(big.Int).SetUint64(got).Cmp(x.Mod(x, p)) != 0 {
				t.Errorf("reduce(%d, %d) = %d, want %v", hi, lo, got, x)
			}
		}
	}
	if tried < 70 {
		t.Errorf("%d numbers tried, want most of 84", tried)
	}
}
