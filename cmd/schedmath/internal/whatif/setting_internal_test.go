package whatif

import (
	"runtime"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/internal/replay"
	"github.com/schedmath/schedmath/slotmodel"
)

// TestLeaveOutByShape: which of many jobs alike can never run takes the memory of two numbers a job,
// and those that are too wide are found, among jobs that come after others too.
func TestLeaveOutByShape(t *testing.T) {
	const n = 20_000
	job := func(tasks, after int) slotmodel.JobSpec {
		return slotmodel.JobSpec{Rigid: true, Maps: slotmodel.Phase{Tasks: tasks, Work: 10}, After: after}
	}
	s := &setting{Trace: replay.Trace{Jobs: slices.Repeat([]slotmodel.JobSpec{job(2, 0)}, n)}, slots: true, rigid: true, machines: 1, processors: 4}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	expect.Must(t, s.leaveOut())
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 64*n || len(s.Jobs) != n {
		t.Errorf("%d jobs are left of %d, with %d bytes, want all with at most 64 each", len(s.Jobs), n, got)
	}
	for _, c := range []struct {
		jobs []slotmodel.JobSpec
		want []int
	}{
		{[]slotmodel.JobSpec{job(2, 0), job(5, 0), job(2, 0), job(5, 0), job(4, 0)}, []int{0, 2, 4}},
		{[]slotmodel.JobSpec{job(2, 0), job(2, 1), job(5, 0), job(4, 2)}, []int{0, 1, 3}},
	} {
		s = &setting{Trace: replay.Trace{Jobs: c.jobs}, slots: true, rigid: true, machines: 1, processors: 4}
		if err := s.leaveOut(); err != nil || !slices.Equal(s.places, c.want) {
			t.Errorf("the jobs %v are left, error %v, want %v", s.places, err, c.want)
		}
	}
}

// The digest of a part has nothing of the process that makes it, such as where a function lies.
func TestDigestIsOfSettings(t *testing.T) {
	s := setting{Options: Options{reserve: reserve, joined: new(joined), common: new(program.Options)}}
	if got, want := s.digest(nil), new(setting).digest(nil); got != want {
		t.Errorf("digest = %s, want %s, as without what only a process has", got, want)
	}
}
