package figures_test

import (
	"bytes"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/backfill"
	"github.com/schedmath/schedmath/examples/internal/circumflex"
	"github.com/schedmath/schedmath/examples/internal/dynamicshare"
	"github.com/schedmath/schedmath/examples/internal/dynprio"
	"github.com/schedmath/schedmath/examples/internal/fairqueue"
	"github.com/schedmath/schedmath/examples/internal/figures"
	"github.com/schedmath/schedmath/examples/internal/figures/papers"
	"github.com/schedmath/schedmath/examples/internal/hfsp"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/examples/internal/shufflewatcher"
	"github.com/schedmath/schedmath/internal/program"
)

// cheap are figures that are made in no time.
const cheap = "circumflex-fig2"

func TestList(t *testing.T) {
	list := func(args ...string) []string {
		var out, errs bytes.Buffer
		if code := figures.Main(append(args, "-list", "-out", "none"), &out, &errs); code != 0 || errs.Len() > 0 {
			t.Fatalf("figures -list %q = %d and printed %q", args, code, errs.String())
		}
		return strings.Fields(out.String())
	}
	got := list()
	if len(got) < 3 || got[0] != "hfsp-fig1" || !strings.HasPrefix(got[len(got)-1], "backfill-") {
		t.Errorf("figures -list starts with %s and ends with %s, want the order of the page", got[0], got[len(got)-1])
	}
	if got, want := list("-only", "hfsp-fig2"), []string{"hfsp-fig2a", "hfsp-fig2b", "hfsp-fig2c"}; !slices.Equal(got, want) {
		t.Errorf("figures -list -only hfsp-fig2 printed %q, want %q", got, want)
	}
	if _, err := os.Stat("none"); err == nil {
		t.Error("figures -list made a directory")
	}
}

// TestOnly: the named figures alone are made, as in a whole run, and what an earlier run left
// stays.
func TestOnly(t *testing.T) {
	got := papers.Files(t, figures.Main, "-quick", "-only", cheap, "-png")
	if want := []string{cheap + ".png", cheap + ".svg", cheap + ".tsv"}; !slices.Equal(papers.Names(got), want) {
		t.Errorf("figures -only %s -png wrote %q, want %q", cheap, papers.Names(got), want)
	}
	if config, err := png.DecodeConfig(strings.NewReader(got[cheap+".png"])); err != nil || config.Width != 960 {
		t.Errorf("%s.png is %d pixels wide, %v, want 960", cheap, config.Width, err)
	}
	dir := t.TempDir()
	for _, name := range []string{"index.html", "claims.tsv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("earlier"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	if code := figures.Main([]string{"-only", cheap, "-out", dir}, &out, &errs); code != 0 {
		t.Fatalf("figures -only %s = %d and printed %q", cheap, code, errs.String())
	}
	if got := out.String(); !strings.HasPrefix(got, "figures: wrote 1 figure into "+dir+": ") {
		t.Errorf("figures -only %s printed %q", cheap, got)
	}
	for _, name := range []string{"index.html", "claims.tsv"} {
		if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != "earlier" {
			t.Errorf("figures -only left %q in %s, %v, want what was there", b, name, err)
		}
	}
}

// TestWrittenAsDone: a picture is on disk when the line about it comes, and the page comes last.
func TestWrittenAsDone(t *testing.T) {
	dir := t.TempDir()
	lines := 0
	times := ""
	check := writer(func(line []byte) {
		if strings.HasPrefix(string(line), "figures: seconds: ") {
			times = string(line)
			return
		}
		lines++
		name, _, _ := strings.Cut(strings.TrimPrefix(string(line), "figures: "), " ")
		if _, err := os.Stat(filepath.Join(dir, name+".svg")); err != nil {
			t.Errorf("at the line %q: %v", line, err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2*lines {
			t.Errorf("at the line %q there are %d files, %v, want %d", line, len(entries), err, 2*lines)
		}
	})
	if code := figures.Main([]string{"-quick", "-only", "circumflex-fig1", "-out", dir}, io.Discard, check); code != 0 || lines != 1 || !strings.HasPrefix(times, "figures: seconds: circumflex-fig1 ") {
		t.Errorf("figures = %d after %d lines, want 0 and 1", code, lines)
	}
	lines, dir = 0, t.TempDir()
	if code := figures.Main([]string{"-quick", "-only", "hfsp-fig1,circumflex-fig1", "-out", dir}, io.Discard, check); code != 0 || lines != 2 {
		t.Errorf("figures = %d after %d lines, want 0 and 2", code, lines)
	}
}

// A writer calls itself with each line.
type writer func(line []byte)

func (w writer) Write(line []byte) (int, error) {
	w(line)
	return len(line), nil
}

// only is an example with the figures of one name alone.
func only(example figures.Example, name string) figures.Example {
	return func(o program.Options, terminal io.Writer) (report.Plan, error) {
		p, err := example(o, terminal)
		return p.Only(name), err
	}
}

// A quick run has the verdicts of the published full run beside its own, if that has the paper.
func TestBesideTheFullRun(t *testing.T) {
	t.Chdir(t.TempDir())
	batches, returning := only(circumflex.Plan, "circumflex-fig2"), only(fairqueue.Plan, "fairqueue-returning")
	full := papers.Files(t, figures.Of(batches))
	if err := os.Mkdir("docs", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("docs", "claims.tsv"), []byte(full["claims.tsv"]), 0o666); err != nil {
		t.Fatal(err)
	}
	quick := papers.Files(t, figures.Of(batches, returning), "-quick")
	for name, want := range map[string]int{"circumflex.html": strings.Count(full["claims.tsv"], "\n") - 1, "fairqueue.html": 0} {
		if got := strings.Count(quick[name], "(full run: holds)"); got != want {
			t.Errorf("%s of a quick run has %d verdicts of the full run, want %d", name, got, want)
		}
	}
}

// TestPages: each example has a page, the gallery shows their figures in the order of the list, and
// claims.tsv has their rows in that order. What the pages hold is tested paper by paper (package papers).
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	got := papers.Files(t, figures.Of(only(hfsp.Plan, "hfsp-fig1"), only(circumflex.Plan, "circumflex-fig2"), only(dynamicshare.Plan, "dynamicshare-fig1"),
		only(dynprio.Plan, "dynprio-fig1"), only(shufflewatcher.Plan, "shufflewatcher-fig5"), only(fairqueue.Plan, "fairqueue-returning"), only(backfill.Plan, "backfill-gantt")), "-quick")
	for name, text := range got {
		papers.Sound(t, name, text)
	}
	order := []string{"hfsp-fig1", "circumflex-fig2", "dynamicshare-fig1", "dynprio-fig1", "shufflewatcher-fig5", "fairqueue-returning", "backfill-gantt"}
	gallery, claims := got["index.html"], got["claims.tsv"]
	for _, name := range order {
		paper, item, _ := strings.Cut(name, "-")
		if _, rest, found := strings.Cut(got[paper+".html"], `<article id="`+name+`">`); !found || !strings.Contains(rest, "<svg ") {
			t.Errorf("the page of %s has no article for %s", paper, name)
		}
		_, rest, found := strings.Cut(gallery, `<a href="`+paper+`.html#`+name+`"><svg `)
		if !found {
			t.Errorf("the gallery has no picture for %s behind those before it", name)
		}
		gallery = rest
		if _, rest, found = strings.Cut(claims, "\n"+paper+"\t"+item+"\t"); !found {
			t.Errorf("claims.tsv has no row for %s behind those before it", name)
		}
		claims = "\n" + rest
	}
}

// TestReadingsAreJudgedApart: each main reading names the seeds that judge it, and no reading is
// judged by those that found it.
func TestReadingsAreJudgedApart(t *testing.T) {
	for _, example := range []figures.Example{hfsp.Plan, circumflex.Plan, dynamicshare.Plan, dynprio.Plan, shufflewatcher.Plan} {
		p, err := example(program.Options{Seed: 1}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.Readings {
			if r.Main != "" && r.Judged.N == 0 {
				t.Errorf("%s: no seeds judge the main reading %s", p.Paper, r.Name)
			}
			found, judged := r.Found, r.Judged
			if found.N > 0 && judged.N > 0 && found.First < judged.First+judged.N && judged.First < found.First+found.N {
				t.Errorf("%s: reading %s was found by the repetitions %v and is judged by %v", p.Paper, r.Name, r.Found, r.Judged)
			}
		}
	}
}

// interrupter interrupts the process at the first write.
type interrupter struct{ bytes.Buffer }

func (w *interrupter) Write(b []byte) (int, error) {
	if w.Len() == 0 {
		if self, err := os.FindProcess(os.Getpid()); err != nil || self.Signal(os.Interrupt) != nil {
			panic("cannot be interrupted")
		}
	}
	return w.Buffer.Write(b)
}

// An interrupt leaves the page of the figures that are done.
func TestInterrupt(t *testing.T) {
	var out bytes.Buffer
	var errs interrupter
	dir := t.TempDir()
	code := figures.Main([]string{"-quick", "-out", dir}, &out, &errs)
	page, err := os.ReadFile(filepath.Join(dir, "hfsp.html"))
	last := errs.String()[strings.LastIndex(strings.TrimSuffix(errs.String(), "\n"), "\n")+1:]
	if code != 130 || out.Len() > 0 || !strings.HasPrefix(last, "figures: interrupted: kept ") || !strings.HasSuffix(last, ": wrote "+filepath.Join(dir, "index.html")+"\n") {
		t.Errorf("interrupted: %d, stdout %q, stderr %q", code, out.String(), errs.String())
	}
	if err != nil || !strings.Contains(string(page), "hfsp-fig1") || !strings.Contains(string(page), "The run was interrupted") || strings.Contains(string(page), "backfill-gantt") {
		t.Errorf("the first page of an interrupted run: %v, %d bytes, want Figure 1 and that it was interrupted", err, len(page))
	}
}

func TestOnlyNothing(t *testing.T) {
	for _, only := range []string{"nosuch", "hfsp-fig1,nosuch", "hfsp-fig1,"} {
		var out, errs bytes.Buffer
		dir := filepath.Join(t.TempDir(), "none")
		if code := figures.Main([]string{"-only", only, "-out", dir}, &out, &errs); code != 2 || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("figures -only %s = %d, stdout %q, stderr %q, want 2 and one line on stderr", only, code, out.String(), errs.String())
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("figures -only %s made a directory", only)
		}
	}
}

func TestOnlySeveral(t *testing.T) {
	var out, errs bytes.Buffer
	if code := figures.Main([]string{"-list", "-only", "dynprio-fig1,hfsp-fig2"}, &out, &errs); code != 0 || out.String() != "hfsp-fig2a\nhfsp-fig2b\nhfsp-fig2c\ndynprio-fig1\ndynprio-fig10\ndynprio-fig11\n" {
		t.Errorf("figures -list -only dynprio-fig1,hfsp-fig2 = %d and printed %q", code, out.String())
	}
}

func TestBadFlags(t *testing.T) {
	for name, main := range map[string]papers.Program{"figures": figures.Main, "hfsp": hfsp.Main, "circumflex": circumflex.Main, "dynamicshare": dynamicshare.Main, "dynprio": dynprio.Main, "shufflewatcher": shufflewatcher.Main, "fairqueue": fairqueue.Main, "backfill": backfill.Main} {
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
		if code := main([]string{"--help"}, &out, &errs); code != 0 || errs.Len() > 0 || !strings.Contains(out.String(), "claims.tsv") || !strings.Contains(out.String(), "-quick") || !strings.Contains(out.String(), "on two cores") {
			t.Errorf("%s --help = %d, stdout %q, stderr %q", name, code, out.String(), errs.String())
		}
	}
}
