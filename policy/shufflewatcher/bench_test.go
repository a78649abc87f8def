package shufflewatcher_test

import (
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/slotmodel"
)

var must = expect.Must

// crowded is the paper's cluster of 100 nodes in 10 racks under overload: 30 users, jobs with
// blocks of three copies, a third of them heavy.
func crowded(slowstart float64) (*slotmodel.Cluster, []slotmodel.JobSpec) {
	r := rand.New(rand.NewPCG(1, 3))
	c := &slotmodel.Cluster{Network: slotmodel.Network{Fluid: true}}
	for i := range 100 {
		c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Rack: i / 10, Maps: 2, Reduces: 2})
	}
	for range 10 {
		c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: 62.5e6, Ingress: 62.5e6})
	}
	jobs := make([]slotmodel.JobSpec, 360)
	for i := range jobs {
		n := 1 + int(100*r.ExpFloat64())
		bytes := float64(n) * 128e6
		j := &jobs[i]
		*j = slotmodel.JobSpec{
			User: i % 30, Arrival: 2 * float64(i), Slowstart: slowstart,
			Maps: slotmodel.Phase{Tasks: n, Work: 30}, Reduces: slotmodel.Phase{Tasks: 1 + n/4, Work: 40},
			Input: bytes, Shuffle: []float64{.1, 1, 2}[i%3] * bytes, Output: .1 * bytes, Copies: 3,
		}
		for range n {
			a, b := int32(r.IntN(100)), int32(r.IntN(10))
			j.Replicas = append(j.Replicas, a, (a+10+b)%100, (a+10+(b+1)%10)%100)
		}
	}
	return c, jobs
}

// A run of the paper's size under each kind of fairness, with the baselines beside.
func BenchmarkShuffleWatcher(b *testing.B) {
	for _, x := range []struct {
		name      string
		slowstart float64
		users     policy.Users
		chooser   policy.Chooser
	}{
		{"Fair", .05, new(policy.FairUsers), new(policy.Earliest)},
		{"SW-fair", 0, new(policy.FairUsers), new(shufflewatcher.Chooser)},
		{"Delay", .05, new(policy.FairUsers), &policy.Earliest{Filter: &policy.Delay{Node: 5, Rack: 5}}},
		{"SW-relaxed", 0, new(policy.FairUsers), &shufflewatcher.Chooser{Wait: 5}},
		{"SW-DRF", 0, new(policy.DRF), new(shufflewatcher.Chooser)},
	} {
		b.Run("policy="+x.name, func(b *testing.B) {
			c, jobs := crowded(x.slowstart)
			b.ReportAllocs()
			for b.Loop() {
				res, err := slotmodel.Run(c, jobs, &policy.PerUser{Users: x.users, Chooser: x.chooser}, slotmodel.Options{})
				must(b, err)
				b.ReportMetric(float64(res.Events), "events")
			}
		})
	}
}
