package shufflewatcher

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// A setting is a cluster and its workload. The zero setting is the paper's: 10 racks of 10 nodes,
// 30 users with 12 jobs each.
type setting struct {
	small            bool    // 4 racks of 4 nodes, and .4 of the users, of the rate of arrivals and of each job
	perUser          int     // jobs of a user in four hours, or in a backlog; 0: 12
	backlog          bool    // each user's jobs come at the rate of all users together, so that all jobs are there within minutes
	equal            bool    // all jobs have the same input, not the sizes of Table 2
	mix              int     // index of mixes
	copies           int     // of each block; 0: 3
	home             bool    // each block has a copy in one rack, its job's, as if one rack had written the input
	oversubscription float64 // of a rack's nodes over its link; 0: 5
	pairs            bool    // the limit of a rack's link is that of each pair of racks, and a rack has no limit of its own
	ties             bool    // of users with equal shares ShuffleWatcher serves one with a preferred task first
}

const (
	nic    = 31.25e6 // bytes per second: 250 Mbit/s within a rack
	memory = 15e9    // bytes of a node
)

// racks returns how many racks there are, and nodes in each.
func (s setting) racks() (racks, nodes int) {
	if s.small {
		return 4, 4
	}
	return 10, 10
}

// link is the bandwidth of a rack in each direction.
func (s setting) link() float64 {
	_, nodes := s.racks()
	return float64(nodes) * nic / cmp.Or(s.oversubscription, 5)
}

func (s setting) cluster() *slotmodel.Cluster {
	racks, nodes := s.racks()
	c := &slotmodel.Cluster{Network: slotmodel.Network{Fluid: true}}
	whole := slotmodel.RackSpec{Egress: s.link(), Ingress: s.link()}
	if s.pairs {
		c.Network.Pair, whole = s.link(), slotmodel.RackSpec{}
	}
	for r := range racks {
		c.Racks = append(c.Racks, whole)
		for range nodes {
			c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Rack: r, Maps: 2, Reduces: 2, NIC: nic, Memory: memory})
		}
	}
	return c
}

// A load is the jobs of one run, and the type of each.
type load struct {
	specs []slotmodel.JobSpec
	types []int
}

func (l *load) class(j int) class { return jobTypes[l.types[j]].class }

// settle moves the first copy of each block to a node of one rack, unless the block has a copy in
// it.
func (s setting) settle(j *slotmodel.JobSpec, c *slotmodel.Cluster, r *rand.Rand) {
	racks, nodes := s.racks()
	rack := r.IntN(racks)
	for b := 0; b < len(j.Replicas); b += j.Copies {
		at := int32(rack*nodes + r.IntN(nodes))
		if !slices.ContainsFunc(j.Replicas[b:b+j.Copies], func(n int32) bool { return c.Nodes[n].Rack == rack }) {
			j.Replicas[b] = at
		}
	}
}

// draw draws the jobs that arrive within span seconds, of a backlog all jobs.
func (s setting) draw(stream func(workload.Purpose) *rand.Rand, span float64, c *slotmodel.Cluster) (load, error) {
	gap, scale, users := interarrival, sizeScale, 30
	if s.small {
		gap, scale, users = gap/.4, scale*.4, 12
	}
	next := tables(s.mix, s.equal, stream(workload.JobSizes), stream(typeStream))
	placer, err := workload.NewPlacer(c.Nodes)
	if err != nil {
		return load{}, err
	}
	arrivals, blocks, homes := stream(workload.Arrivals), stream(workload.Placement), stream(homeStream)
	perUser := cmp.Or(s.perUser, 12)
	userDeck := newDeck(stream(workload.Weights), slices.Repeat([]int{perUser}, users)...)
	most := math.MaxInt
	if s.backlog {
		gap, span, most = gap/float64(users), math.Inf(1), perUser*users
	}
	var l load
	for at := gap * arrivals.ExpFloat64(); at < span && len(l.specs) < most; at += gap * arrivals.ExpFloat64() {
		input, shuffle, kind := next()
		j := job(at, userDeck.deal(), scale*input, scale*shuffle)
		j.Copies = cmp.Or(s.copies, 3)
		if j.Replicas, err = placer.Place(nil, j.Maps.Tasks, j.Copies, blocks); err != nil {
			return load{}, err
		}
		if s.home {
			s.settle(&j, c, homes)
		}
		k := jobTypes[kind].class
		j.Maps.Memory, j.Reduces.Memory = taskMemory[slotmodel.Map][k], taskMemory[slotmodel.Reduce][k]
		l.specs, l.types = append(l.specs, j), append(l.types, kind)
	}
	return l, nil
}
