package report

import (
	"context"

	"github.com/schedmath/schedmath/examples/internal/program"
)

// Names of package program that callers still use by this package's.
type (
	Interrupted = program.Interrupted
	Progress    = program.Progress
)

var (
	Usagef      = program.Usagef
	Exit        = program.Exit
	Parse       = program.Parse
	NewProgress = program.NewProgress
	OnInterrupt = program.OnInterrupt
)

func Await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	return program.Await(ctx, work)
}
