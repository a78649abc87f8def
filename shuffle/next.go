package shuffle

import (
	"math"
	"slices"

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
func (l Locality) String() string { return enum.Name(l, "Locality", "remote", "rack", "node") }

// MarshalText returns the word of String.
func (l Locality) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Reason is the rule of the paper's Figure 3 that chose a task.
type Reason uint8

const (
	NoTask          Reason = iota // there is none
	PreferredMap                  // line 4, or 16 without saturation: a map whose plan has the rack
	LocalMap                      // lines 5 and 17: a map near its input
	RemoteMap                     // lines 6 and 18: any map
	LightReduce                   // lines 7 and 15: a reduce of a light job
	PreferredReduce               // lines 8 and 13: a reduce of a heavy job below its quota
	HeavyReduce                   // lines 9 and 14: any reduce of a heavy job
)

// String returns the words of the name, as "preferred map", and "Reason(7)" for what is none.
func (r Reason) String() string {
	return enum.Name(r, "Reason", "no task", "preferred map", "local map", "remote map", "light reduce", "preferred reduce", "heavy reduce")
}

// MarshalText returns the words of String.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

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

// Next returns the index of the task that the free node takes, -1 without tasks, and the rule that
// chose it [SW 3.1, Figure 3]. tasks are the candidates of the user whose turn it is; saturated is
// of the node's rack, or of any rack where one flag serves all. The first rule that accepts a task
// wins:
//
//	saturated    PreferredMap, LocalMap, RemoteMap, LightReduce, PreferredReduce, HeavyReduce
//	otherwise    PreferredReduce, HeavyReduce, LightReduce, PreferredMap, LocalMap, RemoteMap
//
// LocalMap prefers the node to the rack; then the earlier Arrival wins, then the lower index. With
// a window above 0, in [2^-200, 2^200], only tasks of the earliest floor(Arrival / window) count,
// so that jobs do not starve [SW 3.4]: take a multiple of a job's mean time.
func Next(tasks []Candidate, saturated bool, window float64) (i int, why Reason, err error) {
	const fn = "shuffle.Next"
	if window != 0 && !(window >= 1/most && window <= most) {
		return -1, NoTask, input.Bad(fn, "window", -1, "%v, want 0 or a time in [2^-200, 2^200]", window)
	}
	o := &unsaturatedOrder
	if saturated {
		o = &saturatedOrder
	}
	i = -1
	bucket, rank := 0.0, uint8(0)
	for k := range tasks {
		c := &tasks[k]
		if !(c.Arrival >= -most && c.Arrival <= most) || c.Kind > Reduce || c.Local > Node {
			return -1, NoTask, input.Bad(fn, "tasks", k, "%+v, want a known Kind and Local, and an Arrival in [-2^200, 2^200]", *c)
		}
		b := 0.0
		if window > 0 {
			b = math.Floor(c.Arrival / window)
		}
		r := o.ranks[c.class()]
		if i < 0 || b < bucket || b == bucket && (r < rank || r == rank && c.Arrival < tasks[i].Arrival) {
			i, bucket, rank = k, b, r
		}
	}
	if i < 0 {
		return -1, NoTask, nil
	}
	return i, o.rules[rank/2], nil
}

var (
	saturatedOrder   = newOrder(PreferredMap, LocalMap, RemoteMap, LightReduce, PreferredReduce, HeavyReduce)
	unsaturatedOrder = newOrder(PreferredReduce, HeavyReduce, LightReduce, PreferredMap, LocalMap, RemoteMap)
)

const classes = 32

// order is the rules, the first to be asked first, and the rank of each class of candidates: twice
// the place of the rule that accepts it, and one more for a map that is local in the rack only.
type order struct {
	rules [6]Reason
	ranks [classes]uint8
}

func newOrder(rules ...Reason) (o order) {
	copy(o.rules[:], rules)
	for n := range o.ranks {
		c := Candidate{Kind: Kind(n >> 4), Local: Locality(n >> 2 & 3), Preferred: n&2 > 0, Heavy: n&1 > 0}
		why := c.reason()
		rank := uint8(2 * slices.Index(rules, why))
		if why == LocalMap && c.Local == Rack {
			rank++
		}
		o.ranks[c.class()] = rank
	}
	return o
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

// reason returns the rule that accepts c.
func (c *Candidate) reason() Reason {
	switch {
	case c.Kind == Map && c.Preferred:
		return PreferredMap
	case c.Kind == Map && c.Local > Remote:
		return LocalMap
	case c.Kind == Map:
		return RemoteMap
	case !c.Heavy:
		return LightReduce
	case c.Preferred:
		return PreferredReduce
	}
	return HeavyReduce
}
