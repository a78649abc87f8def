package repository

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sameBits lists the packages that promise the same bits on every machine.
var sameBits = []string{
	"aging", "fairqueue", "precedence", "slotmodel", "slotmodel/fluid", "slotmodel/internal/flow",
	"internal/dd", "internal/exact", "internal/heap", "internal/kdtree", "internal/maxflow",
	"internal/tree", "internal/u128",
}

// A fusion is a line whose product the compiler for arm64 fuses with a sum.
type fusion struct {
	file string // below the module's root; else as the compiler names it
	line int
	op   string // the first instruction
	into string // a function that the line is compiled into
	each int    // least number of fused instructions in a function that has some
}

var (
	assembled = regexp.MustCompile(`\((.*):(\d+)\)\t([A-Z0-9]+)`)
	fusedOp   = regexp.MustCompile(`^FN?M(ADD|SUB)[DS]$`)
)

// fusions reads what the compiler writes of packages with -S: a line "# package" before each, and
// for each function a line with STEXT and its instructions, each with the place in the source that
// it is of, which may have been inlined. A fusion counts in a file of one of the packages named, and
// in any other that is inlined into one of them, but not in tests. The second result has the
// packages with a function of theirs.
func fusions(r io.Reader, root string, packages []string) (all []fusion, seen map[string]bool, err error) {
	seen = map[string]bool{}
	at := map[[2]any]int{} // index in all by file and line
	counts := map[int]int{}
	unit, function, test, begun := "", "", false, false
	end := func() {
		for i, n := range counts {
			if all[i].each == 0 || n < all[i].each {
				all[i].each = n
			}
		}
		clear(counts)
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		s := lines.Text()
		if name, ok := strings.CutPrefix(s, "# "); ok {
			unit = strings.TrimPrefix(name, modulePath+"/")
			continue
		}
		if name, _, ok := strings.Cut(s, " STEXT"); ok && !strings.HasPrefix(s, "\t") {
			end()
			function, begun = strings.ReplaceAll(name, modulePath+"/", ""), false
			continue
		}
		m := assembled.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		file, local := strings.CutPrefix(filepath.ToSlash(m[1]), filepath.ToSlash(root)+"/")
		dir := ""
		if i := strings.LastIndexByte(file, '/'); local && i >= 0 {
			dir = file[:i]
		}
		own := slices.Contains(packages, dir)
		if !begun { // the function's own place is that of its first instruction
			begun, test = true, strings.HasSuffix(file, "_test.go")
			seen[dir] = seen[dir] || own && !test
		}
		if test || strings.HasSuffix(file, "_test.go") || !fusedOp.MatchString(m[3]) || !own && !slices.Contains(packages, unit) {
			continue
		}
		line, err := strconv.Atoi(m[2])
		if err != nil {
			return nil, nil, err
		}
		i, ok := at[[2]any{file, line}]
		if !ok {
			i = len(all)
			at[[2]any{file, line}] = i
			all = append(all, fusion{file: file, line: line, op: m[3], into: function})
		}
		counts[i]++
	}
	end()
	return all, seen, lines.Err()
}

// faults are the fusions on lines with more of them than calls of math.FMA. text returns a line of a
// file.
func faults(all []fusion, text func(file string, line int) string) (faults []string) {
	for _, f := range all {
		if s := text(f.file, f.line); strings.Count(s, "math.FMA(") < f.each {
			faults = append(faults, fmt.Sprintf("%s:%d: %s: %s in %s: want a product that is added to be converted, float64(x * y)", f.file, f.line, s, f.op, f.into))
		}
	}
	slices.Sort(faults)
	return faults
}

// TestFusedFinds plays the two steps of TestFused on a listing.
func TestFusedFinds(t *testing.T) {
	const listing = `# github.com/schedmath/schedmath/internal/dd
github.com/schedmath/schedmath/internal/dd.T.Mul STEXT size=64 args=0x18 leaf
	0x0000 00000 (/m/internal/dd/dd.go:1)	TEXT	github.com/schedmath/schedmath/internal/dd.T.Mul(SB), LEAF|ABIInternal, $0-24
	0x0000 00000 (/m/internal/dd/dd.go:2)	FNMSUBD	F0, F3, F2, F3
	0x0004 00004 (/m/internal/dd/dd.go:3)	FMADDD	F0, F3, F2, F3
	0x0008 00008 (/m/internal/dd/dd.go:3)	FNMSUBD	F0, F3, F2, F3
	0x000c 00012 (/m/internal/dd/dd.go:4)	FMULD	F0, F3, F2
# github.com/schedmath/schedmath/aging [github.com/schedmath/schedmath/aging.test]
github.com/schedmath/schedmath/aging.(*Cluster[go.shape.int]).Add STEXT size=64 args=0x18
	0x0000 00000 (/m/aging/add.go:1)	TEXT	github.com/schedmath/schedmath/aging.(*Cluster[go.shape.int]).Add(SB), ABIInternal, $0-24
	0x0004 00004 (/m/internal/dd/dd.go:2)	FNMSUBD	F0, F3, F2, F3
	0x0004 00004 (/m/internal/dd/dd.go:2)	FNMSUBD	F0, F3, F2, F3
	0x0008 00008 (/m/internal/dd/dd.go:5)	FMSUBD	F0, F3, F2, F3
	0x000c 00012 (/m/aging/add_test.go:7)	FMSUBD	F0, F3, F2, F3
	0x0010 00016 (/m/aging/add.go:6)	FMSUBD	F0, F3, F2, F3
github.com/schedmath/schedmath/aging.TestAdd STEXT size=64 args=0x18
	0x0000 00000 (/m/aging/add_test.go:1)	TEXT	github.com/schedmath/schedmath/aging.TestAdd(SB), ABIInternal, $0-24
	0x0004 00004 (/m/internal/dd/dd.go:8)	FMADDD	F0, F3, F2, F3
# github.com/schedmath/schedmath/aging
github.com/schedmath/schedmath/aging.level STEXT size=64 args=0x18
	0x0000 00000 (/m/aging/level.go:1)	TEXT	github.com/schedmath/schedmath/aging.level(SB), ABIInternal, $0-24
	0x0004 00004 (/go/src/math/modf.go:9)	FMSUBD	F0, F3, F2, F3
# github.com/schedmath/schedmath/knn
github.com/schedmath/schedmath/knn.mean STEXT size=64 args=0x18
	0x0000 00000 (/m/knn/mean.go:1)	TEXT	github.com/schedmath/schedmath/knn.mean(SB), ABIInternal, $0-24
	0x0004 00004 (/m/knn/mean.go:9)	FMADDD	F0, F3, F2, F3
`
	all, seen, err := fusions(strings.NewReader(listing), "/m", []string{"aging", "internal/dd", "drf"})
	must(t, err)
	if !seen["aging"] || !seen["internal/dd"] || seen["drf"] || seen["knn"] {
		t.Errorf("functions are seen of %v, want of aging and internal/dd", seen)
	}
	text := func(file string, line int) string {
		if strings.HasSuffix(file, "dd.go") && line < 4 {
			return "return math.FMA(a, b, -p)"
		}
		return fmt.Sprint("line ", line)
	}
	got := faults(all, text)
	want := []string{"/go/src/math/modf.go:9: ", "aging/add.go:6: ", "internal/dd/dd.go:3: ", "internal/dd/dd.go:5: "}
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("faults are\n%s\nwant those at %q", strings.Join(got, "\n"), want)
	}
}

// TestFused compiles the packages that promise the same bits, with their tests, in which their
// generic types have type arguments, for arm64, whose compiler fuses wherever the language lets it.
func TestFused(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles most of the module for arm64")
	}
	if _, err := os.Stat("go.mod"); err != nil {
		t.Skipf("not the whole module: %v", err)
	}
	root, err := os.Getwd()
	must(t, err)
	args := []string{"list", "-export", "-test", "-gcflags=" + modulePath + "/...=-S"}
	for _, p := range sameBits {
		args = append(args, "./"+p)
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0", "GOFLAGS=")
	out, err := cmd.StderrPipe()
	must(t, err)
	must(t, cmd.Start())
	all, seen, err := fusions(out, root, sameBits)
	must(t, err)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("go %s: %v", strings.Join(args, " "), err)
	}
	for _, p := range sameBits {
		if !seen[p] {
			t.Errorf("%s: the listing has no function of it", p)
		}
	}
	text := func(file string, line int) string {
		b, err := os.ReadFile(file)
		if err != nil {
			b, err = os.ReadFile(filepath.Join(root, file))
		}
		must(t, err)
		return strings.TrimSpace(strings.Split(string(b), "\n")[line-1])
	}
	for _, s := range faults(all, text) {
		t.Error(s)
	}
}

// alike lists what of package math is the same bits on every machine.
var alike = strings.Fields("MaxFloat32 MaxFloat64 MaxInt MaxInt32 MaxInt64 MinInt64 Ln2 SmallestNonzeroFloat64 " +
	"Abs Ceil FMA Float64bits Float64frombits Floor Frexp Inf IsInf IsNaN Ldexp Max Min NaN Nextafter Round Sqrt Trunc")

// unlike lists the calls of others by file, with the reason.
var unlike = map[string]string{
	"fairqueue/decay.go Exp2":  "promised to rounding alone",
	"fairqueue/decay.go Expm1": "promised to rounding alone",
}

// TestMathAlike reads which functions of package math the packages call that promise the same bits.
func TestMathAlike(t *testing.T) {
	called := map[string]bool{}
	for _, f := range sources(t, func(s source) bool { return !s.isTest() && slices.Contains(sameBits, s.dir()) }) {
		for _, name := range uses(f, "math") {
			call := f.name + " " + name
			if called[call] = true; !slices.Contains(alike, name) && unlike[call] == "" {
				t.Errorf("%s calls math.%s, whose last bits differ among processors", f.name, name)
			}
		}
	}
	for call := range unlike {
		if !called[call] {
			t.Errorf("%s: an exception, but there is no such call", call)
		}
	}
}
