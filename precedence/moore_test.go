package precedence_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/precedence"
)

// The least weight of tardy jobs is that of the programme over down-sets, to which the penalties are any
// functions.
func TestTardyJobsAgainstAllSets(t *testing.T) {
	methods := map[precedence.Method]int{}
	for seed := range uint64(900) {
		r := rand.New(rand.NewPCG(seed, 7))
		n := r.IntN(12)
		work, weight, due := make([]int64, n), make([]int64, n), make([]int64, n)
		scale := []float64{1, 0.25, 3, 1 << 40}[r.IntN(4)]
		long := int64(1)
		if r.IntN(3) == 0 {
			long = 1 << 33 // the table by work is too large
		}
		for j := range n {
			work[j], weight[j], due[j] = r.Int64N(9)*long, r.Int64N(5), (r.Int64N(50)-5)*long
			if seed%2 == 0 {
				weight[j] = 1
			}
		}
		w, d := scaled(weight, 1), scaled(due, scale)
		if seed%4 == 1 && long == 1 { // the table by weight cannot be used
			for j := range w {
				w[j] = w[j]*1e-9 + 1
			}
		}
		obj := mustObj(t)(precedence.SumWeightedTardy(d, w))
		any := objective{Penalties: make(penalties, n)}
		for j, p := range obj.Penalties {
			any.Penalties[j] = hidden{p}
		}
		call := fmt.Sprintf("seed %d: Minimize(nil, %v, %v)", seed, scaled(work, scale), obj.Penalties)
		s, err := precedence.Minimize(nil, scaled(work, scale), obj, precedence.Options{})
		if err != nil {
			t.Fatalf("%s: %v", call, err)
		}
		methods[s.Method]++
		best, err := precedence.Minimize(nil, scaled(work, scale), any, options{})
		if err != nil || !best.Exact || n > 0 && best.Method != precedence.MethodDownSets {
			t.Fatalf("%s by any functions: %+v, %v", call, best, err)
		}
		want := best.Value
		// Where weights are not whole the sums round.
		if diff := s.Value - want; !s.Exact || s.Bound != s.Value || diff > 1e-12*want || diff < -1e-12*want {
			t.Fatalf("%s = %v exact %v by %s, want %v", call, s.Value, s.Exact, s.Method, want)
		}
	}
	if methods[precedence.MethodMooreHodgson] < 300 || methods[precedence.MethodLawlerMoore] < 300 {
		t.Errorf("methods used: %v", methods)
	}
}

// With 2,000 jobs the tables are by work, by weight, or too large; without jobs of one weight
// Moore-Hodgson does not apply.
func TestTardyMethods(t *testing.T) {
	work, weight, due := randomJobs(2000, 9)
	long := make([]float64, len(work))
	odd := make([]float64, len(work))
	for j := range work {
		long[j] = work[j] * (1 << 20)
		long[j]++
		odd[j] = weight[j] + 1/float64(j+3)
	}
	longDue := make([]float64, len(due))
	for j := range due {
		longDue[j] = due[j] * (1 << 20)
	}
	for _, c := range []struct {
		work, weight, due []float64
		states            int
		method            precedence.Method
		exact             bool
	}{
		{work, weight, due, 1 << 22, precedence.MethodLawlerMoore, true},
		{work, odd, due, 1 << 22, precedence.MethodLawlerMoore, true},
		{long, weight, longDue, 1 << 22, precedence.MethodLawlerMoore, true},
		{long, odd, longDue, 1 << 22, precedence.MethodSearch, false},
		{work, weight, due, 100, precedence.MethodSearch, false},
	} {
		obj, err := precedence.SumWeightedTardy(c.due, c.weight)
		must(t, err)
		s, err := precedence.Minimize(nil, c.work, obj, precedence.Options{States: c.states, Steps: 10_000})
		if err != nil || s.Method != c.method || s.Exact != c.exact || s.Bound > s.Value {
			t.Errorf("Minimize of 2000 jobs, States %d: %s, exact %v, value %v, bound %v, %v, want %s, exact %v", c.states, s.Method, s.Exact, s.Value, s.Bound, err, c.method, c.exact)
		}
	}
}
