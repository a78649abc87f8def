package sharedscan_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/sharedscan"
)

func count(set []bool) (n int) {
	for _, x := range set {
		if x {
			n++
		}
	}
	return n
}

// TestRegionsBruteForce compares with a map from each block's set of scans, spelled out, and with
// the containment of all pairs.
func TestRegionsBruteForce(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 43))
		n, k := r.IntN(14), r.IntN(6)
		if seed%50 == 0 {
			k = 60 + r.IntN(80) // more than a word of scans
		}
		intervals := seed%50 == 25
		if intervals { // more than a word, and sets within others
			n, k = 24, 70
		}
		needs := make([][]bool, k)
		scans := make([][]int, k)
		for j := range needs {
			needs[j] = make([]bool, n)
			density := r.Float64()
			from := r.IntN(n + 1)
			to := from + r.IntN(6)
			for b := range n {
				if intervals && from <= b && b < to || !intervals && r.Float64() < density {
					needs[j][b] = true
					scans[j] = append(scans[j], b)
					if r.IntN(8) == 0 {
						scans[j] = append(scans[j], b)
					}
				}
			}
			r.Shuffle(len(scans[j]), func(a, b int) { scans[j][a], scans[j][b] = scans[j][b], scans[j][a] })
		}
		bytes := make([]float64, n)
		for b := range bytes {
			bytes[b] = float64(r.IntN(5))
		}
		checkRegions(t, fmt.Sprintf("seed %d: Regions(%v, %v)", seed, scans, bytes), scans, needs, bytes)
	}
}

func checkRegions(t *testing.T, call string, scans [][]int, needs [][]bool, bytes []float64) {
	t.Helper()
	v, err := sharedscan.Regions(scans, bytes)
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
	want := make(map[string]float64) // by the spelling of the members
	for j := range needs {
		want[fmt.Sprint([]int{j})] = 0
	}
	for b := range bytes {
		var members []int
		for j := range needs {
			if needs[j][b] {
				members = append(members, j)
			}
		}
		if members == nil {
			if v.Of[b] != -1 {
				t.Fatalf("%s: block %d, which nobody needs, is in region %d", call, b, v.Of[b])
			}
			continue
		}
		want[fmt.Sprint(members)] += bytes[b]
		if got := v.Regions[v.Of[b]].Members; !reflect.DeepEqual(got, members) {
			t.Fatalf("%s: block %d is in the region of %v, want %v", call, b, got, members)
		}
	}
	if len(v.Regions) != len(want) || v.Graph.Len() != len(want) {
		t.Fatalf("%s: %d regions and a graph of %d, want %d", call, len(v.Regions), v.Graph.Len(), len(want))
	}
	for k, s := range v.Regions {
		w, ok := want[fmt.Sprint(s.Members)]
		completes := -1
		if k >= v.Own {
			completes = k - v.Own
		}
		if !ok || s.Work != w || s.Completes != completes {
			t.Fatalf("%s: region %d = %+v, want work %v and Completes %d", call, k, s, w, completes)
		}
	}
	// An arc for each pair of a set in another with none strictly between.
	in := func(a, b int) bool {
		if len(v.Regions[a].Members) >= len(v.Regions[b].Members) {
			return false
		}
		for _, j := range v.Regions[a].Members {
			if !slices.Contains(v.Regions[b].Members, j) {
				return false
			}
		}
		return true
	}
	for a := range v.Regions {
		var preds []int32
		for b := range v.Regions {
			if !in(a, b) {
				continue
			}
			between := false
			for c := range v.Regions {
				if in(a, c) && in(c, b) {
					between = true
					break
				}
			}
			if !between {
				preds = append(preds, int32(b))
			}
		}
		if got := v.Graph.Preds(a); !slices.Equal(got, preds) {
			t.Fatalf("%s: before region %d of %v are %v, want %v", call, a, v.Regions[a].Members, got, preds)
		}
	}
	// Replay: in any order of the graph, a scan has its last block read, and all before it, when
	// its own region ends.
	left := make([][]bool, len(needs))
	for j := range needs {
		left[j] = slices.Clone(needs[j])
	}
	for _, k := range v.Graph.Topological(nil) {
		for b := range bytes {
			if int(v.Of[b]) == k {
				for j := range left {
					left[j][b] = false
				}
			}
		}
		if j := v.Regions[k].Completes; j >= 0 && count(left[j]) > 0 {
			t.Fatalf("%s: scan %d still needs %d blocks after its own region", call, j, count(left[j]))
		}
	}
}
