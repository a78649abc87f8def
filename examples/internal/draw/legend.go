package draw

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// Lines have their labels at their ends where they are few and the labels short.
const (
	mostEnds = 4
	endWidth = 74 // points
)

// legends puts the labels of a single chart to the ends of its lines where there is room. Others
// become legends: one at the top if the rows of charts have the same, and else one above each row.
func (p *Picture) legends() {
	if first := p.rows[0].charts; len(p.rows) == 1 && len(first) == 1 && first[0].labelsEnds() {
		first[0].ends, first[0].legend = first[0].legend, nil
	}
	lists, all := make([][]entry, len(p.rows)), []entry(nil)
	for k, r := range p.rows {
		for _, c := range r.charts {
			lists[k] = add(lists[k], c.legend...)
		}
		all = add(all, lists[k]...)
	}
	if !slices.ContainsFunc(lists, func(list []entry) bool { return len(list) > 0 && len(list) < len(all) }) {
		p.rows[0].legend = legendRows(all)
		return
	}
	for k, list := range lists {
		p.rows[k].legend = legendRows(list)
	}
}

// add appends the entries whose labels the list lacks.
func add(list []entry, more ...entry) []entry {
	for _, e := range more {
		if !slices.ContainsFunc(list, func(other entry) bool { return other.label == e.label }) {
			list = append(list, e)
		}
	}
	return list
}

// labelsEnds says whether the whole legend of a chart is few lines with short labels that end
// within the axes.
func (c *Chart) labelsEnds() bool {
	return len(c.legend) > 1 && len(c.legend) <= mostEnds && !slices.ContainsFunc(c.legend, func(e entry) bool {
		return e.end == nil || !c.ok(e.end[0], e.end[1]) || tickStyle.Width(e.label) > endWidth
	})
}

// endRoom is the room that labels of ends need right of the axes.
func (c *Chart) endRoom() vg.Length {
	room := vg.Length(0)
	for _, e := range c.ends {
		room = max(room, tickStyle.Width(e.label)+endGap)
	}
	return room
}

const endGap = 5 // points between an axis and the label of a line

// drawEnds writes the labels right of the axes, each at the height of its line's last point or as
// near as the labels below leave it room.
func (c *Chart) drawEnds(area, data vgdraw.Canvas, p *plot.Plot) {
	_, toY := p.Transforms(&data)
	order := slices.Clone(c.ends)
	slices.SortStableFunc(order, func(a, b entry) int { return cmp.Compare(toY(a.end[1]), toY(b.end[1])) })
	line := tickStyle.FontExtents().Height
	at := make([]vg.Length, len(order))
	for i, e := range order {
		at[i] = max(toY(e.end[1]), data.Min.Y+line/2)
		if i > 0 {
			at[i] = max(at[i], at[i-1]+line)
		}
	}
	for i := len(order) - 1; i >= 0; i-- { // and down again from the upper end
		limit := data.Max.Y - line/2
		if i+1 < len(order) {
			limit = at[i+1] - line
		}
		at[i] = min(at[i], limit)
		area.FillText(textStyle(tickSize, order[i].stroke.Color, vgdraw.XLeft, vgdraw.YCenter), vg.Point{X: data.Max.X + endGap, Y: at[i]}, order[i].label)
	}
}

func legendHeight(lines [][]entry) vg.Length {
	if len(lines) == 0 {
		return 0
	}
	return gap + legendLine()*vg.Length(len(lines))
}

// legendLine is the height of a row of the legend.
func legendLine() vg.Length { return tickStyle.FontExtents().Height * 1.25 }

// legendRows breaks the entries into rows that fit the width.
func legendRows(entries []entry) [][]entry {
	var rows [][]entry
	x := vg.Length(0)
	for _, e := range entries {
		if len(rows) == 0 || x+e.width() > width-2*margin {
			rows = append(rows, nil)
			x = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		x += e.width()
	}
	return rows
}

func (e entry) width() vg.Length { return swatch + 5 + tickStyle.Width(e.label) + 14 }

func drawLegendRow(c vgdraw.Canvas, row []entry, y vg.Length) {
	x := c.Min.X
	for _, e := range row {
		if e.fill != nil {
			r := vg.Rectangle{Min: vg.Point{X: x + 2, Y: y - 4}, Max: vg.Point{X: x + swatch - 2, Y: y + 4}}
			fillHatched(c, r, e.fill)
			c.SetLineStyle(Stroke{Color: Black, Width: 0.8}.style())
			c.Stroke(r.Path())
		}
		if e.stroke != nil {
			c.StrokeLine2(e.stroke.style(), x, y, x+swatch, y)
		}
		if e.glyph != nil {
			c.DrawGlyphNoClip(*e.glyph, vg.Point{X: x + swatch/2, Y: y})
		}
		c.FillText(tickStyle, vg.Point{X: x + swatch + 5, Y: y}, e.label)
		x += e.width()
	}
}
