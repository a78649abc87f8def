package policy

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/slotmodel"
)

// MarketOptions are the settings of Market. With the zero value nobody has money, and all slots go by arrival.
type MarketOptions struct {
	// Users are the accounts, by number of the user, as they are when a run begins. Market sets their Demand, Arrival and Used. Users beyond have no money.
	Users    []market.User
	Rules    market.Options       // Elapsed is Market's and must be 0; Fill says what happens to slots that nobody pays for
	Interval float64              // s from one Step to the next, the unit of time of rates and income, > 0; 0 means 20
	Preempt  bool                 // each Step takes slots from users who hold more than their grants for those who hold less
	Victims  market.VictimOptions // how; times are in seconds
	Changes  []MarketChange       // those of one time in the order given
	Filter   Filter               // refuses starts, as Delay does; nil: every start is accepted
	Report   func(MarketReport)   // receives what each Step came to; nil: nobody does
}

// MarketReport is what one Step came to. Its slices are valid during the call.
type MarketReport struct {
	Time   float64
	Users  []market.User  // as they went into the Step, with rates multiplied, Demand, and Used until now
	Grants []market.Grant // by user: the charge for the time until now, the slots from now on; Next is the account now, with the rate multiplied
	Totals market.Totals
	Kills  int   // attempts killed for the grants
	Err    error // Step refused, as when nodes are lost and the minima exceed the slots that are left: there are no grants, and nobody is charged, until it does not
}

// Market is the Dynamic Priority scheduler [7, section 3]: users bid for slots out of budgets. Every Interval, while jobs are present,
// market.Step charges each user for the slot-seconds really held within its last grant, and grants the slots until the next Step. A user's demand is
// what its attempts hold and the tasks that it could start. Then a free slot goes to
//
//	the user with the largest grant less slots held of the kind, if it is above 0; ties: the earliest job with a task to start;
//	when there is none, the earliest job of all, if Rules.Fill is FIFO: as spare slot, never charged.
//
// Within a user jobs come by arrival; the task is the one that slotmodel.Actions.Start picks: node-local, of the rack, any. Nobody waits for a
// block, unless Filter says so. While nobody can pay, starts are FIFO's.
//
// The rate of a user is multiplied by the greatest Priority of its jobs present; a Priority of 0 or less counts as 1. Rates and budgets change by
// Changes, at the first Step from their times on: a rate counts for grants from then on, and the charge until then comes out of the new budget.
// When the last job present has ended there is a Step that settles, and the next when a job arrives. So after a run all slot-time is paid for, unless Options.Until
// cut it short; income stands still after the last Step.
//
// With Preempt slots are taken as market.Victims says, attempts on spare slots first, and each is given at once to the user who lacks
// most. Free slots count first, even if Filter keeps them free. Attempts of rigid jobs are spared, and none is killed for a rigid job. A rigid job starts on
// paid slots when its user lacks as many as it needs and they are free: give the user a market.User.Lot. Shared slots are offered as slots of both kinds.
//
// A Step costs what market.Step does and O(jobs present), with Preempt O(attempts) more. A start costs O(U) for U users, and
// O(log jobs) for each who lacks slots. Nothing is allocated in the steady state, but for the memory of market.Victims.
type Market struct {
	options MarketOptions
	paid    PerUser
	order   byLack
	spare   Greedy
	wake    wake
	reclaim reclaim
	users   []marketUser
	step    []market.User
	grants  []market.Grant
	last    float64 // time of the last Step that did not fail
	next    float64 // time of the next one while jobs are present
	busy    bool    // jobs were present at the last one
	change  int     // Changes before it have been made
	filling bool    // starts are on spare slots
	unpaid  []bool  // by attempt: it started on a spare slot
}

// marketUser is what Market knows of a user.
type marketUser struct {
	account market.User
	grant   market.Slots
	held    [2]int
	unpaid  [2]int     // of held: by attempts that started on spare slots
	used    [2]float64 // slot-seconds to charge since the last Step
	since   float64    // used is up to date until then
}

// NewMarket returns the policy.
//
// Errors: an *schedmath.InputError naming the option that is out of its range.
func NewMarket(o MarketOptions) (*Market, error) {
	const fn = "policy.NewMarket"
	o.Users, o.Changes = slices.Clone(o.Users), slices.Clone(o.Changes)
	fault := ""
	_, _, stepErr := market.Step(nil, market.Slots{}, o.Users, o.Rules)
	_, victimsErr := market.Victims(nil, market.Slots{}, nil, nil, o.Victims)
	switch {
	case !(o.Interval >= 0 && o.Interval <= math.MaxFloat64):
		fault = fmt.Sprintf("Interval is %v, want finite and >= 0", o.Interval)
	case o.Rules.Elapsed != 0:
		fault = "Rules.Elapsed is set"
	case stepErr != nil:
		fault = "Users and Rules: " + reason(stepErr)
	case victimsErr != nil:
		fault = "Victims: " + reason(victimsErr)
	}
	for i := range o.Changes {
		if f := o.Changes[i].fault(); f != "" && fault == "" {
			fault = fmt.Sprintf("Changes[%d]: %s", i, f)
		}
	}
	if fault != "" {
		return nil, &schedmath.InputError{Func: fn, Arg: "o", Index: -1, Reason: fault}
	}
	slices.SortStableFunc(o.Changes, func(a, b MarketChange) int { return cmp.Compare(a.Time, b.Time) })
	return &Market{options: o}, nil
}

// reason returns what an InputError says is wrong, with the index.
func reason(err error) string {
	var e *schedmath.InputError
	if errors.As(err, &e) && e.Index >= 0 {
		return fmt.Sprintf("%s[%d]: %s", e.Arg, e.Index, e.Reason)
	} else if e != nil {
		return e.Reason
	}
	return err.Error()
}

// BeginRun forgets the previous run.
func (m *Market) BeginRun(v *slotmodel.View) {
	if m == nil {
		return
	}
	if m.options.Interval == 0 {
		m.options.Interval = 20
	}
	o := &m.options
	*m = Market{options: m.options, order: byLack{filter: o.Filter}, spare: Greedy{Filter: o.Filter}, users: make([]marketUser, v.Users()), step: make([]market.User, v.Users())}
	m.order.shares = m
	m.paid = PerUser{Users: &m.order, Chooser: &m.order}
	m.reclaim.begin(v)
	for u := range min(len(m.users), len(o.Users)) {
		m.users[u].account = o.Users[u]
	}
	beginRun(v, &m.spare)
}

// Observe keeps account of who holds slots.
func (m *Market) Observe(v *slotmodel.View, e slotmodel.Event) {
	if m == nil {
		return
	}
	m.spare.Observe(v, e)
	s := v.Spec(e.Job)
	if s == nil || s.User >= len(m.users) {
		return
	}
	u := &m.users[s.User]
	m.accrue(u, v.Now())
	for k := range u.held {
		u.held[k] = v.UserRunning(slotmodel.User(s.User), slotmodel.Kind(k))
	}
	switch k := e.Kind & 1; e.Type {
	case slotmodel.Started:
		if v.Attempt(e.Attempt).Job == slotmodel.None {
			return
		}
		for len(m.unpaid) <= int(e.Attempt) {
			m.unpaid = append(m.unpaid, false)
		}
		if m.unpaid[e.Attempt] = m.filling; m.filling {
			u.unpaid[k]++
		}
	case slotmodel.Ended, slotmodel.Killed, slotmodel.Crashed:
		if e.Attempt >= 0 && int(e.Attempt) < len(m.unpaid) && m.unpaid[e.Attempt] {
			m.unpaid[e.Attempt] = false
			u.unpaid[k]--
		}
	}
}

// accrue counts the slot-seconds that a user is to be charged for until now. Attempts on spare slots are taken to be those that a user
// holds beyond its grant.
func (m *Market) accrue(u *marketUser, now float64) {
	for k, held := range u.held {
		beyond := max(0, held-u.grant[k])
		if m.options.Rules.Charge == market.AllHeld {
			beyond = min(beyond, u.unpaid[k])
		}
		u.used[k] += float64(held-beyond) * (now - u.since)
	}
	u.since = now
}

// Heartbeat returns the period that the filter asks for; 0: none.
func (m *Market) Heartbeat() float64 {
	if m == nil {
		return 0
	}
	return heartbeat(m.options.Filter)
}

// Decide makes a Step when it is time, gives free slots to the users who lack most, takes slots from others, and gives away spare ones.
func (m *Market) Decide(v *slotmodel.View, a *slotmodel.Actions) {
	if m == nil || len(m.users) != v.Users() {
		return
	}
	idle := v.NextActive(slotmodel.None) == slotmodel.None
	due := !idle && v.Now() >= m.next || idle && m.busy
	var report MarketReport
	if due {
		report = m.settle(v)
		m.busy = !idle
		if m.next = v.Now(); m.busy {
			m.next += m.options.Interval
		}
	}
	m.paid.Decide(v, a)
	if due && m.options.Preempt {
		report.Kills = m.reclaim.kill(v, a, &m.order, m.options.Victims, m.unpaid, m.share)
	}
	if m.options.Rules.Fill == market.FIFO {
		m.filling = true
		m.spare.fill(v, a, slotmodel.Map)
		m.spare.fill(v, a, slotmodel.Reduce)
		m.filling = false
	}
	if due && m.options.Report != nil {
		m.options.Report(report)
	}
	at := alarmOf(v, m.options.Filter)
	if v.FreeSlots(slotmodel.Map) < v.Slots(slotmodel.Map) || v.FreeSlots(slotmodel.Reduce) < v.Slots(slotmodel.Reduce) || !idle && m.options.Rules.Fill != market.FIFO {
		at = min(at, m.next) // else grants change nothing: all slots are free, and no task fits
	}
	m.wake.ask(v, a, at)
}

// leastElapsed is a time, in intervals, in which nobody earns or pays anything: an Elapsed of 0 would mean 1.
const leastElapsed = 0x1p-1000

// settle makes a Step.
func (m *Market) settle(v *slotmodel.View) MarketReport {
	o, now := &m.options, v.Now()
	for ; m.change < len(o.Changes) && o.Changes[m.change].Time <= now; m.change++ {
		if c := &o.Changes[m.change]; c.User < len(m.users) {
			c.apply(&m.users[c.User].account)
		}
	}
	for u := range m.users {
		x, s := &m.users[u], &m.step[u]
		m.accrue(x, now)
		*s = x.account
		s.Used, s.Demand = [2]float64{x.used[0] / o.Interval, x.used[1] / o.Interval}, x.held
		priority := 0.0
		for j := v.NextActiveOf(slotmodel.User(u), slotmodel.None); j != slotmodel.None; j = v.NextActiveOf(slotmodel.User(u), j) {
			if p := v.Spec(j).Priority; p > 0 {
				priority = max(priority, p)
			} else {
				priority = max(priority, 1)
			}
			for k := range slotmodel.Kind(2) {
				if v.Runnable(j, k) {
					s.Demand[k] += v.Count(j, k).Pending()
				}
			}
		}
		s.Rate = multiplied(x.account.Rate, priority)
	}
	rules := o.Rules
	rules.Fill, rules.Elapsed = market.NoFill, max(leastElapsed, (now-m.last)/o.Interval)
	report := MarketReport{Time: now, Users: m.step}
	m.grants, report.Totals, report.Err = market.Step(m.grants[:0], market.Slots{v.Slots(slotmodel.Map), v.Slots(slotmodel.Reduce)}, m.step, rules)
	report.Grants = m.grants
	for u := range m.users {
		x := &m.users[u]
		x.grant = market.Slots{}
		if report.Err == nil {
			g, rate := &m.grants[u], x.account.Rate
			x.grant, x.account, x.used = g.Slots, g.Next, [2]float64{}
			x.account.Rate = rate
		}
	}
	if report.Err == nil {
		m.last = now
	}
	return report
}

// multiplied returns a multiple of a rate, at most 2^62.
func multiplied(rate market.Credits, by float64) market.Credits {
	if rate == 0 || by == 1 {
		return rate
	}
	if x := math.Round(float64(rate) * by); x < 1<<62 {
		return market.Credits(x)
	}
	return 1 << 62
}

// lack returns how many slots a user lacks.
func (m *Market) lack(_ *slotmodel.View, u slotmodel.User, k slotmodel.Kind) (by float64, most int) {
	x := &m.users[u]
	most = x.grant[k] - x.held[k]
	return float64(most), most
}

// share returns a user's grant.
func (m *Market) share(u slotmodel.User, k slotmodel.Kind) (slots int, claims bool) {
	return m.users[u].grant[k], true
}
