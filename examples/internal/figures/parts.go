package figures

import (
	"crypto/sha256"
	"encoding/gob"
	"fmt"
	"io"
	"os"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/parts"
	"github.com/schedmath/schedmath/internal/program"
)

// made is what a part has made.
type made struct {
	Intros []string // of all plans
	Pieces []piece
}

// A piece is a figure as its plan's Item makes it.
type piece struct {
	Name      string
	Figure    report.Figure
	Workloads numbers.Table // with the last figure of a plan that has a table of them
}

// A drawing is a picture that a part has drawn.
type drawing struct{ Vector, Pixels []byte }

// SVG is the picture as SVG.
func (d drawing) SVG() ([]byte, error) { return d.Vector, nil }

// PNG is the picture as PNG, empty unless the part was asked for it.
func (d drawing) PNG() ([]byte, error) { return d.Pixels, nil }

func init() { gob.Register(drawing{}) }

// writePart makes the figures of a part, neighbours of the list, since they share runs, and writes
// them into a file.
func writePart(plans []report.Plan, o program.Options, png bool, part parts.Share, args []string, stderr io.Writer) error {
	ctx, stop := program.OnInterrupt()
	defer stop()
	var m made
	digest := sha256.New()
	if o.Trace == "-" {
		return program.Usagef("-part reads the trace more than once: want -trace FILE")
	}
	if o.Trace != "" {
		trace, err := os.ReadFile(o.Trace)
		if err != nil {
			return err
		}
		digest.Write(trace)
	}
	all := 0
	for _, p := range plans {
		intro, err := program.Await(ctx, p.Intro)
		if err != nil {
			return err
		}
		m.Intros = append(m.Intros, intro)
		all += len(p.Items)
		fmt.Fprintf(digest, "%v %v %v %q %q\n", o.Quick, o.Seed, png, p.Names(), intro)
	}
	from, to := part.Cut(all)
	k := 0
	for _, p := range plans {
		for i := range p.Items {
			if k++; k <= from || k > to {
				continue
			}
			made, err := program.Await(ctx, func() (piece, error) { return makePiece(&p, i, png) })
			if err != nil {
				return err
			}
			m.Pieces = append(m.Pieces, made)
			fmt.Fprintf(stderr, "figures: %s (%d of %d)\n", made.Name, k-from, to-from)
		}
	}
	run := parts.Run{Program: "figures", Args: args, Digest: fmt.Sprintf("%x", digest.Sum(nil))}
	return run.Write(o.Out, part, to-from, all, "figure", m, stderr)
}

// makePiece makes figure i of a plan.
func makePiece(p *report.Plan, i int, png bool) (m piece, err error) {
	m.Name = p.Names()[i]
	if m.Figure, err = p.Items[i].Make(); err != nil {
		return m, err
	}
	var d drawing
	if d.Vector, err = m.Figure.Picture.SVG(); err == nil && png {
		d.Pixels, err = m.Figure.Picture.PNG()
	}
	m.Figure.Picture = d
	if err == nil && p.Workloads != nil && i == len(p.Items)-1 {
		m.Workloads, err = p.Workloads()
	}
	return m, err
}

// take makes plans give what parts have made, without the figures of those that are missing.
func take(j *parts.Joined[made], plans []report.Plan) ([]report.Plan, error) {
	pieces := map[string]piece{}
	for _, m := range j.Made {
		for _, p := range m.Pieces {
			pieces[p.Name] = p
		}
	}
	if len(j.Made[0].Intros) != len(plans) {
		return nil, program.Usagef("the parts are of other papers: they are of another version of figures")
	}
	var list []report.Plan
	for k, p := range plans {
		intro, names, items, workloads := j.Made[0].Intros[k], p.Names(), p.Items, p.Workloads != nil
		p.Items, p.Workloads = nil, nil
		for i, item := range items {
			made, ok := pieces[names[i]]
			if !ok && len(j.Missing) == 0 {
				return nil, program.Usagef("the parts lack %s: they are of another version of figures", names[i])
			}
			if !ok {
				continue
			}
			item.Make = func() (report.Figure, error) { return made.Figure, nil }
			p.Items = append(p.Items, item)
			if workloads && i == len(items)-1 {
				p.Workloads = func() (numbers.Table, error) { return made.Workloads, nil }
			}
		}
		if len(p.Items) < len(items) {
			intro += fmt.Sprintf(" Of the run %s: these are %d of %s of %s.", j.Lacks(), len(p.Items), numbers.Count(len(items), "figure"), p.Paper)
		}
		p.Intro = func() (string, error) { return intro, nil }
		if len(p.Items) > 0 {
			list = append(list, p)
		}
	}
	return list, nil
}
