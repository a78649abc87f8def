package plugin

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/schedmath/schedmath/examples/kubescheduler/order"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/klog/v2"
)

// saver writes the order into a ConfigMap. A nil saver does nothing.
type saver struct {
	maps    typed.ConfigMapInterface
	name    string
	leading atomic.Bool // this scheduler is the one that schedules: it has reserved a pod
}

const (
	stateKey   = "order"
	stateBytes = 1<<20 - 1<<10 // a ConfigMap holds 1 MiB
)

func newSaver(client kubernetes.Interface, state string) (*saver, error) {
	namespace, name, ok := strings.Cut(state, "/")
	if !ok || namespace == "" || name == "" {
		return nil, fmt.Errorf("arguments of %s: state %q, want namespace/name", Name, state)
	}
	return &saver{maps: client.CoreV1().ConfigMaps(namespace), name: name}, nil
}

// lead says that this scheduler is the one that schedules. Those that stand by do not save.
func (s *saver) lead() {
	if s != nil {
		s.leading.Store(true)
	}
}

// load returns the order that was saved, nil if there is none or it cannot be read.
func (s *saver) load(ctx context.Context, options order.Options) (*order.Order, error) {
	m, err := s.maps.Get(ctx, s.name, metav1.GetOptions{})
	if errors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	o, err := order.Restore(m.BinaryData[stateKey], options)
	if err != nil {
		klog.FromContext(ctx).Error(err, "The saved order cannot be read; a new one begins", "configMap", klog.KObj(m))
	}
	return o, nil
}

// run saves now and then, and when the scheduler ends.
func (s *saver) run(ctx context.Context, period time.Duration, o *order.Order) {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for ctx.Err() == nil {
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
		if s.leading.Load() {
			if err := s.save(context.WithoutCancel(ctx), o); err != nil {
				klog.FromContext(ctx).Error(err, "The order is not saved")
			}
		}
	}
}

func (s *saver) save(ctx context.Context, o *order.Order) error {
	packed, err := o.Snapshot(stateBytes)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	m := &v1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: s.name}, BinaryData: map[string][]byte{stateKey: packed}}
	_, err = s.maps.Update(ctx, m, metav1.UpdateOptions{})
	if errors.IsNotFound(err) {
		_, err = s.maps.Create(ctx, m, metav1.CreateOptions{})
	}
	return err
}
