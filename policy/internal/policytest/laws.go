package policytest

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/slotmodel"
)

// Wrong is a policy with a setting out of its range.
type Wrong struct {
	Arg    string // that the error names
	Index  int    // and its index, -1 for none
	Policy slotmodel.Policy
}

// silent hides all that a policy is, except BeginRun, Observe and Decide: it hands on no Check.
type silent struct{ After }

// Check finds nothing.
func (*silent) Check() error { return nil }

// Refused fails the test unless Check of each policy, and Run before the first event, name the
// setting that is wrong, and no task starts where nobody calls Check.
func Refused(t testing.TB, fn string, all ...Wrong) {
	t.Helper()
	c, jobs := Blocked(5, 3)
	for _, w := range all {
		call := fmt.Sprintf("%T with a wrong %s", w.Policy, w.Arg)
		res, err := slotmodel.Run(c, jobs, w.Policy, slotmodel.Options{})
		expect.InputError(t, "Run under "+call, err, fn, w.Arg, w.Index)
		if res != nil {
			t.Errorf("Run under %s returns a result", call)
		}
		res, err = slotmodel.Run(c, jobs, &silent{After{Policy: w.Policy}}, slotmodel.Options{})
		if !errors.Is(err, slotmodel.ErrPolicy) || res == nil || res.Totals.Work != 0 {
			t.Errorf("Run under %s that hands on no Check: %v, want an ErrPolicy and no start", call, err)
		}
	}
}

// Settings is the exported fields of a policy and of what they lead to, in words.
func Settings(p any) string {
	var b strings.Builder
	var write func(v reflect.Value)
	write = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				write(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() {
					fmt.Fprintf(&b, " %s{", f.Name)
					write(v.Field(i))
					b.WriteString("}")
				}
			}
		case reflect.Func:
			fmt.Fprint(&b, v.IsNil())
		default:
			fmt.Fprint(&b, v)
		}
	}
	write(reflect.ValueOf(p))
	return b.String()
}

// Steady fails the test unless the calls of each policy allocate at most so often in the steady
// state: what has been seen before, the same jobs at the same distances, needs no more room when it
// comes again.
func Steady(t *testing.T, most uint64, policies map[string]func() slotmodel.Policy) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	// The jobs come four times, each time when all have ended; the tables of blocks, which jobs
	// take over from one another, take some times to be large enough for every job.
	const n, times, again = 500, 4, 1 << 14
	c, jobs := Blocked(9, n)
	for i := range jobs { // multiples of 1/64 s add up exactly
		jobs[i].Arrival, jobs[i].Maps.Work = math.Floor(64*jobs[i].Arrival)/64, math.Floor(64*jobs[i].Maps.Work)/64
	}
	for i := range (times - 1) * n {
		j := jobs[i]
		j.Arrival += again
		jobs = append(jobs, j)
	}
	for name, make := range policies {
		least := uint64(math.MaxUint64)
		for range 4 { // the runtime itself allocates now and then, the policy always or never
			p := &frugal{Policy: make(), from: (times - 1) * again}
			p.observer, _ = p.Policy.(slotmodel.Observer)
			res, err := slotmodel.Run(c, jobs, p, slotmodel.Options{})
			expect.Must(t, err)
			if last := res.Jobs[(times-1)*n-1].Finish; last >= p.from || p.watched < 150 {
				t.Fatalf("%s: the last job before ends at %v, %d calls are watched, want before %v, and 150", name, last, p.watched, p.from)
			}
			if least = min(least, p.mallocs); least <= most {
				break
			}
		}
		if least > most {
			t.Errorf("%s: Decide and Observe allocate at least %d times in four runs each, want at most %d", name, least, most)
		}
	}
}

// frugal counts the allocations of a policy from a time on, in one of eight decisions and in the
// events before it.
type frugal struct {
	slotmodel.Policy
	observer slotmodel.Observer
	from     float64
	calls    int // of Decide
	watched  int // calls in which allocations were counted
	mallocs  uint64
	before   runtime.MemStats
	after    runtime.MemStats
}

// BeginRun hands the call on.
func (p *frugal) BeginRun(v *slotmodel.View) { Begin(p.Policy, v) }

func (p *frugal) watch(now float64, f func()) {
	if now < p.from || p.calls%8 != 0 {
		f()
		return
	}
	p.watched++
	runtime.ReadMemStats(&p.before)
	f()
	runtime.ReadMemStats(&p.after)
	p.mallocs += p.after.Mallocs - p.before.Mallocs
}

// Decide hands the call on, and counts what it allocates.
func (p *frugal) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	p.calls++
	p.watch(v.Now(), func() { p.Policy.Decide(v, a) })
}

// Observe hands an event on, and counts what that allocates.
func (p *frugal) Observe(v *slotmodel.View, e slotmodel.Event) {
	if p.observer != nil {
		p.watch(v.Now(), func() { p.observer.Observe(v, e) })
	}
}

// HasRoom reports whether the nodes of a cluster can run a job when all of them are up and idle.
func HasRoom(c *slotmodel.Cluster, s *slotmodel.JobSpec) bool {
	most := func(own func(n *slotmodel.NodeSpec) int, memory float64) (sum int) { // attempts at once
		for i := range c.Nodes {
			n := &c.Nodes[i]
			for slots := 1; slots <= own(n)+n.Slots && (n.Memory == 0 || float64(slots)*memory <= n.Memory); slots++ {
				sum++
			}
		}
		return sum
	}
	atOnce := min(1, s.Maps.Tasks)
	if s.Rigid {
		atOnce = s.Maps.Tasks
	}
	return most(func(n *slotmodel.NodeSpec) int { return n.Maps }, s.Maps.Memory) >= atOnce &&
		most(func(n *slotmodel.NodeSpec) int { return n.Reduces }, s.Reduces.Memory) >= min(1, s.Reduces.Tasks)
}
