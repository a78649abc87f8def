package dynprio

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// Report is what one Step came to. The slices are valid during the call.
type Report struct {
	Time float64
	// Users are as passed to market.Step, with Demand and Used, and rates multiplied by Priority.
	Users []market.User
	// Grants are, by user, the charge until now, the slots from now on, and as Next the account
	// now. Empty with Err.
	Grants []market.Grant
	Totals market.Totals
	// Deposited is what the Changes just before the Step put into budgets, less what they took out:
	// the sum of the budgets grows by Deposited + Totals.Income - Totals.Revenue, modulo 2^64.
	Deposited market.Credits
	Kills     int // attempts killed for the grants
	// Err says why the Step was refused: Credits cannot hold the sums. The grants then stay as they
	// are, and the next Step settles the time of both. It is also what market.Victims refuses, and
	// a deposit that Credits cannot hold and that is not made.
	Err error
}

// Policy is the Dynamic Priority scheduler. The package comment says how it serves users and what
// that costs. With the zero value nobody has money, and all slots go by arrival.
type Policy struct {
	// Users are the accounts, by number of the user, as they are when a run begins. Demand and Used
	// are the policy's own. Users not listed have no money.
	Users   []market.User
	Rules   market.Options // Elapsed is the policy's own and must be 0
	Period  float64        // s from one Step to the next, to which rates and income refer, >= 1e-6; 0: 20
	Preempt Preempt
	Changes []Change      // those of one time in the order given
	Filter  policy.Filter // refuses starts, as Delay does; nil: every start is accepted
	Report  func(Report)  // receives what each Step came to; nil: nobody does

	run
}

// Preempt says whether Steps take slots from users who hold more than their grants for those who
// hold less, and which attempts are killed for that.
type Preempt struct {
	// On is how a run begins; a Change may switch preemption. With Rules.Carry and more users than
	// slots most grants go to other users at each Step: let a Policy.Period be several tasks long,
	// or Victims.MinRun longer than a task.
	On     bool
	Period float64 // s after a Step that preempted in which no other one does; 0: all do
	// Victims chooses the attempts; times are in seconds. A user that can pay waits, as Limit has
	// it, from the first Step on that finds it short of slots. AsListed is the order of the
	// published implementation: users who hold more than their grants, the one whose latest job
	// came last first; of a user by the arrival of jobs; of a job from the least progress.
	Victims market.VictimOptions
}

// run is the state of a run. Without accounts nothing starts.
type run struct {
	from     *Snapshot // the run goes on from there; nil: it begins
	period   float64
	changes  []Change // by time
	paid     policy.PerUser
	spare    policy.Greedy
	wake     internal.Wake
	accounts []account                  // by user
	step     []market.User              // scratch
	grants   []market.Grant             // scratch
	state    Snapshot                   // Accounts, Spare, Kills and Vain are made by Policy.Snapshot
	filling  bool                       // starts are on spare slots
	queues   bool                       // queues come and go
	unpaid   map[slotmodel.Attempt]bool // attempts that started on spare slots

	taker internal.Taker
	kills map[slotmodel.Task]int
	walk  []lacking // the users who lack slots for a node
	at    int       // index in walk of the next user
}

// account is what the policy knows of a user.
type account struct {
	Account
	held   market.Slots
	unpaid market.Slots // of held: by attempts that started on spare slots
}

// Check checks the settings.
//
// Errors: an *schedmath.InputError naming the field, of Users and Changes with the index of the
// element; the error of Filter's own Check.
func (m *Policy) Check() error {
	const fn = "dynprio.Policy.Check"
	if m.Rules.Elapsed != 0 {
		return input.Bad(fn, "Rules", -1, "Elapsed is %v, want 0", m.Rules.Elapsed)
	}
	var bad *schedmath.InputError
	if _, _, err := market.Step(nil, market.Slots{}, m.Users, m.Rules); errors.As(err, &bad) {
		arg := "Rules"
		if bad.Arg == "users" {
			arg = "Users"
		}
		return input.Bad(fn, arg, bad.Index, "%s", bad.Reason)
	}
	if !(m.Period == 0 || m.Period >= 1e-6 && m.Period <= math.MaxFloat64) {
		return input.Bad(fn, "Period", -1, "%v, want 0 or finite and >= 1e-6", m.Period)
	}
	if p := m.Preempt.Period; !(p >= 0 && p <= math.MaxFloat64) {
		return input.Bad(fn, "Preempt", -1, "Period is %v, want finite and >= 0", p)
	}
	if _, err := market.Victims(nil, market.Slots{}, nil, nil, m.Preempt.Victims); errors.As(err, &bad) {
		return input.Bad(fn, "Preempt", -1, "Victims: %s", bad.Reason)
	}
	for i := range m.Changes {
		if fault := m.Changes[i].fault(); fault != "" {
			return input.Bad(fn, "Changes", i, "%s", fault)
		}
	}
	return internal.Check(m.Filter)
}

// BeginRun forgets the previous run. The first run of a restored Policy goes on from the Snapshot.
func (m *Policy) BeginRun(v *slotmodel.View) {
	from := m.from
	m.run = run{}
	if m.Check() != nil {
		return
	}
	m.period = cmp.Or(m.Period, 20)
	m.changes = slices.Clone(m.Changes)
	slices.SortStableFunc(m.changes, func(a, b Change) int { return cmp.Compare(a.Time, b.Time) })
	m.accounts, m.kills, m.unpaid = make([]account, v.Users()), map[slotmodel.Task]int{}, map[slotmodel.Attempt]bool{}
	m.taker.Begin(v)
	m.paid = policy.PerUser{Users: (*order)(m), Chooser: (*order)(m)}
	m.spare.Filter = m.Filter
	if m.queues = slices.ContainsFunc(m.changes, func(c Change) bool { return c.Set == Open || c.Set == Close }); m.queues {
		m.spare.Filter = (*order)(m)
	}
	m.state = Snapshot{Version: snapshotVersion, Preempting: m.Preempt.On, Reclaimed: -1}
	for u := range m.accounts {
		x := &m.accounts[u]
		x.Waiting, x.Closed = [2]float64{-1, -1}, m.closedAtFirst(u)
		if u < len(m.Users) {
			x.User = m.Users[u]
			x.User.Granted = market.Slots{}
		}
	}
	if from != nil {
		m.resume(v, from)
	}
	internal.BeginRun(v, m.Filter)
}

// Observe keeps account of the slots held.
func (m *Policy) Observe(v *slotmodel.View, e slotmodel.Event) {
	internal.Observe(v, e, m.Filter)
	s := v.Spec(e.Job)
	if s == nil || len(m.accounts) != v.Users() || v.Attempt(e.Attempt).Job == slotmodel.None {
		return
	}
	x, k := &m.accounts[s.User], e.Kind&1
	m.count(x, v.Now())
	x.held[k] = v.UserRunning(slotmodel.User(s.User), k)
	switch e.Type {
	case slotmodel.Started:
		if m.filling {
			m.unpaid[e.Attempt] = true
			x.unpaid[k]++
		}
	case slotmodel.Ended, slotmodel.Killed, slotmodel.Crashed:
		if m.unpaid[e.Attempt] {
			delete(m.unpaid, e.Attempt)
			x.unpaid[k]--
		}
	}
}

// count counts the slot-seconds that a user is to pay for: those of slots within the grant, with
// market.AllHeld also of slots beyond it, except as many as the user's attempts that started on
// spare slots.
func (m *Policy) count(x *account, now float64) {
	for k, held := range x.held {
		beyond := max(0, held-x.User.Granted[k])
		if m.Rules.Charge == market.AllHeld {
			beyond = min(beyond, x.unpaid[k])
		}
		x.Used[k] += float64(held-beyond) * (now - x.Until)
	}
	x.Until = now
}

// Decide makes a Step when it is time, gives the free slots to the users who lack most, takes slots
// from others, and gives the spare ones away.
func (m *Policy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if len(m.accounts) != v.Users() {
		return
	}
	idle := v.NextActive(slotmodel.None) == slotmodel.None
	due := !idle && v.Now() >= m.state.Next || idle && m.state.Busy
	var report Report
	if due {
		report = m.settle(v)
		if m.state.Next, m.state.Busy = v.Now(), !idle; !idle {
			m.state.Next += m.period
		}
	}
	m.paid.Decide(v, a)
	// Steps that are sums of periods may miss a multiple of one by rounding.
	if due && m.state.Preempting && (m.state.Reclaimed < 0 || v.Now() >= m.state.Reclaimed+m.Preempt.Period*(1-1e-9)) {
		m.state.Reclaimed = v.Now()
		kills, err := (*order)(m).reclaim(v, a)
		report.Kills, report.Err = kills, cmp.Or(report.Err, err)
	}
	fill := m.Rules.Fill == market.FIFO
	if fill {
		m.filling = true
		m.spare.Decide(v, a)
		m.filling = false
	}
	if due && m.Report != nil {
		m.Report(report)
	}
	at := internal.AlarmOf(v, m.Filter)
	if v.FreeSlots(slotmodel.Map) < v.Slots(slotmodel.Map) || v.FreeSlots(slotmodel.Reduce) < v.Slots(slotmodel.Reduce) || (!fill || m.queues) && !idle {
		at = min(at, m.state.Next) // otherwise all slots are free, and a grant would start nothing
	}
	m.wake.Ask(v, a, at)
}

// settle makes a Step.
func (m *Policy) settle(v *slotmodel.View) Report {
	now := v.Now()
	r := Report{Time: now}
	var refused error
	r.Deposited, refused = m.change(now)
	m.step = m.step[:0]
	for u := range m.accounts {
		x := &m.accounts[u]
		m.count(x, now)
		s := x.User
		s.Used, s.Demand = [2]float64{x.Used[0] / m.period, x.Used[1] / m.period}, x.held
		j := v.NextActiveOf(slotmodel.User(u), slotmodel.None)
		if x.Closed {
			j, s.Rate, s.Demand = slotmodel.None, 0, market.Slots{}
		}
		if j != slotmodel.None {
			s.Rate = multiplied(s.Rate, v.Spec(j).Priority)
		}
		for ; j != slotmodel.None; j = v.NextActiveOf(slotmodel.User(u), j) {
			for k := range slotmodel.Kind(2) {
				if v.Runnable(j, k) && internal.Width(v, j) <= v.Capacity(j, k) {
					s.Demand[k] += v.Count(j, k).Pending()
				}
			}
		}
		m.step = append(m.step, s)
	}
	rules, slots := m.Rules, market.Slots{v.Slots(slotmodel.Map), v.Slots(slotmodel.Reduce)}
	rules.Fill = market.NoFill
	// An Elapsed of 0 would mean 1. A Step after more than 10^9 periods would be refused, and
	// each later one as well.
	rules.Elapsed = min(max(0x1p-1000, (now-m.state.Last)/m.period), 1e9)
	r.Users = m.step
	r.Grants, r.Totals, r.Err = market.Step(m.grants[:0], slots, m.step, rules)
	if r.Err != nil {
		return r // grants stay
	}
	r.Err = refused
	m.grants, m.state.Last = r.Grants, now
	for u := range m.accounts {
		x, rate := &m.accounts[u], m.accounts[u].User.Rate // without the Priority
		x.User, x.Share, x.Used = m.grants[u].Next, m.grants[u].Share, [2]float64{}
		x.User.Rate = rate
	}
	return r
}

// multiplied returns a multiple of a rate, at most 2^62; the rate itself if by is 0 or less.
func multiplied(rate market.Credits, by float64) market.Credits {
	if rate == 0 || by == 1 || !(by > 0) {
		return rate
	}
	return market.Credits(min(math.Round(float64(rate)*by), 1<<62))
}
