// Command kubescheduler is kube-scheduler v1.36 with the plugin Schedmath. README.md says how to
// run it.
package main

import (
	"context"
	"os"

	"github.com/schedmath/schedmath/examples/kubescheduler/plugin"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/component-base/cli"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/cmd/kube-scheduler/app"
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

// Less implements fwk.QueueSortPlugin.
func (q queueSort) Less(a, b fwk.QueuedPodInfo) bool {
	return q.Before(a.GetPodInfo().GetPod(), b.GetPodInfo().GetPod())
}
