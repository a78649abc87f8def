package aging

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/input"
)

const snapshotVersion = 1

// Snapshot is the state of a Cluster as plain data, fit for JSON when K is. Pairs of float64 are
// unevaluated sums, larger part first.
type Snapshot[K comparable] struct {
	Version  int     `json:"version"`
	Capacity float64 `json:"capacity"`
	// Clock: length of the virtual system's busy period so far
	Clock   [2]float64 `json:"clock"`
	Water   [2]float64 `json:"water"`   // virtual clock of the jobs below their caps
	Instant uint64     `json:"instant"` // number of times that time has passed
	// Period: number of times that time has passed while the virtual system was empty
	Period uint64           `json:"period"`
	Added  uint64           `json:"added"`            // number of jobs that were ever added
	Groups []SnapshotGroup  `json:"groups,omitempty"` // by ascending ratio, the one without a cap last
	Jobs   []SnapshotJob[K] `json:"jobs,omitempty"`   // in the order of Add
}

// SnapshotGroup is the virtual clock of the jobs of one ratio Slots/Weight.
type SnapshotGroup struct {
	Ratio float64 `json:"ratio"` // 0: no cap
	// Offset: of the group's clock from Water, or from Ratio*Clock when Capped
	Offset [2]float64 `json:"offset"`
	Capped bool       `json:"capped,omitempty"` // its jobs are at their caps
}

// SnapshotJob is one job of a Snapshot.
type SnapshotJob[K comparable] struct {
	Key   K     `json:"key"`
	State State `json:"state"`
	// Size: total virtual work; of a late job, the virtual service received
	Size   float64 `json:"size"`
	Slots  float64 `json:"slots"`  // 0: no limit
	Weight float64 `json:"weight"` // > 0
	Added  uint64  `json:"added"`  // place in the order of Add, from 1
	// Tag: its group's clock at its virtual finish; of a late job Water then
	Tag      [2]float64 `json:"tag"`
	Since    uint64     `json:"since,omitempty"`    // of a late job, the instant when it became late
	Period   uint64     `json:"period,omitempty"`   // of a late job, Snapshot.Period then
	NotReady bool       `json:"notReady,omitempty"` // see Cluster.SetReady
	Fresh    bool       `json:"fresh,omitempty"`    // late, and Cluster.Lapsed has not reported it
}

func pair(x dd.T) [2]float64   { return [2]float64{x.Hi, x.Lo} }
func unpair(x [2]float64) dd.T { return dd.T{Hi: x[0], Lo: x[1]} }

// Snapshot returns the state. It shares nothing with the cluster. Cost O(n log n).
func (c *Cluster[K]) Snapshot() Snapshot[K] {
	s := Snapshot[K]{Version: snapshotVersion, Capacity: c.capacity, Clock: pair(c.clock), Water: pair(c.water), Instant: c.instant, Period: c.period, Added: c.added}
	for _, h := range []*heap.Heap{&c.capped.ratio, &c.open.ratio} {
		for i := range int32(h.Len()) {
			g := &c.groups[h.ID(i)]
			s.Groups = append(s.Groups, SnapshotGroup{Ratio: finite(g.ratio), Offset: pair(g.offset), Capped: g.capped})
		}
	}
	slices.SortFunc(s.Groups, func(a, b SnapshotGroup) int { return cmp.Compare(unlimited(a.Ratio), unlimited(b.Ratio)) })
	order := slices.SortedFunc(maps.Values(c.index), func(a, b int32) int { return cmp.Compare(c.jobs[a].added, c.jobs[b].added) })
	for _, i := range order {
		j := &c.jobs[i]
		p := SnapshotJob[K]{Key: j.key, State: j.state, Size: j.size, Slots: finite(j.slots), Weight: j.weight,
			Added: j.added, Tag: pair(j.tag), NotReady: j.notReady, Fresh: j.fresh}
		if j.state == Late {
			p.Since, p.Period = uint64(c.late.half(j.passed()).Key(c.pos[i])), j.period
		}
		s.Jobs = append(s.Jobs, p)
	}
	return s
}

const (
	// lastInstant bounds Instant and Added: float64, the type of the late jobs' keys and of numbers
	// to some readers of JSON, holds all up to it.
	lastInstant = 1 << 53
	// far bounds clocks, offsets and tags: a ratio of at most 2^400 times a time of at most 2^240.
	far = 0x1p640
	// slack is the relative error that Restore takes for rounding: far more than rounding makes of
	// a valid state, far less than a mistake.
	slack = 0x1p-40
)

// sound reports whether p is a normalised double-double of moderate size.
func sound(p [2]float64) bool { return math.Abs(p[0]) <= far && p[0]+p[1] == p[0] }

// Restore returns a cluster in the state of s, which gives the same answers as the one that s was
// taken from, to the bit. s is not kept. Errors: an unknown version, or what no cluster could have
// produced; Reason names the element.
func Restore[K comparable](s Snapshot[K]) (*Cluster[K], error) {
	if r := s.fault(); r != "" {
		return nil, input.Bad("aging.Restore", "s", -1, "%s", r)
	}
	c := &Cluster[K]{capacity: s.Capacity, clock: unpair(s.Clock), water: unpair(s.Water), instant: s.Instant, period: s.Period}
	c.index, c.ratios = make(map[K]int32, len(s.Jobs)), make(map[float64]int32, len(s.Groups))
	for i, g := range s.Groups {
		if r := g.fault(); r != "" {
			return nil, faultOf("Groups", i, r)
		}
		if i > 0 && (!(unlimited(s.Groups[i-1].Ratio) < unlimited(g.Ratio)) || g.Capped && !s.Groups[i-1].Capped) {
			return nil, faultOf("Groups", i, "not in ascending order of Ratio, those at their caps first")
		}
		id := c.newGroup(unlimited(g.Ratio))
		c.groups[id].capped, c.groups[id].offset = g.Capped, unpair(g.Offset)
	}
	for i, p := range s.Jobs {
		r := p.fault(&s)
		if r == "" {
			r = c.restore(&s, p)
		}
		if r != "" {
			return nil, faultOf("Jobs", i, r)
		}
	}
	c.added = s.Added
	for i := range c.groups {
		if c.groups[i].len() == 0 {
			return nil, faultOf("Groups", i, "no job belongs to it")
		}
	}
	c.findLevel()
	if c.capped.ratio.Len() > 0 && !(-c.capped.ratio.Key(0) <= c.levelBefore(c.capped.ratio.ID(0))*(1+slack)) {
		return nil, faultOf("Groups", c.capped.ratio.Len()-1, "at its cap above the water level")
	}
	if c.open.ratio.Len() > 0 && !(c.open.ratio.Key(0) >= c.level*(1-slack)) {
		return nil, faultOf("Groups", c.capped.ratio.Len(), "not at its cap below the water level")
	}
	c.raiseLevel()
	return c, nil
}

// levelBefore returns what the level would be if a capped group were open. In exact arithmetic
// the group's ratio is at most that level if and only if it is at most the present level. Restore
// compares with the former, since rounding can change the present level by any factor where the
// open groups have little weight.
func (c *Cluster[K]) levelBefore(id int32) float64 {
	g := &c.groups[id]
	rest := dd.Of(c.capacity).Sub(c.capped.slots.Value()).Add(g.slots.Value()).Float()
	return rest / c.open.weight.Value().Add(g.weight.Value()).Float()
}

// faultOf is the error of Restore for an element of a field of s.
func faultOf(field string, i int, reason string) error {
	return input.Bad("aging.Restore", "s", -1, "%s[%d]: %s", field, i, reason)
}

func (s *Snapshot[K]) fault() string {
	switch {
	case s.Version != snapshotVersion:
		return fmt.Sprintf("Version is %d, want %d", s.Version, snapshotVersion)
	case !amount(s.Capacity):
		return fmt.Sprintf("Capacity is %v, %s", s.Capacity, amountRange)
	case !sound(s.Clock) || s.Clock[0] < 0 || !sound(s.Water) || s.Water[0] < 0:
		return fmt.Sprintf("Clock and Water are %v and %v, want normalised pairs >= 0", s.Clock, s.Water)
	case s.Instant > lastInstant || s.Period > s.Instant || s.Added > lastInstant:
		return fmt.Sprintf("Instant, Period and Added are %d, %d and %d, want at most 2^53, Instant and 2^53", s.Instant, s.Period, s.Added)
	}
	return ""
}

func (g SnapshotGroup) fault() string {
	switch {
	case g.Ratio != 0 && !(g.Ratio >= least/most && g.Ratio <= most/least):
		return fmt.Sprintf("Ratio is %v, want 0 or a value in [2^-400, 2^400]", g.Ratio)
	case !sound(g.Offset):
		return fmt.Sprintf("Offset is %v, want a normalised pair", g.Offset)
	case g.Ratio == 0 && g.Capped:
		return "at its cap without a cap"
	}
	return ""
}

func (p SnapshotJob[K]) fault(s *Snapshot[K]) string {
	isLate := p.State == Late
	switch {
	case p.Key != p.Key:
		return "Key is not equal to itself"
	case p.State > Late:
		return fmt.Sprintf("State is %v, want OnTime, Completed or Late", p.State)
	case !(p.Size >= 0 && p.Size <= most):
		return fmt.Sprintf("Size is %v, want a value in [0, 2^200]", p.Size)
	case !isLate && p.Size < least:
		return fmt.Sprintf("Size is %v of a job that is not late, want a value in [2^-200, 2^200]", p.Size)
	case p.Slots != 0 && !(p.Slots >= least && p.Slots < most):
		return fmt.Sprintf("Slots is %v, want 0 or a value in [2^-200, 2^200)", p.Slots)
	case !(p.Weight >= least && p.Weight <= most):
		return fmt.Sprintf("Weight is %v, want a value in [2^-200, 2^200]", p.Weight)
	case !sound(p.Tag):
		return fmt.Sprintf("Tag is %v, want a normalised pair", p.Tag)
	case isLate && (p.Since > s.Instant || p.Period > s.Period):
		return "late since a time that has not come"
	case !isLate && (p.Since != 0 || p.Period != 0 || p.Fresh):
		return "Since, Period or Fresh of a job that is not late"
	case p.NotReady && p.State == Completed:
		return "completed and NotReady"
	}
	return ""
}

// restore adds a job whose fields are in range in the state that its snapshot names, or says why it
// cannot be in that state.
func (c *Cluster[K]) restore(s *Snapshot[K], p SnapshotJob[K]) string {
	if _, twice := c.index[p.Key]; twice {
		return "a Key for the second time"
	}
	if p.Added <= c.added || p.Added > s.Added {
		return "Added is not a place of its own in the order of Add"
	}
	c.added = p.Added - 1
	i := c.newJob(job[K]{key: p.Key, tag: unpair(p.Tag), size: p.Size, slots: unlimited(p.Slots), weight: p.Weight, state: p.State, period: p.Period, notReady: p.NotReady})
	j := &c.jobs[i]
	if p.State == Late {
		c.push(&c.late, i, float64(p.Since))
		if p.Fresh {
			c.noteLapse(i)
		}
		return ""
	}
	id, ok := c.ratios[j.slots/j.weight]
	if !ok {
		return "its ratio Slots/Weight is not among Groups"
	}
	j.group = id
	g := &c.groups[id]
	now := c.now(g)
	left := j.tag.Sub(now).Mul(j.weight).Float()
	// bits covers the rounding of the clocks, which can be much to a small job beside a large
	// clock. Both clocks count, since the group may have changed sides.
	clocks := math.Abs(j.tag.Hi) + math.Abs(now.Hi) + math.Abs(g.offset.Hi) + c.water.Hi
	if g.ratio < math.Inf(1) {
		clocks += float64(c.clock.Hi * g.ratio)
	}
	bits := float64(0x1p-90 * clocks * j.weight)
	if !(left >= -float64(slack*j.size)-bits && left <= float64((1+slack)*j.size)+bits) {
		return fmt.Sprintf("Tag leaves %v of a Size of %v to do", left, j.size)
	}
	c.countWeight(j.weight)
	c.join(i)
	return ""
}
