package shuffle_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/shuffle"
	"pgregory.net/rapid"
)

// moved is the traffic of a placement: each partition is a job of one reduce.
func moved(t interface{ Fatal(...any) }, bytes [][]float64, of []int) float64 {
	sum := 0.0
	for i, q := range of {
		reduces := make([]int, len(bytes[i]))
		reduces[q] = 1
		x, err := shuffle.CrossRack(bytes[i], reduces)
		if err != nil {
			t.Fatal(err)
		}
		sum += x
	}
	return sum
}

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

// TestPlaceReducesEnumeration: no placement within the slots moves fewer bytes.
func TestPlaceReducesEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes, slots := drawPartitions(t, 6, 4)
		of, err := shuffle.PlaceReduces([]int{-7}, slots, bytes)
		if err != nil || len(of) != len(bytes)+1 || of[0] != -7 {
			t.Fatalf("PlaceReduces(%v, %v) = %v, %v", bytes, slots, of, err)
		}
		of = of[1:]
		got, least := moved(t, bytes, of), math.Inf(1)
		room := append([]int(nil), slots...)
		for _, q := range of {
			if room[q]--; room[q] < 0 {
				t.Fatalf("PlaceReduces(%v, %v) = %v uses more than the slots", bytes, slots, of)
			}
		}
		copy(room, slots)
		at := make([]int, len(bytes))
		var walk func(i int)
		walk = func(i int) {
			if i == len(at) {
				least = min(least, moved(t, bytes, at))
				return
			}
			for q := range room {
				if room[q] > 0 {
					room[q]--
					at[i] = q
					walk(i + 1)
					room[q]++
				}
			}
		}
		walk(0)
		if got > least+1e-12*size(bytes) {
			t.Fatalf("PlaceReduces(%v, %v) = %v moves %v, want %v", bytes, slots, of, got, least)
		}
	})
}

// TestPlaceReducesNoBetterChain: placements too large to enumerate, most of them with no slot to
// spare or few.
func TestPlaceReducesNoBetterChain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes, slots := drawPartitions(t, 60, 8)
		checkChains(t, bytes, slots)
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
	of, err := shuffle.PlaceReduces(nil, slots, bytes)
	if err != nil {
		t.Fatalf("PlaceReduces(%v, %v): %v", bytes, slots, err)
	}
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

// TestPlaceReducesEqual: partitions of equal sizes are placed as well as ReducesWithin does.
func TestPlaceReducesEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes, slots := drawPartitions(t, 20, 6)
		if len(bytes) == 0 {
			return
		}
		total := make([]float64, len(slots))
		for i := range bytes {
			bytes[i] = bytes[0]
			for q, x := range bytes[0] {
				total[q] += x
			}
		}
		of, err := shuffle.PlaceReduces(nil, slots, bytes)
		if err != nil {
			t.Fatal(err)
		}
		quota, err := shuffle.ReducesWithin(nil, len(bytes), total, slots)
		if err != nil {
			t.Fatal(err)
		}
		want, err := shuffle.CrossRack(total, quota)
		if got := moved(t, bytes, of); err != nil || math.Abs(got-want) > 1e-12*size(bytes) {
			t.Fatalf("%d times %v, slots %v: PlaceReduces moves %v, ReducesWithin %v, %v", len(bytes), bytes[0], slots, got, want, err)
		}
	})
}
