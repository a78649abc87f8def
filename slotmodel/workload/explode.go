package workload

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
)

// Slowstart is the fraction of a job's maps that must have ended before its reduces may start, in
// HFSP's experiments and in the jobs of this package.
const Slowstart = 0.95

// ExplodeOptions says how Explode makes tasks of bytes. The zero value is HFSP's cluster at a load
// of .9.
type ExplodeOptions struct {
	Block  float64 // bytes of input per map; 0: 128 MiB
	Bucket float64 // bytes of shuffle per reduce; 0: 1 GiB

	MapSlots    int     // slots that the work of all maps is for; 0: 72
	ReduceSlots int     // and of all reduces; 0: 36
	MapLoad     float64 // work offered per map slot and second until the latest Submit; 0: .9
	ReduceLoad  float64 // likewise for reduces; 0: .9
	// DN is the aggregate bandwidth of disks over that of the network, as in Sizes: it adds the
	// shuffle's time on the network to the work of reduces. 0 leaves it to the slot model's network.
	DN float64

	MaxTasks int // how many tasks all jobs may have together; 0: 2^24
}

// Explode appends the jobs of a SWIM trace to dst as jobs of the slot model, with tasks:
//
//	maps(j)    = max(1, ceil(MapInput / Block))
//	reduces(j) = ceil(Shuffle / Bucket)                      0 for a job without shuffle
//	work of each map    = (MapInput + Output if there are no reduces) / maps(j) / map rate
//	work of each reduce = ((1 + DN) Shuffle + Output) / reduces(j) / reduce rate
//	rate of a kind      = all its bytes / (load * slots * latest Submit)
//
// in seconds on a node of speed 1, so that the works of a kind add up to the load. Jobs also get
// their bytes, Slowstart .95, and no replicas: see Placer.
//
// Errors: more than MaxTasks tasks; works that cannot be brought to the load within float64.
func Explode(dst []slotmodel.JobSpec, jobs []joblog.SWIMJob, o ExplodeOptions) ([]slotmodel.JobSpec, error) {
	g := guard{fn: "Explode"}
	o.complete(&g)
	if g.err != nil {
		return dst, g.err
	}
	out := slices.Grow(dst, len(jobs))
	var mapBytes, reduceBytes, tasks, last float64
	for i := range jobs {
		j := &jobs[i]
		maps, reduces := max(1, math.Ceil(j.MapInput/o.Block)), math.Ceil(j.Shuffle/o.Bucket)
		g.elem("jobs", i, bytesFault(j))
		if tasks += maps + reduces; tasks > float64(o.MaxTasks) {
			g.elem("jobs", i, "brings the tasks of all jobs to "+string(appendNumber(nil, tasks))+", more than MaxTasks = "+strconv.Itoa(o.MaxTasks)+": a run takes 5 bytes for each, and some 400 for each that runs")
		}
		if g.err != nil {
			return dst, g.err
		}
		m, r := j.MapInput+j.Output, 0.0
		if reduces > 0 {
			m, r = j.MapInput, float64((1+o.DN)*j.Shuffle)+j.Output
		}
		mapBytes, reduceBytes, last = mapBytes+m, reduceBytes+r, max(last, j.Submit)
		out = append(out, slotmodel.JobSpec{
			Arrival:   j.Submit,
			Maps:      slotmodel.Phase{Tasks: int(maps), Work: m / maps}, // bytes as yet
			Reduces:   slotmodel.Phase{Tasks: int(reduces), Work: r / max(1, reduces)},
			Slowstart: Slowstart,
			Input:     j.MapInput,
			Shuffle:   j.Shuffle,
			Output:    j.Output,
		})
	}
	rates := [...]float64{
		g.rate("map", mapBytes, float64(float64(o.MapSlots)*o.MapLoad)*last),
		g.rate("reduce", reduceBytes, float64(float64(o.ReduceSlots)*o.ReduceLoad)*last),
	}
	for i := len(dst); i < len(out) && g.err == nil; i++ {
		for k, p := range [...]*slotmodel.Phase{&out[i].Maps, &out[i].Reduces} {
			if p.Work > 0 {
				p.Work /= rates[k]
			}
			if !(p.Work <= math.MaxFloat64) {
				g.elem("jobs", i-len(dst), "has tasks whose work is beyond float64")
			}
		}
	}
	if g.err != nil {
		return dst, g.err
	}
	return out, nil
}

// rate is the bytes per second and task of a kind with which so many bytes take so many seconds
// of slots; 0 without bytes.
func (g *guard) rate(kind string, bytes, seconds float64) float64 {
	rate := bytes / seconds
	switch {
	case bytes == 0:
		return 0
	case notPositive(rate) != "":
		g.arg("jobs", "the "+text(bytes)+" bytes of "+kind+" tasks over "+text(seconds)+" s of slots are no rate within float64")
	}
	return rate
}

// complete fills in what is zero and faults what is out of its range.
func (o *ExplodeOptions) complete(g *guard) {
	o.Block, o.Bucket = cmp.Or(o.Block, 128<<20), cmp.Or(o.Bucket, 1<<30)
	o.MapSlots, o.ReduceSlots = cmp.Or(o.MapSlots, 72), cmp.Or(o.ReduceSlots, 36)
	o.MapLoad, o.ReduceLoad = cmp.Or(o.MapLoad, 0.9), cmp.Or(o.ReduceLoad, 0.9)
	o.MaxTasks = cmp.Or(o.MaxTasks, defaultTasks)
	notCount := func(n, most int) string {
		if n >= 1 && n <= most {
			return ""
		}
		return strconv.Itoa(n) + ", want 0 to " + strconv.Itoa(most)
	}
	for _, f := range [...]struct{ name, reason string }{
		{"Block", notPositive(o.Block)}, {"Bucket", notPositive(o.Bucket)},
		{"MapLoad", notPositive(o.MapLoad)}, {"ReduceLoad", notPositive(o.ReduceLoad)},
		{"DN", notAmount(o.DN)}, {"MaxTasks", notCount(o.MaxTasks, maxTasks)},
		{"MapSlots", notCount(o.MapSlots, maxDraws)}, {"ReduceSlots", notCount(o.ReduceSlots, maxDraws)},
	} {
		if f.reason != "" {
			g.arg("o", f.name+" is "+f.reason)
		}
	}
}
