// Command v1.37 is kube-scheduler v1.37 with the plugin Schedmath. ../README.md says how to run it.
package main

import (
	"context"
	"os"

	"github.com/schedmath/schedmath/examples/kubescheduler/plugin"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/component-base/cli"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/cmd/kube-scheduler/app"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

func main() {
	os.Exit(cli.Run(app.NewSchedulerCommand(app.WithPlugin(plugin.Name, newPlugin))))
}

// queueSort adds to the plugin the Less of this version.
type queueSort struct{ *plugin.Plugin }

func newPlugin(ctx context.Context, configuration runtime.Object, handle fwk.Handle) (fwk.Plugin, error) {
	p, err := plugin.New(ctx, configuration, handle)
	if err != nil {
		return nil, err
	}
	return queueSort{p}, nil
}

// Less implements fwk.QueueSortPlugin. Groups of pods have no place in the order, since their
// members come and go: at equal priority they are before pods, by time.
func (q queueSort) Less(a, b fwk.QueuedEntityInfo) bool {
	p, single := a.(*framework.QueuedPodInfo)
	r, too := b.(*framework.QueuedPodInfo)
	switch {
	case single && too:
		return q.Before(p.Pod, r.Pod)
	case a.GetPriority() != b.GetPriority():
		return a.GetPriority() > b.GetPriority()
	case single != too:
		return too
	}
	return a.GetTimestamp().Before(b.GetTimestamp())
}
