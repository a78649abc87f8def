package aging_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
)

// slack is the error allowed in a job's remaining work, as a part of the largest size that the job was ever given.
const slack = exactaging.Slack

// call is one call of a history, as data, so that a failing history can be cut down and printed.
type call struct {
	op  string // the method; "Restore" continues a second cluster from a snapshot
	key int
	job aging.Job
	x   float64
}

func (c call) String() string {
	switch c.op {
	case "Add":
		return fmt.Sprintf("c.Add(%d, aging.Job{Work: %v, Slots: %v, Weight: %v})", c.key, c.job.Work, c.job.Slots, c.job.Weight)
	case "Complete", "Remove":
		return fmt.Sprintf("c.%s(%d)", c.op, c.key)
	case "Advance", "SetCapacity":
		return fmt.Sprintf("c.%s(%v)", c.op, c.x)
	case "Restore":
		return "c, _ = aging.Restore(c.Snapshot()) // by way of JSON"
	}
	return fmt.Sprintf("c.%s(%d, %v)", c.op, c.key, c.x)
}

// player makes the same calls on a Cluster, on a second one restored from the first, on the batch functions and on the
// oracle, and compares them.
type player[E any] struct {
	f        exactaging.Field[E]
	c        *aging.Cluster[int]
	twin     *aging.Cluster[int]
	o        *exactaging.System[int, E]
	capacity float64
	known    []int       // keys that the oracle or the Cluster still have
	batch    []aging.Job // the same jobs, aged by Age
	spare    []aging.Job
	largest  map[int]float64
	pending  map[int]bool // late in the oracle, not yet in the Cluster
	tags     map[int]aging.Tag[int]
	worst    float64 // largest error seen, as a part of largest
	excused  int     // differences in order or state within the slack
}

func newPlayer[E any](f exactaging.Field[E], capacity float64) (*player[E], error) {
	c, err := aging.NewCluster[int](capacity)
	if err != nil {
		return nil, err
	}
	return &player[E]{f: f, c: c, o: exactaging.New[int](f, capacity), capacity: capacity,
		largest: map[int]float64{}, pending: map[int]bool{}, tags: map[int]aging.Tag[int]{}}, nil
}

// do makes one call everywhere and compares the remaining work of every job.
func (p *player[E]) do(a call) error {
	_, here := p.c.Job(a.key)
	_, there := p.o.Left(a.key)
	switch a.op {
	case "Add":
		if here || there {
			return nil
		}
	case "Complete", "Remove", "Reestimate", "SetSlots", "SetWeight":
		if here != there { // within the slack of its finish: the histories would part
			a.op = "Remove"
		} else if !here {
			return nil
		}
	}
	elapsed, finishing := p.elapsed(a)
	for _, c := range []*aging.Cluster[int]{p.c, p.twin} {
		if c == nil {
			continue
		}
		var err error
		got, want := true, true
		switch a.op {
		case "Add":
			err = c.Add(a.key, a.job)
		case "Complete":
			got, want = c.Complete(a.key), !p.o.Completed(a.key)
		case "Remove":
			_, want = c.Job(a.key)
			got = c.Remove(a.key)
		case "Reestimate":
			err = c.Reestimate(a.key, a.x)
		case "SetSlots":
			err = c.SetSlots(a.key, a.x)
		case "SetWeight":
			err = c.SetWeight(a.key, a.x)
		case "SetCapacity":
			err = c.SetCapacity(a.x)
		case "Advance":
			err = c.Advance(a.x)
		}
		if err != nil {
			return fmt.Errorf("%v: %w", a, err)
		}
		if got != want {
			return fmt.Errorf("%v = %v, want %v", a, got, want)
		}
	}
	at := slices.Index(p.known, a.key)
	switch a.op {
	case "Add":
		p.o.Add(a.key, a.job.Work, a.job.Slots, a.job.Weight)
		p.largest[a.key] = a.job.Work
		p.known, p.batch = append(p.known, a.key), append(p.batch, a.job)
	case "Complete":
		p.o.Complete(a.key)
	case "Remove":
		p.o.Remove(a.key)
		delete(p.tags, a.key)
	case "Reestimate":
		p.o.Reestimate(a.key, a.x)
		p.largest[a.key] = max(p.largest[a.key], a.x)
		left, _ := p.o.Left(a.key)
		p.batch[at].Work = p.f.Float64(left)
		if p.batch[at].Work < math.Ldexp(1, -200) { // what 300 bits leave of an exact tie
			p.batch[at].Work = 0
		}
		delete(p.tags, a.key)
	case "SetSlots":
		p.o.SetSlots(a.key, a.x)
		delete(p.tags, a.key)
		p.batch[at].Slots = a.x
	case "SetWeight":
		p.o.SetWeight(a.key, a.x)
		p.batch[at].Weight = a.x
		delete(p.tags, a.key)
	case "SetCapacity":
		p.o.SetCapacity(a.x)
		p.capacity = a.x
	case "Advance":
		p.o.AdvanceBy(elapsed)
		var err error
		if p.spare, err = aging.Age(p.spare[:0], p.capacity, a.x, p.batch); err != nil {
			return fmt.Errorf("Age(nil, %v, %v, %v): %w", p.capacity, a.x, p.batch, err)
		}
		p.batch, p.spare = p.spare, p.batch
		if finishing >= 0 {
			i := p.known[finishing]
			if j, here := p.c.Job(i); here && j.Work > 0 {
				return fmt.Errorf("NextFinish() = %d, %v, true, but after %v Job(%d) = %v, true", i, a.x, a, i, j)
			}
			if p.batch[finishing].Work <= slack*p.largest[i] {
				p.batch[finishing].Work = 0
			}
		}
	case "Restore":
		return p.restore()
	}
	return p.compareWork(a)
}

// elapsed is the time that an Advance stands for. NextFinish rounds the time to the next finish, and an Advance by that makes
// the job finish (its index in known is returned, else -1): the oracle advances by the time before rounding, since what
// rounding leaves of a huge job would take from a tiny one more than the slack.
func (p *player[E]) elapsed(a call) (elapsed E, finishing int) {
	if a.op != "Advance" {
		return elapsed, -1
	}
	elapsed = p.f.Of(a.x)
	key, in, ok := p.c.NextFinish()
	if !ok || in != a.x {
		return elapsed, -1
	}
	for _, v := range p.o.Finishes() {
		if v.Key == key && math.Abs(p.f.Float64(v.At)/in-1) < 1e-14 {
			elapsed = v.At
		}
	}
	return elapsed, slices.Index(p.known, key)
}

func (p *player[E]) compareWork(after call) error {
	kept := 0
	for i, key := range p.known {
		got, here := p.c.Job(key)
		left, there := p.o.Left(key)
		tolerance := slack * p.largest[key]
		if !here && !there {
			delete(p.pending, key)
			delete(p.largest, key)
			delete(p.tags, key)
			continue
		}
		spec := p.batch[i]
		if !there {
			if !(got.Work <= tolerance) {
				return fmt.Errorf("after %v: Job(%d) = %v, true, want gone", after, key, got)
			}
			p.excused++
			spec.Work = 0
		} else if want := p.f.Float64(left); !here {
			if !p.o.Completed(key) || !(want <= tolerance) {
				return fmt.Errorf("after %v: Job(%d) = _, false, want %v left of %v", after, key, want, p.largest[key])
			}
			p.excused++
		} else {
			off := math.Abs(got.Work - want)
			if !(off <= tolerance) {
				return fmt.Errorf("after %v: Job(%d).Work = %v, want %v: off by %.3g of its largest size", after, key, got.Work, want, off/p.largest[key])
			}
			if !(math.Abs(spec.Work-want) <= tolerance) {
				return fmt.Errorf("after %v: Age leaves %v of job %d, want %v", after, spec.Work, key, want)
			}
			if off > 0 {
				p.worst = max(p.worst, off/p.largest[key])
			}
			late := p.o.IsLate(key)
			if late && got.Work > 0 {
				p.pending[key] = true
				p.excused++
			} else if late && p.pending[key] {
				p.o.Widen(key)
				delete(p.pending, key)
			} else if !late {
				delete(p.pending, key)
			}
			if unlimited(got.Slots) != unlimited(spec.Slots) || !unlimited(spec.Slots) && got.Slots != spec.Slots ||
				one(got.Weight) != one(spec.Weight) {
				return fmt.Errorf("after %v: Job(%d) = %v, want the limit and weight of %v", after, key, got, spec)
			}
		}
		p.known[kept], p.batch[kept] = key, spec
		kept++
	}
	p.known, p.batch = p.known[:kept], p.batch[:kept]
	return nil
}

func unlimited(slots float64) bool { return slots == 0 || math.IsInf(slots, 1) }

func one(weight float64) float64 {
	if weight == 0 {
		return 1
	}
	return weight
}

// restore continues a second cluster from the snapshot of the first.
func (p *player[E]) restore() error {
	var s aging.Snapshot[int]
	text, err := json.Marshal(p.c.Snapshot())
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil {
		p.twin, err = aging.Restore(s)
	}
	if err != nil {
		return fmt.Errorf("restoring %s: %w", text, err)
	}
	if diff := cmp.Diff(p.c.Snapshot(), p.twin.Snapshot()); diff != "" {
		return fmt.Errorf("the snapshot of a restored cluster differs: %s", diff)
	}
	return nil
}

// check compares every answer.
func (p *player[E]) check() error {
	if p.twin != nil {
		if err := p.compareTwin(); err != nil {
			return err
		}
	}
	alive := 0
	for _, key := range p.known {
		if _, ok := p.c.Job(key); ok {
			alive++
		}
	}
	if got := p.c.Len(); got != alive {
		return fmt.Errorf("Len() = %d, want %d: the number of keys that Job knows", got, alive)
	}
	finishes := p.o.Finishes()
	if err := p.checkNext(finishes); err != nil {
		return err
	}
	spans := map[int]exactaging.Span[E]{}
	for _, v := range finishes {
		spans[v.Key] = v.Span
	}
	for _, by := range []aging.Key{aging.ByWork, aging.ByFinish} {
		if err := p.checkOrder(by, spans); err != nil {
			return err
		}
	}
	return p.checkBatch(finishes, spans)
}

func (p *player[E]) compareTwin() error {
	for _, key := range p.known {
		a, aok := p.c.Job(key)
		b, bok := p.twin.Job(key)
		if a != b || aok != bok {
			return fmt.Errorf("Job(%d) = %v, %v, of the restored cluster %v, %v", key, a, aok, b, bok)
		}
	}
	ak, ain, aok := p.c.NextFinish()
	bk, bin, bok := p.twin.NextFinish()
	if ak != bk || ain != bin || aok != bok {
		return fmt.Errorf("NextFinish() = %v, %v, %v, of the restored cluster %v, %v, %v", ak, ain, aok, bk, bin, bok)
	}
	for _, by := range []aging.Key{aging.ByWork, aging.ByFinish} {
		a, _ := all(p.c, by)
		b, _ := all(p.twin, by)
		if !slices.Equal(a, b) {
			return fmt.Errorf("All(%v) = %v, of the restored cluster %v", by, a, b)
		}
		af, aok := p.c.First(by)
		bf, bok := p.twin.First(by)
		if af != bf || aok != bok {
			return fmt.Errorf("First(%v) = %v, %v, of the restored cluster %v, %v", by, af, aok, bf, bok)
		}
	}
	if a, b := p.c.Late(nil), p.twin.Late(nil); !slices.Equal(a, b) {
		return fmt.Errorf("Late(nil) = %v, of the restored cluster %v", a, b)
	}
	if a, b := p.c.Len(), p.twin.Len(); a != b {
		return fmt.Errorf("Len() = %v, of the restored cluster %v", a, b)
	}
	return nil
}

func all[K int | string](c *aging.Cluster[K], by aging.Key) (keys []K, jobs []aging.Job) {
	for key, j := range c.All(by) {
		keys, jobs = append(keys, key), append(jobs, j)
	}
	return keys, jobs
}

// checkNext: the answer must be a job that may be the first to finish, and the time one at which it is within the slack of
// finishing.
func (p *player[E]) checkNext(finishes []exactaging.Finish[int, E]) error {
	key, in, ok := p.c.NextFinish()
	if p.capacity == 0 || p.c.Len() == 0 {
		if ok {
			return fmt.Errorf("NextFinish() = %v, %v, true with capacity %v and %d jobs, want false", key, in, p.capacity, p.c.Len())
		}
		return nil
	}
	// Jobs that the Cluster has seen finish within the slack.
	finishes = slices.DeleteFunc(slices.Clone(finishes), func(v exactaging.Finish[int, E]) bool {
		j, here := p.c.Job(v.Key)
		return !here || j.Work == 0
	})
	if !ok && len(finishes) > 0 {
		v := finishes[0]
		return fmt.Errorf("NextFinish() = _, _, false, want job %d in %v", v.Key, p.f.Float64(v.At))
	} else if !ok {
		return nil
	}
	for _, v := range finishes {
		if v.Key != key {
			continue
		}
		first := finishes[0]
		lo, hi := p.f.Float64(v.Near)*(1-slack), p.f.Float64(v.Past)*(1+slack)
		if p.f.Cmp(v.Near, first.Past) > 0 || !(lo <= in && in <= hi) {
			return fmt.Errorf("NextFinish() = %d, %v, true, want job %d in %v (job %d: %v)", key, in, first.Key, p.f.Float64(first.At), key, p.f.Float64(v.At))
		}
		return nil
	}
	// The oracle has seen it finish: nothing to speak of may be left.
	if j, here := p.c.Job(key); !here || !(in >= 0) || !(j.Work <= slack*p.largest[key]) {
		return fmt.Errorf("NextFinish() = %d, %v, true, but that job does not age: Job(%d) = %v, %v", key, in, key, j, here)
	}
	p.excused++
	return nil
}

func (p *player[E]) checkOrder(by aging.Key, spans map[int]exactaging.Span[E]) error {
	keys, jobs := all(p.c, by)
	late := p.c.Late(nil)
	first, ok := p.c.First(by)
	if ok != (len(keys) > 0) || ok && first != keys[0] {
		return fmt.Errorf("First(%v) = %v, %v, All(%v) yields %v", by, first, ok, by, keys)
	}
	want := 0
	for _, key := range p.known {
		if _, there := p.o.Left(key); there && !p.o.Completed(key) {
			want++
		}
	}
	seen := map[int]bool{}
	for i, key := range keys {
		_, there := p.o.Left(key)
		if !there || p.o.Completed(key) || seen[key] {
			return fmt.Errorf("All(%v) yields %v: job %d is twice, unknown or completed", by, keys, key)
		}
		seen[key] = true
		if j, _ := p.c.Job(key); j != jobs[i] {
			return fmt.Errorf("All(%v) yields %d, %v, Job(%d) = %v", by, key, jobs[i], key, j)
		}
		if isLate := i < len(late); isLate != (jobs[i].Work == 0) || isLate && late[i] != key {
			return fmt.Errorf("All(%v) yields %v, %v, want first the late jobs, which have no work left: Late(nil) = %v", by, keys, jobs, late)
		}
	}
	if len(keys) != want {
		return fmt.Errorf("All(%v) yields %v, want %d jobs", by, keys, want)
	}
	if err := p.checkLate(late); err != nil {
		return err
	}
	var on []int
	for _, key := range keys[len(late):] {
		if !p.o.IsLate(key) {
			on = append(on, key)
		}
	}
	if a, b, ok := p.sorted(by, on, spans); !ok {
		x, _ := p.o.Left(a)
		y, _ := p.o.Left(b)
		return fmt.Errorf("All(%v) yields %v: job %d (%v left, finish in %v) before job %d (%v, %v)", by, keys,
			a, p.f.Float64(x), p.f.Float64(spans[a].At), b, p.f.Float64(y), p.f.Float64(spans[b].At))
	}
	if by == aging.ByFinish {
		return p.checkTags(keys)
	}
	return nil
}

// sorted finds two neighbours out of order by more than the slack, if any.
func (p *player[E]) sorted(by aging.Key, keys []int, spans map[int]exactaging.Span[E]) (before, after int, ok bool) {
	if by == aging.ByFinish {
		for i, key := range keys {
			if i > 0 && p.f.Cmp(spans[before].Near, spans[key].Past) > 0 {
				return before, key, false
			}
			if i == 0 || p.f.Cmp(spans[key].Near, spans[before].Near) > 0 {
				before = key
			}
		}
		return 0, 0, true
	}
	most := 0.0
	for i, key := range keys {
		left, _ := p.o.Left(key)
		x, tolerance := p.f.Float64(left), slack*p.largest[key]
		if i > 0 && most > x+tolerance {
			return before, key, false
		}
		if i == 0 || x-tolerance > most {
			most, before = x-tolerance, key
		}
	}
	return 0, 0, true
}

// checkLate: two late jobs may change places only where their spans meet and one of them has a width.
func (p *player[E]) checkLate(late []int) error {
	keys, spans := p.o.Late()
	at := map[int]int{}
	for i, key := range keys {
		at[key] = i
		if j, _ := p.c.Job(key); !slices.Contains(late, key) && !(j.Work <= slack*p.largest[key]) {
			return fmt.Errorf("Late(nil) = %v, want %v", late, keys)
		}
	}
	exact := func(s exactaging.Span[E]) bool { return p.f.Cmp(s.Near, s.Past) == 0 }
	for i, a := range late {
		ai, ok := at[a]
		if !ok {
			if left, _ := p.o.Left(a); !(p.f.Float64(left) <= slack*p.largest[a]) {
				return fmt.Errorf("Late(nil) = %v, want %v", late, keys)
			}
			p.excused++
			continue
		}
		for _, b := range late[i+1:] {
			bi, ok := at[b]
			if !ok || ai < bi {
				continue
			}
			if p.f.Cmp(spans[ai].Near, spans[bi].Past) > 0 || exact(spans[ai]) && exact(spans[bi]) {
				return fmt.Errorf("Late(nil) = %v, want %v: job %d was late at %v, job %d at %v", late, keys,
					a, p.f.Float64(spans[ai].At), b, p.f.Float64(spans[bi].At))
			}
			p.excused++
		}
	}
	return nil
}

// checkTags: a job has a tag unless it or a job in the virtual system has a limit; the tag stays, and tags sort like
// All(ByFinish) where all jobs have one. Late jobs with one tag go by key there: they became late while nothing aged.
func (p *player[E]) checkTags(keys []int) error {
	limited := map[int]bool{}
	ages := false
	for i, key := range p.known {
		limited[key] = !unlimited(p.batch[i].Slots)
		j, _ := p.c.Job(key)
		ages = ages || limited[key] && j.Work > 0
	}
	var tags []aging.Tag[int]
	for _, key := range keys {
		tag, ok := p.c.Tag(key)
		if want := !ages && !limited[key]; ok != want {
			return fmt.Errorf("Tag(%d) = %v, %v, want %v", key, tag, ok, want)
		}
		if !ok {
			continue
		}
		if old, had := p.tags[key]; had && old != tag {
			return fmt.Errorf("Tag(%d) = %v, was %v", key, tag, old)
		}
		p.tags[key] = tag
		tags = append(tags, tag)
	}
	late := len(p.c.Late(nil))
	for i := 1; i < len(tags) && len(tags) == len(keys); i++ {
		a, b := tags[i-1], tags[i]
		tie := i < late && a.Epoch == b.Epoch && a.Finish == b.Finish
		if a.Compare(a) != 0 || a.Compare(b) != -b.Compare(a) || a.Compare(b) >= 0 && !tie {
			return fmt.Errorf("All(ByFinish) yields %v, tags %v do not ascend", keys, tags)
		}
	}
	return nil
}

// checkBatch compares MaxMin, Finish and Order on the jobs aged by Age.
func (p *player[E]) checkBatch(finishes []exactaging.Finish[int, E], spans map[int]exactaging.Span[E]) error {
	shares, err := aging.MaxMin(nil, p.capacity, p.batch)
	if err != nil {
		return err
	}
	ends, err := aging.Finish(nil, p.capacity, p.batch)
	if err != nil {
		return err
	}
	same := true
	for i, key := range p.known {
		_, ages := spans[key]
		same = same && ages == (p.batch[i].Work > 0)
	}
	for i, key := range p.known {
		span, ages := spans[key]
		if !ages || p.batch[i].Work == 0 {
			continue
		}
		if want := p.f.Float64(p.o.Share(key)); same && !(math.Abs(shares[i]-want) <= 1e-12*want) {
			return fmt.Errorf("MaxMin(nil, %v, %v)[%d] = %v, want %v", p.capacity, p.batch, i, shares[i], want)
		}
		lo, hi := p.f.Float64(span.Near)*(1-slack), p.f.Float64(span.Past)*(1+slack)
		if p.capacity == 0 {
			lo, hi = math.Inf(1), math.Inf(1)
		}
		if !(lo <= ends[i] && ends[i] <= hi) {
			return fmt.Errorf("Finish(nil, %v, %v)[%d] = %v, want %v", p.capacity, p.batch, i, ends[i], p.f.Float64(span.At))
		}
	}
	for _, by := range []aging.Key{aging.ByWork, aging.ByFinish} {
		order, err := aging.Order(nil, p.capacity, p.batch, by)
		if err != nil {
			return err
		}
		var on []int
		for _, i := range order {
			if _, ages := spans[p.known[i]]; ages && p.batch[i].Work > 0 {
				on = append(on, p.known[i])
			}
		}
		if a, b, ok := p.sorted(by, on, spans); !ok {
			return fmt.Errorf("Order(nil, %v, %v, %v) = %v: job %d before job %d", p.capacity, p.batch, by, order,
				slices.Index(p.known, a), slices.Index(p.known, b))
		}
	}
	return nil
}

// replay plays a history and, when checked, checks all answers after each call.
func replay[E any](f exactaging.Field[E], capacity float64, calls []call, checked bool) error {
	p, err := newPlayer(f, capacity)
	if err != nil {
		return err
	}
	for _, a := range calls {
		if err := p.do(a); err != nil {
			return err
		}
		if !checked {
			continue
		}
		if err := p.check(); err != nil {
			return err
		}
	}
	return nil
}

// shrink leaves out calls of a failing history as long as it fails.
func shrink[E any](f exactaging.Field[E], capacity float64, calls []call) []call {
	checked := replay(f, capacity, calls, false) == nil
	for size := len(calls) / 2; size > 0; size /= 2 {
		for i := len(calls) - size; i >= 0; i -= size {
			if i+size > len(calls) {
				continue
			}
			if less := slices.Delete(slices.Clone(calls), i, i+size); replay(f, capacity, less, checked) != nil {
				calls = less
			}
		}
	}
	return calls
}

func reproduction(capacity float64, calls []call) string {
	var b strings.Builder
	fmt.Fprintf(&b, "c, _ := aging.NewCluster[int](%v)\n", capacity)
	for _, a := range calls {
		fmt.Fprintln(&b, a)
	}
	return b.String()
}

func TestClusterRational(t *testing.T) {
	histories, worst := 0, 0.0
	for r := range regimes {
		excused := 0
		for n := range 40 {
			events := 60
			if n%8 == 0 {
				events = 300
			}
			if testing.Short() && n >= 8 {
				break
			}
			rng := rand.New(rand.NewPCG(uint64(r), uint64(n)))
			g := regimes[r].generator(rng, true)
			capacity := g.capacity
			p, err := newPlayer[*big.Rat](exactaging.Rat{}, capacity)
			var calls []call
			for err == nil && len(calls) < events {
				a := next(g, p)
				calls = append(calls, a)
				if err = p.do(a); err == nil && rng.IntN(8) == 0 {
					err = p.check()
				}
			}
			if err == nil {
				err = p.check()
			}
			if err != nil {
				calls = shrink(exactaging.Rat{}, capacity, calls)
				if e := replay(exactaging.Rat{}, capacity, calls, true); e != nil {
					err = e
				}
				t.Errorf("%s, history %d: %v\n%s", regimes[r].name, n, err, reproduction(capacity, calls))
				break
			}
			histories++
			worst = max(worst, p.worst)
			excused += p.excused
		}
		t.Logf("%s: %d differences within the slack", regimes[r].name, excused)
	}
	t.Logf("%d histories, largest error %.2g of a job's size", histories, worst)
}

func TestClusterLong(t *testing.T) {
	events := 100_000
	if testing.Short() {
		events = 5_000
	}
	for _, r := range []int{0, 2, 3, 4, 5} {
		t.Run(regimes[r].name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(r), 1<<32))
			g := regimes[r].generator(rng, false)
			p, err := newPlayer[*big.Float](exactaging.Float{}, g.capacity)
			var calls []call
			for err == nil && len(calls) < events {
				a := next(g, p)
				calls = append(calls, a)
				if err = p.do(a); err == nil && rng.IntN(50) == 0 {
					err = p.check()
				}
			}
			if err != nil {
				events := len(calls)
				if events < 5_000 {
					calls = shrink(exactaging.Float{}, g.capacity, calls)
					if e := replay(exactaging.Float{}, g.capacity, calls, true); e != nil {
						err = e
					}
				}
				t.Fatalf("event %d: %v\n%s", events, err, reproduction(g.capacity, calls[max(0, len(calls)-50):]))
			}
			t.Logf("largest error %.2g of a job's size, %d differences within the slack", p.worst, p.excused)
		})
	}
}
