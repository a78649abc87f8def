// Package partition spreads partitions of unequal sizes over machines of unequal speeds so that the
// last machine finishes early. The sizes may come from Count-Min sketches, which offer several
// partitionings of the same keys to choose from.
//
//	// 5 hash functions, 45 partitions each; errors are left out below
//	s, err := partition.NewSketch(5, 45, 1)
//	// a map task adds 17 values of key 1234, and so on
//	err = s.Add(1234, 17)
//	// the master merges the sketches of all map tasks
//	err = all.Merge(s)
//	cost, err := partition.BySpeed([]float64{1, 2, 4}) // machines: time is total / speed
//	o := partition.Options{Ready: []float64{0, 5, 0}}
//	row, plan, err := partition.AssignSketch(all, 3, cost, o)
//	k, err := all.Partition(row, 1234)                 // key 1234 goes to machine plan.Of[k]
//	o = partition.Options{Method: partition.Best}
//	plan, err = partition.Assign([]float64{30, 20, 10}, 3, cost, o)
//	fmt.Println(plan.Makespan, plan.Bound)             // no assignment ends before Bound
//
// # Model
//
// p partitions (n below) have sizes, in bytes or values. Machine i, free from Ready[i] on,
// processes a total of x in [Cost](i, x): a function of the total on the machine, since most costs
// are not additive [DS 2]. It finishes at Ready + Cost. Fetching a partition adds Extra to the
// finish, and taking a partition from a machine that holds it adds MoveCost for each unit of size.
// The makespan is when the last machine with a load finishes. Times within 2^-40 of each other are
// equal, so that sizes in tenths are assigned like whole ones.
//
// Finding the least makespan is NP-hard. [DynamicShare], the default, is the paper's greedy rule;
// Best also bisects and searches, and is within a few percent of the least on small inputs; of few
// partitions on equal machines it is the least. Every plan has a lower Bound which rests on nothing
// but a non-decreasing Cost, is Exact where the two meet to 2^-30, and names the Critical partition
// if one is too large for any assignment to help. [Verify] checks a plan. [MachinesFor] asks the
// other way round: how many equal machines meet a deadline.
//
// A sketch has d rows of p counters. Each row is an exact partitioning of all keys; DynamicShare
// plans for each and takes the best [DS 4]. The estimate of a single key, Count, is the sketch's
// usual purpose [CM] and not needed for that.
//
// # Units
//
// Sizes are plain numbers in [0, 2^200], times any one unit in [0, 2^200], speeds size per time.
// Multiplying all times by a power of two multiplies all times of a plan exactly. Sketches count in
// uint64 and refuse to overflow. An argument out of range is a *schedmath.InputError.
//
// # What to call
//
// [Assign] with Best where a plan pays for a few milliseconds; the zero [Options] where plans are
// made by the thousand. [Predicted] turns an estimator into a [Cost]. When a machine slows or
// leaves, LocalSearch with Previous and a MoveCost repairs the plan with few moves. A query engine
// passes its slots as machines and the time to fetch a partition as Extra. A splitter of test files
// sets Unknown for files that never ran; [MachinesFor], which takes a guess for each of these, says
// how many runners meet a deadline. [Coalesce] joins small neighbours first where there are far
// more partitions than machines. [Skewness] and [Balance] are the paper's measures; neither is
// time.
//
// # Cost
//
// n partitions, m machines, d rows, t totals of Predicted; evaluations of Cost count as O(1).
//
//	Sketch.Add, Count                 O(d), no allocation
//	Sketch.AddBytes, Key              O(d + length), no allocation
//	Sketch.Merge                      O(d p), no allocation
//	Sketch.Row                        O(p), no allocation with room in dst
//	Sketch.MarshalBinary, Unmarshal   O(d p)
//	Skewness, Balance, Coalesce       O(n), no allocation with room in dst
//	Assign, DynamicShare              O(n log n + n m), of Cost mostly O(n + m) calls and 1,600 m
//	                                  for the Bound; n m with Extra
//	Assign, the other methods         see Method
//	AssignSketch                      d times Assign, with one Bound
//	MachinesFor                       O(n log n), 42 n calls of Cost, and Best for each number of
//	                                  machines tried
//	Verify                            O(n + m)
//
// # References
//
//   - [DS] N. Zacheilas, V. Kalogeraki. Real-time scheduling of skewed MapReduce jobs in
//     heterogeneous environments. ICAC 2014. 2 model, 4 data skew and Count-Min sketches, 5 the
//     measures of skewness and balance.
//   - [CM] G. Cormode, S. Muthukrishnan. An improved data stream summary: the count-min sketch and
//     its applications. Journal of Algorithms 55 (2005). Theorem 1.
//   - [G] B. Gufler, N. Augsten, A. Reiser, A. Kemper. Handling data skew in MapReduce. CLOSER
//     2011.
//   - [GIS] T. Gonzalez, O. H. Ibarra, S. Sahni. Bounds for LPT schedules on uniform processors.
//     SIAM Journal on Computing 6 (1977).
//   - [CGJ] E. G. Coffman, M. R. Garey, D. S. Johnson. An application of bin-packing to
//     multiprocessor scheduling. SIAM Journal on Computing 7 (1978).
//   - [MT] S. Martello, P. Toth. Lower bounds and reduction procedures for the bin packing problem.
//     Discrete Applied Mathematics 28 (1990).
//   - [FL] D. K. Friesen, M. A. Langston. Bounds for MULTIFIT scheduling on uniform processors.
//     SIAM Journal on Computing 12 (1983).
package partition
