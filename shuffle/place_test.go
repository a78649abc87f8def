package shuffle_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/shuffle"
)

// size is the bytes of all partitions, to which answers are exact: where few of them have to move,
// sums of larger ones round.
func size(bytes [][]float64) float64 {
	sum := 0.0
	for _, row := range bytes {
		for _, x := range row {
			sum += x
		}
	}
	return sum
}

// drawPartitions draws partitions and slots that suffice. Few different bytes make ties.
func drawPartitions(t *rapid.T, partitions, racks int) ([][]float64, []int) {
	n := rapid.IntRange(1, racks).Draw(t, "racks")
	bytes := make([][]float64, rapid.IntRange(0, partitions).Draw(t, "partitions"))
	cell := rapid.OneOf(rapid.Float64Range(0, 1e9), rapid.Map(rapid.IntRange(0, 3), func(k int) float64 { return float64(k) }))
	for i := range bytes {
		bytes[i] = rapid.SliceOfN(cell, n, n).Draw(t, "bytes")
	}
	slots := rapid.SliceOfN(rapid.IntRange(0, 3), n, n).Draw(t, "slots")
	for room := 0; ; {
		for _, k := range slots {
			room += k
		}
		if room >= len(bytes) {
			return bytes, slots
		}
		slots[rapid.IntRange(0, n-1).Draw(t, "more")] += len(bytes) - room
		room = 0
	}
}

// TestPlaceReducesNoBetterChain: drawn placements, and larger ones, most of them with no slot to
// spare or few.
func TestPlaceReducesNoBetterChain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, most := range [][2]int{{6, 4}, {60, 8}} {
			bytes, slots := drawPartitions(t, most[0], most[1])
			checkChains(t, bytes, slots)
		}
	})
	r := rand.New(rand.NewPCG(7, 8))
	for n := 1; n <= 120; n++ {
		racks := 1 + r.IntN(10)
		bytes, slots := make([][]float64, n), make([]int, racks)
		for i := range bytes {
			bytes[i] = make([]float64, racks)
			for q := range bytes[i] {
				bytes[i][q] = float64(r.IntN(100))
			}
			slots[r.IntN(racks)]++
		}
		slots[r.IntN(racks)] += r.IntN(3)
		checkChains(t, bytes, slots)
	}
}

// checkChains fails unless the placement is within the slots and no chain of moves that ends on
// a rack with room, or where it began, gains: such a placement is optimal, and no other is. The
// chains are the paths of Floyd and Warshall.
func checkChains(t interface{ Fatalf(string, ...any) }, bytes [][]float64, slots []int) {
	of, err := shuffle.PlaceReduces([]int{-7}, slots, bytes)
	if err != nil || len(of) != len(bytes)+1 || of[0] != -7 {
		t.Fatalf("PlaceReduces(%v, %v) = %v, %v", bytes, slots, of, err)
	}
	of = of[1:]
	n := len(slots)
	room := append([]int(nil), slots...)
	cost := make([][]float64, n) // of the cheapest chain from a rack to a rack
	for a := range cost {
		cost[a] = make([]float64, n)
		for b := range cost[a] {
			cost[a][b] = math.Inf(1)
		}
	}
	for i, a := range of {
		room[a]--
		for b, x := range bytes[i] {
			if b != a {
				cost[a][b] = min(cost[a][b], bytes[i][a]-x)
			}
		}
	}
	for k := range n {
		for a := range n {
			for b := range n {
				cost[a][b] = min(cost[a][b], cost[a][k]+cost[k][b])
			}
		}
	}
	for a := range n {
		for b := range n {
			if room[b] < 0 || (a == b || room[b] > 0) && cost[a][b] < -1e-12*size(bytes) {
				t.Fatalf("PlaceReduces(%v, %v) = %v: room %v, moves from %d to %d gain %v", bytes, slots, of, room, a, b, -cost[a][b])
			}
		}
	}
}
