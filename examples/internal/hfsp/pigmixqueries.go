package hfsp

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// gib is what the experiments take for a GB of data.
const gib = 1 << 30

// blockBytes is HDFS's block, 128 MB: what one map reads.
const blockBytes = 128 << 20

// pigMixQuery is the shape of one query, in proportion to the dataset that it meets, of D bytes. A
// query is one MapReduce job:
//
//	input bytes   = Fraction * D             maps    = ceil(input / 128 MiB), at least 1
//	shuffle bytes = Shuffle * input          reduces = ceil(PerGiB * input / 1 GiB), 0 if PerGiB is 0
//	output bytes  = Output * input
type pigMixQuery struct {
	Name       string
	Fraction   float64 // of the dataset that is read, in (0, 1]
	MapTime    float64 // how long its maps take, relative to other queries, > 0
	PerGiB     float64 // reduces per GiB of input, >= 0; 0: a query without reduce phase
	ReduceTime float64 // how long its reduces take, relative to other queries, > 0
	Shuffle    float64 // bytes sent to reduces per byte read, >= 0; 0 without reduce phase
	Output     float64 // bytes written per byte read, >= 0
}

// pigMixQueries has what the benchmark's scripts L1 to L17 do to the big table; how much, and how
// long it takes, is a guess of a plausible size. About one reduce per GiB of input is what Pig
// takes when a script does not say.
var pigMixQueries = [17]pigMixQuery{
	{"L1", 0.30, 1.0, 1.0, 0.8, 0.10, 0.01},   // flatten, group
	{"L2", 0.24, 1.3, 0, 1, 0, 0.02},          // join with a small table in the maps
	{"L3", 0.36, 1.2, 1.2, 1.3, 0.30, 0.03},   // join, group
	{"L4", 0.27, 0.9, 0.8, 0.9, 0.12, 0.01},   // group, distinct inside groups
	{"L5", 0.33, 0.8, 0.8, 0.8, 0.15, 0.01},   // anti-join
	{"L6", 0.40, 1.1, 1.2, 1.2, 0.35, 0.20},   // group by many keys
	{"L7", 0.25, 0.8, 0.6, 0.7, 0.12, 0.01},   // group, filter inside groups
	{"L8", 0.28, 0.7, 0.01, 0.6, 0.005, 1e-6}, // group all: one reduce
	{"L9", 0.46, 0.9, 1.4, 1.5, 1.00, 1.00},   // order by one column
	{"L10", 0.45, 1.0, 1.4, 1.6, 1.00, 1.00},  // order by three columns
	{"L11", 0.38, 1.2, 0.5, 0.9, 0.06, 0.02},  // distinct, union
	{"L12", 0.43, 1.4, 1.0, 1.1, 0.40, 0.15},  // several outputs
	{"L13", 0.35, 1.0, 1.0, 1.2, 0.25, 0.10},  // outer join
	{"L14", 0.22, 1.1, 0, 1, 0, 0.05},         // merge join in the maps
	{"L15", 0.31, 1.3, 0.8, 1.0, 0.18, 0.01},  // several distincts
	{"L16", 0.19, 0.7, 0.6, 0.7, 0.10, 0.01},  // group, order inside groups
	{"L17", 0.42, 1.6, 1.5, 1.7, 1.10, 0.60},  // group by all columns of a wide table
}

// job is the query on a dataset of so many GiB, without times.
func (q *pigMixQuery) job(size float64) slotmodel.JobSpec {
	in := q.Fraction * size * gib
	return slotmodel.JobSpec{
		Maps:      slotmodel.Phase{Tasks: int(max(1, math.Ceil(in/blockBytes)))},
		Reduces:   slotmodel.Phase{Tasks: int(math.Ceil(q.PerGiB * in / gib))},
		Slowstart: workload.Slowstart,
		Input:     in,
		Shuffle:   q.Shuffle * in,
		Output:    q.Output * in,
	}
}
