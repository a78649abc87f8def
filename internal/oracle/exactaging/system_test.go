package exactaging_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/exactaging"
	"github.com/schedmath/schedmath/internal/oracle/golden"
)

type realJob struct{ arrival, size, weight float64 }

// fsp runs the jobs on one server that always serves the unfinished job that the virtual system
// finishes first, or, when byWork, the one with the least virtual work left. It returns real and
// virtual completion times. Sizes are exact, so a job is never late before it is served to the end;
// ties of the two are harmless.
func fsp(jobs []realJob, forget, byWork bool) (realEnd, virtualEnd []*big.Rat) {
	f := exactaging.Rat{}
	sys := exactaging.New[int](f, 1)
	sys.Forget = forget
	left := make([]*big.Rat, len(jobs))
	realEnd, virtualEnd = make([]*big.Rat, len(jobs)), make([]*big.Rat, len(jobs))
	now, next, done := new(big.Rat), 0, 0
	order := make([]int, len(jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return f.Cmp(f.Of(jobs[a].arrival), f.Of(jobs[b].arrival)) })
	note := func() {
		for i := range jobs {
			if left[i] == nil || virtualEnd[i] != nil {
				continue
			}
			if l, ok := sys.Left(i); !ok || l.Sign() == 0 {
				virtualEnd[i] = now
			}
		}
	}
	for done < len(jobs) || sys.Len() > 0 {
		for next < len(jobs) && f.Of(jobs[order[next]].arrival).Cmp(now) <= 0 {
			i := order[next]
			sys.Add(i, jobs[i].size, 0, jobs[i].weight)
			left[i] = f.Of(jobs[i].size)
			next++
		}
		var step *big.Rat
		least := func(d *big.Rat) {
			if step == nil || d.Cmp(step) < 0 {
				step = d
			}
		}
		if next < len(jobs) {
			least(f.Sub(f.Of(jobs[order[next]].arrival), now))
		}
		if _, in, ok := sys.NextFinish(); ok {
			least(in)
		}
		head := -1
		if late, _ := sys.Late(); len(late) > 0 {
			head = late[0]
		} else if byWork {
			if on := sys.ByWork(); len(on) > 0 {
				head = on[0]
			}
		} else {
			for _, v := range sys.Finishes() {
				if !v.Completed {
					head = v.Key
					break
				}
			}
		}
		if head >= 0 {
			least(left[head])
		}
		if step == nil {
			panic("nothing to wait for")
		}
		now = f.Add(now, step)
		sys.AdvanceBy(step)
		note()
		if head >= 0 {
			if left[head] = f.Sub(left[head], step); left[head].Sign() == 0 {
				realEnd[head] = now
				sys.Complete(head)
				done++
			}
		}
	}
	return realEnd, virtualEnd
}

func wantTimes(t *testing.T, what string, got []*big.Rat, want ...string) {
	t.Helper()
	for i, w := range want {
		if got[i].Cmp(golden.Rat(t, w)) != 0 {
			t.Errorf("%s: job %d ends at %v, want %v", what, i, got[i].RatString(), w)
		}
	}
}

// TestFigure1 is Figure 1 of the HFSP paper.
func TestFigure1(t *testing.T) {
	jobs := []realJob{{0, 30, 1}, {10, 10, 1}, {15, 10, 1}}
	realEnd, virtualEnd := fsp(jobs, false, false)
	wantTimes(t, "FSP", realEnd, "50", "20", "30")
	wantTimes(t, "PS", virtualEnd, "50", "37.5", "42.5")
}

// TestForgetBreaksDominance: with the wrong rule job 1 ends at 20 where processor sharing ends it
// at 19.5, with the right one no job is late.
func TestForgetBreaksDominance(t *testing.T) {
	jobs := []realJob{{1, 10, 1}, {7, 6, 1}, {2, 3, 1}}
	realEnd, virtualEnd := fsp(jobs, false, false)
	for i := range jobs {
		if realEnd[i].Cmp(virtualEnd[i]) > 0 {
			t.Errorf("FSP: job %d ends at %v, PS %v", i, realEnd[i], virtualEnd[i])
		}
	}
	wantTimes(t, "PS", virtualEnd, "20", "19.5", "8.5")
	realEnd, _ = fsp(jobs, true, false)
	wantTimes(t, "FSP with removal", realEnd[1:2], "20")
}

// TestByWorkBreaksDominance: with unequal weights the key must be the virtual finish.
func TestByWorkBreaksDominance(t *testing.T) {
	jobs := []realJob{{6, 12, 5}, {6, 5, 1}}
	realEnd, virtualEnd := fsp(jobs, false, true)
	wantTimes(t, "FSP by work", realEnd[:1], "23")
	wantTimes(t, "GPS", virtualEnd[:1], "20.4")
	realEnd, virtualEnd = fsp(jobs, false, false)
	for i := range jobs {
		if realEnd[i].Cmp(virtualEnd[i]) > 0 {
			t.Errorf("FSP: job %d ends at %v, GPS %v", i, realEnd[i], virtualEnd[i])
		}
	}
}

// TestCapsReorder: with limits the order of virtual finishes can change while jobs stay.
func TestCapsReorder(t *testing.T) {
	s := exactaging.New[int](exactaging.Rat{}, 4)
	s.Add(0, 6, 1, 1)
	s.Add(1, 8, 4, 1)
	v := s.Finishes()
	if v[0].Key != 1 || v[0].At.Cmp(big.NewRat(8, 3)) != 0 || v[1].At.Cmp(big.NewRat(6, 1)) != 0 {
		t.Errorf("Finishes() = %v, want job 1 at 8/3, job 0 at 6", v)
	}
	for k := range 6 {
		s.Add(2+k, 100, 4, 1)
	}
	v = s.Finishes()
	if v[0].Key != 0 || v[0].At.Cmp(big.NewRat(12, 1)) != 0 || v[1].Key != 1 || v[1].At.Cmp(big.NewRat(31, 2)) != 0 {
		t.Errorf("Finishes() = %v, want job 0 at 12, job 1 at 31/2", v[:2])
	}
}

// TestReestimate goes through the rules for a new size.
func TestReestimate(t *testing.T) {
	s := exactaging.New[string](exactaging.Rat{}, 1)
	left := func(key string, want float64) {
		t.Helper()
		if l, ok := s.Left(key); !ok || l.Cmp(new(big.Rat).SetFloat64(want)) != 0 {
			t.Errorf("Left(%q) = %v, %v, want %v, true", key, l, ok, want)
		}
	}
	s.Add("a", 10, 0, 0)
	s.Add("b", 4, 0, 0)
	s.Advance(4)
	s.Reestimate("a", 5)
	left("a", 3)
	s.Reestimate("a", 1) // 2 received
	left("a", 0)
	s.Advance(2)
	left("b", 0)
	if late, _ := s.Late(); !slices.Equal(late, []string{"a", "b"}) {
		t.Errorf("Late() = %v, want [a b]", late)
	}
	s.Reestimate("a", 2)
	left("a", 0)
	s.Reestimate("a", 2.5)
	left("a", 0.5)
	s.Complete("a")
	s.Advance(0.25)
	left("a", 0.25)
	s.Advance(0.25)
	if _, ok := s.Left("a"); ok {
		t.Errorf("Left(%q) is known after the virtual finish of a completed job", "a")
	}
}
