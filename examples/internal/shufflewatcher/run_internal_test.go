package shufflewatcher

import (
	"io"
	"math"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// small is a study of half an hour on 16 nodes.
func small() *study {
	s := &study{Options: program.Options{Seed: 3, Quick: true}, seeds: report.Seeds{N: 1}, from: 300, until: 2100, terminal: io.Discard, outcomes: map[cell][]*outcome{}}
	s.simulate = s.run
	return s
}

// few is a backlog of 48 jobs of Tables 1 and 2.
var few = setting{small: true, backlog: true, tables: true, uniform: true, perUser: 4}

// TestFixed: under a fixed placement each rack gets the reduces that shuffle.ReducesPerRack gives
// it, by map output none before the last map, and the slot model moves the bytes between racks that
// shuffle.CrossRack computes.
func TestFixed(t *testing.T) {
	set := few
	for _, by := range []fixedBy{fixedByOutput, fixedByInput} {
		c := set.cluster()
		l, err := set.draw(streams(3), 3600, c)
		if err != nil {
			t.Fatal(err)
		}
		m := &meter{c, make([]meterJob, len(l.specs))}
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

// TestContenders: every contender runs in each reading, ends all jobs of a backlog, whose workloads
// are equal, and keeps a closed loop full; and twice alike.
func TestContenders(t *testing.T) {
	list := []*contender{fair, lateFair, swFair, delay, drf, swRelaxed, swDRF, onlyNASS, withSARP, byOutput, byInput, patient, longer, within4, forLocal}
	if testing.Short() {
		list = list[:4]
	}
	s, again := small(), small()
	bytes := map[string]float64{}
	for _, k := range list {
		for _, r := range []reading{readingA, readingB} {
			x := r.cell(k)
			if err := s.ensure("", x, x); err != nil {
				t.Fatalf("%s in reading %s: %v", k.name, r.Name, err)
			}
			o := s.runs(x)[0]
			if len(s.runs(x)) != 1 || len(o.jobs) == 0 || r.set.backlog != (len(o.jobs) == 48) || !r.set.backlog && o.hours != .5 {
				t.Fatalf("%s in reading %s: %d jobs in %v h", k.name, r.Name, len(o.jobs), o.hours)
			}
			moved := whole(all)(o)
			if bytes[r.Name] == 0 {
				bytes[r.Name] = moved
			}
			if r.set.backlog && math.Abs(moved-bytes[r.Name]) > 1e-6*bytes[r.Name] {
				t.Errorf("%s in reading %s shuffles %v bytes, Fair %v", k.name, r.Name, moved, bytes[r.Name])
			}
		}
	}
	x := readingA.cell(swFair)
	if err := again.ensure("", x); err != nil {
		t.Fatal(err)
	}
	if p, q := turnaround(all)(s.runs(x)[0]), turnaround(all)(again.runs(x)[0]); p != q {
		t.Errorf("two runs of SW-fair: %v and %v", p, q)
	}
}

// TestSettingsMatter: what a setting says changes a run, so that the rows about it compare different
// things; ties, windows and saturation are nothing to a baseline.
func TestSettingsMatter(t *testing.T) {
	s := small()
	for _, x := range []struct {
		what string
		x, y cell
		want bool
	}{
		{"ties", readingB.with(func(set *setting) { set.ties = true }).cell(swFair), readingB.cell(swFair), true},
		{"ties", readingB.with(func(set *setting) { set.ties = true }).cell(fair), readingB.cell(fair), false},
		{"windows", readingB.with(func(set *setting) { set.window = 60 }).cell(swFair), readingB.cell(swFair), true},
		{"windows", readingB.with(func(set *setting) { set.window = 60 }).cell(fair), readingB.cell(fair), false},
		{"saturation", readingB.with(func(set *setting) { set.saturation = .1 }).cell(swFair), readingB.cell(swFair), true},
		{"saturation", readingB.with(func(set *setting) { set.saturation = .1 }).cell(fair), readingB.cell(fair), false},
		{"completion", readingB.with(func(set *setting) { set.completion = 1 }).cell(fair), readingB.cell(fair), false},
		{"rate of maps", readingB.with(func(set *setting) { set.rate = 3e6 }).cell(fair), readingB.cell(fair), true},
		{"what a wait ends", main16.cell(swRelaxed), main16.cell(forLocal), true},
		{"links", readingB.with(func(set *setting) { set.oversubscription = 20 }).cell(fair), readingB.cell(fair), true},
		{"pairs", readingB.with(func(set *setting) { set.pairs = true }).cell(fair), readingB.cell(fair), true},
		{"home racks", main16.with(func(set *setting) { set.uniform = true }).cell(fair), main16.cell(fair), true},
		{"late reduces", readingB.cell(fair), readingB.cell(lateFair), true},
		{"DRF", readingB.cell(fair), readingB.cell(drf), true},
		{"DRF", readingB.cell(swFair), readingB.cell(swDRF), true},
	} {
		if err := s.ensure("", x.x, x.y); err != nil {
			t.Fatal(err)
		}
		if differ := turnaround(all)(s.runs(x.x)[0]) != turnaround(all)(s.runs(x.y)[0]); differ != x.want || (s.fit(x.x) != s.fit(x.y)) != x.want {
			t.Errorf("%s of %s: differ %v, want %v", x.what, x.x.name, differ, x.want)
		}
	}
}

// The part of a heavy job's shuffle that the meter has as kept in racks is what the slot model did
// not see cross them.
func TestPlaces(t *testing.T) {
	set := few
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
		p, _ := c.policy(set)
		m := &meter{cluster, make([]meterJob, len(l.specs))}
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
