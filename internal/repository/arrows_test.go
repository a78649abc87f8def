package repository

import (
	"path"
	"strconv"
	"strings"
	"testing"
)

// arrows lists what packages may import, besides the standard library and the root package: of the
// module and of others. A package without a line goes by that of the folder above it. "x/..." is x
// and what is below it. Files of tests import what they like, those of the oracles excepted.
var arrows = map[string]struct{ module, others string }{
	"": {},
	// The algorithms.
	"aging":              {"internal/...", ""},
	"audit":              {"internal/... aging drf", ""},
	"backfill":           {"internal/...", ""},
	"drf":                {"internal/...", ""},
	"estimate":           {"internal/...", "gonum.org/v1/gonum/..."},
	"estimate/nearest":   {"internal/... estimate knn", ""},
	"fairqueue":          {"internal/...", ""},
	"knn":                {"internal/...", "gonum.org/v1/gonum/mat"},
	"ledger":             {"internal/...", ""},
	"lof":                {"internal/...", "gonum.org/v1/gonum/mat"},
	"malleable":          {"internal/... precedence", ""},
	"market":             {"internal/... ledger", ""},
	"market/equilibrium": {"internal/...", "gonum.org/v1/gonum/mat"},
	"partition":          {"internal/...", ""},
	"precedence":         {"internal/...", ""},
	"sharedscan":         {"internal/... precedence malleable", ""},
	"shuffle":            {"internal/...", ""},
	// What checks them shares no code with them: the model of a cluster, and the oracles.
	"slotmodel":             {"slotmodel/...", ""},
	"slotmodel/workload":    {"slotmodel/... joblog", "gonum.org/v1/gonum/..."},
	"internal/oracle":       {"internal/oracle/...", "gonum.org/v1/gonum/..."},
	"internal/oracle/drawn": {"internal/oracle/...", "pgregory.net/rapid"},
	// A policy's view, the pieces of a schedule (TestSchedtestNamesPieces), words of enumerations.
	"schedtest": {"slotmodel malleable internal/enum", "pgregory.net/rapid"},
	// What reads logs knows no model, and what several packages share knows none of them.
	"joblog":   {"internal/slurm", ""},
	"internal": {"internal/...", ""},
	// Policies join models and algorithms; those of one paper do not know those of another.
	"policy":                     {"internal/... slotmodel/... policy/internal backfill fairqueue drf", ""},
	"policy/internal":            {"internal/... slotmodel/...", ""},
	"policy/internal/policytest": {"internal/... slotmodel/... policy", "pgregory.net/rapid"},
	"policy/circumflex":          {"internal/... slotmodel/... policy policy/internal malleable precedence sharedscan", ""},
	"policy/dynprio":             {"internal/... slotmodel/... policy policy/internal market", ""},
	"policy/hfsp":                {"internal/... slotmodel/... policy policy/internal aging estimate", ""},
	"policy/queues":              {"internal/... slotmodel/... policy policy/internal estimate", ""},
	"policy/shufflewatcher":      {"internal/... slotmodel/... policy policy/internal shuffle", ""},
	// The operator's programs, and what they share with the examples.
	"cmd":              {"...", "gonum.org/v1/gonum/..."},
	"internal/batch":   {"internal/... backfill policy slotmodel/...", ""},
	"internal/numbers": {"", "gonum.org/v1/gonum/..."},
	"internal/parts":   {"internal/...", ""},
	"internal/program": {"", ""},
	"internal/replay":  {"internal/... audit joblog slotmodel/...", ""},
}

// forPrograms are packages that programs alone import, and each other.
var forPrograms = strings.Fields("cmd internal/batch internal/numbers internal/parts internal/program internal/replay")

// forTests are packages that files of tests alone import, and each other.
var forTests = []string{"internal/oracle", "policy/internal/policytest", "schedtest"}

// listed reports whether a list of arrows has the package p.
func listed(p, list string) bool {
	for _, to := range strings.Fields(list) {
		dir, below := strings.CutSuffix(to, "...")
		if dir = strings.TrimSuffix(dir, "/"); p == dir || below && (dir == "" || under(p, dir)) {
			return true
		}
	}
	return false
}

// allowed reports whether a file of package from, a test or not, may import the path. Packages go by
// their paths in the module; "" is its root.
func allowed(from, imported string, test bool) bool {
	line := from
	for _, ok := arrows[line]; !ok && line != ""; _, ok = arrows[line] {
		line = strings.TrimSuffix(path.Dir("/" + line)[1:], "/")
	}
	to, ours := strings.CutPrefix(imported+"/", modulePath+"/")
	switch to = strings.TrimSuffix(to, "/"); {
	case !ours && !strings.Contains(strings.SplitN(imported, "/", 2)[0], "."): // standard library
		return true
	case test && !under(from, "internal/oracle"):
		return !under(to, "cmd") || under(from, "cmd")
	case !ours:
		return test || listed(imported, arrows[line].others)
	case under(to, "internal/repository"),
		under(to, forTests...) && !under(from, forTests...),
		under(to, forPrograms...) && !under(from, forPrograms...):
		return false
	}
	return to == "" || listed(to, arrows[line].module)
}

// TestAllowed has arrows on both sides of the rules.
func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		from, to   string
		code, test bool
	}{
		{"aging", "", true, true},
		{"aging", "internal/heap", true, true},
		{"aging", "internal/oracle/exactaging", false, true},
		{"aging", "slotmodel/fluid", false, true},
		{"aging", "cmd/schedmath", false, false},
		{"estimate/nearest", "knn", true, true},
		{"internal/oracle/exactaging", "aging", false, false},
		{"internal/oracle/exactaging", "", true, true},
		{"slotmodel/internal/flow", "internal/heap", false, true},
		{"policy/hfsp", "policy/queues", false, true},
		{"policy", "policy/internal/policytest", false, true},
		{"aging", "internal/program", false, true},
		{"internal/replay", "internal/program", true, true},
		{"internal/replay", "cmd/schedmath", false, false},
		{"cmd/schedmath", "internal/program", true, true},
		{"cmd/schedmath", "cmd/schedmath/internal/audit", true, true},
		{"cmd/schedmath", "schedtest", false, true},
		{"unknown", "aging", false, true},
	} {
		imported := strings.TrimSuffix(modulePath+"/"+c.to, "/")
		if code, test := allowed(c.from, imported, false), allowed(c.from, imported, true); code != c.code || test != c.test {
			t.Errorf("%q may import %q: %t, and its tests %t, want %t and %t", c.from, c.to, code, test, c.code, c.test)
		}
	}
	if allowed("fairqueue", "gonum.org/v1/gonum/mat", false) || !allowed("knn", "gonum.org/v1/gonum/mat", false) {
		t.Error("fairqueue links no gonum, and knn its matrices")
	}
}

// TestArrows reads the imports of every Go file of the library and fails where one points the wrong
// way.
func TestArrows(t *testing.T) {
	for _, f := range sources(t, func(s source) bool { return !under(s.name, "examples") }) {
		from := strings.TrimPrefix(f.dir(), ".")
		for _, i := range f.Imports {
			imported, err := strconv.Unquote(i.Path.Value)
			must(t, err)
			if !allowed(from, imported, f.isTest()) {
				t.Errorf("%s imports %s, which the arrows of arrows_test.go do not list", f.name, imported)
			}
		}
	}
}

// TestSchedtestNamesPieces: of package malleable schedtest uses the type of pieces alone, which the
// functions that it checks return.
func TestSchedtestNamesPieces(t *testing.T) {
	for _, f := range sources(t, func(s source) bool { return s.dir() == "schedtest" && !s.isTest() }) {
		for _, name := range uses(f, "malleable") {
			if name != "Piece" {
				t.Errorf("%s uses malleable.%s", f.name, name)
			}
		}
	}
}
