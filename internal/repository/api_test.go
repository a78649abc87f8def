package repository

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the lists of exported names anew")

// open are the packages whose names may still change after the first tag, with what is below them.
// README.md and doc.go say so.
var open = []string{"audit", "backfill", "joblog", "policy", "schedtest", "slotmodel"}

// TestAPI: what others can name is what testdata/api.txt lists, and of open packages api_open.txt.
// Who changes it runs the test once with -update, and CHANGELOG.md says what changed.
func TestAPI(t *testing.T) {
	lists := map[string][]string{"api.txt": nil, "api_open.txt": nil}
	for _, s := range sources(t, source.importable) {
		list := "api.txt"
		if under(s.dir(), open...) {
			list = "api_open.txt"
		}
		lists[list] = append(lists[list], exported(t, s)...)
	}
	for name, list := range lists {
		slices.Sort(list)
		file := filepath.Join("testdata", name)
		if *update {
			must(t, os.WriteFile(file, []byte(strings.Join(list, "\n")+"\n"), 0o666))
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
}

// exported lists what a file declares for others, a line each: "package: declaration", structs and
// interfaces without comments and what is unexported.
func exported(t *testing.T, s source) (list []string) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, s.name, s.text, parser.SkipObjectResolution)
	must(t, err)
	ast.FileExports(f)
	add := func(node any) {
		var b bytes.Buffer
		must(t, printer.Fprint(&b, set, node))
		list = append(list, s.dir()+": "+strings.Join(strings.Fields(b.String()), " "))
	}
	for _, d := range f.Decls {
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
