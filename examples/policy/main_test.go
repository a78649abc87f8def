package main

import (
	"bytes"
	"os"
	"os/exec"
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
	// rows are the cells of each policy: the mean, the median, the 95th percentile, and how many jobs end.
	rows := func(args ...string) (map[string]string, string) {
		var out bytes.Buffer
		if err := run(args, &out); err != nil {
			t.Fatalf("run(%q) = %v", args, err)
		}
		list := map[string]string{}
		for line := range strings.Lines(out.String()) {
			if f := strings.Fields(line); slices.Contains([]string{"left", "EASY", "FIFO", "HFSP"}, f[max(0, len(f)-5)]) {
				list[f[len(f)-5]] = strings.Join(f[len(f)-4:], " ")
			}
		}
		return list, out.String()
	}
	name := file("a\t0\t0\t9000000000\t0\t0\nb\t100\t100\t1000\t0\t0\n")
	for _, args := range [][]string{{"-jobs", "300"}, {"-trace", name, "-load", "1.5"}} {
		list, out := rows(args...)
		mean := func(policy string) float64 {
			x, err := strconv.ParseFloat(strings.Fields(list[policy])[0], 64)
			if err != nil || x <= 0 {
				t.Errorf("run(%q): %s has the mean %v, %v", args, policy, x, err)
			}
			return x
		}
		if len(list) != 4 || mean("left") > mean("FIFO") || strings.Contains(out, "warning") != (len(args) > 2) {
			t.Errorf("run(%q) printed\n%swant four rows, small jobs first no worse than FIFO, and a warning above load 1", args, out)
		}
	}
	for _, args := range [][]string{{"-nosuch"}, {"stray"}, {"-load", "-1"}, {"-load", "NaN"}, {"-trace", name + "x"}, {"-jobs", "-1"}, {"-machines", "-1"}, {"-trace", file("; Version: 2.2\n")}, {"-trace", file("")}} {
		var out bytes.Buffer
		if err := run(args, &out); err == nil || out.Len() > 0 {
			t.Errorf("run(%q) = %v and printed %q, want an error alone", args, err, out.String())
		}
	}
	// Of the three jobs of a job file two end, after 600 s and after 12.5.
	list, out := rows("-trace", file("submit\tmaps\tmap_s\treduces\treduce_s\twalltime\n0\t3\t600\t0\t0\t0\n5\t2\t8\t1\t4.5\t0\n6\t1\t50\t0\t0\t10\n"))
	if !strings.HasPrefix(out, "3 jobs on 20 machines;") || list["FIFO"] != "306.2 12.5 600.0 2" {
		t.Errorf("a job file: %s", out)
	}
	// A log has as many machines as its header says, or its widest job needs. Of its jobs of 4, 8 and 4
	// processors on 8, for 100, 100 and 50 s, the last goes first under EASY, which delays nobody.
	log := "1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1\n2 1 -1 100 8 -1 -1 8 100 -1 1 1 1 -1 1 -1 -1 -1\n3 2 -1 50 4 -1 -1 4 50 -1 1 1 1 -1 1 -1 -1 -1\n"
	for _, c := range []struct{ text, machines, easy, fifo string }{
		{log, "2", "116.3 100.0 199.0 3", "182.3 199.0 248.0 3"},
		{"; MaxProcs: 15\n" + log, "4", "83.3 100.0 100.0 3", "83.3 100.0 100.0 3"},
	} {
		if list, out := rows("-trace", file(c.text)); !strings.HasPrefix(out, "3 jobs on "+c.machines+" machines;") || list["EASY"] != c.easy || list["FIFO"] != c.fifo {
			t.Errorf("a log on %s machines: %s", c.machines, out)
		}
	}
}

// The program is one file that compiles outside the repository, copied beside a go.mod of its own.
func TestCopied(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	source, err := os.ReadFile("main.go")
	if lines := bytes.Count(source, []byte{'\n'}); err != nil || lines > 120 {
		t.Errorf("main.go has %d lines, error %v, want at most 120", lines, err)
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	const module = "module mine\n\ngo 1.24\n\nrequire github.com/schedmath/schedmath v0.0.0\n\nreplace github.com/schedmath/schedmath => "
	for name, text := range map[string][]byte{"main.go": source, "go.sum": sums, "go.mod": []byte(module + root + "\n")} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "vet", "-mod=mod", ".")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("go vet of the copy: %v, %s", err, out)
	}
}
