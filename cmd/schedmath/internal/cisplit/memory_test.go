package cisplit

import (
	"io"
	"runtime"
	"strings"
	"testing"
)

// report is rest, a head at first, and then n times a unit, which takes no memory itself; most is
// the most that was in use at any of 16 moments.
type report struct {
	unit    string
	n, left int
	rest    string
	most    uint64
}

func (r *report) Close() error { return nil }

func (r *report) Read(p []byte) (int, error) {
	if r.rest == "" && r.left == 0 {
		return 0, io.EOF
	}
	if r.rest == "" {
		if r.left--; r.left%(r.n/16) == 0 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			r.most = max(r.most, m.HeapAlloc)
		}
		r.rest = r.unit
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// TestMemory: a report of 8 MiB in small elements or events takes no more than 1 MiB at any time,
// and elements within each other without end, or too many tests, are refused.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		name, head, unit string
		want             string // in the error; "": none
	}{
		{"elements", "<a>", "<b/>", "syntax error"}, // <a> has no end
		{"texts", "<a>", "<b>text</b>", "syntax error"},
		{"deep elements", "", "<a>", "more than 1000 deep"},
		{"testcases", "<a>", `<testcase classname="x" time="1"/>`, "syntax error"},
		{"events", "", `{"Action":"pass","Package":"x","Elapsed":1}` + "\n", ""},
		{"blank lines", "", "\n", ""},
	} {
		n := 1 << 23 / len(c.unit)
		in := &report{rest: c.head, unit: c.unit, n: n, left: n}
		runtime.GC()
		var before runtime.MemStats
		runtime.ReadMemStats(&before)
		text, err := unpack(in, 1<<30)
		if err != nil {
			t.Fatal(err)
		}
		none := func(string, float64) error { return nil }
		if strings.HasPrefix(c.head+c.unit, "<") {
			_, err = text.junit(1, none)
		} else {
			_, err = text.goTest(1, none)
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
		if in.most > before.HeapAlloc+1<<20 {
			t.Errorf("%s: %d bytes are in use beside %d of before", c.name, in.most-before.HeapAlloc, before.HeapAlloc)
		}
	}
}

// TestLimits: what a small packed report could fill memory with is refused.
func TestLimits(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("x", mostToken+1<<16)
	for _, c := range []struct{ args, text, want string }{
		{"-max-bytes 1000", packed("<a>" + strings.Repeat("<b/>", 1000) + "</a>"), "more than 1000 bytes: -max-bytes"},
		{"-max-bytes 1000", strings.Repeat(gotest, 9), "more than 1000 bytes: -max-bytes"},
		{"", packed("<a><!--" + long + "--></a>"), "a tag or a text is longer"},
		{"", packed(gotest + `{"Output":"` + long + `"}`), "a line is longer"},
		{"-max-bytes -1", gotest, "-max-bytes"},
	} {
		out, code := cisplit(append(strings.Fields(c.args), "-out", dir, write(t, dir, "report", c.text))...)
		if code != 2 || !strings.Contains(out, c.want) {
			t.Errorf("cisplit %s of %.40q = %d, %s, want %q", c.args, c.text, code, out, c.want)
		}
	}
	if out, code := cisplit("-out", dir, "-max-bytes", "9223372036854775807", write(t, dir, "report", "\ufeff\n \n"+gotest)); code != 0 {
		t.Errorf("a report behind a byte order mark and blank lines: %s", out)
	}
}
