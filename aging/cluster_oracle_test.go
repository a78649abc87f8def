package aging_test

import (
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/exactaging"
)

// cases is how much of the random histories against the oracles is played, in percent. All: go test
// ./aging -cases 100
var cases = flag.Int("cases", 40, "percent of the random histories to play")

// replay plays a history and, when checked, checks all answers after each call.
func replay[E any](f exactaging.Field[E], capacity float64, calls []call, checked bool) error {
	p, err := newPlayer(f, capacity)
	if err != nil {
		return err
	}
	for _, a := range calls {
		if err := p.do(a); err != nil {
			return err
		}
		if !checked {
			continue
		}
		if err := p.check(); err != nil {
			return err
		}
	}
	return nil
}

// shrink leaves out calls of a failing history as long as it fails.
func shrink(calls []call, fails func([]call) bool) []call {
	for size := len(calls) / 2; size > 0; size /= 2 {
		for i := len(calls) - size; i >= 0; i -= size {
			if i+size > len(calls) {
				continue
			}
			if less := slices.Delete(slices.Clone(calls), i, i+size); fails(less) {
				calls = less
			}
		}
	}
	return calls
}

// shrinkReplay is shrink for histories that fail against the oracle.
func shrinkReplay[E any](f exactaging.Field[E], capacity float64, calls []call) []call {
	checked := replay(f, capacity, calls, false) == nil
	return shrink(calls, func(less []call) bool { return replay(f, capacity, less, checked) != nil })
}

func reproduction(capacity float64, calls []call) string {
	var b strings.Builder
	fmt.Fprintf(&b, "c, _ := aging.New[int](%v)\n", capacity)
	for _, a := range calls {
		fmt.Fprintln(&b, a)
	}
	return b.String()
}

func TestClusterRational(t *testing.T) {
	histories, worst := 0, 0.0
	for r := range regimes {
		excused := 0
		for n := range 120 * *cases / 100 {
			events := 60
			if n%8 == 0 {
				events = 300
			}
			if testing.Short() && n >= 8 {
				break
			}
			rng := rand.New(rand.NewPCG(uint64(r), uint64(n)))
			g := regimes[r].generator(rng, true)
			capacity := g.capacity
			p, err := newPlayer[*big.Rat](exactaging.Rat{}, capacity)
			var calls []call
			for err == nil && len(calls) < events {
				a := next(g, p)
				calls = append(calls, a)
				if err = p.do(a); err == nil && rng.IntN(8) == 0 {
					err = p.check()
				}
			}
			if err == nil {
				err = p.check()
			}
			if err != nil {
				calls = shrinkReplay(exactaging.Rat{}, capacity, calls)
				if e := replay(exactaging.Rat{}, capacity, calls, true); e != nil {
					err = e
				}
				t.Errorf("%s, history %d: %v\n%s", regimes[r].name, n, err, reproduction(capacity, calls))
				break
			}
			histories++
			worst = max(worst, p.worst)
			excused += p.excused
		}
		t.Logf("%s: %d differences within the slack", regimes[r].name, excused)
	}
	t.Logf("%d histories, largest error %.2g of a job's size", histories, worst)
}

// TestClusterCrowd has hundreds of jobs present at a time.
func TestClusterCrowd(t *testing.T) {
	for _, r := range []int{0, 3, 4} {
		t.Run(regimes[r].name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(r), 1<<33))
			crowd := regimes[r]
			crowd.jobs = 200
			g := crowd.generator(rng, false)
			g.capacity *= 20
			p, err := newPlayer[*big.Float](exactaging.Float{}, g.capacity)
			calls := 0
			for ; err == nil && calls < 1000; calls++ {
				a := next(g, p)
				if a.op == "SetCapacity" {
					a.x *= 20
				} else if len(p.known) < 150 && a.op != "Restore" {
					a = call{op: "Add", key: calls, job: aging.Job{Work: g.size(), Slots: g.limit(), Weight: g.weight()}}
				}
				if err = p.do(a); err == nil && rng.IntN(50) == 0 {
					err = p.check()
				}
			}
			if err == nil {
				err = p.check()
			}
			if err != nil {
				t.Fatalf("event %d: %v", calls, err)
			}
			t.Logf("largest error %.2g of a job's size, %d differences within the slack", p.worst, p.excused)
		})
	}
}

func TestClusterLong(t *testing.T) {
	events := 1_000 * *cases
	if testing.Short() {
		events = 5_000
	}
	for _, r := range []int{0, 2, 3, 4, 5} {
		t.Run(regimes[r].name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(r), 1<<32))
			g := regimes[r].generator(rng, false)
			p, err := newPlayer[*big.Float](exactaging.Float{}, g.capacity)
			var calls []call
			for err == nil && len(calls) < events {
				a := next(g, p)
				calls = append(calls, a)
				if err = p.do(a); err == nil && rng.IntN(50) == 0 {
					err = p.check()
				}
			}
			if err != nil {
				events := len(calls)
				if events < 20_000 {
					calls = shrinkReplay(exactaging.Float{}, g.capacity, calls)
					if e := replay(exactaging.Float{}, g.capacity, calls, true); e != nil {
						err = e
					}
				}
				t.Fatalf("event %d: %v\n%s", events, err, reproduction(g.capacity, calls[max(0, len(calls)-50):]))
			}
			t.Logf("largest error %.2g of a job's size, %d differences within the slack", p.worst, p.excused)
		})
	}
}
