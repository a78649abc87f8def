// Package figures runs every example and makes pages of what they draw and claim.
package figures

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/schedmath/schedmath/examples/internal/backfill"
	"github.com/schedmath/schedmath/examples/internal/circumflex"
	"github.com/schedmath/schedmath/examples/internal/dynamicshare"
	"github.com/schedmath/schedmath/examples/internal/dynprio"
	"github.com/schedmath/schedmath/examples/internal/fairqueue"
	"github.com/schedmath/schedmath/examples/internal/hfsp"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/examples/internal/shufflewatcher"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/parts"
	"github.com/schedmath/schedmath/internal/program"
)

// An Example makes the figures of one section of the page.
type Example func(o program.Options, terminal io.Writer) (report.Plan, error)

// examples are in the order of the page.
var examples = []Example{hfsp.Plan, circumflex.Plan, dynamicshare.Plan, dynprio.Plan, shufflewatcher.Plan, fairqueue.Plan, backfill.Plan}

const help = `figures draws every figure of this project and checks every claim about them: it runs the examples hfsp,
circumflex, dynamicshare, dynprio, shufflewatcher, fairqueue and backfill. This takes about nineteen minutes on two cores and 1.4 GB,
with -quick half a minute; the first picture is there at once.

It writes
  DIR/index.html             a gallery of all figures; DIR/<example>.html has those of an example, each beside its claims.
                             The pages need no network
  DIR/<example>-<item>.tsv   the numbers of a figure, at full precision
  DIR/<example>-<item>.svg   the picture, and with -png the same as .png
  DIR/claims.tsv             one row per claim and reading: paper, item, claim, published, model, relation, holds, note, kind, reading, headline, main
The files of a figure are written as soon as it is done; a line on stderr says so.
On stdout it prints where the page is and, in Markdown, how many claims of each paper and kind hold in its main reading; of a quick run, which
decides few, what it decides, beside the full run of docs/claims.tsv where that is.
With -only they are the files of the named figures alone, and the pages and claims.tsv stay as they are.

On many machines: -part 3/16 -out part3.json makes one of 16 parts, each with the same flags, and -out DIR -join part*.json writes on one machine
what one run would have written, to the byte, without the trace. Figures are dealt out whole, neighbours together: they share runs, so no
part is shorter than its longest experiment: of 16 parts the longest takes about a quarter of one run. A part that is missing is named; -partial
then leaves out its figures.

Replays are of a synthetic day of 24,442 jobs unless -trace names a trace in the SWIM format; the experiments with tasks and slots, and those
of circumflex, dynamicshare, dynprio, shufflewatcher, fairqueue and backfill, make their own jobs.
`

// Main is the program: it returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	return Of(examples...)(args, stdout, stderr)
}

// Of is the program for a page of these examples alone.
func Of(examples ...Example) func(args []string, stdout, stderr io.Writer) int {
	return func(args []string, stdout, stderr io.Writer) int {
		return program.Exit(stderr, "figures", run(examples, args, nil, stdout, stderr))
	}
}

// run is the program with what parts have made, if there are any.
func run(examples []Example, args []string, joined *parts.Joined[made], stdout, stderr io.Writer) error {
	flags, o := program.Flags("figures", "figures", "fewer repetitions in every example", true)
	list := flags.Bool("list", false, "print the names of all figures, one a line, and make none")
	only := flags.String("only", "", "make only the figures of these `NAMES`, separated by commas, or whose names begin with one of them: hfsp-fig2,circumflex")
	png := flags.Bool("png", false, "write each picture as PNG too")
	part := flags.String("part", "", "make only a `PART` of the figures, such as 3/16, and write them into the file of -out, for -join on one machine when all parts are made on several")
	join := flags.Bool("join", false, "read the files of all parts, named behind the flags, and write into the directory of -out what one run would have written")
	partial := flags.Bool("partial", false, "with -join: parts may be missing, and their figures are left out")
	if done, err := program.ParseFiles(flags, args, stdout, help); done || err != nil {
		return err
	}
	switch {
	case *join:
		if settings := program.Given(flags, "join", "partial", "out"); len(settings) > 0 {
			return program.Usagef("%s is not for -join: the settings are those of the parts, each of which wants it", settings[0])
		}
		j, err := parts.Read[made]("figures", flags.Args())
		if err != nil {
			return err
		}
		if len(j.Missing) > 0 && !*partial {
			return program.Usagef("%s: -partial leaves out their figures", j.Lacks())
		}
		return run(examples, append(j.Args, "-out="+o.Out), j, stdout, stderr)
	case flags.NArg() > 0:
		return program.Usagef("unexpected argument %q: every input is a flag (see -help)", flags.Arg(0))
	}
	plans, names, err := choose(examples, *o, *only, stderr)
	switch {
	case err != nil:
		return err
	case *list:
		_, err := fmt.Fprintln(stdout, strings.Join(names, "\n"))
		return err
	case *part != "":
		if o.Out == flags.Lookup("out").DefValue {
			o.Out = ""
		}
		share, err := parts.Parse(*part, o.Out)
		if err != nil {
			return err
		}
		return writePart(plans, *o, *png, share, program.Given(flags, "part", "out"), stderr)
	case joined != nil:
		if plans, err = take(joined, plans); err != nil {
			return err
		}
	case *partial:
		return program.Usagef("-partial is for -join")
	}
	if err := program.Prepare(o.Out); err != nil {
		return err
	}
	var sections []report.Section
	made, of := 0, ""
	if joined != nil && len(joined.Missing) > 0 {
		of = fmt.Sprintf(" of %d, since %s", len(names), joined.Lacks())
	}
	var stopped *program.Interrupted
	var times []string
	for _, p := range plans {
		p.Took = func(figure string, d time.Duration) {
			times = append(times, fmt.Sprintf("%s %.1f", figure, d.Seconds()))
		}
		s, err := p.Write(o.Out, *png, "figures", stderr)
		if len(s.Figures) > 0 {
			sections, made = append(sections, s), made+len(s.Figures)
		}
		if errors.As(err, &stopped) && made > 0 {
			stopped.Kept = fmt.Sprintf("%d of %s in %s", made, numbers.Count(len(names), "figure"), o.Out)
			break
		}
		if err != nil {
			return err
		}
	}
	count := numbers.Count(made, "figure") + of
	result := fmt.Sprintf("wrote %s into %s: %s", count, o.Out, report.Tally(sections...))
	if *only == "" {
		if o.Quick && o.Trace == "" {
			if err := beside(sections); err != nil {
				return err
			}
		}
		page, err := writePage(o.Out, sections)
		if err != nil {
			return err
		}
		if result = fmt.Sprintf("wrote %s: %s", page, count); !o.Quick {
			result += fmt.Sprintf(", %s\n\n%s", report.Tally(sections...), strings.TrimSpace(report.TallyTable(sections...).Markdown()))
		} else {
			t := numbers.Table{Columns: []string{"run", "claims that hold"}, Rows: [][]string{{"this quick one", report.Tally(sections...)}}}
			if full := report.FullTally(sections...); full != "" {
				t.Add("the full one of "+published, full)
			}
			result += "\n\n" + strings.TrimSpace(t.Markdown())
		}
		if stopped != nil {
			stopped.Kept += ": wrote " + page
		}
	}
	if stopped != nil {
		return stopped
	}
	if joined == nil {
		fmt.Fprintf(stderr, "figures: seconds: %s\n", strings.Join(times, ", "))
	}
	_, err = fmt.Fprintf(stdout, "figures: %s\n", result)
	return err
}

// choose lists the plans of examples with only the figures of the names that -only has, and the
// names of all of these figures.
func choose(examples []Example, o program.Options, only string, terminal io.Writer) (plans []report.Plan, names []string, err error) {
	prefixes := program.List(only)
	for _, example := range examples {
		p, err := example(o, terminal)
		if err != nil {
			return nil, nil, err
		}
		p.Quick = o.Quick
		if p = p.Only(prefixes...); len(p.Items) > 0 {
			plans, names = append(plans, p), append(names, p.Names()...)
		}
	}
	for _, prefix := range prefixes {
		if prefix == "" && only != "" || !slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, prefix) }) {
			return nil, nil, program.Usagef("-only names %q, with which no figure's name begins (see -list)", prefix)
		}
	}
	return plans, names, nil
}

// published is where the repository has the claims of a full run, from its root.
const published = "docs/claims.tsv"

// beside puts the verdicts of the published run, which has no trace, beside those of the sections of
// a quick run, if the program runs where that is.
func beside(sections []report.Section) error {
	text, err := os.ReadFile(filepath.FromSlash(published))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	full, err := report.ReadClaims(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", published, err)
	}
	for i := range sections {
		for _, f := range full {
			if f.Paper == sections[i].Paper {
				sections[i].Full = f.Rows()
			}
		}
	}
	return nil
}

// writePage writes claims.tsv and the pages, and returns the name of the first.
func writePage(dir string, sections []report.Section) (string, error) {
	if err := report.WriteClaims(dir, false, sections...); err != nil {
		return "", err
	}
	pages, err := report.Pages(sections)
	if err != nil {
		return "", err
	}
	for name, text := range pages {
		if err := program.WriteFile(filepath.Join(dir, name), text); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "index.html"), nil
}
