package estimate

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/schedmath/schedmath/internal/input"
)

// KS tests whether ratios, at least one, each finite and > 0, come from the distribution l [HFSP
// IV-C]. distance is the greatest one between their empirical distribution function and that of l;
// p is the probability of that distance or more for independent draws from l: a small p speaks
// against l. p is exact to 1e-10 of itself for up to 100 ratios [MTW; BT], within .0002 for more
// [V]. With Sigma 0 it is 1 for a distance of 0, else 0.
//
// p holds only when l was known beforehand: for one fitted to these ratios call FitKS. Ratios
// rounded coarsely make p too small.
func (l LogNormal) KS(ratios []float64) (distance, p float64, err error) {
	const fn = "estimate.LogNormal.KS"
	if err := l.check(fn); err != nil {
		return 0, 0, err
	}
	logs, err := sortedLogs(fn, ratios)
	if err != nil {
		return 0, 0, err
	}
	distance = greatest(logs, l.Mu, l.Sigma)
	switch {
	case l.Sigma > 0:
		p = kolmogorovP(len(logs), distance)
	case distance == 0:
		p = 1
	}
	return distance, p, nil
}

// maxReplications bounds the samples of FitKS: p in steps of 1e-6.
const maxReplications = 1 << 20

// FitKS fits a log-normal distribution to ratios, as FitLogNormal does, and tests the fit by
// simulation [L]: distance is that of KS between ratios and fit, p the probability of that distance
// or more between a log-normal sample of this size and its own fit.
//
// If c of replications, 1 to 2^20, samples from src are at least as far from their fit, p is (1 +
// c) / (1 + replications), with the standard error sqrt(p (1-p) / replications). Equal ratios, and
// any two, have p = 1.
func FitKS(ratios []float64, replications int, src rand.Source) (fit LogNormal, distance, p float64, err error) {
	const fn = "estimate.FitKS"
	logs, err := sortedLogs(fn, ratios)
	if err != nil {
		return LogNormal{}, 0, 0, err
	}
	if replications < 1 || replications > maxReplications {
		return LogNormal{}, 0, 0, input.Bad(fn, "replications", -1, "%d, want 1 to 2^20", replications)
	}
	if src == nil {
		return LogNormal{}, 0, 0, input.Bad(fn, "src", -1, "nil, want a source of random numbers")
	}
	fit.Mu, fit.Sigma = fitNormal(logs)
	if fit.Sigma == 0 {
		return fit, 0, 1, nil
	}
	distance = greatest(logs, fit.Mu, fit.Sigma)

	// The distance does not depend on Mu and Sigma, so that standard normal numbers stand in for
	// logarithms. Rounding must not decide whether two samples are equally far from their fits; it
	// is below 1e-13 relatively.
	const slack = 1e-12
	threshold := distance * (1 - slack)
	rng := rand.New(src)
	reached := 0
	for range replications {
		for i := range logs {
			logs[i] = rng.NormFloat64()
		}
		slices.Sort(logs)
		mean, deviation := fitNormal(logs)
		// Equal draws, as a source that repeats itself makes them, are at distance 0.
		if deviation > 0 && greatest(logs, mean, deviation) >= threshold {
			reached++
		}
	}
	return fit, distance, (1 + float64(reached)) / (1 + float64(replications)), nil
}

// greatest returns the greatest distance between the empirical distribution function of xs,
// ascending, and the normal one. At a value that occurs several times the first and the last
// occurrence give the two sides of the step.
func greatest(xs []float64, mean, deviation float64) (d float64) {
	n := float64(len(xs))
	for i, x := range xs {
		if x == mean && deviation == 0 {
			continue // both functions step here: the values beside it tell how far they are apart
		}
		f := distuv.UnitNormal.CDF((x - mean) / deviation)
		d = max(d, f-float64(i)/n, float64(i+1)/n-f)
	}
	return d
}

// kolmogorovP returns P(D >= d) for the two-sided Kolmogorov-Smirnov statistic D of n independent
// draws from the continuous distribution they are compared with. KS says how exact it is.
func kolmogorovP(n int, d float64) float64 {
	switch nf := float64(n); {
	case nf*d <= 0.5: // D is at least 1/(2n)
		return 1
	case d >= 1:
		return 0
	case n > 100:
		return kolmogorovLimit(nf, d)
	}
	// D is reached on both sides at once with about the fourth power of the probability of one side,
	// and never from 1/2 on.
	if p := 2 * oneSided(n, d); d >= .5 || p < 1e-4 {
		return p
	}
	return max(0, min(1, 1-durbin(n, d)))
}

// kolmogorovLimit is Kolmogorov's limit of P(D >= d) at z = sqrt(n) d, shifted for small samples by
// 1/(6 sqrt(n)) + (z-1)/(4n) [V].
func kolmogorovLimit(n, d float64) float64 {
	z := math.Sqrt(n) * d
	z += 1/(6*math.Sqrt(n)) + (z-1)/(4*n)
	if z < .15 {
		return 1 // to 1e-22
	}
	p, sign := 0.0, 2.0
	for k := 1.0; k <= 40; k++ { // what is left out is below 1e-30
		p += float64(sign * math.Exp(-2*float64(k*z)*float64(k*z)))
		sign = -sign
	}
	return max(0, min(1, p))
}

// oneSided returns the probability that the empirical distribution function of n <= 100 draws is
// somewhere at least d above the continuous one [BT].
func oneSided(n int, d float64) (p float64) {
	nf, choose := float64(n), 1.0
	for j := 0.0; j < nf*(1-d); j++ {
		p += choose * math.Pow(1-d-j/nf, nf-j) * math.Pow(d+j/nf, j-1)
		choose *= (nf - j) / (j + 1)
	}
	return d * p
}

// durbin returns P(D < d), n!/n^n times the middle entry of the n-th power of Durbin's matrix H of
// 2k-1 rows, where nd = k-h [MTW]. Only the middle row of each power is computed; all terms are
// positive.
func durbin(n int, d float64) float64 {
	nf := float64(n)
	k := int(nf*d) + 1
	h := float64(k) - nf*d
	m := 2*k - 1
	// H[i][j] is 1/(i-j+1)! for i-j+1 >= 0, in the first column and in the last row, which is the
	// first column backwards, less h^r/r!.
	inverse, edge := make([]float64, m+1), make([]float64, m+1) // of r: 1/r!, and (1 - h^r)/r!
	inverse[0] = 1
	for r := 1; r <= m; r++ {
		inverse[r] = inverse[r-1] / float64(r)
		edge[r] = (1 - math.Pow(h, float64(r))) * inverse[r]
	}
	corner := edge[m] + (math.Pow(max(0, 2*h-1), float64(m))-math.Pow(h, float64(m)))*inverse[m]
	row, next := make([]float64, m), make([]float64, m)
	row[k-1] = 1
	for step := 1; step <= n; step++ {
		for j := range next {
			sum := 0.0
			for i := max(0, j-1); i < m; i++ {
				switch r := i - j + 1; {
				case j == 0 && i == m-1:
					sum += row[i] * corner
				case j == 0 || i == m-1:
					sum += row[i] * edge[r]
				default:
					sum += row[i] * inverse[r]
				}
			}
			next[j] = sum * float64(step) / nf
		}
		row, next = next, row
	}
	return row[k-1]
}
