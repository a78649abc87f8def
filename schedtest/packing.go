package schedtest

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/malleable"
)

// Packing checks the schedule that pack makes of malleable jobs, all there from the start: job i
// has work[i] slot-seconds to do and uses at most most[i] slots at a time. Pieces stay within the
// slots and the jobs' limits, each job's work is done and no more, and no slot idles while a job
// with work left could use it, all to 1e-9 of the whole work.
//
// Works are > 0 and finite, limits from 1 to the slots. pack must not change its arguments.
func Packing(t testing.TB, pack func(slots int, work []float64, most []int) []malleable.Piece) {
	t.Helper()
	check(t, func(r *rapid.T) {
		slots := rapid.IntRange(1, 5).Draw(r, "slots")
		n := rapid.IntRange(0, 6).Draw(r, "jobs")
		p := packing{slots: slots, work: rapid.SliceOfN(rapid.SampledFrom([]float64{.1, .3, 1, 2, 3, 7.1}), n, n).Draw(r, "work"),
			most: rapid.SliceOfN(rapid.IntRange(1, slots), n, n).Draw(r, "most")}
		work, most := slices.Clone(p.work), slices.Clone(p.most)
		p.pieces = slices.Clone(pack(slots, work, most))
		if !slices.Equal(work, p.work) || !slices.Equal(most, p.most) {
			r.Fatalf("what is given stays as it is: works are now %v, were %v; limits %v, were %v", work, p.work, most, p.most)
		}
		if fault := p.fault(); fault != "" {
			r.Fatalf("%s\nslots %d, works %v, limits %v: pieces %+v", fault, p.slots, p.work, p.most, p.pieces)
		}
	})
}

// A packing is jobs and what was made of them.
type packing struct {
	slots  int
	work   []float64
	most   []int
	pieces []malleable.Piece
}

// fault is the law that the packing breaks, and how; "": none.
func (p *packing) fault() string {
	near, times := 0.0, []float64{0}
	for _, w := range p.work {
		near += 1e-9 * w
	}
	done := make([]float64, len(p.work))
	for i, x := range p.pieces {
		switch {
		case x.Job < 0 || x.Job >= len(p.work):
			return words("a piece is of a job: piece %d is of job %d", i, x.Job)
		case !(x.Start >= 0 && x.Start <= x.End) || x.Slots < 1:
			return words("a piece begins at 0 or later, ends no sooner and has slots: piece %d does not", i)
		}
		done[x.Job] += float64(x.Slots) * (x.End - x.Start)
		times = append(times, x.Start, x.End)
	}
	for j, w := range p.work {
		if !(done[j] >= w-near && done[j] <= w+near) {
			return words("each job's work is done, and no more: job %d has %v slot-seconds of %v", j, done[j], w)
		}
	}
	slices.SortFunc(times, cmp.Compare[float64])
	left := slices.Clone(p.work)
	for i, from := range times[:len(times)-1] {
		until := times[i+1]
		if until-from <= near {
			continue
		}
		held, all := make([]int, len(p.work)), 0
		for _, x := range p.pieces {
			if x.Start <= from && x.End >= until {
				held[x.Job] += x.Slots
				all += x.Slots
			}
		}
		if all > p.slots {
			return words("no more slots are held than there are: %d from %v to %v", all, from, until)
		}
		for j, h := range held {
			if h > p.most[j] {
				return words("a job holds no more slots than it can use: job %d holds %d from %v to %v", j, h, from, until)
			}
			if all < p.slots && h < p.most[j] && left[j] > near {
				return words("no slot idles while a job could use it: from %v to %v job %d, with %v slot-seconds left, holds %d slots and %d are free", from, until, j, left[j], h, p.slots-all)
			}
			left[j] -= float64(h) * (until - from)
		}
	}
	return ""
}
