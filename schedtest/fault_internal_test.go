package schedtest

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/drawn"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/slotmodel"
)

// What a failure says is true: the numbers are those of the case, each in its place.
func TestFaultsSay(t *testing.T) {
	three := division{capacity: 6, demand: []float64{1, 4, 5}, weight: []float64{1, 2, 1}}
	floored := division{capacity: 6, demand: []float64{1, 4, 5}, weight: []float64{1, 2, 1}, floor: []float64{0, 0, 3}}
	onTop := floored
	onTop.onTop = true
	over := floored
	over.floor = []float64{9, 9, 9}
	by := func(d division, shares ...float64) string { return d.fault(func(division) []float64 { return shares }) }
	const told, toldFloors = "\ncapacity 6, demands [1 4 5], weights [1 2 1]", ", floors [0 0 3]: shares "
	pack := func(pieces ...malleable.Piece) string {
		p := packing{slots: 3, work: []float64{2, 3}, most: []int{1, 3}, pieces: pieces}
		return p.fault()
	}
	first := malleable.Piece{Job: 0, Slots: 1, Start: 0, End: 2}
	for i, c := range []struct{ got, want string }{
		{by(three, 1, 3.3333333333, 1.6666666667), ""},
		{by(three, 1, 5, 0), "a share is between 0 and the demand: user 1 gets 5 and wants 4" + told + ": shares [1 5 0]"},
		{by(three, 1, 3, -1), "a share is between 0 and the demand: user 2 gets -1 and wants 5" + told + ": shares [1 3 -1]"},
		{by(three, 1, 2), "everybody has a share: 2 shares for 3 users" + told},
		{by(three, 1, 4, 3), "shares add up to at most the capacity: they are 8 of 6" + told + ": shares [1 4 3]"},
		{by(three, 1, 2, 1), "nothing is left over that somebody wants: 4 of 6 are given out where 10 are wanted" + told + ": shares [1 2 1]"},
		{by(three, 1, 2.5, 2.5), "nobody who wants more has less per weight than another: user 1 gets 2.5, its share is 3.3333333333333335" + told + ": shares [1 2.5 2.5]"},
		{by(floored, .75, 1.5, 3.75), "nobody who wants more has less per weight than another, but for floors: user 0 gets 0.75, its share is 1" + told + toldFloors + "[0.75 1.5 3.75]"},
		{by(floored, 1, 2, 3), ""},
		{by(onTop, .75, 1.5, 3.75), ""},
		{by(over, 1, 3.3333333333, 1.6666666667), ""},
		{three.fault(func(d division) []float64 { d.demand[0] = 7; return nil }), "what is given stays as it is: it is now capacity 6, demands [7 4 5], weights [1 2 1]" + told},
		{three.fault(func(d division) []float64 { d.weight[2] = 7; return nil }), "what is given stays as it is: it is now capacity 6, demands [1 4 5], weights [1 2 7]" + told},
		{floored.fault(func(d division) []float64 { d.floor[2] = 7; return nil }), "what is given stays as it is: it is now capacity 6, demands [1 4 5], weights [1 2 1], floors [0 0 7]" + told + ", floors [0 0 3]"},

		{misassigned([]float64{3, 3, 2, 2, 2}, 2, []int{0, 0, 1, 1, 1}, 1), ""},
		{misassigned([]float64{3, 3, 2, 2, 2}, 2, []int{0, 1, 0, 1, 0}, 7./6), ""},
		{misassigned([]float64{3, 3, 2, 2, 2}, 2, []int{0, 1, 0, 1, 0}, 1.125), "the busiest machine has at most 1.125 times the least possible: it has 7, and 6 would do"},
		{misassigned([]float64{1, 2, 1}, 2, []int{0, 0, 1}, 1.25), "the busiest machine has at most 1.25 times the least possible: it has 3, and 2 would do"},
		{misassigned([]float64{3, 4}, 2, []int{1, 2}, 1), "each piece is on a machine that there is: piece 1 is on machine 2"},
		{misassigned([]float64{3, 4, 5}, 2, []int{0, 1}, 1), "each piece is on one machine: 2 machines are named for 3 pieces"},

		{pack(first, malleable.Piece{Job: 1, Slots: 2, End: 1.5}), ""},
		{pack(first, malleable.Piece{Job: 1, Slots: 1, End: 3}), "no slot idles while a job could use it: from 0 to 2 job 1, with 3 slot-seconds left, holds 1 slots and 1 are free"},
		{pack(first, malleable.Piece{Job: 1, Slots: 2, Start: 0, End: 1}, malleable.Piece{Job: 1, Slots: 1, Start: 1, End: 2}),
			"no slot idles while a job could use it: from 1 to 2 job 1, with 1 slot-seconds left, holds 1 slots and 1 are free"},
		{pack(first, malleable.Piece{Job: 1, Slots: 3, End: 1}), "no more slots are held than there are: 4 from 0 to 1"},
		{pack(malleable.Piece{Job: 0, Slots: 2, End: 1}, malleable.Piece{Job: 1, Slots: 1, End: 3}), "a job holds no more slots than it can use: job 0 holds 2 from 0 to 1"},
		{pack(first), "each job's work is done, and no more: job 1 has 0 slot-seconds of 3"},
		{pack(first, malleable.Piece{Job: 1, Slots: 2, End: 2}), "each job's work is done, and no more: job 1 has 4 slot-seconds of 3"},
		{pack(first, malleable.Piece{Job: 2, Slots: 1, End: 1}), "a piece is of a job: piece 1 is of job 2"},
		{pack(first, malleable.Piece{Job: 1, Slots: 3, Start: -1}), "a piece begins at 0 or later, ends no sooner and has slots: piece 1 does not"},
		{pack(malleable.Piece{Job: 1, Slots: 3, Start: 2, End: 1}), "a piece begins at 0 or later, ends no sooner and has slots: piece 0 does not"},
		{pack(first, malleable.Piece{Job: 1, Start: 1, End: 2}), "a piece begins at 0 or later, ends no sooner and has slots: piece 1 does not"},

		{played(QueueOptions{Bound: 1}, 0, 1, 1, 1, 1), ""},
		{played(QueueOptions{Bound: .5}, 1, 0), "service is by weight: " +
			"flow 0 is served 4 more per weight than flow 1 since some time from which flow 1 is active; the bound is 2.5" +
			toldQueue + "1 is served for 2; 0 is served for 4; "},
		{played(QueueOptions{Bound: .5, ServedOut: true}, 0, 0, 1), "service is by weight: " +
			"flow 0 is served 4 more per weight than flow 1 since some time from which flow 1 is active; the bound is 2.5" + "\n" +
			"flow 0 joins with weight 1; flow 1 joins with weight 2; 1 more of flow 0 wait; flow 0 becomes active; " +
			"1 more of flow 1 wait; flow 1 becomes active; flow 0 becomes inactive; 0 is served for 4; "},
		{played(QueueOptions{Bound: .5, AtPush: true, ServedOut: true}, 0, 0, 1), "service is by weight: " +
			"flow 0 is served 4 more per weight than flow 1 since some time from which flow 1 is active; the bound is 2.5" + "\n" +
			"flow 0 joins with weight 1; flow 1 joins with weight 2; requests of flow 0 come, with costs [4]; requests of flow 1 come, with costs [2]; 0 is served for 4; "},
		{played(QueueOptions{}, 2), "only active flows are served: Next names flow 2" + toldQueue},
		{played(QueueOptions{}, -1), "somebody is served as long as a flow is active: Next names nobody" + toldQueue},
	} {
		if c.got != c.want {
			t.Errorf("case %d says %q, want %q", i, c.got, c.want)
		}
	}
}

const toldQueue = "\nflow 0 joins with weight 1; flow 1 joins with weight 2; flow 0 becomes active; flow 1 becomes active; "

// A script names flows one after the other, whatever happens; -1: none.
type script []int

func (s *script) Join(int, float64)   {}
func (s *script) SetActive(int, bool) {}
func (s *script) Charge(int, float64) {}
func (s *script) Next() (int, bool) {
	k := (*s)[0]
	*s = (*s)[1:]
	return k, k >= 0
}

// played is what is said of two flows of weights 1 and 2 and costs 4 and 2, both active, of which
// those named are served; "": nothing.
func played(o QueueOptions, next ...int) (said string) {
	n := len(next)
	q := &queueRun{FlowQueue: (*script)(&next), o: o}
	q.fail = func(format string, args ...any) {
		said = words(format, args...)
		panic(q)
	}
	defer func() {
		if r := recover(); r != nil && r != any(q) {
			panic(r)
		}
	}()
	for _, f := range []flow{{weight: 1, largest: 4}, {weight: 2, largest: 2}} {
		q.join(f)
	}
	for k := range q.flows {
		q.come(k, []float64{q.flows[k].largest})
	}
	for range n {
		q.serve(func(k int) float64 { return q.flows[k].largest })
	}
	return ""
}

// late starts all maps at one time.
type late float64

func (l late) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if v.Now() < float64(l) {
		a.Wake(float64(l))
		return
	}
	for v.Runnable(0, slotmodel.Map) {
		a.Start(0, slotmodel.Map, 0)
	}
}

// Two maps of 2 s come at 1 s, to a node that is lost until 3 s and has half the speed: one task
// after the other they end by 11 s, and by 13 s if the policy may idle for 1 s before each.
func TestBounded(t *testing.T) {
	for _, c := range []struct {
		start, patience float64
		o               PolicyOptions
		want            string
	}{
		{3, 0, PolicyOptions{}, ""},
		{7, 0, PolicyOptions{}, ""},
		{7.5, 0, PolicyOptions{}, "Bounded: job 0 has not ended by 11 s, when all work could be done one task after the other"},
		{9, 1, PolicyOptions{}, ""},
		{9.5, 1, PolicyOptions{}, "Bounded: job 0 has not ended by 13 s, when all work could be done one task after the other"},
		{170, 0, PolicyOptions{Without: map[Law]string{Bounded: "it waits"}}, ""},
		{173, 0, PolicyOptions{Without: map[Law]string{Bounded: "it waits"}},
			"Ends: job 0 is unended at 176 s, when the run is over, and the cluster could run it"},
	} {
		s := &scenario{jobs: []slotmodel.JobSpec{{Arrival: 1, Maps: slotmodel.Phase{Tasks: 2, Work: 2}}}}
		s.cluster.Nodes = []slotmodel.NodeSpec{{Maps: 2, Speed: .5, Down: []slotmodel.Outage{{From: 0, Until: 3}}}}
		c.o.Patience = c.patience
		out := s.run(late(c.start), c.o)
		out.idle = ""
		if got := s.fault(out, c.o); got != c.want {
			t.Errorf("started at %v s, patience %v s: %q, want %q", c.start, c.patience, got, c.want)
		}
		if got := s.tell(out); c.start == 3 && got != toldRun {
			t.Errorf("told as\n%swant\n%s", got, toldRun)
		}
	}
}

const toldRun = `node 0: 2 map slots, 0 reduce slots, speed 0.5, down from 0 s to 3 s
job 0 of user 0: arrives at 1 s, 2 maps of 2 s
0 s: node-down, node 0
1 s: arrived, job 0
1 s: ready, job 0
3 s: node-up, node 0
3 s: started, job 0, map, node 0
3 s: started, job 0, map, node 0
7 s: ended, job 0, map, node 0
7 s: ended, job 0, map, node 0
7 s: maps-ended, job 0
7 s: job-ended, job 0
`

// What a scenario has it says, and nothing of what it has not.
func TestScenarioInWords(t *testing.T) {
	c := scenario{jobs: []slotmodel.JobSpec{
		{Arrival: 1, Maps: slotmodel.Phase{Tasks: 2, Work: 3}},
		{User: 1, Rigid: true, Maps: slotmodel.Phase{Tasks: 2, Work: 3, Memory: 1}, Dataset: 1},
		{Maps: slotmodel.Phase{Tasks: 1, Work: 1}, Reduces: slotmodel.Phase{Tasks: 1, Work: 4, Memory: 1}},
	}}
	c.cluster.Nodes = []slotmodel.NodeSpec{{Maps: 1, Speed: 1}, {Reduces: 2, Speed: .7, Memory: 1}}
	const want = `node 0: 1 map slots, 0 reduce slots, speed 1
node 1: 0 map slots, 2 reduce slots, speed 0.7, memory 1
job 0 of user 0: arrives at 1 s, 2 maps of 3 s
job 1 of user 1: arrives at 0 s, 2 maps of 3 s that start together, dataset 1, memory 1 and 0
job 2 of user 0: arrives at 0 s, 1 maps of 1 s, 1 reduces of 4 s, memory 0 and 1
`
	if got := c.GoString(); got != want {
		t.Errorf("told as\n%swant\n%s", got, want)
	}
}

// The kit expects of no policy what it cannot do: where nodes fail, reduces that wait for a map
// that was lost cannot hold all memory of the node that stays.
func TestScenariosLeaveRoomForLostMaps(t *testing.T) {
	check(t, func(r *rapid.T) {
		c := drawScenario(r, PolicyOptions{Memory: true, Failures: true})
		n := &c.cluster.Nodes[0]
		for i := range c.jobs {
			for j := range c.jobs {
				if need := c.jobs[i].Maps.Memory + float64(n.Reduces)*c.jobs[j].Reduces.Memory; need > n.Memory {
					r.Fatalf("a map of job %d and reduces of job %d need %v of\n%s", i, j, need, c.GoString())
				}
			}
		}
	})
}

// Scenarios have what their options name, and only that.
func TestScenarios(t *testing.T) {
	features := func(o PolicyOptions) []string {
		seen := map[string]bool{}
		check(t, func(r *rapid.T) {
			c := drawScenario(r, o)
			for _, n := range c.cluster.Nodes {
				seen["nodes with memory"] = seen["nodes with memory"] || n.Memory > 0
				seen["nodes that fail"] = seen["nodes that fail"] || len(n.Down) > 0
			}
			for i := range c.jobs {
				s := &c.jobs[i]
				seen["users"] = seen["users"] || s.User > 0
				seen["reduces"] = seen["reduces"] || s.Reduces.Tasks > 0
				seen["rigid"] = seen["rigid"] || s.Rigid
				seen["tasks with memory"] = seen["tasks with memory"] || s.Maps.Memory > 0
				seen["rigid tasks with memory"] = seen["rigid tasks with memory"] || s.Rigid && s.Maps.Memory+s.Reduces.Memory > 0
			}
		})
		var list []string
		for feature, is := range seen {
			if is {
				list = append(list, feature)
			}
		}
		slices.Sort(list)
		return list
	}
	for _, c := range []struct {
		o    PolicyOptions
		want []string
	}{
		{PolicyOptions{}, []string{"reduces"}},
		{PolicyOptions{MapsOnly: true}, nil},
		{PolicyOptions{MapsOnly: true, Users: true}, []string{"users"}},
		{PolicyOptions{MapsOnly: true, Failures: true}, []string{"nodes that fail"}},
		{PolicyOptions{MapsOnly: true, Rigid: true}, []string{"rigid"}},
		{PolicyOptions{Memory: true, Rigid: true}, []string{"nodes with memory", "reduces", "rigid", "tasks with memory"}},
	} {
		if got := features(c.o); !slices.Equal(got, c.want) {
			t.Errorf("scenarios of %+v have %q, want %q", c.o, got, c.want)
		}
	}
}

// What is drawn is small and not only whole: arrivals in eighths up to 5 s and a 64th for each job
// before, works an eighth longer.
func TestScenario(t *testing.T) {
	parts := map[float64]int{} // arrivals by what they are beyond whole seconds
	drawn.Counted(t, 200, func(r *rapid.T) {
		for i, s := range drawScenario(r, PolicyOptions{}).jobs {
			for what, x := range map[string]float64{"arrives at": s.Arrival, "has maps of": s.Maps.Work - .125} {
				if x -= float64(i) / 64; !(x >= 0 && x <= 5) || math.Mod(x, .125) != 0 {
					r.Fatalf("job %d %s %v s beyond its own part, want eighths up to 5 s", i, what, x)
				}
			}
			parts[math.Mod(s.Arrival-float64(i)/64, 1)]++
		}
	})
	if len(parts) != 8 {
		t.Errorf("arrivals are %v beyond whole seconds, want all eighths", parts)
	}
}
