package shuffle_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/shuffle"
)

func drawCandidates(t *rapid.T) []shuffle.Candidate {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) shuffle.Candidate {
		return shuffle.Candidate{
			Kind:      shuffle.Kind(rapid.IntRange(0, 1).Draw(t, "kind")),
			Arrival:   float64(rapid.IntRange(-4, 8).Draw(t, "arrival")),
			Local:     shuffle.Locality(rapid.IntRange(0, 2).Draw(t, "local")),
			Preferred: rapid.Bool().Draw(t, "preferred"),
			Heavy:     rapid.Bool().Draw(t, "heavy"),
		}
	}), 0, 12).Draw(t, "tasks")
}

// rules are the lines of Figure 3 by their names.
var rules = map[int]shuffle.Reason{
	4: shuffle.PreferredMap, 5: shuffle.LocalMap, 6: shuffle.RemoteMap, 7: shuffle.LightReduce, 8: shuffle.PreferredReduce, 9: shuffle.HeavyReduce,
	13: shuffle.PreferredReduce, 14: shuffle.HeavyReduce, 15: shuffle.LightReduce, 16: shuffle.PreferredMap, 17: shuffle.LocalMap, 18: shuffle.RemoteMap,
}

// figure3 is what the paper's Figure 3 takes for the selected user, and the rule.
func figure3(tasks []shuffle.Candidate, networkSaturated bool) (int, shuffle.Reason) {
	i, line := lines(tasks, networkSaturated)
	return i, rules[line]
}

// lines is Figure 3, line by line.
func lines(tasks []shuffle.Candidate, networkSaturated bool) (int, int) {
	find := func(accept func(c shuffle.Candidate) bool) int {
		found := -1
		for i, c := range tasks {
			if accept(c) && (found < 0 || c.Arrival < tasks[found].Arrival) {
				found = i
			}
		}
		return found
	}
	isMap := func(c shuffle.Candidate) bool { return c.Kind == shuffle.Map }
	isReduce := func(c shuffle.Candidate) bool { return c.Kind == shuffle.Reduce }
	preferredMap := func() int { return find(func(c shuffle.Candidate) bool { return isMap(c) && c.Preferred }) }
	localMap := func() int {
		if i := find(func(c shuffle.Candidate) bool { return isMap(c) && c.Local == shuffle.Node }); i >= 0 {
			return i
		}
		return find(func(c shuffle.Candidate) bool { return isMap(c) && c.Local == shuffle.Rack })
	}
	if networkSaturated { // line 2
		if i := preferredMap(); i >= 0 {
			return i, 4
		}
		if i := localMap(); i >= 0 {
			return i, 5
		}
		if i := find(isMap); i >= 0 {
			return i, 6
		}
		if i := find(func(c shuffle.Candidate) bool { return isReduce(c) && !c.Heavy }); i >= 0 {
			return i, 7
		}
		if i := find(func(c shuffle.Candidate) bool { return isReduce(c) && c.Heavy && c.Preferred }); i >= 0 {
			return i, 8
		}
		if i := find(isReduce); i >= 0 {
			return i, 9
		}
	} else { // line 11
		if i := find(func(c shuffle.Candidate) bool { return isReduce(c) && c.Heavy && c.Preferred }); i >= 0 {
			return i, 13
		}
		if i := find(func(c shuffle.Candidate) bool { return isReduce(c) && c.Heavy }); i >= 0 {
			return i, 14
		}
		if i := find(isReduce); i >= 0 {
			return i, 15
		}
		if i := preferredMap(); i >= 0 {
			return i, 16
		}
		if i := localMap(); i >= 0 {
			return i, 17
		}
		if i := find(isMap); i >= 0 {
			return i, 18
		}
	}
	return -1, 0
}

// TestNextFigure3: of every pair of candidates, in either order of arrival and at once, Next takes
// what the figure takes, by the same rule.
func TestNextFigure3(t *testing.T) {
	var all []shuffle.Candidate
	for class := range 24 {
		all = append(all, shuffle.Candidate{Kind: shuffle.Kind(class % 2), Local: shuffle.Locality(class / 2 % 3), Preferred: class/6%2 == 1, Heavy: class >= 12})
	}
	for _, a := range all {
		for _, b := range all {
			for b.Arrival = -1; b.Arrival <= 1; b.Arrival++ {
				for _, saturated := range []bool{false, true} {
					tasks := []shuffle.Candidate{a, b}
					i, why, err := shuffle.Next(tasks, saturated, 0)
					if wantI, wantWhy := figure3(tasks, saturated); i != wantI || why != wantWhy || err != nil {
						t.Errorf("Next(%+v, %t) = %d, %v, %v, want %d, %v", tasks, saturated, i, why, err, wantI, wantWhy)
					}
				}
			}
		}
	}
}

// TestNextWindows: Next takes what the figure takes among all tasks, and with windows among those of
// the earliest window.
func TestNextWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tasks, saturated := drawCandidates(t), rapid.Bool().Draw(t, "saturated")
		window := float64(rapid.IntRange(0, 15).Draw(t, "window/2")) / 2 // 0: none
		i, why, err := shuffle.Next(tasks, saturated, window)
		if len(tasks) == 0 {
			if i != -1 || why != shuffle.NoTask || err != nil {
				t.Fatalf("Next of nothing = %d, %v, %v, want -1, no task", i, why, err)
			}
			return
		}
		// the number of a window: of the last multiple of its length not after the arrival
		number := func(c shuffle.Candidate) float64 {
			if window == 0 {
				return 0
			}
			return math.Floor(c.Arrival / window)
		}
		earliest := math.Inf(1)
		for _, c := range tasks {
			earliest = min(earliest, number(c))
		}
		var open []shuffle.Candidate
		var index []int
		for k, c := range tasks {
			if number(c) == earliest {
				open, index = append(open, c), append(index, k)
			}
		}
		wantI, wantWhy := figure3(open, saturated)
		if i != index[wantI] || why != wantWhy || err != nil {
			t.Fatalf("Next(%+v, %t, window %v) = %d, %v, %v, want %d, %v", tasks, saturated, window, i, why, err, index[wantI], wantWhy)
		}
	})
}

// TestNextNoStarvation: a user always has fresh jobs with better tasks. Without windows an old
// job's reduce waits for ever, with windows it runs at the end of its window.
func TestNextNoStarvation(t *testing.T) {
	for _, c := range []struct {
		window float64
		want   int // the time when the old job's reduce runs
	}{{0, -1}, {600, 600}} {
		ran := -1
		tasks := []shuffle.Candidate{{Kind: shuffle.Reduce, Heavy: true}}
		for now := 1; now < 2000 && ran < 0; now++ {
			tasks = append(tasks, shuffle.Candidate{Arrival: float64(now), Local: shuffle.Node})
			i, _, err := shuffle.Next(tasks, true, c.window)
			must(t, err)
			if i == 0 {
				ran = now
			}
			tasks = slices.Delete(tasks, i, i+1)
		}
		if ran != c.want {
			t.Errorf("window %v: the old reduce ran at %d, want %d", c.window, ran, c.want)
		}
	}
}

func TestEnumerationsKeepTheirWords(t *testing.T) {
	expect.Words(t, map[shuffle.Locality]string{shuffle.Remote: "remote", shuffle.Rack: "rack", shuffle.Node: "node"})
	expect.Words(t, map[shuffle.Reason]string{
		shuffle.NoTask: "no task", shuffle.PreferredMap: "preferred map", shuffle.LocalMap: "local map",
		shuffle.RemoteMap: "remote map", shuffle.LightReduce: "light reduce",
		shuffle.PreferredReduce: "preferred reduce", shuffle.HeavyReduce: "heavy reduce",
	})
}
