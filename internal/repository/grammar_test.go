package repository

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A grammarian collects what breaks a rule, but for exceptions that have a reason.
type grammarian struct {
	t    *testing.T
	used map[string]bool
}

func (g *grammarian) object(name, format string, args ...any) {
	g.t.Helper()
	if _, ok := exceptions[name]; ok {
		g.used[name] = true
		return
	}
	g.t.Errorf("%s: %s", name, fmt.Sprintf(format, args...))
}

// TestGrammar holds all packages to the rules of docs/design.md on names, snapshots, enumerations,
// settings and arguments.
func TestGrammar(t *testing.T) {
	all := readLibrary(t, source.importable)
	g := &grammarian{t, map[string]bool{}}
	for _, dir := range slices.Sorted(maps.Keys(all)) {
		p := all[dir]
		g.constructors(dir, p)
		g.snapshots(dir, p)
		g.enumerations(dir, p)
		g.policies(dir, p)
		g.fields(dir, p)
		for _, f := range p.funcs {
			g.arguments(dir+"."+f.Name.Name, f)
		}
		for typ, methods := range p.methods {
			for name, f := range methods {
				if ast.IsExported(typ) {
					g.arguments(dir+"."+typ+"."+name, f)
					g.receiver(dir+"."+typ+"."+name, f)
				}
			}
		}
	}
	for name := range exceptions {
		if !g.used[name] {
			t.Errorf("%s is an exception and breaks no rule", name)
		}
	}
}

// bare is a type without its pointer and its type parameters.
func bare(kind string) string {
	kind, _, _ = strings.Cut(strings.TrimPrefix(kind, "*"), "[")
	return kind
}

// constructors: New makes the one type of a package that has a constructor, NewX makes an X.
func (g *grammarian) constructors(dir string, p *declarations) {
	var names []string
	for _, f := range p.funcs {
		if !regexp.MustCompile(`^New([A-Z]|$)`).MatchString(f.Name.Name) {
			continue
		}
		names = append(names, f.Name.Name)
		_, results := list(f.Type.Results)
		if of := strings.TrimPrefix(f.Name.Name, "New"); len(results) == 0 || of != "" && bare(results[0]) != of {
			g.object(dir+"."+f.Name.Name, "makes %v, want what it is named after", results)
		}
	}
	if len(names) == 1 && names[0] != "New" {
		g.object(dir+"."+names[0], "is the only constructor of the package, want New")
	}
	if len(names) > 1 && slices.Contains(names, "New") {
		g.object(dir+".New", "stands beside %q", names)
	}
}

// snapshots: each function Restore and method Snapshot has a RoundTrip of the tests, which looks at
// their names and at what a snapshot holds.
func (g *grammarian) snapshots(dir string, p *declarations) {
	var functions, methods int
	for _, f := range p.funcs {
		if strings.HasPrefix(f.Name.Name, "Restore") {
			functions++
			g.tested(dir, path.Base(dir)+"."+f.Name.Name, `RoundTrip\[.*\](?s:.){0,10}\bFunc: +"`)
		}
	}
	for typ := range p.methods {
		if ast.IsExported(typ) && p.methods[typ]["Snapshot"] != nil {
			methods++
		}
	}
	if functions != methods {
		g.object(dir+".Snapshot", "%d methods Snapshot and %d functions Restore", methods, functions)
	}
}

// enumerations write themselves as words, and read them, as Words of the tests has it.
func (g *grammarian) enumerations(dir string, p *declarations) {
	for typ := range p.enums {
		if ast.IsExported(typ) && p.types[typ] != nil {
			g.tested(dir, path.Base(path.Join(modulePath, dir))+"."+typ, `expect\.Words\(t, map\[`)
		}
	}
}

// tested objects unless a test has a name behind a text.
func (g *grammarian) tested(dir, name, behind string) {
	call := regexp.MustCompile(behind + regexp.QuoteMeta(name) + `\b`)
	if !slices.ContainsFunc(sources(g.t, source.isTest), func(s source) bool { return call.Match(s.text) }) {
		g.object(dir+"."+name, "no test has %s", call)
	}
}

// policies have a Check where they have settings.
func (g *grammarian) policies(dir string, p *declarations) {
	if !under(dir, "policy") {
		return
	}
	for typ, methods := range p.methods {
		if st := p.structs[typ]; ast.IsExported(typ) && methods["Decide"] != nil && st != nil && methods["Check"] == nil {
			names, kinds := list(st.Fields)
			for i, n := range names {
				if ast.IsExported(n) && (kinds[i] == "float64" || kinds[i] == "int" || p.enums[kinds[i]] || strings.HasPrefix(kinds[i], "[]")) {
					g.object(dir+"."+typ, "is a policy without Check, and %s can be out of range", n)
				}
			}
		}
	}
}

// fields: a root is -1, a weight of 0 is 1, and what recurs is a Period.
func (g *grammarian) fields(dir string, p *declarations) {
	for typ, st := range p.structs {
		if !ast.IsExported(typ) {
			continue
		}
		for _, f := range st.Fields.List {
			said := f.Doc.Text() + f.Comment.Text()
			kind := types.ExprString(f.Type)
			for _, n := range f.Names {
				name := dir + "." + typ + "." + n.Name
				switch n.Name {
				case "Parent", "Parents":
					if !strings.Contains(said, "-1") && (kind == "int" || kind == "[]int") {
						g.object(name, "does not say that the root is -1")
					}
				case "Weight":
					if kind == "float64" && !strings.Contains(said, "0 means 1") && !strings.HasPrefix(typ, "Snapshot") {
						g.object(name, "does not say that 0 means 1: %q", said)
					}
				case "Beat", "PreemptEvery", "Interval", "Every", "Heartbeat":
					if kind == "float64" {
						g.object(name, "is a period, want that word")
					}
				}
			}
		}
	}
}

// orderOfTasks is the order of arguments in the slot model and its policies.
var orderOfTasks = []string{"User", "Job", "Kind", "Task", "Node"}

// arguments: dst first, and returned; options after what they are about; a source last; in the model
// user, job, kind, task, node. Lists are appended to dst.
func (g *grammarian) arguments(name string, f *ast.FuncDecl) {
	if !ast.IsExported(f.Name.Name) {
		return
	}
	names, kinds := list(f.Type.Params)
	_, results := list(f.Type.Results)
	for i, kind := range kinds {
		switch {
		case names[i] == "dst" && i != 0:
			g.object(name, "has dst as argument %d, want it first", i)
		case names[i] == "dst" && (len(results) == 0 || results[0] != kind) && strings.HasPrefix(kind, "[]"):
			g.object(name, "returns %v, want dst first, a %s", results, kind)
		case (kind == "rand.Source") != (names[i] == "src"):
			g.object(name, "has %s %s, want src rand.Source", names[i], kind)
		case names[i] == "src" && i != len(kinds)-1:
			g.object(name, "has src as argument %d, want it last", i)
		case strings.HasSuffix(bare(kind), "Options") && i != len(kinds)-1 && names[i+1] != "src":
			g.object(name, "has its options as argument %d, want them last", i)
		}
	}
	last := -1
	for i, kind := range kinds {
		at := slices.Index(orderOfTasks, strings.TrimPrefix(kind, "slotmodel."))
		if at >= 0 && at < last && f.Name.Name != "Ahead" { // of a policy.Comparer, which compares jobs for a kind
			g.object(name, "has %s %s after a %s", names[i], kind, orderOfTasks[last])
		}
		last = max(last, at)
	}
	marshal := strings.HasPrefix(f.Name.Name, "Marshal") || f.Name.Name == "Unwrap"
	if len(results) > 0 && strings.HasPrefix(results[0], "[]") && !slices.Contains(names, "dst") && !marshal {
		g.object(name, "returns %s, want it appended to dst", results[0])
	}
}

// receiver: methods do not guard against a nil pointer.
func (g *grammarian) receiver(name string, f *ast.FuncDecl) {
	if !ast.IsExported(f.Name.Name) || f.Body == nil || len(f.Recv.List[0].Names) == 0 {
		return
	}
	recv := f.Recv.List[0].Names[0].Name
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
			if x, y := types.ExprString(b.X), types.ExprString(b.Y); x == recv && y == "nil" || x == "nil" && y == recv {
				g.object(name, "guards against a nil receiver")
			}
		}
		return true
	})
}

// exceptions are what breaks a rule, and why.
var exceptions = map[string]string{
	"backfill.New":                       "makes the type that the package is about; a Calibrator is one beside it",
	"fairqueue.New":                      "makes the type that the package is about; a Waiting is one with its items",
	"malleable.NewSchedule":              "a schedule of somebody else's pieces: one type among functions",
	"slotmodel/workload.NewPlacer":       "one type among functions, which have their own names",
	"partition.NewSketch":                "one type among functions, which have their own names",
	"precedence.NewGraph":                "one type among functions, which have their own names",
	"partition.Verify":                   "what it verifies comes last, as the answer of what comes before",
	"precedence.Graph.Preds":             "part of the graph, to read",
	"precedence.Graph.Succs":             "part of the graph, to read",
	"precedence.Lateness.Weight":         "0 is 0 in objectives",
	"precedence.Response.Weight":         "0 is 0 in objectives",
	"precedence.Tardiness.Weight":        "0 is 0 in objectives",
	"precedence.Tardy.Weight":            "0 is 0 in objectives",
	"slotmodel/workload.Load":            "reads a file",
	"slotmodel/workload.ReadJobs":        "reads a file",
	"joblog.ReadSWIM":                    "reads a file",
	"slotmodel/workload.SyntheticFB2010": "makes what stands for a file",
}
