package slotmodel_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
)

// hostile is a policy that waits, wakes, preempts and errs by numbers drawn in advance. It preempts
// and errs a limited number of times.
type hostile struct {
	b        *drawn
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
		x := v.Newest(slotmodel.Job(p.b.below(4)-1), slotmodel.Kind(p.b.below(2)))
		switch p.b.below(40) {
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
			a.Start(slotmodel.Job(p.b.below(9)-1), slotmodel.Kind(p.b.below(3)), slotmodel.Node(p.b.below(9)-1))
		case 8:
			a.StartGang(slotmodel.Job(p.b.below(3)), []slotmodel.Node{0, slotmodel.Node(p.b.below(4))})
		case 9, 10, 11:
			p.gang(v, a, slotmodel.Job(p.b.below(4)-1))
		case 12:
			a.Ride(slotmodel.Job(p.b.below(4)-1), slotmodel.Task(p.b.below(20)-1), x)
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

// drawn hands out the bytes of a fuzzed input; 0 when there are no more.
type drawn struct{ bytes []byte }

func (b *drawn) below(n int) int {
	if len(b.bytes) == 0 {
		return 0
	}
	x := int(b.bytes[0])
	b.bytes = b.bytes[1:]
	return x % n
}

// size draws a magnitude, most often an everyday one, sometimes one that is not allowed.
func (b *drawn) size() float64 {
	return []float64{0, 1, .25, 2, 3, 10, 0, 1, 120, .1, least, 1e-12, 1e9, 1e18, 1e60, most, 1e-300, math.MaxFloat64, -1, math.NaN(), math.Inf(1)}[b.below(21)]
}

// everyday draws one that is always allowed.
func (b *drawn) everyday() float64 { return []float64{0, 1, .25, 2, 3, 10}[b.below(6)] }

// memory draws bytes that do not add up exactly.
func (b *drawn) memory() float64 { return []float64{0, 1, .1, .3, .7, 2, 7.1}[b.below(7)] }

func (b *drawn) cluster() *slotmodel.Cluster {
	c := &slotmodel.Cluster{ResumeCost: b.everyday(), EarlyReduces: float64(b.below(5)) / 4}
	for range 1 + b.below(3) {
		n := slotmodel.NodeSpec{Rack: b.below(2), Maps: b.below(3), Reduces: b.below(2), Slots: b.below(2), Speed: b.everyday()}
		if b.below(3) == 0 {
			n.Memory = b.memory()
		}
		if b.below(3) == 0 {
			n.NIC = b.everyday()
		}
		if b.below(3) == 0 {
			from := b.everyday()
			n.Down = []slotmodel.Outage{{From: from, Until: from + 1 + b.everyday()}, {From: from + 20, Until: math.Inf(1)}}[:1+b.below(2)]
		}
		if b.below(3) == 0 {
			from := b.everyday()
			n.Slow = []slotmodel.Slowdown{{From: from, Until: from + 1 + b.everyday(), Factor: 1 + b.everyday()}}
		}
		c.Nodes = append(c.Nodes, n)
	}
	if c.Network.Fluid = b.below(2) == 0; c.Network.Fluid {
		c.Racks = []slotmodel.RackSpec{{Egress: b.everyday(), Ingress: b.everyday()}, {Egress: b.everyday(), Ingress: b.everyday()}}
	} else {
		c.Network = slotmodel.Network{RackRead: b.everyday(), RemoteRead: b.everyday(), Shuffle: b.everyday(), Write: b.everyday()}
	}
	return c
}

func (b *drawn) jobs(nodes int) []slotmodel.JobSpec {
	jobs := make([]slotmodel.JobSpec, 1+b.below(3))
	for i := range jobs {
		s := &jobs[i]
		*s = slotmodel.JobSpec{User: b.below(3), Arrival: b.everyday(), Slowstart: float64(b.below(5)) / 4, Input: b.everyday(), Shuffle: b.everyday(), Output: b.everyday()}
		s.Maps = slotmodel.Phase{Tasks: b.below(5), Work: b.everyday(), Memory: b.memory()}
		s.Reduces = slotmodel.Phase{Tasks: b.below(3), Work: b.everyday(), Memory: b.memory()}
		if b.below(2) == 0 {
			s.Rigid, s.Reduces.Tasks = true, 0
		}
		if b.below(3) > 0 {
			s.Dataset = 1
		}
		if b.below(4) == 0 {
			s.Walltime, s.Crash, s.Cancel = b.everyday(), b.everyday(), b.everyday()
		}
		if b.below(3) == 0 && s.Maps.Tasks > 0 {
			s.Copies = 1
			for range s.Maps.Tasks {
				s.Replicas = append(s.Replicas, int32(b.below(nodes+1)-1))
			}
		}
	}
	return jobs
}

// Whatever the input and the policy, Run ends. It returns a result or an InputError, and the
// numbers of a result are finite.
func FuzzRunHostile(f *testing.F) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 97))
		bytes := make([]byte, 150)
		for i := range bytes {
			bytes[i] = byte(r.Uint32())
		}
		f.Add(bytes)
	}
	f.Fuzz(func(t *testing.T, bytes []byte) {
		b := &drawn{bytes}
		c := b.cluster()
		jobs := b.jobs(len(c.Nodes))
		o := slotmodel.Options{Period: b.everyday(), Until: 0, Hash: b.below(2) == 0}
		p := &hostile{b: b, period: b.size(), wake: b.size(), idle: b.below(3) * 100, mischief: 20}
		if b.below(2) == 0 {
			p.period, p.wake = b.everyday()*1e-12, b.everyday()
		}
		all := quantities(c, jobs, &o)
		for range b.below(4) {
			*all[b.below(len(all))] = b.size()
		}
		watched(t, 30*time.Second, "Run", func() {
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
