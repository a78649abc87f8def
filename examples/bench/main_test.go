package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const printed = `goos: linux
cpu: some CPU
BenchmarkStep/n=80-2         	  137203	      8755 ns/op	       0 B/op	       0 allocs/op
BenchmarkStep/n=10000-2      	     966	   1230000 ns/op
BenchmarkRuns/network=5to1 	       1	2000000000 ns/op	         3.500 Mevents/s
BenchmarkStep/n=1
--- BENCH: something
PASS
`

func TestParse(t *testing.T) {
	m := results{}
	m.parse("market", printed)
	for name, want := range map[string]map[string]float64{
		"market.BenchmarkStep/n=80":         {"ns/op": 8755, "B/op": 0, "allocs/op": 0},
		"market.BenchmarkStep/n=10000":      {"ns/op": 1.23e6},
		"market.BenchmarkRuns/network=5to1": {"ns/op": 2e9, "Mevents/s": 3.5},
	} {
		for metric, x := range want {
			if got, ok := m[name][metric]; !ok || got != x || len(m[name]) != len(want) {
				t.Errorf("%s of %s is %v, %t, want %v", metric, name, got, ok, x)
			}
		}
	}
	if len(m) != 3 {
		t.Errorf("parse finds %v, want three benchmarks", m)
	}
}

func TestTables(t *testing.T) {
	m := results{}
	m.parse("market", printed)
	m.parse("python", "BenchmarkStep 3 87550 ns/op\n")
	rows := []row{
		{"market", "`Step`", expand("market.BenchmarkStep/n={80,10000,100000}"), "ns/op", []string{"10us", "1ms", "10ms"}, []string{"SciPy", "python.BenchmarkStep", "gonum", "bench.BenchmarkStep"}},
		{"market", "events", expand("market.BenchmarkRuns/network=5to1"), "Mevents/s", []string{">4"}, nil},
		{"market", "within", expand("market.BenchmarkStep/n=80"), "ns/op", []string{"-"}, nil},
	}
	var out bytes.Buffer
	tables(&out, rows, m)
	want := `
## market

| what | measured | stated | others take |
|---|---|---|---|
| ` + "`Step`" + ` | 8.8 us / 1.2 ms / - **over** | 10us / 1ms / 10ms | SciPy 88 us, 10 times; gonum - |
| events | 3.5 **under** | 4 |  |
| within | 8.8 us | - |  |
`
	if out.String() != want {
		t.Errorf("tables prints\n%swant\n%s", out.String(), want)
	}
}

// Every row has as many stated values as benchmarks, or none, and names benchmarks that exist, as
// far as the names of functions tell.
func TestRows(t *testing.T) {
	rows := read(rowsFile)
	if len(rows) < 60 {
		t.Fatalf("%d rows, want those of docs/benchmarks.md", len(rows))
	}
	for _, r := range rows {
		if n := len(r.stated); n != 0 && n != len(r.benchmarks) || len(r.others)%2 != 0 {
			t.Errorf("%s: %d stated values for %d benchmarks, others %q", r.what, n, len(r.benchmarks), r.others)
		}
		for _, s := range r.stated {
			if s != "-" && judge(1e30, s)+judge(-1, s) == "" {
				t.Errorf("%s: %q is no time or number", r.what, s)
			}
		}
	}
	for _, pkg := range packages(rows) {
		text := peersFile
		if pkg != python {
			dir := pkg
			if directories[pkg] != "" {
				dir = directories[pkg]
			}
			files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*_test.go"))
			if err != nil || len(files) == 0 {
				t.Errorf("package %s has no tests in %s: %v", pkg, dir, err)
			}
			text = ""
			for _, file := range files {
				b, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				text += string(b)
			}
		}
		for _, name := range namesOf(rows, pkg) {
			function, _, _ := strings.Cut(name, "/")
			if pkg == python {
				function = strings.TrimPrefix(function, "Benchmark")
			} else {
				function = "func " + function + "("
			}
			if !strings.Contains(text, function) {
				t.Errorf("%s has no %s", pkg, name)
			}
		}
	}
}

// One row is measured, by a Python that is not there.
func TestProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles tests")
	}
	command := exec.Command("go", "run", "./examples/bench", "-rows", "`Explode`|^estimate: .KS", "-benchtime", "1x", "-python", "no-such-python")
	command.Dir = filepath.Join("..", "..")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	lines := slices.DeleteFunc(strings.Split(string(out), "\n"), func(line string) bool { return !strings.HasPrefix(line, "| `") })
	if err != nil || len(lines) != 2 || strings.Contains(lines[1], "| - |") || !strings.Contains(lines[0], "gonum") || !strings.Contains(lines[0], "SciPy - |") ||
		!strings.Contains(stderr.String(), "no-such-python") {
		t.Errorf("bench of two rows = %v, printed\n%s%s", err, out, stderr.String())
	}
}
