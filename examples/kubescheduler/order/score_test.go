package order_test

import (
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/examples/kubescheduler/order"
)

func TestFinish(t *testing.T) {
	for _, c := range []struct{ seconds, speed, here, elsewhere, bandwidth, want float64 }{
		{60, 1, 0, 0, 1e9, 60},
		{60, 2, 0, 0, 1e9, 30},
		{60, 1, 8e9, 0, 1e9, 60}, // all of its input is here
		{60, 1, 2e9, 6e9, 1e9, 66},
		{60, 2, 0, 8e9, 1e9, 38},
		{60, 1, 0, 8e9, math.Inf(1), 60},
	} {
		if got, err := order.Finish(c.seconds, c.speed, c.here, c.elsewhere, c.bandwidth); err != nil || math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("Finish(%v, %v, %v, %v, %v) = %v, %v, want %v", c.seconds, c.speed, c.here, c.elsewhere, c.bandwidth, got, err, c.want)
		}
	}
	if _, err := order.Finish(1, 0, 0, 0, 1); err == nil {
		t.Error("Finish accepts a node of speed 0")
	}
	if _, err := order.Finish(1, 1, -1, 0, 1); err == nil {
		t.Error("Finish accepts -1 bytes")
	}
}

func TestScores(t *testing.T) {
	for _, c := range []struct{ times, want []int64 }{
		{[]int64{60000, 66000, 120000}, []int64{100, 91, 50}},
		{[]int64{5}, []int64{100}},
		{[]int64{0, 0, 1}, []int64{100, 100, 0}},
		{nil, nil},
	} {
		got := slices.Clone(c.times)
		if order.Scores(got, 100); !slices.Equal(got, c.want) {
			t.Errorf("Scores(%v) = %v, want %v", c.times, got, c.want)
		}
	}
}
