package fluid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// The code for one server and the code for caps share little; without caps that bind they must
// agree on large inputs too.
func TestEnginesAgree(t *testing.T) {
	policies := []Policy{
		FIFO{}, FIFO{Turn: true}, PS{}, LAS{}, SRPT{}, SPT{},
		FSP{}, FSP{Late: LateFirst}, FSP{Late: LateLeastAttained}, FSP{Late: LateNext}, FSP{ByWork: true},
	}
	for _, n := range []int{10, 300, 700} {
		for _, span := range []float64{0, 0.5, 1.2} { // all at once, a backlog, a light load
			for _, integers := range []bool{true, false} {
				rng := rand.New(rand.NewPCG(uint64(n), uint64(10*span)))
				jobs := make([]Job, n)
				for i := range jobs {
					jobs[i] = Job{Arrival: span * float64(n) * rng.Float64(), Size: rng.ExpFloat64()}
					if integers {
						jobs[i] = Job{Arrival: float64(rng.IntN(1 + int(span*float64(n)))), Size: float64(rng.IntN(3))}
					}
					jobs[i].Estimate = jobs[i].Size
					if rng.IntN(3) == 0 {
						jobs[i].Estimate = float64(rng.IntN(4))
					}
				}
				for _, p := range policies {
					t.Run(fmt.Sprintf("n=%d/span=%v/integers=%v/%v", n, span, integers, p), func(t *testing.T) {
						var r Runner
						var one Result
						o := Options{Capacity: []Step{{Time: 3, Slots: 0}, {Time: 5, Slots: 1}}}
						if err := r.Run(&one, 1, jobs, p, o); err != nil {
							t.Fatal(err)
						}
						fsp, isFSP := p.(FSP)
						r.finish, r.sojourn, r.virtual = nil, nil, nil
						r.prepare(1, jobs, o, isFSP)
						if r.binds(1, o, fsp.ByWork) {
							t.Fatal("there are no caps, but they bind")
						}
						r.turn = p == FIFO{Turn: true}
						r.runCapped(p, 1, o.Capacity)
						for i := range jobs {
							if f := one.Finish[i]; !(math.Abs(f-r.finish[i]) <= 0x1p-51*f) {
								t.Fatalf("job %d finishes at %v as on a server, at %v as with caps", i, f, r.finish[i])
							}
							if !isFSP {
								continue
							}
							if v := one.Virtual[i]; !(math.Abs(v-r.virtual[i]) <= 0x1p-51*v) {
								t.Fatalf("job %d finishes virtually at %v as on a server, at %v as with caps", i, v, r.virtual[i])
							}
						}
					})
				}
			}
		}
	}
}

// Ties such as 1/3 + 1/3 = 2/3 survive rounding to 80 bits, and scaling by powers of two.
func TestSnap(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		a, b, d := float64(1+rng.IntN(50)), float64(1+rng.IntN(50)), float64(1+rng.IntN(50))
		x := ratio(a, d).add(ratio(b, d))
		y := ratio(a+b, d)
		if x.snap() != y.snap() {
			t.Errorf("%v/%v + %v/%v snaps to %v, %v/%v to %v", a, d, b, d, x.snap(), a+b, d, y.snap())
		}
		if by := x.snap().minus(x); !(math.Abs(by) <= 0x1p-79*x.hi) {
			t.Errorf("%v/%v + %v/%v snaps by %v, want at most a last place of 80 bits", a, d, b, d, by)
		}
		f := math.Ldexp(1, rng.IntN(400)-200)
		if s, z := x.snap(), (dd{x.hi * f, x.lo * f}).snap(); z != (dd{s.hi * f, s.lo * f}) {
			t.Errorf("%v times %v snaps to %v, want %v times as much", x, f, z, s)
		}
	}
}
