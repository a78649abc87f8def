// Package circumflex draws Figures 1 to 9 of CIRCUMFLEX (Wolf, Balmin, Rajan, Hildrum, Khandekar,
// Parekh, Wu, Vernica: CIRCUMFLEX: a scheduling optimizer for MapReduce workloads involving shared
// scans) and checks what the paper says about them.
//
// Figures 1 to 4, 7, 8 and 9 come straight from packages precedence and malleable on small examples
// like the paper's. Figures 5 and 6 are simulations: 1,000 scans of 20 datasets arrive within
// 100 minutes at a cluster of 100 slots, and each is scanned by itself (FLEX), with all that
// asked for the same dataset in a window of 2 minutes (BATCH), or joins the scan that is under
// way (CIRCUMFLEX). Every arrival makes a new plan, an order by precedence.Smith or Lawler and a
// packing by malleable.PackInto, which is followed to the next one.
//
// The paper leaves open how many slots a job, a subjob and a batch can use, and its headlines do
// not come out together whatever they are. readings.go has what was tried, as readings: sets of
// assumptions, each found by some of the headlines and judged by the others. All other figures are
// of reading A, in which a job can use 40 slots; Figure 6 is judged in reading B too. load, arrivals
// and fraction show what Section 4 says without a figure.
package circumflex
