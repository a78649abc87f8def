// Package order says which pod is scheduled next and which node suits a pod best. It knows nothing
// of Kubernetes: a plugin for some version of kube-scheduler tells it what happens to pods, and
// asks it.
//
// Each pod gets a key when it enters the queue, from the estimate of how long it runs, and keeps
// the key for life, since kube-scheduler keeps its queue in a heap. Estimates come from the owner
// of the pod or from how long earlier pods of the same owner ran.
package order

import (
	"cmp"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
)

// Options are the settings of an Order. The zero value is recommended for a cluster that is not
// overloaded for long.
type Options struct {
	// Overtake bounds how long small pods may overtake a large one. 0: no bound. Pods are served by
	// virtual finish, and no pod waits for ever while less work arrives than the CPUs do; in
	// overload a large pod waits exponentially long in its size. c > 0: pods are served by arrival +
	// c * estimate, so that only pods which arrive within c times its estimate overtake a pod.
	Overtake float64
	Default  float64 // estimate of a pod about which nothing is known, in seconds; 0: 60
}

// Pod is what an Order needs to know of a pod.
type Pod struct {
	ID       string  // of this pod alone, as its UID
	Owner    string  // pods of one owner are expected to run equally long; "": of nobody
	Estimate float64 // seconds that the pod says it runs; 0: it does not say
	CPUs     float64 // that it requests; below .1 counts as .1
}

// Order keeps the keys of the pods that have not ended, and what it has learnt from pods that have.
// It is safe for concurrent use. Times before the latest that it has seen count as that one.
type Order struct {
	mu      sync.RWMutex
	options Options
	jobs    *aging.Cluster[string]         // in virtual time, by ID
	runs    *estimate.Requirements[string] // by owner
	ended   map[string]float64             // when a pod of each owner last ended, Unix seconds
	keys    map[string]key                 // of the pods that have not ended, by ID
	now     float64                        // Unix seconds
}

// key is a pod's place in the order, fixed for life: by due, which is 0 for all without
// Options.Overtake, then by virtual finish.
type key struct {
	due float64
	tag aging.Tag
}

func (k key) compare(l key) int { return cmp.Or(cmp.Compare(k.due, l.due), k.tag.Compare(l.tag)) }

const (
	owners = 1000 // whose past pods are remembered; beyond it the owner unheard of for longest goes
	window = 20   // past pods of an owner that count
)

// New returns an Order without pods and CPUs. Errors: an option that is negative or not finite.
func New(o Options) (*Order, error) {
	if err := check(o); err != nil {
		return nil, err
	}
	jobs, err := aging.New[string](0)
	if err != nil {
		return nil, err
	}
	runs, err := estimate.NewRequirements(estimate.RequirementOptions[string]{Window: window})
	if err != nil {
		return nil, err
	}
	return &Order{options: o, jobs: jobs, runs: runs, ended: map[string]float64{}, keys: map[string]key{}}, nil
}

// SetCPUs says how many CPUs all nodes have together.
func (o *Order) SetCPUs(now time.Time, cpus float64) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.advance(now)
	return o.jobs.SetCapacity(cpus)
}

// Enqueue fixes the key of a pod that enters the queue. A pod that has a key keeps it, so that
// Enqueue may be called at each try.
func (o *Order) Enqueue(now time.Time, p Pod) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, ok := o.keys[p.ID]; ok {
		return nil
	}
	o.advance(now)
	seconds := o.estimate(p)
	if err := o.jobs.Add(p.ID, aging.Job{Work: seconds * max(p.CPUs, .1)}); err != nil {
		return err
	}
	k := key{}
	k.tag, _ = o.jobs.Tag(p.ID)
	if o.options.Overtake > 0 {
		k.due = o.now + o.options.Overtake*seconds
	}
	o.keys[p.ID] = k
	return nil
}

// Estimate returns for how many seconds the pod is expected to run.
func (o *Order) Estimate(p Pod) float64 {
	o.mu.Lock() // an estimate may learn
	defer o.mu.Unlock()
	return o.estimate(p)
}

// estimate takes what the pod says, else the median of the past pods of its owner, else the
// default.
func (o *Order) estimate(p Pod) float64 {
	const least, most = 1e-3, 1e9 // seconds
	seconds := p.Estimate
	if !(seconds > 0) {
		r, err := o.runs.Estimate(estimate.Task[string]{Class: p.Owner, Worker: estimate.AllWorkers}, nil)
		if seconds = r.Time.Value; err != nil || !r.Time.Known {
			seconds = cmp.Or(o.options.Default, 60)
		}
	}
	return min(max(seconds, least), most)
}

// Less reports whether the first pod is scheduled before the second. Pods without a key come last,
// by ID. It allocates nothing.
func (o *Order) Less(a, b string) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	k, ok := o.keys[a]
	l, known := o.keys[b]
	if ok && known {
		return k.compare(l) < 0
	}
	return ok && !known || ok == known && a < b
}

// SetReady says whether a pod waits for a node: false once a node is reserved for it, true again if
// the reservation fell through. A pod without a key is passed over.
func (o *Order) SetReady(id string, ready bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, ok := o.keys[id]; ok {
		_ = o.jobs.SetReady(id, ready) // the cluster holds every pod that has a key
	}
}

// Next returns the ready pod that comes first by virtual finish; ok is false if no pod is ready.
func (o *Order) Next() (id string, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.jobs.First(aging.ByFinish)
}

// Complete says that a pod has ended after so many seconds, which its owner's next pods are
// expected to take; 0: nothing is to be learnt of it, as of one that failed. In virtual time the
// pod goes on. A pod without a key is passed over, so that saying the same again changes nothing.
func (o *Order) Complete(now time.Time, p Pod, seconds float64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, ok := o.keys[p.ID]; !ok {
		return
	}
	o.advance(now)
	o.jobs.Complete(p.ID)
	delete(o.keys, p.ID)
	if p.Owner != "" && seconds > 0 && o.runs.Add(estimate.Task[string]{Class: p.Owner}, estimate.Run{Time: seconds}) == nil {
		o.remember(p.Owner)
	}
}

// remember notes that a pod of the owner has ended, and forgets one owner if there are too many.
func (o *Order) remember(owner string) {
	o.ended[owner] = o.now
	if len(o.ended) <= owners {
		return
	}
	oldest := owner
	for other, at := range o.ended {
		if cmp.Or(cmp.Compare(at, o.ended[oldest]), cmp.Compare(other, oldest)) < 0 {
			oldest = other
		}
	}
	o.runs.Forget(oldest)
	delete(o.ended, oldest)
}

// Remove says that a pod was deleted before it ended. A pod without a key is passed over.
func (o *Order) Remove(now time.Time, id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.remove(now, id)
}

func (o *Order) remove(now time.Time, id string) {
	if _, ok := o.keys[id]; ok {
		o.advance(now)
		o.jobs.Remove(id)
		delete(o.keys, id)
	}
}

// Keep removes the pods that are not there any more: those deleted while nobody listened.
func (o *Order) Keep(now time.Time, there func(id string) bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id := range o.keys {
		if !there(id) {
			o.remove(now, id)
		}
	}
}

// advance lets the time pass until now. After 1970 and at a capacity that SetCPUs accepts it cannot
// fail.
func (o *Order) advance(now time.Time) {
	seconds := float64(now.UnixNano()) / 1e9
	if o.now == 0 {
		o.now = seconds
	}
	if seconds > o.now {
		_ = o.jobs.Advance(seconds - o.now)
		o.now = seconds
	}
}

// check refuses an option that is negative or not finite.
func check(o Options) error {
	if !(o.Overtake >= 0) || !(o.Default >= 0) || math.IsInf(o.Overtake+o.Default, 1) {
		return fmt.Errorf("order: Overtake %v, Default %v: want finite numbers of at least 0", o.Overtake, o.Default)
	}
	return nil
}
