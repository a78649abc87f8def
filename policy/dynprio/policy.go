package dynprio

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/internal"
	"github.com/schedmath/schedmath/slotmodel"
)

// MarketOptions are the settings of Market. With the zero value nobody has money, and all slots go by arrival.
type Options struct {
	// Users are the accounts, by number of the user, as they are when a run begins. Market sets Demand and Used. Users beyond have no money.
	Users    []market.User
	Rules    market.Options // Elapsed is Market's own and must be 0
	Interval float64        // s from one Step to the next, the interval that rates and income refer to, >= 1e-6; 0 means 20
	// Preempt has each Step take slots from users who hold more than their grants for those who hold less. With Rules.Carry and more users than
	// slots most grants go to other users at each Step: let an Interval be several tasks long, or Victims.MinRun longer than a task.
	Preempt bool
	// Victims is how it does; times are in seconds. A user that can pay waits, as Limit has it, from
	// the first Step on that finds it short of slots.
	Victims market.VictimOptions
	Changes []Change      // those of one time in the order given
	Filter  policy.Filter // refuses starts, as Delay does; nil: every start is accepted
	Report  func(Report)  // receives what each Step came to; nil: nobody does
}

// MarketReport is what one Step came to. The slices are valid during the call.
type Report struct {
	Time   float64
	Users  []market.User  // as passed to market.Step, with Demand and Used, and rates multiplied by Priority
	Grants []market.Grant // by user: the charge until now, the slots from now on, and as Next the account now; empty with Err
	Totals market.Totals
	Kills  int // attempts killed for the grants
	// Err says why the Step was refused: Credits cannot hold the sums. The grants then stay as they
	// are, and the next Step settles the time of both. It is also what market.Victims refuses.
	Err error
}

// Market is the Dynamic Priority scheduler [9, section 3]: users bid for slots out of
// budgets that last. Every Interval, while tasks run, market.Step charges each user
// for the slot-seconds really held within the last grant, and grants slots until the
// next Step. The demand of a user is what its attempts hold and the tasks that it
// could start on the nodes that are up (slotmodel.View.Capacity). A free slot goes to
//
//	the user with the largest grant less slots held of the kind, if above 0; ties: the earliest job with a task to start;
//	when there is none, and Rules.Fill is FIFO, the earliest job: a spare slot, free of charge while its user holds more than the grant.
//
// Within a user jobs come by arrival. The task is the one that slotmodel.Actions.Start picks: node-local, of the rack, any; nobody waits for a
// block unless Filter says so. While nobody can pay, starts are FIFO's.
//
// A user's rate is multiplied by the Priority of its earliest job present, if that is above 0. A change is made just before the first Step at its
// time or later. A new rate counts from this Step on. A new income counts already for the interval that this Step settles, and the charge for the
// interval comes out of a new budget. When the last job present has ended, a Step settles what is owed; the next is made when a job arrives.
// Income goes on between them, for at most 10^9 intervals. Nothing is settled at Options.Until.
//
// With Preempt a Step kills the attempts that market.Victims names, those on spare slots first, and starts in the slot of each a task of the user
// who lacks most. It kills only for what the free slots do not serve, even if Filter keeps them free. A task is killed at most as often as the
// cluster has nodes, so that every job ends even if grants move at every Step. Attempts of rigid jobs are spared, and none is killed for a rigid job.
//
// A rigid job starts on paid slots when its user lacks as many as the job needs and so many are free. A market.User.Lot has them granted in such
// numbers. Shared slots are offered as slots of both kinds.
//
// A Step costs what market.Step does and O(log jobs) for each job present, with Preempt O(attempts log attempts) more. A start costs O(U) for
// U users, and O(log jobs) for each who lacks slots. Nothing is allocated in the steady state, but to take slots.
type Policy struct {
	options  Options
	paid     policy.PerUser
	spare    policy.Greedy
	wake     internal.Wake
	accounts []account      // by user
	step     []market.User  // scratch
	grants   []market.Grant // of the last Step
	last     float64        // time of the last Step that was not refused
	next     float64        // time of the next one
	busy     bool           // jobs were present at the last one
	changed  int            // number of Changes made
	filling  bool           // starts are on spare slots
	unpaid   []bool         // by attempt: it started on a spare slot

	taker internal.Taker
	kills map[slotmodel.Task]int
	walk  []lacking // the users who lack slots for a node
	at    int       // index in walk of the next one
}

// marketAccount is what Market knows of a user.
type account struct {
	market.User
	held   market.Slots
	unpaid market.Slots // of held: by attempts that started on spare slots
	used   [2]float64   // slot-seconds to pay for
	waits  [2]float64   // time of the Step since which it has been short of slots; +Inf: it is not
	until  float64      // used is counted until then
}

// NewMarket returns the policy.
//
// Errors: an *schedmath.InputError naming the option that is out of its range.
func New(o Options) (*Policy, error) {
	fault := ""
	if _, _, err := market.Step(nil, market.Slots{}, o.Users, o.Rules); err != nil {
		fault = fmt.Sprintf("Users or Rules: %v", err)
	}
	if _, err := market.Victims(nil, market.Slots{}, nil, nil, o.Victims); err != nil {
		fault = fmt.Sprintf("Victims: %v", err)
	}
	for i := range o.Changes {
		if f := o.Changes[i].fault(); f != "" {
			fault = fmt.Sprintf("Changes[%d]: %s", i, f)
		}
	}
	switch {
	case o.Interval != 0 && !(o.Interval >= 1e-6 && o.Interval <= math.MaxFloat64):
		fault = fmt.Sprintf("Interval is %v, want 0 or finite and >= 1e-6", o.Interval)
	case o.Rules.Elapsed != 0:
		fault = fmt.Sprintf("Rules.Elapsed is %v, want 0", o.Rules.Elapsed)
	}
	if fault != "" {
		return nil, &schedmath.InputError{Func: "policy.NewMarket", Arg: "o", Index: -1, Reason: fault}
	}
	o.Users, o.Changes = slices.Clone(o.Users), slices.Clone(o.Changes)
	slices.SortStableFunc(o.Changes, func(a, b Change) int { return cmp.Compare(a.Time, b.Time) })
	return &Policy{options: o}, nil
}

// Check checks the settings of the filter; NewMarket has checked the others.
func (m *Policy) Check() error {
	if m == nil {
		return nil
	}
	return internal.Check(m.options.Filter)
}

// BeginRun forgets the previous run.
func (m *Policy) BeginRun(v *slotmodel.View) {
	if m == nil {
		return
	}
	o := m.options
	o.Interval = cmp.Or(o.Interval, 20)
	*m = Policy{options: o, accounts: make([]account, v.Users()), kills: map[slotmodel.Task]int{}}
	m.taker.Begin(v)
	m.paid = policy.PerUser{Users: (*order)(m), Chooser: (*order)(m)}
	m.spare.Filter = o.Filter
	for u := range m.accounts {
		m.accounts[u].waits = [2]float64{math.Inf(1), math.Inf(1)}
	}
	for u := range min(len(m.accounts), len(o.Users)) {
		m.accounts[u].User = o.Users[u]
		m.accounts[u].Granted = market.Slots{}
	}
	internal.BeginRun(v, o.Filter)
}

// Observe keeps account of the slots held.
func (m *Policy) Observe(v *slotmodel.View, e slotmodel.Event) {
	if m == nil {
		return
	}
	internal.Observe(v, e, m.options.Filter)
	s := v.Spec(e.Job)
	if s == nil || len(m.accounts) != v.Users() || v.Attempt(e.Attempt).Job == slotmodel.None {
		return
	}
	x, k := &m.accounts[s.User], e.Kind&1
	m.count(x, v.Now())
	x.held[k] = v.UserRunning(slotmodel.User(s.User), k)
	for len(m.unpaid) <= int(e.Attempt) {
		m.unpaid = append(m.unpaid, false)
	}
	switch e.Type {
	case slotmodel.Started:
		if m.unpaid[e.Attempt] = m.filling; m.filling {
			x.unpaid[k]++
		}
	case slotmodel.Ended, slotmodel.Killed, slotmodel.Crashed:
		if m.unpaid[e.Attempt] {
			m.unpaid[e.Attempt] = false
			x.unpaid[k]--
		}
	}
}

// Heartbeat returns the period that the filter asks for; 0: none.
func (m *Policy) Heartbeat() float64 {
	if m == nil {
		return 0
	}
	return internal.Heartbeat(m.options.Filter)
}

// count counts the slot-seconds that a user is to pay for: those of slots within the grant, with market.AllHeld also of slots beyond it, except
// as many as the user's attempts that started on spare slots.
func (m *Policy) count(x *account, now float64) {
	for k, held := range x.held {
		beyond := max(0, held-x.Granted[k])
		if m.options.Rules.Charge == market.AllHeld {
			beyond = min(beyond, x.unpaid[k])
		}
		x.used[k] += float64(held-beyond) * (now - x.until)
	}
	x.until = now
}

// Decide makes a Step when it is time, gives the free slots to the users who lack most, takes slots from others, and gives the spare ones away.
func (m *Policy) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if m == nil || len(m.accounts) != v.Users() {
		return
	}
	idle := v.NextActive(slotmodel.None) == slotmodel.None
	due := !idle && v.Now() >= m.next || idle && m.busy
	var report Report
	if due {
		report = m.settle(v)
		if m.next, m.busy = v.Now(), !idle; m.busy {
			m.next += m.options.Interval
		}
	}
	m.paid.Decide(v, a)
	if due && m.options.Preempt {
		kills, err := (*order)(m).reclaim(v, a)
		report.Kills, report.Err = kills, cmp.Or(report.Err, err)
	}
	fill := m.options.Rules.Fill == market.FIFO
	if fill {
		m.filling = true
		m.spare.Decide(v, a)
		m.filling = false
	}
	if due && m.options.Report != nil {
		m.options.Report(report)
	}
	at := internal.AlarmOf(v, m.options.Filter)
	if v.FreeSlots(slotmodel.Map) < v.Slots(slotmodel.Map) || v.FreeSlots(slotmodel.Reduce) < v.Slots(slotmodel.Reduce) || !fill && !idle {
		at = min(at, m.next) // otherwise all slots are free, and a grant would start nothing
	}
	m.wake.Ask(v, a, at)
}

// settle makes a Step.
func (m *Policy) settle(v *slotmodel.View) Report {
	o, now := &m.options, v.Now()
	for ; m.changed < len(o.Changes) && o.Changes[m.changed].Time <= now; m.changed++ {
		if c := &o.Changes[m.changed]; c.User < len(m.accounts) {
			*c.Set.of(&m.accounts[c.User].User) = c.Amount
		}
	}
	m.step = m.step[:0]
	for u := range m.accounts {
		x := &m.accounts[u]
		m.count(x, now)
		s := x.User
		s.Used, s.Demand = [2]float64{x.used[0] / o.Interval, x.used[1] / o.Interval}, x.held
		j := v.NextActiveOf(slotmodel.User(u), slotmodel.None)
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
	rules, slots := o.Rules, market.Slots{v.Slots(slotmodel.Map), v.Slots(slotmodel.Reduce)}
	rules.Fill = market.NoFill
	// An Elapsed of 0 would mean 1. A Step after more than 10^9 intervals would be refused, and each later one as well.
	rules.Elapsed = min(max(0x1p-1000, (now-m.last)/o.Interval), 1e9)
	r := Report{Time: now, Users: m.step}
	r.Grants, r.Totals, r.Err = market.Step(m.grants[:0], slots, m.step, rules)
	if r.Err != nil {
		return r // grants stay
	}
	m.grants, m.last = r.Grants, now
	for u := range m.accounts {
		x, next := &m.accounts[u], m.grants[u].Next
		next.Rate = x.Rate // without the Priority
		x.User, x.used = next, [2]float64{}
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
