package looptest

import (
	"flag"
	"fmt"
	"slices"
	"testing"
)

var runs = flag.Int("runs", 100, "run the test of the order so many times")

// All runs all tests of the plugin with the configuration in the file.
func All(t *testing.T, file string, version Version) {
	t.Run("Order", func(t *testing.T) {
		for i := range *runs {
			if t.Run(fmt.Sprint(i), func(t *testing.T) { testOrder(t, New(t, file, version)) }); t.Failed() {
				return
			}
		}
	})
	t.Run("Priority", func(t *testing.T) { testPriority(t, New(t, file, version)) })
	t.Run("Score", func(t *testing.T) { testScore(t, New(t, file, version)) })
	t.Run("Restart", func(t *testing.T) { testRestart(t, New(t, file, version)) })
}

func want(t *testing.T, got []Reserved, names ...string) {
	t.Helper()
	if pods := Pods(got); !slices.Equal(pods, names) {
		t.Errorf("nodes are reserved for %v, want %v", pods, names)
	}
}

// testOrder: five pods wait for the node that they need.
func testOrder(t *testing.T, l *Loop) {
	waiting, reserved, stop := l.Run()
	defer stop()
	l.AddNode("a")
	l.Create(On("b", Estimates(500, 30, 200, 5, 100))...)
	waiting(5)
	l.AddNode("b")
	want(t, reserved(5), "5", "30", "100", "200", "500")
}

// testPriority: priority comes before the estimate.
func testPriority(t *testing.T, l *Loop) {
	waiting, reserved, stop := l.Run()
	defer stop()
	l.AddNode("a")
	pods := On("b", Estimates(500, 30, 200))
	pods[2].Priority = 10
	l.Create(pods...)
	waiting(3)
	l.AddNode("b")
	want(t, reserved(3), "200", "30", "500")
}

// testScore: a pod goes where its input is.
func testScore(t *testing.T, l *Loop) {
	_, reserved, stop := l.Run()
	defer stop()
	for _, node := range []string{"a", "b", "c"} {
		l.AddNode(node)
	}
	for i := range 9 {
		pod := Estimates(5)[0]
		pod.Name = fmt.Sprint("reader-", i)
		node := string(rune('a' + i%3))
		pod.Annotations["schedmath/input"] = fmt.Sprintf(`{%q: 9e9, "elsewhere": 1e9}`, node)
		l.Create(pod)
		if got := reserved(1)[0]; got.Pod != pod.Name || got.Node != node {
			t.Errorf("node %s is reserved for %s, want %s for %s", got.Node, got.Pod, node, pod.Name)
		}
	}
}

// testRestart: what the first scheduler learns of a CronJob's pod, which took 60 s, the second
// knows; and it keeps the order of the pods that wait.
func testRestart(t *testing.T, l *Loop) {
	waiting, reserved, stop := l.Run()
	l.AddNode("a")
	l.Create(Pod{Name: "nightly-1", CronJob: "nightly"})
	want(t, reserved(1), "nightly-1")
	l.Succeed("nightly-1", 60)
	l.Saved("nightly", 60)
	l.Create(On("b", Estimates(500, 5))...)
	waiting(2)
	stop()
	waiting, reserved, stop = l.Run()
	defer stop()
	l.Create(On("b", append(Estimates(100, 30), Pod{Name: "nightly-2", CronJob: "nightly"}, Pod{Name: "unknown"}))...) // 600 s
	waiting(6)
	l.AddNode("b")
	want(t, reserved(6), "5", "30", "nightly-2", "100", "500", "unknown")
}
