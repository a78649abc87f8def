// Package looptest runs the loop of the real kube-scheduler, of the version that the importing
// module requires, on a fake API server.
package looptest

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/schedmath/schedmath/examples/kubescheduler/order"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	core "k8s.io/client-go/testing"
	"k8s.io/client-go/tools/events"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/profile"
)

// Loop is a fake API server on which one scheduler runs after another.
type Loop struct {
	t       *testing.T
	client  *fake.Clientset
	version Version
	config  *config.KubeSchedulerConfiguration
}

// Version is what differs among versions of Kubernetes.
type Version struct {
	Plugin    frameworkruntime.PluginFactory
	Informers func(kubernetes.Interface) informers.SharedInformerFactory // scheduler.NewInformerFactory
}

// New returns a cluster without nodes, and a scheduler for it with the configuration in the file.
func New(t *testing.T, file string, version Version) *Loop {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), "savePeriod: 1m", "savePeriod: 20ms", 1))
	decoded, _, err := scheme.Codecs.UniversalDecoder().Decode(text, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := &Loop{t, fake.NewClientset(), version, decoded.(*config.KubeSchedulerConfiguration)}
	plugins := l.config.Profiles[0].Plugins
	plugins.MultiPoint.Enabled = append(plugins.MultiPoint.Enabled, config.Plugin{Name: recorderName})
	// A binding is what kubelets see of the scheduler's decision.
	l.client.PrependReactor("create", "pods", func(action core.Action) (bool, runtime.Object, error) {
		b, ok := action.(core.CreateAction).GetObject().(*v1.Binding)
		if !ok {
			return false, nil, nil
		}
		pods := v1.SchemeGroupVersion.WithResource("pods")
		stored, err := l.client.Tracker().Get(pods, b.Namespace, b.Name)
		if err != nil {
			return true, nil, err
		}
		pod := stored.(*v1.Pod).DeepCopy()
		pod.Spec.NodeName = b.Target.Name
		return true, b, l.client.Tracker().Update(pods, pod, b.Namespace)
	})
	return l
}

// Pod is a pod to be scheduled.
type Pod struct {
	Name, CronJob string
	Annotations   map[string]string
	Priority      int32
	Node          string // the only one that it may run on; "": any
}

// Create creates pods of one CPU.
func (l *Loop) Create(pods ...Pod) {
	l.t.Helper()
	for _, p := range pods {
		pod := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: p.Name, UID: types.UID("uid of " + p.Name), Annotations: p.Annotations}}
		if p.CronJob != "" {
			yes := true
			pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: p.CronJob + "-29012345", Controller: &yes}}
		}
		pod.Spec.SchedulerName, pod.Spec.Priority = "default-scheduler", &p.Priority
		if p.Node != "" {
			pod.Spec.NodeSelector = map[string]string{v1.LabelHostname: p.Node}
		}
		pod.Spec.Containers = []v1.Container{{Name: "c", Image: "i", Resources: v1.ResourceRequirements{Requests: v1.ResourceList{v1.ResourceCPU: resource.MustParse("1")}}}}
		if _, err := l.client.CoreV1().Pods("default").Create(l.t.Context(), pod, metav1.CreateOptions{}); err != nil {
			l.t.Fatal(err)
		}
	}
}

// Estimates returns pods, named by number, that say how many seconds they run.
func Estimates(seconds ...int) (pods []Pod) {
	for _, s := range seconds {
		pods = append(pods, Pod{Name: fmt.Sprint(s), Annotations: map[string]string{"schedmath/estimate": fmt.Sprint(s, "s")}})
	}
	return pods
}

// On returns the pods, which may run on that node alone.
func On(node string, pods []Pod) []Pod {
	for i := range pods {
		pods[i].Node = node
	}
	return pods
}

// AddNode adds a node of 100 CPUs.
func (l *Loop) AddNode(name string) {
	l.t.Helper()
	node := &v1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID("uid of " + name), Labels: map[string]string{v1.LabelHostname: name}}}
	node.Status.Allocatable = v1.ResourceList{v1.ResourceCPU: resource.MustParse("100"), v1.ResourceMemory: resource.MustParse("100Gi"), v1.ResourcePods: resource.MustParse("110")}
	node.Status.Capacity = node.Status.Allocatable
	if _, err := l.client.CoreV1().Nodes().Create(l.t.Context(), node, metav1.CreateOptions{}); err != nil {
		l.t.Fatal(err)
	}
}

// Succeed ends a pod after so many seconds.
func (l *Loop) Succeed(name string, seconds int) {
	l.t.Helper()
	pod, err := l.client.CoreV1().Pods("default").Get(l.t.Context(), name, metav1.GetOptions{})
	if err != nil {
		l.t.Fatal(err)
	}
	from := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	pod.Status.Phase = v1.PodSucceeded
	pod.Status.ContainerStatuses = []v1.ContainerStatus{{State: v1.ContainerState{Terminated: &v1.ContainerStateTerminated{
		StartedAt: metav1.NewTime(from), FinishedAt: metav1.NewTime(from.Add(time.Duration(seconds) * time.Second))}}}}
	if _, err := l.client.CoreV1().Pods("default").UpdateStatus(l.t.Context(), pod, metav1.UpdateOptions{}); err != nil {
		l.t.Fatal(err)
	}
}

// Saved waits until the saved order estimates so many seconds for the pods of the CronJob.
func (l *Loop) Saved(cronJob string, seconds float64) {
	l.t.Helper()
	l.wait("the saved estimate", func() bool {
		m, err := l.client.CoreV1().ConfigMaps("kube-system").Get(l.t.Context(), "schedmath-order", metav1.GetOptions{})
		if err != nil {
			return false
		}
		o, err := order.Restore(m.BinaryData["order"], order.Options{})
		return err == nil && o.Estimate(order.Pod{Owner: "default/Job/" + cronJob}) == seconds
	})
}

func (l *Loop) wait(what string, until func() bool) {
	l.t.Helper()
	for deadline := time.Now().Add(time.Minute); !until(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			l.t.Fatalf("waited for %s for a minute", what)
		}
	}
}

// Run starts a scheduler, and returns what waits until so many pods are found to fit nowhere, what
// waits for the next pods that nodes are reserved for, and what stops the scheduler.
//
// Both are needed. Pods that were created one by one are tried one by one: only pods that wait
// together show an order. And binding is asynchronous: the order of Reserve is that of the queue,
// the order of bindings is not.
func (l *Loop) Run() (waiting func(pods int), reserved func(pods int) []Reserved, stop func()) {
	l.t.Helper()
	ctx, cancel := context.WithCancel(l.t.Context())
	r := &recorder{make(chan Reserved, 100)}
	shared := l.version.Informers(l.client)
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: l.client.EventsV1()})
	s, err := scheduler.New(ctx, l.client, shared, nil, profile.NewRecorderFactory(broadcaster), scheduler.WithProfiles(l.config.Profiles...),
		scheduler.WithFrameworkOutOfTreeRegistry(frameworkruntime.Registry{"Schedmath": l.version.Plugin, recorderName: r.make}),
		scheduler.WithPodInitialBackoffSeconds(0), scheduler.WithPodMaxBackoffSeconds(0))
	if err != nil {
		l.t.Fatal(err)
	}
	shared.Start(ctx.Done())
	shared.WaitForCacheSync(ctx.Done())
	if err := s.WaitForHandlersSync(ctx); err != nil {
		l.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Run(ctx)
	}()
	waiting = func(pods int) {
		want := regexp.MustCompile(fmt.Sprintf(`^activeQ:0; backoffQ:0; unschedulable(Pods|Entities):%d\b`, pods))
		l.wait(fmt.Sprint(pods, " pods in the queue"), func() bool {
			_, summary := s.SchedulingQueue.PendingPods()
			return want.MatchString(summary)
		})
	}
	reserved = func(pods int) (list []Reserved) {
		for range pods {
			select {
			case pod := <-r.pods:
				list = append(list, pod)
			case <-time.After(time.Minute):
				l.t.Fatalf("nodes are reserved for %v and no more pods, want %d", list, pods)
			}
		}
		return list
	}
	return waiting, reserved, func() { cancel(); <-done }
}

// Reserved is a pod and the node that is reserved for it.
type Reserved struct{ Pod, Node string }

// Pods returns the names of the pods.
func Pods(list []Reserved) []string {
	return slices.Collect(func(yield func(string) bool) {
		for _, r := range list {
			if !yield(r.Pod) {
				return
			}
		}
	})
}

const recorderName = "Recorder"

// recorder is a plugin that tells for which pods nodes are reserved.
type recorder struct{ pods chan Reserved }

func (r *recorder) make(context.Context, runtime.Object, fwk.Handle) (fwk.Plugin, error) {
	return r, nil
}
func (*recorder) Name() string { return recorderName }

func (r *recorder) Reserve(_ context.Context, _ fwk.CycleState, pod *v1.Pod, node string) *fwk.Status {
	r.pods <- Reserved{pod.Name, node}
	return nil
}

func (*recorder) Unreserve(context.Context, fwk.CycleState, *v1.Pod, string) {}
