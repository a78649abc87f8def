module github.com/schedmath/schedmath/examples/kubescheduler

go 1.26.0

require github.com/schedmath/schedmath v0.0.0

require gonum.org/v1/gonum v0.17.0 // indirect

replace github.com/schedmath/schedmath => ../..
