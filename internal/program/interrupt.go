package program

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
)

// Interrupted is the error of a run that an interrupt (SIGINT, Ctrl-C) has ended. Kept says what
// there is of it; "": nothing.
type Interrupted struct{ Kept string }

// Error says that the run was interrupted and what was kept.
func (e *Interrupted) Error() string {
	if e.Kept == "" {
		return "interrupted: nothing was kept"
	}
	return "interrupted: kept " + e.Kept
}

// OnInterrupt returns a context that ends with the first interrupt. After stop an interrupt ends
// the process.
func OnInterrupt() (ctx context.Context, stop func()) {
	interrupted.Store(false)
	return signal.NotifyContext(context.Background(), os.Interrupt)
}

// interrupted keeps progress bars from being drawn by work that nobody waits for any more.
var interrupted atomic.Bool

// Await does work and returns what it gives, or an *Interrupted as soon as ctx ends. Nobody waits
// for the work then; it ends with the process.
func Await[T any](ctx context.Context, work func() (T, error)) (value T, err error) {
	done := make(chan struct{})
	var v T
	var e error
	go func() {
		v, e = work()
		close(done)
	}()
	select {
	case <-done:
		return v, e
	case <-ctx.Done():
		interrupted.Store(true)
		return value, &Interrupted{}
	}
}
