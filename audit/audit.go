package audit

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/input"
	"github.com/schedmath/schedmath/internal/tree"
)

// Span is a job, a task or a part of one: it waits from From to Start and runs from Start to End.
type Span struct {
	User   int     // index of a leaf of the tree
	From   float64 // when it began to wait
	Start  float64 // when it began to run, From or later; +Inf: it never did
	End    float64 // when it ended, or was cancelled if it never ran; +Inf: it runs or waits still
	Amount float64 // what it waits for and runs on
}

// Capacity is what there is from Time until the Time of the next one.
type Capacity struct{ Time, Amount float64 }

// Options say who is entitled to what, and when the audit ends. The zero value: all users are
// equal, under the root, and the log is audited to its last event.
type Options struct {
	// Parents[i] is the index of the parent of node i, -1 for a child of the root; nil puts all
	// under the root
	Parents []int
	// Claims are the Weight, Floor and Priority of each node, and as Demand the most that it is
	// entitled to, 0 for no limit: demands come from the spans. nil: weight 1 for each node of
	// Parents or, without Parents, for each user up to the last with a span
	Claims []aging.Claim
	Floors aging.Floors
	// Until ends the audit: where spans wait or run still, when the log was taken. 0: the last finite
	// time at which a span or the capacity changes
	Until  float64
	Window float64 // longest window that Worst is sought in; 0: any
	// Patience is for how long a span's wait counts, from From on; 0: all of it. Beyond it the span
	// asks for nothing until it runs
	Patience float64
	// Each, if there is one, is told what each node is entitled to and has from a time to a later
	// one, in order of time, for stretches on which both are constant: for figures. It must not keep
	// the slices
	Each func(from, to float64, entitled, had []float64)
}

// Debt is what one node was owed: amounts x time up to the end of the audit. An inner node has the
// sum of its children's entitlements and uses.
type Debt struct {
	Entitled, Had float64
	Owed          float64 // integral of the entitlement above the use
	Beyond        float64 // integral of the use above the entitlement
	Net           float64 // Owed - Beyond, which is Entitled - Had
	// Worst is the greatest integral of entitlement less use over a window, WorstFrom to WorstTo:
	// of equal ones the one that ends first, and of those the shortest; 0 if nothing was ever owed
	Worst, WorstFrom, WorstTo float64
	// WorstSpan is the index of the span of the node, or of a leaf below, that waited for most,
	// amount x time within Patience, in that window; ties go to the lower index; -1: none did
	WorstSpan int
	// NeverRan and Late are the parts of the Owed of a leaf by spans that never ran, and by what spans
	// waited for beyond Patience: at each instant the gap is divided among the spans that wait, by
	// Amount. Late is above 0 in Report.Whole alone
	NeverRan, Late float64
}

// Report is what an audit says beyond each node's debt.
type Report struct {
	Idle float64 // integral of the entitlements above all use: what nobody used
	Over float64 // integral of the use above all entitlements
	// Pairs[i][j] is what leaf i is owed and leaf j had above its own entitlement. Of n nodes, column
	// n is what stood idle and had room for the smallest span of i that waited, column n+1 what stood
	// idle in too small a part for any. A row sums up to Owed, the two columns to Idle; nil: i is owed
	// nothing, or is an inner node
	Pairs [][]float64
	Text  string // the verdict in a line: the greatest Net and the greatest Worst of the leaves
	// Whole are the debts if all of each wait counted; nil: no span waits for longer than Patience
	Whole []Debt
}

// Shortfall appends to dst what each node of the tree was owed, in order of index. A demand is what
// spans ask for from From to End, a use what they ask for from Start to End. The first Capacity
// counts before its Time too. Answers hold to 2e-12 of what all together were entitled to and had.
//
// Errors: no capacity, or one with a Time before that of the one before it; times and amounts that
// are NaN or out of range; a Start before From, or an End before either; a User that is no leaf or,
// without Claims and Parents, not below the number of spans; Claims and Parents of different
// lengths, or that aging.Shares refuses; an Until, a Window or a Patience out of range.
func Shortfall(dst []Debt, capacity []Capacity, spans []Span, o Options) ([]Debt, Report, error) {
	claims, t, err := check(capacity, spans, o)
	if err != nil {
		return dst, Report{}, err
	}
	s := newSweep(capacity, spans, slices.Clone(claims), t, o)
	s.run()
	n := len(dst)
	dst = s.debts(dst)
	r := Report{Idle: s.idle.Float(), Over: s.over.Float(), Pairs: s.pairs}
	r.Text = verdict(dst[n:], s.leaf, r.Pairs)
	for i := range spans {
		if x := &spans[i]; s.impatient(x) && x.Amount > 0 && x.From+s.Patience < s.now {
			s = newSweep(capacity, spans, claims, t, o)
			s.whole, s.Each = true, nil
			s.run()
			r.Whole = s.debts(nil)
			break
		}
	}
	return dst, r, nil
}

// debts appends the debts of all nodes.
func (s *sweep) debts(dst []Debt) []Debt {
	n := len(dst)
	for i := range s.accounts {
		dst = append(dst, s.accounts[i].debt())
	}
	s.blame(dst[n:])
	return dst
}

const (
	fn   = "audit.Shortfall"
	most = 0x1p200 // as in package aging

	amountRange = "want 0 or a value in [2^-200, 2^200]"
	timeRange   = "want a time in [-2^200, 2^200]"
)

func isAmount(x float64) bool { return x == 0 || x >= 0x1p-200 && x <= most }

func isTime(x float64) bool { return x >= -most && x <= most }

// check returns the claims, with +Inf for a Demand without limit, and their tree.
func check(capacity []Capacity, spans []Span, o Options) ([]aging.Claim, tree.Tree, error) {
	refuse := func(arg string, i int, format string, args ...any) ([]aging.Claim, tree.Tree, error) {
		return nil, tree.Tree{}, input.Bad(fn, arg, i, format, args...)
	}
	if len(capacity) == 0 {
		return refuse("capacity", -1, "empty, want one entry at least")
	}
	for i, c := range capacity {
		switch {
		case !isTime(c.Time):
			return refuse("capacity", i, "Time is %v, %s", c.Time, timeRange)
		case i > 0 && c.Time < capacity[i-1].Time:
			return refuse("capacity", i, "Time is %v, before the %v of the one before", c.Time, capacity[i-1].Time)
		case !isAmount(c.Amount):
			return refuse("capacity", i, "Amount is %v, %s", c.Amount, amountRange)
		}
	}
	switch {
	case !isTime(o.Until):
		return refuse("o", -1, "Until is %v, %s", o.Until, timeRange)
	case !(o.Window >= 0):
		return refuse("o", -1, "Window is %v, want 0 or more", o.Window)
	case !(o.Patience >= 0):
		return refuse("o", -1, "Patience is %v, want 0 or more", o.Patience)
	case o.Claims != nil && o.Parents != nil && len(o.Claims) != len(o.Parents):
		return refuse("o", -1, "%d Claims for %d Parents", len(o.Claims), len(o.Parents))
	}
	n := max(len(o.Claims), len(o.Parents))
	said := o.Claims != nil || o.Parents != nil
	for i, s := range spans {
		switch {
		case s.User < 0 || said && s.User >= n:
			return refuse("spans", i, "User is %d, want the index of one of %d nodes", s.User, n)
		case s.User >= len(spans) && !said:
			return refuse("spans", i, "User is %d, want less than the %d spans, or Claims for those who have none", s.User, len(spans))
		case !isTime(s.From):
			return refuse("spans", i, "From is %v, %s", s.From, timeRange)
		case !(s.Start >= s.From) || !isTime(s.Start) && !math.IsInf(s.Start, 1):
			return refuse("spans", i, "Start is %v, want +Inf or a time from From, %v, to 2^200", s.Start, s.From)
		case !(s.End >= s.From) || !isTime(s.End) && !math.IsInf(s.End, 1):
			return refuse("spans", i, "End is %v, want +Inf or a time from From, %v, to 2^200", s.End, s.From)
		case s.End < s.Start && !math.IsInf(s.Start, 1):
			return refuse("spans", i, "End is %v, before its Start %v", s.End, s.Start)
		case !isAmount(s.Amount):
			return refuse("spans", i, "Amount is %v, %s", s.Amount, amountRange)
		}
		if !said {
			n = max(n, s.User+1)
		}
	}
	claims := make([]aging.Claim, n)
	copy(claims, o.Claims)
	if _, err := aging.Shares(nil, 0, claims, o.Parents, o.Floors); err != nil {
		return nil, tree.Tree{}, input.As(fn, "o", err)
	}
	t, _, _ := tree.New(n, o.Parents) // Shares has taken the same
	for i, s := range spans {
		if len(t.Children(s.User)) > 0 {
			return refuse("spans", i, "User is %d, which has children", s.User)
		}
	}
	for i := range claims {
		claims[i].Demand = cmp.Or(claims[i].Demand, math.Inf(1))
	}
	return claims, t, nil
}

// verdict says who is owed most on balance, and whose worst window is the worst.
func verdict(debts []Debt, leaf []bool, pairs [][]float64) string {
	net, worst := -1, -1
	for i, d := range debts {
		switch {
		case !leaf[i] || d.Owed == 0:
			continue
		case net < 0 || d.Net > debts[net].Net:
			net = i
		}
		if worst < 0 || d.Worst > debts[worst].Worst {
			worst = i
		}
	}
	if worst < 0 {
		return "nobody was owed anything"
	}
	text := "nobody is owed anything on balance"
	if d := debts[net]; d.Net > 0 {
		row, n := pairs[net], len(debts)
		had, missed := -1, row[n]+row[n+1]
		for j, x := range row[:n] {
			if x > missed || had < 0 && x == missed {
				had, missed = j, x
			}
		}
		where := fmt.Sprintf("was used by user %d", had)
		switch {
		case had >= 0:
		case row[n+1] > 0:
			where = fmt.Sprintf("stood idle, of which %.0f%% was too small for any job of it", 100*row[n+1]/missed)
		default:
			where = "stood idle"
		}
		text = fmt.Sprintf("user %d is owed most: it had %.6g of %.6g, and %.0f%% of what it missed %s",
			net, d.Had, d.Entitled, 100*missed/d.Owed, where)
	}
	d := debts[worst]
	return fmt.Sprintf("%s; the worst window: user %d missed %.6g from %.10g to %.10g", text, worst, d.Worst, d.WorstFrom, d.WorstTo)
}
