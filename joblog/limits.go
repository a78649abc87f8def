package joblog

import (
	"fmt"
	"strconv"
)

const (
	maxTasks     = 1<<29 - 1 // slotmodel.Run takes no more
	defaultTasks = 1 << 24
	defaultJobs  = 1 << 21
	defaultBytes = 1 << 30
	defaultBad   = .01
)

// limits count what is kept of a file: a short one can name more tasks than a run has memory for, and
// a packed one have more lines.
type limits struct{ tasks, mostTasks, jobs, mostJobs int }

// Take counts a job of so many tasks and says what is wrong if that is beyond MaxJobs or MaxTasks.
func (t *Text) Take(tasks int) (reason string) {
	b := &t.limits
	t.full = true
	if b.jobs++; b.jobs > b.mostJobs {
		return fmt.Sprintf("brings the jobs of the file to %d, more than MaxJobs = %d", b.jobs, b.mostJobs)
	}
	if b.tasks += tasks; b.tasks > b.mostTasks {
		return tooManyTasks(float64(b.tasks), b.mostTasks)
	}
	t.full = false
	return ""
}

// decimal is a whole number, without exponent below 1e21.
func decimal(x float64) string {
	if x < 1e21 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return text(x)
}

func tooManyTasks(tasks float64, most int) string {
	return fmt.Sprintf("brings the tasks of all jobs to %s, more than MaxTasks = %d: a run takes 5 bytes for each, and some 400 for each that runs",
		decimal(tasks), most)
}

// pile is a list that grows without copies until all of it is known.
type pile[T any] struct {
	parts [][]T
	n     int
}

// mostPart is how many elements a part of a pile has at most.
const mostPart = 1024

func (p *pile[T]) add(x T) {
	last := len(p.parts) - 1
	if last < 0 || len(p.parts[last]) == cap(p.parts[last]) {
		p.parts = append(p.parts, make([]T, 0, min(mostPart, max(16, p.n))))
		last++
	}
	p.parts[last] = append(p.parts[last], x)
	p.n++
}

// list takes the elements off the pile, nil if there are none.
func (p *pile[T]) list() []T {
	if p.n == 0 {
		return nil
	}
	all := make([]T, 0, p.n)
	for i, part := range p.parts {
		all = append(all, part...)
		p.parts[i] = nil
	}
	*p = pile[T]{}
	return all
}
