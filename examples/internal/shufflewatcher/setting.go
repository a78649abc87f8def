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
	mix              int     // index of mixes
	perUser          int     // jobs a user; 0: 12
	small            bool    // 4 racks of 4 nodes; rate of arrivals, sizes and users times .4
	shared           bool    // 4 slots for tasks of either kind on a node, instead of 2 and 2
	oversubscription float64 // of a rack's nodes over its link; 0: 5
	copies           int     // of each block; 0: 3
	home             bool    // each job's blocks have their first copy in one rack, as if one rack had written them
	rate             float64 // of arrivals, over the usual; 0: 1
	backlog          bool    // each user's jobs come at the rate of all users together, so that all jobs are there within minutes
	swim             bool    // jobs of a trace of SWIM
	down             bool    // rack 0 has lost its nodes for the whole run
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
	for r := range racks {
		c.Racks = append(c.Racks, slotmodel.RackSpec{Egress: s.link(), Ingress: s.link()})
		for range nodes {
			n := slotmodel.NodeSpec{Rack: r, Maps: 2, Reduces: 2, NIC: nic, Memory: memory}
			if s.shared {
				n.Maps, n.Reduces, n.Slots = 0, 0, 4
			}
			if s.down && r == 0 {
				n.Down = []slotmodel.Outage{{From: 0, Until: math.Inf(1)}}
			}
			c.Nodes = append(c.Nodes, n)
		}
	}
	return c
}

// A load is the jobs of one run, and the type of each.
type load struct {
	specs []slotmodel.JobSpec
	types []int
}

// class is that of job j. Jobs of a trace have no type: their number is their class.
func (l *load) class(j int) class {
	if l.types[j] < len(jobTypes) {
		return jobTypes[l.types[j]].class
	}
	return class(l.types[j] - len(jobTypes))
}

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

// draw draws the jobs that arrive within span seconds, of a backlog all jobs. The users together
// have jobs jobs: in four hours, of a backlog in all.
func (s setting) draw(stream func(workload.Purpose) *rand.Rand, span float64, jobs int, c *slotmodel.Cluster, next source) (load, error) {
	gap, scale := interarrival/cmp.Or(s.rate, 1), sizeScale
	if s.small {
		gap, scale, jobs = gap/.4, scale*.4, jobs*2/5
	}
	perUser := cmp.Or(s.perUser, 12)
	users := make([]int, jobs/perUser)
	for u := range users {
		users[u] = perUser
	}
	placer, err := workload.NewPlacer(c.Nodes)
	if err != nil {
		return load{}, err
	}
	arrivals, blocks, homes := stream(workload.Arrivals), stream(workload.Placement), stream(homeStream)
	userDeck := newDeck(stream(workload.Weights), users...)
	most := math.MaxInt
	if s.backlog {
		gap, span, most = gap/float64(len(users)), math.Inf(1), perUser*len(users)
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
		i := len(l.specs)
		l.specs, l.types = append(l.specs, j), append(l.types, kind)
		l.specs[i].Maps.Memory, l.specs[i].Reduces.Memory = taskMemory[slotmodel.Map][l.class(i)], taskMemory[slotmodel.Reduce][l.class(i)]
	}
	return l, nil
}
