package circumflex

import (
	"fmt"
	"io"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
)

// workloads says of the ends of Figure 5(a) in each reading what loads them: the work of the schemes
// over what the cluster can do until the last arrival. FLEX orders scans by size; beside it stands
// FIFO, the same plans by arrival. D is A there.
func (s *study) workloads(terminal io.Writer) (numbers.Table, error) {
	t := numbers.Table{Columns: []string{"workload", "ρ", "M", "map load: FLEX", "BATCH", "CIRCUMFLEX", "bottleneck", "FLEX (min)", "FIFO/FLEX", "CIRCUMFLEX/FLEX, 16 to 84% of the repetitions", "BATCH/FLEX", "repetitions"}}
	bar := program.NewProgress(terminal, "circumflex: repetitions by arrival", 3*len(steepEnds())*s.n)
	defer bar.Done()
	for i := range s.readings[:3] {
		r := &s.readings[i]
		o := r.settings
		o.fifo = true
		arrived, err := simulate(under(o, steepEnds()...), s.seed, s.n, []metric{averageResponse}, bar)
		if err != nil {
			return t, err
		}
		for end := range r.ends {
			c := &r.ends[end]
			response := values(c)[flex]
			row := []any{fmt.Sprintf("%s: perfectly %s correlation", r.Name, endNames[end]), numbers.Full(o.load), numbers.Full(float64(o.max*slots) / float64(o.slots))}
			for k := range schemes {
				row = append(row, numbers.Fixed(numbers.Mean(c.capacity[k])))
			}
			row = append(row, "map slots, the only resource", numbers.Over(response).String(), numbers.Ratio(values(&arrived[end])[flex], response[:s.n]).String())
			for _, k := range []scheme{circumflex, batch} {
				row = append(row, numbers.Middle(ratios(c)[k], numbers.Fixed))
			}
			t.Show(append(row, len(response))...)
		}
	}
	return t, nil
}
