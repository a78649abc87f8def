package schedmath_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadme runs the program in README.md and compares what it prints with what README.md says.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(language string) string {
		_, rest, found := strings.Cut(string(text), "```"+language+"\n")
		block, _, closed := strings.Cut(rest, "```")
		if !found || !closed {
			t.Fatalf("README.md has no block of %s", language)
		}
		return block
	}
	program := block("go")
	if n := strings.Count(program, "\n"); n > 25 {
		t.Errorf("the program in README.md has %d lines, want at most 25", n)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := exec.Command("go", "run", file).CombinedOutput()
	if err != nil {
		t.Fatalf("go run of the program in README.md: %v\n%s", err, got)
	}
	if want := block("output"); string(got) != want {
		t.Errorf("the program in README.md prints\n%swant\n%s", got, want)
	}
}
