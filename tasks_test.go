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

// packagesOfTasks are those that docs/tasks.md may name, by the last part of their path.
var packagesOfTasks = []string{"fmt", "math", "math/rand/v2", "slices", "gonum.org/v1/gonum/stat",
	modulePath + "/aging", modulePath + "/estimate", modulePath + "/market", modulePath + "/partition",
	modulePath + "/slotmodel", modulePath + "/policy", modulePath + "/slotmodel/workload"}

// TestTasks compiles the blocks of docs/tasks.md as one program and compares what each prints
// with the output below it.
func TestTasks(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("docs", "tasks.md"))
	if err != nil {
		t.Fatal(err)
	}
	const end = "-- end of the block --\n"
	var bodies, wants []string
	for _, block := range fence.FindAllSubmatch(text, -1) {
		switch language, code := string(block[1]), string(block[2]); language {
		case "go":
			if n := strings.Count(code, "\n"); n > 20 {
				t.Errorf("docs/tasks.md has a block of %d lines, want at most 20:\n%s", n, code)
			}
			bodies = append(bodies, code)
			wants = append(wants, "")
		case "output":
			wants[len(wants)-1] = code
		}
	}
	if len(bodies) != 5 || slices.Contains(wants, "") {
		t.Fatalf("docs/tasks.md has %d blocks, want 5, each with its output", len(bodies))
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
	if err := os.WriteFile(file, program.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	printed, err := exec.Command("go", "run", file).CombinedOutput()
	if err != nil {
		t.Fatalf("go run of the blocks of docs/tasks.md: %v\n%s\n%s", err, printed, program.Bytes())
	}
	for i, got := range strings.SplitAfter(string(printed), end)[:len(bodies)] {
		if got = strings.TrimSuffix(got, end); got != wants[i] {
			t.Errorf("block %d of docs/tasks.md prints\n%swant\n%s", i, got, wants[i])
		}
	}
}
