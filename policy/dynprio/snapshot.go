package dynprio

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/slotmodel"
)

// Snapshot is what a Policy has to know to go on in the place of another, as plain data.
type Snapshot struct {
	Version    int       `json:"version"`
	Accounts   []Account `json:"accounts,omitempty"` // by user
	Last       float64   `json:"last"`               // time of the last Step that was not refused
	Next       float64   `json:"next"`               // time of the next Step
	Busy       bool      `json:"busy"`               // jobs were present at the last Step
	Changed    int       `json:"changed"`            // number of Changes made, by time
	Preempting bool      `json:"preempting"`
	Reclaimed  float64   `json:"reclaimed"`       // time of the last Step that preempted; -1: none
	Spare      []int     `json:"spare,omitempty"` // attempts that started on spare slots and run
	Kills      []Kills   `json:"kills,omitempty"` // by number of the task
	Vain       []int     `json:"vain,omitempty"`  // jobs for whose reduces slots were taken in vain
}

// Account is what a Snapshot has of a user.
type Account struct {
	User    market.User `json:"user"`
	Share   float64     `json:"share"`   // of the last grant
	Used    [2]float64  `json:"used"`    // slot-seconds to pay for
	Until   float64     `json:"until"`   // time until which Used is counted
	Waiting [2]float64  `json:"waiting"` // time of the Step since which the user has been short of slots; -1: it is not
	Closed  bool        `json:"closed"`  // the queue does not exist
}

// Kills is how often a task was killed.
type Kills struct {
	Task  int `json:"task"`
	Times int `json:"times"`
}

const snapshotVersion = 1 // grows with every change of what a Snapshot means

// Snapshot returns the state of a run, to be taken between two decisions. What a Filter keeps is
// not in it. Cost O(users + attempts + tasks killed).
func (m *Policy) Snapshot() Snapshot {
	if m.from != nil { // restored, and its run has not begun
		return m.from.clone()
	}
	if len(m.accounts) == 0 { // no run has begun
		return Snapshot{Version: snapshotVersion, Reclaimed: -1}
	}
	s := m.state
	for _, x := range m.accounts {
		s.Accounts = append(s.Accounts, x.Account)
	}
	for x := range m.unpaid {
		s.Spare = append(s.Spare, int(x))
	}
	slices.Sort(s.Spare)
	for t, n := range m.kills {
		s.Kills = append(s.Kills, Kills{int(t), n})
	}
	slices.SortFunc(s.Kills, func(a, b Kills) int { return cmp.Compare(a.Task, b.Task) })
	for j, vain := range m.taker.Vain {
		if vain {
			s.Vain = append(s.Vain, j)
		}
	}
	return s
}

// clone returns a copy that shares no list.
func (s *Snapshot) clone() Snapshot {
	c := *s
	c.Accounts, c.Spare, c.Kills, c.Vain = slices.Clone(s.Accounts), slices.Clone(s.Spare), slices.Clone(s.Kills), slices.Clone(s.Vain)
	return c
}

// Restore returns a Policy with the settings of p that goes on from s: its first run decides as the
// Policy of the snapshot would have, or starts nothing if it lacks users, attempts, tasks or jobs
// of the snapshot.
//
// Errors: a nil p, and those of its Check; an s that no Policy with the settings of p gives.
func Restore(s Snapshot, p *Policy) (*Policy, error) {
	const fn = "dynprio.Restore"
	if p == nil {
		return nil, input.Bad(fn, "p", -1, "nil")
	}
	if err := p.Check(); err != nil {
		return nil, err
	}
	if fault := s.fault(p); fault != "" {
		return nil, input.Bad(fn, "s", -1, "%s", fault)
	}
	m, from := *p, s.clone()
	m.run = run{from: &from}
	return &m, nil
}

// fault says what of a snapshot no Policy with the settings of m gives, "" if it is one that such a
// Policy may give.
func (s *Snapshot) fault(m *Policy) string {
	isTime := func(t float64) bool { return t >= 0 && t <= math.MaxFloat64 }
	isTimeOrNone := func(t float64) bool { return t == -1 || isTime(t) }
	if s.Version != snapshotVersion {
		return fmt.Sprintf("Version is %d, want %d", s.Version, snapshotVersion)
	}
	if !isTime(s.Last) || !isTime(s.Next) || s.Next < s.Last || !isTimeOrNone(s.Reclaimed) || s.Changed < 0 || s.Changed > len(m.Changes) {
		return "Last, Next, Reclaimed or Changed is out of range"
	}
	var users []market.User
	for u, a := range s.Accounts {
		if !isTime(a.Used[0]) || !isTime(a.Used[1]) || !isTime(a.Until) || a.Until < s.Last || !isTimeOrNone(a.Waiting[0]) || !isTimeOrNone(a.Waiting[1]) || !isTime(a.Share) {
			return fmt.Sprintf("Accounts[%d] has a number out of range", u)
		}
		users = append(users, a.User)
	}
	if _, _, err := market.Step(nil, market.Slots{}, users, m.Rules); err != nil {
		return "Accounts: " + err.Error()
	}
	var killed []int
	for i, k := range s.Kills {
		if k.Times < 1 || k.Times > math.MaxInt32 {
			return fmt.Sprintf("Kills[%d].Times is %d, want a number in [1, 2^31)", i, k.Times)
		}
		killed = append(killed, k.Task)
	}
	if !ascending(s.Spare) || !ascending(killed) || !ascending(s.Vain) {
		return "Spare, the tasks of Kills or Vain: want numbers in [0, 2^31), each greater than the one before it"
	}
	return ""
}

// ascending reports whether a list has numbers of attempts, tasks or jobs, each greater than the
// one before it.
func ascending(list []int) bool {
	last := -1
	for _, i := range list {
		if i <= last || i > math.MaxInt32 {
			return false
		}
		last = i
	}
	return true
}

// fits reports whether a run has the users, attempts, tasks and jobs of a snapshot.
func (s *Snapshot) fits(v *slotmodel.View) bool {
	return len(s.Accounts) == v.Users() &&
		!slices.ContainsFunc(s.Spare, func(x int) bool { return v.Attempt(slotmodel.Attempt(x)).Job == slotmodel.None }) &&
		!slices.ContainsFunc(s.Kills, func(k Kills) bool { j, _, _ := v.Index(slotmodel.Task(k.Task)); return j == slotmodel.None }) &&
		!slices.ContainsFunc(s.Vain, func(j int) bool { return j >= v.Jobs() })
}

// resume sets the state of a run to that of a snapshot. If the run does not fit, nothing starts.
func (m *Policy) resume(v *slotmodel.View, s *Snapshot) {
	if !s.fits(v) {
		m.run = run{}
		return
	}
	m.state = *s
	m.state.Accounts, m.state.Spare, m.state.Kills, m.state.Vain = nil, nil, nil, nil
	for u, a := range s.Accounts {
		m.accounts[u].Account = a
		for k := range slotmodel.Kind(2) {
			m.accounts[u].held[k] = v.UserRunning(slotmodel.User(u), k)
		}
	}
	for _, i := range s.Spare {
		x := v.Attempt(slotmodel.Attempt(i))
		m.unpaid[slotmodel.Attempt(i)] = true
		m.accounts[v.Spec(x.Job).User].unpaid[x.Kind]++
	}
	for _, k := range s.Kills {
		m.kills[slotmodel.Task(k.Task)] = k.Times
	}
	for _, j := range s.Vain {
		m.taker.Vain[j] = true
	}
}
