package shufflewatcher_test

import (
	"testing"

	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/shufflewatcher"
)

// The report counts the reduces of heavy jobs in racks where the quota is not yet met.
func TestReportQuotas(t *testing.T) {
	c, jobs := figure5()
	jobs[1].User = 0
	watcher := new(shufflewatcher.Chooser)
	for _, want := range []int{4, 2} { // then with a job of as much shuffle as input
		allFinish(t, c, jobs, &policy.PerUser{Chooser: watcher})
		if r := watcher.Report(); r.Reduces != want || r.Met != want {
			t.Errorf("%d of %d reduces with quotas meet them, want %d", r.Met, r.Reduces, want)
		}
		jobs[0].Shuffle = jobs[0].Input
	}
}
