package report_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/internal/program"
)

// planOf is a plan of figures that are all alike but for their names; log tells what was done.
func planOf(log *[]string, items ...string) report.Plan {
	note := func(what string) { *log = append(*log, what) }
	need := sync.OnceValues(func() (string, error) { note("need"); return "1", nil })
	p := report.Plan{Paper: "a", Title: "Title", Intro: func() (string, error) { note("intro"); return "Intro", nil }}
	for _, name := range items {
		p.Items = append(p.Items, report.Item{Name: name, Make: report.From(need, func(string) (report.Figure, error) {
			note(name)
			f := section("a").Figures[0]
			if name == "fig2" {
				f.Claims = section("a", report.Claim{Holds: true, Margin: 4}, report.Claim{Holds: true, Margin: 4}, report.Claim{Holds: true, Margin: 1}, report.Claim{Margin: -4}).Figures[0].Claims
			}
			return f, nil
		})})
	}
	return p
}

func TestPlan(t *testing.T) {
	var log []string
	p := planOf(&log, "fig1", "fig2a", "fig2b")
	if got, want := p.Names(), []string{"a-fig1", "a-fig2a", "a-fig2b"}; !slices.Equal(got, want) {
		t.Errorf("Names = %q, want %q", got, want)
	}
	for prefix, want := range map[string]int{"": 3, "a": 3, "a-fig2": 2, "a-fig2b": 1, "fig2": 0, "a-fig2bc": 0} {
		if got := len(p.Only(prefix).Items); got != want {
			t.Errorf("Only(%q) leaves %d figures, want %d", prefix, got, want)
		}
	}
	dir := t.TempDir()
	for k := range p.Items {
		make := p.Items[k].Make
		p.Items[k].Make = func() (report.Figure, error) {
			if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2*k {
				t.Errorf("figure %d is made when %d files are written, %v, want %d", k, len(entries), err, 2*k)
			}
			return make()
		}
	}
	s, err := p.Write(dir, false, "program", io.Discard)
	if want := "intro need fig1 fig2a fig2b"; err != nil || strings.Join(log, " ") != want {
		t.Errorf("Write did %q, %v, want %q", log, err, want)
	}
	if s.Paper != "a" || s.Title != "Title" || s.Intro != "Intro" || len(s.Figures) != 3 {
		t.Errorf("Write = %+v", s)
	}
}

func TestPlanErrors(t *testing.T) {
	bad := errors.New("bad")
	for name, spoil := range map[string]func(p *report.Plan){
		"intro": func(p *report.Plan) { p.Intro = func() (string, error) { return "", bad } },
		"need": func(p *report.Plan) {
			p.Items[1].Make = report.From(func() (int, error) { return 0, bad }, func(int) (report.Figure, error) { return report.Figure{}, nil })
		},
		"make": func(p *report.Plan) { p.Items[1].Make = func() (report.Figure, error) { return report.Figure{}, bad } },
	} {
		var log []string
		p := planOf(&log, "fig1", "fig2")
		spoil(&p)
		if _, err := p.Write(t.TempDir(), false, "program", io.Discard); !errors.Is(err, bad) {
			t.Errorf("Write with a bad %s = %v, want that error", name, err)
		}
	}
	var log []string
	p := planOf(&log, "fig1", "fig2")
	if _, err := p.Write(filepath.Join(t.TempDir(), "none"), false, "program", io.Discard); !errors.Is(err, fs.ErrNotExist) || slices.Contains(log, "fig2") {
		t.Errorf("Write into a directory that does not exist = %v and did %q, want that error after the first", err, log)
	}
}

func TestPlanWrite(t *testing.T) {
	var log []string
	dir := t.TempDir()
	var stderr bytes.Buffer
	p := planOf(&log, "fig1", "fig2")
	p.Quick = true
	if _, err := p.Write(dir, true, "program", &stderr); err != nil {
		t.Fatal(err)
	}
	if got, want := stderr.String(), "program: a-fig1 (1 of 2)\nprogram: a-fig2 (2 of 2): 2 of 3 hold, 1 undecided\n"; got != want {
		t.Errorf("Write printed %q, want %q", got, want)
	}
	for _, figure := range []string{"a-fig1", "a-fig2"} {
		for ending, want := range map[string]string{".svg": "<?xml", ".tsv": "x\ty\n1\t0.5\n", ".png": "\x89PNG"} {
			if b, err := os.ReadFile(filepath.Join(dir, figure+ending)); err != nil || !strings.HasPrefix(string(b), want) {
				t.Errorf("%s%s holds %.20q, %v, want %q first", figure, ending, b, err, want)
			}
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 6 {
		t.Errorf("Write left %d files, %v, want 6", len(entries), err)
	}
}

// An interrupt during the third figure leaves the first two on disk, with their claims, and says
// so; during the first it leaves nothing.
func TestInterrupt(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at        int // number of the figure that is interrupted
		want      string
		claimRows int
	}{
		{2, "program: interrupted: kept 2 of 3 figures of a in DIR\n", 3},
		{0, "program: interrupted: nothing was kept\n", 0},
	} {
		dir := t.TempDir()
		never := make(chan struct{})
		p := planOf(new([]string), "fig1", "fig2", "fig3")
		p.Items[c.at].Make = func() (report.Figure, error) {
			if err := self.Signal(os.Interrupt); err != nil {
				t.Error(err)
			}
			<-never
			return report.Figure{}, nil
		}
		p.Items[1].Kind = report.Theory
		program := report.Program{Name: "program", Plan: func(program.Options, io.Writer) (report.Plan, error) { return p, nil }}
		for i, make := range []func() (report.Figure, error){p.Items[0].Make, p.Items[1].Make} {
			if i < c.at {
				p.Items[i].Make = func() (report.Figure, error) {
					f, err := make()
					f.Claims = []report.Claim{{Holds: true}}
					return f, err
				}
			}
		}
		var stdout, stderr bytes.Buffer
		code := program.Main([]string{"-out", dir}, &stdout, &stderr)
		lines := strings.SplitAfter(stderr.String(), "\n")
		if got := strings.ReplaceAll(lines[max(0, len(lines)-2)], dir, "DIR"); code != 130 || got != c.want || stdout.Len() > 0 {
			t.Errorf("interrupted at figure %d: %d, stdout %q, stderr %q, want 130 and %q", c.at, code, stdout.String(), stderr.String(), c.want)
		}
		claims, _ := os.ReadFile(filepath.Join(dir, "claims.tsv"))
		if got := strings.Count(string(claims), "\n"); got != c.claimRows {
			t.Errorf("interrupted at figure %d: claims.tsv has %d lines, want %d", c.at, got, c.claimRows)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != max(0, 2*c.at+min(1, c.at)) {
			t.Errorf("interrupted at figure %d: left %d files, %v", c.at, len(entries), err)
		}
		close(never)
	}
}

func TestClaims(t *testing.T) {
	list := []report.Claim{{Claim: "x", Holds: true, Note: "why not"}, {Claim: "y", Note: "why", Kind: report.Beyond}}
	for _, c := range []struct {
		basis, holds, fails string // the basis and the notes
		kind                report.Kind
	}{{"rests on x", "rests on x", "why; rests on x", report.Theory}, {"", "", "why", report.Measured}} {
		s, err := written(t, report.Plan{}, report.Item{Basis: c.basis, Kind: c.kind}, slices.Clone(list)...)
		if err != nil {
			t.Fatal(err)
		}
		want := []report.Claim{{Paper: "p", Item: "i", Claim: "x", Holds: true, Note: c.holds, Kind: c.kind}, {Paper: "p", Item: "i", Claim: "y", Note: c.fails, Kind: report.Beyond}}
		if got := s.Figures[0].Claims; !slices.Equal(got, want) {
			t.Errorf("claims with the basis %q = %+v, want %+v", c.basis, got, want)
		}
	}
}
