package partition

// What Plan.Why may say.
const (
	Earliest = earliest
	Late     = late
	Lightest = lightest
	Hashed   = hashed
	Fitted   = fitted
	Kept     = kept
	Moved    = moved
	Swapped  = swapped
	Spread   = spread
	Searched = searched
)

// Partitions returns the number of partitions of each row.
func (s *Sketch) Partitions() int { return s.partitions }

// Seed returns the seed of the hash functions.
func (s *Sketch) Seed() uint64 { return s.seed }
