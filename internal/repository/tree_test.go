package repository

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
)

const modulePath = "github.com/schedmath/schedmath"

var must = expect.Must

// TestMain runs the tests at the root of the repository, so that paths begin there. The go commands
// that they start see the library's module alone: go.work names a folder that a module's zip leaves
// out.
func TestMain(m *testing.M) {
	for _, err := range []error{os.Chdir(filepath.Join("..", "..")), os.Setenv("GOWORK", "off")} {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// needsExamples skips the test where the folder of the programs is missing.
func needsExamples(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("examples"); err != nil {
		t.Skipf("not the whole repository: %v", err)
	}
}

// A source is a Go file with its comments and its path, by slashes.
type source struct {
	*ast.File
	name string
	text []byte
}

func (s source) dir() string  { return path.Dir(s.name) }
func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

// importable reports whether a file is of a package that others can import.
func (s source) importable() bool {
	folders := strings.Split(s.dir(), "/")
	return !s.isTest() && folders[0] != "cmd" && folders[0] != "examples" && !slices.Contains(folders, "internal")
}

// tree is the Go files of the repository, hidden folders and testdata aside.
var tree = sync.OnceValues(func() (all []source, err error) {
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || name != "." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		all = append(all, source{f, filepath.ToSlash(name), text})
		return err
	})
	return all, err
})

// sources are the Go files that keep takes.
func sources(t *testing.T, keep func(s source) bool) []source {
	t.Helper()
	all, err := tree()
	must(t, err)
	list := slices.DeleteFunc(slices.Clone(all), func(s source) bool { return !keep(s) })
	if len(list) == 0 {
		t.Fatal("found no Go file")
	}
	return list
}

// receiver is the name of a method's type and a point, or "".
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	x := d.Recv.List[0].Type
	for {
		switch y := x.(type) {
		case *ast.StarExpr:
			x = y.X
		case *ast.IndexExpr:
			x = y.X
		case *ast.Ident:
			return y.Name + "."
		default:
			return ""
		}
	}
}

// under reports whether package p is dir or below it.
func under(p, dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }
