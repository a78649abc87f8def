package aging

import (
	"math"

	"github.com/schedmath/schedmath/internal/dd"
	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/input"
)

// Age appends to dst the jobs as they stand after elapsed time, at most 2^200, in the virtual
// system: each job's Work is less by what its shares gave it, to about 1e-15 of its original work,
// and 0 below 2^-200. dst may be jobs[:0].
func Age(dst []Job, capacity, elapsed float64, jobs []Job) ([]Job, error) {
	if err := check("aging.Age", capacity, jobs); err != nil {
		return dst, err
	}
	if err := checkElapsed("aging.Age", elapsed); err != nil {
		return dst, err
	}
	d := newDrain(capacity, jobs)
	left := dd.Of(elapsed)
	for {
		i, in, ok := d.next()
		if !ok || in.Hi > left.Hi {
			break
		}
		d.end(i, in)
		if left = left.Sub(in); left.Hi < 0 {
			left = dd.T{}
		}
	}
	d.pass(left)
	n := len(dst)
	dst = append(dst, jobs...)
	for i := range jobs {
		dst[n+i].Work = d.left(i)
	}
	return dst, nil
}

// Finish appends to dst the time from now at which each job finishes in the virtual system if
// nobody else arrives: 0 for a job without Work, +Inf at capacity 0.
func Finish(dst []float64, capacity float64, jobs []Job) ([]float64, error) {
	if err := check("aging.Finish", capacity, jobs); err != nil {
		return dst, err
	}
	n := len(dst)
	for i := range jobs {
		f := 0.0
		if jobs[i].Work > 0 {
			f = math.Inf(1)
		}
		dst = append(dst, f)
	}
	d := newDrain(capacity, jobs)
	for {
		i, in, ok := d.next()
		if !ok {
			return dst, nil
		}
		d.end(i, in)
		dst[n+int(i)] = d.clock.Float()
	}
}

// Order appends to dst the indices of the jobs by remaining Work, or by virtual finish as Finish
// has it, the job to serve first in front. Jobs without Work come first, and ties go to the lower
// index. At capacity 0, ByFinish goes by Work/Weight, the order as the capacity tends to 0.
func Order(dst []int, capacity float64, jobs []Job, by By) ([]int, error) {
	if err := check("aging.Order", capacity, jobs); err != nil {
		return dst, err
	}
	if by > ByFinish {
		return dst, input.Bad("aging.Order", "by", -1, "%v, want ByWork or ByFinish", by)
	}
	for i := range jobs {
		if jobs[i].Work == 0 {
			dst = append(dst, i)
		}
	}
	if by == ByWork {
		work := make([]heap.Entry, 0, len(jobs))
		for i := range jobs {
			if jobs[i].Work > 0 {
				work = append(work, heap.Entry{Key: jobs[i].Work, ID: int32(i)})
			}
		}
		sortEntries(work)
		return appendIDs(dst, work), nil
	}
	d := newDrain(capacity, jobs)
	if len(d.byRatio) == 0 || capacity == 0 { // the order by tag is the order by finish
		return appendIDs(dst, d.byTag), nil
	}
	for i, in, ok := d.next(); ok; i, in, ok = d.next() {
		d.end(i, in)
		dst = append(dst, int(i))
	}
	return dst, nil
}

// appendIDs appends the ids of entries.
func appendIDs(dst []int, entries []heap.Entry) []int {
	for _, e := range entries {
		dst = append(dst, int(e.ID))
	}
	return dst
}
