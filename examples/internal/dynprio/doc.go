// Package dynprio draws the figures of Dynamic Priority (Sandholm, Lai: Dynamic Proportional Share
// Scheduling in Hadoop) and checks what the paper's evaluation says about them.
//
// Figure 1 is played with package market alone. Everything else is jobs on the slot model: users
// who submit one job after another, each of equal tasks, to a cluster of the size of the paper's
// (scenario.go). It is read in two ways: by the rules of the text, and by those of the published
// implementation. The paper does not print how long a task takes; it is chosen so that FIFO's times
// are those that the paper implies. Task times vary by the seed. All schedulers see the same times,
// and the 95% interval over the seeds decides.
package dynprio
