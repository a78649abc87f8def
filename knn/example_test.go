package knn_test

import (
	"encoding/json"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/schedmath/schedmath/knn"
)

// Tasks took 2 s a MB on this node, and half a second for every percent of cpu load.
func Example() {
	e, err := knn.New(2, knn.Options{Window: 1000, Alpha: 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 400 {
		mb, cpu := float64(i%20), float64(i*7%50)
		if err := e.Add([]float64{mb, cpu}, 2*mb+cpu/2); err != nil {
			fmt.Println(err)
		}
	}
	p, err := e.Predict([]float64{10, 25})
	fmt.Printf("%.0f s, %.0f to %.0f, outside %t, %v\n", p.Value, p.Low, p.High, p.Outside, err)
	p, err = e.Predict([]float64{200, 25})
	fmt.Printf("%.0f s, outside %t, %v\n", p.Value, p.Outside, err)
	// Output:
	// 33 s, 29 to 37, outside false, <nil>
	// 49 s, outside true, <nil>
}

// The neighbours of 2.5 are 2, 3 and, at distance R, 1: the first two count, equally.
func ExampleRegress() {
	x := mat.NewDense(4, 1, []float64{1, 2, 3, 9})
	p, err := knn.Regress(x, []float64{10, 20, 40, 80}, []float64{2.5}, 3)
	fmt.Printf("%.4g %v %d %v\n", p.Value, p.Radius, p.Neighbours, err)
	// Output: 30 1.5 2 <nil>
}

func ExampleNew() {
	e, err := knn.New(3, knn.Options{Scaling: knn.MinMax, Bandwidth: knn.NextNeighbour, K: knn.Fixed(5)})
	fmt.Println(e.Len(), err)
	_, err = knn.New(3, knn.Options{Alpha: 1})
	fmt.Println(err)
	// Output:
	// 0 <nil>
	// knn.New: o: Alpha is 1, want within [0, 1)
}

// A window of two forgets the first of three observations.
func ExampleEstimator_Add() {
	e, _ := knn.New(1, knn.Options{Window: 2})
	for i := range 3 {
		if err := e.Add([]float64{float64(i)}, 10*float64(i)); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(e.Len(), e.Snapshot().Y)
	// Output: 2 [10 20]
}

func observed(n int, o knn.Options) *knn.Estimator {
	e, _ := knn.New(1, o)
	for i := range n {
		if err := e.Add([]float64{float64(i)}, 2*float64(i)); err != nil {
			fmt.Println(err)
		}
	}
	return e
}

// Sizes up to 100 are known. With Extrapolate the answer for size 1,000 grows with it.
func ExampleEstimator_Predict() {
	for _, extrapolate := range []bool{false, true} {
		p, err := observed(101, knn.Options{Extrapolate: extrapolate}).Predict([]float64{1000})
		fmt.Printf("%.0f, outside %t, extrapolated %t, %v\n", p.Value, p.Outside, p.Extrapolated, err)
	}
	// Output:
	// 174, outside true, extrapolated false, <nil>
	// 2000, outside true, extrapolated true, <nil>
}

func ExampleEstimator_PredictAll() {
	all, err := observed(100, knn.Options{K: knn.Fixed(3)}).PredictAll(nil, mat.NewDense(2, 1, []float64{10, 20}))
	fmt.Printf("%.4g %.4g %v\n", all[0].Value, all[1].Value, err)
	// Output: 20 40 <nil>
}

// On a straight line only the ends are predicted with an error.
func ExampleEstimator_LeaveOneOut() {
	residuals, err := observed(5, knn.Options{K: knn.Fixed(2), Bandwidth: knn.NextNeighbour, Scaling: knn.Unscaled}).LeaveOneOut(nil)
	fmt.Printf("%.2f %v\n", residuals, err)
	// Output: [-2.77 0.00 0.00 0.00 2.77] <nil>
}

func ExampleEstimator_Len() {
	fmt.Println(observed(3, knn.Options{}).Len())
	// Output: 3
}

func ExampleRate() {
	fmt.Println(knn.Rate(1e4, 1), knn.Rate(1e4, 3), knn.Rate(1e4, 8))
	// Output: 1585 194 22
}

func ExamplePaper() {
	fmt.Println(knn.Paper(1e5, 3), knn.Paper(1e5+1, 3))
	// Output: 10000 10001
}

func ExampleFixed() {
	k := knn.Fixed(20)
	fmt.Println(k(1000, 3), k(1e6, 1))
	// Output: 20 20
}

func ExampleEstimator_Snapshot() {
	data, err := json.Marshal(observed(3, knn.Options{Window: 2}).Snapshot())
	fmt.Println(string(data), err)
	// Output: {"version":1,"dim":1,"added":3,"x":[1,2],"y":[2,4]} <nil>
}

func ExampleRestore() {
	e := observed(30, knn.Options{})
	r, err := knn.Restore(e.Snapshot(), knn.Options{})
	a, _ := e.Predict([]float64{7.3})
	b, _ := r.Predict([]float64{7.3})
	fmt.Println(a == b, err)
	// Output: true <nil>
}
