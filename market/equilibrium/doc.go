// Package equilibrium tells what users should bid on several machines or clusters that are shared
// in proportion to bids, and where that leads.
//
// Each user has a budget and values each machine. [BestResponse] divides a budget so that it buys
// most while the others' bids stay; [Equilibrium] lets users respond to each other until their bids
// settle, and measures how good the division is. Package market sells the slots of one cluster.
//
// Worth and bids are float64 in any one unit. For m machines and n users BestResponse costs O(m log
// m), Equilibrium O(n m log m) a round in tens to hundreds of rounds. Functions are pure and safe
// for concurrent use.
//
// # References
//
//   - [FLZ] M. Feldman, K. Lai, L. Zhang. A price-anticipating resource allocation mechanism for
//     distributed shared clusters. EC 2005.
package equilibrium
