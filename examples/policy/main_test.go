package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/slotmodel"
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
	file := func(text string) string {
		name := filepath.Join(t.TempDir(), "trace.tsv")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	name := file("a\t0\t0\t9000000000\t0\t0\nb\t100\t100\t1000\t0\t0\n")
	for _, args := range [][]string{{"-jobs", "300"}, {"-trace", name, "-load", "1.5"}} {
		var out bytes.Buffer
		if err := run(args, &out); err != nil {
			t.Fatalf("run(%q) = %v", args, err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		var means []float64
		for _, line := range lines[3:] {
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
	jobs := file("submit\tmaps\tmap_s\treduces\treduce_s\twalltime\n0\t3\t600\t0\t0\t0\n5\t2\t8\t1\t4.5\t0\n6\t1\t50\t0\t0\t10\n")
	swf := file("; Version: 2.2\n") // no jobs
	for _, args := range [][]string{{"-nosuch"}, {"stray"}, {"-load", "0"}, {"-load", "-1"}, {"-load", "NaN"}, {"-trace", name + "x"}, {"-jobs", "-1"}, {"-trace", swf}, {"-trace", file("")},
		{"-trace", jobs, "-load", "0.9"}, {"-trace", file("submit\tmaps\tmap_s\n")}, {"-trace", file("submit\tmaps\tmap_s\twalltime\n0\t1\t9\t3\n")}} {
		var out bytes.Buffer
		if err := run(args, &out); err == nil || out.Len() > 0 {
			t.Errorf("run(%q) = %v and printed %q, want an error alone", args, err, out.String())
		}
	}
	// A job file's times are its own. Of its two jobs that finish one takes 600 s and the other
	// 12.5.
	var own bytes.Buffer
	if err := run([]string{"-trace", jobs}, &own); err != nil || !strings.HasPrefix(own.String(), "2 jobs of 5 maps and 1 reduce on 20 machines;") || !strings.Contains(own.String(), "1 more do not finish under all policies, 0 of them since") || strings.Count(own.String(), "  306.2   306.2  ") != 3 {
		t.Errorf("run of a job file = %v and printed\n%s, want means of 306.2 s", err, own.String())
	}
	// A job wider than the cluster is counted, and in no number.
	wide := file("1 0 -1 10 81 -1 -1 81 -1 -1 1 1 1 -1 1 -1 -1 -1\n2 5 -1 10 80 -1 -1 80 -1 -1 1 1 1 -1 1 -1 -1 -1\n")
	own.Reset()
	if err := run([]string{"-trace", wide}, &own); err != nil || !strings.HasPrefix(own.String(), "1 job of 80 maps") || !strings.Contains(own.String(), "1 of them since they can never run") || strings.Count(own.String(), "  10.0    10.0  10.0  10.0") != 3 {
		t.Errorf("run of a log with a job of 81 processors = %v and printed\n%s", err, own.String())
	}
	var help bytes.Buffer
	if err := run([]string{"-h"}, &help); err != nil || !strings.Contains(help.String(), "a second") || !strings.Contains(help.String(), "-trace") {
		t.Errorf("run(-h) = %v and printed %q, want what it costs and the flags", err, help.String())
	}
}
