package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// asProgram in the environment makes the test binary the program.
const asProgram = "CISPLIT_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// cisplit runs the program and returns what it printed and whether it exited with 0.
func cisplit(args ...string) (string, bool) {
	program := exec.Command(os.Args[0], args...)
	program.Env = append(os.Environ(), asProgram+"=1")
	printed, err := program.CombinedOutput()
	return string(printed), err == nil
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

const junit = `<?xml version="1.0"?><testsuites><testsuite name="all" time="99">
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
		{"r.xml", junit, "[[a.Slow] [b.Half c.Half d.Third]]", []string{"after 90.0 s", "before 90.0 s", "unless a.Slow is divided"}},
		{"r.xml", `<testsuite><testcase classname="x" time="2"/><testcase classname="y" time="2"/></testsuite>`, "[[x] [y]]", []string{"after 2.0 s"}},
		{"r.json", gotest, "[[m/a] [m/b m/c]]", []string{"after 8.0 s"}},
	} {
		dir := t.TempDir()
		printed, ok := cisplit("-out", dir, write(t, dir, c.name, c.text))
		if !ok {
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
	for _, args := range [][]string{
		{"-runners", "0", good},
		{"-runners", "2", filepath.Join(dir, "none.xml")},
		{write(t, dir, "bad.xml", "<testsuite><testcase")},
		{write(t, dir, "bad.json", "{")},
		{write(t, dir, "late.xml", `<testsuite><testcase classname="x" time="-2"/></testsuite>`)},
		{"-lost", "1", good},
		{"-lost", "2", good},
		{write(t, dir, "empty.json", "")},
		{"-out", filepath.Join(dir, "none"), good},
		{"-list", filepath.Join(dir, "none"), good},
		{"-nosuch"},
	} {
		args = append([]string{"-out", dir}, args...)
		if printed, ok := cisplit(args...); ok {
			t.Errorf("cisplit %v succeeds and prints %q", args, printed)
		}
	}
}
