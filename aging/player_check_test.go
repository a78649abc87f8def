package aging_test

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
)

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
	for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
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
	for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
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

func all[K int | string](c *aging.Cluster[K], by aging.By) (keys []K, jobs []aging.Job) {
	for key, j := range c.All(by) {
		keys, jobs = append(keys, key), append(jobs, j)
	}
	return keys, jobs
}

// checkNext: the answer must be a job that may be the first to finish, and the time one at which it
// is within the slack of finishing.
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

func (p *player[E]) checkOrder(by aging.By, spans map[int]exactaging.Span[E]) error {
	keys, jobs := all(p.c, by)
	late := p.c.Late(nil)
	if got, want := p.c.LateReady(nil), slices.DeleteFunc(slices.Clone(late), func(key int) bool { return p.busy[key] }); !slices.Equal(got, want) {
		return fmt.Errorf("LateReady(nil) = %v, want %v: Late(nil) = %v, not ready are %v", got, want, late, p.busy)
	}
	first, ok := p.c.First(by)
	ready := slices.DeleteFunc(slices.Clone(keys), func(key int) bool { return p.busy[key] })
	if ok != (len(ready) > 0) || ok && first != ready[0] {
		return fmt.Errorf("First(%v) = %v, %v, All(%v) yields %v, of which are not ready %v", by, first, ok, by, keys, p.busy)
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
	return p.checkTies(by, keys[len(late):])
}

// checkTies: of jobs on time of one limit and weight whose tags are the same, the one added first
// comes first.
func (p *player[E]) checkTies(by aging.By, keys []int) error {
	type place struct {
		slots, weight float64
		tag           [2]float64
	}
	added := map[int]int{}
	for i, key := range p.known { // in the order of Add
		added[key] = i
	}
	places := map[int]place{}
	before := -1
	for _, j := range p.c.Snapshot().Jobs {
		if added[j.Key] <= before {
			return fmt.Errorf("Snapshot() has job %d out of the order of Add, %v", j.Key, p.known)
		}
		before = added[j.Key]
		places[j.Key] = place{j.Slots, j.Weight, j.Tag}
	}
	last := map[place]int{}
	for _, key := range keys {
		if before, ok := last[places[key]]; ok && added[before] > added[key] {
			return fmt.Errorf("All(%v) yields %v: of jobs %d and %d, whose tags and weights are the same, the one added last is first", by, keys, before, key)
		}
		last[places[key]] = key
	}
	return nil
}

// sorted finds two neighbours out of order by more than the slack, if any.
func (p *player[E]) sorted(by aging.By, keys []int, spans map[int]exactaging.Span[E]) (before, after int, ok bool) {
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
	for _, by := range []aging.By{aging.ByWork, aging.ByFinish} {
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
