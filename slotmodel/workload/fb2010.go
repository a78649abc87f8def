package workload

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/interp"

	"github.com/schedmath/schedmath/joblog"
)

// SyntheticFB2010 returns a day of a MapReduce cluster that resembles FB-2010, the Facebook trace
// of SWIM on which HFSP's Figure 2 stands: 24,442 jobs in the order of their arrival, "job0",
// "job1", ..., without users or paths. The distribution functions of each column, of sizes and of
// the ratios of columns are within 0.04 of the trace's everywhere; two days differ less than two
// draws of independent jobs would. Times are whole seconds to 86,408, bytes whole numbers. It takes
// 263,145 numbers of src.
func SyntheticFB2010(src rand.Source) ([]joblog.SWIMJob, error) {
	g := guard{fn: "SyntheticFB2010"}
	g.source(src)
	if g.err != nil {
		return nil, g.err
	}
	jobs := make([]joblog.SWIMJob, 0, fbJobs)
	jobs = fbLarge(jobs, src)
	jobs = fbWithShuffle(jobs, src)
	jobs = fbWithoutShuffle(jobs, src)
	jobs = fbOneSided(jobs, src)
	return fbPlace(jobs, fbArrivals(src), src), nil
}

// fbLarge appends the giants, in the order of their table.
func fbLarge(jobs []joblog.SWIMJob, src rand.Source) []joblog.SWIMJob {
	for _, bytes := range fbGiants {
		for i, x := range bytes {
			u := uniform(src)
			if bytes[i] = 0; x > 0 {
				bytes[i] = whole(x * (0.95 + u/10))
			}
		}
		jobs = append(jobs, joblog.SWIMJob{MapInput: bytes[0], Shuffle: bytes[1], Output: bytes[2]})
	}
	return jobs
}

// fbWithShuffle appends the jobs with map, shuffle and reduce: the shuffle from its marginal, input
// and output in ratios that depend on where the shuffle ranks.
func fbWithShuffle(jobs []joblog.SWIMJob, src rand.Source) []joblog.SWIMJob {
	shuffle := stratified(fbLevels, fbShuffle, fbShuffled, src)
	for k := range fbShuffleInput {
		lo, hi := fbRanks(fbShuffleCuts, k, fbShuffled)
		in := stratified(fbRatioLevels, fbShuffleInput[k], hi-lo, src)
		out := stratified(fbRatioLevels, fbShuffleOutput[k], hi-lo, src)
		if fbApart[0] <= k && k < fbApart[1] {
			// The largest fifth of in meets outputs outside their own largest fifth.
			fifth := len(out) / 5
			permute(out[:len(out)-fifth], src)
			permute(out[fifth:], src)
			slices.Reverse(out)
		} else {
			permute(out, src)
		}
		pair := make([]int, len(in))
		for i := range pair {
			pair[i] = i
		}
		permute(pair, src)
		for i, s := range shuffle[lo:hi] {
			j := pair[i]
			jobs = append(jobs, joblog.SWIMJob{MapInput: whole(s * in[j]), Shuffle: whole(s), Output: whole(s * out[j])})
		}
	}
	return jobs
}

// fbWithoutShuffle appends the map-only jobs: the input from its marginal, output in a ratio
// that depends on its rank.
func fbWithoutShuffle(jobs []joblog.SWIMJob, src rand.Source) []joblog.SWIMJob {
	input := stratified(fbLevels, fbMapInput, fbMapOnly, src)
	for k := range fbMapOutput {
		lo, hi := fbRanks(fbMapCuts, k, fbMapOnly)
		out := stratified(fbRatioLevels, fbMapOutput[k], hi-lo, src)
		permute(out, src)
		for i, m := range input[lo:hi] {
			jobs = append(jobs, joblog.SWIMJob{MapInput: whole(m), Output: whole(m * out[i])})
		}
	}
	return jobs
}

// fbOneSided appends the jobs that lack input or output, and the empty ones.
func fbOneSided(jobs []joblog.SWIMJob, src rand.Source) []joblog.SWIMJob {
	for _, m := range stratified(fbRatioLevels, fbReadInput, fbReadOnly, src) {
		jobs = append(jobs, joblog.SWIMJob{MapInput: whole(m)})
	}
	for _, o := range stratified(fbRatioLevels, fbMakeOutput, fbMakeOnly, src) {
		jobs = append(jobs, joblog.SWIMJob{Output: whole(o)})
	}
	in := stratified(fbRatioLevels, fbProbeInput, fbProbes, src)
	for i, s := range stratified(fbRatioLevels, fbProbeShuffle, fbProbes, src) {
		jobs = append(jobs, joblog.SWIMJob{MapInput: whole(in[i]), Shuffle: whole(s)})
	}
	return append(jobs, make([]joblog.SWIMJob, fbEmpty)...)
}

// stratified draws n values in ascending order, one from each n-th of the distribution that has the
// given quantiles and is log-linear between them: sums and quantiles of the sample vary far less
// than those of n independent draws. The levels ascend from 0 to 1. It takes n Uint64 of src.
func stratified(levels, quantiles []float64, n int, src rand.Source) []float64 {
	logs := make([]float64, len(quantiles))
	for i, x := range quantiles {
		logs[i] = math.Log(x)
	}
	var between interp.PiecewiseLinear
	_ = between.Fit(levels, logs) // it has no errors
	out := make([]float64, n)
	for i := range out {
		out[i] = math.Exp(between.Predict((float64(i) + uniform(src)) / float64(n)))
	}
	return out
}

// whole is x in whole bytes, at least one.
func whole(x float64) float64 { return max(1, math.Round(x)) }

// fbRanks is the k-th group of n ranks.
func fbRanks(cuts []float64, k, n int) (lo, hi int) {
	return int(math.Round(cuts[k] * float64(n))), int(math.Round(cuts[k+1] * float64(n)))
}
