package shufflewatcher

import (
	"cmp"
	"math"
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

// class is what the paper calls a job by its shuffle: light, medium or heavy.
type class int

const (
	light class = iota
	medium
	heavy
	classes
)

var classNames = [...]string{"light", "medium", "heavy", "all"}

// A jobType is a row of Table 1: how many of a hundred jobs are of it, and the bytes of its shuffle
// over the bytes of its input.
//
// The paper prints no ratios. They are quantiles of the jobs of at least 1 GB of input in the
// FB-2010 trace of SWIM, by class: a ratio above 1 is heavy, above .2 medium. The heavy types have
// the 10, 30, 50, 70 and 90% quantile, and so have the light ones; the medium types have the 25 and
// 75% quantile.
type jobType struct {
	name    string
	class   class
	percent int
	ratio   float64
}

var jobTypes = []jobType{
	{"terasort", heavy, 5, 1.18},
	{"ranked-inverted-index", heavy, 10, 1.51},
	{"self-join", heavy, 10, 2.06},
	{"word-sequence-count", heavy, 10, 2.79},
	{"adjacency-list", heavy, 5, 4.26},
	{"inverted-index", medium, 10, .305},
	{"term-vector", medium, 10, .728},
	{"grep", light, 15, 0},
	{"histogram-movies", light, 5, 0},
	{"histogram-ratings", light, 5, 5.02e-5},
	{"classification", light, 5, .00876},
	{"wordcount", light, 10, .0815},
}

// table2 is Table 2: of a hundred jobs so many have an input in a range, in GB. Within it the input
// is uniform; the paper's last range has no end.
var table2 = []struct {
	percent  int
	from, to float64
}{{20, .01, .1}, {19, .1, 1}, {21, 1, 20}, {10, 20, 100}, {10, 100, 200}, {7, 200, 500}, {8, 500, 1000}, {5, 1000, 2000}}

// mixes are the percentages of light, medium and heavy jobs: those of Table 1, then mix1 and mix3
// of Figure 14(b).
var mixes = [...][classes]int{{40, 20, 40}, {20, 20, 60}, {60, 20, 20}}

// Assumptions on tasks, of which the paper prints the block alone.
const (
	gigabyte     = 1e9
	terabyte     = 1e12
	blockBytes   = 64 << 20
	bucketBytes  = 2 << 30 // of shuffle for each reduce
	mapRate      = 3.5e6   // bytes per second of a map: figure settings
	reduceRate   = 20e6    // bytes per second of a reduce, after its shuffle
	early        = .05     // slowstart of the baselines
	interarrival = 40.     // s
)

// sizeScale multiplies Table 2. As printed, the jobs would need several times the bandwidth of
// the racks' links. With this factor Delay just carries one job in 40 s.
const sizeScale = .15

// deck deals numbers below len(counts), of each counts[i] in every round, in random order.
type deck struct {
	cards []int
	next  int
	r     *rand.Rand
}

func newDeck(r *rand.Rand, counts ...int) *deck {
	d := &deck{r: r}
	for i, n := range counts {
		for range n {
			d.cards = append(d.cards, i)
		}
	}
	return d
}

func (d *deck) deal() int {
	if d.next == 0 {
		d.r.Shuffle(len(d.cards), func(i, j int) { d.cards[i], d.cards[j] = d.cards[j], d.cards[i] })
	}
	card := d.cards[d.next]
	d.next = (d.next + 1) % len(d.cards)
	return card
}

// A source draws the input of a job in bytes, its shuffle and its class.
type source func() (input, shuffle float64, kind int)

// equalInput is the input of each job that has not a size of Table 2, in bytes.
const equalInput = 5 * gigabyte

// tables draws jobs of Table 1 with equal inputs, or with those of Table 2. Each hundred jobs have
// the percentages of Table 2 exactly, and each twenty jobs, or forty for another mix, of a range of
// sizes those of Table 1.
func tables(mix int, sized bool, sizes, types *rand.Rand) source {
	var bySize, byType []int
	decks := make([]*deck, len(table2))
	for _, t := range jobTypes {
		n := t.percent * mixes[mix][t.class] * min(mix+1, 2)
		byType = append(byType, n/mixes[0][t.class]/5)
	}
	for i, s := range table2 {
		bySize, decks[i] = append(bySize, s.percent), newDeck(types, byType...)
	}
	sizeDeck := newDeck(sizes, bySize...)
	return func() (float64, float64, int) {
		i := sizeDeck.deal()
		kind, size := decks[i].deal(), table2[i]
		input := gigabyte * sizeScale * (size.from + float64((size.to-size.from)*sizes.Float64()))
		if !sized {
			input = equalInput
		}
		return input, input * jobTypes[kind].ratio, kind
	}
}

func tasks(bytes, each float64) int { return int(math.Ceil(bytes / each)) }

// job is a job of the slot model.
func (s setting) job(user int, input, shuffle float64) slotmodel.JobSpec {
	maps := max(1, tasks(input, blockBytes))
	reduces := max(1, tasks(shuffle, bucketBytes))
	return slotmodel.JobSpec{
		User: user, Input: input, Shuffle: shuffle, Slowstart: early,
		Maps:    slotmodel.Phase{Tasks: maps, Work: input / float64(maps) / s.mapRate()},
		Reduces: slotmodel.Phase{Tasks: reduces, Work: shuffle / float64(reduces) / reduceRate},
	}
}

// purposes of random streams of our own.
const (
	typeStream = workload.FirstFreePurpose + iota
	homeStream
)
