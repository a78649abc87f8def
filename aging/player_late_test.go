package aging_test

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
)

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

// checkTags: a job has a tag unless it or a job in the virtual system has a limit, or it had one while it was late; the tag stays, and tags sort like
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
		if want := !ages && !limited[key] && !p.astray[key]; ok != want {
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
