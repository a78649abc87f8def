package repository

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A block is code of a page with its language, or an output.
type block struct{ language, text string }

var fence = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

// blocks are those of a page.
func blocks(t *testing.T, page string) (list []block) {
	t.Helper()
	for _, m := range fence.FindAllStringSubmatch(pages(t)[filepath.FromSlash(page)], -1) {
		b := block{m[1], m[2]}
		if n := strings.Count(b.text, "\n"); b.language == "go" && n > 25 {
			t.Errorf("%s has a program of %d lines, want at most 25:\n%s", page, n, b.text)
		}
		list = append(list, b)
	}
	return list
}

// goCommand is a go command, which is skipped where there is none.
func goCommand(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	c := exec.Command("go", args...)
	c.Dir = dir
	return c
}

// TestReadme carries out the commands and the programs of README.md as a reader does, in the clone
// and in a module beside it. Outputs are how what the last command prints begins; the program is
// first/main.go of the clone and main.go of the module.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command in a new module")
	}
	clone, err := os.Getwd()
	must(t, err)
	beside := t.TempDir()
	module, overlay := filepath.Join(beside, "program"), filepath.Join(beside, "overlay.json")
	must(t, os.Mkdir(module, 0o777))
	must(t, os.Symlink(clone, filepath.Join(beside, "schedmath")))
	printed := "" // by the last command
	run := func(dir string, words ...string) {
		c := goCommand(t, dir, words...)
		// Modules come from the cache, as for this test itself. The clone's go.sum has their
		// checksums, the module has none yet: without the network nobody else could tell them.
		c.Env = append(os.Environ(), "GOSUMDB=off")
		var failed strings.Builder
		c.Stderr = &failed
		out, err := c.Output()
		if printed = string(out); err != nil {
			t.Fatalf("go %q in %s: %v\n%s", words, dir, err, failed.String())
		}
	}
	commands, dir := 0, clone
	for _, b := range blocks(t, "README.md") {
		switch b.language {
		case "go":
			main := filepath.Join(module, "main.go")
			must(t, os.WriteFile(main, []byte(b.text), 0o666))
			text, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(clone, "first", "main.go"): main}})
			must(t, err)
			must(t, os.WriteFile(overlay, text, 0o666))
			run(clone, "run", "-overlay", overlay, "./first")
		case "shell":
			for line := range strings.Lines(b.text) {
				words := strings.Fields(line)
				if commands++; words[0] == "go" {
					run(dir, words[1:]...)
				}
			}
			dir = module // of the next block
		case "output":
			if !strings.HasPrefix(printed, b.text) {
				t.Errorf("README.md says that it prints\n%sand it prints\n%s", b.text, printed)
			}
			printed = ""
		}
	}
	if commands != 7 || printed == "" {
		t.Errorf("README.md has %d commands, want 7, and the last one printed %q", commands, printed)
	}
}

// imports are the lines that import what a program names, comments aside, of the standard library,
// of gonum and of the packages that others can import.
func imports(t *testing.T, program string) (lines string) {
	paths := []string{"cmp", "fmt", "math", "math/rand/v2", "slices", "gonum.org/v1/gonum/stat"}
	for dir := range readLibrary(t, source.importable) {
		paths = append(paths, path.Join(modulePath, dir))
	}
	program = regexp.MustCompile("//.*").ReplaceAllString(program, "")
	for _, name := range paths {
		short := path.Base(strings.TrimSuffix(name, "/v2"))
		if regexp.MustCompile(`\b` + short + `\.[A-Z]`).MatchString(program) {
			lines += fmt.Sprintf("import %q\n", name)
		}
	}
	return lines
}

// TestTasks compiles the programs of docs/tasks.md as one and compares what each prints with the
// output below it.
func TestTasks(t *testing.T) {
	const end = "-- end of the program --\n"
	var bodies, wants []string
	for _, b := range blocks(t, "docs/tasks.md") {
		switch b.language {
		case "go":
			bodies, wants = append(bodies, b.text), append(wants, "")
		case "output":
			wants[len(wants)-1] = b.text
		}
	}
	if len(bodies) != 18 || slices.Contains(wants, "") {
		t.Fatalf("docs/tasks.md has %d programs, want 18, each with its output", len(bodies))
	}
	program := ""
	for _, body := range bodies {
		program += fmt.Sprintf("func() {\n%s}()\nfmt.Print(%q)\n", body, end)
	}
	program = "package main\n" + imports(t, program) + "func main() {\n" + program + "}\n"
	file := filepath.Join(t.TempDir(), "main.go")
	must(t, os.WriteFile(file, []byte(program), 0o666))
	printed, err := goCommand(t, "", "run", file).CombinedOutput()
	if err != nil {
		t.Fatalf("go run of the programs: %v\n%s\n%s", err, printed, program)
	}
	for i, got := range strings.SplitAfter(string(printed), end)[:len(bodies)] {
		if got = strings.TrimSuffix(got, end); got != wants[i] {
			t.Errorf("the program\n%sprints\n%swant\n%s", bodies[i], got, wants[i])
		}
	}
}

// TestVerify compiles the programs of docs/verify.md as one file of tests, each of which fails and
// says what the page has below it.
func TestVerify(t *testing.T) {
	program := ""
	var wants []string
	for _, b := range blocks(t, "docs/verify.md") {
		switch b.language {
		case "go":
			program += b.text
		case "output":
			wants = append(wants, strings.TrimSpace(b.text))
		}
	}
	tests := strings.Count(program, "func Test")
	program = "package mine\nimport \"testing\"\nimport \"pgregory.net/rapid\"\n" + imports(t, program) + program
	name := filepath.Join(t.TempDir(), "mine_test.go")
	must(t, os.WriteFile(name, []byte(program), 0o666))
	printed, err := goCommand(t, "", "test", "-count=1", name, "-rapid.nofailfile").CombinedOutput()
	if err == nil || tests != 4 || len(wants) != tests {
		t.Errorf("go test of %d tests with %d outputs = %v, want 4 of each, and a failure", tests, len(wants), err)
	}
	if got := strings.Count(string(printed), "--- FAIL: "); got != tests {
		t.Errorf("%d tests failed, want %d:\n%s", got, tests, printed)
	}
	for _, want := range wants {
		if !strings.Contains(string(printed), want) {
			t.Errorf("no test says %q:\n%s", want, printed)
		}
	}
}
