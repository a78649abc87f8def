package slotmodel_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/maxmin"
	"github.com/schedmath/schedmath/slotmodel"
)

// script places tasks as it is told: task t on place[t], as soon as it may start. There are slots
// enough for all.
type script struct {
	place []slotmodel.Node
	late  []float64 // not before then
}

func (s *script) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	for k := mapK; k <= reduce; k++ {
		for j := v.NextRunnable(none, k); j != none; j = v.NextRunnable(j, k) {
			for t := v.NextPending(j, k, none); t != none; t = v.NextPending(j, k, t) {
				if s.late[t] <= v.Now() {
					a.StartTask(t, s.place[t])
				} else {
					a.Wake(s.late[t])
				}
			}
		}
	}
}

// shuffleCase is a workload whose tasks are placed beforehand, so that nothing but the network
// decides when reduces have their data.
type shuffleCase struct {
	c       *slotmodel.Cluster
	jobs    []slotmodel.JobSpec
	s       *script
	first   []int // task of each job
	staged  bool  // reduces of a job start at different times
	reduces int
}

func drawShuffle(r *rand.Rand, nic, link float64, staged bool) *shuffleCase {
	x := &shuffleCase{c: &slotmodel.Cluster{Network: slotmodel.Network{Fluid: true}}, s: &script{}, staged: staged}
	const racks, perRack = 4, 5
	for n := range racks * perRack {
		x.c.Nodes = append(x.c.Nodes, slotmodel.NodeSpec{Rack: n / perRack, Maps: 100, Reduces: 100, NIC: nic})
	}
	for range racks {
		x.c.Racks = append(x.c.Racks, slotmodel.RackSpec{Egress: link * (0.8 + 0.4*r.Float64()), Ingress: link * (0.8 + 0.4*r.Float64())})
	}
	for range 2 + r.IntN(5) {
		s := slotmodel.JobSpec{Arrival: 10 * r.Float64(), Maps: tasks(2+r.IntN(12), 0), Reduces: tasks(1+r.IntN(6), 0), Shuffle: 500 + 5000*r.Float64()}
		for range s.Maps.Tasks {
			s.Maps.Works = append(s.Maps.Works, 1+8*r.Float64())
		}
		for range s.Reduces.Tasks {
			s.Reduces.Works = append(s.Reduces.Works, 1+4*r.Float64())
		}
		x.first = append(x.first, len(x.s.place))
		for i := range s.Maps.Tasks + s.Reduces.Tasks {
			x.s.place = append(x.s.place, slotmodel.Node(r.IntN(racks*perRack)))
			at := s.Arrival
			if staged && i >= s.Maps.Tasks {
				at += 20 * r.Float64()
			}
			x.s.late = append(x.s.late, at)
		}
		x.jobs = append(x.jobs, s)
		x.reduces += s.Reduces.Tasks
	}
	return x
}

// apart lets maps run on nodes of their own that have no NIC limit.
func (x *shuffleCase) apart() {
	for n := range x.c.Nodes {
		x.c.Nodes = append(x.c.Nodes, slotmodel.NodeSpec{Rack: n / 5, Maps: 100})
	}
	x.eachTask(func(_ int, kind slotmodel.Kind, place *slotmodel.Node) {
		if kind == mapK {
			*place += 20
		}
	})
}

// gather lets the maps of a job in a rack run on one node, on which those of no other job do.
func (x *shuffleCase) gather() {
	for r := range x.c.Racks {
		x.c.Nodes = append(x.c.Nodes, slotmodel.NodeSpec{Rack: r, Maps: 100, Reduces: 100, NIC: x.c.Nodes[0].NIC})
	}
	x.eachTask(func(j int, kind slotmodel.Kind, place *slotmodel.Node) {
		if rack := *place / 5; kind == mapK && j < 5 {
			*place = 5*rack + slotmodel.Node(j)
		} else if kind == mapK {
			*place = 20 + rack
		}
	})
}

func (x *shuffleCase) eachTask(do func(j int, kind slotmodel.Kind, place *slotmodel.Node)) {
	for j, s := range x.jobs {
		for i := range s.Maps.Tasks + s.Reduces.Tasks {
			kind := mapK
			if i >= s.Maps.Tasks {
				kind = reduce
			}
			do(j, kind, &x.s.place[x.first[j]+i])
		}
	}
}

// run returns when each reduce has its data and when each job ends, in the engine.
func (x *shuffleCase) run(t *testing.T) (shuffled map[slotmodel.Task]float64, finish []float64) {
	shuffled = map[slotmodel.Task]float64{}
	res := mustRun(t, x.c, x.jobs, x.s, slotmodel.Options{Log: func(e slotmodel.Event) {
		if e.Kind == reduce && (e.Type == slotmodel.Started || e.Type == slotmodel.Computes) {
			shuffled[e.Task] = e.Time
		}
	}})
	for j := range res.Jobs {
		finish = append(finish, res.Jobs[j].Finish)
	}
	return shuffled, finish
}

// What has a flow of its own in the per-flow model.
type connection int

const (
	perRack connection = iota // each reduce from each rack; of the NICs that of its own node counts
	perNode                   // each reduce from each node
	perPair                   // each reduce from each map
)

// oracle is run in the per-flow model.
func (x *shuffleCase) oracle(per connection) (shuffled map[slotmodel.Task]float64, finish []float64) {
	nodes, racks := len(x.c.Nodes), len(x.c.Racks)
	capacity := make([]float64, 2*nodes+2*racks)
	for n := range nodes {
		capacity[n], capacity[nodes+n] = math.Inf(1), math.Inf(1)
		if nic := x.c.Nodes[n].NIC; nic > 0 {
			capacity[n], capacity[nodes+n] = nic, nic
		}
	}
	for r := range racks {
		capacity[2*nodes+r], capacity[2*nodes+racks+r] = x.c.Racks[r].Egress, x.c.Racks[r].Ingress
	}
	var flows []pairFlow
	ready := make([]float64, 0, x.reduces)
	shuffled = map[slotmodel.Task]float64{}
	for j, s := range x.jobs {
		for i := range s.Reduces.Tasks {
			red := x.first[j] + s.Maps.Tasks + i
			to := int(x.s.place[red])
			done := x.s.late[red]
			merged := make([]*pairFlow, nodes)
			for m := range s.Maps.Tasks {
				from := int(x.s.place[x.first[j]+m])
				mapEnd := s.Arrival + s.Maps.Works[m]
				at := math.Max(x.s.late[red], mapEnd)
				done = math.Max(done, mapEnd)
				a, b := x.c.Nodes[from].Rack, x.c.Nodes[to].Rack
				part := chunk{at, s.Shuffle / float64(s.Maps.Tasks) / float64(s.Reduces.Tasks)}
				f := pairFlow{chunks: []chunk{part}, to: len(ready)}
				if a != b {
					f.links = []int{2*nodes + a, 2*nodes + racks + b}
				}
				if from != to {
					if x.c.Nodes[to].NIC > 0 {
						f.links = append(f.links, nodes+to)
					}
					if per != perRack && x.c.Nodes[from].NIC > 0 {
						f.links = append(f.links, from)
					}
				}
				with := a
				if per == perNode {
					with = from
				}
				switch {
				case len(f.links) == 0: // nothing limits it
				case per == perPair:
					flows = append(flows, f)
				case merged[with] == nil:
					merged[with] = &f
				default:
					merged[with].chunks = append(merged[with].chunks, part)
				}
			}
			for _, f := range merged {
				if f != nil {
					slices.SortStableFunc(f.chunks, func(a, b chunk) int { return cmp.Compare(a.at, b.at) })
					flows = append(flows, *f)
				}
			}
			ready = append(ready, done)
			shuffled[slotmodel.Task(red)] = done
		}
	}
	end := pairNetwork(capacity, flows, len(ready))
	n := 0
	for j, s := range x.jobs {
		last := 0.0
		for i := range s.Reduces.Tasks {
			red := slotmodel.Task(x.first[j] + s.Maps.Tasks + i)
			shuffled[red] = math.Max(ready[n], end[n])
			last = math.Max(last, shuffled[red]+s.Reduces.Works[i])
			n++
		}
		finish = append(finish, last)
	}
	return shuffled, finish
}

// The difference between the aggregated model and the model in which every map sends to every reduce
// by a flow of its own, over NICs of both nodes and links of both racks. There is none when the
// reduces of a job start together and fetch by one connection from each rack, whether links of racks
// or NICs of reduces limit them; or from each node, if in each rack a job's maps ran on a node that
// sends nothing else. The other bounds are what was measured, rounded up: they watch for changes.
func TestAggregationError(t *testing.T) {
	for _, c := range []struct {
		name                                 string
		nic, link                            float64
		staged                               bool
		maps                                 func(x *shuffleCase) // moves them
		per                                  connection
		meanShuffle, maxShuffle, mean, worst float64
	}{
		{"per rack", 0, 150, false, nil, perRack, 1e-9, 1e-9, 1e-9, 1e-9},
		{"per rack, NIC 150, link 150", 150, 150, false, (*shuffleCase).apart, perRack, 1e-9, 1e-9, 1e-9, 1e-9},
		{"per rack, NIC 40, link 400", 40, 400, false, (*shuffleCase).apart, perRack, 1e-9, 1e-9, 1e-9, 1e-9},
		{"per node, maps of a rack on one, NIC 150, link 150", 150, 150, false, (*shuffleCase).gather, perNode, 1e-9, 1e-9, 1e-9, 1e-9},
		{"per node, maps of a rack on one, NIC 40, link 400", 40, 400, false, (*shuffleCase).gather, perNode, 1e-9, 1e-9, 1e-9, 1e-9},
		{"per rack, staged", 0, 150, true, nil, perRack, 0.042, 1.474, 0.015, 0.265},
		{"per node", 0, 150, false, nil, perNode, 0.068, 0.549, 0.059, 0.458},
		{"per pair", 0, 150, false, nil, perPair, 0.086, 0.922, 0.081, 0.793},
		{"per pair, staged", 0, 150, true, nil, perPair, 0.088, 0.901, 0.06, 0.631},
		{"per node, NIC 150, link 150", 150, 150, false, nil, perNode, 0.072, 0.583, 0.06, 0.551},
		{"per pair, NIC 150, link 150", 150, 150, false, nil, perPair, 0.09, 0.92, 0.082, 0.792},
		{"per rack, staged, NIC 40 of reduces, link 400", 40, 400, true, (*shuffleCase).apart, perRack, 0.015, 0.437, 0.004, 0.122},
		{"per node, staged, NIC 40, link 400", 40, 400, true, nil, perNode, 0.112, 0.611, 0.06, 0.39},
		{"per node, NIC 40, link 400", 40, 400, false, nil, perNode, 0.133, 0.662, 0.077, 0.609},
		{"per pair, NIC 40, link 400", 40, 400, false, nil, perPair, 0.147, 0.878, 0.093, 0.834},
	} {
		sums, worst, n := [2]float64{}, [2]float64{}, [2]float64{}
		add := func(i int, got, want, since float64) {
			d := math.Abs(got-want) / (want - since)
			sums[i], worst[i], n[i] = sums[i]+d, max(worst[i], d), n[i]+1
		}
		for seed := range uint64(100) {
			x := drawShuffle(rand.New(rand.NewPCG(seed, 6)), c.nic, c.link, c.staged)
			if c.maps != nil {
				c.maps(x)
			}
			got, finish := x.run(t)
			want, end := x.oracle(c.per)
			for j, s := range x.jobs {
				for i := range s.Reduces.Tasks {
					red := slotmodel.Task(x.first[j] + s.Maps.Tasks + i)
					add(0, got[red], want[red], s.Arrival)
				}
				add(1, finish[j], end[j], s.Arrival)
			}
		}
		if !(sums[0]/n[0] <= c.meanShuffle && worst[0] <= c.maxShuffle && sums[1]/n[1] <= c.mean && worst[1] <= c.worst) {
			t.Errorf("%s: shuffles end off by %v in the mean, %v at worst, jobs by %v and %v; want %v, %v, %v and %v", c.name,
				sums[0]/n[0], worst[0], sums[1]/n[1], worst[1], c.meanShuffle, c.maxShuffle, c.mean, c.worst)
		}
	}
}

// pairFlow is a flow of the per-flow model: it shares every one of its links max-min fairly while
// it has bytes to send.
type pairFlow struct {
	links  []int
	chunks []chunk // what it has to send, in order of time
	to     int     // the reduce that waits for it
	next   int     // first chunk that is not there yet
	left   float64 // bytes that are there and not sent
}

type chunk struct{ at, bytes float64 }

// pairNetwork solves the per-flow model: it returns when each reduce has got everything. Plain
// progressive filling, anew at each event, over the flows one by one.
func pairNetwork(capacity []float64, flows []pairFlow, reduces int) []float64 {
	end := make([]float64, reduces)
	now := 0.0
	var rates []float64
	fair := make([]maxmin.Flow, len(flows))
	for {
		t := math.Inf(1)
		for i := range flows {
			f := &flows[i]
			for f.next < len(f.chunks) && f.chunks[f.next].at <= now {
				f.left += f.chunks[f.next].bytes
				f.next++
			}
			if f.next < len(f.chunks) {
				t = math.Min(t, f.chunks[f.next].at)
			}
		}
		for i, f := range flows {
			fair[i] = maxmin.Flow{Links: f.links}
			if f.left > 0 {
				fair[i].Weight = 1
			}
		}
		rates = maxmin.Rates(rates[:0], capacity, fair)
		first := -1
		for i := range flows {
			if flows[i].left > 0 {
				if d := now + flows[i].left/rates[i]; d <= t {
					t, first = d, i
				}
			}
		}
		if math.IsInf(t, 1) {
			return end
		}
		for i := range flows {
			f := &flows[i]
			if f.left == 0 {
				continue
			}
			// What ends within rounding of this instant ends now: a few bytes in 10^12 must not
			// make an event.
			if f.left -= rates[i] * (t - now); i == first || f.left <= 1e-12*rates[i]*t {
				f.left = 0
				end[f.to] = math.Max(end[f.to], t)
			}
		}
		now = t
	}
}
