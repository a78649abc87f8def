package malleable

import (
	"math"
	"slices"

	"github.com/schedmath/schedmath/precedence"
)

// PowersOfTwo appends 1, 2, 4 and so on up to slots, and at most MaxSlots, to dst: the steps of a system that halves and
// doubles. For slots < 1 there are none.
func PowersOfTwo(dst []int, slots int) []int {
	for shift := 0; 1<<shift <= min(slots, MaxSlots); shift++ {
		dst = append(dst, 1<<shift)
		if 1<<shift == MaxSlots {
			break // twice as much is no int of 32 bits
		}
	}
	return dst
}

// PackSteps is Pack for jobs that can only hold a number of slots from steps, ascending, or none. A Min is rounded up to a step
// and a Max down to one. At each completion each ready job gets its Min; then, by priority, each gets the largest step up to
// its Max that its Min and the slots that are left allow. What is left over goes on to the next job, so that a job of lower
// priority may hold more than its Min while one of higher priority is below its Max.
//
// What rounding costs: with L = StepLoss(...), all Min 0 and a topological priority, job j completes by prefix/(slots - L) +
// the longest chain of Work/Max with Max rounded down, where prefix is the work of j and of all jobs before it. Powers of two
// lose less than half of the slots and half of a Max, so that the makespan and, by an optimal order for one machine, the total
// weighted completion time stay within 4 of the least without steps.
//
// Cost O(n r log k + e) for r jobs ready at a time on average and k steps; there is no prefix at Max to move. Errors: those of
// Pack, and InputError for steps that are empty, not ascending or not within 1 to slots, and for a job between whose Min and
// Max there is no step.
func PackSteps(slots int, jobs []Job, g *precedence.Graph, priority, steps []int) (*Schedule, error) {
	const fn = "malleable.PackSteps"
	if err := checkJobs(fn, slots, jobs, g); err != nil {
		return nil, err
	}
	if err := checkSteps(fn, slots, jobs, steps); err != nil {
		return nil, err
	}
	s := new(Schedule)
	p := &s.pack
	p.rank = make([]int32, len(jobs))
	if err := checkPriority(fn, p.rank, priority); err != nil {
		return nil, err
	}
	p.start(slots, jobs, g, priority)
	for r, j := range priority {
		t := &p.tasks[r]
		t.max = int32(stepDown(steps, int(t.max)))
		if jobs[j].Min > 0 && jobs[j].Work > 0 {
			t.min = int32(stepUp(steps, int(t.min)))
		}
	}
	if err := p.packSteps(steps); err != nil {
		return nil, err
	}
	p.close(math.Inf(1))
	s.plan = p.out
	s.pack = packer{}
	return s, nil
}

func checkSteps(fn string, slots int, jobs []Job, steps []int) error {
	if len(steps) == 0 {
		return badInput(fn, "steps", -1, "is empty, want at least one step")
	}
	for i, s := range steps {
		if s < 1 || s > slots {
			return badInput(fn, "steps", i, "is %d, want 1 to %d", s, slots)
		}
		if i > 0 && s <= steps[i-1] {
			return badInput(fn, "steps", i, "is %d after %d, want ascending", s, steps[i-1])
		}
	}
	for i := range jobs {
		j := &jobs[i]
		if down := stepDown(steps, j.most(slots)); down == 0 || down < j.Min && j.Min <= slots {
			return badInput(fn, "jobs", i, "Min is %d and Max %d, want a step between them", j.Min, j.Max)
		}
	}
	return nil
}

// stepDown returns the largest step <= slots, 0 if there is none.
func stepDown(steps []int, slots int) int {
	i, ok := slices.BinarySearch(steps, slots)
	if ok {
		return slots
	}
	if i == 0 {
		return 0
	}
	return steps[i-1]
}

// stepUp returns the least step >= slots, slots itself if there is none.
func stepUp(steps []int, slots int) int {
	if i, _ := slices.BinarySearch(steps, slots); i < len(steps) {
		return steps[i]
	}
	return slots
}

// packSteps shares everything anew at each completion.
func (p *packer) packSteps(steps []int) error {
	var ready []int32 // ranks, ascending
	for now := 0.0; ; {
		for i := 0; i < len(p.fresh); i++ { // grows as jobs without work complete
			if r := p.fresh[i]; p.admit(r, now) {
				at, _ := slices.BinarySearch(ready, r)
				ready = slices.Insert(ready, at, r)
			}
		}
		p.fresh = p.fresh[:0]
		if len(ready) == 0 {
			return nil
		}
		if p.minima > int64(p.slots) {
			return p.minimaError(now)
		}
		slack := int64(p.slots) - p.minima
		first := math.Inf(1)
		for _, r := range ready {
			t := &p.tasks[r]
			slots := int32(stepDown(steps, int(min(int64(t.max), int64(t.min)+slack))))
			slack -= int64(slots - t.min)
			if slots != t.slots {
				p.change(t, r, slots, now)
				p.record(t, r, now)
			}
			if slots > 0 {
				first = min(first, t.end())
			}
		}
		p.changed = p.changed[:0]
		p.again = p.again || first == now
		now = first
		last := now + float64(now*simultaneous)
		kept := ready[:0]
		for _, r := range ready {
			t := &p.tasks[r]
			if t.slots == 0 || t.end() > last {
				kept = append(kept, r)
				continue
			}
			p.minima -= int64(t.min)
			t.slots, t.ready = 0, false
			p.record(t, r, now)
			p.retire(r, now)
		}
		ready = kept
	}
}

// end returns when a job that holds slots completes if it keeps them.
func (t *task) end() float64 { return t.since + t.left/float64(t.slots) }

// StepLoss returns how many slots rounding to steps can leave idle, or to jobs of lower priority, while a ready job is below
// its Max rounded down: the most of s - (the largest step <= s) over all s that are less than a Max. Powers of two lose less
// than half of the slots.
//
// Cost O(n + k). Errors: InputError as in PackSteps.
func StepLoss(slots int, jobs []Job, steps []int) (int, error) {
	const fn = "malleable.StepLoss"
	if err := checkJobs(fn, slots, jobs, nil); err != nil {
		return 0, err
	}
	if err := checkSteps(fn, slots, jobs, steps); err != nil {
		return 0, err
	}
	most := 0
	for i := range jobs {
		most = max(most, stepDown(steps, jobs[i].most(slots)))
	}
	loss, below := 0, 0
	for _, s := range steps {
		if s > most {
			break
		}
		loss = max(loss, s-1-below)
		below = s
	}
	return loss, nil
}
