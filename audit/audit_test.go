package audit_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/audit"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

var inf, nan = math.Inf(1), math.NaN()

// shortfall is audit.Shortfall of what must be right.
func shortfall(t testing.TB, capacity []audit.Capacity, spans []audit.Span, o audit.Options) ([]audit.Debt, audit.Report) {
	t.Helper()
	debts, report, err := audit.Shortfall(nil, capacity, spans, o)
	if err != nil {
		t.Fatal(err)
	}
	return debts, report
}

// Two users of one server who take turns of a second are each owed a quarter of the time, half a
// second at worst, and on balance nothing.
func TestTurnsOweAQuarter(t *testing.T) {
	const turns = 1000
	var spans []audit.Span
	for k := range turns {
		spans = append(spans, audit.Span{User: k % 2, From: 0, Start: float64(k), End: float64(k + 1), Amount: 1})
	}
	// Both want the server to the end.
	spans = append(spans, audit.Span{User: 0, Start: inf, End: inf, Amount: 1}, audit.Span{User: 1, Start: inf, End: inf, Amount: 1})
	debts, report := shortfall(t, []audit.Capacity{{Amount: 1}}, spans, audit.Options{})
	for i, d := range debts {
		want := audit.Debt{Entitled: turns / 2, Had: turns / 2, Owed: turns / 4, Beyond: turns / 4, Worst: .5, WorstFrom: float64(1 - i), WorstTo: float64(2 - i), WorstSpan: 2 - i}
		endless := 0. // of each turn of the other, the last span has one part in all that wait
		for k := 1 - i; k < turns; k += 2 {
			endless += .5 / float64((turns-k)/2+1)
		}
		if math.Abs(d.NeverRan-endless) > 1e-12 {
			t.Errorf("user %d: %v by the span that never ran, want %v", i, d.NeverRan, endless)
		}
		if d.NeverRan = 0; d != want {
			t.Errorf("user %d: %+v, want %+v", i, d, want)
		}
		if report.Pairs[i][1-i] != turns/4 {
			t.Errorf("pairs %v, want %v from the other", report.Pairs[i], turns/4)
		}
	}
	if want := "nobody is owed anything on balance; the worst window: user 0 missed 0.5 from 1 to 2"; report.Text != want {
		t.Errorf("%q, want %q", report.Text, want)
	}
}

// The queues of an issue of KAI: team-a has 4 of 16 deserved GPUs while batch has 18 above its own 8.
func TestQueuesByPairs(t *testing.T) {
	const teamA, research, batch, archive, hours = 0, 1, 2, 3, 10.
	claims := []aging.Claim{{Floor: 16}, {Floor: 8}, {Floor: 8}, {Floor: 9}}
	spans := []audit.Span{
		{User: teamA, Start: 0, End: hours, Amount: 4}, {User: teamA, Start: hours, End: inf, Amount: 12},
		{User: research, Start: 0, End: hours, Amount: 2}, {User: research, Start: inf, End: hours, Amount: 30},
		{User: batch, Start: 0, End: hours, Amount: 26},
		{User: archive, Start: 0, End: hours, Amount: 9},
	}
	debts, report := shortfall(t, []audit.Capacity{{Amount: 41}}, spans, audit.Options{Claims: claims})
	for i, want := range []float64{12 * hours, 6 * hours, -18 * hours, 0} {
		if d := debts[i]; d.Net != want || d.Owed-d.Beyond != want {
			t.Errorf("user %d: %+v, want Net %v", i, d, want)
		}
	}
	if p := report.Pairs; p[teamA][batch] != 12*hours || p[research][batch] != 6*hours || p[batch] != nil || p[archive] != nil {
		t.Errorf("pairs %v, want batch to hold what the others are owed", p)
	}
	if want := "user 0 is owed most: it had 40 of 160, and 100% of what it missed was used by user 2; the worst window: user 0 missed 120 from 0 to 10"; report.Text != want {
		t.Errorf("%q, want %q", report.Text, want)
	}
}

// Of equal windows the one that ends first counts, and of those the shortest; a limit divides a long
// wait, and a debt that comes and goes is found beside others.
func TestWorstWindow(t *testing.T) {
	// gaps are what the one user is owed at the times 0, 1, 2 ..., of a capacity of 10 which it wants
	// whole.
	for _, c := range []struct {
		gaps            []float64
		limit           float64
		worst, from, to float64
	}{
		{[]float64{1, -1, 1}, 0, 1, 0, 1},
		{[]float64{1, -1, 2}, 0, 2, 2, 3},
		{[]float64{0, 1, 0, -1}, 0, 1, 1, 2},
		{[]float64{3, -1, 3, -9, 4}, 0, 5, 0, 3},
		{[]float64{3, -1, 3, -9, 4}, 2, 4, 4, 5},
		{[]float64{3, -1, 3, -9}, 2.5, 3.5, 0, 2.5},
		{[]float64{2, 2, 2, 2}, 3, 6, 0, 3},
		{[]float64{1, 2, 2, 1}, 3, 5, 0, 3},
		{[]float64{1, 2, 2, 1}, 100, 6, 0, 4},
		{[]float64{-1, -2}, 0, 0, 0, 0},
	} {
		spans := []audit.Span{{Start: inf, End: inf, Amount: 10}}
		for k, gap := range c.gaps {
			spans = append(spans, audit.Span{From: 0, Start: float64(k), End: float64(k + 1), Amount: 10 - gap})
		}
		debts, _ := shortfall(t, []audit.Capacity{{Amount: 10}}, spans, audit.Options{Window: c.limit})
		if d := debts[0]; d.Worst != c.worst || d.WorstFrom != c.from || d.WorstTo != c.to {
			t.Errorf("gaps %v, Window %v: %v from %v to %v, want %v from %v to %v",
				c.gaps, c.limit, d.Worst, d.WorstFrom, d.WorstTo, c.worst, c.from, c.to)
		}
	}
}

// What nobody used while somebody waited is said to have stood idle; amounts may add up to more than
// one may be.
func TestIdle(t *testing.T) {
	const most = 0x1p200
	spans := []audit.Span{{Start: inf, End: 2, Amount: most}, {Start: inf, End: 4, Amount: most}}
	shortfall(t, []audit.Capacity{{Time: -most, Amount: 0x1p-200}}, []audit.Span{{From: -most, Start: most, End: most, Amount: 0x1p-200}}, audit.Options{Until: most})
	debts, report := shortfall(t, []audit.Capacity{{Amount: most}}, spans, audit.Options{})
	if debts[0].Owed != 4*most || report.Idle != 4*most || report.Pairs[0][1] != 4*most {
		t.Errorf("%+v, %+v, want 4 x 2^200 owed and idle", debts, report)
	}
	if want := "user 0 is owed most: it had 0 of 6.42775e+60, and 100% of what it missed stood idle; the worst window: user 0 missed 6.42775e+60 from 0 to 4"; report.Text != want {
		t.Errorf("%q, want %q", report.Text, want)
	}
}

// The verdict names who is owed most and, of those who had most of that, the user of the lowest index,
// before what stood idle.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		capacity float64
		had      []float64 // by each of the first users from 0 to 10
		wants    []float64 // what each of the next ones waits for
		want     string
	}{
		{6, []float64{6}, []float64{1, 9}, "user 2 is owed most: it had 0 of 25, and 100% of what it missed was used by user 0; the worst window: user 2 missed 25 from 0 to 10"},
		{6, []float64{3, 3}, []float64{6}, "user 2 is owed most: it had 0 of 20, and 50% of what it missed was used by user 0; the worst window: user 2 missed 20 from 0 to 10"},
		{8, []float64{6}, []float64{8}, "user 1 is owed most: it had 0 of 40, and 50% of what it missed was used by user 0; the worst window: user 1 missed 40 from 0 to 10"},
	} {
		var spans []audit.Span
		for i, amount := range c.had {
			spans = append(spans, audit.Span{User: i, End: 10, Amount: amount})
		}
		for i, amount := range c.wants {
			spans = append(spans, audit.Span{User: len(c.had) + i, Start: inf, End: 10, Amount: amount})
		}
		if _, report := shortfall(t, []audit.Capacity{{Amount: c.capacity}}, spans, audit.Options{}); report.Text != c.want {
			t.Errorf("of %v, users with %v, others who want %v: %q, want %q", c.capacity, c.had, c.wants, report.Text, c.want)
		}
	}
}

// What stands idle in too small a part for any job that waits is a column of its own.
func TestIdleTooSmall(t *testing.T) {
	wide, narrow := audit.Span{User: 0, Start: inf, End: inf, Amount: 16}, audit.Span{User: 1, Start: 0, End: 10, Amount: 1}
	for _, c := range []struct {
		spans []audit.Span
		row   []float64
		text  string
	}{
		{[]audit.Span{wide, narrow}, []float64{0, 0, 0, 150}, "100% of what it missed stood idle, of which 100% was too small for any job of it"},
		{[]audit.Span{wide, narrow, {User: 0, From: 5, Start: inf, End: inf, Amount: 2}}, []float64{0, 0, 75, 75}, "of which 50% was too small"},
		{[]audit.Span{wide, narrow, {User: 0, From: 5, Start: inf, End: inf, Amount: 15}}, []float64{0, 0, 75, 75}, "of which 50% was too small"},
		{[]audit.Span{{User: 0, Start: inf, End: inf, Amount: .1}, {User: 1, Start: 0, End: 10, Amount: 15.9}}, []float64{0, 0, 1, 0}, "stood idle;"}, // but for rounding
		// A job that waits for another user's room does not help.
		{[]audit.Span{wide, narrow, {User: 1, From: 0, Start: inf, End: 10, Amount: 2}}, []float64{0, 0, 0, 130}, "100% was too small"},
	} {
		_, report := shortfall(t, []audit.Capacity{{Amount: 16}}, c.spans, audit.Options{Until: 10})
		if !slices.Equal(report.Pairs[0], c.row) || !strings.Contains(report.Text, c.text) {
			t.Errorf("%+v: pairs %v, %q, want %v and %q", c.spans, report.Pairs[0], report.Text, c.row, c.text)
		}
	}
}

// Beyond Patience a wait counts for nothing, the run that follows does, and the audit is as long as
// without it.
func TestPatience(t *testing.T) {
	spans := []audit.Span{
		{User: 0, From: 0, Start: inf, End: inf, Amount: 8}, // never runs
		{User: 0, From: 2, Start: 20, End: 22, Amount: 4},
		{User: 1, From: 0, Start: 0, End: 10, Amount: 8}, {User: 1, From: 10, Start: 10, End: 24, Amount: 7},
		{User: 1, From: 24, Start: inf, End: inf, Amount: 1}, // after the last change
	}
	for _, c := range []struct {
		patience       float64
		entitled, owed float64 // of user 0, who is entitled to half of 8
		span           int
	}{{0, 96, 88, 0}, {inf, 96, 88, 0}, {24, 96, 88, 0}, {3, 20 + 8, 20, 0}, {18, 80 + 8, 80, 0}} {
		debts, report := shortfall(t, []audit.Capacity{{Amount: 8}}, spans, audit.Options{Patience: c.patience})
		if d := debts[0]; d.Entitled != c.entitled || d.Owed != c.owed || d.Had != 8 || d.WorstSpan != c.span || debts[1].Had != 178 || debts[1].Owed != 0 {
			t.Errorf("Patience %v: %+v, %+v, want %v entitled, %v owed and span %d", c.patience, debts, report, c.entitled, c.owed, c.span)
		}
	}
}

// Within the worst window the largest amount x time that counts is to blame, ties by index, and an
// inner node has the spans below.
func TestWorstSpan(t *testing.T) {
	spans := []audit.Span{
		{User: 1, From: 0, Start: inf, End: 4, Amount: 1},
		{User: 1, From: 0, Start: inf, End: 2, Amount: 2},
		{User: 2, From: 0, Start: inf, End: 1, Amount: 4},
		{User: 2, From: 5, Start: 5, End: 9, Amount: 16},
		{User: 3, From: 0, Start: 0, End: 9, Amount: 1},
	}
	o := audit.Options{Parents: []int{-1, 0, 0, -1}}
	for _, c := range []struct {
		patience float64
		want     []int
	}{{0, []int{0, 0, 2, -1}}, {1.5, []int{2, 1, 2, -1}}} {
		o.Patience = c.patience
		debts, _ := shortfall(t, []audit.Capacity{{Amount: 16}}, spans, o)
		for i, d := range debts {
			if d.WorstSpan != c.want[i] {
				t.Errorf("Patience %v, node %d: %+v, want span %d", c.patience, i, d, c.want[i])
			}
		}
	}
}

// Each is told every stretch once, and what it is told adds up to the debts.
func TestEach(t *testing.T) {
	spans := []audit.Span{
		{User: 0, From: 1, Start: 2, End: 4, Amount: 3}, {User: 1, From: 1, Start: 1, End: 3, Amount: 4},
		{User: 1, From: 2, Start: 2, End: 2, Amount: 9}, // no time
		{User: 0, From: 7, Start: 7, End: inf, Amount: 1},
	}
	var had, entitled [2]float64
	last := 1.
	debts, _ := shortfall(t, []audit.Capacity{{Amount: 4}, {Time: 3, Amount: 2}}, spans, audit.Options{Until: 9, Each: func(from, to float64, e, h []float64) {
		if from != last || to <= from {
			t.Errorf("a stretch from %v to %v, want it from %v", from, to, last)
		}
		last = to
		for i := range e {
			entitled[i], had[i] = entitled[i]+e[i]*(to-from), had[i]+h[i]*(to-from)
		}
	}})
	for i, d := range debts {
		if d.Entitled != entitled[i] || d.Had != had[i] {
			t.Errorf("user %d: %+v, and Each was told %v and %v", i, d, entitled[i], had[i])
		}
	}
	if last != 9 {
		t.Errorf("the last stretch ends at %v, want Until", last)
	}
	shortfall(t, []audit.Capacity{{}}, spans, audit.Options{Until: .5, Each: func(from, to float64, _, _ []float64) {
		t.Errorf("a stretch from %v to %v, after Until", from, to)
	}})
}

func TestRefused(t *testing.T) {
	one, span := []audit.Capacity{{Amount: 1}}, audit.Span{Start: 1, End: 2, Amount: 1}
	two := []aging.Claim{{}, {}}
	spans := func(change func(s *audit.Span)) []audit.Span {
		s := span
		change(&s)
		return []audit.Span{span, s}
	}
	bad := func(arg string, index int, capacity []audit.Capacity, spans []audit.Span, o audit.Options) expect.Call {
		return expect.Bad(arg, index, make([]audit.Debt, 1, 9), capacity, spans, o)
	}
	calls := []expect.Call{
		bad("capacity", -1, nil, nil, audit.Options{}),
		bad("capacity", 1, []audit.Capacity{{Time: 2}, {Time: 1}}, nil, audit.Options{}),
		bad("o", -1, one, nil, audit.Options{Claims: two, Parents: []int{-1}}),
		bad("o", 1, one, nil, audit.Options{Parents: []int{-1, 2}}),
		bad("o", 0, one, nil, audit.Options{Parents: []int{1, 0}}),
		bad("o", -1, one, nil, audit.Options{Floors: 2}),
		bad("o", 1, one, nil, audit.Options{Claims: []aging.Claim{{}, {Weight: -1}}}),
		bad("o", 0, one, nil, audit.Options{Claims: []aging.Claim{{Floor: inf}}}),
		bad("o", 0, one, nil, audit.Options{Claims: []aging.Claim{{Demand: nan}}}),
		bad("spans", 0, one, []audit.Span{span}, audit.Options{Parents: []int{-1, 0}}), // has a child
		bad("spans", 1, one, spans(func(s *audit.Span) { s.User = 1 }), audit.Options{Claims: two[:1]}),
		bad("spans", 1, one, spans(func(s *audit.Span) { s.User = 2 }), audit.Options{}), // as many as the spans
	}
	for _, x := range []float64{nan, -1, inf, 0x1p-201, 0x1p201} {
		calls = append(calls,
			bad("capacity", 0, []audit.Capacity{{Amount: x}}, nil, audit.Options{}),
			bad("spans", 1, one, spans(func(s *audit.Span) { s.Amount = x }), audit.Options{}))
	}
	for _, x := range []float64{nan, inf, -inf, 0x1p201} {
		calls = append(calls,
			bad("capacity", 1, []audit.Capacity{{Time: 0}, {Time: x}}, nil, audit.Options{}),
			bad("spans", 1, one, spans(func(s *audit.Span) { s.From = x }), audit.Options{}),
			bad("o", -1, one, nil, audit.Options{Until: x}))
	}
	for _, x := range []float64{nan, -inf, -1, 0x1p201, 3} { // 3: after End
		calls = append(calls, bad("spans", 1, one, spans(func(s *audit.Span) { s.Start = x }), audit.Options{}))
	}
	for _, x := range []float64{nan, -inf, .5, 0x1p201} { // .5: after From, before Start
		calls = append(calls, bad("spans", 1, one, spans(func(s *audit.Span) { s.End = x }), audit.Options{}))
	}
	calls = append(calls,
		bad("spans", 1, one, spans(func(s *audit.Span) { s.User = -1 }), audit.Options{}),
		bad("spans", 1, one, spans(func(s *audit.Span) { s.Start, s.End = inf, -1 }), audit.Options{}), // cancelled before it came
		bad("spans", 1, one, spans(func(s *audit.Span) { s.Start, s.End = 0x1p201, inf }), audit.Options{}),
		bad("o", -1, one, nil, audit.Options{Window: -1}),
		bad("o", -1, one, nil, audit.Options{Window: nan}),
		bad("o", -1, one, nil, audit.Options{Patience: -1}),
		bad("o", -1, one, nil, audit.Options{Patience: nan}))
	expect.Refused(t, "audit.Shortfall", audit.Shortfall, nil, calls...)
}

// A span of 3 waits from 0 on and never runs, one of 1 from 2 to 6: of the 6 that their user misses
// up to 6, since the other one holds both slots, each has its part of what waits. With a patience of 4
// the first asks for nothing from 4 on.
func TestPartsOfDebt(t *testing.T) {
	spans := []audit.Span{{User: 0, From: 0, Start: 0, End: 6, Amount: 2}, {User: 1, From: 0, Start: inf, End: inf, Amount: 3}, {User: 1, From: 2, Start: 6, End: 7, Amount: 1}}
	debts, report := shortfall(t, []audit.Capacity{{Amount: 2}}, spans, audit.Options{Patience: 4, Until: 6})
	if d := debts[1]; d.Owed != 6 || d.NeverRan != 2+2*.75 || d.Late != 0 {
		t.Errorf("with patience: %+v", d)
	}
	if d := report.Whole[1]; d.Owed != 6 || d.NeverRan != 2+4*.75 || d.Late != 2*.75 {
		t.Errorf("without: %+v", d)
	}
	if _, report := shortfall(t, []audit.Capacity{{Amount: 2}}, spans, audit.Options{Patience: 6, Until: 6}); report.Whole != nil {
		t.Errorf("nobody waits for longer than 6 until 6: %+v", report.Whole)
	}
	spans = []audit.Span{{User: 0, End: 10, Amount: 2}, {User: 1, Start: 1, End: 10, Amount: 1}, {User: 1, Start: inf, End: inf}}
	if _, report := shortfall(t, []audit.Capacity{{Amount: 2}}, spans, audit.Options{Patience: 3}); report.Whole != nil {
		t.Errorf("nobody waits for anything for longer than 3: %+v", report.Whole)
	}
	spans[2].Amount = .5 // waits for 10 x .5, the one before for 1 x 1
	if _, report := shortfall(t, []audit.Capacity{{Amount: 4}}, spans, audit.Options{Patience: .5}); report.Whole[1].WorstSpan != 2 {
		t.Errorf("%+v, want the worst span 2", report.Whole[1])
	}
}
