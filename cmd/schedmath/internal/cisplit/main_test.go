package cisplit

import (
	"compress/gzip"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/program"
)

// cisplit runs the program and returns what it printed and its exit code.
func cisplit(args ...string) (string, int) {
	var printed strings.Builder
	code := program.Exit(&printed, "schedmath cisplit", run(args, &printed))
	return printed.String(), code
}

// write makes a file in dir.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// runnersOf reads the files of the runners.
func runnersOf(t *testing.T, dir string, runners int) (tests [][]string) {
	t.Helper()
	for r := range runners {
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("runner-%d.txt", r)))
		if err != nil {
			t.Fatal(err)
		}
		tests = append(tests, strings.Fields(string(text)))
	}
	return tests
}

const junitReport = `<?xml version="1.0"?><testsuites><testsuite name="all" time="99">
<testcase classname="a.Slow" name="x" time="40.5"/><testcase classname="a.Slow" name="y" time="49.5"><failure/></testcase>
<testcase classname="b.Half" name="x" time="30"/></testsuite><testsuite><testcase classname="c.Half" name="x" time="30"/>
<testcase classname="d.Third" name="x" time="20"/></testsuite></testsuites>`

const gotest = `{"Action":"start","Package":"m/a"}
{"Action":"pass","Package":"m/a","Test":"TestX","Elapsed":7}
{"Action":"output","Package":"m/a","Output":"ok"}
{"Action":"pass","Package":"m/a","Elapsed":8}
{"Action":"fail","Package":"m/b","Elapsed":5}
{"Action":"pass","Package":"m/c","Elapsed":3}
{"Action":"skip","Package":"m/none","Elapsed":0}
`

func TestReports(t *testing.T) {
	for _, c := range []struct {
		name, text string
		tests      string // by runner
		printed    []string
	}{
		{"r.xml", junitReport, "[[a.Slow] [b.Half c.Half d.Third]]", []string{"after 90.0 s", "before 90.0 s", "unless a.Slow is divided"}},
		{"r.xml", `<testsuite><testcase classname="x" time="2"/><testcase classname="y" time="2"/></testsuite>`, "[[x] [y]]", []string{"after 2.0 s"}},
		{"r.json", gotest, "[[m/a] [m/b m/c]]", []string{"after 8.0 s", "wrote "}},
		{"mark.json", "\ufeff" + gotest, "[[m/a] [m/b m/c]]", []string{"after 8.0 s"}},
		{"packed", packed("\ufeff" + junitReport), "[[a.Slow] [b.Half c.Half d.Third]]", []string{"after 90.0 s"}},
		{"grouped.xml", `<testsuite><testcase classname="x" time="1,234.5"/><testcase classname="y" time="1,234,567"/></testsuite>`, "[[y] [x]]", []string{"after 1234567.0 s"}},
		{"nested.xml", "\ufeff<testsuites><testsuite><testsuite><testcase classname='x' time='3'/></testsuite><testcase classname='y' time='2'/></testsuite></testsuites>", "[[x] [y]]", []string{"after 3.0 s"}},
	} {
		dir := t.TempDir()
		printed, code := cisplit("-out", dir, write(t, dir, c.name, c.text))
		if code != 0 {
			t.Fatalf("%s: %s", c.text, printed)
		}
		if got := fmt.Sprint(runnersOf(t, dir, 2)); got != c.tests {
			t.Errorf("%s is divided into %s, want %s", c.text, got, c.tests)
		}
		for _, want := range c.printed {
			if !strings.Contains(printed, want) {
				t.Errorf("%s: printed %q, want %q in it", c.text, printed, want)
			}
		}
	}
}

func packed(text string) string {
	var b strings.Builder
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil || w.Close() != nil {
		panic(err)
	}
	return b.String()
}

// Without -out nothing is written, and what is in a folder cannot be divided anew.
func TestWritesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, ".", "r.xml", junitReport)
	printed, code := cisplit("r.xml")
	if files, err := os.ReadDir("."); code != 0 || err != nil || len(files) != 1 || !strings.Contains(printed, "after 90.0 s") {
		t.Errorf("without -out: %d, %s, and the files %v, %v", code, printed, files, err)
	}
	if printed, code := cisplit("-lost", "0", "r.xml"); code != 2 || !strings.Contains(printed, "want -out DIR") {
		t.Errorf("-lost without -out = %d, %s", code, printed)
	}
}

// TestRuns: of several runs of a suite a test takes the median of the runs that have it; of shards
// of one run the sum.
func TestRuns(t *testing.T) {
	dir := t.TempDir()
	var args []string
	for i, text := range []string{
		`<testsuite><testcase classname="a" time="40"/><testcase classname="b" time="30"/></testsuite>`,
		`<testsuite><testcase classname="a" time="10"/><testcase classname="b" time="31"/><testcase classname="c" time="6"/></testsuite>`,
		`<testsuite><testcase classname="a" time="42"/><testcase classname="b" time="20"/><testcase classname="c" time="2"/></testsuite>`,
	} {
		args = append(args, write(t, dir, fmt.Sprintf("%d.xml", i), text))
	}
	for _, c := range []struct{ flags, tests, printed string }{
		{"", "[[a] [b c]]", "after 40.0 s; in no split it ends before 40.0 s, by the median of 3 runs"},    // 40, 30 and 4
		{"-sum", "[[a] [b c]]", "after 92.0 s; in no split it ends before 92.0 s, by the sum of 3 shards"}, // 92, 81 and 8
	} {
		printed, code := cisplit(append(append(strings.Fields(c.flags), "-out", dir), args...)...)
		if got := fmt.Sprint(runnersOf(t, dir, 2)); code != 0 || got != c.tests || !strings.Contains(printed, c.printed) {
			t.Errorf("%s of three reports: %s and %q, want %s and %q", c.flags, got, printed, c.tests, c.printed)
		}
	}
}

func TestStandardInput(t *testing.T) {
	dir := t.TempDir()
	in, err := os.Open(write(t, dir, "in", junitReport))
	if err != nil {
		t.Fatal(err)
	}
	defer func(before *os.File) { os.Stdin = before }(os.Stdin)
	os.Stdin = in
	if printed, code := cisplit("-out", dir, "-"); code != 0 || fmt.Sprint(runnersOf(t, dir, 2)) != "[[a.Slow] [b.Half c.Half d.Third]]" {
		t.Errorf("a report on standard input: %d, %s", code, printed)
	}
}

// TestLost: 100 packages on 5 runners. After a runner is lost its packages go to the others, each
// runs once, and few others move. The Bound holds.
func TestLost(t *testing.T) {
	dir, r := t.TempDir(), rand.New(rand.NewPCG(1, 1))
	var report, list strings.Builder
	for i := range 100 {
		fmt.Fprintf(&report, `{"Action":"pass","Package":"m/p%02d","Elapsed":%.2f}`+"\n", i, 1+99*r.Float64())
		fmt.Fprintf(&list, "m/p%02d\r\n", i)
	}
	list.WriteString("m/new1\nm/new2\nm/new3\nm/new4\nm/new5\n\n")
	args := []string{"-runners", "5", "-out", dir, "-list", write(t, dir, "list", list.String()), write(t, dir, "r.json", report.String())}
	ends := func(printed string) (after, before float64) {
		if _, err := fmt.Sscanf(printed, "the last runner ends after %f s; in no split it ends before %f s", &after, &before); err != nil {
			t.Fatalf("printed %q: %v", printed, err)
		}
		return after, before
	}
	printed, _ := cisplit(args...)
	if after, before := ends(printed); after < before || after > 1.01*before {
		t.Errorf("100 packages on 5 runners: %s", printed)
	}
	old := runnersOf(t, dir, 5)
	for i, tests := range old {
		if n := strings.Count(strings.Join(tests, " "), "new"); n != 1 {
			t.Errorf("runner %d has %d of 5 packages without a time, want 1", i, n)
		}
	}
	printed, _ = cisplit(append([]string{"-lost", "2"}, args...)...)
	if after, before := ends(printed); after < before || after > 1.1*before {
		t.Errorf("100 packages on 4 of 5 runners: %s", printed)
	}
	left := runnersOf(t, dir, 5)
	moved := 0
	for i, tests := range left {
		for _, test := range tests {
			if i != 2 && !slices.Contains(old[i], test) && !slices.Contains(old[2], test) {
				moved++
			}
		}
	}
	if all := slices.Concat(left...); len(left[2]) > 0 || len(all) != 105 || len(slices.Compact(slices.Sorted(slices.Values(all)))) != 105 || moved > 3 {
		t.Errorf("after runner 2 of 5 is lost, they have %v: %d tests moved besides its own", left, moved)
	}
}

func TestRefused(t *testing.T) {
	dir := t.TempDir()
	good := write(t, dir, "r.json", gotest)
	suite := func(name, testcases string) string {
		return write(t, dir, name, "<testsuite>\n<testcase classname='fine' time='1'/>\n"+testcases+"</testsuite>")
	}
	for _, c := range []struct {
		args []string
		want string // in the line that is printed
	}{
		{[]string{"-runners", "0", good}, "0 runners"},
		{[]string{"-runners", "10001", good}, "10001 runners"},
		{[]string{"-runners", strconv.Itoa(math.MaxInt), "-lost", "0", good}, "1 to 10000 runners"},
		{[]string{"-runners", "2", filepath.Join(dir, "none.xml")}, "none.xml"},
		{[]string{write(t, dir, "bad.xml", "<testsuite>\n<testcase")}, "bad.xml, line 2"},
		{[]string{write(t, dir, "bad.json", "{")}, "bad.json, line 1"},
		{[]string{suite("late.xml", `<testcase classname="x" time="-2"/>`)}, "late.xml, line 3: x takes -2 s"},
		{[]string{suite("nan.xml", `<testcase classname="x" time="NaN"/>`)}, "nan.xml, line 3: x takes NaN s"},
		{[]string{suite("inf.xml", `<testcase classname="x" time="Inf"/>`)}, "inf.xml, line 3: x takes +Inf s"},
		{[]string{suite("age.xml", `<testcase classname="x" time="1e308"/>`)}, "age.xml, line 3: x takes 1e+308 s"},
		{[]string{suite("ages.xml", "<testcase classname='x' time='9e8'/>\n<testcase classname='x' time='9e8'/>")}, "ages.xml, line 4: x takes 9e+08 s, 1.8e+09 s in all"},
		{[]string{suite("words.xml", `<testcase classname="x" time="long"/>`)}, `words.xml, line 3: the time "long"`},
		{[]string{suite("comma.xml", `<testcase classname="x" time="1,5"/>`)}, `comma.xml, line 3: the time "1,5"`},
		{[]string{suite("nameless.xml", `<testcase name="x" time="1"/>`)}, "nameless.xml, line 3: a testcase without a classname"},
		{[]string{suite("lines.xml", `<testcase classname="x&#10;-run=." time="1"/>`)}, "lines.xml, line 3"},
		{[]string{suite("flag.xml", `<testcase classname="-run=." time="1"/>`)}, "flag.xml, line 3"},
		{[]string{write(t, dir, "late.json", gotest+`{"Action":"pass","Package":"m/d","Elapsed":-1}`)}, "late.json, line 8: m/d takes -1 s"},
		{[]string{write(t, dir, "empty.xml", "<testsuites/>")}, "empty.xml: no tests"},
		{[]string{write(t, dir, "empty.json", "")}, "empty.json: no tests"},
		{[]string{write(t, dir, "mixed.json", gotest+"FAIL\n")}, "mixed.json, line 8: want an event of go test -json"},
		{[]string{write(t, dir, "latin.xml", `<?xml version="1.0" encoding="ISO-8859-1"?><testsuite/>`)}, "want UTF-8"},
		{[]string{write(t, dir, "cut.gz", packed(junitReport)[:40])}, "cut.gz"},
		{[]string{"-list", write(t, dir, "flags", "m/a\n-run=.\n"), good}, "-run=."},
		{[]string{"-lost", "1", good}, "runner-0.txt"},
		{[]string{"-lost", "2", good}, "runner 2 lost"},
		{[]string{"-out", filepath.Join(dir, "none"), good}, "none"},
		{[]string{"-list", filepath.Join(dir, "none"), good}, "none"},
		{[]string{"-nosuch"}, "nosuch"},
		{[]string{good, "-runners", "3"}, "-runners"},
	} {
		text, code := cisplit(append([]string{"-out", dir}, c.args...)...)
		if code != 2 || strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "schedmath cisplit: ") || !strings.Contains(text, c.want) {
			t.Errorf("cisplit %q = %d and prints %q, want 2 and a line with %q", c.args, code, text, c.want)
		}
	}
}
