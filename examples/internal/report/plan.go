package report

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// A Plan is the figures of one paper before they are made.
type Plan struct {
	Paper, Title string
	Intro        func() (string, error)        // what is run; it reads what the figures need, such as a trace, so that a bad file ends a run at its start
	Workloads    func() (numbers.Table, error) // of each workload: its load by kind, the bottleneck, FIFO, seeds and spread; made after the figures from their runs. nil: none
	Items        []Item
	Readings     []Reading                            // none: there is one, which Intro tells
	Quick        bool                                 // a quick run
	Took         func(figure string, d time.Duration) // hears how long each figure took; of those that share a run the first has its time. nil: nobody
	Smaller      bool                                 // a quick run is of a smaller system, whose repetitions tell nothing of a full run's
}

// An Item is one figure to be made. Its files are <paper>-<item>.tsv and .svg.
type Item struct {
	Name  string
	Make  func() (Figure, error)
	Kind  Kind   // of those of the figure's claims that are Measured by their own account
	Exact bool   // its claims rest on no repetitions: a quick run decides them
	Basis string // what the numbers of all claims rest on, in a few words at the end of each note

	Reading string // the name of the Reading that the figure's claims are of; "": of none, or of the only one
}

// From makes a figure, or a table, of what an experiment gives. Those that share an experiment have
// one run, made by sync.OnceValues.
func From[T, F any](run func() (T, error), figure func(T) (F, error)) func() (F, error) {
	return func() (f F, err error) {
		x, err := run()
		if err != nil {
			return f, err
		}
		return figure(x)
	}
}

// Names are the names of the figures' files without their endings.
func (p Plan) Names() []string {
	var names []string
	for _, i := range p.Items {
		names = append(names, p.Paper+"-"+i.Name)
	}
	return names
}

// Only is the plan without the figures whose names begin with none of the prefixes.
func (p Plan) Only(prefixes ...string) Plan {
	items := p.Items
	p.Items = nil
	for _, i := range items {
		if slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(p.Paper+"-"+i.Name, prefix) }) {
			p.Items = append(p.Items, i)
		}
	}
	if len(p.Items) < len(items) { // they would need the runs of all
		p.Workloads = nil
	}
	return p
}

// Write makes the figures in order, names each and its claims, and puts the files of each into dir as
// soon as it is done, its picture as PNG too if png is set. A line on stderr, of the program called
// name, tells of each figure. On an interrupt it returns the figures that are done and a
// *program.Interrupted.
func (p Plan) Write(dir string, png bool, name string, stderr io.Writer) (Section, error) {
	ctx, stop := program.OnInterrupt()
	defer stop()
	s := Section{Paper: p.Paper, Title: p.Title, Readings: p.Readings, Quick: p.Quick}
	var err error
	if s.Intro, err = program.Await(ctx, p.Intro); err != nil {
		return s, err
	}
	for _, i := range p.Items {
		begin := time.Now()
		f, err := program.Await(ctx, i.Make)
		if p.Took != nil && err == nil {
			p.Took(p.Paper+"-"+i.Name, time.Since(begin))
		}
		if stopped := new(program.Interrupted); errors.As(err, &stopped) && len(s.Figures) > 0 {
			stopped.Kept = fmt.Sprintf("%d of %s of %s", len(s.Figures), numbers.Count(len(p.Items), "figure"), p.Paper)
			s.Intro += " The run was interrupted: these are " + stopped.Kept + "."
		}
		if err != nil {
			return s, err
		}
		f.Item = i.Name
		if i.Reading != "" && len(p.Readings) > 1 {
			f.Title += " (reading " + i.Reading + ")"
		}
		p.complete(&i, f.Claims)
		if err := p.checkReadings(f.Claims); err != nil {
			return s, err
		}
		if err := writeFigure(dir, p.Paper, &f, png); err != nil {
			return s, err
		}
		s.Figures = append(s.Figures, f)
		verdict := ""
		if n := tallyOf(s.rows(f)); n.Rows > 0 {
			verdict = ": " + n.String()
		}
		fmt.Fprintf(stderr, "%s: %s-%s (%d of %d)%s\n", name, p.Paper, f.Item, len(s.Figures), len(p.Items), verdict)
	}
	if p.Workloads != nil {
		s.Workloads, err = program.Await(ctx, p.Workloads)
	}
	return s, err
}

func writeFigure(dir, paper string, f *Figure, png bool) error {
	name := filepath.Join(dir, paper+"-"+f.Item)
	if err := program.WriteFile(name+".tsv", f.Numbers.TSV()); err != nil {
		return err
	}
	picture, err := f.Picture.SVG()
	if err == nil {
		err = program.WriteFile(name+".svg", picture)
	}
	if err == nil && png {
		if picture, err = f.Picture.PNG(); err == nil {
			err = program.WriteFile(name+".png", picture)
		}
	}
	return err
}
