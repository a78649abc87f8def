package partition_test

import (
	"flag"
	"math"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/partition"
)

// cases is how many instances of up to 2e6 assignments are compared with enumeration; 0: fewer and
// smaller ones.
var cases = flag.Int("cases", 0, "instances of up to 2e6 assignments to enumerate")

var (
	inf = math.Inf(1)
	nan = math.NaN()
)

var methods = []partition.Method{partition.DynamicShare, partition.LoadBalance, partition.Hash, partition.Multifit, partition.LocalSearch, partition.Best}

var must = expect.Must
