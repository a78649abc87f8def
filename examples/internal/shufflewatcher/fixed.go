package shufflewatcher

import (
	"slices"

	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// fixedBy says what fixes the numbers of a job's reduces on each rack: section 3.4's alternative to
// ShuffleWatcher.
type fixedBy int

const (
	unfixed       fixedBy = iota
	fixedByOutput         // the map output, when the maps have ended
	fixedByInput          // the input, at submission
)

// fixed is a filter that lets reduces start only within the numbers fixed for each rack.
type fixed struct {
	by    fixedBy
	quota [][]int // by job and rack; nil: not fixed yet
}

// BeginRun forgets the previous run.
func (f *fixed) BeginRun(v *slotmodel.View) { f.quota = make([][]int, v.Jobs()) }

// Accept reports whether a job may start a task of a kind on a node.
func (f *fixed) Accept(v *slotmodel.View, j slotmodel.Job, k slotmodel.Kind, n slotmodel.Node) bool {
	if k == slotmodel.Map {
		return true
	}
	if maps := v.Count(j, slotmodel.Map); f.by == fixedByOutput && maps.Done < maps.Tasks {
		return false
	}
	if f.quota[j] == nil {
		f.quota[j] = f.fix(v, j)
	}
	r := v.RackOf(n)
	return v.Started(j, slotmodel.Reduce, r) < f.quota[j][r]
}

// fix divides the reduces of a job among the racks.
func (f *fixed) fix(v *slotmodel.View, j slotmodel.Job) []int {
	spec, bytes := v.Spec(j), make([]float64, v.Racks())
	if f.by == fixedByInput {
		for _, n := range spec.Replicas {
			bytes[v.RackOf(slotmodel.Node(n))]++
		}
	} else {
		for r := range bytes {
			bytes[r] = v.Output(j, slotmodel.Rack(r))
		}
	}
	if slices.Max(bytes) == 0 { // no shuffle: as if all racks had the same
		bytes = slices.Repeat([]float64{1}, len(bytes))
	}
	quota, err := shuffle.ReducesPerRack(nil, spec.Reduces.Tasks, bytes)
	if err != nil {
		return make([]int, len(bytes)) // the run ends with stuck jobs
	}
	return quota
}
