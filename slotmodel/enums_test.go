package slotmodel_test

import (
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

func TestEnumerationsKeepTheirWords(t *testing.T) {
	expect.Words(t, map[slotmodel.Kind]string{slotmodel.Map: "map", slotmodel.Reduce: "reduce"})
	expect.Words(t, map[slotmodel.EventType]string{
		slotmodel.Arrived: "arrived", slotmodel.Ready: "ready", slotmodel.Started: "started",
		slotmodel.Computes: "computes", slotmodel.Ended: "ended", slotmodel.Killed: "killed",
		slotmodel.Suspends: "suspends", slotmodel.Resumes: "resumes", slotmodel.Crashed: "crashed",
		slotmodel.OutputLost: "output-lost", slotmodel.NodeDown: "node-down", slotmodel.NodeUp: "node-up",
		slotmodel.MapsEnded: "maps-ended", slotmodel.JobEnded: "job-ended", slotmodel.NodeSlow: "node-slow",
		slotmodel.Rode: "rode",
	})
	expect.Words(t, map[slotmodel.Outcome]string{
		slotmodel.Unended: "unended", slotmodel.Finished: "finished", slotmodel.TimedOut: "timed-out",
		slotmodel.Failed: "failed", slotmodel.Canceled: "canceled", slotmodel.Stuck: "stuck",
	})
	expect.Words(t, map[fluid.Late]string{
		fluid.LateShare: "share", fluid.LateFirst: "first", fluid.LateLeastAttained: "least-attained",
		fluid.LateNext: "next",
	})
	if got := (fluid.FSP{Late: 7, ByWork: true}).String(); got != "fsp-Late(7)/work" {
		t.Errorf("FSP with Late 7 is %q, want fsp-Late(7)/work", got)
	}
}
