package whatif

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"picture": func(p *draw.Picture) (template.HTML, error) {
		svg, err := p.SVG()
		return template.HTML(svg[max(0, bytes.Index(svg, []byte("<svg "))):]), err
	},
}).Parse(pageText))

// writePage writes the comparison as one HTML page that needs no other file, no script and no
// network.
func writePage(file string, o Options, s report.Section, rows []Row, title string) error {
	var b bytes.Buffer
	err := page.Execute(&b, struct {
		report.Section
		Options
		Replayed string
		Findings []string
		Rival    string
		Tail     int // jobs beyond the 99th percentile
		Several  bool
		Redraws  bool
	}{s, o, title, findings(rows), rows[0].Rivals[1], rows[0].Jobs / 100, several(rows), o.redraws()})
	if err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

// findings says in words what the rows say.
func findings(rows []Row) []string {
	list := []string{extremes("mean sojourn time in seconds", rows, func(r *Row) float64 { return r.Mean }),
		extremes("99th percentile of the sojourn times in seconds", rows, func(r *Row) float64 { return r.P99 }),
		extremes("mean slowdown", rows, func(r *Row) float64 { return r.MeanSlowdown })}
	tell := func(format, rival string, which func(r *Row) bool) {
		those := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Policy == rival || !which(&r) })
		if len(those) > 0 {
			list = append(list, fmt.Sprintf(format, report.Words(those, ", ", func(r Row) string { return r.Policy }), rival))
		}
	}
	tell("Under %s no job ends later than under %s.", rows[0].Rivals[1], func(r *Row) bool { return r.LaterThan == 0 })
	tell("Under %s more than half of the jobs end later than under %s.", rows[0].Rivals[1], func(r *Row) bool { return 2*r.LaterThan > float64(r.Jobs) })
	for k, rival := range rows[0].Rivals {
		if several(rows) {
			tell("Over the seeds the mean sojourn time under %s is below that under %s: the 95%% interval of the difference lies below 0.", rival, func(r *Row) bool { return r.Diff[k].High() < 0 })
			tell("Over the seeds the mean sojourn time under %s is above that under %s: the 95%% interval of the difference lies above 0.", rival, func(r *Row) bool { return r.Diff[k].Low() > 0 })
			tell("The seeds do not tell the mean sojourn time under %s from that under %s: the 95%% interval of the difference holds 0.", rival,
				func(r *Row) bool { return r.Diff[k].Low() <= 0 && r.Diff[k].High() >= 0 })
		}
	}
	return list
}

// extremes says under which policy something is least, and under which greatest.
func extremes(what string, rows []Row, of func(r *Row) float64) string {
	values := report.Column(rows, of)
	low, high := floats.MinIdx(values), floats.MaxIdx(values)
	return fmt.Sprintf("The %s is least under %s, %s, and greatest under %s, %s.", what, rows[low].Policy, report.Short(values[low]), rows[high].Policy, report.Short(values[high]))
}

// several says whether the rows are of several seeds.
func several(rows []Row) bool { return rows[0].Half-rows[0].Half == 0 }
