package shuffle

import "github.com/schedmath/schedmath/internal/input"

// Ratio is a running estimate of the bytes that a job shuffles for each byte of input, from its
// finished maps. The zero value is ready: its value is 1 and the job is light until maps say
// otherwise [SW 3.1].
//
// A job can start with a copy of the Ratio of earlier jobs of its type. A Ratio that sums up no
// input, or holds sums that Add does not make, has the value 1.
type Ratio struct {
	Input  float64 // bytes that the maps have read
	Output float64 // bytes that they have written to be shuffled
}

// snapshotVersion grows with every change of what a Snapshot means.
const snapshotVersion = 1

// Snapshot is the state of a Ratio as plain data, fit for encoding/json.
type Snapshot struct {
	Version int     `json:"version"`
	Input   float64 `json:"input"`  // bytes that the maps have read
	Output  float64 `json:"output"` // bytes that they have written to be shuffled
}

// Snapshot returns the state of r, that of an empty Ratio if r is nil.
func (r *Ratio) Snapshot() Snapshot {
	s := Snapshot{Version: snapshotVersion}
	if r != nil {
		s.Input, s.Output = r.Input, r.Output
	}
	return s
}

// Restore returns the Ratio whose Snapshot is s. It goes on as the original would, bit for bit.
//
// Errors: an *schedmath.InputError for another version, or sums that Add does not make.
func Restore(s Snapshot) (*Ratio, error) {
	const fn = "shuffle.Restore"
	switch {
	case s.Version != snapshotVersion:
		return nil, input.Bad(fn, "s", -1, "Version is %d, want %d", s.Version, snapshotVersion)
	case !isInput(s.Input):
		return nil, input.Bad(fn, "s", -1, "Input is %v, want 0 or bytes in [2^-200, 2^200]", s.Input)
	case !isSize(s.Output):
		return nil, input.Bad(fn, "s", -1, "Output is %v, want bytes in [0, 2^200]", s.Output)
	}
	return &Ratio{Input: s.Input, Output: s.Output}, nil
}

// Add counts a finished map that has read input bytes and written output bytes. input is 0 or in
// [2^-200, 2^200], output in [0, 2^200].
//
// Errors: an *schedmath.InputError for an argument out of range, or a sum that leaves [0, 2^200].
func (r *Ratio) Add(input, output float64) error {
	if err := r.check(input, output); err != nil {
		return err
	}
	r.Input += input
	r.Output += output
	return nil
}

// check validates what Add takes.
func (r *Ratio) check(in, out float64) error {
	const fn = "shuffle.Ratio.Add"
	switch {
	case r == nil:
		return input.Bad(fn, "r", -1, "is nil")
	case !isInput(in) || !isSize(r.Input+in):
		return input.Bad(fn, "input", -1, "%v after %v, want 0 or bytes in [2^-200, 2^200], and so the sum", in, r.Input)
	case !isSize(out) || !isSize(r.Output+out):
		return input.Bad(fn, "output", -1, "%v after %v, want bytes in [0, 2^200], and so the sum", out, r.Output)
	}
	return nil
}

func isInput(x float64) bool { return x == 0 || x >= 1/most && x <= most }

// Value returns the ratio, in [0, 2^200]: bytes to be shuffled over bytes read, 1 before any were
// read.
func (r *Ratio) Value() float64 {
	if r == nil || r.Input == 0 || !isInput(r.Input) || !isSize(r.Output) {
		return 1
	}
	return min(r.Output/r.Input, most)
}

// Heavy reports whether the job shuffles more bytes than it reads: Value() > 1.
func (r *Ratio) Heavy() bool { return r.Value() > 1 }
