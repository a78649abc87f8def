// Package figures runs every example and makes one page of what they draw and claim.
package figures

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/schedmath/schedmath/examples/internal/circumflex"
	"github.com/schedmath/schedmath/examples/internal/hfsp"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/examples/internal/whatif"
)

// examples are in the order of the page.
var examples = []func(report.Options, io.Writer) (report.Section, error){hfsp.Section, circumflex.Section, whatif.Section}

const help = `figures draws every figure of this project and checks every claim about them: it runs the examples hfsp,
circumflex and whatif.

It writes
  DIR/index.html             one page with each figure beside its claims; it needs no network and no other file
  DIR/<example>-<item>.tsv   the numbers of a figure, at full precision
  DIR/<example>-<item>.svg   the picture
  DIR/claims.tsv             one row per claim: paper, item, claim, published, model, relation, holds, note, kind
Replays are of a synthetic day of 24,442 jobs unless -trace names a trace in the SWIM format; the experiments with tasks and slots, and those
of circumflex, make their own jobs.
`

// Main is the program: it returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	return report.Exit(stderr, "figures", run(args, stdout, stderr))
}

func run(args []string, stdout, stderr io.Writer) error {
	flags, o := report.Flags("figures", "figures", "fewer repetitions in every example")
	if done, err := report.Parse(flags, args, stdout, help); done || err != nil {
		return err
	}
	if err := report.Prepare(o.Out); err != nil {
		return err
	}
	var sections []report.Section
	for _, example := range examples {
		s, err := example(*o, stderr)
		if err != nil {
			return err
		}
		sections = append(sections, s)
	}
	if err := report.StartClaims(o.Out); err != nil {
		return err
	}
	figures := 0
	for _, s := range sections {
		if err := report.Write(o.Out, s); err != nil {
			return err
		}
		figures += len(s.Figures)
	}
	var b bytes.Buffer
	if err := report.Page(&b, sections); err != nil {
		return err
	}
	name := filepath.Join(o.Out, "index.html")
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "figures: open %s (%s, %s)\n", name, report.Count(figures, "figure"), report.Tally(sections...))
	return err
}
