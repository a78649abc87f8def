package shufflewatcher

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// A setting is a cluster and its workload. The zero setting is 10 racks of 10 nodes and a closed
// loop: 30 users with 12 jobs of equal inputs each, every one followed by another when it ends.
type setting struct {
	small            bool    // 4 racks of 4 nodes, and .4 of the users and of each job
	backlog          bool    // each user's jobs are all, and are there within minutes
	users, perUser   int     // users, and jobs of each at once, or in its backlog; 0: the paper's
	tables           bool    // inputs have the sizes of Table 2
	mix              int     // index of mixes
	uniform          bool    // the copies of a block lie anywhere, and not one in the rack of its job, as if one rack had written the input
	oversubscription float64 // of a rack's nodes over its link; 0: 5
	pairs            bool    // the limit of a rack's link is that of each pair of racks, and a rack has no limit of its own
	ties             bool    // of users with equal shares ShuffleWatcher serves one with a preferred task first
	rate             float64 // bytes per second of a map; 0: mapRate
	block            float64 // bytes; 0: blockBytes
	window           float64 // of submission, s; 0: ten minutes
	saturation       float64 // of a link, NWSaturationThreshold; 0: .8
	completion       float64 // of the maps, MapCompletionThreshold; 0: .15
}

const (
	nic    = 31.25e6 // bytes per second: 250 Mbit/s within a rack
	memory = 15e9    // bytes of a node
	slots  = 2       // of a node, of each kind
)

// racks returns how many racks there are, and nodes in each.
func (s setting) racks() (racks, nodes int) {
	if s.small {
		return 4, 4
	}
	return 10, 10
}

// atOnce returns how many users there are, and how many jobs each has at once.
func (s setting) atOnce() (users, jobs int) {
	users = 30
	if s.small {
		users = 12
	}
	return cmp.Or(s.users, users), cmp.Or(s.perUser, 12)
}

// link is the bandwidth of a rack in each direction.
func (s setting) link() float64 {
	_, nodes := s.racks()
	return float64(nodes) * nic / cmp.Or(s.oversubscription, 5)
}

func (s setting) mapRate() float64 { return cmp.Or(s.rate, mapRate) }

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
			c.Nodes = append(c.Nodes, slotmodel.NodeSpec{Rack: r, Maps: slots, Reduces: slots, NIC: nic, Memory: memory})
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

// draw draws the jobs of a run, of a closed loop six times as many as the slots for maps can do
// in span seconds. The first jobs of all users come one by one, each user's in 40 s in the mean.
func (s setting) draw(stream func(workload.Purpose) *rand.Rand, span float64, c *slotmodel.Cluster) (load, error) {
	users, jobs := s.atOnce()
	scale, streams := 1., users*jobs
	if s.small {
		scale = .4
	}
	total := streams
	if !s.backlog {
		total *= 8 + int(6*span*s.mapRate()*float64(slots*len(c.Nodes))/(scale*equalInput*float64(streams)))
	}
	next := tables(s.mix, s.tables, stream(workload.JobSizes), stream(typeStream))
	placer, err := workload.NewPlacer(c.Nodes)
	if err != nil {
		return load{}, err
	}
	arrivals, blocks, homes := stream(workload.Arrivals), stream(workload.Placement), stream(homeStream)
	var l load
	at := 0.
	for i := range total {
		input, shuffle, kind := next()
		j := s.job(i%users, scale*input, scale*shuffle)
		if i < streams {
			at += interarrival / float64(users) * arrivals.ExpFloat64()
			j.Arrival = at
		} else {
			j.After = i - streams + 1
		}
		j.Copies = 3
		if j.Replicas, err = placer.Place(nil, j.Maps.Tasks, j.Copies, blocks); err != nil {
			return load{}, err
		}
		if !s.uniform {
			s.settle(&j, c, homes)
		}
		k := jobTypes[kind].class
		j.Maps.Memory, j.Reduces.Memory = taskMemory[slotmodel.Map][k], taskMemory[slotmodel.Reduce][k]
		l.specs, l.types = append(l.specs, j), append(l.types, kind)
	}
	return l, nil
}
