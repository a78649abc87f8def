// Package knn answers how long a task will take from how long similar tasks took: the mean over the
// nearest past runs, weighted by their distance, with no assumption about the form of the function.
//
//	// bytes, cpu %, memory %; errors are left out below
//	e, err := knn.New(3, knn.Options{Window: 1000, Alpha: 0.1})
//	for _, r := range runs {
//		e.Add([]float64{r.Bytes, r.CPU, r.Memory}, r.Seconds)
//	}
//	p, err := e.Predict([]float64{64 << 20, 35, 60})
//	p.Value            // seconds
//	p.Low, p.High      // an interval for one run, of level 90%
//	p.Outside          // true: no run was like that, and the interval is infinite
//	p, err = knn.Regress(x, y, query, 20) // the pure form: the paper's, distances as given
//
// # Model
//
// There are n observations (x_i, y_i), x_i of dim coordinates. Let d_i be the Euclidean distance of
// the query from x_i, N the k nearest and R the greatest d_i in N. The prediction is
//
//	m = sum over N of w_i y_i / sum over N of w_i,   w_i = 1 - (d_i/R)^2
//
// [DynamicShare 3.1, equations 1 and 2, corrected]: Epanechnikov's kernel, whose constants cancel.
// [Options] replace the kernel by a uniform one and R by the next neighbour's distance. The k-th
// neighbour has weight 0, so that ties at R need no rule. If all weights are 0, always so for k =
// 1, the prediction is Degenerate: the plain mean over all observations with d_i <= R.
//
// Euclidean distance of bytes and percentages is a distance of bytes alone, so an [Estimator]
// measures each coordinate in its standard deviations unless told otherwise. [Regress] never
// scales.
//
// Distances count as equal if they come out equal in float64, after scaling. Coordinates may be any
// finite numbers; what is not finite or out of range is a *schedmath.InputError. Distances below
// 2^-100 of the greatest coordinate may count as 0, and those beyond 2^80 times that as all equal.
//
// # Beyond the data
//
// The regression cannot leave the range of y: trained on sizes up to 100 that take 200 s, it
// answers less than 200 for size 1,000. A caller that compares such values, to place one more
// partition, sees no cost in placing all on one node. [Prediction.Outside] reports such queries,
// and [Options.Extrapolate] answers them by local linear regression over the same neighbours and
// weights.
//
// # Intervals
//
// With [Options.Alpha] the fourth observation and every fourth from there are held out; Value,
// scale and k rest on the others alone. Of the m held out, the absolute residual of rank
// ceil((m+1)(1-Alpha)) is the half width; if the rank exceeds m the interval is infinite. This is
// split conformal prediction [L]. If the observations and the query's true y are exchangeable (as
// independent draws are), the interval holds y with probability at least 1 - Alpha. The probability
// is over the observations and the query together, not for a given x: the interval has one width
// wherever there are data, and Outside, where residuals say nothing, it is infinite. Nothing is
// promised under drift. Where no y is below 0, as of durations, Low may be cut off at 0: the interval
// holds y as often.
//
// # The number of neighbours
//
// [Rate], the default, is k = n^(4/(4+dim)), which balances variance and bias for smooth functions
// [H]. [Paper] is the paper's n^(4/5), which is Rate for one coordinate and too large for more. The
// mean square of [Estimator.LeaveOneOut] compares estimators that [Restore] makes of one [Snapshot]
// with other Options.
//
// # What to call
//
// An [Estimator] for observations that arrive one by one; Add in a hot loop is cheap, since nothing
// is computed before the next Predict. [Regress] for one query of data at hand.
// [Estimator.PredictAll] for many queries at once.
//
// # Cost
//
// n observations at m different points, dim coordinates (few), h = n/4 with Alpha, else 0.
// Observations at one point cost no more than one.
//
//	Regress                           O(n dim)
//	Estimator.Add                     O(dim)
//	Predict, the first after a change O(n dim) + h predictions
//	Predict, by all distances         O(m dim)
//	Predict, by the tree              O(log m + k log k) expected
//	building the tree                 O(m log m)
//	LeaveOneOut                       n predictions
//	Snapshot, Restore                 O(n dim)
//
// The tree is used for k at most m/2^dim, from the 32nd query on after a change; a call that knows
// that so many follow builds it at once. Both limits come from measurements. Which way is taken
// does not change the answer in any bit.
//
// # References
//
//   - [DynamicShare] N. Zacheilas, V. Kalogeraki. Real-Time Scheduling of Skewed MapReduce Jobs in
//     Heterogeneous Environments. ICAC 2014. 3.1 estimation model.
//   - [H] W. Haerdle. Applied Nonparametric Regression. Cambridge University Press 1990. 3.2
//     k-nearest neighbour estimates.
//   - [L] J. Lei, M. G'Sell, A. Rinaldo, R. J. Tibshirani, L. Wasserman. Distribution-free
//     predictive inference for regression. Journal of the American Statistical Association 113
//     (2018). 2.2 split conformal prediction.
package knn
