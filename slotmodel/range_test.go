package slotmodel_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
)

// finite checks that every number in a value is finite.
func finite(t *testing.T, what string, x any) {
	t.Helper()
	if path := infinite(reflect.ValueOf(x)); path != "" {
		t.Errorf("%s: %T%s", what, x, path)
	}
}

// infinite returns where in a value a number is NaN or infinite, and that number; "" when all are
// finite.
func infinite(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return infinite(v.Elem())
		}
	case reflect.Float64:
		if x := v.Float(); math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Sprint(" is ", x)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if path := infinite(v.Field(i)); path != "" {
				return "." + v.Type().Field(i).Name + path
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if path := infinite(v.Index(i)); path != "" {
				return fmt.Sprintf("[%d]%s", i, path)
			}
		}
	}
	return ""
}

// quantities lists the numbers of an input that may be anything in the range.
func quantities(c *slotmodel.Cluster, jobs []slotmodel.JobSpec, o *slotmodel.Options) []*float64 {
	n := &c.Network
	all := []*float64{&c.ResumeCost, &n.RackRead, &n.RemoteRead, &n.Shuffle, &n.Write, &n.Pair, &o.Until}
	for i := range c.Racks {
		all = append(all, &c.Racks[i].Egress, &c.Racks[i].Ingress)
	}
	for i := range c.Nodes {
		x := &c.Nodes[i]
		all = append(all, &x.Speed, &x.NIC, &x.Memory)
		if len(x.Down) > 0 { // the last ends last of all
			all = append(all, &x.Down[len(x.Down)-1].Until)
		}
	}
	for i := range jobs {
		s := &jobs[i]
		if s.After > 0 {
			all = append(all, &s.Think)
		}
		all = append(all, &s.Arrival, &s.Deadline, &s.Input, &s.Shuffle, &s.Output, &s.Walltime, &s.Requested, &s.Crash, &s.Cancel,
			&s.Maps.Work, &s.Reduces.Work, &s.Maps.Memory, &s.Reduces.Memory)
		for k := range s.Maps.Works {
			all = append(all, &s.Maps.Works[k])
		}
		for k := range s.Reduces.Works {
			all = append(all, &s.Reduces.Works[k])
		}
	}
	for i := range o.Entitlements {
		all = append(all, &o.Entitlements[i])
	}
	return all
}

// Whatever the magnitudes within the range, every number of a Result is finite.
func TestResultsAreFinite(t *testing.T) {
	sizes := []float64{least, 1e-60, 1e-12, .25, 1, 1e9, 1e18, 1e60, most}
	ran, cases := 0, 2000
	for seed := range uint64(cases) {
		r := rand.New(rand.NewPCG(seed, 83))
		x := anyFamily(r).draw(r)
		c, jobs, o := &x.cluster, x.jobs, slotmodel.Options{Entitlements: x.weight, Period: []float64{0, 0, least, 1e18, most}[r.IntN(5)]}
		for _, q := range quantities(c, jobs, &o) {
			if r.IntN(4) == 0 && *q <= math.MaxFloat64 {
				*q = sizes[r.IntN(len(sizes))]
			}
		}
		for i := range c.Nodes {
			for k := range c.Nodes[i].Slow {
				if r.IntN(4) == 0 {
					c.Nodes[i].Slow[k].Factor = 0x1p50
				}
			}
			if d := c.Nodes[i].Down; len(d) > 0 && d[len(d)-1].Until <= d[len(d)-1].From {
				d[len(d)-1].Until = most
			}
		}
		p := []slotmodel.Policy{fifo, fair, ticker{fifo, most}, &chaos{r: r, calm: 5}}[r.IntN(4)]
		what := fmt.Sprint("seed ", seed)
		within(t, what, func() {
			res, err := slotmodel.Run(c, jobs, p, o)
			if finite(t, what, res); err == nil {
				ran++
				for j, x := range res.Jobs {
					if o.Until == 0 && (x.Outcome == slotmodel.Unended || (x.Finish < 0) != (x.Outcome == slotmodel.Stuck)) {
						t.Errorf("%s: job %d: %+v", what, j, x)
					}
				}
			} else if errors.Is(err, schedmath.ErrInput) != (res == nil) { // a series that is too long, heartbeats that do not advance the clock
				t.Errorf("%s: Run = %v, %v", what, res, err)
			}
		})
	}
	if ran < cases/2 {
		t.Errorf("%d of %d cases ran to their end, want more", ran, cases)
	}
}

// Times and bytes in other units, by powers of two, give the same run in these units, exactly. So
// nothing depends on whether an amount is above or below 1, and tasks of a quarter of a second and
// single bytes count.
func TestScaling(t *testing.T) {
	for seed := range uint64(1000) {
		second, byte := []float64{0x1p-30, 0x1p-4, 0x1p-2, 0x1p20}[seed%4], []float64{0x1p-10, 0x1p-5, 1, 0x1p30}[seed/4%4]
		run := func(second, byte float64) (*slotmodel.Result, error) {
			r := rand.New(rand.NewPCG(seed, 89))
			f := anyFamily(r)
			x := f.draw(r)
			c, jobs, o := &x.cluster, x.jobs, slotmodel.Options{Period: x.period, Until: x.until, Entitlements: x.weight}
			p := []slotmodel.Policy{fifo, fair, ticker{fifo, second}, &chaos{r: rand.New(rand.NewPCG(seed, 1)), calm: 50 * second, unit: second}}[r.IntN(4)]
			n := &c.Network
			scale(second, &c.ResumeCost, &n.RackRead, &n.RemoteRead, &n.Shuffle, &n.Write, &o.Period, &o.Until)
			scale(byte/second, &n.Pair)
			for i := range c.Racks {
				scale(byte/second, &c.Racks[i].Egress, &c.Racks[i].Ingress)
			}
			for i := range c.Nodes {
				scale(byte/second, &c.Nodes[i].NIC)
				scale(byte, &c.Nodes[i].Memory)
				for d := range c.Nodes[i].Down {
					scale(second, &c.Nodes[i].Down[d].From, &c.Nodes[i].Down[d].Until)
				}
				for d := range c.Nodes[i].Slow {
					scale(second, &c.Nodes[i].Slow[d].From, &c.Nodes[i].Slow[d].Until)
				}
			}
			for i := range jobs {
				s := &jobs[i]
				scale(second, &s.Arrival, &s.Think, &s.Walltime, &s.Requested, &s.Crash, &s.Cancel)
				scale(byte, &s.Input, &s.Shuffle, &s.Output)
				for _, ph := range []*slotmodel.Phase{&s.Maps, &s.Reduces} {
					scale(second, &ph.Work)
					scale(byte, &ph.Memory)
					for k := range ph.Works {
						scale(second, &ph.Works[k])
					}
				}
			}
			return slotmodel.Run(c, jobs, p, o)
		}
		want, err1 := run(1, 1)
		got, err2 := run(second, byte)
		if err1 != nil || err2 != nil {
			t.Errorf("seed %d: %v and %v", seed, err1, err2)
			continue
		}
		inUnits(want, second, byte)
		for j := range got.Jobs { // these name bytes
			got.Jobs[j].Reason, want.Jobs[j].Reason = "", ""
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("seed %d, seconds of %v and bytes of %v (-want +got):\n%s", seed, second, byte, diff)
		}
	}
}

// scale multiplies numbers.
func scale(by float64, xs ...*float64) {
	for _, x := range xs {
		*x *= by
	}
}

// inUnits puts a result into other units.
func inUnits(r *slotmodel.Result, second, byte float64) {
	time := func(xs ...*float64) {
		for _, x := range xs {
			if *x != -1 {
				*x *= second
			}
		}
	}
	moved := func(bs ...*slotmodel.Bytes) {
		for _, b := range bs {
			scale(byte, &b.Read, &b.Shuffle, &b.Output)
		}
	}
	for j := range r.Jobs {
		x := &r.Jobs[j]
		time(&x.Arrival, &x.Start, &x.MapEnd, &x.Finish, &x.Wasted)
		moved(&x.CrossRack, &x.InRack)
	}
	for u := range r.Users {
		x := &r.Users[u]
		time(&x.SlotSeconds[0], &x.SlotSeconds[1], &x.Entitled)
	}
	for i := range r.Series {
		x := &r.Series[i]
		time(&x.Time)
		for rack := range x.Egress {
			scale(byte/second, &x.Egress[rack], &x.Ingress[rack])
		}
	}
	time(&r.Totals.Work, &r.Totals.Wasted, &r.Totals.Overhead, &r.Totals.Load, &r.End)
	moved(&r.Totals.CrossRack)
}
