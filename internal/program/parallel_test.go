package program_test

import (
	"errors"
	"runtime"
	"testing"

	"github.com/schedmath/schedmath/internal/program"
)

// TestParallel: every piece is done once, and the first error by number comes back, on any number
// of processors.
func TestParallel(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	bad := []error{errors.New("seventh"), errors.New("ninth")}
	for _, n := range []int{1, 4} {
		runtime.GOMAXPROCS(n)
		done := make([]int, 20)
		err := program.Parallel(len(done), func(_ *struct{}, i int) error {
			done[i]++
			switch i {
			case 7:
				return bad[0]
			case 9:
				return bad[1]
			}
			return nil
		})
		if err != bad[0] {
			t.Errorf("Parallel on %d processors = %v, want %v", n, err, bad[0])
		}
		for i, d := range done {
			if d != 1 {
				t.Errorf("piece %d was done %d times", i, d)
			}
		}
	}
}
