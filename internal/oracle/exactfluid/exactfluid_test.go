package exactfluid_test

import (
	"math/big"
	"testing"

	"github.com/schedmath/schedmath/internal/oracle/exactfluid"
)

// jobs makes jobs of exact size from (arrival, size, cap), a cap of 0 being none.
func jobs(rows ...[3]int64) []exactfluid.Job {
	var out []exactfluid.Job
	for _, r := range rows {
		size := big.NewRat(r[1], 1)
		j := exactfluid.Job{Arrival: big.NewRat(r[0], 1), Size: size, Estimate: size, Weight: big.NewRat(1, 1)}
		if r[2] > 0 {
			j.Slots = big.NewRat(r[2], 1)
		}
		out = append(out, j)
	}
	return out
}

func check(t *testing.T, what string, got []*big.Rat, want ...string) {
	t.Helper()
	for i, w := range want {
		if got[i] == nil && w == "never" {
			continue
		}
		if got[i] == nil || got[i].RatString() != w {
			t.Errorf("%s: times are %v, want %v", what, got, want)
			return
		}
	}
}

// Figure 1 of the HFSP paper.
func TestFigure1(t *testing.T) {
	one := big.NewRat(1, 1)
	three := jobs([3]int64{0, 30}, [3]int64{10, 10}, [3]int64{15, 10})
	check(t, "ps", exactfluid.Run(one, nil, three, exactfluid.Config{Policy: exactfluid.PS}).Finish, "50", "75/2", "85/2")
	check(t, "srpt", exactfluid.Run(one, nil, three, exactfluid.Config{Policy: exactfluid.SRPT}).Finish, "50", "20", "30")
	fsp := exactfluid.Run(one, nil, three, exactfluid.Config{Policy: exactfluid.FSP})
	check(t, "fsp", fsp.Finish, "50", "20", "30")
	check(t, "fsp, virtually", fsp.Virtual, "50", "75/2", "85/2")
	check(t, "las", exactfluid.Run(one, nil, jobs([3]int64{0, 3}, [3]int64{1, 2}), exactfluid.Config{Policy: exactfluid.LAS}).Finish, "5", "4")
}

func TestNeverAndTurn(t *testing.T) {
	two := big.NewRat(2, 1)
	steps := []exactfluid.Step{{Time: big.NewRat(2, 1), Slots: new(big.Rat)}}
	list := jobs([3]int64{0, 2, 1}, [3]int64{0, 3, 1}, [3]int64{1, 0, 1})
	check(t, "fifo", exactfluid.Run(two, steps, list, exactfluid.Config{Policy: exactfluid.FIFO}).Finish, "2", "never", "1")
	check(t, "fifo by turn", exactfluid.Run(two, steps, list, exactfluid.Config{Policy: exactfluid.FIFO, Turn: true}).Finish, "2", "never", "never")
}
