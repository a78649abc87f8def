package backfill_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// TestExtend: the increments of the paper one after the other, the limit, and odd arguments.
func TestExtend(t *testing.T) {
	const min, hour = 60., 3600.
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct{ planned, ran, limit, want float64 }{
		{600, 0, 0, 600},
		{600, 599, 0, 600},
		{600, 600, 0, 600 + 1*min},
		{600, 600 + 1*min, 0, 600 + 5*min},
		{600, 600 + 5*min, 0, 600 + 15*min},
		{600, 600 + 15*min, 0, 600 + 30*min},
		{600, 600 + 30*min, 0, 600 + 1*hour},
		{600, 600 + 1*hour, 0, 600 + 2*hour},
		{600, 600 + 2*hour, 0, 600 + 5*hour},
		{600, 600 + 5*hour, 0, 600 + 10*hour},
		{600, 600 + 10*hour, 0, 600 + 20*hour},
		{600, 600 + 20*hour, 0, 600 + 50*hour},
		{600, 600 + 50*hour, 0, 600 + 100*hour},
		{600, 600 + 100*hour, 0, inf},
		{600, 600 + 100*hour, 500 * hour, 500 * hour},
		{600, 620, 640, 640},
		{600, 0, 500, 500},
		{0, 0, 0, 1 * min},
		{nan, nan, nan, 1 * min},
		{-5, -5, -5, 1 * min},
		{inf, 5, 0, inf},
	} {
		if got := backfill.Extend(c.planned, c.ran, c.limit); got != c.want {
			t.Errorf("Extend(%v, %v, %v) = %v, want %v", c.planned, c.ran, c.limit, got, c.want)
		}
	}
}

func TestLastTwoRefuses(t *testing.T) {
	var l backfill.LastTwo[float64]
	expect.Refused(t, "backfill.LastTwo.Add", l.Add, func() any { return l },
		expect.Bad("key", -1, math.NaN(), 1), expect.Bad("ran", -1, 1, math.NaN()), expect.Bad("ran", -1, 1, -1), expect.Bad("ran", -1, 1, math.Inf(1)))
	l.Add(1, math.MaxFloat64)
	l.Add(1, math.MaxFloat64)
	if got, ok := l.Predict(1); got != math.MaxFloat64 || !ok {
		t.Errorf("Predict = %v, %v, want the largest number", got, ok)
	}
	if got, ok := l.Predict(math.NaN()); got != 0 || ok {
		t.Errorf("Predict(NaN) = %v, %v, want 0, false", got, ok)
	}
}

func ExampleLastTwo() {
	var users backfill.LastTwo[string]
	for _, seconds := range []float64{4000, 60, 100} {
		fmt.Println(users.Predict("ann"))
		users.Add("ann", seconds)
	}
	planned, _ := users.Predict("ann")
	fmt.Println(planned, "s; after 90 s", backfill.Extend(planned, 90, 3600), "s")
	// Output:
	// 0 false
	// 0 false
	// 2030 true
	// 80 s; after 90 s 140 s
}

func ExampleExtend() {
	fmt.Println(backfill.Extend(600, 10, 3600), backfill.Extend(600, 700, 3600), backfill.Extend(600, 3000, 3600))
	// Output: 600 900 3600
}
