package aging

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
)

// TestSortByKey compares with a sort of the standard library: few and many keys, whole numbers, keys that share their first
// bits with most others, all of them equal.
func TestSortByKey(t *testing.T) {
	keys := []func(src *rand.Rand) float64{
		func(src *rand.Rand) float64 { return 1 - src.Float64() },
		func(src *rand.Rand) float64 { return float64(1 + src.IntN(100)) },
		func(src *rand.Rand) float64 { return math.Ldexp(1+src.Float64(), src.IntN(401)-200) },
		func(src *rand.Rand) float64 { return 1 + float64(src.IntN(50))*0x1p-52 },
		func(src *rand.Rand) float64 { // an outlier now and then
			if src.IntN(300) == 0 {
				return math.Ldexp(1, src.IntN(401)-200)
			}
			return 1 + src.Float64()*0x1p-40
		},
		func(*rand.Rand) float64 { return 3 },
	}
	for kind, key := range keys {
		for seed := range uint64(40) {
			src := rand.New(rand.NewPCG(seed, uint64(kind)))
			n := []int{0, 1, 2, radixLeast - 1, radixLeast, 1000, 5000}[seed%7]
			if seed == 39 {
				n = twoDigits + 1000
			}
			entries := make([]heap.Entry, n)
			id := int32(0)
			for i := range entries {
				id += int32(1 + src.IntN(3))
				entries[i] = heap.Entry{Key: key(src), ID: id}
			}
			want := slices.Clone(entries)
			slices.SortFunc(want, func(a, b heap.Entry) int {
				return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID))
			})
			if got := sortByKey(entries); !slices.Equal(got, want) {
				t.Fatalf("keys of kind %d, seed %d: sortByKey(%d entries) is not in order of (Key, ID)", kind, seed, n)
			}
		}
	}
}

// TestCapQueue drives the queue beside a plain list: finishes that share their upper halves, whole numbers that come again
// and again, many magnitudes, all of them no earlier than what was taken out last.
func TestCapQueue(t *testing.T) {
	delays := []func(src *rand.Rand) dd.T{
		func(src *rand.Rand) dd.T { return dd.Of(src.Float64()) },
		func(src *rand.Rand) dd.T { return dd.Of(float64(src.IntN(4))) },
		func(src *rand.Rand) dd.T { return dd.Of(float64(src.IntN(2))).AddFloat(float64(src.IntN(5)) * 0x1p-80) },
		func(src *rand.Rand) dd.T { return dd.Of(math.Ldexp(1+src.Float64(), src.IntN(120)-60)) },
	}
	for kind, delay := range delays {
		for seed := range uint64(60) {
			src := rand.New(rand.NewPCG(seed, uint64(kind)))
			n := 1 + src.IntN(600)
			var q capQueue
			order := src.Perm(n)
			clock := dd.Of(src.Float64())
			var list []int32
			for len(order) > 0 || len(list) > 0 {
				for range src.IntN(1 + src.IntN(40)) {
					if len(order) > 0 {
						i := int32(order[0])
						order = order[1:]
						q.push(i, clock.Add(delay(src)))
						list = append(list, int32(len(q.jobs)-1))
					}
				}
				for range src.IntN(1 + src.IntN(40)) {
					i, ok := q.first()
					if ok != (len(list) > 0) {
						t.Fatalf("delays of kind %d, seed %d: first() = %d, %v with %d jobs in the queue", kind, seed, i, ok, len(list))
					}
					if !ok {
						break
					}
					want := slices.MinFunc(list, func(a, b int32) int {
						return cmp.Or(q.finish[a].Cmp(q.finish[b]), cmp.Compare(q.jobs[a], q.jobs[b]))
					})
					if i != want {
						t.Fatalf("delays of kind %d, seed %d: first() = %d at %v, want %d at %v", kind, seed, i, q.finish[i], want, q.finish[want])
					}
					list = slices.DeleteFunc(list, func(j int32) bool { return j == i })
					clock = q.finish[i]
					q.pop()
				}
			}
		}
	}
}
