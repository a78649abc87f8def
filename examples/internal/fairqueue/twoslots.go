package fairqueue

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

const (
	tenants  = 10
	longest  = .5                            // s; lengths are from .1 s on
	sfqBound = (2 + 1) * (longest + longest) // SFQ(D) on D = 2 slots, in seconds of service
)

// A standing is what ten tenants get on two slots who always have something to run.
type standing struct {
	times, gaps []float64 // when the greatest difference between two tenants grew, and to what
	served      [tenants]float64
}

// stand plays a rule for some seconds. Tenants have requests of the same seed under each rule.
func stand(rule rule, seconds float64, seed uint64) (s standing, err error) {
	src := rand.New(rand.NewPCG(seed, 1))
	var list []request
	for range int(5 * seconds) { // more than one slot can serve
		for t := range tenants {
			list = append(list, request{flow: t, length: .1 + (longest-.1)*src.Float64()})
		}
	}
	err = serve(rule, 2, seconds, list, func(r *request) {
		s.served[r.flow] += r.length
		if gap := slices.Max(s.served[:]) - slices.Min(s.served[:]); len(s.gaps) == 0 || gap > s.gap() {
			s.times, s.gaps = append(s.times, r.start), append(s.gaps, gap)
		}
	})
	s.times, s.gaps = append(s.times, seconds), append(s.gaps, s.gap())
	return s, err
}

// standings are those by slots held; by tokens forgotten each second, ties by number and by a draw;
// by tokens never forgotten; and ours.
func standings(seconds float64, seed uint64) (list [5]standing, err error) {
	ours, err := newStartTags(exactly, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
	if err != nil {
		return list, err
	}
	by := func(u used) rule {
		u.queues, u.amount = make(queues, tenants), make([]float64, tenants)
		return &u
	}
	rules := []rule{by(used{slots: true}), by(used{forget: 1}), by(used{forget: 1, ties: rand.New(rand.NewPCG(seed, 2))}), by(used{forget: math.Inf(1)}), ours}
	for i, rule := range rules {
		if list[i], err = stand(rule, seconds, seed); err != nil {
			return list, err
		}
	}
	return list, nil
}

func (s *standing) gap() float64 { return s.gaps[len(s.gaps)-1] }
func (s *standing) part() float64 { // least service of a tenant over the mean
	sum := 0.0
	for _, x := range s.served {
		sum += x
	}
	return slices.Min(s.served[:]) / (sum / tenants)
}

func twoSlotsClaims(s [5]standing) []report.Claim {
	within := "no two tenants further apart than 3 (.5 s + .5 s), at any time"
	return []report.Claim{
		claim("by slots held, a tenant whose task ends is level with those never served", "arbitrary: ties decide", "with ties by number some tenant gets nothing", s[0].part() == 0,
			"past service counts", "the least served gets %.2f of the mean", s[0].part()),
		claim("by tokens that are forgotten each second ties decide anew", "used tokens are forgotten each second", "with ties by number some tenant gets less than half of the mean", s[1].part() < .5,
			"past service counts", "the least served gets %.2f of the mean", s[1].part()),
		claim("ties by a draw do not repair it: the tenants drift apart", "not considered", "some two tenants further apart than SFQ allows", s[2].gap() > sfqBound,
			"chance has evened out", "%.1f s apart", s[2].gap()),
		claim("tokens that are never forgotten repair it while all are active", "not considered", within, s[3].gap() <= sfqBound,
			"past service is lost", "%.2f s apart", s[3].gap()),
		claim("start tags repair it", "the bound of SFQ(D)", within, s[4].gap() <= sfqBound,
			"past service is lost", "%.2f s apart", s[4].gap()),
	}
}

func figureTwoSlots(o report.Options) (report.Figure, error) {
	f := report.NewFigure("Two slots and ten tenants: CockroachDB's work queue",
		"Greatest difference in service between two of ten tenants so far. All wait all the time; tasks run for .1 to .5 s. The tenant of the fewest slots held, or tokens used, is next; tokens are forgotten each second (August 2026).",
		"rule", "time_s", "gap_s")
	seconds := 600.0
	if o.Quick {
		seconds = 200
	}
	list, err := standings(seconds, o.Seed)
	if err != nil {
		return f, err
	}
	c := &draw.Chart{X: draw.Axis{Label: "time (s)", Max: seconds}, Y: draw.Axis{Label: "greatest difference (s)", Log: true, Min: .3, Max: seconds}, GridY: true}
	for i, name := range []string{"slots held", "forgotten each second", "ties by a draw", "never forgotten", "fairqueue"} {
		s := list[i]
		for k := range s.times {
			f.Numbers.Add(name, s.times[k], s.gaps[k])
		}
		c.Steps(name, s.times, s.gaps, looks[[]int{3, 0, 4, 1, 2}[i]])
	}
	c.Level("bound of SFQ", sfqBound, looks[5])
	return f.Done(twoSlotsClaims(list), "By slots and by tokens that are forgotten the difference grows with time, with ties by a draw more slowly; without forgetting and by start tags it stays below a second.", c)
}
