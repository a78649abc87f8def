package clusters

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/program"
)

func market(t *testing.T, text string) []string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "market")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{"-market", name}
}

// Two teams of one budget, each with one cluster twice as dear to it, bid 2/3 and 1/3.
func TestSymmetric(t *testing.T) {
	var out strings.Builder
	if err := run(market(t, "team budget x y\n\na 300 2 1\nb 300 1 2\n"), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a     200.00, 67%  100.00, 33%  56%", "b     100.00, 33%  200.00, 67%  56%", "83% of what the best division gives", "at 100% at least"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output\n%s\nlacks %q", &out, want)
		}
	}
}

// Without arguments it shows its example and reads nothing.
func TestExample(t *testing.T) {
	var out, file strings.Builder
	if err := run(nil, &out); err != nil {
		t.Fatal(err)
	}
	if err := run(market(t, example), &file); err != nil || !strings.Contains(out.String(), example) || !strings.HasSuffix(out.String(), file.String()) {
		t.Errorf("without arguments:\n%s\nof the example's file, %v:\n%s", &out, err, &file)
	}
}

func TestBadMarkets(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "no team",
		"team budget":                 "line 1: want team, budget and the name of a cluster",
		"team budget x\n":             "no team",
		"team budget x\na 1":          "line 2: 2 fields, want 3",
		"team budget x\na 1 much\n":   `line 2: "much", want a number, 0 or more`,
		"team budget x\na -1 1\n":     `line 2: "-1", want a number, 0 or more`,
		"team budget x\na 1 NaN\n":    `line 2: "NaN", want a number, 0 or more`,
		"team budget x\na 1e-300 1\n": "budgets[0]",
		"team budget x\n\na 1 2 3\n":  "line 3: 4 fields, want 3",
	} {
		var usage *program.Usage
		err := run(market(t, text), new(strings.Builder))
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &usage) && !errors.Is(err, schedmath.ErrInput) {
			t.Errorf("%q: %v, want an error with %q", text, err, want)
		}
	}
}

func TestHelp(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"-h"}, &out); err != nil || !strings.Contains(out.String(), "-reserve BID") {
		t.Errorf("-h: %v\n%s", err, &out)
	}
}
