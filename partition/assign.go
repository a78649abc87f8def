package partition

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/enum"
	"github.com/schedmath/schedmath/internal/input"
)

// maxMachines is the largest number of machines of a plan.
const maxMachines = 1 << 20

// Method is how Assign chooses a plan. n partitions, m machines.
type Method uint8

const (
	// DynamicShare takes partitions from the largest down and gives each to the machine that would
	// finish earliest with it, among those that would still meet their deadlines if there is one
	// [DS 4]. Where cost is total / speed and all machines are free the makespan is at most
	// 2m/(m+1) times the least [GIS]. O(n log n + n m).
	DynamicShare Method = iota
	// LoadBalance takes partitions from the largest down and gives each to the machine with the
	// least load, blind to cost, Ready and Deadlines [G]. O(n log n + n m).
	LoadBalance
	// Hash gives partition i to machine i mod m, of those that are not away, blind to all else.
	Hash
	// Multifit bisects for the least makespan into which the partitions fit, from the largest down,
	// each on the first machine that has room, the machine with least room first [CGJ; FL for
	// machines of different speeds]. Blind to Previous and Extra. Where nothing earlier than
	// DynamicShare's makespan is found the plan is DynamicShare's. O(n log n + 20 (n log m + m log
	// m)) and 800 m costs.
	Multifit
	// LocalSearch improves DynamicShare's plan, or with Previous that plan, by moving one partition
	// off the machine that finishes last, or by swapping one for a smaller, as long as both
	// machines then finish earlier than that one did. Never worse than its start. A step looks at
	// up to (n/m) m log(n/m) costs.
	LocalSearch
	// Best is the best plan of all methods, with LocalSearch from three starts: Previous if there
	// is one, DynamicShare and Multifit. Of plans that end together it is the one with the fewest
	// Moves. On equal machines a search of all assignments of up to 30 partitions follows, of
	// 50,000 steps at most: with 16 partitions on 3 machines it finds the least makespan.
	Best
	methods
)

// String returns the name of the method, and "Method(7)" for what is none.
func (m Method) String() string {
	return enum.Name(m, "Method", "DynamicShare", "LoadBalance", "Hash", "Multifit", "LocalSearch", "Best")
}

// MarshalText returns String.
func (m Method) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Options are the ways to assign. The zero value is DynamicShare on machines that are free now.
type Options struct {
	Method Method
	// Ready is when each machine is done with what is queued there. +Inf: the machine is away and
	// takes nothing. nil: all are free now.
	Ready []float64
	// Deadlines is when each machine should have finished, on the clock of Ready; +Inf: no
	// deadline. nil: none has one. A plan without a late machine is better than one with some; of
	// two with some, that whose last late machine finishes earlier.
	Deadlines []float64
	// Previous is the machine that holds each partition already, -1: none. nil: none is held. What
	// a machine held that is away now is held by none.
	Previous []int
	// MoveCost is the time that moving one unit of size takes: a partition that leaves the machine
	// that holds it adds its size times MoveCost to the finish of its new machine. At 0 every gain
	// in makespan is worth a move; at a tenth of the time that processing one unit of size takes,
	// few partitions move.
	MoveCost float64
	// Extra is the time that fetching a partition adds to the finish of a machine, besides the Cost
	// of its size. It is not asked for partitions of size 0, nor for machines that are away. nil:
	// none.
	Extra func(partition, machine int) float64
	// Unknown says that a size of NaN is unknown; otherwise NaN is refused. A partition of unknown
	// size stays on the machine that holds it; one that none holds goes to a machine with the
	// fewest such partitions, whatever the Method, so that their number is even. All numbers of the
	// Plan count an unknown size as 0: no assignment ends before Bound whatever the unknown sizes
	// are, but it may end after Makespan and miss its deadlines.
	Unknown bool
	// Steps is the most moves and swaps of one local search. 0: 1000.
	Steps int
}

// Reason is why a partition is where it is.
type Reason uint8

const (
	// earliest: of the machines that meet their deadlines with it, this one finishes earliest
	earliest Reason = iota
	late            // no machine meets its deadline with it; this one finishes earliest
	lightest        // this machine had the least load
	hashed          // its index says so
	fitted          // the first machine with room for it within Multifit's makespan
	kept            // it was here already
	moved           // local search took it off the machine that finished last
	// swapped: local search swapped it for another, one of the two being on the machine that
	// finished last
	swapped
	spread   // its size is unknown, and this machine had the fewest such partitions
	searched // the search of all assignments put it here
	reasons
)

// String returns the name of the reason in lower case, and "Reason(9)" for what is none.
func (r Reason) String() string {
	return enum.Name(r, "Reason", "earliest", "late", "lightest", "hashed", "fitted", "kept", "moved", "swapped", "spread", "searched")
}

// MarshalText returns String.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Plan is an assignment of partitions to machines, and what comes of it.
type Plan struct {
	Of   []int     // the machine of each partition
	Load []float64 // the total size on each machine
	// Finish is when each machine is done: Ready + Cost(Load) + MoveCost * (size moved here) +
	// Extra of each partition here; Ready alone where Load is 0.
	Finish      []float64
	Makespan    float64 // the latest Finish of a machine with a load, 0 if there is none
	NetMakespan float64 // the Makespan that this assignment has with a MoveCost of 0
	// Bound is a time before which no assignment ends, MoveCost left out: the largest of when any
	// partition, fetched and alone on its machine, can end; the least time in which the machines
	// have room for the j largest sizes on j machines, for every j, and for all; and the least in
	// which as many machines, all as the fastest, have room by counting partitions: of km + 1 some
	// machine has k + 1, and no two above half a machine share one [MT]. Best may raise it by a
	// search of all assignments. These times are bisected and rounded down, so ask Exact and not
	// whether Bound is NetMakespan. 0 where a cost was seen to decrease.
	Bound    float64
	Exact    bool // no assignment ends before NetMakespan by more than 2^-30 of that
	Feasible bool // every machine with a load meets its deadline
	// Critical is the partition whose time alone is the Bound, -1 if there is none: only splitting
	// it, another hash function or another machine makes an earlier end possible.
	Critical int
	Why      []Reason // of each partition
	Moves    int      // partitions that leave a machine that holds them and is not away
}

// Assign assigns partitions to at most 2^20 machines so that the last machine finishes early. cost
// is asked for totals up to the sum of all sizes, never for 0. In DynamicShare and LoadBalance ties,
// of partitions of one size and of machines that finish together, go to the lower index.
//
// Errors: a slice of o of another length than partitions or machines; no machine that is not away;
// a cost (Index is the machine) or an Extra (the partition) that is no time.
func Assign(machines int, sizes []float64, cost Cost, o Options) (Plan, error) {
	p, err := newProblem("partition.Assign", machines, sizes, cost, o)
	if err != nil {
		return Plan{}, err
	}
	return p.solve().plan()
}

// AssignSketch assigns the partitions of each row of a sketch and returns the row with the best
// plan, ties to the lower: one that meets all deadlines, then the least Makespan (of late plans,
// the earliest last Finish of a late machine); for LoadBalance the best Balance of loads [DS 4, 5].
// Bound and Critical are of that row alone. A key goes to machine Plan.Of[Partition(row, key)].
// Previous and Extra must be nil.
func AssignSketch(machines int, s *Sketch, cost Cost, o Options) (row int, p Plan, err error) {
	const fn = "partition.AssignSketch"
	if s == nil || s.Rows() == 0 {
		return 0, Plan{}, noRows(fn, "s")
	}
	if o.Previous != nil || o.Extra != nil {
		return 0, Plan{}, input.Bad(fn, "o", -1, "Previous or Extra is set, want nil: they are of the partitions of one row")
	}
	var best *state
	balance := 0.0
	for r := range s.Rows() {
		sizes, _ := s.Row(nil, r) // there is a row r
		problem, err := newProblem(fn, machines, sizes, cost, o)
		if err != nil {
			return 0, Plan{}, err
		}
		found := problem.solve()
		if problem.err != nil {
			return 0, Plan{}, problem.err
		}
		better := best == nil || found.worst().before(best.worst())
		if o.Method == LoadBalance {
			b, _ := Balance(found.load) // no row sums to more than 2^64
			better, balance = b > balance, max(b, balance)
		}
		if better {
			row, best = r, found
		}
	}
	if p, err = best.plan(); err != nil {
		return 0, Plan{}, err
	}
	return row, p, nil
}

// withoutNaN returns a copy of sizes in which NaN is 0.
func withoutNaN(sizes []float64) []float64 {
	known := slices.Clone(sizes)
	for k, x := range known {
		if math.IsNaN(x) {
			known[k] = 0
		}
	}
	return known
}

// check checks the arguments of Assign.
func check(fn string, machines int, sizes []float64, cost Cost, o *Options) error {
	bad := func(index int, format string, args ...any) error { return input.Bad(fn, "o", index, format, args...) }
	if err := checkSizes(fn, "sizes", sizes); err != nil {
		return err
	}
	if machines < 1 || machines > maxMachines {
		return input.Bad(fn, "machines", -1, "%d, want 1 to 2^20", machines)
	}
	if cost == nil {
		return input.Bad(fn, "cost", -1, "is nil")
	}
	switch {
	case o.Method >= methods:
		return bad(-1, "Method is %d, want at most %d", o.Method, methods-1)
	case o.Ready != nil && len(o.Ready) != machines:
		return bad(-1, "Ready has %d elements, want %d, one for each machine", len(o.Ready), machines)
	case o.Deadlines != nil && len(o.Deadlines) != machines:
		return bad(-1, "Deadlines has %d elements, want %d, one for each machine", len(o.Deadlines), machines)
	case o.Previous != nil && len(o.Previous) != len(sizes):
		return bad(-1, "Previous has %d elements, want %d, one for each partition", len(o.Previous), len(sizes))
	case !(o.MoveCost >= 0 && o.MoveCost <= most):
		return bad(-1, "MoveCost is %v, want a value in [0, 2^200]", o.MoveCost)
	case o.Steps < 0:
		return bad(-1, "Steps is %d, want >= 0", o.Steps)
	}
	away := 0
	for i, x := range o.Ready {
		if math.IsInf(x, 1) {
			away++
		} else if !(x >= 0 && x <= most) {
			return bad(i, "Ready is %v, want a time in [0, 2^200] or +Inf", x)
		}
	}
	if away == machines {
		return bad(-1, "Ready is +Inf for every machine, want one that is not away")
	}
	for i, x := range o.Deadlines {
		if math.IsNaN(x) {
			return bad(i, "Deadline is NaN, want a time or +Inf")
		}
	}
	for k, i := range o.Previous {
		if i < -1 || i >= machines {
			return bad(k, "Previous is %d, want a machine in [0, %d) or -1", i, machines)
		}
	}
	return nil
}
