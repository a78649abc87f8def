package slotmodel_test

import (
	"math"

	"github.com/schedmath/schedmath/slotmodel"
)

// agree compares what a run returned with the accounts that its log gives, after the last event.
func (p *replay) agree(res *slotmodel.Result) {
	if p.hit != none {
		p.afterLoss()
	}
	p.pass(res.End)
	p.check(p.events == res.Events, "%d events in the log, Result.Events = %d", p.events, res.Events)
	for j := range p.state {
		s, r := &p.state[j], &res.Jobs[j]
		want := slotmodel.JobResult{Outcome: s.outcome, Arrival: p.due(slotmodel.Job(j)), Start: s.start, MapEnd: s.mapEnd, Finish: s.finish, Wasted: r.Wasted, CrossRack: r.CrossRack, InRack: r.InRack}
		if r.Outcome == slotmodel.Stuck {
			p.check(s.outcome == slotmodel.Unended && (s.present || p.due(slotmodel.Job(j)) < 0) && r.Reason != "", "job %d is stuck, present %v, its outcome %v, reason %q", j, s.present, s.outcome, r.Reason)
			want.Outcome, want.Reason = slotmodel.Stuck, r.Reason
		}
		p.check(*r == want && near(r.Wasted, s.wasted, s.wasted), "Jobs[%d] = %+v, the log says %+v, wasted %v", j, *r, want, s.wasted)
	}
	p.totals(res)
	sum, active := 0.0, 0.0
	for u := range p.users {
		x, r := &p.users[u], &res.Users[u]
		for k := range 2 {
			p.check(near(r.SlotSeconds[k], x.held[k], x.held[k]), "Users[%d].SlotSeconds[%d] = %v, the log says %v", u, k, r.SlotSeconds[k], x.held[k])
		}
		// The clock of entitlements runs on from the start of the run, so its rounding is of
		// the size of its value.
		p.check(near(r.Entitled, x.entitled, p.now+x.entitled), "Users[%d].Entitled = %v, the log says %v", u, r.Entitled, x.entitled)
		sum += r.Entitled
		active += r.SlotSeconds[0] + r.SlotSeconds[1]
	}
	p.check(near(sum, p.busy, p.now), "the users are entitled to %v s in sum, somebody was present for %v", sum, p.busy)
	for u := range res.Users {
		share := 0.0
		if active > 0 {
			share = (res.Users[u].SlotSeconds[0] + res.Users[u].SlotSeconds[1]) / active
		}
		p.check(near(res.Users[u].Share, share, 1), "Users[%d].Share = %v, want %v", u, res.Users[u].Share, share)
	}
	p.series(res)
	for n := range p.nodes {
		for i, o := range p.c.Nodes[n].Down {
			p.check(o.From >= res.End || p.nodes[n].faults > 2*i, "node %d was to be lost at %v, the run ended at %v", n, o.From, res.End)
		}
	}
}

// due returns when a job arrives, -1 while the job before it has not ended.
func (p *replay) due(j slotmodel.Job) float64 {
	s := &p.jobs[j]
	if s.After == 0 {
		return s.Arrival
	}
	if before := &p.state[s.After-1]; before.outcome != slotmodel.Unended {
		return math.Max(s.Arrival, before.finish+s.Think)
	}
	return -1
}

func (p *replay) totals(res *slotmodel.Result) {
	t := &res.Totals
	under, unsure := 0.0, false
	for _, x := range p.live {
		if p.c.Network.Fluid && !x.computes { // the log does not tell a transfer from work that began at once
			unsure = true
			continue
		}
		p.reach(x)
		under += p.workOf(x.task) - x.left
	}
	p.check(unsure || near(t.Work, p.work+under, p.work+under), "Totals.Work = %v, the log says %v + %v under way", t.Work, p.work, under)
	p.check(near(t.Wasted, p.wasted, p.wasted), "Totals.Wasted = %v, the log says %v", t.Wasted, p.wasted)
	done := 0.0
	for i := range p.tasks {
		if p.tasks[i].st == 'd' {
			done += p.workOf(slotmodel.Task(i))
		}
	}
	p.check(unsure || near(t.Work, done+t.Wasted+under, t.Work), "Totals.Work = %v, want the sizes of what ended, %v, + Wasted %v + %v under way", t.Work, done, t.Wasted, under)
	p.check(len(p.live) > 0 || near(t.Overhead, p.overhead, p.overhead), "Totals.Overhead = %v, the log says %v", t.Overhead, p.overhead)
	p.check(near(t.Load, p.load, p.load), "Totals.Load = %v, the log says %v", t.Load, p.load)
	sojourns := 0.0 // Little's law
	for j := range p.jobs {
		switch r := &res.Jobs[j]; {
		case r.Finish >= 0:
			sojourns += r.Finish - r.Arrival
		case p.state[j].present:
			sojourns += res.End - r.Arrival
		}
	}
	p.check(near(t.Load, sojourns, float64(len(p.jobs))*p.now), "Totals.Load = %v, the sojourn times sum to %v", t.Load, sojourns)
	p.check(t.Kills == p.kills && t.Crashes == p.crashes && t.Suspensions == p.suspensions && t.Reruns == p.reruns,
		"Totals: %d kills, %d crashes, %d suspensions, %d reruns; the log says %d, %d, %d, %d", t.Kills, t.Crashes, t.Suspensions, t.Reruns, p.kills, p.crashes, p.suspensions, p.reruns)
	p.check(t.LocalMaps == p.localMaps && t.RackMaps == p.rackMaps && t.RemoteMaps == p.remoteMaps,
		"Totals: %d local maps, %d in the rack, %d remote; the log says %d, %d, %d", t.LocalMaps, t.RackMaps, t.RemoteMaps, p.localMaps, p.rackMaps, p.remoteMaps)
}

func (p *replay) series(res *slotmodel.Result) {
	if p.o.Period == 0 {
		p.check(res.Series == nil, "%d rows without Options.Sample", len(res.Series))
		return
	}
	p.check(len(res.Series) == int(math.Floor(res.End/p.o.Period)), "%d rows of %v s, the run ended at %v", len(res.Series), p.o.Period, res.End)
	for i, r := range res.Series {
		var want rRow
		if i < len(p.rows) {
			want = p.rows[i]
		}
		ok := r.Time == float64(i+1)*p.o.Period && near(r.Load, want.load, want.load) && near(r.Shared, want.shared, want.shared)
		for k := range 2 {
			ok = ok && near(r.Running[k], want.running[k], want.running[k]) && near(r.Pending[k], want.pending[k], want.pending[k]) && near(r.Slots[k], want.slots[k], want.slots[k])
		}
		if !ok {
			p.fail("Series[%d] = %+v, the log says %+v", i, r, want)
			return
		}
		entitled, held := 0.0, [2]float64{}
		for _, u := range r.Users {
			entitled += u.Entitled
			held[0] += u.Slots[0]
			held[1] += u.Slots[1]
		}
		p.check(entitled <= 1+1e-9 && near(held[0], r.Running[0], p.now) && near(held[1], r.Running[1], p.now), "Series[%d]: users hold %v of %v slots and are entitled to %v of the cluster", i, held, r.Running, entitled)
		sent, got, crossed := 0.0, 0.0, res.Totals.CrossRack.Read+res.Totals.CrossRack.Shuffle+res.Totals.CrossRack.Output
		for rack := range r.Egress {
			sent += r.Egress[rack] * p.o.Period
			got += r.Ingress[rack] * p.o.Period
		}
		p.check(nearBytes(sent, got, crossed) && sent <= crossed*(1+1e-9), "Series[%d]: racks send %v bytes and get %v, of %v in the whole run", i, sent, got, crossed)
		for rack := range r.Egress {
			spec := slotmodel.RackSpec{}
			if p.c.Racks != nil {
				spec = p.c.Racks[rack]
			}
			p.check(below(r.Egress[rack], spec.Egress) && below(r.Ingress[rack], spec.Ingress), "Series[%d]: rack %d sends %v and gets %v bytes/s, its links are %+v", i, rack, r.Egress[rack], r.Ingress[rack], spec)
		}
	}
}

// below reports whether a link carries no more than its capacity, 0 being no limit. A mean over a
// row is a difference of running sums, hence the 1e-9.
func below(rate, capacity float64) bool {
	return rate >= -1e-9*capacity && (capacity == 0 || rate <= capacity*(1+1e-9))
}
