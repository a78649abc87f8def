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
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/api.txt anew")

// TestAPI: what others can name is what testdata/api.txt lists. Who changes it runs the test once
// with -update, and CHANGELOG.md says what changed.
func TestAPI(t *testing.T) {
	var list []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "internal" || d.Name() == "examples" || d.Name() == "testdata" || name != "." && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		of, err := exported(name)
		list = append(list, of...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	got := strings.Join(list, "\n") + "\n"
	file := filepath.Join("testdata", "api.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
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

// exported lists what a file declares for others, a line each: "package: declaration", structs and
// interfaces without comments and what is unexported.
func exported(name string) ([]string, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
	if err != nil || !ast.FileExports(f) {
		return nil, err
	}
	var list []string
	add := func(node any) error {
		var b bytes.Buffer
		if err := printer.Fprint(&b, files, node); err != nil {
			return err
		}
		list = append(list, filepath.ToSlash(filepath.Dir(name))+": "+strings.Join(strings.Fields(b.String()), " "))
		return nil
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			d.Body = nil
			if d.Recv == nil || ast.IsExported(receiver(d)) {
				err = add(d)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if _, is := s.(*ast.ImportSpec); !is && err == nil {
					err = add(&ast.GenDecl{Tok: d.Tok, Specs: []ast.Spec{s}})
				}
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
