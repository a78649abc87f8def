// Package plugin makes of package order a plugin of kube-scheduler: all but the Less of QueueSort,
// whose type differs among versions of Kubernetes.
package plugin

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"

	"github.com/schedmath/schedmath/examples/kubescheduler/order"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/component-helpers/resource"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
)

// Name is that of the plugin in the configuration of the scheduler.
const Name = "Schedmath"

// What pods and nodes say.
const (
	estimateAnnotation = "schedmath/estimate" // of a pod: how long it runs, as "90s" or "2h30m"
	inputAnnotation    = "schedmath/input"    // of a pod: bytes that it reads, by node, as {"node-1": 2e9}
	speedLabel         = "schedmath/speed"    // of a node: how fast it runs, "1" if it has none
)

// Args is the pluginConfig.
type Args struct {
	Overtake       float64         `json:"overtake"`       // see order.Options
	DefaultSeconds float64         `json:"defaultSeconds"` // see order.Options
	Bandwidth      float64         `json:"bandwidth"`      // at which a pod fetches its input, in bytes a second; 0: 1e8
	State          string          `json:"state"`          // namespace/name of the ConfigMap that survives a restart; "": none
	SavePeriod     metav1.Duration `json:"savePeriod"`     // 0: a minute
}

// Plugin is the plugin but for Less.
type Plugin struct {
	Order     *order.Order
	bandwidth float64
	saver     *saver
}

// New reads the configuration and the state, and begins to listen to pods and nodes.
func New(ctx context.Context, configuration runtime.Object, handle fwk.Handle) (*Plugin, error) {
	var args Args
	if u, ok := configuration.(*runtime.Unknown); ok && len(u.Raw) > 0 {
		if err := json.Unmarshal(u.Raw, &args); err != nil {
			return nil, fmt.Errorf("arguments of %s: %w", Name, err)
		}
	}
	if args.Bandwidth == 0 {
		args.Bandwidth = 1e8
	}
	if args.SavePeriod.Duration == 0 {
		args.SavePeriod.Duration = time.Minute
	}
	if !(args.Bandwidth > 0) || args.SavePeriod.Duration < 0 {
		return nil, fmt.Errorf("arguments of %s: bandwidth %v, savePeriod %v", Name, args.Bandwidth, args.SavePeriod.Duration)
	}
	options := order.Options{Overtake: args.Overtake, Default: args.DefaultSeconds}
	p := &Plugin{bandwidth: args.Bandwidth}
	var err error
	if p.Order, err = order.New(options); err != nil {
		return nil, err
	}
	if args.State != "" {
		if p.saver, err = newSaver(handle.ClientSet(), args.State); err != nil {
			return nil, err
		}
		if restored, err := p.saver.load(ctx, options); err != nil {
			return nil, err
		} else if restored != nil {
			p.Order = restored
		}
		go p.saver.run(ctx, args.SavePeriod.Duration, p.Order)
	}
	return p, p.listen(ctx, handle)
}

// Name implements fwk.Plugin.
func (*Plugin) Name() string { return Name }

// PreEnqueue fixes the pod's place in the order at its first call, and lets it into the queue.
func (p *Plugin) PreEnqueue(ctx context.Context, pod *v1.Pod) *fwk.Status {
	if err := p.Order.Enqueue(time.Now(), podOf(pod)); err != nil {
		klog.FromContext(ctx).Error(err, "The pod has no place in the order", "pod", klog.KObj(pod)) // it comes last
	}
	return nil
}

// Before reports whether pod a is scheduled before pod b: by priority, as in PrioritySort, then by
// order.
func (p *Plugin) Before(a, b *v1.Pod) bool {
	if x, y := priority(a), priority(b); x != y {
		return x > y
	}
	return p.Order.Less(string(a.UID), string(b.UID))
}

func priority(p *v1.Pod) int32 {
	if p.Spec.Priority != nil {
		return *p.Spec.Priority
	}
	return 0
}

// Reserve implements fwk.ReservePlugin.
func (p *Plugin) Reserve(_ context.Context, _ fwk.CycleState, pod *v1.Pod, _ string) *fwk.Status {
	p.Order.SetReady(string(pod.UID), false)
	p.saver.lead()
	return nil
}

// Unreserve implements fwk.ReservePlugin.
func (p *Plugin) Unreserve(_ context.Context, _ fwk.CycleState, pod *v1.Pod, _ string) {
	p.Order.SetReady(string(pod.UID), true)
}

// input is what PreScore keeps of a pod for Score.
type input struct {
	seconds, total float64
	bytes          map[string]float64 // by node
}

// Clone implements fwk.StateData.
func (i *input) Clone() fwk.StateData { return i }

// PreScore reads the pod's annotations, once for all nodes.
func (p *Plugin) PreScore(_ context.Context, state fwk.CycleState, pod *v1.Pod, _ []fwk.NodeInfo) *fwk.Status {
	in := &input{seconds: p.Order.Estimate(podOf(pod))}
	if json.Unmarshal([]byte(pod.Annotations[inputAnnotation]), &in.bytes) != nil {
		in.bytes = nil
	}
	for _, b := range in.bytes {
		in.total += b
	}
	state.Write(Name, in)
	return nil
}

// Score returns after how many milliseconds the pod would be done on the node.
func (p *Plugin) Score(_ context.Context, state fwk.CycleState, _ *v1.Pod, node fwk.NodeInfo) (int64, *fwk.Status) {
	data, err := state.Read(Name)
	if err != nil {
		return 0, fwk.AsStatus(err)
	}
	in, name := data.(*input), node.Node().Name
	speed, err := strconv.ParseFloat(node.Node().Labels[speedLabel], 64)
	if err != nil {
		speed = 1
	}
	finish, err := order.Finish(in.seconds, speed, in.bytes[name], in.total-in.bytes[name], p.bandwidth)
	if err != nil {
		finish = math.MaxInt32 // what the pod or the node says makes no sense
	}
	return int64(min(1000*finish, math.MaxInt64/2)), nil
}

// ScoreExtensions implements fwk.ScorePlugin.
func (p *Plugin) ScoreExtensions() fwk.ScoreExtensions { return p }

// NormalizeScore gives the node on which the pod is done first the greatest score.
func (p *Plugin) NormalizeScore(_ context.Context, _ fwk.CycleState, _ *v1.Pod, scores fwk.NodeScoreList) *fwk.Status {
	times := make([]int64, len(scores))
	for i, s := range scores {
		times[i] = s.Score
	}
	order.Scores(times, fwk.MaxNodeScore)
	for i, s := range times {
		scores[i].Score = s
	}
	return nil
}

// podOf tells the order of a pod.
func podOf(p *v1.Pod) order.Pod {
	o := order.Pod{ID: string(p.UID), CPUs: cpus(resource.PodRequests(p, resource.PodResourcesOptions{}))}
	if d, err := time.ParseDuration(p.Annotations[estimateAnnotation]); err == nil {
		o.Estimate = d.Seconds()
	}
	if owner := metav1.GetControllerOf(p); owner != nil {
		o.Owner = p.Namespace + "/" + owner.Kind + "/" + runNumber.ReplaceAllString(owner.Name, "")
	}
	return o
}

// runNumber is what a CronJob adds to the name of each of its Jobs.
var runNumber = regexp.MustCompile(`-[0-9]+$`)

func cpus(list v1.ResourceList) float64 { return list.Cpu().AsApproximateFloat64() }
