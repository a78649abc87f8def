package workload

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/slotmodel"
)

// Slowstart is the fraction of a job's maps that must have ended before its reduces may start, in HFSP's experiments and in the
// jobs of this package.
const Slowstart = 0.95

// ExplodeOptions says how Explode makes tasks of bytes. The zero value is HFSP's cluster at a load of .9.
type ExplodeOptions struct {
	Block  float64 // bytes of input per map; 0: 128 MiB
	Bucket float64 // bytes of shuffle per reduce; 0: 1 GiB

	MapSlots    int     // slots that the work of all maps is for; 0: 72
	ReduceSlots int     // and of all reduces; 0: 36
	MapLoad     float64 // work offered per map slot and second; 0: .9
	ReduceLoad  float64 // likewise for reduces; 0: .9
	Span        float64 // seconds over which it is offered; 0: the latest Submit
	// MapRate and ReduceRate are the bytes per second of a task. A positive one takes the place of slots, load and span of its
	// kind; 0: from those.
	MapRate, ReduceRate float64
	// DN is the aggregate bandwidth of disks over that of the network, >= 0, as in Sizes: it adds the shuffle's time on the network to
	// the work of reduces. 0 leaves it to the slot model's network.
	DN float64

	Users int     // number of users; 0: all jobs are user 0's
	Alpha float64 // user u is picked with probability proportional to (u+1)^-Alpha; 0: all alike
}

// Explosion says what became of a trace.
type Explosion struct {
	Maps, Reduces       int64   // tasks of all jobs
	MapRate, ReduceRate float64 // bytes per second and task; 0: there were no bytes of this kind
}

// Explode appends the jobs of a SWIM trace to dst as jobs of the slot model, with tasks:
//
//	maps(j)    = max(1, ceil(MapInput / Block))
//	reduces(j) = ceil(Shuffle / Bucket)                      0 for a job without shuffle
//	work of each map    = (MapInput + Output if there are no reduces) / maps(j) / map rate
//	work of each reduce = ((1 + DN) Shuffle + Output) / reduces(j) / reduce rate
//	rate of a kind      = all its bytes / (load * slots * span)
//
// in seconds on a node of speed 1, so that the works of a kind add up to load * slots * span unless a rate is given. The bytes are
// HFSP's (see Sizes), split between the phases. The tasks of a phase are equal, in a Phase without Works: a job costs some 200
// bytes however many tasks it has. Jobs also get their bytes, for the network, Slowstart .95, and no replicas: see Placer.
//
// The FB-2010 trace gives 8,084,865 maps and 422,115 reduces, FB-2009_0 205,713 and 21,895.
//
// src picks users, one Uint64 a job, and may be nil if Users <= 1; Stream's purpose for it is Weights. With both rates given no job
// depends on another: a trace too long for memory may then be exploded one job at a time, with the same src.
//
// The cost is O(len(jobs)), and O(log Users) a job. No jobs give none. An option out of its range, a job whose bytes or Submit are
// negative or not finite, more than 2^29-1 tasks in all, a work beyond float64, and the jobs as a whole if their
// works cannot be brought to the load (there are bytes of a kind but no span, or their sum is beyond float64) are
// *schedmath.InputErrors.
func Explode(dst []slotmodel.JobSpec, jobs []SWIMJob, o ExplodeOptions, src rand.Source) ([]slotmodel.JobSpec, Explosion, error) {
	g := guard{fn: "Explode"}
	o = o.defaults()
	o.check(&g)
	if o.Users > 1 {
		g.source(src)
	}
	if g.err != nil {
		return dst, Explosion{}, g.err
	}
	sum, span := o.measure(&g, jobs)
	if o.Span > 0 {
		span = o.Span
	}
	x := Explosion{MapRate: o.MapRate, ReduceRate: o.ReduceRate}
	if x.MapRate == 0 {
		x.MapRate = g.rate("map", sum[slotmodel.Map], float64(float64(o.MapSlots)*o.MapLoad)*span)
	}
	if x.ReduceRate == 0 {
		x.ReduceRate = g.rate("reduce", sum[slotmodel.Reduce], float64(float64(o.ReduceSlots)*o.ReduceLoad)*span)
	}
	var users *Zipf
	if o.Users > 1 && g.err == nil {
		users, g.err = NewZipf(o.Users, o.Alpha)
	}
	if g.err != nil {
		return dst, Explosion{}, g.err
	}
	out, one := slices.Grow(dst, len(jobs)), make([]int, 0, 1)
	for i := range jobs {
		s := o.tasks(&jobs[i])
		bytes := o.work(&jobs[i], s.Reduces.Tasks > 0)
		s.Maps.Work = perTask(bytes[slotmodel.Map], s.Maps.Tasks, x.MapRate)
		s.Reduces.Work = perTask(bytes[slotmodel.Reduce], s.Reduces.Tasks, x.ReduceRate)
		if !(s.Maps.Work <= math.MaxFloat64 && s.Reduces.Work <= math.MaxFloat64) {
			g.elem("jobs", i, "has tasks whose work is beyond float64")
			return dst, Explosion{}, g.err
		}
		if users != nil {
			one, _ = users.Draw(one[:0], 1, src) // its arguments are good
			s.User = one[0]
		}
		x.Maps += int64(s.Maps.Tasks)
		x.Reduces += int64(s.Reduces.Tasks)
		out = append(out, s)
	}
	return out, x, nil
}

// tasks is a job without works; what measure has checked.
func (o *ExplodeOptions) tasks(j *SWIMJob) slotmodel.JobSpec {
	return slotmodel.JobSpec{
		Arrival:   j.Submit,
		Maps:      slotmodel.Phase{Tasks: int(max(1, math.Ceil(j.MapInput/o.Block)))},
		Reduces:   slotmodel.Phase{Tasks: int(math.Ceil(j.Shuffle / o.Bucket))},
		Slowstart: Slowstart,
		Input:     j.MapInput,
		Shuffle:   j.Shuffle,
		Output:    j.Output,
	}
}

// work is the bytes that a job's maps and reduces have to work on.
func (o *ExplodeOptions) work(j *SWIMJob, reduces bool) [2]float64 {
	if !reduces {
		return [2]float64{slotmodel.Map: j.MapInput + j.Output}
	}
	return [2]float64{slotmodel.Map: j.MapInput, slotmodel.Reduce: float64((1+o.DN)*j.Shuffle) + j.Output}
}

// perTask is the work of one of n tasks that work on so many bytes together. Without bytes it is 0, whatever the rate.
func perTask(bytes float64, n int, rate float64) float64 {
	if bytes == 0 {
		return 0
	}
	return bytes / float64(n) / rate
}

// measure returns the bytes of all jobs by kind and the latest Submit, and faults the first job that cannot be exploded.
func (o *ExplodeOptions) measure(g *guard, jobs []SWIMJob) (sum [2]float64, last float64) {
	tasks := 0.0
	for i := range jobs {
		j := &jobs[i]
		if reason := j.fault(); reason != "" {
			g.elem("jobs", i, reason)
			return sum, last
		}
		reduces := math.Ceil(j.Shuffle / o.Bucket)
		if tasks += max(1, math.Ceil(j.MapInput/o.Block)) + reduces; tasks > maxTasks {
			g.elem("jobs", i, "has more tasks than the "+strconv.Itoa(maxTasks)+" that all may have")
			return sum, last
		}
		for k, b := range o.work(j, reduces > 0) {
			sum[k] += b
		}
		last = max(last, j.Submit)
	}
	return sum, last
}

// rate is the bytes per second and task of a kind with which so many bytes take so many seconds of slots.
func (g *guard) rate(kind string, bytes, seconds float64) float64 {
	if bytes == 0 {
		return 0
	}
	rate := bytes / seconds
	if !(rate > 0 && rate <= math.MaxFloat64) {
		g.arg("jobs", "the "+text(bytes)+" bytes of "+kind+" tasks over "+text(seconds)+" s of slots are no rate within float64")
	}
	return rate
}

func (o ExplodeOptions) defaults() ExplodeOptions {
	for _, f := range [...]struct {
		value *float64
		zero  float64
	}{{&o.Block, 128 << 20}, {&o.Bucket, 1 << 30}, {&o.MapLoad, 0.9}, {&o.ReduceLoad, 0.9}} {
		if *f.value == 0 {
			*f.value = f.zero
		}
	}
	if o.MapSlots == 0 {
		o.MapSlots = 72
	}
	if o.ReduceSlots == 0 {
		o.ReduceSlots = 36
	}
	return o
}

func (o *ExplodeOptions) check(g *guard) {
	fault := func(name, reason string) {
		if reason != "" {
			g.arg("o", name+" is "+reason)
		}
	}
	fault("Block", notPositive(o.Block))
	fault("Bucket", notPositive(o.Bucket))
	fault("MapLoad", notPositive(o.MapLoad))
	fault("ReduceLoad", notPositive(o.ReduceLoad))
	fault("Span", notAmount(o.Span))
	fault("MapRate", notAmount(o.MapRate))
	fault("ReduceRate", notAmount(o.ReduceRate))
	fault("DN", notAmount(o.DN))
	fault("Alpha", notAmount(o.Alpha))
	for _, f := range [...]struct {
		name  string
		value int
		least int
	}{{"MapSlots", o.MapSlots, 1}, {"ReduceSlots", o.ReduceSlots, 1}, {"Users", o.Users, 0}} {
		if f.value < f.least || f.value > maxDraws {
			fault(f.name, strconv.Itoa(f.value)+", want 0 to "+strconv.Itoa(maxDraws))
		}
	}
}
