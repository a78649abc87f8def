package replay_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/internal/replay"
)

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "trace.tsv")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestLoad(t *testing.T) {
	name := file(t, "a\t0\t0\t30\t0\t0\nb\t10\t10\t2\t1\t3\nc\t20\t10\t0\t0\t0\n")
	w, err := replay.Load(name, 1, 4, 2, 0) // bytes 30, 2+5+3, 0; load 2 over 20 s
	if err != nil {
		t.Fatal(err)
	}
	if w.Synthetic || w.Name != "the trace trace.tsv" || len(w.Jobs) != 3 || w.Jobs[0].Size != 30 || w.Jobs[1].Size != 10 || w.Jobs[2].Size != 0 ||
		w.Jobs[1].Arrival != 10 || w.Jobs[1].Estimate != 10 {
		t.Errorf("Load = %+v, want sizes 30, 10, 0", w)
	}
	if w, err = replay.Load(name, 1, 4, 4, 2); err != nil || len(w.Jobs) != 2 || w.Jobs[0].Size != 30 || !strings.Contains(w.Name, "first 2 jobs") {
		t.Errorf("Load of the first 2 jobs = %+v, %v, want sizes 30, 10", w, err)
	}
}

// The content tells a job file from a trace. Programs that need bytes refuse it.
func TestOpen(t *testing.T) {
	name := file(t, "submit\tmaps\tmap_s\n0\t4\t10\n5\t1\t3\n7\t1\t.1\n")
	for first, want := range map[int]int{0: 3, 1: 1, 2: 2, 9: 3} {
		got, err := replay.Open(name, 1, first, replay.Reading{})
		if err != nil || len(got.Jobs) != want || got.SWIM != nil || got.Len() != want || got.Jobs[want-1].Maps.Work != []float64{10, 3, .1}[want-1] || got.Synthetic {
			t.Errorf("Open of the first %d jobs of a job file = %+v, %v, want %d", first, got, err, want)
		}
	}
	var usage *program.Usage
	if _, err := replay.Read(name, 1, 0); !errors.As(err, &usage) || !strings.Contains(err.Error(), "times of their own") {
		t.Errorf("Read of a job file = %v, want a usage error that names it", err)
	}
	if _, err := replay.Load(name, 1, 4, 0.9, 0); !errors.As(err, &usage) {
		t.Errorf("Load of a job file = %v, want a usage error", err)
	}
	swim, err := replay.Open(file(t, "a\t0\t0\t30\t0\t0\n"), 1, 0, replay.Reading{})
	if err != nil || len(swim.SWIM) != 1 || swim.Jobs != nil {
		t.Errorf("Open of a SWIM trace = %+v, %v", swim, err)
	}
	swf, err := replay.Open(file(t, "; Version: 2.2\n1 5 0 30 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n"), 1, 0, replay.Reading{})
	if err != nil || len(swf.Jobs) != 1 || swf.SWIM != nil || swf.Jobs[0].Maps.Tasks != 4 {
		t.Errorf("Open of a log in SWF = %+v, %v", swf, err)
	}
	for text, want := range map[string]string{
		"; Version: 2.2\n1 0\n":                   "line 2, column 4: line ends after field 2 of 18",
		"submit\tmaps\tmap_s\n0\t-4\t10\n":        `line 2, column 3: maps "-4" is less than 0`,
		"a\t0\t0\t30\t0\t0\n\nb\t0\t0\t3\t0\t0\n": "line 2, column 1: line is empty",
	} {
		name := file(t, text)
		if _, err := replay.Open(name, 1, 0, replay.Reading{}); !errors.Is(err, schedmath.ErrInput) || !strings.HasPrefix(err.Error(), name+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("Open of %q = %v, want %q and the file's name", text, err, want)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	if _, err := replay.Load(filepath.Join(t.TempDir(), "none"), 1, 4, 0.9, 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Load of no file = %v, want fs.ErrNotExist", err)
	}
	if _, err := replay.Load(t.TempDir(), 1, 4, 0.9, 0); err == nil {
		t.Error("Load of a directory = nil error")
	}
	if _, err := replay.Load(file(t, ""), 1, 4, 0.9, 0); !errors.Is(err, schedmath.ErrInput) {
		t.Errorf("Load of an empty trace = %v, want an input error", err)
	}
	for _, text := range []string{"a\t0\t0\t30\t0\n", "a\t0\t0\tx\t0\t0\n", "a\t5\t0\t0\t0\t0\n"} {
		name := file(t, text)
		_, err := replay.Load(name, 1, 4, 0.9, 0)
		if !errors.Is(err, schedmath.ErrInput) || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("Load of %q = %v, want an input error that names the file", text, err)
		}
	}
}

func TestLoadSynthetic(t *testing.T) {
	a, err := replay.Load("", 1, 4, 0.9, 0)
	if err != nil {
		t.Fatal(err)
	}
	b, err := replay.Load("", 1, 4, 0.9, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Jobs) != 24442 || !a.Synthetic || a.Name != "the synthetic day of seed 1" {
		t.Errorf("Load = %d jobs, %v, %q, want the synthetic day of 24442", len(a.Jobs), a.Synthetic, a.Name)
	}
	for i := range a.Jobs {
		if a.Jobs[i] != b.Jobs[i] {
			t.Fatalf("two loads differ at jobs[%d]: %+v, %+v", i, a.Jobs[i], b.Jobs[i])
		}
	}
}
