package report

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// A Program is an example that makes the figures of one plan.
type Program struct {
	Name  string
	Help  string // what it draws, how long that takes, and what else -help prints before the flags
	Quick string // what -quick does
	Trace bool   // whether there is a -trace
	Plan  func(o program.Options, terminal io.Writer) (Plan, error)
}

// written is what -help prints of the files of all programs.
const written = `
It writes, for each figure,
  DIR/%[1]s-ITEM.tsv   the numbers, at full precision
  DIR/%[1]s-ITEM.svg   the picture
and puts its rows into DIR/claims.tsv: one per statement, with the relation that was computed and whether it holds.
`

// Main runs the program: it parses args, writes the files of its figures into the directory of -out
// and one line about them on stdout. It returns the exit code.
func (p Program) Main(args []string, stdout, stderr io.Writer) int {
	return program.Exit(stderr, p.Name, p.run(args, stdout, stderr))
}

func (p Program) run(args []string, stdout, stderr io.Writer) error {
	f, o := program.Flags(p.Name, "figures", p.Quick, p.Trace)
	if done, err := program.Parse(f, args, stdout, p.Help+fmt.Sprintf(written, p.Name)); done || err != nil {
		return err
	}
	if err := program.Prepare(o.Out); err != nil {
		return err
	}
	plan, err := p.Plan(*o, stderr)
	if err != nil {
		return err
	}
	plan.Quick = o.Quick
	s, err := plan.Write(o.Out, false, p.Name, stderr)
	if stopped := new(program.Interrupted); err != nil && !(errors.As(err, &stopped) && len(s.Figures) > 0) {
		return err
	} else if err != nil {
		stopped.Kept += " in " + o.Out
	}
	if err := cmp.Or(WriteClaims(o.Out, true, s), err); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%s: wrote %s into %s: %s\n", p.Name, numbers.Count(len(s.Figures), "figure"), o.Out, Tally(s))
	return err
}
