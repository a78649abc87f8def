package shufflewatcher

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	policy "github.com/schedmath/schedmath/policy/shufflewatcher"
)

// TestClaims: the verdicts of the claims by an interval.
func TestClaims(t *testing.T) {
	i := func(mean, half float64) report.Interval { return report.Interval{Mean: mean, Half: half} }
	yes, no, open := above("", "", i(2, 1), .5, "", ""), above("", "", i(2, 1), 4, "", ""), above("", "", i(2, 1), 2, "", "")
	for _, c := range []struct {
		name  string
		claim report.Claim
		holds bool
	}{
		{"published in a narrow interval", comes("", "", i(1.36, .04), 39, ""), true},
		{"published in a wide interval", comes("", "", i(1.36, .14), 39, ""), false},
		{"published outside", comes("", "", i(1.3, .04), 39, ""), false},
		{"published outside a wide one", comes("", "", i(1.1, .2), 39, ""), false},
		{"raises", gain("", "", i(1.2, .1), 1, "", ""), true},
		{"does not raise", gain("", "", i(.8, .1), 1, "", ""), false},
		{"lowers", gain("", "", i(.8, .1), -1, "", ""), true},
		{"does not lower", gain("", "", i(1.2, .1), -1, "", ""), false},
		{"lowers perhaps", gain("", "", i(.95, .1), -1, "", ""), false},
		{"more", more("", "", i(.2, .1), ""), true},
		{"not more", more("", "", i(-.2, .1), ""), false},
		{"near", near("", "", i(.9, .02), .9, .05, ""), true},
		{"far", near("", "", i(.7, .02), .9, .05, ""), false},
		{"near perhaps", near("", "", i(.86, .02), .9, .05, ""), false},
		{"all", together("", "", "", "", yes, yes), true},
		{"one of two", together("", "", "", "", yes, no), false},
		{"one of two for sure", together("", "", "", "", open, no), false},
		{"one of two open", together("", "", "", "", yes, open), false},
	} {
		if c.claim.Holds != c.holds {
			t.Errorf("%s: holds %v, want %v", c.name, c.claim.Holds, c.holds)
		}
	}
}

// world makes outcomes that have nothing to do with a simulation: every number of a scheduler in a
// setting is a usual one times one of some factors, which include the published ones.
func world(seed uint64) func(c cell, replication int) (*outcome, error) {
	factors := []float64{1, 1, 1, 1.39, 1.54, .73, .64, 1.46, .68, .52, 1.31, 1.22, .85, .54, .62, .44, .3, 2}
	return func(c cell, replication int) (*outcome, error) {
		of := fnv.New64()
		fmt.Fprintf(of, "%+v %s", c.setting, c.name)
		number := of.Sum64()
		if seed%3 == 0 { // ShuffleWatchers are alike, and so are the others
			number = 0
			if c.watch != nil {
				number = 1
			}
		}
		r, noise := rand.New(rand.NewPCG(seed, number)), rand.New(rand.NewPCG(seed, 1e6+uint64(replication)))
		some := func(usual float64) float64 {
			return usual * factors[r.IntN(len(factors))] * (1 + .02*noise.NormFloat64())
		}
		if seed%3 == 1 { // each step of Figure 12 ends more jobs
			some = func(usual float64) float64 { return usual * (1 + .02*noise.NormFloat64()) }
		}
		o := &outcome{hours: 1 / some(1), busy: min(1, some(.04)), unfair: some(.1), expected: some(12)}
		o.concentration, o.kept, o.report = some(.2), some(.1), policy.Report{Reduces: 10, Met: r.IntN(10)}
		low := r.IntN(20)
		for i := range 20 {
			x := .9
			if i < low {
				x = some(.2)
			}
			o.load = append(o.load, x)
		}
		for k := light; k < all; k++ {
			o.ended[k] = 1000
			if seed%6 == 2 {
				o.ended[k] = int(some(1000))
			}
			if seed%3 == 1 {
				o.ended[k] += 200 * slices.Index([]*contender{fair, lateFair, onlyNASS, withSARP, swFair}, c.contender)
			}
			o.ended[all] += o.ended[k]
			j := jobOutcome{class: k, sojourn: some(100), read: some(.2), shuffle: some([]float64{.05, 1, 4}[k]), inside: some(.5), maps: some(5), reduces: some(5), shared: some(.5)}
			for range 5 {
				o.jobs = append(o.jobs, j)
			}
		}
		return o, nil
	}
}

// TestRowsCanFail: in some worlds each row is yes, and in some it is no, of a full study and by the
// reading that it names.
func TestRowsCanFail(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of studies")
	}
	verdicts := map[string]map[string]bool{}
	const worlds = 600
	for seed := range uint64(worlds) {
		s := &study{n: repetitions, outcomes: map[cell][]*outcome{}, simulate: world(seed)}
		for _, i := range s.plan().Items[2:] { // without the paper's examples, which are computed
			f, err := i.Make()
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range f.Claims {
				key := i.Name + " " + c.Reading + ": " + c.Claim
				if verdicts[key] == nil {
					verdicts[key] = map[string]bool{}
				}
				verdicts[key][map[bool]string{true: "yes", false: "no"}[c.Holds]] = true
				if c.Note == "" || c.Model == "" || c.Relation == "" {
					t.Fatalf("%s lacks a note, numbers or a relation: %+v", key, c)
				}
			}
		}
		if seed%20 == 19 && full(verdicts) {
			return
		}
	}
	for key, v := range verdicts {
		if len(v) < 2 {
			t.Errorf("%s is %v in each of %d worlds", key, v, worlds)
		}
	}
}

// TestEachAlone: each figure of a full study and of a quick one runs what it shows when no other
// figure has.
func TestEachAlone(t *testing.T) {
	for _, quick := range []bool{false, true} {
		for i := range new(study).plan().Items {
			s := &study{Options: report.Options{Quick: quick}, n: quickRepetitions, outcomes: map[cell][]*outcome{}, simulate: world(1)}
			if _, err := s.plan().Items[i].Make(); err != nil {
				t.Errorf("%s alone: %v", s.plan().Items[i].Name, err)
			}
		}
	}
}

func full(verdicts map[string]map[string]bool) bool {
	for _, v := range verdicts {
		if len(v) < 2 {
			return false
		}
	}
	return true
}
