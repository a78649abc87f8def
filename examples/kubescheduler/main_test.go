package main

import (
	"testing"

	"github.com/schedmath/schedmath/examples/kubescheduler/looptest"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/scheduler"
)

func TestLoop(t *testing.T) {
	looptest.All(t, "config.yaml", looptest.Version{Plugin: newPlugin, Informers: func(client kubernetes.Interface) informers.SharedInformerFactory {
		return scheduler.NewInformerFactory(client, 0)
	}})
}
