package draw

import (
	"bytes"
	"errors"
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// An svgCanvas is a canvas of vgsvg whose text stays in place whatever font the reader has. vgsvg
// writes each text from its left end as wide as the reader's font makes it; here each text is
// anchored where its style aligns it and has the width that the picture was laid out with.
type svgCanvas struct {
	*vgsvg.Canvas
	align text.XAlignment // of the text that is being drawn
	texts []string        // attributes of each text so far
}

func newSVGCanvas(w, h vg.Length) *svgCanvas { return &svgCanvas{Canvas: vgsvg.New(w, h)} }

// FillString draws one line of text whose left end is at pt.
func (c *svgCanvas) FillString(f font.Face, pt vg.Point, s string) {
	w := f.Width(s)
	anchor := "start"
	switch c.align {
	case text.XCenter:
		anchor = "middle"
	case text.XRight:
		anchor = "end"
	}
	pt.X -= vg.Length(c.align) * w
	c.texts = append(c.texts, fmt.Sprintf(`text-anchor="%s" textLength="%.5g" lengthAdjust="spacingAndGlyphs"`, anchor, w.Points()))
	c.Canvas.FillString(f, pt, s)
}

// document returns the SVG document with attributes for its first element. The fonts to fall back
// on where Liberation Sans is not installed come first with its metrics.
func (c *svgCanvas) document(attributes string) ([]byte, error) {
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	svg := bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans;font-variant:normal;"),
		[]byte("font-family:Liberation Sans,Arimo,Arial,Helvetica,sans-serif;"))
	parts := bytes.Split(svg, []byte("<text "))
	if len(parts) != len(c.texts)+1 {
		return nil, errors.New("draw: vgsvg wrote another number of texts than were drawn")
	}
	head, rest, ok := bytes.Cut(parts[0], []byte("<svg "))
	if !ok {
		return nil, errors.New("draw: vgsvg wrote no <svg> element")
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s<svg %s %s", head, attributes, rest)
	for i, part := range parts[1:] {
		fmt.Fprintf(&out, "<text %s %s", c.texts[i], part)
	}
	return out.Bytes(), nil
}

// aligned is gonum's handler of plain text, which also tells an svgCanvas how the text is aligned.
type aligned struct{ text.Handler }

var textHandler = aligned{plot.DefaultTextHandler}

func (h aligned) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	if s := under(c); s != nil {
		s.align = sty.XAlign
	}
	h.Handler.Draw(c, txt, sty, pt)
}

// under returns the svgCanvas that a part of a page draws on, nil if there is none. Each part of a
// page wraps the one that it is cut from.
func under(c vg.Canvas) *svgCanvas {
	for {
		switch part := c.(type) {
		case *svgCanvas:
			return part
		case *vgdraw.Canvas:
			c = part.Canvas
		case vgdraw.Canvas:
			c = part.Canvas
		default:
			return nil
		}
	}
}
