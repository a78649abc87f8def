package queues_test

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/policy/internal/policytest"
	"github.com/schedmath/schedmath/policy/queues"
	"github.com/schedmath/schedmath/slotmodel"
)

// A map waits for a worker that holds its input, the one with the fewest tasks per slot, though a
// worker without the input is idle.
func TestBindToReplicas(t *testing.T) {
	for _, c := range []struct {
		name     string
		copies   int
		replicas []int32
		want     []slotmodel.Node // of the maps in order
	}{
		{"one copy", 1, []int32{2, 2, 2}, []slotmodel.Node{2, 2, 2}},
		{"the lower number first", 2, []int32{2, 1, 2, 1, 2, 1}, []slotmodel.Node{1, 2, 1}},
		{"the lower load first", 2, []int32{1, 1, 1, 2, 2, 1}, []slotmodel.Node{1, 2, 1}},
	} {
		job := policytest.Maps(0, 3, 1)
		job.Copies, job.Replicas = c.copies, c.replicas
		var nodes []slotmodel.Node
		_, err := slotmodel.Run(&slotmodel.Cluster{Nodes: policytest.Nodes(3, 1, 1, 0)}, []slotmodel.JobSpec{job}, new(queues.Policy),
			slotmodel.Options{Log: func(e slotmodel.Event) {
				if e.Type == slotmodel.Started {
					nodes = append(nodes, e.Node)
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(nodes)
		slices.Sort(c.want)
		if !slices.Equal(nodes, c.want) {
			t.Errorf("%s: the maps run on nodes %v, want %v", c.name, nodes, c.want)
		}
	}
}
