package shuffle

import "github.com/schedmath/schedmath/internal/input"

// Ratio is a running estimate of the bytes that a job shuffles for each byte of input, from its
// finished maps [SW 3.1]. The zero value is ready. A job can start with a copy of the Ratio of
// earlier jobs of its type.
type Ratio struct {
	Input  float64 `json:"input"`  // bytes that the maps have read
	Output float64 `json:"output"` // bytes that they have written to be shuffled
}

// Add counts a finished map that has read input bytes and written output bytes. input is 0 or in
// [2^-200, 2^200], output in [0, 2^200].
//
// Errors: an argument out of range, or a sum that leaves [0, 2^200].
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
	if r.Input == 0 || !isInput(r.Input) || !isSize(r.Output) {
		return 1
	}
	return min(r.Output/r.Input, most)
}

// Heavy reports whether the job shuffles more bytes than it reads: Value() > 1.
func (r *Ratio) Heavy() bool { return r.Value() > 1 }
