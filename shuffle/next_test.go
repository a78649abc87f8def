package shuffle_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/oracle/figure3"
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

// chosen is what the paper's Figure 3 takes for the selected user, and the rule, in windows of a
// length; 0: one for all.
func chosen(tasks []shuffle.Candidate, saturated bool, window float64) (int, string) {
	var all []figure3.Task
	for _, c := range tasks {
		x := figure3.Task{Reduce: c.Kind == shuffle.Reduce, Preferred: c.Preferred, Heavy: c.Heavy, Arrival: c.Arrival,
			Local: map[shuffle.Locality]string{shuffle.Node: "node", shuffle.Rack: "rack"}[c.Local]}
		if window > 0 { // of the last multiple of its length not after the arrival
			x.Window = math.Floor(c.Arrival / window)
		}
		all = append(all, x)
	}
	return figure3.Choose(all, saturated)
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
					if wantI, wantWhy := chosen(tasks, saturated, 0); i != wantI || why.String() != wantWhy || err != nil {
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
		if want, wantWhy := chosen(tasks, saturated, window); i != want || why.String() != wantWhy || err != nil {
			t.Fatalf("Next(%+v, %t, window %v) = %d, %v, %v, want %d, %v", tasks, saturated, window, i, why, err, want, wantWhy)
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
