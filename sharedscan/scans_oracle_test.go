package sharedscan_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/sharedscan"
)

// needsOf plays one dataset of n blocks block by block: the head of the scan reads one block after
// the other around the circle while jobs arrive, and each job crosses off what it sees. It returns
// for each job which blocks it still needs.
func needsOf(r *rand.Rand, n, jobs int) [][]bool {
	var needs [][]bool
	head := r.IntN(n)
	for len(needs) < jobs {
		for range r.IntN(3) {
			if len(needs) < jobs {
				all := make([]bool, n)
				for b := range all {
					all[b] = true
				}
				needs = append(needs, all)
			}
		}
		for range r.IntN(n/2 + 1) {
			for j := range needs {
				needs[j][head] = false
			}
			head = (head + 1) % n
		}
	}
	return needs
}

func count(set []bool) (n int) {
	for _, x := range set {
		if x {
			n++
		}
	}
	return n
}

// TestCyclicChainReplay reads the blocks that are left in the order of the subjobs, each subjob
// only blocks that all its members still need, and checks after each who has everything.
func TestCyclicChainReplay(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 41))
		n := 1 + r.IntN(20)
		needs := needsOf(r, n, 1+r.IntN(7))
		scans := make([]sharedscan.Scan, len(needs))
		for j := range scans {
			scans[j] = sharedscan.Scan{Remaining: float64(count(needs[j])), Min: r.IntN(4), Max: 4 * r.IntN(3)}
		}
		got, err := sharedscan.CyclicChain(nil, scans)
		if err != nil || len(got) != len(scans) {
			t.Fatalf("seed %d: CyclicChain(nil, %+v) = %d subjobs, %v, want %d", seed, scans, len(got), err, len(scans))
		}
		done := make([]bool, len(scans))
		for k, s := range got {
			if len(s.Members) != len(scans)-k {
				t.Fatalf("seed %d: CyclicChain(nil, %+v): subjob %d has concurrency %d, want %d", seed, scans, k, len(s.Members), len(scans)-k)
			}
			for w := 0; w < int(s.Work); w++ {
				block := -1
				for b := range n {
					all := true
					for _, j := range s.Members {
						all = all && needs[j][b]
					}
					if all {
						block = b
						break
					}
				}
				if block < 0 {
					t.Fatalf("seed %d: subjob %d = %+v: no block that all members need after %d of %v", seed, k, s, w, s.Work)
				}
				for j := range needs {
					needs[j][block] = false
				}
			}
			done[s.Completes] = true
			low, high := 0, math.MaxInt
			for _, j := range s.Members {
				if scans[j].Remaining > 0 {
					low = max(low, scans[j].Min)
					if scans[j].Max > 0 {
						high = min(high, scans[j].Max)
					}
				}
			}
			if high == math.MaxInt {
				high = 0
			}
			if s.Min != low || s.Max != high {
				t.Fatalf("seed %d: CyclicChain(nil, %+v): subjob %d has Min %d, Max %d, want %d, %d", seed, scans, k, s.Min, s.Max, low, high)
			}
			for j := range needs {
				if done[j] && count(needs[j]) > 0 {
					t.Fatalf("seed %d: after subjob %d, which completes %d, scan %d still needs %d blocks", seed, k, s.Completes, j, count(needs[j]))
				}
			}
		}
		for j := range done {
			if !done[j] {
				t.Fatalf("seed %d: CyclicChain(nil, %+v) completes no scan %d", seed, scans, j)
			}
		}
	}
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
