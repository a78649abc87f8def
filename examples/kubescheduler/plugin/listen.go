package plugin

import (
	"context"
	"sync"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	fwk "k8s.io/kube-scheduler/framework"
)

// listen tells the order of pods that end or go, and of the CPUs of nodes.
//
// The informer of pods that all plugins share leaves out pods that have ended: for it a pod that
// ends is deleted. So the pods have an informer of their own here, which keeps little of each.
func (p *Plugin) listen(ctx context.Context, handle fwk.Handle) error {
	own := informers.NewSharedInformerFactoryWithOptions(handle.ClientSet(), 0, informers.WithTransform(strip))
	pods := own.Core().V1().Pods().Informer()
	registration, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(pod any) { p.ended(pod.(*v1.Pod)) },
		UpdateFunc: func(_, pod any) { p.ended(pod.(*v1.Pod)) },
		DeleteFunc: func(gone any) {
			if last, ok := gone.(cache.DeletedFinalStateUnknown); ok {
				gone = last.Obj
			}
			if pod, ok := gone.(*v1.Pod); ok {
				p.ended(pod)
				p.Order.Remove(time.Now(), string(pod.UID))
			}
		},
	})
	if err != nil {
		return err
	}
	capacity := &capacity{p: p, nodes: map[types.UID]float64{}}
	_, err = handle.SharedInformerFactory().Core().V1().Nodes().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(node any) { capacity.set(node.(*v1.Node)) },
		UpdateFunc: func(_, node any) { capacity.set(node.(*v1.Node)) },
		DeleteFunc: func(gone any) {
			if last, ok := gone.(cache.DeletedFinalStateUnknown); ok {
				gone = last.Obj
			}
			if node, ok := gone.(*v1.Node); ok {
				node = node.DeepCopy()
				node.Spec.Unschedulable = true
				capacity.set(node)
			}
		},
	})
	if err != nil {
		return err
	}
	own.Start(ctx.Done())
	go func() { // pods that went while nobody listened
		if cache.WaitForCacheSync(ctx.Done(), registration.HasSynced) {
			there := map[string]bool{}
			for _, pod := range pods.GetStore().List() {
				there[string(pod.(*v1.Pod).UID)] = true
			}
			p.Order.Keep(time.Now(), func(id string) bool { return there[id] })
		}
	}()
	return nil
}

// ended tells the order of a pod that has ended, and of one that succeeded how long it ran.
func (p *Plugin) ended(pod *v1.Pod) {
	switch pod.Status.Phase {
	case v1.PodSucceeded:
		p.Order.Complete(time.Now(), podOf(pod), ran(pod))
	case v1.PodFailed:
		p.Order.Complete(time.Now(), podOf(pod), 0)
	}
}

// ran returns the seconds from the start of the pod's first container to the end of the last.
func ran(pod *v1.Pod) float64 {
	var first, last time.Time
	for _, s := range pod.Status.ContainerStatuses {
		if t := s.State.Terminated; t != nil {
			if first.IsZero() || t.StartedAt.Time.Before(first) {
				first = t.StartedAt.Time
			}
			if t.FinishedAt.Time.After(last) {
				last = t.FinishedAt.Time
			}
		}
	}
	return max(0, last.Sub(first).Seconds())
}

// strip leaves of a pod what ended needs.
func strip(object any) (any, error) {
	pod, ok := object.(*v1.Pod)
	if !ok {
		return object, nil
	}
	less := &v1.Pod{}
	less.Namespace, less.Name, less.UID, less.ResourceVersion = pod.Namespace, pod.Name, pod.UID, pod.ResourceVersion
	less.OwnerReferences = pod.OwnerReferences
	less.Status.Phase, less.Status.ContainerStatuses = pod.Status.Phase, pod.Status.ContainerStatuses
	return less, nil
}

// capacity sums up the CPUs of the nodes.
type capacity struct {
	p     *Plugin
	mu    sync.Mutex
	nodes map[types.UID]float64
}

func (c *capacity) set(node *v1.Node) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := cpus(node.Status.Allocatable)
	if node.Spec.Unschedulable {
		now = 0
	}
	if now == c.nodes[node.UID] {
		return
	}
	if c.nodes[node.UID] = now; now == 0 {
		delete(c.nodes, node.UID)
	}
	sum := 0.0
	for _, cpus := range c.nodes {
		sum += cpus
	}
	_ = c.p.Order.SetCPUs(time.Now(), sum) // a sum of numbers that are at least 0
}
