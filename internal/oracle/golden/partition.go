package golden

import "testing"

// Partition is one case of partition.json: partitions on machines whose cost of a total > 0 is
// Fixed + total / Speed, and the least makespan of all assignments, as a fraction.
type Partition struct {
	Sizes, Speed, Fixed []float64
	Optimum             string
}

// ReadPartition reads partition.json.
func ReadPartition(t testing.TB) []Partition {
	t.Helper()
	return readCases[Partition](t, "partition.json")
}
