package schedmath

import (
	"errors"
	"strconv"
)

// ErrInput is the sentinel of all bad input: errors.Is(err, ErrInput) holds for every *InputError
// and for every error type of this module that reports a defect of its input (a broken trace
// line, a corrupt snapshot).
var ErrInput = errors.New("schedmath: bad input")

// InputError reports one argument that a function cannot work with. The function that returns it
// has changed nothing: a dst is returned as it was given, an incremental type keeps its state.
type InputError struct {
	Func string // the function or method, with its package: "aging.MaxMin", "aging.Cluster.Add"
	Arg  string // parameter or receiver, as in the signature; for Check of a policy the setting
	// Index is the first offending element of Arg, a list or a struct that holds one (a snapshot's
	// jobs, an option's modes), or -1 where Arg as a whole is meant.
	Index  int
	Reason string // what is wrong and what is allowed, naming the field where Arg holds structs
}

// Error says function, argument, index and reason in one line: "aging.MaxMin: jobs[3]: Weight is
// NaN, want > 0".
func (e *InputError) Error() string {
	s := e.Func + ": " + e.Arg
	if e.Index >= 0 {
		s += "[" + strconv.Itoa(e.Index) + "]"
	}
	return s + ": " + e.Reason
}

// Unwrap returns ErrInput.
func (e *InputError) Unwrap() error { return ErrInput }
