package dynprio

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/slotmodel"
)

// Snapshot is what a Policy has to know to go on in the place of another, as plain data: as JSON it
// reads back as it was.
type Snapshot struct {
	Version    int
	Accounts   []Account // by user
	Last, Next float64   // times of the last Step that was not refused, and of the next Step
	Busy       bool      // jobs were present at the last Step
	Changed    int       // number of Changes made, by time
	Preempting bool
	Reclaimed  float64 // time of the last Step that preempted; -1: none
	Spare      []int   // attempts that started on spare slots and run
	Kills      []Kills // by job, kind and number of the task
	Vain       []int   // jobs for whose reduces slots were taken in vain
	Bank       *market.BankSnapshot
}

// Account is what a Snapshot has of a user.
type Account struct {
	User    market.User
	Share   float64    // of the last grant
	Used    [2]float64 // slot-seconds to pay for
	Until   float64    // time until which Used is counted
	Waiting [2]float64 // time of the Step since which the user has been short of slots; -1: it is not
	Closed  bool       // the queue does not exist
}

// Kills is how often a task was killed.
type Kills struct{ Task, Times int }

const snapshotVersion = 1 // grows with every change of what a Snapshot means

// Snapshot returns the state of a run, to be taken between two decisions. A Policy with the same
// settings and this as From makes, from BeginRun on, the decisions that m would make. If there is a
// Bank, it needs the one of market.RestoreBank. What a Filter keeps is not in it.
//
// Cost O(users + attempts + tasks killed).
func (m *Policy) Snapshot() Snapshot {
	s := Snapshot{Version: snapshotVersion, Reclaimed: -1}
	if m == nil {
		return s
	}
	s.Last, s.Next, s.Busy, s.Changed, s.Preempting = m.last, m.next, m.busy, m.changed, m.preempting
	if m.reclaimed >= 0 {
		s.Reclaimed = m.reclaimed
	}
	for u, x := range m.accounts {
		a := Account{User: x.User, Used: x.used, Until: x.until, Waiting: [2]float64{-1, -1}, Closed: x.closed}
		if u < len(m.grants) {
			a.Share = m.grants[u].Share
		}
		for k, since := range x.waits {
			if since <= math.MaxFloat64 {
				a.Waiting[k] = since
			}
		}
		s.Accounts = append(s.Accounts, a)
	}
	for x, spare := range m.unpaid {
		if spare {
			s.Spare = append(s.Spare, x)
		}
	}
	for t, n := range m.kills {
		s.Kills = append(s.Kills, Kills{int(t), n})
	}
	slices.SortFunc(s.Kills, func(a, b Kills) int { return cmp.Compare(a.Task, b.Task) })
	for j, vain := range m.taker.Vain {
		if vain {
			s.Vain = append(s.Vain, j)
		}
	}
	if m.Bank != nil {
		bank := m.Bank.Snapshot()
		s.Bank = &bank
	}
	return s
}

// fault says what of a snapshot is out of range, "" if nothing is.
func (s *Snapshot) fault(m *Policy) string {
	if s == nil {
		return ""
	}
	isTime := func(t, least float64) bool { return t >= least && t <= math.MaxFloat64 }
	if s.Version != snapshotVersion {
		return fmt.Sprintf("Version is %d, want %d", s.Version, snapshotVersion)
	}
	if !isTime(s.Last, 0) || !isTime(s.Next, 0) || !isTime(s.Reclaimed, -1) || s.Changed < 0 || s.Changed > len(m.Changes) {
		return "Last, Next, Reclaimed or Changed is out of range"
	}
	var users []market.User
	for u, a := range s.Accounts {
		if !isTime(min(a.Used[0], a.Used[1]), 0) || !isTime(max(a.Used[0], a.Used[1]), 0) || !isTime(a.Until, 0) || !isTime(min(a.Waiting[0], a.Waiting[1]), -1) || !isTime(max(a.Waiting[0], a.Waiting[1]), -1) || !(a.Share >= 0) {
			return fmt.Sprintf("Accounts[%d] has a number out of range", u)
		}
		users = append(users, a.User)
	}
	if _, _, err := market.Step(nil, market.Slots{}, users, m.Rules); err != nil {
		return "Accounts: " + err.Error()
	}
	for _, i := range slices.Concat(s.Spare, s.Vain) {
		if i < 0 || i > math.MaxInt32 {
			return "Spare or Vain: want numbers in [0, 2^31)"
		}
	}
	return ""
}

// resume sets the state of a run to that of From. With another number of users than the run's
// nothing starts.
func (m *Policy) resume(v *slotmodel.View) {
	s := m.From
	if len(s.Accounts) != len(m.accounts) {
		m.run = run{}
		return
	}
	m.last, m.next, m.busy, m.changed, m.preempting = s.Last, s.Next, s.Busy, s.Changed, s.Preempting
	if s.Reclaimed >= 0 {
		m.reclaimed = s.Reclaimed
	}
	for u, a := range s.Accounts {
		x := account{User: a.User, used: a.Used, until: a.Until, waits: [2]float64{math.Inf(1), math.Inf(1)}, closed: a.Closed}
		for k, since := range a.Waiting {
			x.held[k] = v.UserRunning(slotmodel.User(u), slotmodel.Kind(k))
			if since >= 0 {
				x.waits[k] = since
			}
		}
		m.accounts[u] = x
		m.grants = append(m.grants, market.Grant{Share: a.Share})
	}
	for _, i := range s.Spare {
		if info := v.Attempt(slotmodel.Attempt(i)); info.Job != slotmodel.None {
			for len(m.unpaid) <= i {
				m.unpaid = append(m.unpaid, false)
			}
			m.unpaid[i] = true
			m.accounts[v.Spec(info.Job).User].unpaid[info.Kind]++
		}
	}
	for _, k := range s.Kills {
		m.kills[slotmodel.Task(k.Task)] = k.Times
	}
	for _, j := range s.Vain {
		if j < len(m.taker.Vain) {
			m.taker.Vain[j] = true
		}
	}
}
