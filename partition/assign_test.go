package partition_test

import (
	"testing"

	"github.com/schedmath/schedmath/partition"
)

var methods = []partition.Method{partition.DynamicShare, partition.LoadBalance, partition.Hash, partition.Multifit, partition.LocalSearch, partition.Best}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
