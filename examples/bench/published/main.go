// Command published compares what the library finds with what others published: it solves each
// instance of a set with the library's defaults, gives a plain rival the same time, and prints a
// row of docs/benchmarks.md for each set.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"time"

	"github.com/schedmath/schedmath/internal/program"
)

const help = `published solves instances whose best values others published, and instances by the recipes that they drew theirs by, with the
library's defaults, and gives a plain rival as long as the library took, at least its mean of the instances so far. It prints a
Markdown row for each set. A gap is relative to the best value known, and a value above a best of 0 has none; of an instance by a
recipe the best is the least found by the library, by the rival, and by the rival in -reference times the time. An answer called
exact that is not the best, or a bound above a known value, ends the program with exit code 1.
`

func main() {
	os.Exit(program.Exit(os.Stderr, "published", run(os.Args[1:], os.Stdout, os.Stderr)))
}

func run(args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("published", flag.ContinueOnError)
	folder := f.String("sets", "../shared/data/or", "read the published sets of `DIR`; where it is missing, sets by recipes alone")
	only := f.String("rows", "", "run the sets whose name matches `REGEXP`")
	factor := f.Float64("reference", 0, "for an instance without a known value, run the rival once more for `N` times the time")
	if done, err := program.Parse(f, args, stdout, help); done || err != nil {
		return err
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return program.Usagef("-rows: %v", err)
	}
	if !(*factor >= 0 && *factor <= 1e6) {
		return program.Usagef("-reference is %v, want 0 to 1e6", *factor)
	}
	sets, err := published(*folder)
	if err != nil {
		return program.Usagef("-sets: %v", err)
	}
	fmt.Fprint(stdout, "| set | instances | at best known | mean gap | greatest | above the bound | exact | time | rival | at best known | mean gap | greatest |\n",
		"|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	wrong := 0
	for _, s := range append(sets, recipes()...) {
		if !pattern.MatchString(s.name) {
			continue
		}
		list := s.instances()
		bar := program.NewProgress(stderr, s.name, len(list))
		r := row{set: s}
		for i := range list {
			fault, err := r.add(&list[i], *factor)
			if err != nil {
				bar.Done()
				return fmt.Errorf("%s, %s: %w", s.name, list[i].name, err)
			}
			if fault != "" {
				wrong++
				fmt.Fprintf(stderr, "published: %s, %s: %s\n", s.name, list[i].name, fault)
			}
			bar.Add(1)
		}
		bar.Done()
		fmt.Fprintln(stdout, r.String())
	}
	if wrong > 0 {
		return fmt.Errorf("%d answers contradict known values", wrong)
	}
	return nil
}

// A set is instances of one problem and the rival that they are given to, "" if there is none.
type set struct {
	name, rival string
	instances   func() []instance
}

// An instance asks for a least value. The best known value is NaN where there is none; proven: no
// solution has less.
type instance struct {
	name   string
	known  float64
	proven bool
	solve  func() (answer, error)
	rival  func(end time.Time) float64 // the least value found by then; nil: no rival
}

// An answer is what the library says of an instance.
type answer struct {
	value, bound float64
	exact        bool
}

// rounding is how far a bound may be above a known value: bounds are bisected.
const rounding = 1e-9

// fault says how an answer contradicts the best known value, "" if it does not.
func (a answer) fault(in *instance) string {
	slack := rounding * math.Abs(in.known)
	switch {
	case a.bound > in.known+slack:
		return fmt.Sprintf("the bound is %v, above the known value, %v", a.bound, in.known)
	case a.exact && a.value > in.known+slack:
		return fmt.Sprintf("%v is called exact, above the known value, %v", a.value, in.known)
	case in.proven && a.value < in.known-slack:
		return fmt.Sprintf("%v is below the optimum, %v", a.value, in.known)
	}
	return ""
}

// A row sums up what a set's instances gave.
type row struct {
	set
	n, exact    int
	time        time.Duration
	ours, their gaps
	bounded     gaps // of values above their own bounds, but for bounds of 0 below them
}

// add solves an instance and says what is wrong with the answer.
func (r *row) add(in *instance, reference float64) (fault string, err error) {
	start := time.Now()
	a, err := in.solve()
	took := time.Since(start)
	if err != nil {
		return "", err
	}
	r.n++
	r.time += took
	if a.exact {
		r.exact++
	}
	known := in.known
	if math.IsNaN(known) {
		known = a.value
	}
	if in.rival != nil {
		took = max(took, r.time/time.Duration(r.n)) // where the library ends early, too
		rival := in.rival(time.Now().Add(took))
		if math.IsNaN(in.known) {
			known = min(known, rival)
			if reference > 0 {
				known = min(known, in.rival(time.Now().Add(time.Duration(reference*float64(took)))))
			}
		}
		r.their.add(rival, known)
	}
	r.ours.add(a.value, known)
	if a.bound > 0 || a.value <= a.bound {
		r.bounded.add(a.value, a.bound)
	}
	checked := *in
	checked.known = known
	return a.fault(&checked), nil
}

// String is the row in Markdown.
func (r *row) String() string {
	per := "-"
	if r.n > 0 {
		per = fmt.Sprintf("%.3g ms", float64(r.time.Microseconds())/1000/float64(r.n))
	}
	return fmt.Sprintf("| %s | %d | %v | %s | %d | %s | %s | %v |", r.name, r.n, r.ours, r.bounded.mean(), r.exact, per, cmp.Or(r.rival, "-"), r.their)
}

// gaps are how far values are above the best known, relatively.
type gaps struct {
	n, atBest int
	sum, most float64
}

// add takes a value in. One that is better than the best known has a gap of 0; one above a best
// known of 0 has no gap.
func (g *gaps) add(value, known float64) {
	gap := 0.0
	switch {
	case value <= known*(1+rounding):
		g.atBest++
	case known == 0:
		return
	default:
		gap = (value - known) / known
	}
	g.n++
	g.sum += gap
	g.most = max(g.most, gap)
}

// mean is that of the gaps, in percent.
func (g gaps) mean() string {
	if g.n == 0 {
		return "-"
	}
	return percent(g.sum / float64(g.n))
}

// String is three columns: the number of values at the best known, the mean gap and the greatest.
func (g gaps) String() string {
	if g.n == 0 {
		return "- | - | -"
	}
	return fmt.Sprintf("%d | %s | %s", g.atBest, g.mean(), percent(g.most))
}

func percent(x float64) string { return fmt.Sprintf("%.3g%%", 100*x) }
