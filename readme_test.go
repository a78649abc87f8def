package schedmath_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// firstProgram is the section of README.md with the first program, its heading included.
var firstProgram = regexp.MustCompile(`(?s)\n(## [^\n]*first program\n.*?)\n## `)

// fence is a block of code with its language.
var fence = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

// TestReadme carries out the section of README.md on the first program, block by block, as a reader
// does: in an empty folder beside a clone.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command in a new module")
	}
	text, err := os.ReadFile("README.md")
	must(t, err)
	section := firstProgram.FindSubmatch(text)
	if section == nil {
		t.Fatal("README.md has no section with a first program")
	}
	clone, err := os.Getwd()
	must(t, err)
	beside := t.TempDir()
	folder := filepath.Join(beside, "program")
	must(t, os.Mkdir(folder, 0o777))
	must(t, os.Symlink(clone, filepath.Join(beside, "schedmath")))
	var languages []string
	var printed string // by the last command
	for _, block := range fence.FindAllSubmatch(section[1], -1) {
		language, code := string(block[1]), string(block[2])
		languages = append(languages, language)
		switch language {
		case "go":
			if n := strings.Count(code, "\n"); n > 25 {
				t.Errorf("the program in README.md has %d lines, want at most 25", n)
			}
			must(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte(code), 0o666))
		case "shell":
			for line := range strings.Lines(code) {
				printed = runIn(t, folder, strings.Fields(line))
			}
		case "output":
			if printed != code {
				t.Errorf("the program in README.md prints\n%swant\n%s", printed, code)
			}
		}
	}
	if want := []string{"shell", "go", "shell", "shell", "output"}; !slices.Equal(languages, want) {
		t.Errorf("the section's blocks are of %q, want %q", languages, want)
	}
}

// runIn runs a command in the folder and returns what it printed.
func runIn(t *testing.T, folder string, command []string) string {
	t.Helper()
	c := exec.Command(command[0], command[1:]...)
	c.Dir = folder
	// Modules come from the cache, as for this test itself. The clone's go.sum has their checksums,
	// the folder has none yet: without the network nobody else could tell them.
	c.Env = append(os.Environ(), "GOSUMDB=off", "GOWORK=")
	var failed strings.Builder
	c.Stderr = &failed
	printed, err := c.Output()
	if err != nil {
		t.Fatalf("%q in an empty folder beside a clone: %v\n%s", command, err, failed.String())
	}
	return string(printed)
}
