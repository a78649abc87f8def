package workload

import (
	"math/bits"
	"math/rand/v2"
)

// Purpose says what the numbers of a Stream are for. Values from FirstFreePurpose on are the
// caller's own.
type Purpose uint8

// The purposes that programs of this module use. Their values are part of the contract: a figure
// drawn again draws the same.
const (
	Arrivals  Purpose = 1 // when jobs come
	JobSizes  Purpose = 2 // how large they are
	Errors    Purpose = 3 // how wrong their estimates are
	Placement Purpose = 5 // where tasks and blocks are put
	Tasks     Purpose = 6 // how a job's work falls into tasks
	Trace     Purpose = 7 // a whole synthetic trace, such as SyntheticFB2010

	FirstFreePurpose Purpose = 128
)

// Stream returns the random source for one purpose in one replication of an experiment, so that
// more numbers of one kind, or another policy, change no number of another kind. The same arguments
// give the same numbers on every machine; distinct triples have distinct states as long as seeds
// are below 2^56. The source is not safe for concurrent use.
func Stream(seed uint64, purpose Purpose, replication uint64) rand.Source {
	// The state is a bijective hash of (seed with its bits rotated, XORed with purpose; replication), so
	// that neighbouring triples have nothing in common.
	a := mix64(bits.RotateLeft64(seed, 8) ^ uint64(purpose))
	b := mix64(a + replication)
	return rand.NewPCG(mix64(a^b), b)
}

// mix64 is the output step of SplitMix64, behind its increment so that 0 is not a fixed point: a
// bijection in which each input bit changes each output bit with a chance close to one half.
func mix64(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
