package schedmath_test

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
)

var must = expect.Must

var update = flag.Bool("update", false, "write testdata/api.txt anew")

// TestAPI: what others can name is what testdata/api.txt lists. Who changes it runs the test once
// with -update, and CHANGELOG.md says what changed.
func TestAPI(t *testing.T) {
	var list []string
	for _, source := range sources(t, 0, importable) {
		list = append(list, exported(t, source)...)
	}
	slices.Sort(list)
	got := strings.Join(list, "\n") + "\n"
	file := filepath.Join("testdata", "api.txt")
	if *update {
		must(t, os.WriteFile(file, []byte(got), 0o666))
	}
	want, err := os.ReadFile(file)
	must(t, err)
	had := strings.Split(strings.TrimSuffix(string(want), "\n"), "\n")
	for _, line := range list {
		if _, listed := slices.BinarySearch(had, line); !listed {
			t.Errorf("not in %s: %s", file, line)
		}
	}
	for _, line := range had {
		if _, there := slices.BinarySearch(list, line); !there {
			t.Errorf("only in %s: %s", file, line)
		}
	}
}

// A source is a Go file, with its path by slashes.
type source struct {
	*ast.File
	name string
	set  *token.FileSet
}

func (s source) dir() string { return path.Dir(s.name) }

// sources parses the Go files of the module, hidden folders aside, whose paths keep takes.
func sources(t *testing.T, mode parser.Mode, keep func(name string) bool) (all []source) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		slashed := filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" || !keep(slashed):
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, name, nil, mode|parser.SkipObjectResolution)
		all = append(all, source{f, slashed, set})
		return err
	})
	must(t, err)
	return all
}

// importable reports whether a file is of a package that others can import.
func importable(name string) bool {
	folders := strings.Split(path.Dir(name), "/")
	return !strings.HasSuffix(name, "_test.go") && !slices.ContainsFunc(folders, func(f string) bool { return f == "internal" || f == "examples" || f == "testdata" })
}

// exported lists what a file declares for others, a line each: "package: declaration", structs and
// interfaces without comments and what is unexported.
func exported(t *testing.T, s source) (list []string) {
	ast.FileExports(s.File)
	add := func(node any) {
		var b bytes.Buffer
		must(t, printer.Fprint(&b, s.set, node))
		list = append(list, s.dir()+": "+strings.Join(strings.Fields(b.String()), " "))
	}
	for _, d := range s.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			d.Body = nil
			if d.Recv == nil || ast.IsExported(receiver(d)) {
				add(d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if _, is := spec.(*ast.ImportSpec); !is {
					add(&ast.GenDecl{Tok: d.Tok, Specs: []ast.Spec{spec}})
				}
			}
		}
	}
	return list
}
