package hfsp

import (
	"fmt"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/slotmodel"
)

// workloads says of SMALL and LARGE what loads them: the work of their maps and of their reduces
// over the slots for these until the last arrival, had nothing slowed it. Beside HFSP stands FIFO,
// which has no sizes.
func (m *macro) workloads() (numbers.Table, error) {
	t := numbers.Table{Columns: []string{"workload", "map load", "reduce load", "bottleneck", "jobs present under FAIR", "FAIR (s)", "HFSP/FAIR", "FIFO/FAIR", "HFSP/FAIR, 16 to 84% of the seeds", "seeds with FAIR's published mean", "HFSP/FAIR there", "FIFO/FAIR there"}}
	for kind, name := range workloadNames {
		var loads [2][]float64
		for rep := range m.seeds {
			jobs, err := m.pigmix(busy.mix(kind), judged.At(rep))
			if err != nil {
				return t, err
			}
			offered := offeredLoad(jobs)
			for k := range loads {
				loads[k] = append(loads[k], offered[k])
			}
		}
		bottleneck := "map slots"
		if numbers.Mean(loads[slotmodel.Reduce]) > numbers.Mean(loads[slotmodel.Map]) {
			bottleneck = "reduce slots"
		}
		bySeed := ratios(m.cells[kind][byHFSP], m.cells[kind][fair], sojournOf)
		t.Show(name, numbers.Fixed(numbers.Mean(loads[slotmodel.Map])), numbers.Fixed(numbers.Mean(loads[slotmodel.Reduce])), bottleneck,
			m.mean(kind, fair, loadOf).String(), m.mean(kind, fair, sojournOf).String(), m.over(kind, byHFSP, fair, sojournOf).String(),
			m.over(kind, byFIFO, fair, sojournOf).String(), numbers.Middle(bySeed, numbers.Fixed),
			fmt.Sprintf("%d of %d", len(m.given(kind, fair)), m.most[kind]), m.overGiven(kind, byHFSP).String(), m.overGiven(kind, byFIFO).String())
	}
	return t, nil
}

// offeredLoad is the work of jobs by kind, over what the slots for it can do from the first arrival
// to the last.
func offeredLoad(jobs []slotmodel.JobSpec) (loads [2]float64) {
	slots := [2]float64{slotmodel.Map: mapSlots, slotmodel.Reduce: reduceSlots}
	span := jobs[len(jobs)-1].Arrival - jobs[0].Arrival
	for _, j := range jobs {
		for k, p := range [2]slotmodel.Phase{slotmodel.Map: j.Maps, slotmodel.Reduce: j.Reduces} {
			for i := range p.Tasks {
				loads[k] += p.Of(i) / (slots[k] * span)
			}
		}
	}
	return loads
}
