package main

import (
	"testing"
	"time"

	"github.com/schedmath/schedmath/examples/kubescheduler/looptest"
	"github.com/schedmath/schedmath/examples/kubescheduler/order"
	"github.com/schedmath/schedmath/examples/kubescheduler/plugin"
	v1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

func TestLoop(t *testing.T) {
	looptest.All(t, "../config.yaml", looptest.Version{Plugin: newPlugin, Informers: func(client kubernetes.Interface) informers.SharedInformerFactory {
		return scheduler.NewInformerFactory(client, 0, nil)
	}})
}

// entity is a pod, or with a time since when it waits a group, of some priority.
func entity(name string, priority int32, since int64) fwk.QueuedEntityInfo {
	q := framework.QueueingParams{Timestamp: time.Unix(since, 0)}
	if since > 0 {
		return &group{QueuedPodGroupInfo: framework.QueuedPodGroupInfo{QueueingParams: q}, priority: priority}
	}
	pod := &v1.Pod{}
	pod.Name, pod.UID, pod.Spec.Priority = name, "", &priority
	return &framework.QueuedPodInfo{PodInfo: &framework.PodInfo{Pod: pod}, QueueingParams: q}
}

type group struct {
	framework.QueuedPodGroupInfo
	priority int32
}

func (g *group) GetPriority() int32 { return g.priority }

// TestGroups: by priority; groups before pods, the one that waits longest first.
func TestGroups(t *testing.T) {
	o, err := order.New(order.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q := queueSort{&plugin.Plugin{Order: o}}
	list := []fwk.QueuedEntityInfo{entity("", 9, 7), entity("x", 9, 0), entity("", 1, 5), entity("", 1, 6), entity("y", 1, 0)}
	for i, a := range list {
		for j, b := range list {
			if got := q.Less(a, b); got != (i < j) {
				t.Errorf("Less of entities %d and %d = %t, want %t", i, j, got, i < j)
			}
		}
	}
}
