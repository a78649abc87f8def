package drf_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/schedmath/schedmath/drf"
)

func TestPaper(t *testing.T) {
	cluster := []float64{9, 18}
	users := []drf.User{{Demand: []float64{1, 4}}, {Demand: []float64{3, 1}}}
	got, err := drf.Shares(nil, cluster, users, nil)
	fmt.Println(got, err)
	s := []drf.User{{Demand: []float64{0, 1}}, {}, {Demand: []float64{1, 0}}, {Demand: []float64{0, 1}}}
	fmt.Println(drf.Shares(nil, []float64{10, 10}, s, []int{-1, -1, 1, 1}))
	c, g := []float64{1, 0}, []float64{0, 1}
	b := []drf.User{{Demand: c}, {Demand: c}, {}, {Demand: g}, {Demand: c}, {Demand: g}}
	fmt.Println(drf.Shares(nil, []float64{30, 30}, b, []int{-1, -1, -1, -1, 2, 2}))
	_ = math.Inf
}
