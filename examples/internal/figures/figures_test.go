package figures_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/figures"
	"github.com/schedmath/schedmath/examples/internal/hfsp"
)

type program func(args []string, stdout, stderr io.Writer) int

// files runs a program and returns what it wrote into its directory.
func files(t *testing.T, main program, args ...string) map[string]string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	var out, errs bytes.Buffer
	if code := main(append(args, "-out", dir), &out, &errs); code != 0 || errs.Len() > 0 {
		t.Fatalf("%q = %d and printed %q", args, code, errs.String())
	}
	if lines := strings.Count(out.String(), "\n"); lines != 1 || !strings.Contains(out.String(), dir) {
		t.Errorf("%q printed %q, want one line that says where the files are", args, out.String())
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got[e.Name()] = string(b)
	}
	return got
}

func names(files map[string]string) []string {
	var list []string
	for name := range files {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// hfspColumns are the columns of the numbers of each figure that hfsp draws.
var hfspColumns = map[string]string{
	"fig1":     "policy job arrival size start end usage_percent finish",
	"fig2a":    "x sigma_0.125 sigma_0.25 sigma_0.5 sigma_1",
	"fig2b":    "policy sigma seeds median p25 p75 p5 p95 min max",
	"fig2c":    "policy sigma seeds median p25 p75 p5 p95 min max",
	"table2":   "workload policy seeds mean_sojourn_s mean_sojourn_ci95 mean_load mean_load_ci95 ratio_to_fair ratio_ci95 local_maps published_sojourn_s published_load published_ratio",
	"fig3a":    "share hfsp_s fair_s hfsp_first_seed_s fair_first_seed_s",
	"fig3b":    "share hfsp_s fair_s hfsp_first_seed_s fair_first_seed_s",
	"fig3c":    "policy time_h pending_jobs",
	"fig4":     "share map_work_s reduce_work_s map_hfsp_s reduce_hfsp_s map_fair_s reduce_fair_s",
	"fig5":     "error map_ecdf reduce_ecdf map_fit_cdf reduce_fit_cdf map_paper_cdf reduce_paper_cdf",
	"ablation": "workload policy seeds mean_sojourn_s mean_ci95 ratio_to_fair ratio_ci95 work_lost",
	"drivers":  "long_tasks map_load reduce_load policy seeds mean_sojourn_s mean_ci95 ratio_to_fair ratio_ci95",
	"gantt":    "policy slot kind job start_s end_s",
}

// hfspFiles are the files that hfsp writes, in order.
func hfspFiles() []string {
	list := []string{"claims.tsv"}
	for item := range hfspColumns {
		list = append(list, "hfsp-"+item+".svg", "hfsp-"+item+".tsv")
	}
	slices.Sort(list)
	return list
}

func TestFigures(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	one := files(t, figures.Main, "-quick")
	runtime.GOMAXPROCS(2)
	two := files(t, figures.Main, "-quick")
	want := append([]string{"index.html", "whatif-errors.svg", "whatif-errors.tsv", "whatif-policies.svg", "whatif-policies.tsv"}, hfspFiles()...)
	slices.Sort(want)
	if got := names(one); !slices.Equal(got, want) {
		t.Errorf("figures wrote %q, want %q", got, want)
	}
	for name := range one {
		if one[name] != two[name] {
			t.Errorf("%s differs between two runs with one and two processors", name)
		}
		if strings.HasSuffix(name, ".svg") || name == "index.html" {
			wellFormed(t, name, one[name])
		}
		if strings.HasSuffix(name, ".tsv") {
			rectangular(t, name, one[name])
		}
		for _, bad := range []string{"NaN", "Inf", t.TempDir()} {
			if strings.Contains(one[name], bad) {
				t.Errorf("%s holds %q", name, bad)
			}
		}
	}
	claims(t, one["claims.tsv"])
	for _, want := range []string{"<svg ", "Figure 1", "Figure 2(c)", "the synthetic day of seed 1", "drawn from seed 1"} {
		if !strings.Contains(one["index.html"], want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if other := files(t, figures.Main, "-quick", "-seed", "2"); other["hfsp-fig2b.tsv"] == one["hfsp-fig2b.tsv"] || other["hfsp-table2.tsv"] == one["hfsp-table2.tsv"] || other["hfsp-fig1.svg"] != one["hfsp-fig1.svg"] {
		t.Error("another seed should change Figure 2(b) and Table II, and not Figure 1")
	}
}

// wellFormed parses a document and looks for what would make it depend on another file or on a script.
func wellFormed(t *testing.T, name, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	ids := map[string]bool{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("%s is not well-formed: %v", name, err)
			return
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if slices.Contains([]string{"script", "link", "iframe", "img", "image", "object"}, e.Name.Local) {
			t.Errorf("%s holds a <%s>", name, e.Name.Local)
		}
		for _, a := range e.Attr {
			if (a.Name.Local == "href" || a.Name.Local == "src") && !strings.HasPrefix(a.Value, "#") {
				t.Errorf("%s loads or links %q", name, a.Value)
			}
			if a.Name.Local == "id" && ids[a.Value] {
				t.Errorf("%s has the id %q twice", name, a.Value)
			} else if a.Name.Local == "id" {
				ids[a.Value] = true
			}
		}
	}
}

func rectangular(t *testing.T, name, text string) [][]string {
	t.Helper()
	var rows [][]string
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		rows = append(rows, cells)
		if len(cells) != len(rows[0]) {
			t.Errorf("%s: row %q has %d cells, want %d", name, line, len(cells), len(rows[0]))
		}
	}
	if len(rows) < 2 {
		t.Errorf("%s has %d rows, want a header and more", name, len(rows))
	}
	return rows
}

func claims(t *testing.T, text string) {
	t.Helper()
	rows := rectangular(t, "claims.tsv", text)
	if got, want := strings.Join(rows[0], " "), "paper item claim published model relation holds note"; got != want {
		t.Fatalf("the header of claims.tsv is %q, want %q", got, want)
	}
	seen := map[string]int{}
	for _, r := range rows[1:] {
		seen[r[0]+" "+r[1]]++
		for i, cell := range r[:7] {
			if cell == "" {
				t.Errorf("claims.tsv: row %q has no %s", r, rows[0][i])
			}
		}
		if r[6] != "yes" && (r[6] != "no" || r[7] == "") {
			t.Errorf("claims.tsv: row %q, want yes, or no and a note", r)
		}
		// These follow from theory or from exact numbers, whatever the workload.
		if exact := r[1] == "fig1" || r[0] == "whatif"; exact && r[6] != "yes" {
			t.Errorf("claims.tsv: row %q, want yes", r)
		}
	}
	for item := range hfspColumns {
		if seen["hfsp "+item] == 0 {
			t.Errorf("claims.tsv has no row for %s of hfsp", item)
		}
	}
	if seen["whatif policies"] == 0 {
		t.Error("claims.tsv has no row for policies of whatif")
	}
}

func TestHFSPAlone(t *testing.T) {
	got := files(t, hfsp.Main, "-quick")
	if want := hfspFiles(); !slices.Equal(names(got), want) {
		t.Errorf("hfsp wrote %q, want %q", names(got), want)
	}
	for item, columns := range hfspColumns {
		if rows := rectangular(t, item, got["hfsp-"+item+".tsv"]); strings.Join(rows[0], " ") != columns {
			t.Errorf("the columns of hfsp-%s.tsv are %q, want %q", item, strings.Join(rows[0], " "), columns)
		}
	}
}

func TestBadFlags(t *testing.T) {
	for name, main := range map[string]program{"figures": figures.Main, "hfsp": hfsp.Main} {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, []byte("no trace\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"-nosuch"}, {"-seed", "-1"}, {"stray"}, {"-out", ""}, {"-out", filepath.Join(file, "x")},
			{"-out", t.TempDir(), "-trace", file}, {"-out", t.TempDir(), "-trace", file + "x"}} {
			var out, errs bytes.Buffer
			if code := main(args, &out, &errs); code != 2 || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 || !strings.HasPrefix(errs.String(), name+": ") {
				t.Errorf("%s %q = %d, stdout %q, stderr %q, want 2 and one line on stderr", name, args, code, out.String(), errs.String())
			}
		}
		var out, errs bytes.Buffer
		if code := main([]string{"--help"}, &out, &errs); code != 0 || errs.Len() > 0 || !strings.Contains(out.String(), "claims.tsv") || !strings.Contains(out.String(), "-quick") {
			t.Errorf("%s --help = %d, stdout %q, stderr %q", name, code, out.String(), errs.String())
		}
	}
}
