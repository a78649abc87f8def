// Package lof finds what stands out from its surroundings: points in space by their local outlier
// factor, and workers that fall behind by the laxities of their tasks.
//
//	// one a worker, in ms
//	laxity := []float64{1652, 1648, 1661, 1640, 1655, 1190, 1644, 1658, 1650, 1647}
//	slow, err := lof.Stragglers(nil, laxity, lof.StragglerOptions{Resolution: 1})
//	for _, s := range slow {
//		fmt.Printf("worker %d: laxity %v, %v below the median; score %.1f\n",
//			s.Index, laxity[s.Index], s.Gap, s.Score)
//	}
//	// worker 5: laxity 1190, 459 below the median; score 77.3
//	// every worker's score; about 1 is normal
//	scores, err := lof.Scores1D(nil, laxity, 4, lof.Options{})
//	// points in the plane, or in any dimension
//	scores, err = lof.Scores(nil, mat.NewDense(5, 2, use), 2, lof.Options{})
//
// # Model
//
// For k neighbours [B, definitions 3 to 7; D, equations 4 and 5]:
//
//   - The k-distance of a point p is the distance of its k-th nearest other point.
//   - Its neighbours N(p) are the other points at most that far away, more than k if there are ties
//     ([Ties] says which). A distance within 2^-40 of the k-distance, relatively, is equal to it, so
//     that points in tenths score as those in whole numbers do.
//   - The reachability distance of p from o is reach(p, o) = max(k-distance(o), d(p, o)), and at
//     least [Options.Floor].
//   - The local reachability density of p is lrd(p) = |N(p)| / sum of reach(p, o) over its
//     neighbours o.
//   - The local outlier factor of p is the mean of lrd(o) over its neighbours o, divided by lrd(p).
//
// A score compares a point with its neighbours alone, so that one threshold serves dense and sparse
// regions. It has no scale of its own: among points that behave alike scores of 2 occur, and the
// paper's rule, above 1, flags half of them or more [D, 3.3].
//
// # Units
//
// Coordinates and laxities are in any unit; gaps are in that of the laxities. Scores have none.
// What is not finite or out of range is a *schedmath.InputError.
//
// # What to call
//
// A scheduler that watches the workers of a job calls [Stragglers] with the laxities that they
// report. Someone with numbers calls [Scores1D], with vectors [Scores]; [Neighbours] gives k.
//
// # Cost
//
// n points, k neighbours, in few dimensions and without ties.
//
//	Scores        O(n (log n + k log k)) expected, O(n^2) at worst, memory O(n k)
//	Scores1D      O(n (log n + k)), memory O(n)
//	Stragglers    as Scores1D
//	Neighbours    O(1)
//
// # References
//
//   - [B] M. M. Breunig, H.-P. Kriegel, R. T. Ng, J. Sander. LOF: Identifying Density-Based Local
//     Outliers. SIGMOD 2000. Definitions 3 to 7.
//   - [D] N. Zacheilas, V. Kalogeraki. Real-time scheduling of skewed MapReduce jobs in
//     heterogeneous environments (DynamicShare). ICAC 2014. 3.3 identifying overloaded workers,
//     equations 4 and 5.
package lof
