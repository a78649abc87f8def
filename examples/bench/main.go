// Command bench measures what docs/benchmarks.md names and prints it as Markdown tables: by the
// benchmarks of the library, and where they have the same task by gonum, SciPy and scikit-learn.
// Run it in the root of the repository, on a quiet machine. All rows take tens of minutes.
package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schedmath/schedmath/internal/program"
)

//go:embed rows.tsv
var rowsFile string

//go:embed peers.py
var peersFile string

// python is the package of the benchmarks that peers.py has.
const python = "python"

// directories are those of packages that are not in the root, by the name that rows.tsv uses.
var directories = map[string]string{
	"bench": "examples/bench", "nearest": "estimate/nearest", "equilibrium": "market/equilibrium", "kdtree": "internal/kdtree", "fluid": "slotmodel/fluid",
	"workload": "slotmodel/workload", "hfsp": "policy/hfsp", "dynprio": "policy/dynprio", "shufflewatcher": "policy/shufflewatcher", "figures": "examples/internal/hfsp",
}

// row is a row of a table.
type row struct {
	section, what string
	benchmarks    []string // as package.Benchmark/sub
	metric        string   // as go test names it
	stated        []string // for each benchmark a time or a number that it must not exceed; after ">" the least; "-": none
	others        []string // the name of another library and its benchmark, in turn
}

// results are the metrics of each benchmark, by package.Benchmark/sub; times are in ns.
type results map[string]map[string]float64

const help = `bench measures the rows of docs/benchmarks.md and prints them as Markdown tables. Run it in the root of the repository, on a quiet
machine. All rows take tens of minutes.
`

func main() { os.Exit(program.Exit(os.Stderr, "bench", run(os.Args[1:], os.Stdout, os.Stderr))) }

func run(args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	only := f.String("rows", "", "measure the rows that match `REGEXP`, as \"section: row\"")
	benchtime := f.String("benchtime", "1s", "`TIME` or count for each benchmark, as of go test")
	short := f.Bool("short", false, "leave out the benchmarks that go test -short leaves out")
	interpreter := f.String("python", "python3", "`COMMAND` of a Python with scikit-learn and SciPy")
	trace := f.String("trace", "", "log of rigid jobs in `FILE` for the row on EASY beside a simulator of EASY alone; default: a synthetic one")
	if done, err := program.Parse(f, args, stdout, help); done || err != nil {
		return err
	}
	if *trace != "" {
		path, err := filepath.Abs(*trace)
		if err != nil {
			return err
		}
		*trace = path // go test runs in the folder of the package
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return program.Usagef("-rows: %v", err)
	}
	rows := slices.DeleteFunc(read(rowsFile), func(r row) bool { return !pattern.MatchString(r.section + ": " + r.what) })
	measured := results{}
	for _, pkg := range packages(rows) {
		names := namesOf(rows, pkg)
		args := []string{"test", "-run", "^$", "-bench", alternatives(names), "-benchtime", *benchtime, "-timeout", "0", "./" + cmp.Or(directories[pkg], pkg)}
		if *short {
			args = append(args, "-short")
		}
		if *trace != "" && pkg == "bench" {
			args = append(args, "-args", "-trace", *trace)
		}
		command := exec.Command("go", args...)
		if pkg == python {
			command = exec.Command(*interpreter, append([]string{"-"}, names...)...)
			command.Stdin = strings.NewReader(peersFile)
		}
		out := &counted{bar: program.NewProgress(stderr, "bench: "+pkg, len(names))}
		command.Stdout, command.Stderr = out, stderr
		err := command.Run()
		out.bar.Done()
		if measured.parse(pkg, out.String()); err != nil {
			fmt.Fprintf(stderr, "bench: %s: %v, and what it has not measured stays empty\n%s", pkg, err, out.String())
		}
	}
	tables(stdout, rows, measured)
	return nil
}

// counted is what go test -bench has printed, and counts the benchmarks in it.
type counted struct {
	bytes.Buffer
	bar *program.Progress
}

func (c *counted) Write(b []byte) (int, error) {
	c.bar.Add(bytes.Count(b, []byte(" ns/op")))
	return c.Buffer.Write(b)
}

// read returns the rows of a file whose first line is a head. Of a name {a,b} it makes two.
func read(file string) (rows []row) {
	for line := range strings.Lines(file) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if f[0] != "section" {
			rows = append(rows, row{f[0], f[1], expand(f[2]), cmp.Or(f[3], "ns/op"), strings.Fields(f[4]), strings.Fields(f[5])})
		}
	}
	return rows
}

func expand(name string) (names []string) {
	before, rest, _ := strings.Cut(name, "{")
	list, after, _ := strings.Cut(rest, "}")
	for part := range strings.SplitSeq(list, ",") {
		names = append(names, before+part+after)
	}
	return names
}

// all returns the benchmarks of a row and those of other libraries.
func (r *row) all() []string {
	list := slices.Clone(r.benchmarks)
	for i := 1; i < len(r.others); i += 2 {
		list = append(list, r.others[i])
	}
	return list
}

// packages lists the packages whose benchmarks the rows name, in the order of the rows.
func packages(rows []row) (list []string) {
	for _, r := range rows {
		for _, b := range r.all() {
			if pkg, _, _ := strings.Cut(b, "."); !slices.Contains(list, pkg) {
				list = append(list, pkg)
			}
		}
	}
	return list
}

// namesOf lists the benchmarks of a package that the rows name.
func namesOf(rows []row, pkg string) (list []string) {
	for _, r := range rows {
		for _, b := range r.all() {
			if name, ok := strings.CutPrefix(b, pkg+"."); ok && !slices.Contains(list, name) {
				list = append(list, name)
			}
		}
	}
	return list
}

// alternatives is the pattern of go test -bench that matches these benchmarks and no others.
func alternatives(names []string) string {
	var all []string
	for _, name := range names {
		parts := strings.Split(name, "/")
		for i, part := range parts {
			parts[i] = "^" + regexp.QuoteMeta(part) + "$"
		}
		all = append(all, strings.Join(parts, "/"))
	}
	return strings.Join(all, "|")
}

// A benchmark's name ends with the number of processors, unless there is one.
var line = regexp.MustCompile(`^(Benchmark\S+?)(-\d+)?\s+\d+\s+(\S.*)$`)

// parse adds what go test -bench has printed.
func (m results) parse(pkg, out string) {
	for text := range strings.Lines(out) {
		f := line.FindStringSubmatch(strings.TrimSpace(text))
		if f == nil {
			continue
		}
		metrics, words := map[string]float64{}, strings.Fields(f[3])
		for i := 1; i < len(words); i += 2 {
			if x, err := strconv.ParseFloat(words[i-1], 64); err == nil {
				metrics[words[i]] = x
			}
		}
		m[pkg+"."+f[1]] = metrics
	}
}

// tables prints a table for each section.
func tables(w io.Writer, rows []row, m results) {
	section := ""
	for _, r := range rows {
		if r.section != section {
			section = r.section
			fmt.Fprintf(w, "\n## %s\n\n| what | measured | stated | others take |\n|---|---|---|---|\n", section)
		}
		var measured, stated, others []string
		missed := ""
		for i, b := range r.benchmarks {
			x, ok := m[b][r.metric]
			measured = append(measured, show(x, r.metric, ok))
			if i < len(r.stated) && ok {
				missed = cmp.Or(missed, judge(x, r.stated[i]))
			}
		}
		for _, s := range r.stated {
			stated = append(stated, strings.TrimPrefix(s, ">"))
		}
		for i := 1; i < len(r.others); i += 2 {
			theirs, ok := m[r.others[i]][r.metric]
			text := show(theirs, r.metric, ok)
			if ours, there := m[r.benchmarks[0]][r.metric]; ok && there {
				text += fmt.Sprintf(", %s times", show(theirs/ours, "", true))
			}
			others = append(others, r.others[i-1]+" "+text)
		}
		fmt.Fprintf(w, "| %s | %s%s | %s | %s |\n", r.what, strings.Join(measured, " / "), missed, strings.Join(stated, " / "), strings.Join(others, "; "))
	}
}

// judge says whether a measured value misses what is stated.
func judge(x float64, stated string) string {
	least := strings.HasPrefix(stated, ">")
	limit, err := strconv.ParseFloat(strings.TrimPrefix(stated, ">"), 64)
	if d, e := time.ParseDuration(stated); e == nil {
		limit, err = float64(d), nil
	}
	switch {
	case err != nil:
		return "" // nothing is stated
	case least && x < limit:
		return " **under**"
	case !least && x > limit:
		return " **over**"
	}
	return ""
}

// show prints a value with two or three digits; "-" for one that was not measured.
func show(x float64, metric string, ok bool) string {
	if !ok {
		return "-"
	}
	unit := ""
	if metric == "ns/op" {
		unit = " ns"
		for _, u := range []string{" us", " ms", " s"} {
			if x >= 1000 {
				x, unit = x/1000, u
			}
		}
	}
	if x >= 99.5 {
		return fmt.Sprintf("%.0f%s", x, unit)
	}
	return fmt.Sprintf("%.2g%s", x, unit)
}
