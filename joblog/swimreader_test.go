package joblog_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/joblog"
)

// zipped is text compressed by gzip.
func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

var (
	jobA = joblog.SWIMJob{ID: "job0", Submit: 9, Gap: 9, MapInput: 1762, Shuffle: 0, Output: 14347}
	jobB = joblog.SWIMJob{ID: "job1", Submit: 18, Gap: 9, MapInput: 970, Shuffle: 609, Output: 697}
)

const lineA, lineB = "job0\t9\t9\t1762\t0\t14347", "job1\t18\t9\t970\t609\t697"

// swimFile is the trace of the jobs.
func swimFile(jobs []joblog.SWIMJob) []byte {
	var b []byte
	for _, j := range jobs {
		b = append(b, j.ID...)
		for _, x := range []float64{j.Submit, j.Gap, j.MapInput, j.Shuffle, j.Output} {
			b = strconv.AppendFloat(append(b, '\t'), x, 'g', -1, 64)
		}
		b = append(b, '\n')
	}
	return b
}

func TestReadSWIM(t *testing.T) {
	long := strings.Repeat("/a,b", 50_000)
	numbers := func(submit, gap, in, shuffle, out float64) []joblog.SWIMJob {
		return []joblog.SWIMJob{{ID: "j", Submit: submit, Gap: gap, MapInput: in, Shuffle: shuffle, Output: out}}
	}
	both := []joblog.SWIMJob{jobA, jobB}
	for _, c := range []struct {
		name, text string
		want       []joblog.SWIMJob
	}{
		{"empty", "", nil},
		{"empty gzip", zipped(""), nil},
		{"only an empty line", "\n", nil},
		{"plain", lineA + "\n" + lineB + "\n", both},
		{"no line end at the end", lineA + "\n" + lineB, both},
		{"CRLF", lineA + "\r\n" + lineB + "\r\n", both},
		{"CR before the end of the file", lineA + "\r\n" + lineB + "\r", both},
		{"empty last line", lineA + "\n" + lineB + "\n\n", both},
		{"empty last lines, CRLF", lineA + "\r\n" + lineB + "\r\n\r\n\r\n", both},
		{"gzip", zipped(lineA + "\n" + lineB + "\n"), both},
		{"gzip in two members", zipped(lineA+"\njob1\t18") + zipped("\t9\t970\t609\t697\n"), both},
		{"7 fields", lineA + "\t/in", []joblog.SWIMJob{jobA}},
		{"8 fields", lineA + "\t/in\t/out", []joblog.SWIMJob{jobA}},
		{"9 fields, two empty", lineA + "\t/in\t\t\r\n", []joblog.SWIMJob{jobA}},
		{"9 fields", lineA + "\t/in\t\tx y", []joblog.SWIMJob{jobA}},
		{"path longer than any buffer", lineA + "\t" + long + "\n" + lineB + "\n", []joblog.SWIMJob{jobA, jobB}},
		{"equal times", lineA + "\n" + lineA[:3] + "9" + lineA[4:], []joblog.SWIMJob{jobA, renamed(jobA, "job9")}},
		{"fractions and exponents", "j\t.5\t1.\t1e3\t2.5E+2\t125e-3", numbers(0.5, 1, 1000, 250, 0.125)},
		{"leading zeros", "j\t007\t00\t000000000000000000000000012\t0.0\t0e0", numbers(7, 0, 12, 0, 0)},
		{"minus zero", "j\t-0\t-0.0\t1\t1\t-0e9", numbers(0, 0, 1, 1, 0)},
		{"extremes", "j\t0\t0\t1.7976931348623157e308\t5e-324\t1e-999", numbers(0, 0, 1.7976931348623157e308, 5e-324, 0)},
		{"beyond 2^53", "j\t0\t0\t9007199254740993\t999999999999999\t18446744073709551616", numbers(0, 0, 9007199254740992, 999999999999999, 1<<64)},
		{"id that is no ASCII", "задача 1\t0\t0\t0\t0\t0", []joblog.SWIMJob{{ID: "задача 1"}}},
	} {
		for _, r := range []struct {
			name string
			r    io.Reader
		}{
			{"", strings.NewReader(c.text)},
			{" byte by byte", iotest.OneByteReader(strings.NewReader(c.text))},
			{" with data and EOF together", iotest.DataErrReader(strings.NewReader(c.text))},
		} {
			got, err := joblog.ReadSWIM(r.r)
			if err != nil {
				t.Errorf("ReadSWIM(%s%s) = error %v, want none", c.name, r.name, err)
			} else if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("ReadSWIM(%s%s): -want +got\n%s", c.name, r.name, d)
			}
		}
	}
}

func renamed(j joblog.SWIMJob, id string) joblog.SWIMJob {
	j.ID = id
	return j
}

// Each text has one defect behind a good first line; want is the whole message.
func TestBrokenLines(t *testing.T) {
	huge := strings.Repeat("9", 400)
	for _, c := range []struct{ name, line, want string }{
		{"no tabs", "job1 18 9 970 609 697", `line 2, column 22: line ends after field 1 of 6: tabs expected`},
		{"too few fields", "job1\t18\t9\t970\t609", `line 2, column 18: line ends after field 5 of 6`},
		{"too many fields", lineB + "\t\t\t\t", `line 2, column 26: line has more than 9 fields`},
		{"empty line before a job", "\n" + lineB, `line 2, column 1: line is empty`},
		{"blank line", "  ", `line 2, column 1: line is blank`},
		{"blank fields", "\t \t\t\t\t", `line 2, column 1: line is blank`},
		{"comment", "# hour 2", `line 2, column 1: line is a comment, which the format does not have`},
		{"comment behind a blank", " ; hour 2", `line 2, column 1: line is a comment, which the format does not have`},
		{"comment behind slashes", "// hour 2", `line 2, column 1: line is a comment, which the format does not have`},
		{"header in a comment", "# id\tsubmit\tgap\tin\tshuffle\tout", `line 2, column 1: line is a comment, which the format does not have`},
		{"18 numbers", swfJob, `line 2, column 56: line ends after field 1 of 6: tabs expected`},
		{"header", "id\tsubmit\tgap\tin\tshuffle\tout", `line 2, column 4: submit time "submit" is not a decimal number`},
		{"empty id", "\t18\t9\t970\t609\t697", `line 2, column 1: job id "" is empty`},
		{"byte order mark", "\ufeff" + lineB, `line 2, column 1: job id "\ufeffjob1" starts with a byte order mark`},
		{"control byte in the id", "jo\x00b\t18\t9\t970\t609\t697", `line 2, column 3: job id "jo\x00b" holds the control byte 0x00`},
		{"CR inside a line", lineB + "\t/in\r\t/out", `line 2, column 26: input path "/in\r" holds the control byte 0x0d`},
		{"DEL in the extra field", lineB + "\t\t\t\x7f", `line 2, column 25: extra field "\x7f" holds the control byte 0x7f`},
		{"empty number", "job1\t18\t\t970\t609\t697", `line 2, column 9: gap "" is empty, want a number`},
		{"unit", "job1\t18\t9\t970\t609\t697 MB", `line 2, column 19: output "697 MB" is not a decimal number`},
		{"blank in front", "job1\t 18\t9\t970\t609\t697", `line 2, column 6: submit time " 18" is not a decimal number`},
		{"plus", "job1\t18\t+9\t970\t609\t697", `line 2, column 9: gap "+9" is not a decimal number`},
		{"hexadecimal", "job1\t18\t9\t0x10\t609\t697", `line 2, column 11: map input "0x10" is not a decimal number`},
		{"hexadecimal float", "job1\t18\t9\t0x1p4\t609\t697", `line 2, column 11: map input "0x1p4" is not a decimal number`},
		{"underscore", "job1\t18\t9\t1_000\t609\t697", `line 2, column 11: map input "1_000" is not a decimal number`},
		{"two points", "job1\t18\t9\t1.0.0\t609\t697", `line 2, column 11: map input "1.0.0" is not a decimal number`},
		{"point alone", "job1\t18\t9\t.\t609\t697", `line 2, column 11: map input "." is not a decimal number`},
		{"exponent cut off", "job1\t18\t9\t1e+\t609\t697", `line 2, column 11: map input "1e+" is not a decimal number`},
		{"negative", "job1\t18\t9\t-5\t609\t697", `line 2, column 11: map input "-5" is negative`},
		{"negative beyond float64", "job1\t18\t9\t970\t-1e999\t697", `line 2, column 15: shuffle "-1e999" is negative`},
		{"NaN", "job1\t18\t9\t970\tNaN\t697", `line 2, column 15: shuffle "NaN" is not finite`},
		{"infinity", "job1\t18\t9\t970\t609\t+Inf", `line 2, column 19: output "+Inf" is not finite`},
		{"minus infinity", "job1\t18\t9\t970\t609\t-infinity", `line 2, column 19: output "-infinity" is not finite`},
		{"overflow", "job1\t18\t9\t970\t1e309\t697", `line 2, column 15: shuffle "1e309" is larger than any float64`},
		{"overflow by digits", "job1\t18\t9\t970\t" + huge + "\t697", `line 2, column 15: shuffle "` + huge[:40] + `..." is larger than any float64`},
		{"time backwards", "job1\t8.5\t0\t970\t609\t697", `line 2, column 6: submit time "8.5" is before the 9 of line 1`},
		{"id again", "job0\t18\t9\t970\t609\t697", `line 2, column 1: job id "job0" repeats that of line 1`},
		{"too long", "j" + strings.Repeat("o", mostBytes) + "\t18\t9\t970\t609\t697",
			`line 2, column 16777217: line is longer than 16777216 bytes`},
	} {
		want := "joblog: " + c.want
		for _, text := range []string{
			lineA + "\n" + c.line,
			lineA + "\r\n" + c.line + "\r\n",
			zipped(lineA + "\n" + c.line + "\n"),
		} {
			jobs, err := joblog.ReadSWIM(strings.NewReader(text))
			var pe *joblog.ParseError
			if !errors.As(err, &pe) || !errors.Is(err, schedmath.ErrInput) || err.Error() != want || jobs != nil {
				t.Errorf("ReadSWIM(%s) = %v, error %q (*ParseError: %t, ErrInput: %t), want error %q",
					c.name, jobs, err, pe != nil, errors.Is(err, schedmath.ErrInput), want)
				continue
			}
			if at := fmt.Sprintf("line %d, column %d:", pe.Line, pe.Column); !strings.Contains(want, at) {
				t.Errorf("ReadSWIM(%s): *ParseError is at %s want %q", c.name, at, want)
			}
		}
	}
}

// An id that repeats is reported before what is wrong behind it.
func TestRepeatedIDFirst(t *testing.T) {
	const want = `joblog: line 3, column 1: job id "job0" repeats that of line 1`
	again := strings.Replace(lineB, "job1", "job0", 1)
	for _, rest := range []string{"", "broken\n", again + "\n", "\x00"} {
		jobs, err := joblog.ReadSWIM(strings.NewReader(lineA + "\n" + lineB + "\n" + again + "\n" + rest))
		if err == nil || err.Error() != want || jobs != nil {
			t.Errorf("ReadSWIM with %q behind a repeated id = %v, error %q, want error %q", rest, jobs, err, want)
		}
	}
}

// Only one CR belongs to a line end.
func TestTwoCarriageReturns(t *testing.T) {
	const want = `joblog: line 1, column 26: input path "/in\r" holds the control byte 0x0d`
	if _, err := joblog.ReadSWIM(strings.NewReader(lineB + "\t/in\r\r\n")); err == nil || err.Error() != want {
		t.Errorf("ReadSWIM = error %q, want %q", err, want)
	}
}

// mostBytes is the length of the longest line that is read.
const mostBytes = 1 << 24

// A line of any length costs no more memory than the longest that is read.
func TestReaderOfEndlessLine(t *testing.T) {
	const want = "joblog: line 2, column 16777217: line is longer than 16777216 bytes"
	endless := io.MultiReader(strings.NewReader(lineA+"\n"), io.LimitReader(zeros{}, 50*mostBytes))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := joblog.ReadSWIM(endless); fmt.Sprint(err) != want {
		t.Errorf("ReadSWIM = error %v, want %q", err, want)
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 10*mostBytes { // append doubles
		t.Errorf("a line of %d bytes takes %d of memory", 50*mostBytes, taken)
	}
}

// A line of exactly so many bytes is read whatever its end, one byte more is too long.
func TestLongestLine(t *testing.T) {
	longest := lineA + "\t" + strings.Repeat("p", mostBytes-len(lineA)-1)
	for _, end := range []string{"", "\n", "\r\n"} {
		if jobs, err := joblog.ReadSWIM(strings.NewReader(longest + end)); err != nil || len(jobs) != 1 {
			t.Errorf("ReadSWIM(%d bytes and %q) = %d jobs, error %v, want one", len(longest), end, len(jobs), err)
		}
		var pe *joblog.ParseError
		if _, err := joblog.ReadSWIM(strings.NewReader(longest + "p" + end)); !errors.As(err, &pe) || pe.Column != mostBytes+1 {
			t.Errorf("ReadSWIM(%d bytes and %q) = error %v, want that the line is too long", len(longest)+1, end, err)
		}
	}
}

// zeros is an endless text of the digit 0.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

func TestBrokenStream(t *testing.T) {
	var text strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&text, "job%d\t%d\t1\t%d\t0\t1\n", i, i, i*i)
	}
	whole := zipped(text.String())
	badSum := []byte(whole)
	badSum[len(badSum)-8] ^= 1
	for _, c := range []struct {
		name, stream string
		cause        error
	}{
		{"cut off", whole[:len(whole)/2], io.ErrUnexpectedEOF},
		{"header cut off", whole[:5], io.ErrUnexpectedEOF},
		{"wrong checksum", string(badSum), gzip.ErrChecksum},
		{"garbage behind", whole + "garbage behind it", gzip.ErrHeader},
		{"unknown method", "\x1f\x8b\x07\x00\x00\x00\x00\x00\x00\x00", gzip.ErrHeader},
	} {
		_, err := joblog.ReadSWIM(strings.NewReader(c.stream))
		var pe *joblog.ParseError
		if !errors.As(err, &pe) || pe.Column != 0 || pe.Line < 1 || !errors.Is(err, c.cause) || !errors.Is(err, schedmath.ErrInput) {
			t.Errorf("%s: error %v, want a *ParseError with column 0 that is %v and ErrInput", c.name, err, c.cause)
		}
	}
	bad := errors.New("disk on fire")
	for _, front := range []string{"", lineA + "\n", whole[:1000]} {
		text := io.MultiReader(strings.NewReader(front), iotest.ErrReader(bad))
		if _, err := joblog.ReadSWIM(text); !errors.Is(err, bad) || errors.Is(err, schedmath.ErrInput) {
			t.Errorf("a reader that fails after %d bytes: error %v, want %v and no ErrInput", len(front), err, bad)
		}
	}
	if _, err := joblog.ReadSWIM(stuck{}); !errors.Is(err, io.ErrNoProgress) || errors.Is(err, schedmath.ErrInput) {
		t.Errorf("ReadSWIM of a reader without data or error = error %v, want io.ErrNoProgress", err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// A line takes one allocation, for its id, and its place among those seen.
func TestReaderAllocations(t *testing.T) {
	var jobs []joblog.SWIMJob
	for i := range 2000 {
		jobs = append(jobs, joblog.SWIMJob{ID: fmt.Sprint("job", i)})
	}
	text := swimFile(jobs)
	if got := testing.AllocsPerRun(10, func() { joblog.ReadSWIM(bytes.NewReader(text)) }); got > 2000+100 {
		t.Errorf("ReadSWIM of 2,000 lines allocates %v times, want once a line and some buffers", got)
	}
}
