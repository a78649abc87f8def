package whatif

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/internal/program"
)

// A Watch is a comparison of one seed that is made policy by policy, for who looks on.
type Watch struct {
	All []string // the policies that make sense for the jobs

	s        *setting
	names    []string
	progress io.Writer
}

// Start reads the log of the arguments, which are those of the command.
func Start(args []string, progress io.Writer) (*Watch, error) {
	o := new(Options)
	flags := o.define()
	if _, err := program.ParseFiles(flags, args, io.Discard, ""); err != nil {
		return nil, err
	}
	if err := o.take(flags); err != nil {
		return nil, err
	}
	o.Seeds = 1
	if err := o.check(); err != nil {
		return nil, err
	}
	s, err := o.open()
	if err != nil {
		return nil, err
	}
	names, err := s.parsePolicies()
	return &Watch{s.policies(), s, names, progress}, err
}

// manyDrawn is from how many jobs on pictures are not drawn after each policy.
const manyDrawn = 20_000

// Replay replays the jobs and calls show with what is found so far, after each policy or now and
// then, and at the end once more with the forecasts. text is the table of the terminal then.
func (w *Watch) Replay(show func(d *page.Document, text string)) error {
	s, all := w.s, w.s.withRivals(w.names)
	st, err := s.seeded(0)
	if err != nil {
		return err
	}
	bar := program.NewProgress(w.progress, "jobs", len(all)*s.phases()*s.Len())
	var found *Comparison
	for k, name := range all {
		out, err := st.run(0, name, bar)
		if err != nil {
			return err
		}
		st.runs = append(st.runs, out)
		bar.Add(s.Len())
		played := all[:k+1]
		done := slices.DeleteFunc(slices.Clone(w.names), func(name string) bool { return !slices.Contains(played, name) })
		last := k == len(all)-1
		if k == 0 || len(done) == 0 || !last && k > 1 && s.Len() > manyDrawn {
			continue
		}
		made := replayed{rows: st.rows(played, program.NewProgress(io.Discard, "", 1)), what: st.what, window: func(chosen []string) []page.Picture { return st.window(played, chosen) }}
		if found, err = s.found([]replayed{made}, done); err != nil {
			return err
		}
		if !last {
			d := found.Document()
			d.Summary = append([]string{fmt.Sprintf("So far, with %d of %d policies replayed; the rest may change what follows.", k+1, len(all))}, d.Summary...)
			show(d, "")
		}
	}
	if s.foretells(w.names) {
		show(found.Document(), "")
		if found.Forecasts, err = s.forecasts(program.NewProgress(w.progress, "forecasts", s.Len())); err != nil {
			return err
		}
	}
	var text strings.Builder
	if err := found.writeText(&text); err != nil {
		return err
	}
	show(found.Document(), text.String())
	return nil
}
