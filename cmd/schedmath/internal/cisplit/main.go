// Package cisplit is the command that divides tests among the runners of a CI so that the last runner ends early, by
// the times in reports of JUnit or of go test -json. It tells when only smaller tests help.
package cisplit

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/partition"
)

const help = `schedmath cisplit -runners 4 -out DIR report.xml ...
divides the tests of reports among runners: the classes of JUnit's XML, or the packages of go test -json. A report may be compressed (gzip); - is standard input.
Each report is of one run of the suite: a test takes the median of its times over the runs that have it. With -sum the reports are shards of one run, whose times add up.
`

// Bounds of what is divided: a runner has a file, and the time of a test stays below 32 years.
const (
	mostRunners = 10_000
	mostSeconds = 1e9
)

// Main is the command: it returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	return program.Exit(stderr, "schedmath cisplit", run(args, stdout))
}

func run(args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("schedmath cisplit", flag.ContinueOnError)
	runners := f.Int("runners", 2, "divide tests among `N` runners of a CI")
	out := f.String("out", "", "write runner-0.txt and so on, a test a line, into `DIR`, which exists; without it nothing is written")
	list := f.String("list", "", "run the tests in `FILE`, a line each, those without a time spread evenly; default: those of the reports")
	lost := f.Int("lost", -1, "runner `I` is lost: divide what is in DIR anew, and move little else")
	sum := f.Bool("sum", false, "the reports are shards of one run: add the times of a test up")
	most := f.Int64("max-bytes", 1<<30, "refuse files of more than `N` bytes, unpacked")
	if done, err := program.ParseFiles(f, args, stdout, help); done || err != nil {
		return err
	}
	times := map[string][]float64{} // of each report that has the test
	for _, name := range f.Args() {
		report, err := read(name, *most)
		if err != nil {
			return err
		}
		for test, seconds := range report {
			times[test] = append(times[test], seconds)
		}
	}
	names := slices.Sorted(maps.Keys(times))
	if *list != "" {
		var err error
		if names, err = lines(*list, *most); err != nil {
			return err
		}
	}
	if len(names) == 0 || *runners < 1 || *runners > mostRunners || *lost < -1 || *lost >= *runners {
		return program.Usagef("%d tests, %d runners, runner %d lost: want reports or a -list with tests, and 1 to %d runners (see -help)", len(names), *runners, *lost, mostRunners)
	}
	if *lost >= 0 && *out == "" {
		return program.Usagef("-lost divides what is in a folder anew: want -out DIR")
	}
	file := func(runner int) string { return filepath.Join(*out, fmt.Sprintf("runner-%d.txt", runner)) }
	for runner := range *runners {
		if *out == "" {
			break
		}
		if err := program.Place("out", file(runner), append(f.Args(), *list)...); err != nil {
			return err
		}
	}
	o := partition.Options{Method: partition.Best, Unknown: true}
	holder := map[string]int{} // runner + 1; 0: none
	if *lost >= 0 {
		o.Ready = make([]float64, *runners)
		o.Ready[*lost] = math.Inf(1) // it takes nothing
		o.MoveCost = .1              // a test moves if that ends the run earlier by a tenth of its time
		for runner := range *runners {
			held, err := lines(file(runner), *most)
			if err != nil {
				return err
			}
			for _, name := range held {
				holder[name] = runner + 1
			}
		}
	}
	var sizes []float64
	for _, name := range names {
		sizes, o.Previous = append(sizes, size(times[name], *sum)), append(o.Previous, holder[name]-1)
	}
	plan, err := partition.Assign(*runners, sizes, func(_ int, total float64) float64 { return total }, o)
	if err != nil {
		return err
	}
	texts := make([]string, *runners)
	for i, runner := range plan.Of {
		texts[runner] += names[i] + "\n"
	}
	for runner, text := range texts {
		if *out == "" {
			break
		}
		if err := program.WriteFile(file(runner), []byte(text)); err != nil {
			return err
		}
	}
	by := ""
	if n := f.NArg(); n > 1 && *sum {
		by = fmt.Sprintf(", by the sum of %d shards", n)
	} else if n > 1 {
		by = fmt.Sprintf(", by the median of %d runs", n)
	}
	fmt.Fprintf(stdout, "the last runner ends after %.1f s; in no split it ends before %.1f s%s\n", plan.NetMakespan, plan.Bound, by)
	if k := plan.Critical; k >= 0 {
		fmt.Fprintf(stdout, "no split and no more runners make that shorter unless %s is divided\n", names[k])
	}
	if *out == "" {
		_, err = fmt.Fprintln(stdout, "-out DIR writes the tests of each runner into a file")
		return err
	}
	_, err = fmt.Fprintf(stdout, "wrote %s to %s\n", file(0), file(*runners-1))
	return err
}

// size is how long a test takes by its times in reports; NaN: no report has it.
func size(times []float64, sum bool) float64 {
	n := len(times)
	switch {
	case n == 0:
		return math.NaN()
	case sum:
		total := 0.0
		for _, t := range times {
			total += t
		}
		return total
	}
	slices.Sort(times)
	return times[(n-1)/2] + (times[n/2]-times[(n-1)/2])/2
}

// lines are the tests in a file, sorted, each once.
func lines(name string, most int64) ([]string, error) {
	text, err := open(name, most)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	var list []string
	s := text.lines()
	for s.Scan() && s.Err() == nil {
		for test := range strings.FieldsFuncSeq(s.Text(), func(r rune) bool { return r == '\r' }) {
			if err := valid(test); err != nil {
				return nil, program.Usagef("%s: %v", name, err)
			}
			if list = append(list, test); len(list) > mostTests {
				return nil, program.Usagef("%s: there are more than %d tests", name, mostTests)
			}
		}
	}
	if err := failed(s); err != nil {
		return nil, program.Usagef("%s: %v", name, err)
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// valid says what is wrong with the name of a test: it becomes a line of a file whose lines are
// given to a runner of tests.
func valid(test string) error {
	switch {
	case test == "":
		return program.Usagef("a test without a name")
	case test[0] == '-':
		return program.Usagef("the test %q: a runner takes it for a flag", test)
	case !utf8.ValidString(test) || strings.ContainsFunc(test, unicode.IsControl):
		return program.Usagef("the test %q: control characters in its name", test)
	}
	return nil
}
