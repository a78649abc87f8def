package dynamicshare

import (
	"fmt"
	"slices"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/slotmodel"
)

// offered is the work of the jobs by kind, over what the slots for it can do in the mean gaps of as
// many jobs.
func (b *batch) offered(gap float64) (loads [2]float64) {
	workers := [2]float64{slotmodel.Map: maps, slotmodel.Reduce: reduces}
	for _, s := range b.specs {
		for k, works := range [2][]float64{slotmodel.Map: s.Maps.Works, slotmodel.Reduce: s.Reduces.Works} {
			for i, work := range works {
				loads[k] += work / b.plant.nodes[k*maps+i].Speed / (workers[k] * gap * float64(len(b.specs)))
			}
		}
	}
	return loads
}

// workloads says what loads the slots in Figure 5 and in the figure joined, and what FIFO misses,
// which has neither sizes nor deadlines. Partitions make the reduces on some workers longer than
// those on others.
func (s *study) workloads(deadlines deadlineStudy, joined []joint) numbers.Table {
	t := numbers.Table{Columns: []string{"workload", "jobs", "map load", "reduce load", "bottleneck", "FIFO misses (%)", "LLF misses (%)", "LLF less FIFO, 16 to 84% of the seeds (points)", "seeds"}}
	row := func(name string, jobs int, load func(k slotmodel.Kind) float64, fifo, llf []float64) {
		whole := func(x float64) string { return fmt.Sprintf("%.0f", x) }
		t.Show(name, jobs, numbers.Fixed(load(slotmodel.Map)), numbers.Fixed(load(slotmodel.Reduce)), "slow workers, and those of large partitions", numbers.Over(fifo).String(), numbers.Over(llf).String(),
			numbers.Middle(numbers.Differences(llf, fifo), whole), len(fifo))
	}
	for m, mix := range mixes {
		for _, n := range []int{3, 6, 10} {
			i := slices.Index(concurrent[:], n)
			row("Figure 5, "+mix.name, n, func(k slotmodel.Kind) float64 {
				return numbers.Across(deadlines, func(x *misses) float64 { return x.offered[m][i][k] }).Mean
			}, deadlines.of(m, i, fifoQueue), deadlines.of(m, i, llfJobQueue))
		}
	}
	row("joined, Twitter in a stream", s.inStream(), func(k slotmodel.Kind) float64 {
		return numbers.Across(joined, func(x *joint) float64 { return x.offered[k] }).Mean
	}, missedBy(joined, 0), missedBy(joined, joinNearest))
	t.Show("Figures 8 to 12", 1, "-", "-", "the heaviest partition, or the slowest machine", "-", "-", "-", s.n)
	return t
}
