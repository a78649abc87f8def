package reporttest_test

import (
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/examples/internal/report/reporttest"
)

// recorder notes that a test failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Error(...any)          { r.failed = true }
func (r *recorder) Errorf(string, ...any) { r.failed = true }

func TestCanFailFinds(t *testing.T) {
	yes := report.Claim{Claim: "less", Published: "1 < 2", Model: "1", Relation: "x < 2", Holds: true}
	no := yes
	no.Holds, no.Note, no.Model = false, "is more", "3"
	wordy, broken := no, no
	wordy.Note, broken.Model = strings.Repeat("x", 201), "NaN"
	type claims = []report.Claim
	for name, c := range map[string]struct {
		holding, failing claims
		want             bool
	}{
		"nothing":                    {claims{yes}, claims{no}, false},
		"no claims":                  {want: true},
		"a claim twice":              {claims{yes, yes}, claims{no, no}, true},
		"a claim that does not hold": {claims{no}, claims{no}, true},
		"a claim that cannot fail":   {claims{yes}, claims{yes}, true},
		"a note of 201 characters":   {claims{yes}, claims{wordy}, true},
		"what is not a number":       {claims{yes}, claims{broken}, true},
	} {
		r := &recorder{TB: t}
		if reporttest.CanFail(r, c.holding, c.failing); r.failed != c.want {
			t.Errorf("%s: fails %v, want %v", name, r.failed, c.want)
		}
	}
}
