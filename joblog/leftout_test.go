package joblog_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/joblog"
)

// swfLine is a job in SWF with a submit time.
func swfLine(number int, submit string) string {
	return fmt.Sprintf("%d %s 5 60 4 -1 -1 4 120 -1 1 5 2 -1 1 -1 -1 -1\n", number, submit)
}

// A log is not refused for a few lines that cannot be read, nor for any number of values that its
// format calls unknown: they are counted by reason, with the first line of each.
func TestLeftOut(t *testing.T) {
	pod := func(name, time string) string {
		return fmt.Sprintf(`{"kind":"Pod","metadata":{"name":%q,"namespace":"n","creationTimestamp":%q}}`, name, time)
	}
	const sacct = "JobID|Submit|Start|End|AllocCPUS|Timelimit\n"
	for name, c := range map[string]struct {
		text string
		jobs int
		want []joblog.Reason
	}{
		"unknown submit times": {strings.Repeat(swfLine(1, "-1"), 50) + swfLine(2, "7") + strings.Repeat(swfLine(1, "-1"), 50), 1,
			[]joblog.Reason{{Text: "submit time is unknown", Lines: 100, First: 1, Unknown: true}}},
		"bad submit times": {"; x\n" + swfLine(1, "0") + swfLine(2, "soon") + swfLine(3, "late") + "4 0 5\n" + swfLine(5, "9"), 2,
			[]joblog.Reason{{Text: "submit time is not a decimal number", Lines: 2, First: 3}, {Text: "line ends after field 3 of 18", Lines: 1, First: 5}}},
		"sacct": {sacct + "1|0|1|2|4|10 min\n2|0|1|2|4|00:10:00\n3|0|1\n4|0|9|2|4|00:10:00\n5|0|1|2|4|x|y\n", 1,
			[]joblog.Reason{{Text: "timelimit is no duration such as 1-02:30:00", Lines: 1, First: 2}, {Text: "line has another number of fields than the header", Lines: 2, First: 4},
				{Text: "end is before the start", Lines: 1, First: 5}}},
		"a table": {"user,submit,tasks,run\na,0,1,1\na,today,1,1\na,0,1\na,0,\"1\"x,1\na,0,1,2\n", 2,
			[]joblog.Reason{{Text: "submit is no time: want seconds, or RFC 3339 such as 2026-03-01T08:30:00Z, or with -zone 2026-03-01 08:30:00, and all of a table alike", Lines: 1, First: 3},
				{Text: "wrong number of fields", Lines: 1, First: 4}, {Text: `extraneous or missing " in quoted-field`, Lines: 1, First: 5}}},
		"Kubernetes": {`{"items":[` + pod("a", "2026-03-01T08:00:00Z") + ",\n" + pod("b", "never") + ",\n" + pod("", "2026-03-01T08:00:00Z") + ",\n" + pod("c", "ever") + "," + `{"kind":7}` + "]}", 1,
			[]joblog.Reason{{Text: "metadata.creationTimestamp is no time, such as 2026-03-01T08:30:00Z", Lines: 2, First: 2}, {Text: "metadata has no namespace or no name", Lines: 1, First: 3}, {Text: "Kind is no string", Lines: 1, First: 4}}},
	} {
		log, err := joblog.ReadJobs(strings.NewReader(c.text), joblog.ReadOptions{})
		if err != nil || len(log.Jobs) != c.jobs || !cmp.Equal(log.LeftOut, c.want) {
			t.Errorf("%s: %d jobs, error %v, left out %+v, want %d and %+v", name, len(log.Jobs), err, log.LeftOut, c.jobs, c.want)
		}
		if _, err := joblog.ReadJobs(strings.NewReader(c.text), joblog.ReadOptions{Strict: true}); (err == nil) != (name == "unknown submit times") {
			t.Errorf("%s, Strict: error %v", name, err)
		}
	}
	// What no span needs is not read.
	for _, text := range []string{
		sacct + "1|0|1|2|4|long\n",
		"; x\n1 0 5 60 4 -1 -1 4 long much 1 5 2 -1 1 -1 x y\n",
		"user,submit,tasks,run,start,memory,deadline,weight,rigid,requested\na,0,1,1,5,x,x,x,x,x\n",
	} {
		n := 0
		if log, err := joblog.EachSpan(strings.NewReader(text), func(joblog.Span) bool { n++; return true }, joblog.ReadOptions{Strict: true}); err != nil || n != 1 || log.LeftOut != nil {
			t.Errorf("EachSpan of %q: %d spans, %+v, error %v", text, n, log.LeftOut, err)
		}
	}
}

// More than Bad of the lines, and more than ten, that cannot be read for one reason are an error; a
// file of which no line can be read is one, too.
func TestTooManyLeftOut(t *testing.T) {
	log := func(good, bad int) string {
		return swfLine(1, "0") + strings.Repeat(swfLine(2, "soon"), bad) + strings.Repeat(swfLine(3, "9"), good-1)
	}
	for _, c := range []struct {
		good, bad int
		part      float64
		ok        bool
	}{{1, 10, 0, true}, {1, 11, 0, false}, {1000, 11, 0, false}, {1089, 11, 0, true}, {1088, 11, 0, false}, {11, 11, .5, true}, {10, 11, .5, false}, {1, 99, 1, true}} {
		read, err := joblog.ReadJobs(strings.NewReader(log(c.good, c.bad)), joblog.ReadOptions{Bad: c.part})
		var pe *joblog.ParseError
		switch {
		case c.ok && (err != nil || len(read.Jobs) != c.good || read.LeftOut[0].Lines != c.bad):
			t.Errorf("%d good lines and %d bad ones, Bad %v: %+v, error %v", c.good, c.bad, c.part, read.LeftOut, err)
		case !c.ok && (!errors.As(err, &pe) || !errors.Is(err, schedmath.ErrInput) || pe.Line != 2 || read.Jobs != nil ||
			!strings.Contains(err.Error(), fmt.Sprintf("%d of %d lines cannot be read", c.bad, c.good+c.bad)) || !strings.Contains(err.Error(), "submit time is not a decimal number") || !strings.Contains(err.Error(), "-bad")):
			t.Errorf("%d good lines and %d bad ones, Bad %v: error %v", c.good, c.bad, c.part, err)
		}
	}
	// 11 bad lines for two reasons are not more than ten for one.
	mixed := log(20, 6) + strings.Repeat("4 0 5\n", 5)
	if _, err := joblog.ReadJobs(strings.NewReader(mixed), joblog.ReadOptions{}); err != nil {
		t.Error(err)
	}
	const none = "user,submit,tasks,run\na,today,1,1\n"
	if _, err := joblog.ReadJobs(strings.NewReader(none), joblog.ReadOptions{}); err == nil || !strings.Contains(err.Error(), "line 2, column 3: submit") {
		t.Errorf("a file of which no line can be read: %v", err)
	}
	// Of many reasons a hundred are told apart.
	var texts strings.Builder
	texts.WriteString("JobID|Submit|Start|End|AllocTRES\n9|0|1|2|cpu=1\n")
	for i := range 200 {
		fmt.Fprintf(&texts, "%d|0|1|2|cpu=1e-%d\n", i, 100+i)
	}
	read, err := joblog.ReadJobs(strings.NewReader(texts.String()), joblog.ReadOptions{Bad: 1})
	if n := len(read.LeftOut); err != nil || n != 101 || read.LeftOut[n-1] != (joblog.Reason{Text: "other reasons", Lines: 100, First: 103}) {
		t.Errorf("%d reasons, the last %+v, error %v", n, read.LeftOut[n-1:], err)
	}
}
