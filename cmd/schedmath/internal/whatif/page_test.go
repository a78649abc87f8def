package whatif_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/page/pagetest"
)

// random is a SWIM trace of 60 jobs of very different sizes.
func random(t *testing.T) string {
	src, text, now := rand.New(rand.NewPCG(1, 2)), "", 0.0
	for i := range 60 {
		now += 10 * src.ExpFloat64()
		bytes := 1e9 * math.Exp(2*src.NormFloat64())
		text += fmt.Sprintf("j%d\t%.3f\t0\t%.0f\t%.0f\t0\n", i, now, bytes, bytes/2)
	}
	return trace(t, text)
}

// compared runs whatif with a page and returns the page, all files, and stdout.
func compared(t *testing.T, args ...string) (page string, files map[string]string, out string) {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "page.html")
	out, errs, code := run(t, append(args, "-html", name, "-out", filepath.Join(dir, "out"), "-format", "tsv")...)
	if code != 0 || !strings.Contains(errs, "wrote "+name) {
		t.Fatalf("whatif %q = %d, %q", args, code, errs)
	}
	files = map[string]string{}
	entries, _ := os.ReadDir(filepath.Join(dir, "out"))
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, "out", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(b)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{dir + string(filepath.Separator), ""} // the command has them
	for i, a := range args[1:] {
		if args[i] == "-trace" {
			names = append(names, a, filepath.Base(a))
		}
	}
	plain := strings.NewReplacer(names...)
	files["whatif-all.json"] = plain.Replace(files["whatif-all.json"])
	return plain.Replace(string(b)), files, out
}

// tsv are the rows of a file.
func tsv(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return rows
}

// documentOf is what a page holds.
func documentOf(t *testing.T, text string) page.Document {
	t.Helper()
	d, err := pagetest.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The page holds each picture with the numbers of its file, the words, and the rows of -format json.
// It is the same on one processor and on two.
func TestPage(t *testing.T) {
	name := random(t)
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	for _, c := range []struct{ flags, pictures, words string }{
		{"-seeds 5", "policies sojourns slowdowns sizes load against-fifo against-ps differences", "one server; blocks of consecutive jobs; each quantile, class"},
		{"-seeds 3 -sigma 1", "policies sojourns slowdowns sizes load against-fifo against-ps differences", "one server; errors of the sizes; errors of sigma 1"},
		{"-model slots -seeds 2", "policies sojourns slowdowns sizes load against-fifo against-fair differences", "has tasks and slots; blocks of consecutive jobs"},
		{"-model slots", "policies sojourns slowdowns sizes load against-fifo against-fair use queue gantt", "has tasks and slots; There is one seed"},
		{"-policies fsp", "policies sojourns slowdowns sizes load against-fifo against-ps", "There is one seed; of the jobs end later under fsp than under fifo; 60 jobs"},
	} {
		args := append(strings.Fields(c.flags), "-trace", name)
		runtime.GOMAXPROCS(1)
		text, files, out := compared(t, args...)
		runtime.GOMAXPROCS(2)
		again, filesAgain, outAgain := compared(t, args...)
		for file := range files {
			if files[file] != filesAgain[file] {
				t.Errorf("%s: %s differs between one and two processors", c.flags, file)
			}
		}
		if text != again || out != outAgain {
			t.Errorf("%s: the page or the table differs between one and two processors", c.flags)
		}
		d := documentOf(t, text)
		words := strings.Join(append(d.Summary, d.Notes...), " ")
		for word := range strings.SplitSeq(c.words, "; ") {
			if !strings.Contains(words, word) {
				t.Errorf("%s: the page lacks %q", c.flags, word)
			}
		}
		var pictures []string
		for _, p := range d.Pictures {
			pictures = append(pictures, p.Name)
			if got, want := string(p.Table.TSV()), strings.ReplaceAll(files["whatif-"+p.Name+".tsv"], "+Inf", "NA"); got != want {
				t.Errorf("%s: the table of %s is %.300q, and its file %.300q", c.flags, p.Name, got, want)
			}
		}
		others := 1 // whatif-all.json
		if !strings.Contains(c.flags, "-seeds") {
			others++ // whatif-jobs.tsv
		}
		if strings.Join(pictures, " ") != c.pictures || len(files) != len(pictures)+others {
			t.Errorf("%s: %d files and the pictures %q, want %s", c.flags, len(files), pictures, c.pictures)
		}
		if kept := documentOf(t, files["whatif-all.json"]); !reflect.DeepEqual(kept.Rows, d.Rows) || len(kept.Pictures) != len(d.Pictures) {
			t.Errorf("%s: whatif-all.json is not the document of the page", c.flags)
		}
		if out != files["whatif-policies.tsv"] {
			t.Errorf("%s: stdout and whatif-policies.tsv differ", c.flags)
		}
		printed, _, _ := run(t, append(args, "-format", "json")...)
		if whole := documentOf(t, printed); !reflect.DeepEqual(whole.Rows, d.Rows) || whole.Version != page.Version {
			t.Errorf("%s: -format json and the page have other rows", c.flags)
		}
	}
}

// On Figure 1 of HFSP, whose jobs by size are d, b, c, a: b and c end sooner under ps than under
// fifo, a later, and d at once under both. Without jobs a class has no number.
func TestGains(t *testing.T) {
	_, files, _ := compared(t, "-trace", trace(t, tiny), "-load", "1", "-policies", "ps,fifo")
	const want = "class\tps\tfifo\n1\t0\t0\n2\tNA\tNA\n3\t1\t0\n4\tNA\tNA\n5\tNA\tNA\n6\t1\t0\n7\tNA\tNA\n8\t-1\t0\n9\tNA\tNA\n10\tNA\tNA\n"
	if got := files["whatif-against-fifo.tsv"]; got != want {
		t.Errorf("against fifo: %q, want %q", got, want)
	}
	mirrored := strings.NewReplacer("\t1\t0\n", "\t0\t-1\n", "\t-1\t0\n", "\t0\t1\n").Replace(want)
	if got := files["whatif-against-ps.tsv"]; got != mirrored {
		t.Errorf("against ps: %q, want %q", got, mirrored)
	}
}

// The area under the number of jobs present is the sum of their sojourn times (Little), and the
// quantiles of the curves are those of the table.
func TestCurves(t *testing.T) {
	_, files, _ := compared(t, "-trace", random(t))
	load, quantiles := tsv(files["whatif-load.tsv"]), tsv(files["whatif-sojourns.tsv"])
	for i, row := range tsv(files["whatif-policies.tsv"])[1:] {
		area := 0.0
		for _, l := range load[1:] {
			area += float(t, l[i+1]) * (float(t, load[2][0]) - float(t, load[1][0]))
		}
		if sum := 60 * float(t, row[2]); math.Abs(area-sum) > 1e-9*sum {
			t.Errorf("%s: the load adds up to %v, want the sojourns' %v", row[0], area, sum)
		}
		for at, column := range map[int]int{101: 3, 191: 4, 199: 5, 201: 6} {
			if quantiles[at][i+1] != row[column] {
				t.Errorf("%s: the quantile of %s is %s, in the table %s", row[0], quantiles[at][0], quantiles[at][i+1], row[column])
			}
		}
	}
}

// Differences are paired: those of the same seed under both policies.
func TestDifferences(t *testing.T) {
	args := []string{"-trace", random(t), "-sigma", "1", "-policies", "fsp,ps"}
	_, files, _ := compared(t, append(args, "-seed", "5", "-seeds", "3")...)
	var d [3]float64
	for k := range d {
		_, rows := cells(t, append(args, "-seed", strconv.Itoa(5+k))...)
		d[k] = float(t, rows["fsp"][1]) - float(t, rows["ps"][1])
	}
	mean := (d[0] + d[1] + d[2]) / 3
	half := 4.302652729749464 * math.Sqrt(((d[0]-mean)*(d[0]-mean)+(d[1]-mean)*(d[1]-mean)+(d[2]-mean)*(d[2]-mean))/2/3)
	for _, row := range tsv(files["whatif-differences.tsv"]) {
		if row[0] == "fsp" && row[1] == "ps" {
			for k, want := range []float64{mean, mean - half, mean + half} {
				if got := float(t, row[2+k]); math.Abs(got-want) > 1e-9*math.Abs(mean) {
					t.Errorf("fsp less ps: %q, want %v in column %d", row, want, 2+k)
				}
			}
			return
		}
	}
	t.Errorf("the differences are %q, want a row for fsp and ps", files["whatif-differences.tsv"])
}
