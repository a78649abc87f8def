package audit

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/internal/replay"
)

const (
	mostPaired   = 25 // teams that the matrix shows
	mostWindows  = 10
	mostPictured = 60   // teams with a panel
	mostListed   = 500  // teams that a picture has
	mostRows     = 1000 // teams that a page has
)

// Document is the audit for other programs and for the page.
func (r *result) Document() *page.Document {
	notes := []string{
		"At every instant each " + r.By + " is entitled to its fair share of the " + r.Resource + " of that time: what it asks for, waiting or running, cut down where all together ask for more. " +
			"What is owed is entitlement above use; net is that less the use above entitlement. Amounts are " + r.Unit() + "-hours, waits hours.",
		"Judge by net and by the worst window: two who take turns owe each other all the time, and nothing on balance. Entitlements have no memory: who used less before is entitled to no more now. Slurm's fair share has one: where sshare shows a low FairShare, a " + r.By + " that is owed here may have used more than its share before.",
	}
	summary := r.Summary
	if r.By == "queue" && !r.shared {
		summary = append(slices.Clone(summary), "Each queue is entitled to an equal share here. Queues are no tenants: where partitions share machines, or one is open to few, equal shares accuse the wrong one. Say with -shares who is entitled to what, as a tree if need be, or audit -by team.")
	}
	return &page.Document{Program: "audit", Title: "Who was owed what", Command: r.command, Summary: summary, Notes: notes, Rows: r.Teams,
		Pictures: []page.Picture{r.teams(), r.windows(), r.overTime(), r.matrix()}}
}

// zoned is text with the zone behind it where the log has dates.
func (r *result) zoned(text string) string {
	if r.From < replay.FirstDate {
		return text
	}
	return strings.TrimSpace(text + " (" + cmp.Or(r.zone, time.UTC).String() + ")")
}

// teams is the table of all teams.
func (r *result) teams() page.Picture {
	p := page.Picture{Name: "teams", Title: "Each " + r.By, Caption: "What each was owed on balance, and what it missed in its worst window. Drawn are those that are owed most and least. Of what was owed the last columns say how much was by jobs that have not run (they were cancelled, or wait still), and how much stood idle: enough for its smallest job that waited, or too little.", Kind: page.Dots, X: page.Axis{Label: r.Unit() + "-hours"}, Series: page.Columns("net", "worst")}
	p.Table.Columns, p.Table.Text = []string{r.By, "net", "worst", "entitled", "had", "owed", "beyond", "jobs", "mean wait", "p95 wait", "not run", "owed: not run", "owed: idle", "owed: idle, too small"}, 1
	p.Table.In(r.Unit()+"-hours", "net", "worst", "entitled", "had", "owed", "beyond", "owed: not run", "owed: idle", "owed: idle, too small")
	p.Table.In("hours", "mean wait", "p95 wait")
	const ends = 15
	for i := range r.Teams {
		t := &r.Teams[i]
		p.Table.Add(page.Name(t.Name), t.Net, t.Worst, t.Entitled, t.Had, t.Owed, t.Beyond, t.Jobs, orNaN(t.MeanWait), orNaN(t.P95Wait), t.NeverRan, t.OwedNeverRan, t.Idle, t.TooSmall)
		if i < ends || i >= min(len(r.Teams), mostListed)-ends {
			p.Shown = append(p.Shown, i)
		}
	}
	p.Table.Few(mostListed)
	p.Shown = slices.DeleteFunc(p.Shown, func(i int) bool { return i >= mostListed })
	return p
}

// windows are the ten worst.
func (r *result) windows() page.Picture {
	p := page.Picture{Name: "windows", Title: "The worst windows", Caption: "Stretches of time in which a " + r.By + " missed most on balance, and the job that waited for most of it: its size, the hours that it waited, and how that ended.", Kind: page.Listed}
	p.Table.Columns, p.Table.Text = []string{r.By, "from", "to", "job", "which", "missed", "size", "waited"}, 5
	p.Table.In(r.Unit()+"-hours", "missed")
	p.Table.In("hours", "waited")
	p.Table.In(r.Unit(), "size")
	p.Table.In(r.zoned(""), "from", "to")
	for _, t := range r.Worst[:min(mostWindows, len(r.Worst))] {
		if t.Worst > 0 {
			job, how, size, waited := "", "", math.NaN(), math.NaN()
			if w := t.Behind; w != nil {
				job, how, size, waited = page.Name(w.Job), w.How, w.Amount, (w.To-w.From)/hour
			}
			p.Table.Add(page.Name(t.Name), r.Clock(t.WorstFrom), r.Clock(t.WorstTo), job, how, t.Worst, size, waited)
		}
	}
	if len(p.Table.Rows) == 0 {
		p.Caption = "Nobody ever missed anything."
	}
	return p
}

// overTime is what the teams that are owed most were entitled to and had, in equal parts of the
// time.
func (r *result) overTime() page.Picture {
	p := page.Picture{Name: "time", Title: "Entitlement and use over time", Caption: "Each on a scale of its own; of those that are owed most on balance.", Kind: page.Panels,
		X: page.Axis{Label: r.zoned("time"), Date: r.From >= replay.FirstDate}, Y: page.Axis{Label: "entitled to, had"}}
	p.Table.Columns = []string{"time"}
	moment := func(t float64) float64 { return t }
	if p.X.Date {
		moment = func(t float64) float64 { return replay.Local(t, r.zone) }
	}
	list := r.Teams[:min(mostPictured, len(r.Teams))]
	for i := range list {
		name := page.Name(list[i].Name)
		columns := []string{name + " entitled", name + " had"}
		p.Table.Columns, p.Series = append(p.Table.Columns, columns...), append(p.Series, page.Series{Name: name, Columns: columns})
	}
	for k := range parts {
		cells := []any{moment(r.From + float64(k)*(r.To-r.From)/parts)}
		for i := range list {
			cells = append(cells, page.Short(list[i].entitled[k]), page.Short(list[i].had[k]))
		}
		p.Table.Add(cells...)
	}
	return p
}

// matrix is of the teams that are owed most and those that had most of it.
func (r *result) matrix() page.Picture {
	p := page.Picture{Name: "pairs", Title: "Who had it instead", Caption: "What the " + r.By + " of a row is owed, by those of the columns that had more than their entitlement at that time, in proportion to how much more; or it stood idle, with room for the smallest job that waited or too small.", Kind: page.Matrix}
	p.Table.Columns, p.Table.Text = []string{"owed to", "had", r.Unit() + "-hours"}, 2
	n := len(r.pairs)
	taken := make([]float64, n)
	for _, row := range r.pairs {
		for j, x := range row[:min(n, len(row))] {
			taken[j] += x
		}
	}
	rows := slices.DeleteFunc(slices.Clone(r.Worst), func(t *team) bool { return r.pairs[t.node] == nil })
	slices.SortStableFunc(rows, func(a, b *team) int { return cmp.Compare(b.Owed, a.Owed) })
	columns := slices.DeleteFunc(slices.Clone(r.Worst), func(t *team) bool { return taken[t.node] == 0 })
	slices.SortStableFunc(columns, func(a, b *team) int { return cmp.Compare(taken[b.node], taken[a.node]) })
	rows, columns = rows[:min(mostPaired, len(rows))], columns[:min(mostPaired, len(columns))]
	for _, t := range rows {
		others, row := 0., r.pairs[t.node]
		for _, x := range row[:n] {
			others += x
		}
		put := func(name string, x float64) {
			if x > 0 {
				p.Table.Add(page.Name(t.Name), name, x/hour)
			}
		}
		for _, j := range columns {
			put(page.Name(j.Name), row[j.node])
			others -= row[j.node]
		}
		if others > 1e-9*row[n] && len(columns) == mostPaired {
			put("others", others)
		}
		put("idle", row[n])
		put("idle, too small", row[n+1])
	}
	return p
}
