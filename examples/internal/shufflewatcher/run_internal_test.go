package shufflewatcher

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/shuffle"
	"github.com/schedmath/schedmath/slotmodel"
)

// small is a study of an hour on 16 nodes.
func small() *study {
	return &study{Options: report.Options{Seed: 3, Quick: true}, n: 1, jobs: userJobs / 4, from: 600, until: 3000, after: 3600, outcomes: map[cell][]*outcome{}}
}

// TestFixed: under a fixed placement each rack gets the reduces that shuffle.ReducesPerRack gives
// it, by map output none before the last map, and the slot model moves the bytes between racks that
// shuffle.CrossRack computes.
func TestFixed(t *testing.T) {
	s, set := small(), setting{small: true}
	for _, by := range []fixedBy{fixedByOutput, fixedByInput} {
		c := set.cluster()
		l, err := s.load(set, 0, c)
		if err != nil {
			t.Fatal(err)
		}
		m := newMeter(c, len(l.specs))
		reduces, mapsLeft := make([][]int, len(l.specs)), make([]int, len(l.specs))
		for j := range l.specs {
			reduces[j], mapsLeft[j] = make([]int, 4), l.specs[j].Maps.Tasks
		}
		note := func(e slotmodel.Event) {
			m.log(e)
			switch {
			case e.Type == slotmodel.Ended && e.Kind == slotmodel.Map:
				mapsLeft[e.Job]--
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
			for q, n := range m.shares[j] {
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
				want, err := shuffle.ReducesPerRack(nil, basis, spec.Reduces.Tasks)
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
		held, racks := 0.0, 0.0
		for _, u := range r.Users {
			held += u.SlotSeconds[slotmodel.Map] + u.SlotSeconds[slotmodel.Reduce]
		}
		for _, x := range m.slots {
			racks += x
		}
		if math.Abs(slots-held) > 1e-6*held || math.Abs(racks-held) > 1e-6*held {
			t.Errorf("rule %d: the meter has %v and %v slot-seconds, the slot model %v", by, slots, racks, held)
		}
	}
}

// TestContenders: every contender ends all jobs under both readings of slots, of equal workloads,
// and twice alike.
func TestContenders(t *testing.T) {
	list := append([]*contender{fair, delay, drf, swFair, swRelaxed, swDRF, onlyNASS, withSARP, byOutput, byInput}, settings...)
	if testing.Short() {
		list = list[:4]
	}
	s, again := small(), small()
	bytes := map[setting]float64{}
	for _, k := range list {
		for _, set := range []setting{{}, {shared: true}, {down: true}, {backlog: true}} {
			if set.down && k.fixed != unfixed {
				continue // what is fixed to a lost rack never starts
			}
			c := cell{set, k}
			if err := s.ensure("", 1, c, c); err != nil {
				t.Fatalf("%s in %+v: %v", k.name, set, err)
			}
			o := s.outcomes[s.fit(c)][0]
			if len(s.outcomes[s.fit(c)]) != 1 || len(o.jobs) == 0 || math.IsInf(o.longest, 1) || o.ended[all] != o.ended[light]+o.ended[medium]+o.ended[heavy] {
				t.Fatalf("%s in %+v: %+v", k.name, set, o)
			}
			whole, _ := o.sum(all, func(j *jobOutcome) float64 { return j.shuffle + j.inside })
			if bytes[set] == 0 {
				bytes[set] = whole
			}
			if math.Abs(whole-bytes[set]) > 1e-6*bytes[set] {
				t.Errorf("%s in %+v shuffles %v bytes, Fair %v", k.name, set, whole, bytes[set])
			}
		}
	}
	c := cell{contender: list[3]}
	if err := again.ensure("", 1, c); err != nil {
		t.Fatal(err)
	}
	if a, b := turnaround(all)(s.outcomes[s.fit(c)][0]), turnaround(all)(again.outcomes[again.fit(c)][0]); a != b {
		t.Errorf("two runs of %s: %v and %v", c.name, a, b)
	}
}

// TestGain: a claim holds when the interval of the ratios lies on the better side of 1, and says
// what it compares.
func TestGain(t *testing.T) {
	s := small()
	s.n, s.Quick = 3, false
	a, b := cell{contender: swFair}, cell{contender: fair}
	for _, x := range []float64{1, 2, 3} {
		s.outcomes[a] = append(s.outcomes[a], &outcome{longest: 1.2 * x})
		s.outcomes[b] = append(s.outcomes[b], &outcome{longest: x})
	}
	what := func(o *outcome) float64 { return o.longest }
	r := row{label: "SW-fair / Fair", a: a, b: b}
	up, down := s.gain(3, r, "length", what, 1, 39, "why"), s.gain(3, r, "length", what, -1, 0, "why")
	if !up.Holds || up.Published != "+39%" || up.Claim != "SW-fair against Fair raises length" || up.Model != "+20 ± 0%" {
		t.Errorf("gain = %+v, want one of 20%% that holds", up)
	}
	if down.Holds || down.Published != "lowered" {
		t.Errorf("gain = %+v, want none", down)
	}
	s.outcomes[a][0].longest = .5
	if c := s.gain(3, r, "length", what, 1, 39, "why"); c.Holds {
		t.Errorf("gain = %+v, want an interval that holds 1", c)
	}
}

// TestBacklogJobs: of a backlog all jobs count, so that schedulers are compared over the same jobs,
// although the last job may arrive after the window.
func TestBacklogJobs(t *testing.T) {
	s := small()
	s.Seed = 2
	a, b := cell{setting{backlog: true}, fair}, cell{setting{backlog: true}, swFair}
	if err := s.ensure("", 2, a, b); err != nil {
		t.Fatal(err)
	}
	for i, x := range s.runs(a) {
		if y := s.runs(b)[i]; len(x.jobs) != 36 || len(y.jobs) != 36 {
			t.Errorf("replication %d compares %d jobs with %d, want all 36", i, len(x.jobs), len(y.jobs))
		}
	}
}
