package shufflewatcher

import (
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/examples/internal/report/reporttest"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	policy "github.com/schedmath/schedmath/policy/shufflewatcher"
)

// TestClaims: the verdicts of the claims by an interval.
func TestClaims(t *testing.T) {
	i := func(mean, half float64) numbers.Interval { return numbers.Interval{Mean: mean, Half: half, N: 10} }
	yes, no, open := above("", "", i(2, 1), .5, ""), above("", "", i(2, 1), 4, ""), above("", "", i(2, 1), 2, "")
	for _, c := range []struct {
		name  string
		claim report.Claim
		holds bool
	}{
		{"published within the spread of runs", comes("", i(1.36, .012), 39), true},
		{"published outside", comes("", i(1.3, .012), 39), false},
		{"no effect", comes("", i(1.36, .4), 39), false},
		{"raises", gain("", "", i(1.2, .1), 1, ""), true},
		{"does not raise", gain("", "", i(.8, .1), 1, ""), false},
		{"lowers", gain("", "", i(.8, .1), -1, ""), true},
		{"does not lower", gain("", "", i(1.2, .1), -1, ""), false},
		{"lowers perhaps", gain("", "", i(.95, .1), -1, ""), false},
		{"more", more("", "", i(.2, .1)), true},
		{"not more", more("", "", i(-.2, .1)), false},
		{"near", near("", "", i(.9, .02), .9, .05), true},
		{"far", near("", "", i(.7, .02), .9, .05), false},
		{"near perhaps", near("", "", i(.86, .02), .9, .05), false},
		{"all", together("", "", "", yes, yes), true},
		{"one of two", together("", "", "", yes, no), false},
		{"one of two for sure", together("", "", "", open, no), false},
		{"one of two open", together("", "", "", yes, open), false},
	} {
		if c.claim.Holds != c.holds {
			t.Errorf("%s: holds %v, want %v", c.name, c.claim.Holds, c.holds)
		}
	}
	for x, want := range map[float64]string{-.04: "+0", .04: "+0", -36: "-36", 12.34: "+12.3"} {
		if got := signed(x); got != want {
			t.Errorf("signed(%v) = %q, want %q", x, got, want)
		}
	}
}

// factors are what a run is made of: factors of usual numbers.
type factors struct {
	ended, crossed  [classes]float64 // jobs, and part of a job's shuffle between racks
	read            float64
	sojourn         float64
	within          float64 // concurrency within jobs
	busy            float64
	unfair, planned float64
	low             int // of 20 samples, with a low load
}

// alike are those of a run with so much throughput and traffic.
func alike(throughput, traffic float64) factors {
	x := factors{read: traffic, sojourn: 1 / throughput, within: 1, busy: 1, unfair: 1, low: 10, planned: 1}
	for k := range classes {
		x.ended[k], x.crossed[k] = throughput, traffic
	}
	return x
}

// like is what the paper prints of a cell, or implies.
func like(item string, c cell) factors {
	if c.watch == nil {
		return map[*contender]factors{fair: alike(1, 1), drf: alike(1, 1), delay: alike(1.2, .9), lateFair: alike(1.1, 1), byOutput: alike(1.2, .9), byInput: alike(1.2, .9)}[c.contender]
	}
	x := alike(1.39, .64)
	if c.small {
		x = alike(1.46, .52)
	}
	switch {
	case c.contender == swRelaxed && c.small:
		x = alike(1.54*1.2, .44*.9)
		x.sojourn = .62 / 1.2
	case c.contender == swRelaxed || c.contender == forLocal:
		x = alike(1.46*1.2, .52*.9)
		x.sojourn = .68 / 1.2
	case c.watch.Patience > 0 || c.ties && item == "options":
		x.crossed, x.read = [classes]float64{.5, .5, .5}, .5
	case c.mix > 0:
		x = alike([]float64{1.31, 1.22}[c.mix-1], .5)
	case c.perUser == 1:
		x = alike(1.2, .8)
	case c.oversubscription == 20:
		x = alike(1.8, .5)
	}
	if item == "fig12" || item == "fig13" {
		x.read = 1
		switch c.contender {
		case onlyNASS:
			x.ended, x.crossed, x.sojourn = [classes]float64{1.36, 1.26, 1.2}, [classes]float64{1, 1, 1}, 1/1.27
		case withSARP:
			x.ended, x.crossed, x.sojourn = [classes]float64{1.46, 1.36, 1.3}, [classes]float64{.8, .87, .84}, 1/1.37
		case swFair:
			x.ended, x.crossed, x.sojourn = [classes]float64{1.56, 1.46, 1.4}, [classes]float64{.96, .77, .62}, 1/1.47
		}
	}
	x.within, x.busy, x.low = .5, .5, 3
	return x
}

// other is the other way round, and anything has nothing to do with the paper.
func other(item string, c cell) factors {
	x := alike(1, 1)
	if c.watch != nil {
		x = alike(.5, 2)
		x.read, x.within, x.unfair, x.planned = 3, 2, 2, .1
		if c.saturation > 0 || c.completion > 0 {
			x = alike(.7, 1)
		}
		if c.contender == withSARP {
			x.read = -30 // so that SAMP adds reads
		}
		if c.contender == swDRF {
			x = alike(1, 1)
		}
	} else {
		x.low, x.read = 0, .05
	}
	return x
}

func anything(seed uint64) func(item string, c cell) factors {
	return func(_ string, c cell) factors {
		of := fnv.New64()
		fmt.Fprintf(of, "%+v %s", c.setting, c.name)
		r := rand.New(rand.NewPCG(seed, of.Sum64()))
		some := func() float64 { return []float64{.1, .5, .8, 1, 1.3, 2}[r.IntN(6)] }
		x := factors{read: 10 * some(), sojourn: some(), within: some(), busy: some(), unfair: some(), planned: some(), low: r.IntN(20)}
		for k := range classes {
			x.ended[k], x.crossed[k] = some(), some()
		}
		return x
	}
}

// made is an outcome of numbers. ShuffleWatchers have one noise, and so have the others.
func made(c cell, x factors, replication int) *outcome {
	side := uint64(0)
	if c.watch != nil {
		side = 1
	}
	r := rand.New(rand.NewPCG(uint64(replication), side))
	noise := func() float64 { return 1 + .005*r.NormFloat64() }
	racks, _ := c.racks()
	o := &outcome{hours: noise(), busy: .4 * x.busy * noise(), unfair: .1 * x.unfair * noise(), report: policy.Report{Reduces: 10, Met: 5}, concentration: .2, kept: .1}
	crossed, slow := noise(), noise()
	for k := range classes {
		whole := []float64{.1, 1.5, 12}[k] * terabyte
		shuffle := min(whole, whole*(1-1/float64(racks))*x.crossed[k]*crossed)
		j := jobOutcome{class: k, sojourn: 100 * x.sojourn * slow, read: []float64{.3, .1, .1}[k] * terabyte * x.read, shuffle: shuffle, inside: whole - shuffle,
			maps: 5 * x.within, reduces: 5 * x.within, shared: .5 * x.within}
		for i := range max(1, int(50*x.ended[k]+.5)) {
			j.number = 1000*int(k) + i
			o.jobs = append(o.jobs, j)
			o.expected += (j.read + j.shuffle) * x.planned
		}
	}
	for i := range 20 {
		load := .9 * noise()
		if i < x.low {
			load = .2
		}
		o.load = append(o.load, load)
	}
	return o
}

// claimsOf are the claims of an item of a full study whose runs have the numbers.
func claimsOf(t *testing.T, item int, of func(item string, c cell) factors) []report.Claim {
	t.Helper()
	s := &study{seeds: judged, terminal: io.Discard, outcomes: map[cell][]*outcome{}}
	i := s.plan().Items[item]
	s.simulate = func(c cell, replication int) (*outcome, error) { return made(c, of(i.Name, c), replication), nil }
	f, err := i.Make()
	if err != nil {
		t.Fatal(err)
	}
	for k := range f.Claims {
		f.Claims[k].Item = i.Name
	}
	return f.Claims
}

// TestRowsCanFail: each row is yes where runs are as the paper's, and in some others no, by each
// reading that it names.
func TestRowsCanFail(t *testing.T) {
	items := new(study).plan().Items
	for i := range items {
		if i < 2 || items[i].Name == "settings" { // the paper's examples, which are computed, and what was run once
			continue
		}
		failing := [][]report.Claim{claimsOf(t, i, other)}
		for seed := range uint64(6) {
			failing = append(failing, claimsOf(t, i, anything(seed)))
		}
		reporttest.CanFail(t, claimsOf(t, i, like), failing...)
	}
}

// TestEachAlone: each figure of a full study and of a quick one, and the table of workloads, runs
// what it shows when no other has.
func TestEachAlone(t *testing.T) {
	for _, quick := range []bool{false, true} {
		for i := range len(new(study).plan().Items) + 1 {
			s := &study{Options: program.Options{Quick: quick}, seeds: report.Seeds{N: 3}, terminal: io.Discard, outcomes: map[cell][]*outcome{}}
			s.simulate = func(c cell, replication int) (*outcome, error) { return made(c, like("", c), replication), nil }
			err := error(nil)
			if p := s.plan(); i < len(p.Items) {
				_, err = p.Items[i].Make()
			} else {
				_, err = p.Workloads()
			}
			if err != nil {
				t.Errorf("item %d alone: %v", i, err)
			}
		}
	}
}
