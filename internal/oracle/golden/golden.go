// Package golden reads expected values that other programs computed, for tests: the files of
// testdata, which its README describes, and traces, which are not part of the repository.
package golden

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// root is the root of the library, where the go.mod of its module lies.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd() // of a test, its package
	if err != nil {
		t.Fatal(err)
	}
	for {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(text), "module github.com/schedmath/schedmath\n") {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatalf("no go.mod of the library in the folder of the test or above")
		}
		dir = up
	}
}

// Trace returns the path of a file of ../shared, beside the root. It skips the test where there is
// no such file. A test that asks for one has Trace or Log in its name.
func Trace(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(root(t), "..", "shared", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no trace: %v", err)
	}
	return path
}

// Decode reads a JSON file of testdata into v, as json.Unmarshal does.
func Decode(t testing.TB, name string, v any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), "testdata", name))
	if err != nil {
		t.Fatalf("golden file: %v", err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatalf("golden file %s: %v", name, err)
	}
}

// readCases reads the cases of a JSON file, of which there must be some.
func readCases[T any](t testing.TB, name string) []T {
	t.Helper()
	var f struct{ Cases []T }
	Decode(t, name, &f)
	if len(f.Cases) == 0 {
		t.Fatalf("golden file %s has no cases", name)
	}
	return f.Cases
}

// Rat returns the fraction that s, as of "7/3", says.
func Rat(t testing.TB, s string) *big.Rat {
	t.Helper()
	x, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q is no fraction", s)
	}
	return x
}

// Float returns the float64 nearest to the fraction that s says.
func Float(t testing.TB, s string) float64 {
	t.Helper()
	x, _ := Rat(t, s).Float64()
	return x
}
