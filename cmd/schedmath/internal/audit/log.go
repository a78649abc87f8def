package audit

import (
	"cmp"
	"fmt"
	"math"

	"github.com/schedmath/schedmath/audit"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/internal/replay"
	"github.com/schedmath/schedmath/joblog"
)

// log is what has been read, for package audit.
type log struct {
	joblog.Log
	spans []audit.Span
	jobs  []int    // that each of them stands for
	names []string // of their jobs
	named int      // teams that -shares names, the first
	teams []team   // by node
	index map[string]int
	open  int // jobs without an end
}

// team is the node of a name.
func (l *log) team(name string) int {
	i, known := l.index[name]
	if !known {
		i = len(l.teams)
		l.index[name] = i
		l.teams = append(l.teams, team{Name: name, node: i, parent: -1})
	}
	return i
}

// read reads the jobs, and chooses what is audited where -by does not.
func (s *settings) read(l *log) error {
	in, err := program.Reading(s.file, s.progress, "schedmath audit")
	if err != nil {
		return err
	}
	defer in.Close()
	l.Log, err = joblog.EachSpan(in, func(span joblog.Span) bool {
		switch {
		case s.by != "":
		case span.Team != "":
			s.by = "team"
		case span.User != "":
			s.by = "user"
		default:
			s.by = "queue"
		}
		name := cmp.Or(map[string]string{"team": span.Team, "user": span.User, "queue": span.Queue}[s.by], "(none)")
		u := l.team(name)
		l.teams[u].known = true
		if s.Resource == "memory" {
			span.Amount /= gigabyte
		}
		if span.Amount > 0 {
			l.spans = append(l.spans, audit.Span{User: u, From: span.From, Start: span.Start, End: span.End - span.Suspended, Amount: span.Amount})
			l.jobs = append(l.jobs, max(1, span.Array))
			l.names = append(l.names, span.Name)
		}
		return true
	}, s.ReadOptions)
	if err != nil {
		return fmt.Errorf("%s: %w", s.file, err)
	}
	inner := make([]bool, l.named)
	for i := range l.named {
		if p := l.teams[i].parent; p >= 0 {
			inner[p] = true
		}
	}
	for i, t := range l.teams[:l.named] {
		if !inner[i] && !t.known {
			return program.Usagef("%s: no job of %s is of the %s %q", s.shares, s.file, cmp.Or(s.by, "team"), t.Name)
		}
	}
	return nil
}

// choose leaves the jobs between two times, and the teams that have some or that -shares names.
func (s *settings) choose(l *log, from, to float64) error {
	kept := l.spans[:0]
	for i, span := range l.spans {
		if span.End <= from || span.From >= to {
			continue
		}
		t, jobs := &l.teams[span.User], l.jobs[i]
		t.Jobs += jobs
		if span.Start > span.End || math.IsInf(span.Start, 1) {
			t.NeverRan += jobs
		} else {
			t.waits = append(t.waits, (span.Start-span.From)/hour)
		}
		if math.IsInf(span.End, 1) {
			l.open += jobs
		}
		span.From, span.Start = max(from, span.From), max(from, span.Start)
		l.names[len(kept)] = l.names[i]
		kept = append(kept, span)
	}
	if l.spans = kept; l.NoWait > 0 && l.NoWait == l.Counts.Jobs {
		return program.Usagef("%s: when jobs waited is unknown: %s", s.file, l.accounted(0, s.Resource))
	}
	if len(kept) == 0 {
		return program.Usagef("%s: no job asks for any %s in the time audited: %s", s.file, s.Resource, l.accounted(0, s.Resource))
	}
	teams, place := l.teams[:l.named], make([]int, len(l.teams))
	for i, t := range l.teams {
		place[i] = i
		if i >= l.named && t.Jobs > 0 {
			place[i], t.node = len(teams), len(teams)
			teams = append(teams, t)
		}
	}
	l.teams = teams
	for i := range kept {
		kept[i].User = place[kept[i].User]
	}
	return nil
}

// accounted says how many jobs of the file are audited, and what became of the others.
func (l *log) accounted(audited int, resource string) string {
	unknown := ""
	if l.NoWait > 0 {
		unknown = "; " + numbers.Count(l.NoWait, "job") + " left out, whose wait is unknown"
	}
	return replay.Accounted(audited, l.Counts, resource, l.LeftOut) + unknown
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
