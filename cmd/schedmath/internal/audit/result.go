package audit

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/audit"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/internal/replay"
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

	Behind       *waiter `json:"behind"`       // the job that waited for most in the worst window; nil: none did
	OwedNeverRan float64 `json:"owedNeverRan"` // of Owed, by jobs that have not run: they were cancelled, or wait still
	Idle         float64 `json:"idle"`         // of Owed, what stood idle and its smallest job that waited would have fitted into
	TooSmall     float64 `json:"idleTooSmall"` // and what was too little for it

	Jobs     int      `json:"jobs"`
	NeverRan int      `json:"neverRan"`
	MeanWait *float64 `json:"meanWaitHours"` // of those that ran; nil if none did
	P95Wait  *float64 `json:"p95WaitHours"`

	node     int
	known    bool // it has a job in the file
	parent   int  // -1: the root
	claim    aging.Claim
	waits    []float64
	entitled []float64 // for the page, mean amounts in equal parts of the time
	had      []float64
}

// waiter is a job that waits. Times are seconds of the log, To when its wait ends or the audit.
type waiter struct {
	Job    string  `json:"job"`
	Amount float64 `json:"amount"`
	From   float64 `json:"from"`
	To     float64 `json:"to"`
	How    string  `json:"how"` // it ran, never ran or waits still
}

// parts of the time that a picture shows.
const parts = 120

// pair is what one team is owed and another one had, in hours of the resource.
type pair struct {
	Owed   string  `json:"owed"`
	Had    string  `json:"had"` // "" for what stood idle
	Amount float64 `json:"amount"`
}

// reason is why lines of the log have no job.
type reason struct {
	Text  string `json:"text"`
	Lines int    `json:"lines"`
	First int    `json:"first"`
}

// result is what the audit of a log says.
type result struct {
	By       string   `json:"by"`
	Resource string   `json:"resource"`
	Capacity float64  `json:"capacity"`
	From     float64  `json:"from"`
	To       float64  `json:"to"`
	Idle     float64  `json:"idle"`
	TooSmall float64  `json:"idleTooSmall"` // of Idle, what no job that waited would have fitted into
	Over     float64  `json:"over"`
	Audited  int      `json:"audited"` // of Jobs, those in the time audited
	Jobs     int      `json:"jobs"`    // of the file; of these
	NeverRan int      `json:"neverRan"`
	Running  int      `json:"running"`
	Waiting  int      `json:"waiting"`
	None     int      `json:"none"`   // ask for none of the resource
	NoWait   int      `json:"noWait"` // are left out: their wait is unknown
	LeftOut  []reason `json:"leftOut,omitempty"`
	Teams    []team   `json:"teams"` // the most owed on balance first
	Pairs    []pair   `json:"pairs"` // for JSON alone: thousands of users have millions
	Summary  []string `json:"summary"`
	Worst    []*team  `json:"-"` // by their worst windows

	zone    *time.Location
	command string
	shared  bool         // -shares says who is entitled to what
	pairs   [][]float64  // by node
	whole   []audit.Debt // by node, if all of each wait counted; nil: all of it did
}

// audit reads the log and audits it.
func (s *settings) audit() (*result, error) {
	for _, f := range [...]struct{ name, value string }{{"from", s.from}, {"to", s.to}} { // their zone may come with the log
		if _, err := program.Time(f.name, f.value, time.UTC, 0); err != nil {
			return nil, err
		}
	}
	l := &log{index: map[string]int{}}
	if err := s.readShares(l); err != nil {
		return nil, err
	}
	l.named = len(l.teams)
	if err := s.read(l); err != nil {
		return nil, err
	}
	zone := cmp.Or(l.Zone, time.UTC)
	from, err := program.Time("from", s.from, zone, math.Inf(-1))
	if err != nil {
		return nil, err
	}
	to, err := program.Time("to", s.to, zone, math.Inf(1))
	if err != nil {
		return nil, err
	}
	if to <= from {
		return nil, program.Usagef("-to is not after -from")
	}
	if err := s.choose(l, from, to); err != nil {
		return nil, err
	}
	r := &result{By: s.by, Resource: s.Resource, zone: zone}
	first, last := bounds(l.spans)
	r.From, r.To, r.NoWait = first, min(to, last), l.NoWait
	r.Jobs, r.NeverRan, r.Running, r.Waiting, r.None = l.Counts.Jobs, l.Counts.NeverRan, l.Counts.Running, l.Counts.Waiting, l.Counts.None
	for i := range l.teams {
		r.Audited += l.teams[i].Jobs
	}
	for _, x := range l.LeftOut {
		r.LeftOut = append(r.LeftOut, reason{x.Text, x.Lines, x.First})
	}
	r.Capacity = cmp.Or(s.capacity, float64(l.MaxProcs), replay.AtOnce(l.spans))
	if s.to != "" {
		r.To = to
	}
	switch {
	case !(r.From < r.To):
		return nil, program.Usagef("%s: nothing starts or ends after %s: say with -to when the log was taken", s.file, r.Clock(r.From))
	case r.To-r.From > 0x1p199:
		return nil, program.Usagef("%s: from %v to %v is too long a time", s.file, r.From, r.To)
	case r.Capacity == 0:
		return nil, program.Usagef("%s: nothing ran: say with -capacity how much %s there is", s.file, s.Resource)
	}
	o := audit.Options{Until: r.To - first, Window: s.window.Seconds()}
	for i := range l.teams {
		t := &l.teams[i]
		if t.parent >= 0 && l.teams[t.parent].Jobs > 0 {
			return nil, program.Usagef("%s: %s is no leaf: it has jobs in %s, and %s is below it", s.shares, t.Parent, s.file, t.Name)
		}
		o.Parents, o.Claims = append(o.Parents, t.parent), append(o.Claims, t.claim)
	}
	// Times from the first on: 0 as Until would stand for none.
	for i := range l.spans {
		x := &l.spans[i]
		x.From, x.Start, x.End = x.From-first, x.Start-first, x.End-first
	}
	if s.drawn {
		o.Each = l.pictures((r.To - r.From) / parts)
	}
	o.Patience = s.patience.Seconds()
	debts, found, err := audit.Shortfall(nil, []audit.Capacity{{Amount: r.Capacity}}, l.spans, o)
	if bad := new(schedmath.InputError); errors.As(err, &bad) && bad.Arg == "o" && bad.Index >= 0 {
		return nil, program.Usagef("%s: %s: %s", s.shares, l.teams[bad.Index].Name, bad.Reason)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.file, err)
	}
	r.take(l, debts, found)
	r.Summary = r.summary(s, l)
	return r, nil
}

// pictures is what the pictures of the teams take note of, in parts of the time of a length.
func (l *log) pictures(length float64) func(from, to float64, entitled, had []float64) {
	for i := range l.teams {
		both := make([]float64, 2*parts)
		l.teams[i].entitled, l.teams[i].had = both[:parts], both[parts:]
	}
	return func(from, to float64, entitled, had []float64) {
		for k := int(from / length); k < parts && float64(k)*length < to; k++ {
			part := (min(to, float64(k+1)*length) - max(from, float64(k)*length)) / length
			for i := range l.teams {
				l.teams[i].entitled[k] += part * entitled[i]
				l.teams[i].had[k] += part * had[i]
			}
		}
	}
}

// take takes the answer, in hours.
func (r *result) take(l *log, debts []audit.Debt, found audit.Report) {
	r.Idle, r.Over, r.pairs, r.whole = found.Idle/hour, found.Over/hour, found.Pairs, found.Whole
	for _, row := range r.pairs {
		if row != nil {
			r.TooSmall += row[len(debts)+1] / hour
		}
	}
	rounding := 1e-12 * r.Capacity * (r.To - r.From) / hour // of the entitlements' sum
	for _, x := range [...]*float64{&r.Over, &r.TooSmall} {
		if *x < rounding {
			*x = 0
		}
	}
	for i, d := range debts {
		t := &l.teams[i]
		t.Behind, t.OwedNeverRan = r.behind(l, d.WorstSpan), d.NeverRan/hour
		if row := r.pairs[i]; row != nil {
			t.Idle, t.TooSmall = row[len(debts)]/hour, row[len(debts)+1]/hour
		}
		t.Entitled, t.Had, t.Owed, t.Beyond, t.Net, t.Worst = d.Entitled/hour, d.Had/hour, d.Owed/hour, d.Beyond/hour, d.Net/hour, d.Worst/hour
		t.WorstFrom, t.WorstTo = d.WorstFrom+r.From, d.WorstTo+r.From
		if slices.Sort(t.waits); len(t.waits) > 0 {
			mean, p95 := numbers.Mean(t.waits), numbers.Quantile(t.waits, .95)
			t.MeanWait, t.P95Wait = &mean, &p95
		}
	}
	r.Teams = l.teams
	slices.SortStableFunc(r.Teams, func(a, b team) int { return cmp.Or(cmp.Compare(b.Net, a.Net), cmp.Compare(a.Name, b.Name)) })
	for i := range r.Teams {
		r.Worst = append(r.Worst, &r.Teams[i])
	}
	slices.SortStableFunc(r.Worst, func(a, b *team) int { return cmp.Compare(b.Worst, a.Worst) })
}

// allPairs are the pairs of teams of which one is owed what the other had.
func (r *result) allPairs() (list []pair) {
	names := make([]string, len(r.Teams)) // by node
	for i := range r.Teams {
		names[r.Teams[i].node] = r.Teams[i].Name
	}
	for i, row := range r.pairs {
		put := func(had string, x float64) {
			if x > 0 {
				list = append(list, pair{Owed: names[i], Had: had, Amount: x / hour})
			}
		}
		if row == nil {
			continue
		}
		for j, had := range names {
			put(had, row[j])
		}
		put("", row[len(names)]+row[len(names)+1])
	}
	return list
}

// summary says what was audited, and the verdict, in sentences.
func (r *result) summary(s *settings, l *log) []string {
	whence := ""
	switch {
	case s.capacity > 0:
	case l.MaxProcs > 0:
		whence = ", as its header says"
	default:
		whence = ", the most that ran at once"
	}
	lines := []string{
		fmt.Sprintf("%s: %s of %s from %s to %s, on %s%s", filepath.Base(s.file), numbers.Count(r.Audited, "job"), numbers.Count(len(r.Teams), r.By),
			r.Clock(r.From), r.zoned(r.Clock(r.To)), r.of(r.Capacity), whence),
		l.accounted(r.Audited, r.Resource),
		fmt.Sprintf("idle while somebody was entitled to it: %s, of which %s was too little for any job of theirs that waited; used above all entitlements together: %s", r.Amount(r.Idle), r.Amount(r.TooSmall), r.Amount(r.Over)),
	}
	if r.Resource == "node" {
		lines = append(lines, "jobs may share nodes, and a node counts once for each job on it: all jobs together may hold more nodes than there are")
	}
	if l.open > 0 && s.to == "" {
		lines = append(lines, numbers.Count(l.open, "job")+" wait or run still: say with -to when the log was taken")
	}
	if r.whole != nil {
		lines = append(lines, r.unlimited(s.patience), fmt.Sprintf("if each wait counts for its first %s hours (-patience), as in all that follows:", numbers.Short(s.patience.Hours())))
	}
	leaves := slices.DeleteFunc(slices.Clone(r.Worst), func(t *team) bool { return r.pairs[t.node] == nil })
	if len(leaves) == 0 {
		return append(lines, "nobody was owed anything")
	}
	t := slices.MaxFunc(leaves, func(a, b *team) int { return cmp.Compare(a.Net, b.Net) })
	if t.Net > 0 {
		lines = append(lines, fmt.Sprintf("%s is owed most: it had %s of the %s it was entitled to%s", t.Name, numbers.Short(t.Had), r.Amount(t.Entitled), shares(t.Owed, t.OwedNeverRan, 0, 0)))
	}
	w := leaves[0]
	return append(lines, fmt.Sprintf("the worst window: %s missed %s from %s to %s%s", w.Name, r.Amount(w.Worst), r.Clock(w.WorstFrom), r.Clock(w.WorstTo), r.job(w.Behind)))
}

// unlimited is the verdict if all of each wait counted.
func (r *result) unlimited(patience time.Duration) string {
	leaves := slices.DeleteFunc(slices.Clone(r.Worst), func(t *team) bool { return t.Jobs == 0 })
	node := func(t *team) audit.Debt { return r.whole[t.node] }
	net := slices.MaxFunc(leaves, func(a, b *team) int { return cmp.Compare(node(a).Net, node(b).Net) })
	worst := slices.MaxFunc(leaves, func(a, b *team) int { return cmp.Compare(node(a).Worst, node(b).Worst) })
	verdict := "nobody is owed anything on balance"
	if d := node(net); d.Net > 0 {
		verdict = fmt.Sprintf("%s is owed most, %s net%s", net.Name, r.Amount(d.Net/hour), shares(d.Owed, d.NeverRan, d.Late, patience))
	}
	return fmt.Sprintf("if all of each wait counts: %s; the worst window: %s missed %s", verdict, worst.Name, r.Amount(node(worst).Worst/hour))
}

// shares says what parts of a debt are by jobs that have not run, and by waits beyond a patience.
func shares(owed, never, late float64, patience time.Duration) string {
	var list []string
	if part := math.Round(100 * never / owed); part > 0 {
		list = append(list, fmt.Sprintf("%.0f%% by jobs that have not run", part))
	}
	if part := math.Round(100 * late / owed); part > 0 {
		list = append(list, fmt.Sprintf("%.0f%% by waits beyond their first %s hours", part, numbers.Short(patience.Hours())))
	}
	if list == nil {
		return ""
	}
	return "; of what it was owed, " + strings.Join(list, " and ")
}

// behind is the job of a span; nil: there is none.
func (r *result) behind(l *log, i int) *waiter {
	if i < 0 {
		return nil
	}
	x := l.spans[i]
	until := min(x.Start, x.End, r.To-r.From)
	w := &waiter{Job: l.names[i], Amount: x.Amount, From: x.From + r.From, To: until + r.From, How: "never ran"}
	switch {
	case x.Start < x.End && x.Start <= until:
		w.How = "ran"
	case x.End > until:
		w.How = "waits still"
	}
	return w
}

// job says of a job that waited its size, its wait and how that ended.
func (r *result) job(w *waiter) string {
	if w == nil {
		return ""
	}
	return fmt.Sprintf("; most of it by %s, which waited for %s for %s hours, from %s to %s, and %s",
		strings.TrimSpace("job "+w.Job), r.of(w.Amount), numbers.Short((w.To-w.From)/hour), r.Clock(w.From), r.Clock(w.To), w.How)
}

// Amount is an amount with its unit.
func (r *result) Amount(x float64) string { return numbers.Short(x) + " " + r.Unit() + "-hours" }

// Unit is what amounts are in.
func (r *result) Unit() string {
	if r.Resource == "memory" {
		return "GB"
	}
	return r.Resource
}

// gigabyte is in bytes.
const gigabyte = 1e9

// of is an amount of the resource.
func (r *result) of(x float64) string {
	if r.Resource == "memory" {
		return numbers.Short(x) + " GB of memory"
	}
	return numbers.Short(x) + " of " + r.Resource
}

// Clock is a time of the log: a date where it has dates.
func (r *result) Clock(t float64) string {
	if r.From < replay.FirstDate {
		return strconv.FormatFloat(math.Round(1000*t)/1000, 'f', -1, 64) + " s"
	}
	return time.Unix(int64(t), 0).In(r.zone).Format("2006-01-02 15:04")
}
