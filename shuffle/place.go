package shuffle

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
)

// PlaceReduces appends to dst the rack of each partition of a job's map output for the fewest bytes
// across racks, to rounding, with at most slots[q] partitions on rack q; bytes[i][q] are those of
// partition i on rack q. A partition alone takes the rack with most of its bytes, ties to the
// lower. Fewer slots than partitions are an error.
func PlaceReduces(dst []int, slots []int, bytes [][]float64) ([]int, error) {
	// This is the transportation problem. Partitions are added one by one, each by the cheapest chain
	// of moves to a rack with room.
	if err := checkPlace(slots, bytes); err != nil {
		return dst, err
	}
	n := len(dst)
	dst = slices.Grow(dst, len(bytes))[:n+len(bytes)]
	p := placement{bytes: bytes, of: dst[n:n:len(dst)], room: slices.Clone(slots), leave: make([][]move, len(slots)), price: make([]float64, len(slots)),
		dist: make([]float64, len(slots)), via: make([]int, len(slots)), done: make([]bool, len(slots))}
	for range bytes {
		p.add()
	}
	return dst, nil
}

// placement is an optimal placement of the first partitions. Moving partition i from rack a to rack
// b costs bytes[i][a] - bytes[i][b] + price[b] - price[a] >= 0, where prices are those of the dual
// of the transportation problem: 0 on racks with room.
type placement struct {
	bytes [][]float64
	of    []int // rack of each partition placed
	room  []int
	leave [][]move // from a rack without room: the cheapest move to each rack
	price []float64

	// Dijkstra's algorithm over the racks, from the new partition.
	dist []float64
	via  []int // the partition that moves to the rack
	done []bool
	path []int // the racks whose partitions change
}

// move is a partition that leaves its rack, and how many more bytes it then moves.
type move struct {
	bytes     float64
	partition int
}

// add places the next partition.
func (p *placement) add() {
	next := len(p.of)
	for q, x := range p.bytes[next] {
		p.dist[q], p.via[q], p.done[q] = p.price[q]-x, next, false
	}
	at := p.nearest()
	for p.room[at] == 0 {
		p.done[at] = true
		stay := p.dist[at] - p.price[at]
		for b, m := range p.leave[at] {
			if d := stay + m.bytes + p.price[b]; !p.done[b] && d < p.dist[b] {
				p.dist[b], p.via[b] = d, m.partition
			}
		}
		at = p.nearest()
	}
	for q, done := range p.done {
		if done {
			p.price[q] += max(0, p.dist[at]-p.dist[q])
		}
	}
	p.room[at]--
	p.path = append(p.path[:0], at)
	for i := p.via[at]; i != next; i = p.via[at] {
		p.of[i], at = at, p.of[i]
		p.path = append(p.path, at)
	}
	p.of = append(p.of, at)
	for _, q := range p.path {
		if p.room[q] == 0 {
			p.weigh(q)
		}
	}
}

// weigh finds the cheapest moves from rack a.
func (p *placement) weigh(a int) {
	if p.leave[a] == nil {
		p.leave[a] = make([]move, len(p.room))
	}
	leave := p.leave[a]
	for b := range leave {
		leave[b].bytes = math.Inf(1)
	}
	for i, q := range p.of {
		if q != a {
			continue
		}
		row := p.bytes[i]
		for b, x := range row {
			if d := row[a] - x; d < leave[b].bytes {
				leave[b] = move{d, i}
			}
		}
	}
}

// nearest returns the rack not done with the least distance, ties to the lower.
func (p *placement) nearest() int {
	at, least := -1, math.Inf(1)
	for q, d := range p.dist {
		if !p.done[q] && (at < 0 || d < least) {
			at, least = q, d
		}
	}
	return at
}

func checkPlace(slots []int, bytes [][]float64) error {
	const fn = "shuffle.PlaceReduces"
	if len(slots) == 0 {
		return input.Bad(fn, "slots", -1, "empty, want an element for each rack")
	}
	if err := checkTasks(fn, "slots", slots, len(slots)); err != nil {
		return err
	}
	if count(slots) < int64(len(bytes)) {
		return input.Bad(fn, "slots", -1, "%d slots for %d partitions", count(slots), len(bytes))
	}
	for i, row := range bytes {
		if len(row) != len(slots) {
			return input.Bad(fn, "bytes", i, "%d elements, want %d, one for each rack", len(row), len(slots))
		}
		for q, x := range row {
			if !isSize(x) {
				return input.Bad(fn, "bytes", i, "%v on rack %d, want bytes in [0, 2^200]", x, q)
			}
		}
	}
	return nil
}
