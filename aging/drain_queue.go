package aging

import (
	"math"
	"math/bits"

	"github.com/schedmath/schedmath/internal/dd"
)

// capQueue holds the jobs at their caps by (finish, index). Nothing but the first is ever taken out, and no job comes in that
// is to finish before one already taken out, but for rounding; so only the jobs that are due soon need stand in a heap. The
// others lie in buckets of equal width in the bits of their finishes, and those beyond the last bucket in a list from which the
// next buckets are made. Each job passes through the list and a bucket at most once, in O(1), and costs O(log b) with b jobs
// in the heap. Jobs are numbered as they come, so that memory is written from end to end; buckets and list are chained by number + 1,
// and 0 ends a chain.
type capQueue struct {
	finish []dd.T  // by number, on the clock
	jobs   []int32 // likewise, the job's index
	after  []int32 // likewise, the next in its chain

	soon    []dueJob // binary heap: the jobs of the buckets before next
	buckets []int32  // the first of each bucket's chain
	next    int      // buckets before this one are used up
	base    uint64   // bucket k begins at base + k<<shift
	shift   int

	later  int32  // first of the chain of the jobs beyond the last bucket
	count  int    // their number
	lo, hi uint64 // least and largest finish among them
}

// dueJob is a job in the heap. Its words order as Hi and Lo of its finish do.
type dueJob struct {
	hi, lo uint64
	job    int32
	number int32
}

// before returns 1 when a comes before b, else 0: the borrow of one long subtraction, because branches here would be
// mispredicted every other time.
func before(a, b *dueJob) uint64 {
	_, c := bits.Sub64(uint64(a.job), uint64(b.job), 0)
	_, c = bits.Sub64(a.lo, b.lo, c)
	_, c = bits.Sub64(a.hi, b.hi, c)
	return c
}

// push adds a job.
func (q *capQueue) push(job int32, finish dd.T) {
	i := int32(len(q.jobs))
	q.finish, q.jobs, q.after = append(q.finish, finish), append(q.jobs, job), append(q.after, 0)
	at := math.Float64bits(finish.Hi)
	if at < q.base {
		q.pushSoon(i)
		return
	}
	switch k := (at - q.base) >> (q.shift & 63); {
	case k < uint64(q.next):
		q.pushSoon(i)
	case k < uint64(len(q.buckets)):
		q.after[i], q.buckets[k] = q.buckets[k], i+1
	default:
		if q.count == 0 {
			q.lo, q.hi = at, at
		}
		q.lo, q.hi = min(q.lo, at), max(q.hi, at)
		q.after[i], q.later = q.later, i+1
		q.count++
	}
}

// first returns the number of the job that finishes first; ok is false when the queue is empty.
func (q *capQueue) first() (i int32, ok bool) {
	for len(q.soon) == 0 {
		if q.next == len(q.buckets) {
			if q.count == 0 {
				return 0, false
			}
			q.fillBuckets()
		}
		for i := q.buckets[q.next]; i != 0; i = q.after[i-1] {
			q.pushSoon(i - 1)
		}
		q.next++
	}
	return q.soon[0].number, true
}

// fillBuckets deals the jobs beyond the last bucket out to new buckets, about one to each job.
func (q *capQueue) fillBuckets() {
	width := bits.Len(uint(q.count))
	q.base, q.shift, q.next = q.lo, max(0, bits.Len64(q.hi-q.lo)-width), 0
	if n := int((q.hi-q.lo)>>q.shift) + 1; n <= cap(q.buckets) {
		q.buckets = q.buckets[:n]
		clear(q.buckets)
	} else {
		q.buckets = make([]int32, n)
	}
	for q.later != 0 {
		i := q.later - 1
		k := (math.Float64bits(q.finish[i].Hi) - q.base) >> q.shift
		q.later = q.after[i]
		q.after[i], q.buckets[k] = q.buckets[k], i+1
	}
	q.count = 0
}

// pushSoon adds the job of number i to the heap.
func (q *capQueue) pushSoon(i int32) {
	f := q.finish[i]
	lo := math.Float64bits(f.Lo + 0) // never -0
	lo ^= uint64(int64(lo)>>63) | 1<<63
	e := dueJob{math.Float64bits(f.Hi), lo, q.jobs[i], i}
	q.soon = append(q.soon, e)
	h, at := q.soon, len(q.soon)-1
	for at > 0 && before(&e, &h[(at-1)/2]) != 0 {
		h[at] = h[(at-1)/2]
		at = (at - 1) / 2
	}
	h[at] = e
}

// pop takes the job out that first has returned.
func (q *capQueue) pop() {
	last := len(q.soon) - 1
	e, h := q.soon[last], q.soon[:last]
	q.soon = h
	if last == 0 {
		return
	}
	at := 0
	for {
		child := 2*at + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) {
			child += int(before(&h[child+1], &h[child]))
		}
		if before(&h[child], &e) == 0 {
			break
		}
		h[at] = h[child]
		at = child
	}
	h[at] = e
}
