package schedmath_test

import (
	"go/ast"
	"go/parser"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "github.com/schedmath/schedmath"

// algorithms are the packages that the slot model is there to check.
var algorithms = []string{"aging", "estimate", "precedence", "sharedscan", "malleable", "knn", "lof", "partition", "market", "shuffle", "fairqueue", "drf", "ledger", "backfill", "audit"}

// under reports whether package p is dir or below it.
func under(p, dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }

func isAlgorithm(p string) bool {
	for _, a := range algorithms {
		if under(p, a) {
			return true
		}
	}
	return false
}

// forbidden says why package from may not import package to, both relative to the module ("" is its
// root), or "".
func forbidden(from, to string, test bool) string {
	switch {
	case under(from, "internal/oracle"):
		if to != "" && !under(to, "internal/oracle") {
			return "an oracle shares no code with what it checks"
		}
	case test:
	case under(to, "internal/oracle"):
		return "oracles are for tests"
	case under(to, policytest):
		return "what tests of policies share is for tests"
	case from == "schedtest":
		// A policy's view, the pieces of a schedule (TestSchedtestNamesPieces), words of enumerations.
		if to != "slotmodel" && to != "malleable" && to != "internal/enum" {
			return "what schedulers are checked with shares no code with the algorithms"
		}
	case to == "schedtest":
		return "what schedulers are checked with is for tests"
	case under(from, "policy"):
		return forbiddenToPolicy(from, to)
	case under(to, "policy"):
		return "policies stand above models and algorithms"
	case to == "":
	case from == "":
		return "the root package imports nothing of the module"
	case under(from, "slotmodel"):
		if !under(to, "slotmodel") {
			return "the slot model is an independent witness"
		}
	case under(to, "slotmodel"):
		return "algorithms do not know the slot model"
	case under(from, "internal"):
		if !under(to, "internal") {
			return "internal packages import only the root and each other"
		}
	case from == "malleable" && to == "precedence":
	case from == "market" && to == "ledger":
	case from == "audit" && to == "aging":
	case from == "sharedscan" && (to == "precedence" || to == "malleable"):
	case from == "estimate/nearest" && (to == "estimate" || to == "knn"):
	case isAlgorithm(to):
		return "algorithm packages import only the root and internal"
	}
	return ""
}

// policytest is what the tests of the policies share.
const policytest = "policy/internal/policytest"

// forbiddenToPolicy is forbidden for a package at or below policy, where there is a package for
// each paper.
func forbiddenToPolicy(from, to string) string {
	switch {
	case !under(to, "policy") || to == "policy/internal":
	case from == "policy":
		return "policy does not know the papers' packages"
	case from == "policy/internal":
		return "policy/internal is below all of policy"
	case to != "policy":
		return "the papers' packages do not know each other"
	}
	return ""
}

// One arrow for each rule; TestArrows tells whether a rule forbids too much.
func TestForbidden(t *testing.T) {
	for from, list := range map[string]string{
		"":                           "aging",
		"aging":                      "estimate slotmodel/fluid internal/oracle/exactaging ledger audit policy/hfsp schedtest",
		"audit":                      "fairqueue",
		"drf":                        "aging",
		"estimate":                   "knn estimate/nearest",
		"estimate/nearest":           "lof",
		"fairqueue":                  "market aging",
		"internal/apportion":         "market",
		"internal/kdtree":            "lof",
		"knn":                        "estimate estimate/nearest",
		"ledger":                     "market",
		"lof":                        "knn",
		"malleable":                  "sharedscan",
		"market":                     "market/equilibrium aging",
		"partition":                  "knn",
		"precedence":                 "malleable sharedscan",
		"sharedscan":                 "aging",
		"shuffle":                    "market",
		"slotmodel":                  "backfill internal/apportion sharedscan policy",
		"slotmodel/fluid":            "aging internal/dd",
		"schedtest":                  "precedence internal/tree policy",
		"policy":                     "schedtest internal/oracle/exactfluid policy/hfsp",
		"policy/internal":            "policy policy/queues",
		"policy/hfsp":                "policy/queues " + policytest,
		"internal/heap":              "aging",
		"internal/oracle/exactaging": "aging",
	} {
		for _, to := range strings.Fields(list) {
			if forbidden(from, to, false) == "" {
				t.Errorf("%q may import %q, want it forbidden", from, to)
			}
			if oracle := under(from, "internal/oracle"); oracle != (forbidden(from, to, true) != "") {
				t.Errorf("a test in %q may import %q = %t, want %t", from, to, oracle, !oracle)
			}
		}
	}
}

// TestArrows reads the imports of every Go file of the library and fails where one points the wrong
// way.
func TestArrows(t *testing.T) {
	all := sources(t, parser.ImportsOnly, func(name string) bool { return !under(name, "examples") })
	for _, f := range all {
		from := f.dir()
		if from == "." {
			from = ""
		}
		test := strings.HasSuffix(f.name, "_test.go") || from == policytest
		for _, i := range f.Imports {
			p, err := strconv.Unquote(i.Path.Value)
			must(t, err)
			switch {
			case under(p, modulePath):
				if why := forbidden(from, strings.TrimPrefix(strings.TrimPrefix(p, modulePath), "/"), test); why != "" {
					t.Errorf("%s imports %s: %s", f.name, p, why)
				}
			case !strings.Contains(strings.SplitN(p, "/", 2)[0], "."): // standard library
			case (from == "schedtest" || from == "internal/oracle/drawn") && p == "pgregory.net/rapid": // what others are checked with draws its cases so
			case !test && !under(p, "gonum.org/v1/gonum"):
				t.Errorf("%s imports %s: the library needs gonum alone", f.name, p)
			case !test && (from == "fairqueue" || from == "drf" || from == "ledger" || from == "market" || from == "backfill" || from == "audit"):
				t.Errorf("%s imports %s: callers of %s link nothing else", f.name, p, from)
			case !test && (from == "knn" || from == "market/equilibrium") && p != "gonum.org/v1/gonum/mat":
				t.Errorf("%s imports %s: %s has no use of gonum but its matrices", f.name, p, from)
			}
		}
	}
	if len(all) < 20 {
		t.Fatalf("found %d Go files, want the whole library", len(all))
	}
}

// TestSchedtestNamesPieces: of package malleable schedtest uses the type of pieces alone, which the
// functions that it checks return.
func TestSchedtestNamesPieces(t *testing.T) {
	all := sources(t, 0, func(name string) bool { return under(name, "schedtest") && !strings.HasSuffix(name, "_test.go") })
	if len(all) == 0 {
		t.Fatal("found no file of schedtest")
	}
	for _, f := range all {
		ast.Inspect(f.File, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if p, ok := s.X.(*ast.Ident); ok && p.Name == "malleable" && s.Sel.Name != "Piece" {
					t.Errorf("%s uses malleable.%s", f.name, s.Sel.Name)
				}
			}
			return true
		})
	}
}
