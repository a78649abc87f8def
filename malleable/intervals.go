package malleable

import (
	"cmp"
	"iter"
	"slices"
)

// Interval is a time during which no allocation changes.
type Interval struct{ Start, End float64 }

func byStart(a, b Piece) int { return cmp.Compare(a.Start, b.Start) }
func byEnd(a, b Piece) int   { return cmp.Compare(a.End, b.End) }
func byJob(a, b Piece) int   { return cmp.Compare(a.Job, b.Job) }

// Intervals goes through the intervals between changes, from 0 to the end of the last piece and
// without gaps, each with the pieces that cover it, ascending by job. A time when nobody runs is
// an interval without pieces. The slice is the caller's. This is the form in which the paper draws
// a schedule; it repeats a piece in each interval that the piece covers, so that its size may be
// the product of pieces and jobs. Cost O(p log p) for p pieces, and the output.
func (s *Schedule) Intervals() iter.Seq2[Interval, []Piece] {
	return func(yield func(Interval, []Piece) bool) {
		pieces := s.pieces
		ends := slices.Clone(pieces)
		slices.SortFunc(ends, byEnd)
		var running []Piece
		begun, ended := 0, 0
		for now := 0.0; ; {
			for ; ended < len(ends) && ends[ended].End <= now; ended++ {
				if i, ok := slices.BinarySearchFunc(running, ends[ended], byJob); ok {
					running = slices.Delete(running, i, i+1)
				}
			}
			for ; begun < len(pieces) && pieces[begun].Start <= now; begun++ {
				if p := pieces[begun]; p.End > now {
					i, _ := slices.BinarySearchFunc(running, p, byJob)
					running = slices.Insert(running, i, p)
				}
			}
			if ended == len(ends) {
				return
			}
			next := ends[ended].End
			if begun < len(pieces) {
				next = min(next, pieces[begun].Start)
			}
			if !yield(Interval{now, next}, slices.Clone(running)) {
				return
			}
			now = next
		}
	}
}
