package hfsp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
)

// A driver is one variant of LARGE that differs in what the paper does not publish: how long tasks
// take, and how many of them take orders of magnitude longer than the others.
type driver struct {
	long    bool // with the long tasks of Figure 4
	load    float64
	offered [2]float64        // work offered per slot in the long run
	ratio   []report.Interval // by driven: mean sojourn over FAIR's of the same seed
	mean    []report.Interval // by driven: mean sojourn
	gain    []float64         // by seed: HFSP's mean sojourn over FAIR's
}

// driven are the contenders that are tried on each variant, and on the jobs of Table II.
var driven = []string{"fair", "hfsp", "hfsp-true", "srpt", "alone"}

// Places in driven and supposed, beside fair and hfsp.
const (
	exact = 2 + iota
	shortest
	alone
)

// driverLoads are the loads on map slots that the variants offer in the long run.
var driverLoads = []float64{0.6, 0.8, 1, 1.3, 1.6}

// stretched is LARGE with all task times multiplied so that its maps offer a given load, with long
// tasks or without.
func stretched(long bool, load float64) (pigMix, [2]float64) {
	mix := largeMix()
	if !long {
		mix.maps.Long, mix.reduces.Long = 0, 0
	}
	was, _ := mix.offered(mapSlots, reduceSlots)
	for _, t := range []*taskTimes{&mix.maps, &mix.reduces} {
		t.Median *= load / was
		t.LongLow *= load / was
		t.LongPerGiB *= load / was
	}
	maps, reduces := mix.offered(mapSlots, reduceSlots)
	return mix, [2]float64{maps, reduces}
}

// longShares returns the shares of long tasks in the work of LARGE, of maps and of reduces.
func longShares() (maps, reduces float64) {
	mix := largeMix()
	allMaps, allReduces := mix.offered(mapSlots, reduceSlots)
	ordinary := mix
	ordinary.maps.Long, ordinary.reduces.Long = 0, 0
	otherMaps, otherReduces := ordinary.offered(mapSlots, reduceSlots)
	return 1 - (1-mix.maps.Long)*otherMaps/allMaps, 1 - (1-mix.reduces.Long)*otherReduces/allReduces
}

func (x *experiment) runDrivers(seeds int, bar *report.Progress) ([]driver, error) {
	var list []driver
	for _, long := range []bool{true, false} {
		for _, load := range driverLoads {
			list = append(list, driver{long: long, load: load})
		}
	}
	runs, err := playVariants(len(list), seeds, driven, func(i, rep int) ([]slotmodel.JobSpec, error) {
		mix, offered := stretched(list[i].long, list[i].load)
		if rep == 0 {
			list[i].offered = offered
		}
		return x.pigmix(mix, rep)
	}, func(_ int, name string, jobs []slotmodel.JobSpec) (outcome, error) {
		return play(x.cluster, jobs, &contenders[find(name)], nil)
	}, bar)
	for i := range list {
		list[i].mean, list[i].ratio = runs.means(i), runs.ratios(i)
		list[i].gain = ratios(runs[i][byHFSP], runs[i][fair], sojournOf)
	}
	return list, err
}

// variant returns the variant of a load, which must be there.
func (m *macro) variant(long bool, load float64) *driver {
	return &m.drivers[slices.IndexFunc(m.drivers, func(d driver) bool { return d.long == long && d.load == load })]
}

func (m *macro) figureDrivers() (report.Figure, error) {
	f := report.NewFigure("What decides how much HFSP gains on LARGE",
		fmt.Sprintf("Mean sojourn time relative to FAIR's on the same jobs when all task times are multiplied so that maps offer the load on the axis, %s; bars: 95%% "+
			"confidence. Top: with the long tasks of Figure 4, bottom: without. The paper publishes neither the load nor how long jobs' longest tasks take. "+
			"Each job alone on the cluster is what no scheduler can get below; where that is near 1 little is left to gain.", report.Count(m.seeds, "seed")),
		"long_tasks", "map_load", "reduce_load", "policy", "seeds", "mean_sojourn_s", "mean_ci95", "ratio_to_fair", "ratio_ci95")
	f.Shown.Columns = []string{"long tasks", "load", "HFSP/FAIR", "true sizes", "SRPT", "alone"}
	charts := []*draw.Chart{m.driverChart(true), m.driverChart(false)}
	for i := range m.drivers {
		d := &m.drivers[i]
		word := map[bool]string{true: "yes", false: "no"}[d.long]
		for k, name := range driven {
			f.Numbers.Add(word, d.offered[slotmodel.Map], d.offered[slotmodel.Reduce], name, m.seeds, d.mean[k].Mean, d.mean[k].Half, d.ratio[k].Mean, d.ratio[k].Half)
		}
		f.Shown.Show(word, report.Short(d.load), d.ratio[byHFSP].String(), d.ratio[exact].String(), d.ratio[shortest].String(), d.ratio[alone].String())
	}
	return f.Done(m.driverClaims(), "Two charts of the mean sojourn time relative to FAIR over the load. Without long tasks all size-based policies fall as the load grows; "+
		"with them they stay near what each job needs alone.", charts...)
}

// driverChart draws the variants with long tasks, or those without.
func (m *macro) driverChart(long bool) *draw.Chart {
	c := &draw.Chart{Height: 190, GridY: true}
	c.X = draw.Axis{Label: "load offered to map slots, without long tasks", Min: 0.5, Max: 1.7, Ticks: draw.TicksAt(driverLoads...)}
	if long {
		c.X.Label = "load offered to map slots, with long tasks"
	}
	c.Y = draw.Axis{Label: "mean sojourn / FAIR's", Min: 0, Max: 1.2}
	lines := []draw.Series{draw.Look(0, "HFSP"), draw.Look(1, "HFSP, true sizes"), draw.Look(2, "SRPT, true sizes"), draw.Look(3, "each job alone")}
	for i := range m.drivers {
		d := &m.drivers[i]
		for k := range driven {
			if d.long != long {
				continue
			}
			c.Y.Max = max(c.Y.Max, d.ratio[k].Mean+0.1)
			if k != fair {
				s := &lines[k-1]
				s.X, s.Y, s.Spread = append(s.X, d.load+0.012*(float64(k)-2.5)), append(s.Y, d.ratio[k].Mean), append(s.Spread, d.ratio[k].Half) // side by side
			}
		}
	}
	c.Y.Ticks = draw.Ticks(0, c.Y.Max, 0.2)
	c.Level("", 1, draw.Stroke{Color: draw.Black, Width: 0.8})
	c.Series(lines)
	return c
}

func (m *macro) driverClaims() []report.Claim {
	low, high := m.variant(false, driverLoads[0]), m.variant(false, driverLoads[len(driverLoads)-1])
	var falling []report.Claim
	var steps []string
	for i, load := range driverLoads {
		d := m.variant(false, load)
		if i > 0 {
			falling = append(falling, report.Claim{}.Below(report.Ratio(d.gain, m.variant(false, driverLoads[i-1]).gain), 1))
		}
		steps = append(steps, report.Short(d.ratio[byHFSP].Mean))
	}
	longHigh := m.variant(true, driverLoads[len(driverLoads)-1]).ratio[byHFSP]
	return []report.Claim{
		all(report.Claim{Claim: "the advantage is more pronounced when the workload is large with respect to the cluster size", Published: "more pronounced",
			Model: "HFSP/FAIR " + strings.Join(steps, " / ") + " at increasing load, without long tasks", Relation: "from each load to the next the 95% interval of the ratio over that before is below 1",
			Note: fmt.Sprintf("from load %v to %v the ratio goes from %s to %s", low.load, high.load, low.ratio[byHFSP], high.ratio[byHFSP])}, falling...),
		report.Claim{Claim: "scheduling decisions become critical under high load, with long tasks too", Published: "critical",
			Model: fmt.Sprintf("HFSP/FAIR %s at load %v with long tasks", longHigh, high.load), Relation: "95% interval of the ratio below 1",
			Note: fmt.Sprintf("samples miss or overstate the long tasks: with true sizes the ratio is %s", m.variant(true, high.load).ratio[exact])}.Below(longHigh, 1),
	}
}
