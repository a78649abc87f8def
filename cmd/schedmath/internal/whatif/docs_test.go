package whatif_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/audit"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/starts"
)

// Each file that docs/trace.md shows is read, and its programs take the flags that it names.
func TestPageOfFormats(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "trace.md"))
	if err != nil {
		t.Fatal(err)
	}
	formats := map[string]int{}
	for _, block := range regexp.MustCompile("(?s)```(csv|swf|swim|tsv|sacct)\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		formats[block[1]]++
		if out, errs, code := run(t, "-trace", trace(t, block[2])); code != 0 || !strings.Contains(out, ": 2 jobs, ") {
			t.Errorf("whatif of\n%s= %d, %q, %q", block[2], code, out, errs)
		}
	}
	if len(formats) != 5 || formats["csv"] != 2 {
		t.Errorf("docs/trace.md has the files %v, want two tables and one of each other format", formats)
	}
	help, _, _ := run(t, "-help")
	var others strings.Builder
	audit.Main([]string{"-help"}, &others, &others)
	starts.Main([]string{"-help"}, &others, &others)
	help += others.String()
	for _, name := range regexp.MustCompile("`(-[a-z-]+)").FindAllStringSubmatch(string(text), -1) {
		if !strings.Contains(help, "\n  "+name[1]) {
			t.Errorf("docs/trace.md names %s, which is no flag", name[1])
		}
	}
}
