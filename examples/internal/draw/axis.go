package draw

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// A Tick is a mark on an axis; one without a label is half as long.
type Tick struct {
	At    float64
	Label string
}

// An Axis says what an axis shows and from where to where.
type Axis struct {
	Label    string
	Min, Max float64 // Log needs 0 < Min; what lies outside is not drawn
	Log      bool
	Ticks    []Tick   // nil: chosen by the range
	NoLine   bool     // no line and no tick marks, only the labels
	names    []string // of categories
	bare     bool     // ticks without labels, of an inner panel
}

// TicksAt are ticks that say where they are.
func TicksAt(xs ...float64) []Tick {
	var ticks []Tick
	for _, x := range xs {
		ticks = append(ticks, Tick{At: x, Label: strconv.FormatFloat(x, 'g', -1, 64)})
	}
	return ticks
}

// LogRange returns limits for a logarithmic axis around the positive values among xs, with a little
// air; 1 and 10 when there are none.
func LogRange(xs ...float64) (lo, hi float64) {
	lo, hi = math.Inf(1), 0
	for _, x := range xs {
		if x > 0 && !math.IsInf(x, 1) {
			lo, hi = math.Min(lo, x), math.Max(hi, x)
		}
	}
	if hi == 0 {
		return 1, 10
	}
	air := math.Max(1.15, math.Exp(0.03*(math.Log(hi)-math.Log(lo))))
	return math.Max(lo/air, math.SmallestNonzeroFloat64), math.Min(hi*air, math.MaxFloat64)
}

// shows says whether a value lies on the axis.
func (a Axis) shows(x float64) bool { return a.Min <= x && x <= a.Max }

func (a Axis) valid() bool {
	return a.Min < a.Max && !math.IsInf(a.Min, 0) && !math.IsInf(a.Max, 0) && (!a.Log || a.Min > 0)
}

// apply sets p, an axis of a plot, up as a says.
func (a Axis) apply(p *plot.Axis) {
	p.Min, p.Max = a.Min, a.Max
	p.Tick.Label.Font, p.Tick.Label.Handler = tickStyle.Font, textHandler
	p.Tick.Length = 5
	p.Padding = 0
	p.LineStyle.Width, p.Tick.LineStyle.Width = 0.8, 0.8
	if a.NoLine {
		p.LineStyle.Width, p.Tick.LineStyle.Width, p.Tick.Length = 0, 0, 0
	}
	if a.Log {
		p.Scale = plot.LogScale{}
	}
	var marks plot.ConstantTicks
	for _, t := range a.marks() {
		if !a.bare {
			marks = append(marks, plot.Tick{Value: t.At, Label: t.Label})
		} else if t.Label != "" {
			marks = append(marks, plot.Tick{Value: t.At})
		}
	}
	p.Tick.Marker = marks
}

// marks are the ticks of the axis.
func (a Axis) marks() []Tick {
	switch {
	case a.Ticks != nil:
		return a.Ticks
	case a.Log:
		return LogTicks(a.Min, a.Max)
	}
	return plainTicks(a.Min, a.Max, 6)
}

// fitting are ticks of a linear axis X of a length, whose labels do not meet.
func (a Axis) fitting(length vg.Length) []Tick {
	for most := 6.; ; most-- {
		ticks, widest := plainTicks(a.Min, a.Max, most), vg.Length(0)
		for _, t := range ticks {
			widest = max(widest, tickStyle.Width(t.Label))
		}
		if most == 1 || len(ticks) < 2 || float64(widest+3)*(a.Max-a.Min) <= float64(length)*(ticks[1].At-ticks[0].At) {
			return ticks
		}
	}
}

// plainTicks are at multiples of 1, 2, 2.5 or 5 times a power of ten, with at most so many steps.
func plainTicks(lo, hi, most float64) []Tick {
	power := math.Pow(10, math.Floor(math.Log10(hi-lo)))
	var step float64
	for _, part := range []float64{10, 5, 2.5, 2, 1, .5, .2} {
		if (hi-lo)/(part*power) <= most {
			step = part * power
		}
	}
	return Ticks(step*math.Ceil(lo/step-1e-6), hi, step)
}

// LogTicks marks the powers of ten, and their multiples too where the range holds few decades; it
// labels 1, 2 and 5 times the powers below two decades, every power up to eight, and fewer beyond.
func LogTicks(lo, hi float64) []Tick {
	decades := math.Log10(hi) - math.Log10(lo)
	every := max(1, int(math.Ceil(decades/8)))
	var ticks []Tick
	for e := int(math.Floor(math.Log10(lo))); e <= int(math.Ceil(math.Log10(hi))); e++ {
		for m := 1; m <= 9; m++ {
			if m > 1 && every > 1 {
				break
			}
			x, err := strconv.ParseFloat(strconv.Itoa(m)+"e"+strconv.Itoa(e), 64)
			if err != nil || x < lo || x > hi || x == 0 {
				continue
			}
			t := Tick{At: x}
			if m == 1 && e%every == 0 || (m == 2 || m == 5) && decades < 2.2 {
				t.Label = tickLabel(x, e)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

func tickLabel(x float64, e int) string {
	if e < -3 || e > 5 {
		return strconv.FormatFloat(x, 'e', 0, 64)
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// gridLines draws a pale line at every labelled tick of one axis.
type gridLines struct {
	axis       Axis
	horizontal bool
}

func (g gridLines) Plot(c vgdraw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	style := vgdraw.LineStyle{Color: grid, Width: 0.6}
	for _, t := range g.axis.marks() {
		switch {
		case t.Label == "" || !g.axis.shows(t.At):
		case g.horizontal:
			c.StrokeLine2(style, c.Min.X, toY(t.At), c.Max.X, toY(t.At))
		default:
			c.StrokeLine2(style, toX(t.At), c.Min.Y, toX(t.At), c.Max.Y)
		}
	}
}
