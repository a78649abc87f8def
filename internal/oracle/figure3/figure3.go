// Package figure3 is Figure 3 of the paper on ShuffleWatcher, line by line.
package figure3

import "math"

// Task is a candidate of the selected user.
type Task struct {
	Reduce, Preferred, Heavy bool
	Local                    string // of a map: "node", "rack" or ""
	Arrival, Window          float64
}

// rule is a line of the figure and what package shuffle calls it.
type rule struct {
	name string
	is   func(t Task) bool
}

func isMap(t Task) bool          { return !t.Reduce }
func isReduce(t Task) bool       { return t.Reduce }
func preferredMap(t Task) bool   { return !t.Reduce && t.Preferred }
func onNode(t Task) bool         { return !t.Reduce && t.Local == "node" }
func inRack(t Task) bool         { return !t.Reduce && t.Local == "rack" }
func light(t Task) bool          { return t.Reduce && !t.Heavy }
func heavy(t Task) bool          { return t.Reduce && t.Heavy }
func preferredHeavy(t Task) bool { return t.Reduce && t.Heavy && t.Preferred }

// figure has lines 4 to 9, where the network is saturated, and 13 to 18.
var figure = map[bool][]rule{
	true: {{"preferred map", preferredMap}, {"local map", onNode}, {"local map", inRack}, {"remote map", isMap},
		{"light reduce", light}, {"preferred reduce", preferredHeavy}, {"heavy reduce", isReduce}},
	false: {{"preferred reduce", preferredHeavy}, {"heavy reduce", heavy}, {"light reduce", isReduce},
		{"preferred map", preferredMap}, {"local map", onNode}, {"local map", inRack}, {"remote map", isMap}},
}

// Choose returns which task of the earliest window is chosen, and by which rule: of those of the
// first line that has one, the one that arrived first. It returns -1 if there is no task.
func Choose(tasks []Task, saturated bool) (i int, name string) {
	earliest := math.Inf(1)
	for _, t := range tasks {
		earliest = min(earliest, t.Window)
	}
	for _, r := range figure[saturated] {
		found := -1
		for i, t := range tasks {
			if t.Window == earliest && r.is(t) && (found < 0 || t.Arrival < tasks[found].Arrival) {
				found = i
			}
		}
		if found >= 0 {
			return found, r.name
		}
	}
	return -1, "no task"
}
