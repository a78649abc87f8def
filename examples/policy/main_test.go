package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/policy"
)

// On one slot the first task of job 0 runs until 10 s. Then job 0 has two tasks left and job 1 one.
func TestFewestLeft(t *testing.T) {
	cluster := &slotmodel.Cluster{Nodes: []slotmodel.NodeSpec{{Maps: 1}}}
	jobs := []slotmodel.JobSpec{
		{Maps: slotmodel.Phase{Tasks: 3, Work: 10}},
		{Maps: slotmodel.Phase{Tasks: 1, Work: 10}, Arrival: 1},
	}
	r, err := slotmodel.Run(cluster, jobs, &policy.Greedy{Inner: policy.By(fewestLeft)}, slotmodel.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := []float64{r.Jobs[0].Finish, r.Jobs[1].Finish}; !slices.Equal(got, []float64{40, 20}) {
		t.Errorf("jobs of 3 tasks and of 1 end at %v s, want 40 and 20", got)
	}
}

func TestRun(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace.tsv")
	if err := os.WriteFile(name, []byte("a\t0\t0\t9000000000\t0\t0\nb\t100\t100\t1000\t0\t0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-jobs", "300"}, {"-trace", name, "-load", "1.5"}} {
		var out bytes.Buffer
		if err := run(args, &out); err != nil {
			t.Fatalf("run(%q) = %v", args, err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		var means []float64
		for _, line := range lines[2:] {
			cells := strings.Fields(line)
			mean, err := strconv.ParseFloat(cells[len(cells)-4], 64)
			if err != nil || mean <= 0 {
				t.Errorf("run(%q): row %q has the mean %v, %v", args, line, mean, err)
			}
			means = append(means, mean)
		}
		if len(means) != 3 || means[0] > means[1] {
			t.Errorf("run(%q) printed\n%swant three rows, and small jobs first no worse than FIFO", args, out.String())
		}
	}
	for _, args := range [][]string{{"-nosuch"}, {"stray"}, {"-load", "-1"}, {"-load", "NaN"}, {"-trace", name + "x"}} {
		var out bytes.Buffer
		if err := run(args, &out); err == nil || out.Len() > 0 {
			t.Errorf("run(%q) = %v and printed %q, want an error alone", args, err, out.String())
		}
	}
	var help bytes.Buffer
	if err := run([]string{"-h"}, &help); err != nil || !strings.Contains(help.String(), "a second") || !strings.Contains(help.String(), "-trace") {
		t.Errorf("run(-h) = %v and printed %q, want what it costs and the flags", err, help.String())
	}
}
