package shuffle

import (
	"math"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/input"
)

// Kind is the kind of a task.
type Kind = schedmath.Kind

// The kinds of tasks.
const (
	Map    = schedmath.Map
	Reduce = schedmath.Reduce
)

// Locality is how near the free node is to a map's input.
type Locality uint8

const (
	Remote Locality = iota // no copy in the node's rack
	Rack                   // a copy on another node of the rack
	Node                   // a copy on the node itself
)

// String returns "remote", "rack" or "node", and "Locality(7)" for what is none of them.
func (l Locality) String() string {
	return enum.Name(l, "Locality", "remote", "rack", "node")
}

// Candidate is the best task of one kind that a job of the chosen user could start on the free
// node, on rack r.
type Candidate struct {
	Kind    Kind
	Arrival float64  // when the job was submitted, in [-2^200, 2^200]
	Local   Locality // of a map
	// Preferred: of a map, r is in MapPlan.Racks; of a reduce, the job has started fewer reduces on
	// r than ReducesPerRack says.
	Preferred bool
	Heavy     bool // the job shuffles more bytes than it reads: Ratio.Heavy
}

// Next returns the index of the task that the free node takes, and the line of the paper's Figure 3
// that chose it. Without tasks it returns -1 and 0; with tasks it always chooses one.
//
// tasks holds the candidates of the user whose turn it is. saturated says that the link of the
// node's rack is saturated, or where one flag serves all, that of any rack. The first line that
// accepts a task wins:
//
//	saturated  not   task
//	4          16    map, preferred
//	5          17    map, local: on this node, then in this rack
//	6          18    map
//	7                reduce of a light job
//	8          13    reduce of a heavy job, preferred
//	           14    reduce of a heavy job
//	9          15    reduce
//
// Within a line the job that arrived first goes first, ties to the lower index.
//
// window, 0 for none or in [2^-200, 2^200] in the unit of Arrival, keeps a job from starving:
// only the tasks of the earliest floor(Arrival / window) in the list count, so that jobs of later
// windows cannot pass them. A multiple of the mean time of a job is advised; the paper takes 10
// minutes [SW 3.4]. 0 is the order of Figure 3 alone.
//
// O(len(tasks)), without allocation.
//
// Errors: an *schedmath.InputError for an Arrival or a window out of range, or an unknown Kind or
// Locality. Source: [SW 3.1, Figure 3; 3.4].
func Next(tasks []Candidate, saturated bool, window float64) (i, line int, err error) {
	const fn = "shuffle.Next"
	if window != 0 && !(window >= 1/most && window <= most) {
		return -1, 0, input.Bad(fn, "window", -1, "%v, want 0 or a time in [2^-200, 2^200]", window)
	}
	ranks := &ranksUnsaturated
	if saturated {
		ranks = &ranksSaturated
	}
	i = -1
	bucket, rank := 0.0, uint8(0)
	for k := range tasks {
		c := &tasks[k]
		if !(c.Arrival >= -most && c.Arrival <= most) || c.Kind > Reduce || c.Local > Node {
			return -1, 0, input.Bad(fn, "tasks", k, "%+v, want a known Kind and Local, and an Arrival in [-2^200, 2^200]", *c)
		}
		b := 0.0
		if window > 0 {
			b = math.Floor(c.Arrival / window)
		}
		r := ranks[c.class()]
		if i < 0 || b < bucket || b == bucket && (r < rank || r == rank && c.Arrival < tasks[i].Arrival) {
			i, bucket, rank = k, b, r
		}
	}
	return i, int(rank / 2), nil
}

// The ranks of all classes of candidates that Figure 3 tells apart. Choosing among mixed candidates
// by a table takes half as long as by branches.
var ranksSaturated, ranksUnsaturated = ranksOf(true), ranksOf(false)

const classes = 32

func ranksOf(saturated bool) (ranks [classes]uint8) {
	for n := range ranks {
		c := Candidate{Kind: Kind(n >> 4), Local: Locality(n >> 2 & 3), Preferred: n&2 > 0, Heavy: n&1 > 0}
		ranks[c.class()] = c.rank(saturated)
	}
	return ranks
}

// class numbers the class of c, which is valid.
func (c *Candidate) class() int {
	n := int(c.Kind)<<4 | int(c.Local)<<2
	if c.Preferred {
		n |= 2
	}
	if c.Heavy {
		n |= 1
	}
	return n % classes
}

// rank is twice the line of Figure 3 that accepts the task, and one more for a map that is local in
// the rack only.
func (c *Candidate) rank(saturated bool) uint8 {
	first := uint8(16) // line of preferred maps
	if saturated {
		first = 4
	}
	switch {
	case c.Kind == Map && c.Preferred:
		return 2 * first
	case c.Kind == Map && c.Local == Node:
		return 2 * (first + 1)
	case c.Kind == Map && c.Local == Rack:
		return 2*(first+1) + 1
	case c.Kind == Map:
		return 2 * (first + 2)
	case saturated && !c.Heavy:
		return 2 * 7
	case saturated && c.Preferred:
		return 2 * 8
	case saturated:
		return 2 * 9
	case c.Heavy && c.Preferred:
		return 2 * 13
	case c.Heavy:
		return 2 * 14
	}
	return 2 * 15
}
