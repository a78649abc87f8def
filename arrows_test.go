package schedmath_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "github.com/schedmath/schedmath"

// algorithms are the packages that the slot model is there to check.
var algorithms = []string{"aging", "estimate", "precedence", "sharedscan", "malleable", "knn", "lof", "partition", "market", "shuffle", "fairqueue", "drf", "ledger", "backfill"}

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

func TestForbidden(t *testing.T) {
	for _, c := range []struct {
		from, to string
		test, ok bool
	}{
		{"aging", "", false, true},
		{"aging", "internal/heap", false, true},
		{"aging", "estimate", false, false},
		{"aging", "slotmodel/fluid", false, false},
		{"aging", "slotmodel/fluid", true, true},
		{"aging", "internal/oracle/exactaging", false, false},
		{"malleable", "precedence", false, true},
		{"precedence", "malleable", false, false},
		{"sharedscan", "precedence", false, true},
		{"sharedscan", "malleable", false, true},
		{"sharedscan", "aging", false, false},
		{"knn", "internal/kdtree", false, true},
		{"knn", "estimate", false, false},
		{"estimate", "knn", false, false},
		{"estimate/nearest", "estimate", false, true},
		{"estimate/nearest", "knn", false, true},
		{"estimate/nearest", "lof", false, false},
		{"estimate", "estimate/nearest", false, false},
		{"knn", "estimate/nearest", false, false},
		{"precedence", "sharedscan", false, false},
		{"malleable", "sharedscan", false, false},
		{"partition", "internal/heap", false, true},
		{"partition", "knn", false, false},
		{"partition", "estimate", false, false},
		{"lof", "internal/kdtree", false, true},
		{"lof", "knn", false, false},
		{"internal/kdtree", "lof", false, false},
		{"market", "internal/apportion", false, true},
		{"market", "ledger", false, true},
		{"ledger", "market", false, false},
		{"market/equilibrium", "", false, true},
		{"market", "market/equilibrium", false, false},
		{"fairqueue", "market", false, false},
		{"aging", "ledger", false, false},
		{"market", "aging", false, false},
		{"shuffle", "internal/apportion", false, true},
		{"shuffle", "market", false, false},
		{"fairqueue", "internal/heap", false, true},
		{"fairqueue", "aging", false, false},
		{"fairqueue", "aging", true, true},
		{"drf", "aging", false, false},
		{"backfill", "internal/heap", false, true},
		{"backfill", "estimate", false, false},
		{"slotmodel", "backfill", false, false},
		{"policy", "backfill", false, true},
		{"internal/apportion", "internal/dd", false, true},
		{"internal/apportion", "market", false, false},
		{"slotmodel", "internal/apportion", false, false},
		{"slotmodel", "internal/kdtree", false, false},
		{"slotmodel", "sharedscan", false, false},
		{"slotmodel/fluid", "aging", false, false},
		{"slotmodel/fluid", "internal/dd", false, false},
		{"slotmodel", "policy", false, false},
		{"slotmodel", "policy", true, true},
		{"aging", "policy/hfsp", false, false},
		{"schedtest", "slotmodel", false, true},
		{"schedtest", "malleable", false, true},
		{"schedtest", "precedence", false, false},
		{"schedtest", "internal/enum", false, true},
		{"schedtest", "internal/tree", false, false},
		{"schedtest", "policy", false, false},
		{"schedtest", "policy", true, true},
		{"policy", "schedtest", false, false},
		{"policy", "slotmodel", false, true},
		{"policy", "internal/oracle/exactfluid", false, false},
		{"policy", "policy/internal", false, true},
		{"policy", "policy/hfsp", false, false},
		{"policy", "policy/hfsp", true, true},
		{"policy/internal", "policy", false, false},
		{"policy/internal", "policy/queues", false, false},
		{"policy/internal", "internal/heap", false, true},
		{"policy/hfsp", "aging", false, true},
		{"policy/hfsp", "policy", false, true},
		{"policy/hfsp", "policy/internal", false, true},
		{"policy/hfsp", "policy/queues", false, false},
		{"policy/hfsp", policytest, false, false},
		{"policy/hfsp", policytest, true, true},
		{"internal/oracle/exactaging", "aging", true, false},
		{"internal/heap", "aging", false, false},
		{"", "aging", false, false},
	} {
		if got := forbidden(c.from, c.to, c.test); (got == "") != c.ok {
			t.Errorf("forbidden(%q, %q, %t) = %q, want allowed = %t", c.from, c.to, c.test, got, c.ok)
		}
	}
}

// TestArrows reads the imports of every Go file of the library and fails where one points the wrong
// way.
func TestArrows(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name == "examples" || name != "." && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		from := path.Dir(filepath.ToSlash(name))
		if from == "." {
			from = ""
		}
		test := strings.HasSuffix(name, "_test.go") || from == policytest
		for _, i := range f.Imports {
			p, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			switch {
			case under(p, modulePath):
				if why := forbidden(from, strings.TrimPrefix(strings.TrimPrefix(p, modulePath), "/"), test); why != "" {
					t.Errorf("%s imports %s: %s", name, p, why)
				}
			case !strings.Contains(strings.SplitN(p, "/", 2)[0], "."): // standard library
			case from == "schedtest" && p == "pgregory.net/rapid": // what others are checked with draws its cases so
			case !test && !under(p, "gonum.org/v1/gonum"):
				t.Errorf("%s imports %s: the library needs gonum alone", name, p)
			case !test && (from == "fairqueue" || from == "drf" || from == "ledger" || from == "market" || from == "backfill"):
				t.Errorf("%s imports %s: callers of %s link nothing else", name, p, from)
			case !test && (from == "knn" || from == "market/equilibrium") && p != "gonum.org/v1/gonum/mat":
				t.Errorf("%s imports %s: %s has no use of gonum but its matrices", name, p, from)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Fatalf("found %d Go files, want the whole library", files)
	}
}

// TestSchedtestNamesPieces: of package malleable schedtest uses the type of pieces alone, which the
// functions that it checks return.
func TestSchedtestNamesPieces(t *testing.T) {
	files, err := filepath.Glob("schedtest/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && !strings.HasSuffix(name, "_test.go") {
				if p, ok := s.X.(*ast.Ident); ok && p.Name == "malleable" && s.Sel.Name != "Piece" {
					t.Errorf("%s uses malleable.%s", name, s.Sel.Name)
				}
			}
			return true
		})
	}
}
