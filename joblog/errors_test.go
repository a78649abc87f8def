package joblog_test

import (
	"math"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/joblog"
)

func TestErrors(t *testing.T) {
	each := func(joblog.Span) bool { return true }
	expect.Refused(t, "joblog.ReadSWIM", joblog.ReadSWIM, nil, expect.Bad("r", -1, nil))
	expect.Refused(t, "joblog.EachSpan", joblog.EachSpan, nil, expect.Bad("r", -1, nil, each, joblog.ReadOptions{}), expect.Bad("each", -1, zeros{}, nil, joblog.ReadOptions{}))
	for _, o := range []joblog.ReadOptions{{MaxTasks: -1}, {MaxTasks: 1 << 29}, {MaxJobs: -1}, {MaxBytes: -1}, {Bad: -.1}, {Bad: 1.1}, {Bad: math.NaN()}} {
		expect.Refused(t, "joblog.New", joblog.New, nil, expect.Bad("o", -1, zeros{}, o))
		expect.Refused(t, "joblog.ReadJobs", joblog.ReadJobs, nil, expect.Bad("o", -1, zeros{}, o), expect.Bad("r", -1, nil, o))
		expect.Refused(t, "joblog.EachSpan", joblog.EachSpan, nil, expect.Bad("o", -1, zeros{}, each, o))
	}
	expect.Words(t, map[joblog.State]string{joblog.Other: "other", joblog.Completed: "completed", joblog.Failed: "failed", joblog.Cancelled: "cancelled"})
	expect.Words(t, map[joblog.Format]string{
		joblog.NoFormat: "none", joblog.Table: "table", joblog.SWF: "SWF", joblog.SWIM: "SWIM", joblog.Sacct: "sacct", joblog.Kubernetes: "Kubernetes"})
}
