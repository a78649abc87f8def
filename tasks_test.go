package schedmath_test

import (
	"bytes"
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

// packagesOfTasks are those that the pages of TestTasks may name, by the last part of their path.
var packagesOfTasks = []string{"cmp", "fmt", "math", "math/rand/v2", "slices", "gonum.org/v1/gonum/stat",
	modulePath + "/aging", modulePath + "/audit", modulePath + "/backfill", modulePath + "/estimate", modulePath + "/fairqueue", modulePath + "/malleable", modulePath + "/market",
	modulePath + "/partition", modulePath + "/precedence", modulePath + "/slotmodel", modulePath + "/policy", modulePath + "/slotmodel/workload"}

// TestTasks compiles the blocks of docs/tasks.md and docs/next.md as one program and compares what
// each prints with the output below it.
func TestTasks(t *testing.T) {
	const end = "-- end of the block --\n"
	var bodies, wants, places []string
	for page, blocks := range map[string]int{"docs/tasks.md": 10, "docs/next.md": 7} {
		text, err := os.ReadFile(filepath.FromSlash(page))
		must(t, err)
		before := len(bodies)
		for _, block := range fence.FindAllSubmatch(text, -1) {
			switch language, code := string(block[1]), string(block[2]); language {
			case "go":
				if n := strings.Count(code, "\n"); n > 25 {
					t.Errorf("%s has a block of %d lines, want at most 25:\n%s", page, n, code)
				}
				bodies = append(bodies, code)
				wants = append(wants, "")
				places = append(places, fmt.Sprintf("block %d of %s", len(bodies)-1-before, page))
			case "output":
				wants[len(wants)-1] = code
			}
		}
		if n := len(bodies) - before; n != blocks || slices.Contains(wants, "") {
			t.Fatalf("%s has %d blocks, want %d, each with its output", page, n, blocks)
		}
	}
	var program bytes.Buffer
	fmt.Fprintln(&program, "package main")
	for _, name := range packagesOfTasks {
		short := path.Base(strings.TrimSuffix(name, "/v2"))
		if regexp.MustCompile(`\b`+short+`\.[A-Z]`).MatchString(strings.Join(bodies, "")) || short == "fmt" {
			fmt.Fprintf(&program, "import %q\n", name)
		}
	}
	fmt.Fprintln(&program, "func main() {")
	for _, body := range bodies {
		fmt.Fprintf(&program, "func() {\n%s}()\nfmt.Print(%q)\n", body, end)
	}
	fmt.Fprintln(&program, "}")
	file := filepath.Join(t.TempDir(), "main.go")
	must(t, os.WriteFile(file, program.Bytes(), 0o666))
	printed, err := exec.Command("go", "run", file).CombinedOutput()
	if err != nil {
		t.Fatalf("go run of the blocks: %v\n%s\n%s", err, printed, program.Bytes())
	}
	for i, got := range strings.SplitAfter(string(printed), end)[:len(bodies)] {
		if got = strings.TrimSuffix(got, end); got != wants[i] {
			t.Errorf("%s prints\n%swant\n%s", places[i], got, wants[i])
		}
	}
}
