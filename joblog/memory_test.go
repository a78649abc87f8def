package joblog_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/joblog"
)

// allocated is how many bytes f allocates in all, garbage included: memory in use is never more.
func allocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

const (
	tinySWF     = "1 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"
	tinyTable   = "user,submit,tasks,run\n"
	tinyRow     = "a,0,0,0\n"
	tinySacct   = "JobID|Submit|Start|End|AllocCPUS\n"
	tinyRecord  = "1|0|0|1|1\n"
	workloadEnd = `}],"kind":"List"}`
	workloadTop = `{"items":[{"kind":"Workload","metadata":{"namespace":"a","name":"b","creationTimestamp":"2026-03-01T00:00:00Z"},`
)

// TestMemory: a reader allocates no more bytes than a job has, twice, and what a line is cut into, by
// texts that have as many jobs, or members of an item, as any of their length.
func TestMemory(t *testing.T) {
	const size = 1 << 20
	for _, c := range []struct {
		name, head, unit, end string
		most                  float64 // bytes for one of text
	}{
		{"a table", tinyTable, tinyRow, "", 130},
		{"sacct", tinySacct, tinyRecord, "", 100},
		{"SWF", "", tinySWF, "", 45},
		{"podSets", workloadTop + `"spec":{"podSets":[{}`, ",{}", "]}" + workloadEnd, 90},
		{"containers", workloadTop + `"spec":{"podSets":[{"template":{"spec":{"containers":[{}`, ",{}", "]}}}]}" + workloadEnd, 90},
		{"conditions", workloadTop + `"status":{"conditions":[{}`, ",{}", "]}" + workloadEnd, 60},
		{"zones that SWF names", "; Version: 2.2\n", "; TimeZoneString: Asia/Nowhere\n", tinySWF, 20},
		{"lines of JSON", `{"items":[`, "\n", "]}", 20},
	} {
		text := c.head + strings.Repeat(c.unit, size/len(c.unit)) + c.end
		var err error
		if got := allocated(func() { _, err = joblog.ReadJobs(strings.NewReader(text), joblog.ReadOptions{}) }) / float64(len(text)); err != nil || got > c.most {
			t.Errorf("reading 1 MiB of %s allocates %.1f times its size, error %v; want at most %v", c.name, got, err, c.most)
		}
	}
}

// endless is a text that repeats a line for ever.
type endless struct{ unit, rest string }

func (e *endless) Read(p []byte) (n int, err error) {
	if e.rest == "" {
		e.rest = e.unit
	}
	n = copy(p, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

// TestLimits: a text that goes on and on is refused at MaxJobs or MaxBytes, whatever its format, and
// has taken memory for so many jobs.
func TestLimits(t *testing.T) {
	const jobs = 20_000
	for _, c := range []struct{ head, unit string }{
		{tinyTable, tinyRow}, {tinySacct, tinyRecord}, {tinySacct, "1|0|0|0|0\n"}, {"", tinySWF},
	} {
		read := func(o joblog.ReadOptions) (err error) {
			_, err = joblog.ReadJobs(io.MultiReader(strings.NewReader(c.head), &endless{unit: c.unit}), o)
			return err
		}
		for _, l := range []struct {
			o    joblog.ReadOptions
			want string
		}{
			{joblog.ReadOptions{MaxJobs: jobs}, "more than MaxJobs = 20000"},
			{joblog.ReadOptions{MaxBytes: int64(jobs * len(c.unit))}, "longer than MaxBytes = "},
		} {
			var err error
			var pe *joblog.ParseError
			got := allocated(func() { err = read(l.o) })
			if !errors.As(err, &pe) || !strings.Contains(pe.Reason, l.want) || pe.Line < jobs-5 || pe.Line > jobs+5 {
				t.Errorf("lines %q without end, %+v: error %v, want %q near line %d", c.unit, l.o, err, l.want, jobs)
			}
			if got > 2000*jobs {
				t.Errorf("lines %q without end, %+v: %v bytes allocated for %d jobs", c.unit, l.o, got, jobs)
			}
		}
		text := c.head + strings.Repeat(c.unit, 9)
		for _, o := range []joblog.ReadOptions{{MaxJobs: 9}, {MaxBytes: int64(len(text))}} {
			if _, err := joblog.ReadJobs(strings.NewReader(text), o); err != nil {
				t.Errorf("9 lines %q, %+v: %v", c.unit, o, err)
			}
		}
	}
}

// TestPackedLimit: a packed text is measured unpacked.
func TestPackedLimit(t *testing.T) {
	text := tinyTable + strings.Repeat(tinyRow, 9)
	file := zipped(text)
	for _, c := range []struct {
		most int
		ok   bool
	}{{len(text), true}, {len(text) - 1, false}} {
		if _, err := joblog.ReadJobs(strings.NewReader(file), joblog.ReadOptions{MaxBytes: int64(c.most)}); (err == nil) != c.ok {
			t.Errorf("a packed text of %d bytes, MaxBytes %d: %v", len(text), c.most, err)
		}
	}
	// Spans that are told of one by one are not kept: MaxJobs does not count them.
	n := 0
	if _, err := joblog.EachSpan(strings.NewReader(strings.Repeat(tinySWF, 50)), func(joblog.Span) bool { n++; return true }, joblog.ReadOptions{MaxJobs: 9}); err != nil || n != 50 {
		t.Errorf("EachSpan of 50 jobs with MaxJobs 9: %d, %v", n, err)
	}
}

// TestLongLines: a line that is nothing but separators takes memory for its bytes, not for its fields, and
// as the first of a file it is refused.
func TestLongLines(t *testing.T) {
	const size = 8 << 20
	for _, head := range []string{"", "JobID|", "user,", "user;", tinyTable, tinySacct, tinySWF, "j\t0\t0\t1\t1\t1\n"} {
		for _, separator := range []string{"|", "\t", ",", ";", " ", " 1"} {
			text := head + strings.Repeat(separator, size/len(separator)) + "\n" + tinyRecord
			var err error
			got := allocated(func() { _, err = joblog.ReadJobs(strings.NewReader(text), joblog.ReadOptions{}) })
			if pe := new(joblog.ParseError); !strings.HasSuffix(head, "\n") && (!errors.As(err, &pe) || pe.Line != 1) || got > 20*size {
				t.Errorf("a line of 8 MiB of %q behind %q: %v, %.0f MB allocated", separator, head, err, got/1e6)
			}
		}
	}
}
