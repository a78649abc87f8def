package precedence

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/orders"
)

// checkSearch compares what the search keeps with what its order says. Numbers are whole, so that
// sums are exact.
func checkSearch(t *testing.T, s *search, after string) {
	t.Helper()
	order := ints(s.order)
	if err := Verify(s.g, order); err != nil {
		t.Fatalf("after %s: %v", after, err)
	}
	end, sum := 0.0, 0.0
	for i, j := range order {
		end += s.work[j]
		pays := s.cost[j].at(end)
		sum += pays
		if s.end[i] != end || s.pays[i] != pays || int(s.place[j]) != i {
			t.Fatalf("after %s: place %d of %v has end %v and pays %v, and job %d is at %d, want %v, %v and %d", after, i, order, s.end[i], s.pays[i], j, s.place[j], end, pays, i)
		}
	}
	if s.value != sum {
		t.Fatalf("after %s: value %v, want the sum of what the jobs pay, %v", after, s.value, sum)
	}
}

// Insertions and swaps lower the sum, after every move the search's books are right, and after a
// descent no move lowers the sum.
func TestSearchKeepsBooks(t *testing.T) {
	inserted, swapped := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 21))
		n := 2 + r.IntN(20)
		p, _ := randomProblem(t, r, n, orders.Random(r, n, []float64{0, 0.1, 0.3}[r.IntN(3)]))
		s := p.newSearch(1<<30, p.g.Topological(nil))
		checkSearch(t, s, "newSearch")
		for range 30 {
			before := s.value
			switch i := r.IntN(n); r.IntN(3) {
			case 0:
				if s.insert(i) {
					inserted++
					if !(s.value < before) {
						t.Fatalf("seed %d: an insertion leads from %v to %v", seed, before, s.value)
					}
				}
				checkSearch(t, s, "insert")
			case 1:
				_, most := s.room(i)
				if k := i + 2 + r.IntN(4); k < most && s.swap(i, k, s.cost[s.order[i]].at(s.end[k])-s.pays[i]) {
					swapped++
					if !(s.value < before) {
						t.Fatalf("seed %d: a swap leads from %v to %v", seed, before, s.value)
					}
				}
				checkSearch(t, s, "swap")
			default:
				s.disturb(1 + r.IntN(4))
				checkSearch(t, s, "disturb")
			}
		}
		s.descend()
		checkSearch(t, s, "descend")
		for i := range n {
			if s.insert(i) {
				t.Fatalf("seed %d: after descend the job at place %d still moves", seed, i)
			}
		}
		if s.swaps() {
			t.Fatalf("seed %d: after descend two jobs still swap", seed)
		}
	}
	if inserted < 300 || swapped < 50 {
		t.Errorf("%d insertions and %d swaps, want 300 and 50", inserted, swapped)
	}
}

// counting counts how often its penalty is asked.
type counting struct {
	Penalty
	calls *int
}

func (c counting) At(t float64) float64 { *c.calls++; return c.Penalty.At(t) }

// The search asks for at most two penalties a step, beside the starts and one insertion and one
// disturbance beyond the end.
func TestSearchBudget(t *testing.T) {
	for _, steps := range []int{1, 100, 2000, 20000} {
		r := rand.New(rand.NewPCG(5, 22))
		const n = 60
		calls, order, work, penalties := 0, make([]int, n), make([]float64, n), make([]Penalty, n)
		for j := range n {
			order[j] = j
			work[j] = float64(1 + r.IntN(9))
			penalties[j] = counting{Tardiness{float64(r.IntN(200)), float64(1 + r.IntN(9))}, &calls}
		}
		p, err := newProblem("test", "penalties", nil, work, penalties, Sum)
		must(t, err)
		calls = 0
		p.starts(func(order []int) { p.evaluate(order) })
		starts := calls
		calls = 0
		p.search(steps, nil)
		rounds := steps/n + 2 // each ends with at most 2 n penalties made anew
		if most := starts + 3*steps + 2*n*rounds + 10*n; calls > most || calls < starts+steps/4 {
			t.Errorf("search(%d) asks for %d penalties, want %d to %d", steps, calls, starts+steps/4, most)
		}
		s := p.newSearch(math.MaxInt32, order)
		s.descend()
		for i := range n { // nothing moves any more: two penalties a step
			calls, s.steps = 0, 0
			if s.insert(i); calls != 2*(-s.steps-1) { // one step looks for its room
				t.Errorf("place %d: %d steps are charged for %d penalties", i, -s.steps, calls)
			}
		}
	}
}

// decay is exp(-x) to within 0.4 % for x = slack / scale up to 1, falls on, and is 1 without slack
// and 0 for an x beyond all numbers.
func TestDecay(t *testing.T) {
	before := 1.0
	for slack := 0.0; slack < 40; slack += 1. / 64 {
		got, want := decay(slack, 2), math.Exp(-slack/2)
		if !(got <= before && got >= want) || slack <= 2 && got > want*1.004 {
			t.Errorf("decay(%v, 2) = %v after %v, want about %v", slack, got, before, want)
		}
		before = got
	}
	for _, c := range [][3]float64{{-1, 1, 1}, {math.Inf(-1), 1, 1}, {math.NaN(), 1, 1}, {1, 0, 0}, {math.Inf(1), 1, 0}, {1e300, 1, 0}} {
		if got := decay(c[0], c[1]); got != c[2] {
			t.Errorf("decay(%v, %v) = %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

// A job is the more urgent, the heavier, the shorter and the nearer its deadline, from which on nothing
// more adds to it.
func TestUrgency(t *testing.T) {
	for _, of := range []func(deadline, weight float64) Penalty{
		func(d, w float64) Penalty { return Tardy{d, w} },
		func(d, w float64) Penalty { return Tardiness{d, w} },
		func(d, w float64) Penalty { return SLA{[]float64{d}, []float64{w}} },
	} {
		p, err := newProblem("", "", nil, []float64{1, 1, 1, 2, 1}, []Penalty{of(9, 1), of(3, 1), of(3, 2), of(4, 1), of(1, 1)}, Sum)
		if err != nil {
			t.Fatal(err)
		}
		var u [5]float64
		for j := range u {
			u[j] = p.urgency(j, 0, 5)
		}
		if far, near, heavy, long, due := u[0], u[1], u[2], u[3], u[4]; !(far > 0 && far < near && near < due) || heavy != 2*near || long != near/2 || due != 1 {
			t.Errorf("%T: urgencies %v far from the deadline, %v near, %v twice as heavy, %v twice as long, %v due", of(1, 1), far, near, heavy, long, due)
		}
	}
}
