package report

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/internal/numbers"
)

// noReading stands in claims.tsv for a claim that is of no Reading.
const noReading = "-"

// A Reading is a set of assumptions that fill a paper's silences together. Its runs are those of
// the items and claims that name it. A result that the reading was found by is of the kind Found:
// it shows how well the assumptions fit. Those that were not used judge it, on other seeds.
type Reading struct {
	Name        string // "A"
	Title       string // a few words: "equal heavy jobs, each in a home rack"
	Main        string // of the one reading by which claims are counted: why it is that one, said before the run that judges it; "" of the others
	Assumptions []Assumption

	Found  Seeds // the repetitions that its assumptions were chosen by; none: no run was
	Judged Seeds // those of a full run, from which its claims are judged
}

// Seeds are N repetitions of the seed 1 from First on. The draws of a repetition depend on the seed
// and its number alone; a quick run has the first ones.
type Seeds struct{ First, N int }

// At is the number of the repetition at place i.
func (s Seeds) At(i int) int { return s.First + i }

// String writes the numbers of the first and the last.
func (s Seeds) String() string { return fmt.Sprintf("%d to %d", s.First, s.First+s.N-1) }

// Of sets the reading of each claim of a list, by name, and returns the list.
func Of(reading string, list ...Claim) []Claim {
	for i := range list {
		list[i].Reading = reading
	}
	return list
}

// Stream is the generator of the draws of one purpose, below 256, in a repetition.
func Stream(seed uint64, repetition, purpose int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, uint64(repetition)<<8|uint64(purpose)))
}

// An Assumption is one thing that a reading takes to be so.
type Assumption struct {
	Text     string
	Evidence Evidence
	By       string // where it is stated, or the number that implies it
}

// Evidence says what an assumption rests on.
type Evidence uint8

// The kinds of evidence.
const (
	Assumed Evidence = iota // nothing in the paper tells
	Implied                 // a number of the paper's that comes out so
	Stated                  // the paper's words
)

// String returns the word in lower case.
func (e Evidence) String() string { return [...]string{"assumed", "implied", "stated"}[e] }

// checkReadings checks that a plan has one main reading, if any, and that each claim is of a
// reading listed, or of none, and stands once a reading with the same words. One with a headline is
// of a reading where there are several.
func (p *Plan) checkReadings(claims []Claim) error {
	mains := numbers.Number(p.Readings, func(r Reading) bool { return r.Main != "" })
	if len(p.Readings) > 0 && mains != 1 {
		return fmt.Errorf("report: %s has %d main readings, want 1", p.Paper, mains)
	}
	first := map[string]Claim{}
	seen := map[[2]string]bool{}
	for _, c := range claims {
		listed := slices.ContainsFunc(p.Readings, func(r Reading) bool { return r.Name == c.Reading })
		if !listed && (c.Reading != "" || c.Headline != "" && len(p.Readings) > 0) {
			return fmt.Errorf("report: claim %q is of the reading %q, which its plan does not list", c.Claim, c.Reading)
		}
		f, ok := first[c.Claim]
		if ok && (f.Published != c.Published || f.Relation != c.Relation || f.Headline != c.Headline || seen[[2]string{c.Claim, c.Reading}]) {
			return fmt.Errorf("report: claim %q of %s differs between readings in what is published or asked, or stands twice in one", c.Claim, c.Item)
		}
		first[c.Claim], seen[[2]string{c.Claim, c.Reading}] = c, true
	}
	return nil
}

// reading is the place of a reading, by its name; -1 of none.
func (s Section) reading(name string) int {
	return slices.IndexFunc(s.Readings, func(r Reading) bool { return r.Name == name })
}

// isMain says whether a claim is of the main reading, or of no reading.
func (s Section) isMain(c Claim) bool {
	n := s.reading(c.Reading)
	return n < 0 || s.Readings[n].Main != ""
}
