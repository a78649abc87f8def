package aging_test

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/internal/oracle/exactaging"
)

// checkLate: two late jobs may change places only where their spans meet and one of them has a
// width.
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
