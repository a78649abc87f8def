package aging_test

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
)

// always checks what needs no oracle.
func (m *machine) always() {
	m.Helper()
	must(m, survives(m.c))
	key, in, ok := m.c.NextFinish()
	if k, i, o := m.scaled.NextFinish(); k != key || i != in*m.by.time || o != ok {
		m.Fatalf("NextFinish() = %v, %v, %v, scaled by %v %v, %v, %v", key, in, ok, m.by, k, i, o)
	}
	for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
		keys, _ := all(m.c, by)
		if got, _ := all(m.scaled, by); !slices.Equal(got, keys) {
			m.Fatalf("All(%v) yields %v, scaled by %v %v", by, keys, m.by, got)
		}
	}
	if m.caps != 0 {
		return
	}
	last := 0
	keys, jobs := all(m.c, aging.ByFinish)
	for i, key := range keys {
		tag, ok := m.c.Tag(key)
		if want := m.tags[key]; !ok || tag != want {
			m.Fatalf("Tag(%d) = %+v, %v, was %+v", key, tag, ok, want)
		}
		before := m.tags[last]
		late := jobs[i].Work == 0 && before.Period == tag.Period && before.At == tag.At // at one reading of the clock
		if i > 0 && !late && (before.Compare(tag) >= 0 || tag.Compare(before) <= 0 || tag.Compare(tag) != 0) {
			m.Fatalf("All(ByFinish) yields %d of tag %+v before %d of %+v", last, before, key, tag)
		}
		last = key
	}
}

// survives asks everything once; nothing may be NaN or twice, First is the first of All that is
// ready, and the late jobs, which alone have no work left, come first.
func survives(c *aging.Cluster[int]) error {
	if key, in, ok := c.NextFinish(); ok && !(in >= 0 && in < inf) {
		return fmt.Errorf("NextFinish() = %v, %v, true", key, in)
	}
	late, lateReady := c.Late(nil), c.LateReady(nil)
	busy := map[int]bool{}
	for _, j := range c.Snapshot().Jobs {
		busy[j.Key] = j.NotReady
	}
	if want := slices.DeleteFunc(slices.Clone(late), func(key int) bool { return busy[key] }); !slices.Equal(lateReady, want) {
		return fmt.Errorf("LateReady(nil) = %v, want %v", lateReady, want)
	}
	for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
		seen := map[int]bool{}
		first, ready := 0, false
		for key, j := range c.All(by) {
			if got, ok := c.Job(key); !ok || got != j || seen[key] || !(j.Work >= 0) || !(j.Slots >= 0) || !(j.Weight >= 0) {
				return fmt.Errorf("All(%v) yields %v, %v after %v; Job(%v) = %v, %v", by, key, j, seen, key, got, ok)
			}
			if isLate := len(seen) < len(late); isLate != (j.Work == 0) || isLate && late[len(seen)] != key {
				return fmt.Errorf("All(%v) yields %v, %v after %v; Late(nil) = %v", by, key, j, seen, late)
			}
			if !ready && !busy[key] {
				first, ready = key, true
			}
			seen[key] = true
		}
		if len(seen) > c.Len() {
			return fmt.Errorf("All(%v) yields %d jobs of %d", by, len(seen), c.Len())
		}
		if key, ok := c.First(by); ok != ready || key != first {
			return fmt.Errorf("First(%v) = %v, %v, want %v, %v: not ready are %v", by, key, ok, first, ready, busy)
		}
	}
	return nil
}

func all[K int | string](c *aging.Cluster[K], by aging.By) (keys []K, jobs []aging.Job) {
	for key, j := range c.All(by) {
		keys, jobs = append(keys, key), append(jobs, j)
	}
	return keys, jobs
}

// check compares every answer with the oracle's.
func (m *machine) check() {
	m.Helper()
	alive := 0
	for _, key := range m.known {
		if _, ok := m.c.Job(key); ok {
			alive++
		}
	}
	if got := m.c.Len(); got != alive || m.c.Capacity() != m.capacity {
		m.Fatalf("Len() = %d, Capacity() = %v, want %d, %v", got, m.c.Capacity(), alive, m.capacity)
	}
	for _, j := range m.c.Snapshot().Jobs {
		if j.NotReady != m.busy[j.Key] && j.State != aging.Completed {
			m.Fatalf("job %d: NotReady is %v, want %v", j.Key, j.NotReady, m.busy[j.Key])
		}
	}
	finishes := m.o.Finishes()
	spans := map[int]exactaging.Finish[int, rational]{}
	for _, v := range finishes {
		spans[v.Key] = v
	}
	m.checkNext(finishes)
	m.checkLate(m.c.Late(nil))
	for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
		m.checkOrder(by, spans)
	}
	m.checkBatch(spans)
}

// checkNext: the answer must be a job that may be the first to finish, and the time one at which it
// is within the slack of finishing.
func (m *machine) checkNext(finishes []exactaging.Finish[int, rational]) {
	m.Helper()
	key, in, ok := m.c.NextFinish()
	if m.capacity == 0 || m.c.Len() == 0 {
		if ok {
			m.Fatalf("NextFinish() = %v, %v, true with capacity %v and %d jobs, want false", key, in, m.capacity, m.c.Len())
		}
		return
	}
	// Jobs that the Cluster has seen finish within the slack.
	finishes = slices.DeleteFunc(slices.Clone(finishes), func(v exactaging.Finish[int, rational]) bool {
		j, here := m.c.Job(v.Key)
		return !here || j.Work == 0
	})
	if !ok {
		if len(finishes) > 0 {
			m.Fatalf("NextFinish() = _, _, false, want job %d", finishes[0].Key)
		}
		return
	}
	for _, v := range finishes {
		if v.Key == key {
			lo, hi := field.Float64(v.Near)*(1-slack), field.Float64(v.Past)*(1+slack)
			if v.Near.Cmp(finishes[0].Past) > 0 || !(lo <= in && in <= hi) {
				m.Fatalf("NextFinish() = %d, %v, true, want job %d in %v to %v; first is %d", key, in, key, lo, hi, finishes[0].Key)
			}
			return
		}
	}
	// The oracle has seen it finish: nothing to speak of may be left.
	if j, here := m.c.Job(key); !here || !(in >= 0) || !(j.Work <= slack*m.largest[key]) {
		m.Fatalf("NextFinish() = %d, %v, true, but that job does not age: Job(%d) = %v, %v", key, in, key, j, here)
	}
}

// checkLate: two late jobs may change places only where their spans meet and one of them has a
// width.
func (m *machine) checkLate(late []int) {
	m.Helper()
	keys, spans := m.o.Late()
	at := map[int]int{}
	for i, key := range keys {
		at[key] = i
		if j, _ := m.c.Job(key); !slices.Contains(late, key) && !(j.Work <= slack*m.largest[key]) {
			m.Fatalf("Late(nil) = %v, want %v", late, keys)
		}
	}
	exact := func(i int) bool { return spans[i].Near.Cmp(spans[i].Past) == 0 }
	for i, a := range late {
		ai, ok := at[a]
		if left, _ := m.o.Left(a); !ok && !(field.Float64(left) <= slack*m.largest[a]) {
			m.Fatalf("Late(nil) = %v, want %v", late, keys)
		} else if !ok {
			continue
		}
		for _, b := range late[i+1:] {
			if bi, ok := at[b]; ok && bi < ai && (spans[ai].Near.Cmp(spans[bi].Past) > 0 || exact(ai) && exact(bi)) {
				m.Fatalf("Late(nil) = %v, want %v: job %d was late at %v, job %d at %v", late, keys,
					a, field.Float64(spans[ai].At), b, field.Float64(spans[bi].At))
			}
		}
	}
}

// checkOrder: All yields the jobs that are not completed, those on time in order; of jobs of one
// limit and weight whose tags are the same the one added first comes first.
func (m *machine) checkOrder(by aging.By, spans map[int]exactaging.Finish[int, rational]) {
	m.Helper()
	type place struct {
		slots, weight float64
		tag           [2]float64
	}
	keys, _ := all(m.c, by)
	want, added := 0, map[int]int{}
	for i, key := range m.known {
		added[key] = i
		if _, there := m.o.Left(key); there && !m.o.Completed(key) {
			want++
		}
	}
	if len(keys) != want {
		m.Fatalf("All(%v) yields %v, want %d jobs", by, keys, want)
	}
	places, before := map[int]place{}, -1
	for _, j := range m.c.Snapshot().Jobs {
		if added[j.Key] <= before {
			m.Fatalf("Snapshot() has job %d out of the order of Add, %v", j.Key, m.known)
		}
		before = added[j.Key]
		places[j.Key] = place{j.Slots, j.Weight, j.Tag}
	}
	var on []int
	last := map[place]int{}
	for _, key := range keys {
		if _, there := m.o.Left(key); !there || m.o.Completed(key) {
			m.Fatalf("All(%v) yields %v: job %d is unknown or completed", by, keys, key)
		}
		if j, _ := m.c.Job(key); j.Work == 0 || m.o.IsLate(key) {
			continue
		}
		if before, ok := last[places[key]]; ok && added[before] > added[key] {
			m.Fatalf("All(%v) yields %v: of jobs %d and %d, whose tags and weights are the same, the one added last is first", by, keys, before, key)
		}
		last[places[key]] = key
		on = append(on, key)
	}
	m.checkSorted(fmt.Sprintf("All(%v) yields %v", by, keys), by, on, spans)
}

// checkSorted: no job stands before another by more than the slack.
func (m *machine) checkSorted(what string, by aging.By, keys []int, spans map[int]exactaging.Finish[int, rational]) {
	m.Helper()
	before, most := 0, 0. // of those so far, the job that is last in truth, and the least that it has left
	for i, key := range keys {
		left, _ := m.o.Left(key)
		x, tolerance := field.Float64(left), slack*m.largest[key]
		if i > 0 && (by == aging.ByWork && most > x+tolerance || by == aging.ByFinish && spans[before].Near.Cmp(spans[key].Past) > 0) {
			m.Fatalf("%s: job %d (%+v) before job %d (%v left, %+v)", what, before, spans[before], key, x, spans[key])
		}
		if i == 0 || by == aging.ByWork && x-tolerance > most || by == aging.ByFinish && spans[key].Near.Cmp(spans[before].Near) > 0 {
			before, most = key, x-tolerance
		}
	}
}

// checkBatch compares Finish and Order on the jobs aged by Age.
func (m *machine) checkBatch(spans map[int]exactaging.Finish[int, rational]) {
	m.Helper()
	got := answers(m, m.capacity, 0, m.batch)
	for i, key := range m.known {
		span, ages := spans[key]
		if !ages || m.batch[i].Work == 0 {
			continue
		}
		lo, hi := field.Float64(span.Near)*(1-slack), field.Float64(span.Past)*(1+slack)
		if m.capacity == 0 {
			lo, hi = inf, inf
		}
		if !(lo <= got.finish[i] && got.finish[i] <= hi) {
			m.Fatalf("Finish(nil, %v, %v)[%d] = %v, want %v to %v", m.capacity, m.batch, i, got.finish[i], lo, hi)
		}
	}
	for by, order := range map[aging.By][]int{aging.ByWork: got.byWork, aging.ByFinish: got.byFinish} {
		var on []int
		for _, i := range order {
			if _, ages := spans[m.known[i]]; ages && m.batch[i].Work > 0 {
				on = append(on, m.known[i])
			}
		}
		m.checkSorted(fmt.Sprintf("Order(nil, %v, %v, %v) = %v", m.capacity, m.batch, by, order), by, on, spans)
	}
}
