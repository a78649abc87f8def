package program

import (
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// Parallel does n pieces of work on as many goroutines as GOMAXPROCS allows, each with a worker W
// of its own that keeps its memory from piece to piece. It returns the error of the first piece,
// by number, that has one.
func Parallel[W any](n int, work func(w *W, i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		all.Add(1)
		go func() {
			defer all.Done()
			w := new(W)
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = work(w, i)
			}
		}()
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Each does n pieces of work side by side, with their progress on w, and returns what they give;
// what says what is being done.
func Each[T any](w io.Writer, what string, n int, work func(i int) (T, error)) ([]T, error) {
	list := make([]T, n)
	bar := NewProgress(w, what, n)
	defer bar.Done()
	err := Parallel(n, func(_ *struct{}, i int) (err error) {
		defer bar.Add(1)
		list[i], err = work(i)
		return err
	})
	return list, err
}
