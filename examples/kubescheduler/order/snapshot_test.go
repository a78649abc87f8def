package order_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/kubescheduler/order"
)

const configMap = 1 << 20 // bytes that a ConfigMap may hold

// uid is like those of Kubernetes: 128 random bits.
func uid(r *rand.Rand) string {
	return fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", r.Uint32(), r.Uint32()>>16, r.Uint32()>>20, r.Uint32()>>16, r.Uint64()>>16)
}

func ownerOf(i int) string { return fmt.Sprintf("team-%d/CronJob/report-%d", i%7, i) }

// busy is an order with so many pods that wait, ages and estimates all different, and as many
// owners with 20 past pods each.
func busy(t *testing.T, pods, owners int, options order.Options) (o *order.Order, ids []string) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	o = newOrder(t, 100, options)
	for i := range 20 * owners {
		p := order.Pod{ID: uid(r), Owner: ownerOf(i % owners), CPUs: 1}
		enqueue(t, o, float64(i), p)
		o.Complete(at(float64(i)), p, 1000*r.Float64())
	}
	for i := range pods {
		p := order.Pod{ID: uid(r), Estimate: 1e4 * r.Float64(), CPUs: float64(1 + r.IntN(8))}
		enqueue(t, o, float64(20*owners+i)/7, p)
		ids = append(ids, p.ID)
	}
	return o, ids
}

// TestRestart: the restored order sorts the same, estimates the same and goes on the same.
func TestRestart(t *testing.T) {
	for _, options := range []order.Options{{}, {Overtake: 2}} {
		o, ids := busy(t, 300, 10, options)
		o.SetReady(ids[0], false)
		o.Complete(at(500), order.Pod{ID: ids[1]}, 3)
		packed, err := o.Snapshot(configMap)
		if err != nil {
			t.Fatal(err)
		}
		again, err := order.Restore(packed, options)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []*order.Order{o, again} { // both go on
			enqueue(t, x, 800, order.Pod{ID: "after", Owner: ownerOf(3), CPUs: 2})
			x.Remove(at(900), ids[2])
		}
		all := append(slices.Clone(ids), "after")
		if a, b := sorted(t, o, slices.Clone(all)), sorted(t, again, slices.Clone(all)); !slices.Equal(a, b) {
			t.Errorf("options %+v: the order after a restart differs", options)
		}
		for i := range 10 {
			p := order.Pod{Owner: ownerOf(i)}
			if a, b := o.Estimate(p), again.Estimate(p); a != b || a == 60 {
				t.Errorf("options %+v: the estimate of %q is %v, after a restart %v", options, p.Owner, a, b)
			}
		}
		a, _ := o.Next()
		if b, _ := again.Next(); a != b {
			t.Errorf("options %+v: the next pod is %q, after a restart %q", options, a, b)
		}
		a1, _ := o.Snapshot(configMap)
		b1, _ := again.Snapshot(configMap)
		if !bytes.Equal(a1, b1) {
			t.Errorf("options %+v: the snapshots differ after a restart", options)
		}
	}
}

// TestSnapshotFits: thousands of pods fit into a ConfigMap. When the past pods do not, the older
// ones are left out; when the waiting pods do not, there is no snapshot.
func TestSnapshotFits(t *testing.T) {
	o, ids := busy(t, 2000, 60, order.Options{Overtake: 1})
	for i := range 20 { // the last 10 of 20 pods took 999 s
		p := order.Pod{ID: fmt.Sprint("grew ", i), Owner: "grew"}
		enqueue(t, o, 1e5, p)
		o.Complete(at(1e5), p, []float64{1, 999}[i/10])
	}
	packed, err := o.Snapshot(configMap)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d pods and 60 owners take %d bytes", len(ids), len(packed))
	short, err := o.Snapshot(len(packed) - 1)
	if err != nil || len(short) >= len(packed) {
		t.Fatalf("Snapshot(%d) has %d bytes, %v", len(packed)-1, len(short), err)
	}
	again, err := order.Restore(short, order.Options{Overtake: 1})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := sorted(t, o, slices.Clone(ids[:100])), sorted(t, again, slices.Clone(ids[:100])); !slices.Equal(a, b) {
		t.Error("the order after a restart without the older past pods differs")
	}
	grew := order.Pod{Owner: "grew"}
	if a, b := o.Estimate(grew), again.Estimate(grew); a != 1 || b != 999 {
		t.Errorf("the estimates with and without the older past pods are %v and %v, want 1 and 999", a, b)
	}
	if p, err := o.Snapshot(len(packed) / 10); err == nil || p != nil {
		t.Errorf("Snapshot(%d) = %d bytes, %v, want an error", len(packed)/10, len(p), err)
	}
	if whole, err := o.Snapshot(configMap); err != nil || !bytes.Equal(whole, packed) {
		t.Errorf("a snapshot that leaves things out changes the order: %v", err)
	}
}

func TestRestoreRefuses(t *testing.T) {
	pack := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, c := range []struct {
		packed []byte
		want   string
	}{
		{nil, "EOF"},
		{[]byte("plain text, not packed"), "gzip"},
		{pack("{"), "EOF"},
		{pack("{}"), "version 0"},
		{pack(`{"version":1}`), "aging.Restore"},
		{pack(`{"version":1,"jobs":{"version":1,"capacity":-1}}`), "aging.Restore"},
	} {
		if o, err := order.Restore(c.packed, order.Options{}); o != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Restore(%q) = %v, %v, want an error with %q", c.packed, o, err, c.want)
		}
	}
}
