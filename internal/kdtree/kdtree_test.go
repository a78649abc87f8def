package kdtree_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/kdtree"
)

// brute lists all points but skip by distance from query, equally far ones by index.
func brute(points []float64, dim int, query []float64, skip int) []kdtree.Neighbour {
	var all []kdtree.Neighbour
	for i := range len(points) / dim {
		if i == skip {
			continue
		}
		sum := 0.0
		for j := range dim {
			d := query[j] - points[i*dim+j]
			sum += float64(d * d)
		}
		all = append(all, kdtree.Neighbour{Index: i, Key: sum})
	}
	slices.SortStableFunc(all, func(a, b kdtree.Neighbour) int { return cmp.Compare(a.Key, b.Key) })
	return all
}

func sorted(a []kdtree.Neighbour) []kdtree.Neighbour {
	a = slices.Clone(a)
	slices.SortFunc(a, func(a, b kdtree.Neighbour) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Index, b.Index))
	})
	return a
}

// check compares both queries with the sorted list of all points.
func check(t interface {
	Helper()
	Fatalf(string, ...any)
}, tree *kdtree.Tree, points []float64, dim int, query []float64, k, skip int) {
	t.Helper()
	all := brute(points, dim, query, skip)
	want := all[:max(0, min(k, len(all)))]
	first := kdtree.Neighbour{Index: -7}
	got := tree.Nearest([]kdtree.Neighbour{first}, query, k, skip)
	if got[0] != first || !slices.Equal(sorted(got[1:]), want) {
		t.Fatalf("Nearest(query %v, k %d, skip %d) of %v = %v, want %v", query, k, skip, points, got, want)
	}
	if len(want) == 0 {
		return
	}
	last := want[len(want)-1]
	if got[len(want)] != last {
		t.Fatalf("Nearest(query %v, k %d, skip %d) of %v ends with %v, want the farthest, %v", query, k, skip, points, got[len(want)], last)
	}
	n := len(want)
	for n < len(all) && all[n].Key <= last.Key {
		n++
	}
	got = tree.Within([]kdtree.Neighbour{first}, query, last.Key, skip)
	if got[0] != first || !slices.Equal(sorted(got[1:]), all[:n]) {
		t.Fatalf("Within(query %v, %v, skip %d) of %v = %v, want %v", query, last.Key, skip, points, got, all[:n])
	}
}

// coordinates draws them from few values, so that ties and equal points abound, or from many.
func coordinates() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Map(rapid.IntRange(-2, 2), func(i int) float64 { return float64(i) }),
		rapid.Float64Range(-10, 10),
		rapid.SampledFrom([]float64{math.Copysign(0, -1), 0x1p-500, -0x1p-500, 0x1p499}),
	)
}

func TestAgainstList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dim := rapid.IntRange(1, 5).Draw(t, "dim")
		n := rapid.OneOf(rapid.IntRange(0, 20), rapid.IntRange(0, 200)).Draw(t, "n")
		c := coordinates()
		if rapid.Bool().Draw(t, "grid") {
			c = rapid.Map(rapid.IntRange(0, 2), func(i int) float64 { return float64(i) })
		}
		points := rapid.SliceOfN(c, n*dim, n*dim).Draw(t, "points")
		kept := slices.Clone(points)
		tree := kdtree.New(points, dim)
		for range 3 {
			query, skip := rapid.SliceOfN(c, dim, dim).Draw(t, "query"), -1
			if n > 0 && rapid.Bool().Draw(t, "own") {
				skip = rapid.IntRange(0, n-1).Draw(t, "skip")
				query = points[skip*dim:][:dim]
			}
			check(t, tree, points, dim, query, rapid.IntRange(-1, n+1).Draw(t, "k"), skip)
		}
		if !slices.Equal(points, kept) {
			t.Fatalf("New changed its points")
		}
	})
}

// TestOutOfRange: coordinates whose squares overflow or vanish give results of the right length
// without NaN.
func TestOutOfRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{0, math.MaxFloat64, -math.MaxFloat64, 5e-324, 1e300, -1e300}))
		points := rapid.SliceOfN(c, 80, 80).Draw(t, "points")
		check(t, kdtree.New(points, 2), points, 2, rapid.SliceOfN(c, 2, 2).Draw(t, "query"), rapid.IntRange(1, 40).Draw(t, "k"), -1)
	})
}

// hostile are point sets on which a tree that splits by value degenerates.
func hostile(n int) map[string][]float64 {
	rng := rand.New(rand.NewPCG(3, 4))
	sets := map[string][]float64{}
	for name, at := range map[string]func(i, j int) float64{
		"equal":    func(i, j int) float64 { return 5 },
		"constant": func(i, j int) float64 { return []float64{7, rng.Float64(), 7}[j] },
		"line":     func(i, j int) float64 { return float64(i) },
		"falling":  func(i, j int) float64 { return float64(-i) },
		"pipe":     func(i, j int) float64 { return float64(min(i, n-i)) },
		"few":      func(i, j int) float64 { return float64(rng.IntN(3)) },
		"two":      func(i, j int) float64 { return float64(i / (n - 1)) },
	} {
		for i := range n {
			for j := range 3 {
				sets[name] = append(sets[name], at(i, j))
			}
		}
	}
	return sets
}

func TestHostile(t *testing.T) {
	const n = 5000
	for name, points := range hostile(n) {
		t.Run(name, func(t *testing.T) {
			tree := kdtree.New(points, 3)
			for _, i := range []int{0, 1, n / 2, n - 1} {
				for _, k := range []int{1, 20, 700} {
					check(t, tree, points, 3, points[3*i:3*i+3], k, i)
				}
			}
		})
	}
}

func TestAllocations(t *testing.T) {
	points := cloud(3000, 3, 1)
	tree := kdtree.New(points, 3)
	for _, k := range []int{1, 15, 16, 17, 400, 2999, 4000} {
		dst := make([]kdtree.Neighbour, 1, 1+min(2*k, 3000))
		if got := testing.AllocsPerRun(20, func() { tree.Nearest(dst, points[:3], k, 0) }); got != 0 {
			t.Errorf("Nearest with k = %d allocates %v times, want 0", k, got)
		}
	}
}
