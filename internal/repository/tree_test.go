package repository

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
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

// A library is what packages declare, by their path.
type library map[string]*declarations

type declarations struct {
	names   map[string]bool // "Cluster", "Cluster.Add", and fields likewise
	types   map[string]*ast.TypeSpec
	structs map[string]*ast.StructType
	funcs   []*ast.FuncDecl
	methods map[string]map[string]*ast.FuncDecl // by type and name
	enums   map[string]bool                     // types of constants that iota counts
}

// readLibrary is what the files that keep takes declare.
func readLibrary(t *testing.T, keep func(s source) bool) library {
	t.Helper()
	all := library{}
	for _, f := range sources(t, keep) {
		dir := f.dir()
		if all[dir] == nil {
			all[dir] = &declarations{names: map[string]bool{}, types: map[string]*ast.TypeSpec{}, structs: map[string]*ast.StructType{},
				methods: map[string]map[string]*ast.FuncDecl{}, enums: map[string]bool{}}
		}
		ast.Inspect(f.File, all[dir].add)
	}
	return all
}

// add is called with the nodes of a file, and says whether to look below.
func (p *declarations) add(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		of := receiver(n)
		p.names[of+n.Name.Name] = true
		if of = strings.TrimSuffix(of, "."); of == "" {
			p.funcs = append(p.funcs, n)
			return false
		}
		if p.methods[of] == nil {
			p.methods[of] = map[string]*ast.FuncDecl{}
		}
		p.methods[of][n.Name.Name] = n
		return false
	case *ast.TypeSpec:
		p.names[n.Name.Name], p.types[n.Name.Name] = true, n
		if st, ok := n.Type.(*ast.StructType); ok {
			p.structs[n.Name.Name] = st
			fields, _ := list(st.Fields)
			for _, field := range fields {
				p.names[n.Name.Name+"."+field] = true
			}
		}
	case *ast.ValueSpec:
		for _, name := range n.Names {
			p.names[name.Name] = true
		}
		if id, ok := n.Type.(*ast.Ident); ok && len(n.Values) == 1 && types.ExprString(n.Values[0]) == "iota" {
			p.enums[id.Name] = true
		}
	}
	return true
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

// list is the names and types of parameters, results or fields, one each.
func list(fields *ast.FieldList) (names, kinds []string) {
	if fields == nil {
		return nil, nil
	}
	for _, f := range fields.List {
		kind := types.ExprString(f.Type)
		for _, n := range f.Names {
			names, kinds = append(names, n.Name), append(kinds, kind)
		}
		if f.Names == nil {
			names, kinds = append(names, ""), append(kinds, kind)
		}
	}
	return names, kinds
}

// uses are what a file names of packages of this name, such as "Sqrt" of math.
func uses(f source, of string) (names []string) {
	ast.Inspect(f.File, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if p, ok := s.X.(*ast.Ident); ok && p.Name == of {
				names = append(names, s.Sel.Name)
			}
		}
		return true
	})
	return names
}

// under reports whether package p is one of dirs or below one.
func under(p string, dirs ...string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") })
}
