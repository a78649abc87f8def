// Package golden reads the files of expected values that other programs computed, for tests. They
// lie beside the project, in ../shared/golden from its root, and are not part of it: a test that
// asks for a file that is not there is skipped.
package golden

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"testing"
)

// Open opens a file until the test ends. It skips the test where there is no such file.
func Open(t testing.TB, name string) *os.File {
	t.Helper()
	dir, err := os.Getwd() // of a test, its package
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Skipf("no golden file %s: the test does not run in a module", name)
		}
		dir = up
	}
	f, err := os.Open(filepath.Join(dir, "..", "shared", "golden", name))
	if err != nil {
		t.Skipf("no golden file: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// Decode reads a JSON file into v, as json.Unmarshal does. It skips the test where there is no such
// file and fails it if the file does not fit.
func Decode(t testing.TB, name string, v any) {
	t.Helper()
	if err := json.NewDecoder(Open(t, name)).Decode(v); err != nil {
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
