// Package schedmath is the root of a library of the mathematics that schedulers run on: who gets
// how many slots, in which order, for how long, and how long it will take. It holds the errors that
// all packages share, and Kind, the kinds of tasks; the algorithms are below it.
//
// # Map
//
//   - aging: virtual time. Weighted max-min shares, flat or in a tree; an incremental virtual
//     cluster, priority by virtual work or virtual finish, late jobs (HFSP).
//   - fairqueue: who is served next when costs are known late. Start-time fair queueing over a
//     tree of flows; past use that fades.
//   - drf: several resources. Dominant resource fairness, flat and in a tree.
//   - backfill: when jobs that hold machines to their end start. What is free over time, EASY and
//     conservative backfill, predictions of run times, forecasts of starts.
//   - audit: from a log, who was owed how much, when, and who had it instead.
//   - estimate: job sizes from a few sample tasks, and models of the error of such estimates
//     (HFSP); what earlier runs tell of a task (DynamicShare).
//   - estimate/nearest: the same runs learnt by knn.
//   - precedence: orders of jobs of which some wait for others. Smith, Horn, series-parallel,
//     Sidney, Lawler, 20 objectives.
//   - sharedscan: scans of shared data as chains and regions of subjobs, batching windows, who has
//     read which blocks (CIRCUMFLEX).
//   - malleable: schedules of jobs whose slots may change as they run. Packing, deadlines, plans
//     with a bound (CIRCUMFLEX).
//   - knn: how long a task takes from how long the most similar ones took, with intervals
//     (DynamicShare).
//   - lof: what stands out from its surroundings, by local outlier factors; workers that fall
//     behind (DynamicShare).
//   - partition: Count-Min sketches of partition sizes, assignment of partitions to unequal
//     machines, with a bound (DynamicShare).
//   - market: slots in proportion to bids out of budgets, whole-slot apportionment, whom to
//     preempt, rates for users (Dynamic Priority).
//   - market/equilibrium: best bids on several clusters, and where they lead.
//   - ledger: accounts of teams and organisations, in a tree: budgets, charges, refunds, in whole
//     micro-credits.
//   - shuffle: racks for maps and reduces so that less data crosses racks, and which task is next
//     while links are full (ShuffleWatcher).
//   - schedtest: laws to run on code of your own: policies, fair queues, orders, shares,
//     assignments, packings.
//   - slotmodel/fluid: an independent witness. One fluid server or S fluid slots under FIFO, PS,
//     LAS, SRPT, SPT and FSP.
//   - slotmodel: a deterministic model of a cluster, task by task: nodes, racks, slots, phases,
//     failures, preemption, a fluid network.
//   - joblog: readers of logs and tables: SWF, sacct, Kubernetes and Kueue, CSV, SWIM.
//   - slotmodel/workload: jobs of the model from logs, traces and job files, size and error models,
//     generators, a synthetic day of a large cluster.
//   - policy: policies for the slot model, and the parts to make one of. FIFO, FAIR, SRPT, delay
//     scheduling, DRF, the capacity scheduler.
//   - policy/hfsp, policy/circumflex, policy/queues, policy/dynprio, policy/shufflewatcher: the
//     papers' policies.
//
// Algorithms and models import this package and never each other, but for malleable, sharedscan,
// market, audit and estimate/nearest, which build on other algorithms. policy joins both.
//
// The command cmd/schedmath answers from a log what policies would do to it and who was owed what.
// docs/papers.md leads from a place in a paper to the function, its test and its figure.
//
// # Conventions
//
// Functions are pure: arguments are neither changed nor kept, there is no clock and no global
// state, and the same input and random source give the same output on every run. A function that
// returns a slice takes dst first, appends to it and returns it; nil works, and with enough
// capacity the hot functions allocate nothing. Bad input gives an *InputError and changes nothing;
// whatever the arguments, no exported function panics or returns NaN. Receivers are not arguments:
// a method of a nil pointer panics, as in any Go code, and a method of a value that you have filled
// in yourself, a penalty for example, takes its fields as they are; what is handed to a function is
// checked. Keys of an interface type must hold comparable values, as in a map. Jobs are dense
// indices in batch functions and keys of any comparable type in incremental types. Ties go to the
// lower index, or to the key that was added first. Enumerations print as words, MarshalText gives
// the same, and a value that is none of them prints as its number: "Kind(7)". Work is in
// slot-seconds and time in seconds, or in any other unit that the two share: scaling all times
// scales the answers.
//
// Answers of aging, fairqueue.Queue, slotmodel and slotmodel/fluid and the orders of precedence are
// the same bits on every machine. Those of other packages are the same to rounding, since compilers
// for some processors fuse a product with a sum, and package math differs in the last bits.
//
// Functions may be called from several goroutines at once, as long as no two calls share a source, a
// dst or another value that one of them changes. A value that remembers, an incremental type or a
// policy, is for one goroutine at a time, even for questions, and a policy serves one run after
// another. What nothing changes any more can be shared: a precedence.Graph, a malleable.Schedule, a
// workload.Placer.
//
// # Stability
//
// No version is tagged yet. From the first tag on the names of this package and of aging, fairqueue,
// drf, estimate, knn, lof, partition, market, ledger, shuffle, precedence, sharedscan and malleable
// are kept, with those below them. The names of backfill, audit, joblog, slotmodel, policy and
// schedtest may still change from one version to the next, as may those below them.
package schedmath
