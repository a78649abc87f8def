package audit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/audit"
	"github.com/schedmath/schedmath/examples/internal/program"
	"github.com/schedmath/schedmath/examples/internal/replay"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

const hour = 3600 // s

// team is a row: amounts are in hours of the resource, times in seconds of the log.
type team struct {
	Name     string  `json:"name"`
	Parent   string  `json:"parent,omitempty"`
	Entitled float64 `json:"entitled"`
	Had      float64 `json:"had"`
	Owed     float64 `json:"owed"`
	Beyond   float64 `json:"beyond"`
	Net      float64 `json:"net"`

	Worst     float64 `json:"worst"`
	WorstFrom float64 `json:"worstFrom"`
	WorstTo   float64 `json:"worstTo"`

	Jobs     int     `json:"jobs"`
	NeverRan int     `json:"neverRan"`
	MeanWait float64 `json:"meanWaitHours"` // of those that ran; 0 if none did
	P95Wait  float64 `json:"p95WaitHours"`

	node     int
	waits    []float64
	entitled [parts]float64 // mean amounts in equal parts of the time
	had      [parts]float64
}

// parts of the time that a picture shows.
const parts = 120

// pair is what one team is owed and another one had, in hours of the resource.
type pair struct {
	Owed   string  `json:"owed"`
	Had    string  `json:"had"` // "" for what stood idle
	Amount float64 `json:"amount"`
}

// result is what the audit of a log says.
type result struct {
	By       string   `json:"by"`
	Resource string   `json:"resource"`
	Capacity float64  `json:"capacity"`
	From     float64  `json:"from"`
	To       float64  `json:"to"`
	Idle     float64  `json:"idle"`
	Over     float64  `json:"over"`
	Teams    []team   `json:"teams"` // the most owed on balance first
	Pairs    []pair   `json:"pairs"`
	Summary  []string `json:"summary"`
	Worst    []*team  `json:"-"` // by their worst windows

	zone  *time.Location
	pairs [][]float64 // by node
}

// spans are those of a log in the order of the file, for package audit.
type spans struct {
	list  []audit.Span
	teams []team // by node
	index map[string]int
	open  int // spans without an end
}

// team is the node of a name.
func (l *spans) team(name string) int {
	i, known := l.index[name]
	if !known {
		i = len(l.teams)
		l.index[name] = i
		l.teams = append(l.teams, team{Name: name, node: i})
	}
	return i
}

// read reads the log from a time on. by names what is audited, and is chosen if it is empty.
func (s *settings) read(l *spans, from, to float64) (by string, err error) {
	in, err := program.Open(s.file)
	if err != nil {
		return "", err
	}
	defer in.Close()
	by = s.by
	for span, err := range workload.ReadSpans(in, s.ReadOptions) {
		if err != nil {
			return "", fmt.Errorf("%s: %w", s.file, err)
		}
		if by == "" {
			by = "queue"
			if span.User != "" {
				by = "user"
			}
			if span.Team != "" {
				by = "team"
			}
		}
		if span.Amount == 0 || span.End <= from || span.From >= to {
			continue
		}
		name := cmp.Or(map[string]string{"team": span.Team, "user": span.User, "queue": span.Queue}[by], "(none)")
		u := l.team(name)
		t := &l.teams[u]
		t.Jobs++
		if span.Start > span.End || math.IsInf(span.Start, 1) {
			t.NeverRan++
		} else {
			t.waits = append(t.waits, (span.Start-span.From)/hour)
		}
		if math.IsInf(span.End, 1) {
			l.open++
		}
		l.list = append(l.list, audit.Span{User: u, From: max(from, span.From), Start: max(from, span.Start), End: span.End, Amount: span.Amount})
	}
	if len(l.list) == 0 {
		return "", program.Usagef("%s: no job asks for any %s in the time audited", s.file, s.Resource)
	}
	return by, nil
}

// bounds are the first time at which anything changes and the last at which something started or
// ended: what waits still may begin to wait later than the log was taken.
func bounds(list []audit.Span) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, s := range list {
		from = min(from, s.From)
		for _, t := range [...]float64{s.Start, s.End} {
			if !math.IsInf(t, 1) {
				to = max(to, t)
			}
		}
	}
	return from, to
}

// audit reads the log and audits it.
func (s *settings) audit() (*result, error) {
	from, err := program.Time("from", s.from, s.Zone, math.Inf(-1))
	if err != nil {
		return nil, err
	}
	to, err := program.Time("to", s.to, s.Zone, math.Inf(1))
	if err != nil {
		return nil, err
	}
	if to <= from {
		return nil, program.Usagef("-to is not after -from")
	}
	l := &spans{index: map[string]int{}}
	o, err := s.readShares(l)
	if err != nil {
		return nil, err
	}
	r := &result{Resource: s.Resource, zone: s.Zone}
	if r.By, err = s.read(l, from, to); err != nil {
		return nil, err
	}
	first, last := bounds(l.list)
	r.From, r.To, r.Capacity = first, min(to, last), cmp.Or(s.capacity, replay.AtOnce(l.list))
	if s.to != "" {
		r.To = to
	}
	switch {
	case !(r.From < r.To):
		return nil, program.Usagef("%s: nothing starts or ends after %s: say with -to when the log was taken", s.file, r.Clock(r.From))
	case r.Capacity == 0:
		return nil, program.Usagef("%s: nothing ran: say with -capacity how much %s there is", s.file, s.Resource)
	}
	o.complete(len(l.teams))
	// Times from the first on: 0 as Until would stand for none.
	for i := range l.list {
		x := &l.list[i]
		x.From, x.Start, x.End = x.From-first, x.Start-first, x.End-first
	}
	length := (r.To - r.From) / parts
	debts, found, err := audit.Shortfall(nil, []audit.Capacity{{Amount: r.Capacity}}, l.list, audit.Options{
		Parents: o.parents, Claims: o.claims, Until: r.To - first, Window: s.window.Seconds(),
		Each: func(from, to float64, entitled, had []float64) {
			for k := int(from / length); k < parts && float64(k)*length < to; k++ {
				part := (min(to, float64(k+1)*length) - max(from, float64(k)*length)) / length
				for i := range l.teams {
					l.teams[i].entitled[k] += part * entitled[i]
					l.teams[i].had[k] += part * had[i]
				}
			}
		},
	})
	if bad := new(schedmath.InputError); errors.As(err, &bad) && bad.Arg == "spans" {
		return nil, program.Usagef("%s: %s of the log is no leaf of %s", s.file, l.teams[l.list[bad.Index].User].Name, s.shares)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", cmp.Or(s.shares, s.file), err)
	}
	r.take(l, o, debts, found, first)
	r.Summary = r.summary(s, found, l.open)
	return r, nil
}

// take takes the answer, in hours.
func (r *result) take(l *spans, o *shares, debts []audit.Debt, found audit.Report, first float64) {
	r.Idle, r.Over, r.pairs = found.Idle/hour, found.Over/hour, found.Pairs
	if r.Over < 1e-12*r.Capacity*(r.To-r.From)/hour { // rounding of the entitlements' sum
		r.Over = 0
	}
	for i, d := range debts {
		t := &l.teams[i]
		t.Entitled, t.Had, t.Owed, t.Beyond, t.Net, t.Worst = d.Entitled/hour, d.Had/hour, d.Owed/hour, d.Beyond/hour, d.Net/hour, d.Worst/hour
		t.WorstFrom, t.WorstTo = d.WorstFrom+first, d.WorstTo+first
		if p := o.parents[i]; p >= 0 {
			t.Parent = l.teams[p].Name
		}
		slices.Sort(t.waits)
		if len(t.waits) > 0 {
			t.MeanWait, t.P95Wait = report.Mean(t.waits), report.Quantile(t.waits, .95)
		}
		for j, x := range found.Pairs[i] {
			if x > 0 {
				p := pair{Owed: t.Name, Amount: x / hour}
				if j < len(debts) {
					p.Had = l.teams[j].Name
				}
				r.Pairs = append(r.Pairs, p)
			}
		}
	}
	r.Teams = l.teams
	slices.SortStableFunc(r.Teams, func(a, b team) int { return cmp.Or(cmp.Compare(b.Net, a.Net), cmp.Compare(a.Name, b.Name)) })
	for i := range r.Teams {
		r.Worst = append(r.Worst, &r.Teams[i])
	}
	slices.SortStableFunc(r.Worst, func(a, b *team) int { return cmp.Compare(b.Worst, a.Worst) })
}

// summary says what was audited, and the verdict, in sentences.
func (r *result) summary(s *settings, found audit.Report, open int) []string {
	jobs, base := 0, filepath.Base(s.file)
	for i := range r.Teams {
		jobs += r.Teams[i].Jobs
	}
	what := fmt.Sprintf("%s: %s of %s from %s to %s, on %s of %s", base, report.Count(jobs, "job"), report.Count(len(r.Teams), r.By),
		r.Clock(r.From), r.Clock(r.To), report.Short(r.Capacity), r.Resource)
	if s.capacity == 0 {
		what += ", the most that ran at once"
	}
	lines := []string{what, fmt.Sprintf("idle while somebody was entitled to it: %s; used above all entitlements together: %s", r.Amount(r.Idle), r.Amount(r.Over))}
	if open > 0 && s.to == "" {
		lines = append(lines, report.Count(open, "job")+" of them wait or run still: say with -to when the log was taken")
	}
	leaves := slices.DeleteFunc(slices.Clone(r.Worst), func(t *team) bool { return found.Pairs[t.node] == nil })
	if len(leaves) == 0 {
		return append(lines, "nobody was owed anything")
	}
	t := slices.MaxFunc(leaves, func(a, b *team) int { return cmp.Compare(a.Net, b.Net) })
	if t.Net > 0 {
		lines = append(lines, fmt.Sprintf("%s is owed most: it had %s of the %s it was entitled to", t.Name, report.Short(t.Had), r.Amount(t.Entitled)))
	}
	w := leaves[0]
	return append(lines, fmt.Sprintf("the worst window: %s missed %s from %s to %s", w.Name, r.Amount(w.Worst), r.Clock(w.WorstFrom), r.Clock(w.WorstTo)))
}

// Amount is an amount with its unit.
func (r *result) Amount(x float64) string { return report.Short(x) + " " + r.Resource + "-hours" }

// Clock is a time of the log: a date where it has dates, which begin with the year 1973 here.
func (r *result) Clock(t float64) string {
	if r.From < 1e8 {
		return strconv.FormatFloat(math.Round(1000*t)/1000, 'f', -1, 64) + " s"
	}
	return time.Unix(int64(t), 0).In(r.zone).Format("2006-01-02 15:04")
}
