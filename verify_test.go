package schedmath_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVerify compiles the blocks of docs/verify.md as one file of tests, each of which fails and
// says what the page has below it.
func TestVerify(t *testing.T) {
	text, err := os.ReadFile(filepath.FromSlash("docs/verify.md"))
	must(t, err)
	var file bytes.Buffer
	fmt.Fprintf(&file, "package mine\nimport (\n\"testing\"\n\"pgregory.net/rapid\"\n%q\n%q\n)\n", modulePath+"/schedtest", modulePath+"/slotmodel")
	var wants []string
	tests := 0
	for _, block := range fence.FindAllSubmatch(text, -1) {
		switch code := string(block[2]); string(block[1]) {
		case "go":
			file.WriteString(code)
			tests += strings.Count(code, "func Test")
		case "output":
			wants = append(wants, strings.TrimSpace(code))
		}
	}
	name := filepath.Join(t.TempDir(), "mine_test.go")
	must(t, os.WriteFile(name, file.Bytes(), 0o666))
	printed, err := exec.Command("go", "test", "-count=1", name, "-rapid.nofailfile").CombinedOutput()
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
