package shufflewatcher

import (
	"maps"
	"math"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// small is a study of an hour on 16 nodes.
func small() *study {
	s := &study{Options: report.Options{Seed: 3, Quick: true}, n: 1, from: 600, until: 3000, after: 3600, outcomes: map[cell][]*outcome{}}
	s.simulate = s.run
	return s
}

// TestFixed: under a fixed placement each rack gets the reduces that shuffle.ReducesPerRack gives
// it, by map output none before the last map, and the slot model moves the bytes between racks that
// shuffle.CrossRack computes.
func TestFixed(t *testing.T) {
	set := setting{small: true}
	for _, by := range []fixedBy{fixedByOutput, fixedByInput} {
		c := set.cluster()
		l, err := set.draw(streams(3), 3600, c)
		if err != nil {
			t.Fatal(err)
		}
		m := newMeter(c, len(l.specs))
		maps, reduces, mapsLeft := make([][]int, len(l.specs)), make([][]int, len(l.specs)), make([]int, len(l.specs))
		for j := range l.specs {
			maps[j], reduces[j], mapsLeft[j] = make([]int, 4), make([]int, 4), l.specs[j].Maps.Tasks
		}
		note := func(e slotmodel.Event) {
			m.log(e)
			switch {
			case e.Type == slotmodel.Ended && e.Kind == slotmodel.Map:
				mapsLeft[e.Job]--
				maps[e.Job][c.Nodes[e.Node].Rack]++
			case e.Type == slotmodel.Started && e.Kind == slotmodel.Reduce:
				reduces[e.Job][c.Nodes[e.Node].Rack]++
				if by == fixedByOutput && mapsLeft[e.Job] > 0 {
					t.Errorf("a reduce of job %d starts %d maps early", e.Job, mapsLeft[e.Job])
				}
			}
		}
		r, err := slotmodel.Run(c, l.specs, &policy.PerUser{Chooser: &policy.Earliest{Filter: &fixed{by: by}}}, slotmodel.Options{Log: note})
		if err != nil {
			t.Fatal(err)
		}
		slots := 0.0
		for j, spec := range l.specs {
			output, basis := make([]float64, 4), make([]float64, 4)
			for q, n := range maps[j] {
				output[q] = float64(n) / float64(spec.Maps.Tasks) * spec.Shuffle
			}
			copy(basis, output)
			if by == fixedByInput {
				clear(basis)
				for _, n := range spec.Replicas {
					basis[c.Nodes[n].Rack]++
				}
			}
			if spec.Shuffle > 0 {
				want, err := shuffle.ReducesPerRack(nil, spec.Reduces.Tasks, basis)
				if err != nil {
					t.Fatal(err)
				}
				for q := range want {
					if reduces[j][q] != want[q] {
						t.Errorf("rule %d: job %d has %d reduces on rack %d, want %d", by, j, reduces[j][q], q, want[q])
					}
				}
			}
			want, err := shuffle.CrossRack(output, reduces[j])
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Jobs[j].CrossRack.Shuffle; math.Abs(got-want) > 1e-6*spec.Shuffle {
				t.Errorf("rule %d: job %d moved %v bytes between racks, shuffle.CrossRack gives %v", by, j, got, want)
			}
			slots += m.jobs[j].mapSlots + m.jobs[j].reduceSlots
		}
		held := 0.0
		for _, u := range r.Users {
			held += u.SlotSeconds[slotmodel.Map] + u.SlotSeconds[slotmodel.Reduce]
		}
		if math.Abs(slots-held) > 1e-6*held {
			t.Errorf("rule %d: the meter has %v slot-seconds, the slot model %v", by, slots, held)
		}
	}
}

// TestContenders: every contender ends all jobs in each reading, of equal workloads, and twice alike.
func TestContenders(t *testing.T) {
	list := []*contender{fair, lateFair, swFair, delay, lateDelay, drf, lateDRF, swRelaxed, swDRF, onlyNASS, withSARP, byOutput, byInput}
	for _, k := range options {
		list = append(list, k.contender)
	}
	if testing.Short() {
		list = list[:4]
	}
	s, again := small(), small()
	bytes := map[string]float64{}
	a, b, c, d := s.readings()
	for _, k := range list {
		for _, r := range []reading{a, b, c, d} {
			x := r.cell(k)
			if err := s.ensure("", 1, x, x); err != nil {
				t.Fatalf("%s in reading %s: %v", k.name, r.Name, err)
			}
			o := s.runs(x)[0]
			if len(s.runs(x)) != 1 || len(o.jobs) == 0 || o.ended[all] != o.ended[light]+o.ended[medium]+o.ended[heavy] || r.set.backlog && len(o.jobs) != 48 {
				t.Fatalf("%s in reading %s: %+v", k.name, r.Name, o)
			}
			moved, _ := o.sum(all, func(j *jobOutcome) float64 { return j.shuffle + j.inside })
			if bytes[r.Name] == 0 {
				bytes[r.Name] = moved
			}
			if math.Abs(moved-bytes[r.Name]) > 1e-6*bytes[r.Name] {
				t.Errorf("%s in reading %s shuffles %v bytes, Fair %v", k.name, r.Name, moved, bytes[r.Name])
			}
		}
	}
	x := a.cell(swFair)
	if err := again.ensure("", 1, x); err != nil {
		t.Fatal(err)
	}
	if p, q := turnaround(all)(s.runs(x)[0]), turnaround(all)(again.runs(x)[0]); p != q {
		t.Errorf("two runs of SW-fair: %v and %v", p, q)
	}
}

// TestSettingsMatter: ties, late reduces and the memory of tasks change a run, so that the rows about
// them compare different things; ties are nothing to a baseline.
func TestSettingsMatter(t *testing.T) {
	s := small()
	a, _, _, d := s.readings()
	untied := a
	untied.set.ties = false
	differ := func(x, y cell) bool {
		if err := s.ensure("", 1, x, y); err != nil {
			t.Fatal(err)
		}
		return turnaround(all)(s.runs(x)[0]) != turnaround(all)(s.runs(y)[0])
	}
	if s.fit(a.cell(fair)) != s.fit(untied.cell(fair)) {
		t.Error("Fair is run twice, with ties and without")
	}
	for _, c := range []struct {
		x, y cell
		want bool
	}{
		{a.cell(swFair), untied.cell(swFair), true},
		{a.cell(fair), untied.cell(fair), false},
		{d.cell(fair), d.cell(lateFair), true},
		{d.cell(fair), d.cell(drf), true},
		{d.cell(swFair), d.cell(swDRF), true},
	} {
		if differ(c.x, c.y) != c.want {
			t.Errorf("runs of %s (ties %v) and %s (ties %v) differ: %v, want %v", c.x.name, c.x.ties, c.y.name, c.y.ties, !c.want, c.want)
		}
	}
}

// The part of a heavy job's shuffle that the meter has as kept in racks is what the slot model did
// not see cross them.
func TestPlaces(t *testing.T) {
	set := setting{small: true}
	for _, c := range []*contender{fair, swFair} {
		cluster := set.cluster()
		l, err := set.draw(streams(3), 3600, cluster)
		if err != nil {
			t.Fatal(err)
		}
		heavy := 0.0
		for j := range l.specs {
			s := &l.specs[j]
			if s.Input, s.Shuffle = .5, 0; j%3 > 0 && s.Reduces.Tasks > 0 {
				s.Shuffle = 1
				heavy++
			}
		}
		p, _ := c.policy(set, l, 0)
		m := newMeter(cluster, len(l.specs))
		r, err := slotmodel.Run(cluster, l.specs, p, slotmodel.Options{Log: m.log})
		if err != nil {
			t.Fatal(err)
		}
		concentration, kept := m.places(l.specs)
		if want := 1 - r.Totals.CrossRack.Shuffle/heavy; math.Abs(kept-want) > 1e-9 || !(concentration >= .25 && concentration <= 1) {
			t.Errorf("%s: kept %v and concentration %v, want %v and at least a quarter", c.name, kept, concentration, want)
		}
	}
}

// Under the literal reading of section 3.3 and without preferred racks, NASS starts what fair
// sharing starts, if no user has two jobs. Under the other reading it does not.
func TestVacant(t *testing.T) {
	set := setting{small: true}
	starts := func(chooser policy.Chooser) map[slotmodel.Event]bool {
		cluster := set.cluster()
		l, err := set.draw(streams(3), 1200, cluster)
		if err != nil {
			t.Fatal(err)
		}
		for j := range l.specs {
			l.specs[j].User, l.specs[j].Slowstart = j, 0
		}
		all := map[slotmodel.Event]bool{}
		if _, err := slotmodel.Run(cluster, l.specs, &policy.PerUser{Chooser: chooser}, slotmodel.Options{Log: func(e slotmodel.Event) {
			if e.Type == slotmodel.Started {
				all[slotmodel.Event{Time: e.Time, Task: e.Task, Node: e.Node}] = true
			}
		}}); err != nil {
			t.Fatal(err)
		}
		return all
	}
	plain := func() *shufflewatcher.Chooser { return &shufflewatcher.Chooser{NoSAMP: true, NoSARP: true} }
	equal := starts(new(policy.Earliest))
	if !maps.Equal(starts(vacant{plain()}), equal) {
		t.Error("read literally NASS does not start what fair sharing starts")
	}
	if maps.Equal(starts(plain()), equal) {
		t.Error("NASS starts what fair sharing starts: the workload tests nothing")
	}
}

// The order of the free nodes is random: every order comes, and a seed gives the same one again.
func TestScattered(t *testing.T) {
	c := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}, {Maps: 1}, {Maps: 1}}}
	order := func(seed uint64) (nodes [3]slotmodel.Node) {
		p := newScattered(&policy.PerUser{}, new(shufflewatcher.Chooser), seed)
		if _, err := slotmodel.Run(c, []slotmodel.JobSpec{{Maps: slotmodel.Phase{Tasks: 3, Work: 1}}}, p, slotmodel.Options{Log: func(e slotmodel.Event) {
			if e.Type == slotmodel.Started {
				nodes[e.Task] = e.Node
			}
		}}); err != nil {
			t.Fatal(err)
		}
		return nodes
	}
	seen := map[[3]slotmodel.Node]bool{}
	for seed := range uint64(60) {
		nodes := order(seed)
		seen[nodes] = true
		if again := order(seed); again != nodes {
			t.Errorf("seed %d: the orders are %v, and then %v", seed, nodes, again)
		}
	}
	if len(seen) != 6 {
		t.Errorf("%d orders come, want all 6", len(seen))
	}
}

func TestUnequal(t *testing.T) {
	user := func(maps, reduces, entitled float64) slotmodel.UserSample {
		return slotmodel.UserSample{Slots: [2]float64{maps, reduces}, Entitled: entitled}
	}
	for _, c := range []struct {
		users []slotmodel.UserSample
		want  float64
	}{
		{[]slotmodel.UserSample{user(1, 1, .5), user(2, 0, .5)}, 0},
		{[]slotmodel.UserSample{user(3, 0, .5), user(0, 1, .5)}, .5},
		{[]slotmodel.UserSample{user(3, 0, .5), user(0, 1, .5), user(0, 0, 0)}, .5},
		{[]slotmodel.UserSample{user(0, 0, .5)}, 0},
		{nil, 0},
	} {
		if got := unequal(c.users); got != c.want {
			t.Errorf("unequal(%v) = %v, want %v", c.users, got, c.want)
		}
	}
}
