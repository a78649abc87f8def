package malleable_test

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
	"pgregory.net/rapid"
)

// TestPermutation: giving the jobs other indices permutes the completion times and changes nothing
// else.
func TestPermutation(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		r := random(seed)
		in := randomInstance(r, true)
		to := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
			for j := range in.jobs {
				if !yield(j) {
					return
				}
			}
		})).Draw(rt, "to")
		other := instance{slots: in.slots, jobs: make([]malleable.Job, len(in.jobs)), arcs: [][2]int{}}
		for j, k := range to {
			other.jobs[k] = in.jobs[j]
		}
		for _, a := range in.arcs {
			other.arcs = append(other.arcs, [2]int{to[a[0]], to[a[1]]})
		}
		for _, j := range in.priority {
			other.priority = append(other.priority, to[j])
		}
		a, err := malleable.Pack(in.slots, in.jobs, in.graph(t), in.priority)
		b, err2 := malleable.Pack(other.slots, other.jobs, other.graph(t), other.priority)
		if (err == nil) != (err2 == nil) {
			rt.Fatalf("Pack(%+v) = %v, permuted by %v: %v", in, err, to, err2)
		}
		if err != nil {
			return
		}
		ca, cb := a.Completion(nil), b.Completion(nil)
		for j, k := range to {
			if ca[j] != cb[k] {
				rt.Fatalf("Pack(%+v): job %d completes at %v, permuted by %v at %v", in, j, ca[j], to, cb[k])
			}
		}
	})
}

// TestLarge packs many jobs with random works, verifies the schedules and checks their bounds.
func TestLarge(t *testing.T) {
	const n, slots = 20_000, 100
	for _, length := range []int{1, 20} {
		r := random(uint64(length))
		jobs := make([]malleable.Job, n)
		for j := range jobs {
			jobs[j] = malleable.Job{Work: math.Exp(4 * r.NormFloat64()), Max: r.IntN(slots)}
		}
		var lengths []int
		for range n / length {
			lengths = append(lengths, length)
		}
		g, err := precedence.Chains(lengths...)
		if err != nil {
			t.Fatal(err)
		}
		priority := g.Topological(nil)
		s, err := malleable.Pack(slots, jobs, g, priority)
		if err != nil {
			t.Fatal(err)
		}
		if err := malleable.Verify(slots, jobs, g, s); err != nil {
			t.Errorf("chains of %d: %v", length, err)
		}
		limits, err := malleable.Bounds(slots, jobs, g, priority)
		if err != nil {
			t.Fatal(err)
		}
		for j, c := range s.Completion(nil) {
			if c > limits.Latest[j]*(1+1e-9) {
				t.Fatalf("chains of %d: job %d completes at %v, after %v", length, j, c, limits.Latest[j])
			}
		}
	}
}

// FuzzPack reads a small problem from bytes: packing ends, and what it makes is a schedule.
func FuzzPack(f *testing.F) {
	f.Add(uint8(3), []byte{4, 0, 1, 5, 1, 2, 0, 0, 0}, uint64(3))
	f.Add(uint8(1), []byte{}, uint64(0))
	f.Add(uint8(200), []byte{255, 255, 255, 1, 2, 3}, uint64(1))
	f.Fuzz(func(t *testing.T, slots uint8, data []byte, arcBits uint64) {
		var jobs []malleable.Job
		for i := 0; i+3 <= len(data) && len(jobs) < 40; i += 3 {
			jobs = append(jobs, malleable.Job{Work: float64(data[i]) / 7, Min: int(data[i+1]) % 8, Max: int(data[i+2])})
		}
		var arcs [][2]int
		for i := range jobs {
			for j := range i {
				if arcBits>>((i*7+j*3)%64)&1 == 1 {
					arcs = append(arcs, [2]int{j, i})
				}
			}
		}
		g, err := precedence.NewGraph(len(jobs), arcs)
		if err != nil {
			t.Fatal(err)
		}
		priority := g.Topological(nil)
		slices.Reverse(priority)
		s, err := malleable.Pack(int(slots), jobs, g, priority)
		if err != nil {
			return
		}
		if err := malleable.Verify(int(slots), jobs, g, s); err != nil {
			t.Errorf("Pack(%d, %v, %v) fails Verify: %v", slots, jobs, arcs, err)
		}
	})
}
