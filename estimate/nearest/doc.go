// Package nearest lets an estimate.Requirements learn by k-nearest-neighbour regression: how long a
// task will take by the earlier runs that were most like it, as DynamicShare estimates [DS 3.1].
//
//	fit, err := nearest.Fit(knn.Options{Alpha: .1}) // intervals of 90%; errors are left out below
//	q, err := estimate.NewRequirements(estimate.RequirementOptions[string]{Fit: fit, Period: 20})
//	q.Add(task, estimate.Run{X: []float64{bytes, cpu, memory}, Time: seconds})
//	r, err := q.Estimate(task, []float64{64 << 20}) // cpu and memory as they mostly were
//	r.Time.Value                                    // seconds
//	r.Time.Outside                                  // no run was like that
//
// Package estimate knows no predictor and package knn no tasks; this package knows both. Units are
// those of the runs. The model, its options and what intervals promise stand in package knn,
// histories and what answers without one in package estimate.
//
// # Cost
//
// A Fit of h runs of d features costs O(h d) when the history has more to learn, and the first
// question after it what a first knn.Estimator.Predict costs; RequirementOptions.Period makes both
// rarer. Every other question costs a Predict.
//
// # References
//
//   - [DS] N. Zacheilas, V. Kalogeraki. Real-time scheduling of skewed MapReduce jobs in
//     heterogeneous environments. ICAC 2014. 3.1 estimation model.
package nearest
