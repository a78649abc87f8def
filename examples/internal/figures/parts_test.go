package figures_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/fairqueue"
	"github.com/schedmath/schedmath/examples/internal/figures"
	"github.com/schedmath/schedmath/examples/internal/figures/papers"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// tabled is readings with a basis for each claim, which stands in a note once, and with a table of
// workloads.
func tabled(o program.Options, terminal io.Writer) (report.Plan, error) {
	p, err := readings(o, terminal)
	p.Paper = "tabled"
	for i := range p.Items {
		p.Items[i].Basis = "a basis"
	}
	p.Workloads = func() (numbers.Table, error) {
		return numbers.Table{Columns: []string{"load"}, Rows: [][]string{{"busy"}}}, nil
	}
	return p, err
}

// files are what the files of a folder hold.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		list[e.Name()] = string(text)
	}
	return list
}

// same compares two folders.
func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if !slices.Equal(papers.Names(got), papers.Names(want)) {
		t.Errorf("%s: files %q, want %q", what, papers.Names(got), papers.Names(want))
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %s is another", what, name)
		}
	}
}

// The parts of a run, made on one processor and on two and joined in any order, give the files,
// pages, lines and claims of one run, to the byte.
func TestJoinedPartsAreOneRun(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	main := figures.Of(readings, tabled, fairqueue.Plan)
	run := func(args ...string) (stdout, stderr string) {
		t.Helper()
		var out, errs bytes.Buffer
		if code := main(args, &out, &errs); code != 0 {
			t.Fatalf("figures %q = %d, %q", args, code, errs.String())
		}
		said, _, _ := strings.Cut(errs.String(), "figures: seconds: ") // of one run alone
		return out.String(), said
	}
	for _, args := range [][]string{{"-quick"}, {"-quick", "-png", "-seed", "3"}, {"-quick", "-only", "tabled,fairqueue-returning"}} {
		dir := filepath.Join(t.TempDir(), "result")
		out, errs := run(append(args, "-out", dir)...)
		want := files(t, dir)
		for _, of := range []int{1, 3, 7} { // with parts of no figure
			var parts []string
			for p := of; p > 0; p-- {
				runtime.GOMAXPROCS(1 + p%2)
				file := filepath.Join(t.TempDir(), fmt.Sprintf("part%d.json", p))
				if out, _ := run(append(args, "-part", fmt.Sprintf("%d/%d", p, of), "-out", file)...); out != "" {
					t.Errorf("a part prints %q", out)
				}
				parts = append(parts, file)
			}
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("%q in %d parts", args, of)
			if gotOut, gotErrs := run(append([]string{"-out", dir, "-join"}, parts...)...); gotOut != out || gotErrs != errs {
				t.Errorf("%s: printed %q and %q, want %q and %q", what, gotOut, gotErrs, out, errs)
			}
			same(t, what, files(t, dir), want)
		}
	}
}

// A few figures of the papers in 3 parts, each a process of its own, give the files of one run.
func TestPartsAsProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program and starts processes")
	}
	bin := filepath.Join(t.TempDir(), "figures")
	if out, err := exec.Command("go", "build", "-o", bin, "../../figures").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir := t.TempDir()
	start := func(processors int, args ...string) {
		t.Helper()
		p := exec.Command(bin, args...)
		p.Dir, p.Env = dir, append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", processors))
		if out, err := p.CombinedOutput(); err != nil {
			t.Fatalf("figures %q: %v: %s", args, err, out)
		}
	}
	const some = "hfsp-fig1,hfsp-fig2b,circumflex-fig1,circumflex-fig2,dynprio-fig1,shufflewatcher-fig8,fairqueue"
	start(2, "-quick", "-only", some, "-out", "one")
	for part := 1; part <= 3; part++ {
		start(1+part%2, "-quick", "-only", some, "-part", fmt.Sprintf("%d/3", part), "-out", fmt.Sprintf("part%d.json", part))
	}
	start(1, "-out", "joined", "-join", "part1.json", "part2.json", "part3.json")
	same(t, "3 processes", files(t, filepath.Join(dir, "joined")), files(t, filepath.Join(dir, "one")))
}

// What cannot be joined is refused and named; of missing parts the rest is written when asked for,
// and what is lost is said.
func TestBadParts(t *testing.T) {
	main := figures.Of(readings, tabled)
	run := func(args ...string) (stdout, stderr string, code int) {
		var out, errs bytes.Buffer
		code = main(args, &out, &errs)
		return out.String(), errs.String(), code
	}
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	part := func(name, share string, more ...string) string {
		t.Helper()
		_, errs, code := run(append(more, "-quick", "-part", share, "-out", in(name))...)
		if code != 0 {
			t.Fatalf("part %s: %d, %q", share, code, errs)
		}
		return errs
	}
	part("1.json", "1/3")
	part("2.json", "2/3")
	part("3.json", "3/3")
	part("seed.json", "3/3", "-seed", "2")
	part("png.json", "3/3", "-png")
	part("of4.json", "3/4")
	if errs := part("none.json", "1/9"); !strings.Contains(errs, "wrote 0 figures of part 1 of 9 into "+in("none.json")+": there are only 4") {
		t.Errorf("a part of no figure says %q", errs)
	}
	text, err := os.ReadFile(in("1.json"))
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{"version.json": {`"version":"`, `"version":"old `}, "whatif.json": {`"program":"figures"`, `"program":"whatif"`}, "damaged.json": {`"made":"`, `"made":"AAAA`}, "cut.json": {`"}`, ""}, "0.json": {`"part":1`, `"part":0`}} {
		if err := os.WriteFile(in(name), bytes.Replace(text, []byte(change[0]), []byte(change[1]), 1), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	made, _ := base64.StdEncoding.DecodeString(fields["made"].(string))
	fields["made"] = bytes.Replace(made, []byte("<svg"), []byte("<svh"), 1) // still a gob
	if text, err = json.Marshal(fields); err == nil {
		err = os.WriteFile(in("letter.json"), text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, want string }{
		{"-out DIR/x -join DIR/1.json DIR/2.json", "part 3 of 3 is missing: -partial"},
		{"-out DIR/x -join DIR/2.json", "the parts 1, 3 of 3 are missing: -partial"},
		{"-out DIR/x -join DIR/1.json DIR/1.json", "1.json are both part 1"},
		{"-out DIR/x -join DIR/1.json DIR/seed.json", "seed.json is part of another run than"},
		{"-out DIR/x -join DIR/1.json DIR/2.json DIR/png.json", "png.json is part of another run than"},
		{"-out DIR/x -join DIR/png.json DIR/1.json DIR/2.json", "1.json is part of another run than"},
		{"-out DIR/x -join DIR/1.json DIR/of4.json", "of4.json is part 3 of 4 beside "},
		{"-out DIR/x -join DIR/version.json", "another version of figures"},
		{"-out DIR/x -join DIR/whatif.json", "whatif.json is no part of a run of figures"},
		{"-out DIR/x -join DIR/cut.json", "cut.json is no part"},
		{"-out DIR/x -join DIR/0.json", "0.json is no part"},
		{"-out DIR/x -join DIR/damaged.json", "damaged.json is damaged"},
		{"-out DIR/x -join DIR/letter.json DIR/2.json DIR/3.json", "letter.json is damaged"},
		{"-out DIR/x -join DIR/nosuch.json", "nosuch.json"},
		{"-out DIR/x -join", "-join part*.json"},
		{"-out DIR/x -seed=2 -join DIR/1.json", "-seed=2 is not for -join"},
		{"-out DIR/x -part 1/2 -join DIR/1.json", "-part=1/2 is not for -join"},
		{"-out DIR/x -partial", "-partial is for -join"},
		{"-out DIR/x DIR/1.json", "unexpected argument"},
		{"-part 1/3", "-out FILE"}, {"-part 1/3 -out DIR/none/x", "is no directory"}, {"-part 1/3 -out DIR", "is a directory, want a file"}, {"-part 1/3 -trace - -out DIR/x", "want -trace FILE"},
		{"-part 0/3 -out DIR/x", `-part is "0/3"`}, {"-part 4/3 -out DIR/x", `-part is "4/3"`}, {"-part a/b -out DIR/x", `-part is "a/b"`},
		{"-part 3 -out DIR/x", `-part is "3"`}, {"-part 1/3/5 -out DIR/x", `-part is "1/3/5"`}, {"-part 1/1000000 -out DIR/x", "at most 100000"},
	} {
		out, errs, code := run(strings.Fields(strings.ReplaceAll(c.args, "DIR", dir))...)
		if code != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, c.want) {
			t.Errorf("figures %s = %d, %q, %q, want %q", c.args, code, out, errs, c.want)
		}
	}
	if _, err := os.Stat(in("x")); err == nil {
		t.Error("refused parts left a directory")
	}
	out, errs, code := run("-out", in("x"), "-partial", "-join", in("1.json"), in("3.json"))
	if code != 0 || !strings.Contains(out, "3 figures of 4, since part 2 of 3 is missing") {
		t.Errorf("two parts of three = %d, %q, %q", code, out, errs)
	}
	got := files(t, in("x"))
	if want := []string{"claims.tsv", "index.html", "tabled-fig1.svg", "tabled-fig1.tsv", "tabled-readings.svg", "tabled-readings.tsv", "tabled.html", "toy-fig1.svg", "toy-fig1.tsv", "toy.html"}; !slices.Equal(papers.Names(got), want) {
		t.Errorf("two parts of three leave %q, want %q", papers.Names(got), want)
	}
	if want := "Of the run part 2 of 3 is missing: these are 1 of 2 figures of toy."; !strings.Contains(got["toy.html"], want) {
		t.Errorf("the page lacks %q", want)
	}
}
