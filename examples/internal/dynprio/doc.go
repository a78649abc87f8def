// Package dynprio draws the figures of Dynamic Priority (Sandholm, Lai: Dynamic Proportional Share
// Scheduling in Hadoop) and checks what the paper's evaluation says about them.
//
// The market's own examples (Figure 1, gaming) are played with package market alone. Everything
// else is jobs on the slot model: users who submit one job after another, each of equal tasks, to a
// cluster of the size of the paper's (scenario.go). The paper does not print how long a task takes;
// it is chosen so that FIFO's times are those that the paper implies. Task times vary by the seed.
// All schedulers see the same times, and the 95% interval over the seeds decides.
package dynprio
