package repository

import (
	"go/ast"
	"path"
	"regexp"
	"strings"
	"testing"
)

// needTraces is which tests, as "fluid.TestTraceMeans", reach golden.Trace by calls within their
// package and are skipped where a trace is missing.
func needTraces(t *testing.T) map[string]bool {
	t.Helper()
	calls := map[string]map[string]bool{} // by a function, within its package
	for _, file := range sources(t, source.isTest) {
		dir := file.dir()
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			called := map[string]bool{}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				switch f := call.Fun.(type) {
				case *ast.SelectorExpr:
					if p, ok := f.X.(*ast.Ident); ok && p.Name == "golden" && f.Sel.Name == "Trace" {
						called[traces] = true
					}
				case *ast.Ident:
					called[dir+"."+f.Name] = true
				}
				return true
			})
			calls[dir+"."+f.Name.Name] = called
		}
	}
	reach := map[string]bool{traces: true}
	for before := 0; before < len(reach); {
		before = len(reach)
		for f, called := range calls {
			for g := range called {
				if reach[g] {
					reach[f] = true
				}
			}
		}
	}
	tests := map[string]bool{}
	for f := range reach {
		if dir, name, _ := strings.Cut(path.Base(f), "."); strings.HasPrefix(name, "Test") && !strings.HasPrefix(f, "internal/oracle/golden.") {
			tests[dir+"."+name] = true
		}
	}
	return tests
}

const traces = "golden.Trace"

// TestTracesAreNamed: a test that is skipped where there is no trace says so by its name. No other
// test reads what is not part of the repository.
func TestTracesAreNamed(t *testing.T) {
	need := needTraces(t)
	if len(need) < 10 {
		t.Errorf("found %d tests that need a trace: %v, want all", len(need), need)
	}
	for test := range need {
		if !strings.Contains(test, "Trace") && !strings.Contains(test, "Log") {
			t.Errorf("%s needs a trace and has neither Trace nor Log in its name", test)
		}
	}
	for _, f := range sources(t, source.isTest) {
		// The benchmark draws jobs where there is no trace.
		if own := f.name == "internal/repository/traces_test.go" || f.name == "policy/trace_bench_test.go"; !own && regexp.MustCompile(`\.\./shared/|"\.\.", "shared"`).Match(f.text) {
			t.Errorf("%s reads ../shared by itself, want golden.Trace", f.name)
		}
	}
}
