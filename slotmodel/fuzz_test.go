package slotmodel_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/drawn"
	"github.com/schedmath/schedmath/slotmodel"
)

// hostile is a policy that waits, wakes, preempts and errs by numbers drawn in advance. It preempts
// and errs a limited number of times.
type hostile struct {
	b        *drawn.Bytes
	period   float64
	wake     float64
	idle     int // calls in which it starts nothing
	mischief int
	fault    string // what View told wrongly
}

func (p *hostile) Heartbeat() float64 { return p.period }

func (p *hostile) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if p.idle > 0 {
		p.idle--
	} else {
		fifo(v, a)
	}
	if p.mischief > 0 {
		p.mischief--
		x := v.Newest(slotmodel.Job(p.b.Below(4)-1), slotmodel.Kind(p.b.Below(2)))
		switch p.b.Below(40) {
		case 0, 1:
			if x != none {
				a.Kill(x)
			}
		case 2, 3:
			if v.CanSuspend(x) {
				a.Suspend(x)
			}
		case 4, 5, 6:
			if i := v.Attempt(x); i.Job != none && i.Suspended && v.Free(i.Kind, i.Node) > 0 {
				a.Resume(x)
			}
		case 7:
			a.Start(slotmodel.Job(p.b.Below(9)-1), slotmodel.Kind(p.b.Below(3)), slotmodel.Node(p.b.Below(9)-1))
		case 8:
			a.StartGang(slotmodel.Job(p.b.Below(3)), []slotmodel.Node{0, slotmodel.Node(p.b.Below(4))})
		case 9, 10, 11:
			p.gang(v, a, slotmodel.Job(p.b.Below(4)-1))
		case 12:
			a.Ride(slotmodel.Job(p.b.Below(4)-1), slotmodel.Task(p.b.Below(20)-1), x)
		case 13, 14, 15, 16, 17, 18:
			if v.Attempt(x).Start == v.Now() {
				board(v, a, x)
			}
		}
	}
	if at := v.Now() + p.wake; at > v.Now() && at <= math.MaxFloat64 {
		a.Wake(at)
	}
}

// gang starts a rigid job where View tells that it has room, from the node of the highest number
// on: such a start is allowed.
func (p *hostile) gang(v *slotmodel.View, a *slotmodel.Actions, j slotmodel.Job) {
	var nodes []slotmodel.Node
	for n := slotmodel.Node(v.Nodes()) - 1; n >= 0; n-- {
		for range v.Room(j, mapK, n) {
			nodes = append(nodes, n)
		}
	}
	s := v.Spec(j)
	if s == nil || !v.Runnable(j, mapK) || !s.Rigid || s.Maps.Tasks > len(nodes) || v.Count(j, mapK).Pending() < s.Maps.Tasks {
		return
	}
	if s.Maps.Tasks > v.Capacity(j, mapK) {
		p.fault = "a rigid job has room now and would have none on idle nodes"
	}
	if !a.StartGang(j, nodes[:s.Maps.Tasks]) {
		p.fault = "a rigid job does not start where it has room"
	}
}

// size is a magnitude, most often an everyday one, sometimes one that is not allowed.
func size(b *drawn.Bytes) float64 {
	return []float64{0, 1, .25, 2, 3, 10, 0, 1, 120, .1, least, 1e-12, 1e9, 1e18, 1e60, most, 1e-300, math.MaxFloat64, -1, math.NaN(), math.Inf(1)}[b.Below(21)]
}

// everyday is one that is always allowed.
func everyday(b *drawn.Bytes) float64 { return []float64{0, 1, .25, 2, 3, 10}[b.Below(6)] }

// Whatever the input and the policy, Run ends. It returns a result or an InputError, and the
// numbers of a result are finite.
func FuzzRunHostile(f *testing.F) {
	drawn.Seed(f, 30)
	f.Fuzz(func(t *testing.T, bytes []byte) {
		b := drawn.Bytes(bytes)
		r := rand.New(rand.NewPCG(uint64(b.Below(256)), uint64(b.Below(256))))
		family := anyFamily(r)
		family.wide = 0
		x := family.draw(r)
		c, jobs := &x.cluster, x.jobs
		o := slotmodel.Options{Period: everyday(&b), Until: 0, Hash: b.Below(2) == 0}
		p := &hostile{b: &b, period: size(&b), wake: size(&b), idle: b.Below(3) * 100, mischief: 10 * b.Below(3)}
		if b.Below(2) == 0 {
			p.period, p.wake = everyday(&b)*1e-12, everyday(&b)
		}
		all := quantities(c, jobs, &o)
		for range b.Below(4) {
			*all[b.Below(len(all))] = size(&b)
		}
		within(t, "Run", func() {
			res, err := slotmodel.Run(c, jobs, p, o)
			switch {
			case p.fault != "":
				t.Errorf("Run: %s; %v", p.fault, err)
			case errors.Is(err, schedmath.ErrInput):
				if res != nil {
					t.Errorf("Run = %v, %v, want no result", res, err)
				}
			case err != nil && !errors.Is(err, slotmodel.ErrPolicy):
				t.Errorf("Run = %v, want an InputError or an ErrPolicy", err)
			case res == nil:
				t.Errorf("Run = nil, %v, want a result", err)
			default:
				finite(t, "Run", res)
			}
		})
	})
}
