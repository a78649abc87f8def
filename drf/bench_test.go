package drf_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath/drf"
)

func BenchmarkShares(b *testing.B) {
	for _, c := range []struct {
		name       string
		n, tenants int
		limited    bool
	}{{"flat", 1e4, 0, false}, {"flat limited", 1e4, 0, true}, {"tree", 1e4, 30, false}} {
		b.Run(fmt.Sprintf("%s/n=%d", c.name, c.n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			capacity := []float64{1e5, 4e5, 1e4, 1e6}
			users, parents := make([]drf.User, c.tenants), make([]int, c.tenants)
			for i := range parents {
				parents[i] = -1
			}
			for range c.n {
				u := drf.User{Demand: make([]float64, 4), Weight: 1 + r.Float64()}
				for k := range u.Demand {
					if r.IntN(4) > 0 {
						u.Demand[k] = r.ExpFloat64()
					}
				}
				if c.limited {
					u.Max = 10 * r.Float64()
				}
				users = append(users, u)
				if parents = append(parents, -1); c.tenants > 0 {
					parents[len(parents)-1] = r.IntN(c.tenants)
				}
			}
			dst := shares(b, capacity, users, parents)
			for b.Loop() {
				var err error
				if dst, err = drf.Shares(dst[:0], capacity, users, parents); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkNext(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	users, tasks := make([]drf.User, 1e4), make([]int, 1e4)
	for i := range users {
		users[i].Demand = []float64{r.Float64(), r.Float64(), r.Float64(), r.Float64()}
		tasks[i] = r.IntN(3)
	}
	b.Run("n=10000", func(b *testing.B) {
		for b.Loop() {
			if i, err := drf.Next([]float64{1e6, 1e6, 1e6, 1e6}, users, tasks); i < 0 || err != nil {
				b.Fatal(i, err)
			}
		}
	})
}
