package workload

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// quantiles is a distribution of positive numbers given by some of its quantiles, log-linear between them: level[0] = 0,
// ascending, the last 1; logs are the logarithms of the values there.
type quantiles struct{ level, logs []float64 }

func newQuantiles(level, value []float64) quantiles {
	logs := make([]float64, len(value))
	for i, x := range value {
		logs[i] = math.Log(x)
	}
	return quantiles{level, logs}
}

// sample draws n values in ascending order, one from each n-th of the distribution: a stratified sample, whose sums and
// quantiles vary far less than those of n independent draws. It takes n Uint64 of src.
func (q quantiles) sample(n int, src rand.Source) []float64 {
	out := make([]float64, n)
	k := 0
	for i := range out {
		u, _ := unit(src)
		u = (float64(i) + u) / float64(n)
		for k+2 < len(q.level) && q.level[k+1] <= u {
			k++
		}
		f := (u - q.level[k]) / (q.level[k+1] - q.level[k])
		out[i] = math.Exp(q.logs[k] + float64(f*(q.logs[k+1]-q.logs[k])))
	}
	return out
}

// permute puts xs in random order with len(xs)-1 Uint64 of src (Fisher-Yates).
func permute[T any](xs []T, src rand.Source) {
	for i := len(xs) - 1; i > 0; i-- {
		j := below(src, i+1)
		xs[i], xs[j] = xs[j], xs[i]
	}
}

// below draws one of 0..n-1 from one Uint64; their chances differ by less than n/2^64 of one.
func below(src rand.Source, n int) int {
	hi, _ := bits.Mul64(src.Uint64(), uint64(n))
	return int(hi)
}
