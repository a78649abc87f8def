package program_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAllPrograms: every program of the examples and every command of schedmath prints its help and
// its version on stdout and exits with 0, and says in one line on stderr what is wrong with its
// arguments and exits with 2.
func TestAllPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every program")
	}
	dir := t.TempDir()
	build := exec.Command("go", "install", "-ldflags=-s -w", "../../examples/...", "../../cmd/schedmath") // without symbols links take half as long
	build.Env = append(os.Environ(), "GOBIN="+dir)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go install: %v\n%s", err, out)
	}
	installed, err := os.ReadDir(dir)
	var programs [][]string // the words of each
	for _, p := range installed {
		// policy is a file to copy, so that package flag alone reads its arguments.
		if name := strings.TrimSuffix(p.Name(), ".exe"); name != "schedmath" && name != "policy" {
			programs = append(programs, []string{name})
		}
	}
	for _, name := range []string{"whatif", "audit", "starts", "lab", "cisplit", "boost", "clusters"} {
		programs = append(programs, []string{"schedmath", name})
	}
	if err != nil || len(programs) < 14 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	for _, words := range programs {
		name := strings.Join(words, " ")
		for _, c := range []struct {
			arg  string
			code int
			want string // in what is printed
		}{
			{"-h", 0, "\nFlags:\n"},
			{"-help", 0, "-version"},
			{"-version", 0, words[len(words)-1] + " "},
			{"-nosuch", 2, "-nosuch"},
			{"-version=perhaps", 2, "perhaps"},
			{"-", 2, ""}, // no program reads a file that is neither named by a flag nor a report
		} {
			var stdout, stderr bytes.Buffer
			command := exec.Command(filepath.Join(dir, words[0]), append(words[1:len(words):len(words)], c.arg)...)
			command.Dir, command.Stdout, command.Stderr = t.TempDir(), &stdout, &stderr
			err := command.Run()
			if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			said, silent := &stdout, &stderr
			if c.code != 0 {
				said, silent = silent, said
			}
			lines := strings.Count(said.String(), "\n")
			if code := command.ProcessState.ExitCode(); code != c.code || silent.Len() > 0 || !strings.Contains(said.String(), c.want) || c.code != 0 && lines != 1 {
				t.Errorf("%s %s = %d, stdout %q, stderr %q, want %d and %q", name, c.arg, code, stdout.String(), stderr.String(), c.code, c.want)
			}
		}
	}
}
