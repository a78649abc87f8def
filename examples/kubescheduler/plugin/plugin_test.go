package plugin

import (
	"testing"
	"time"

	"github.com/schedmath/schedmath/examples/kubescheduler/order"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func podNamed(name, owner string, estimate string) *v1.Pod {
	yes := true
	p := &v1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "team", Name: name, UID: types.UID(name), Annotations: map[string]string{estimateAnnotation: estimate},
		OwnerReferences: []metav1.OwnerReference{{Kind: "Job", Name: owner, Controller: &yes}}}}
	p.Spec.Containers = []v1.Container{{Resources: v1.ResourceRequirements{Requests: v1.ResourceList{v1.ResourceCPU: resource.MustParse("500m")}}}}
	return p
}

func TestPodOf(t *testing.T) {
	for _, c := range []struct {
		owner, estimate string
		want            order.Pod
	}{
		{"report-29012345", "2m30s", order.Pod{ID: "p", Owner: "team/Job/report", Estimate: 150, CPUs: .5}},
		{"once", "soon", order.Pod{ID: "p", Owner: "team/Job/once", CPUs: .5}},
	} {
		if got := podOf(podNamed("p", c.owner, c.estimate)); got != c.want {
			t.Errorf("podOf of a pod of %s that says %q = %+v, want %+v", c.owner, c.estimate, got, c.want)
		}
	}
	if got := podOf(&v1.Pod{}); got != (order.Pod{}) {
		t.Errorf("podOf of an empty pod = %+v", got)
	}
}

// TestReserve: a reservation that falls through makes the pod ready again, also without a Reserve
// before.
func TestReserve(t *testing.T) {
	o, err := order.New(order.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &Plugin{Order: o}
	short, long := podNamed("short", "x", "1s"), podNamed("long", "x", "1h")
	next := func(want string) {
		t.Helper()
		if got, _ := o.Next(); got != want {
			t.Errorf("the next pod is %q, want %q", got, want)
		}
	}
	for _, pod := range []*v1.Pod{long, short} {
		if s := p.PreEnqueue(t.Context(), pod); !s.IsSuccess() {
			t.Fatal(s)
		}
	}
	p.Unreserve(t.Context(), nil, short, "")
	next("short")
	p.Reserve(t.Context(), nil, short, "")
	next("long")
	p.Unreserve(t.Context(), nil, short, "")
	next("short")
	long.Spec.Priority = new(int32)
	if *long.Spec.Priority = 1; !p.Before(long, short) || p.Before(short, long) {
		t.Error("a pod of priority 1 is not before one without")
	}
}

// TestEnded: a pod that succeeded teaches, one that failed does not; both leave the order.
func TestEnded(t *testing.T) {
	o, err := order.New(order.Options{Default: 1234})
	if err != nil {
		t.Fatal(err)
	}
	p := &Plugin{Order: o}
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		phase v1.PodPhase
		want  float64 // the estimate afterwards
	}{{v1.PodRunning, 1234}, {v1.PodFailed, 1234}, {v1.PodSucceeded, 90}} {
		pod := podNamed(string(c.phase), "report-1", "")
		if s := p.PreEnqueue(t.Context(), pod); !s.IsSuccess() {
			t.Fatal(s)
		}
		pod.Status.Phase = c.phase
		for _, seconds := range []int{40, 70} { // two containers, from 0 to 40 and from 20 to 90
			from := start.Add(time.Duration(seconds-40) * 2 * time.Second / 3)
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, v1.ContainerStatus{State: v1.ContainerState{Terminated: &v1.ContainerStateTerminated{
				StartedAt: metav1.NewTime(from), FinishedAt: metav1.NewTime(from.Add(time.Duration(seconds) * time.Second))}}})
		}
		less, err := strip(pod)
		if err != nil {
			t.Fatal(err)
		}
		p.ended(less.(*v1.Pod))
		if got := o.Estimate(podOf(podNamed("next", "report-2", ""))); got != c.want {
			t.Errorf("after a pod in phase %s the estimate is %v, want %v", c.phase, got, c.want)
		}
	}
	if next, _ := o.Next(); next != string(v1.PodRunning) {
		t.Errorf("the next pod is %q, want the only one that has not ended", next)
	}
}

func TestSaverName(t *testing.T) {
	for _, state := range []string{"kube-system", "/order", "kube-system/", ""} {
		if _, err := newSaver(nil, state); err == nil {
			t.Errorf("newSaver accepts %q", state)
		}
	}
}
