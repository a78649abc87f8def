package whatif_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tree is what the files of a folder hold.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		files[filepath.Base(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// The parts of a comparison, joined, give what one run gives, to the byte: table, page and files.
func TestJoinedPartsAreOneRun(t *testing.T) {
	for name, args := range map[string][]string{
		"one server, errors": {"-trace", random(t), "-sigma", "1", "-seeds", "3"},
		"a log of users":     {"-trace", samples + "sacct.txt", "-by", "team"},
		"arrivals drawn":     {"-trace", samples + "sacct.txt", "-seeds", "4", "-policies", "hfsp,easy,fifo"},
		"around windows":     {"-trace", trace(t, maintained), "-window", trace(t, "from,to,processors\n45,200,4\n")},
		"the synthetic day":  {"-quick", "-policies", "srpt,fsp", "-seeds", "2"},
	} {
		dir := t.TempDir()
		result := filepath.Join(dir, "result")
		shown := []string{"-out", result, "-html", filepath.Join(dir, "page.html"), "-format", "json"}
		out, errs, code := run(t, append(args, shown...)...)
		want, page := tree(t, result), tree(t, dir)["page.html"]
		if code != 0 || len(want) < 4 {
			t.Fatalf("%s = %d, %q", name, code, errs)
		}
		for _, of := range []int{1, 3, 40} { // with parts of no run
			var parts []string
			for p := of; p > 0; p-- {
				file := filepath.Join(t.TempDir(), fmt.Sprintf("part%d.json", p))
				if out, errs, code := run(t, append(args, "-part", fmt.Sprintf("%d/%d", p, of), "-out", file)...); code != 0 || out != "" {
					t.Fatalf("%s: part %d of %d = %d, %q", name, p, of, code, errs)
				}
				parts = append(parts, file)
			}
			if err := os.RemoveAll(result); err != nil {
				t.Fatal(err)
			}
			got, errs, code := run(t, append(append(shown, "-join"), parts...)...)
			if code != 0 || got != out {
				t.Fatalf("%s: joined %d parts = %d, %q: %q, want %q", name, of, code, errs, got, out)
			}
			if files := tree(t, dir); files["page.html"] != page {
				t.Errorf("%s: the page of %d parts is another", name, of)
			}
			files := tree(t, result)
			for file := range want {
				if files[file] != want[file] || len(files) != len(want) {
					t.Errorf("%s: %s of %d parts is another", name, file, of)
				}
			}
		}
	}
}

// A part that is missing is named, and what is left is shown only when asked for.
func TestMissingParts(t *testing.T) {
	args := []string{"-trace", samples + "sacct.txt", "-seeds", "3", "-policies", "fifo,srpt"} // 3 runs a seed
	dir := t.TempDir()
	part := func(p, of int, more ...string) string {
		file := filepath.Join(dir, fmt.Sprintf("part%d-%d%s.json", p, of, strings.Join(more, "")))
		if _, errs, code := run(t, append(append(args, more...), "-part", fmt.Sprintf("%d/%d", p, of), "-out", file)...); code != 0 {
			t.Fatal(errs)
		}
		return file
	}
	one, two, four := part(1, 9), part(2, 9), part(4, 9)
	three, other := part(3, 9), part(5, 9, "-machines", "9")
	empty := filepath.Join(dir, "empty.json")
	if _, errs, code := run(t, append(args, "-part", "10/10", "-out", empty)...); code != 0 || !strings.Contains(errs, "wrote 0 runs of part 10 of 10 into "+empty+": there are only 9") {
		t.Errorf("a part of no run = %d, %q", code, errs)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-join", one, two, four}, "the parts 3, 5, 6, 7, 8, 9 of 9 are missing: -partial"},
		{[]string{"-partial", "-join", one, four}, "no seed is whole"},
		{[]string{"-join", one, one}, "both part 1"}, {[]string{"-join", one, other}, "another run"},
		{[]string{"-join", one, part(2, 8)}, "part2-8.json is part 2 of 8 beside " + one + ", part 1 of 9"}, {[]string{"-machines", "7", "-partial", "-join", one, two, three}, "other jobs or settings"},
		{[]string{"-join"}, "part*.json"}, {[]string{"-join", filepath.Join(dir, "none")}, "none"}, {[]string{"-join", samples + "log.csv"}, "no part"},
		{append(args, "-part", "1/2"), "-out FILE"}, {append(args, "-part", "3/2", "-out", "x"), "-part"}, {append(args, "-part", "a", "-out", "x"), "-part"},
		{append(args, "-part", "1/2", "-out", filepath.Join(dir, "none", "x")), "is no directory"}, {append(args, "-partial"), "-partial is for -join"},
		{[]string{one}, "unexpected argument"},
	} {
		if out, errs, code := run(t, c.args...); code != 2 || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("whatif %q = %d, %q, want %q", c.args, code, errs, c.want)
		}
	}
	if out, errs, code := run(t, "-partial", "-join", one, two, three, four); code != 0 || !strings.Contains(out, "the parts 5, 6, 7, 8, 9 of 9 are missing: 1 of 3 seeds are whole, 1") {
		t.Errorf("the first seed alone = %d, %q, %q", code, out, errs)
	}
}

// The script for Slurm and the manifest for Kubernetes, each played as 16 processes, make parts
// that join.
func TestManyMachines(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program and starts many processes")
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "schedmath"), "../..").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	jobs := "user,submit,tasks,run\n"
	for i := range 30 {
		jobs += fmt.Sprintf("u%d,%d,%d,%d\n", i%3, 10*i, 1+i%5, 20+i%7*30)
	}
	script, err := os.ReadFile("../../array.sh")
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile("../../indexed-job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	array := regexp.MustCompile(`(?m)^#SBATCH --array=1-(\d+)$`).FindSubmatch(script)
	completions := regexp.MustCompile(`(?m)^  completions: (\d+)$`).FindSubmatch(manifest)
	inline := regexp.MustCompile(`(?ms)^            - /bin/sh\n            - -euc\n            - \|\n(.*?)^          volumeMounts`).FindSubmatch(manifest)
	if array == nil || completions == nil || inline == nil || string(array[1]) != "16" || string(completions[1]) != "16" || !bytes.Contains(manifest, []byte("completionMode: Indexed")) {
		t.Fatalf("16 parts of the script: %s; of the manifest: %s, %s", array, completions, inline)
	}
	for name, c := range map[string]struct {
		text        string
		shell       []string
		environment func(i int) []string
	}{
		"array.sh": {string(script), []string{"bash", "-c", string(script)}, func(i int) []string {
			return []string{fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", i+1), "SLURM_ARRAY_TASK_COUNT=1"} // as of a task that is submitted again
		}},
		"indexed-job.yaml": {string(manifest), []string{"/bin/sh", "-euc", string(inline[1])}, func(i int) []string { return []string{fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i)} }},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "jobs.csv"), []byte(jobs), 0o666); err != nil {
			t.Fatal(err)
		}
		command := func(environment []string, argv ...string) string {
			p := exec.Command(argv[0], argv[1:]...)
			p.Dir, p.Env = dir, append(append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH")), environment...)
			out, err := p.Output()
			if err != nil {
				t.Fatalf("%s: %q: %v", name, argv, err)
			}
			return string(out)
		}
		for i := range 16 {
			command(c.environment(i), c.shell...)
		}
		said := regexp.MustCompile(`(?m)^#   (schedmath whatif .*)$`).FindStringSubmatch(c.text)
		if said == nil {
			t.Fatalf("%s does not say how to join", name)
		}
		joined := command(nil, "sh", "-c", said[1])
		if _, err := os.Stat(filepath.Join(dir, "whatif.html")); err != nil {
			t.Errorf("%s: %q makes no page", name, said[1])
		}
		if one := command(nil, "sh", "-c", "schedmath whatif -trace jobs.csv -seeds 20"); joined != one || !strings.Contains(one, "means over 20 seeds") {
			t.Errorf("%s gives\n%s, one run\n%s", name, joined, one)
		}
	}
}
