package whatif

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/replay"
	"gonum.org/v1/gonum/floats"
)

// Loads outside of these make a comparison say little.
const (
	lowLoad  = .3
	highLoad = 1 + 1e-9 // and rounding
)

// offer says how loaded the cluster is.
func (s *setting) offer(l loads) string {
	switch {
	case math.IsNaN(l.busiest()):
		return "The offered load is not known: jobs come after others, or all at one time."
	case !s.slots:
		return fmt.Sprintf("Offered load: the work of the jobs is %s times what the server can do from the first arrival to the last.", numbers.Short(l[0]))
	case s.rigid:
		text := fmt.Sprintf("Offered load: the work of the jobs is %s times what %s can do from the first arrival to the last.", numbers.Short(l[0]), s.size())
		if s.Queues > 1 {
			text += fmt.Sprintf(" The %d queues or partitions of the log are played as one machine: play the log of each by itself where they share no nodes.", s.Queues)
		}
		return text
	}
	reduces := ""
	if l[1] > 0 {
		reduces = fmt.Sprintf(", and %s times what the reduce slots can", numbers.Short(l[1]))
	}
	return fmt.Sprintf("Offered load: the work of the jobs is %s times what the map slots of %s can do from the first arrival to the last%s.",
		numbers.Short(l[0]), s.size(), reduces)
}

// warning says behind offer what is wrong with the load, if it is low or high.
func (s *setting) warning(l loads) string {
	switch busiest := l.busiest(); {
	case busiest > highLoad:
		text := " That is more than there is time for: a queue grows until the last arrival, and the numbers tell how long the trace is."
		if s.rigid && s.Machines == 0 && s.Processors == 0 && s.Spans == nil {
			text += fmt.Sprintf(" The file does not say how many processors there were: -machines N plays it on N machines of %d.", mapsPerNode)
		}
		return text
	case busiest < lowLoad:
		return " That is so little that hardly a job waits, and policies hardly differ: -load .7 brings arrivals closer."
	}
	return ""
}

// omniscient are the policies of the slot model that know what nobody knows in a cluster.
var omniscient = []string{"srpt", "llf", "easy-true"}

// really is the row of what really happened; nil: there is none.
func (c *Comparison) really() *Row {
	if i := slices.IndexFunc(c.Rows, func(r Row) bool { return r.Policy == asItWas }); i >= 0 {
		return &c.Rows[i]
	}
	return nil
}

// candidates are the rows of which one may be chosen: what nobody can turn on and what happened are
// not among them, unless there is nothing else.
func (c *Comparison) candidates() (list []*Row) {
	for i := range c.Rows {
		if r := &c.Rows[i]; r.Policy != asItWas && !(c.slots && slices.Contains(omniscient, r.Policy)) {
			list = append(list, r)
		}
	}
	if list == nil {
		list = append(list, &c.Rows[0])
	}
	return list
}

// mean is the first of the two numbers that policies are judged by, Tenth the second one: the mean
// wait, or the mean sojourn time unless jobs hold machines.
func (c *Comparison) mean(r *Row) float64 {
	if c.rigid {
		return r.Wait
	}
	return r.Mean
}

// best are the rows with the least mean, and with the least of the worst tenth, and the rival to
// compare the first with: the first rival, or the second where that is the best.
func (c *Comparison) best() (mean, tenth *Row, rival int) {
	list := c.candidates()
	mean = slices.MinFunc(list, func(a, b *Row) int { return cmp.Or(cmp.Compare(c.mean(a), c.mean(b)), cmp.Compare(a.Tenth, b.Tenth)) })
	tenth = slices.MinFunc(list, func(a, b *Row) int { return cmp.Or(cmp.Compare(a.Tenth, b.Tenth), cmp.Compare(c.mean(a), c.mean(b))) })
	if tenth.Tenth == mean.Tenth {
		tenth = mean
	}
	if mean.Policy == mean.Rivals[0] {
		rival = 1
	}
	return mean, tenth, rival
}

// which says which policy to use, by two numbers, and how it was.
func (c *Comparison) which() string {
	r, second, k := c.best()
	what, long := "mean sojourn time", "the tenth of the jobs that takes longest"
	if c.rigid {
		what, long = "mean wait", "the tenth of the jobs that waits longest"
	}
	both := func(r *Row) string { return numbers.Short(c.mean(r)) + " and " + numbers.Short(r.Tenth) + " s" }
	others := []string{fmt.Sprintf("%s under %s", both(&c.rivals[k]), r.Rivals[k])}
	if really := c.really(); really != nil {
		others = append(others, both(really)+" as it was")
	}
	text := fmt.Sprintf("%s has the least %s, %s s, and the least mean of %s, %s s", r.Policy, what, numbers.Short(c.mean(r)), long, numbers.Short(r.Tenth))
	if second != r {
		text = fmt.Sprintf("%s has the least %s, %s s, where the mean of %s is %s s; %s has the least of that, %s s, with a %s of %s s",
			r.Policy, what, numbers.Short(c.mean(r)), long, numbers.Short(r.Tenth), second.Policy, numbers.Short(second.Tenth), what, numbers.Short(c.mean(second)))
	}
	if c.mean(r) == c.mean(&c.rivals[k]) {
		text = fmt.Sprintf("No policy has a lower %s than %s: %s s, and %s s of %s", what, r.Rivals[k], numbers.Short(c.mean(r)), numbers.Short(r.Tenth), long)
		return strings.Join(append([]string{text}, others[1:]...), "; ") + "." + c.aside()
	}
	interval := "one seed, so no interval: -seeds 20 gives one"
	if d := r.Diff[k]; several(c.Rows) {
		interval = fmt.Sprintf("difference of the means %s to %s s at 95%%", numbers.Short(d.Low()), numbers.Short(d.High()))
		if d.Low() <= 0 && d.High() >= 0 {
			interval += ", so the seeds do not tell them apart"
		}
	}
	return fmt.Sprintf("%s. Beside it %s (%s).%s", text, strings.Join(others, ", "), interval, c.aside())
}

// aside names the rows that are no candidates, though their means may be lower.
func (c *Comparison) aside() string {
	know := slices.DeleteFunc(policies(c.Rows), func(p string) bool { return !c.slots || !slices.Contains(omniscient, p) })
	if len(know) == 0 || len(know) == len(c.Rows) {
		return ""
	}
	return " Left out of that: " + strings.Join(know, ", ") + ", which no site can turn on."
}

// loses says who is worse off under the best policy.
func (c *Comparison) loses() string {
	r, _, k := c.best()
	if r.Later[k] == 0 {
		return fmt.Sprintf("No job ends later under %s than under %s.", r.Policy, r.Rivals[k])
	}
	worst, most := 0, 0. // class, and the part of it
	for class, part := range r.later[k] {
		if part > most {
			worst, most = class, part
		}
	}
	text := fmt.Sprintf("%.0f%% of the jobs end later under %s than under %s, most of all in size class %d of %d (sizes up to %s s), where %.0f%% do",
		100*r.Later[k]/r.Jobs, r.Policy, r.Rivals[k], worst+1, classes, numbers.Short(r.upTo[worst]), 100*most)
	loser, longer := -1, 1.
	for u := range r.users {
		if ratio := r.users[u] / c.rivals[k].users[u]; ratio > longer {
			loser, longer = u, ratio
		}
	}
	if loser >= 0 {
		text += fmt.Sprintf("; of the users %s loses most, with a mean of %s instead of %s s", c.Users[loser], numbers.Short(r.users[loser]), numbers.Short(c.rivals[k].users[loser]))
	}
	return text + "."
}

// risky says which windows jobs run into, and the worst under each policy; "" without windows.
func (c *Comparison) risky() string {
	if c.windows == nil {
		return ""
	}
	var risks []string
	under := map[string][]string{} // the policies of each
	for _, r := range c.Rows {
		if r.AtRisk > 0 {
			if under[r.risk] == nil {
				risks = append(risks, r.risk)
			}
			under[r.risk] = append(under[r.risk], r.Policy)
		}
	}
	if risks == nil {
		return "No window is at risk: none begins while jobs of others hold what it needs."
	}
	return "At risk, since jobs that began before ran longer than was planned: " +
		numbers.Words(risks, "; ", func(risk string) string { return "under " + strings.Join(under[risk], ", ") + " " + risk }) + "."
}

// owes says which user was owed most as it was, or under the first policy, and how much less or more
// it would have been under the others; "" where users do not share a cluster or nobody was owed
// anything.
func (c *Comparison) owes() string {
	base, when := &c.Rows[0], "Under "+c.Rows[0].Policy
	if really := c.really(); really != nil {
		base, when = really, "As it was"
	}
	if len(base.owed) < 2 {
		return ""
	}
	u := floats.MaxIdx(base.owed)
	most := base.owed[u]
	if !(most*hour > laterThan*base.Mean*base.Jobs) {
		return ""
	}
	var changes []string
	under := map[string][]string{} // the policies of each
	for _, r := range c.Rows {
		owed, change := r.owed[u], "as much"
		switch percent := math.Round(100 * (owed/most - 1)); {
		case r.Policy == base.Policy:
			continue
		case owed <= 0:
			change = "nothing"
		case percent >= 100:
			change = numbers.Short(owed/most) + " times as much"
		case percent > 0:
			change = fmt.Sprintf("%.0f%% more", percent)
		case percent < 0:
			change = fmt.Sprintf("%.0f%% less", -percent)
		}
		if under[change] == nil {
			changes = append(changes, change)
		}
		under[change] = append(under[change], r.Policy)
	}
	text := fmt.Sprintf("%s, %s was owed most on balance, %s %s-hours", when, c.Users[u], numbers.Short(most), c.unit())
	if changes != nil {
		text += "; it would have been owed " + numbers.Words(changes, "; ", func(change string) string { return change + " under " + strings.Join(under[change], ", ") })
	}
	return text + "."
}

// several says whether the rows are of several seeds.
func several(rows []Row) bool { return rows[0].Half-rows[0].Half == 0 }

// title says what was replayed.
func (s *setting) title(what string, jobs float64, seeds int) string {
	times := fmt.Sprintf("d/n %v, load %v", s.DiskToNetwork, s.Load)
	if s.SWIM == nil {
		times = "times of the file"
		if s.Scaled {
			times += fmt.Sprintf(", arrivals scaled to a load of %v", s.Load)
		}
	}
	sizes := "exact sizes"
	switch {
	case s.slots:
		sizes = "times unknown to all but " + strings.Join(slices.DeleteFunc(s.policies(), func(p string) bool { return !slices.Contains(omniscient, p) }), " and ")
	case s.Sigma > 0:
		sizes = fmt.Sprintf("sigma %v, seed %d", s.Sigma, s.Seed)
	}
	count := numbers.Short(jobs) + " jobs"
	if jobs == 1 {
		count = "1 job"
	}
	title := fmt.Sprintf("%s: %s, %s, %s", what, count, times, sizes)
	if s.Seeds > 1 {
		title += fmt.Sprintf("; means over %s, %d to %d", numbers.Count(seeds, "seed"), s.Seed, s.Seed+uint64(seeds)-1)
	}
	if s.redraws() {
		title += ", each with arrivals drawn anew from those of the trace"
	}
	return title
}

// leftOut says which jobs of a log are not replayed, or not compared with what happened.
func (s *setting) leftOut(names []string) string {
	text := ""
	if s.NoWait > 0 && slices.Contains(names, asItWas) {
		text += "; " + asItWas + " lacks " + numbers.Count(s.NoWait, "job") + " of the log, whose wait is unknown, and only the others are compared"
	}
	if s.Counts.Jobs > 0 || s.LeftOut != nil {
		counted := 0
		for i := range s.Jobs {
			if s.counts(i) {
				counted++
			}
		}
		text += "; " + replay.Accounted(counted, s.Counts, s.Resource, s.LeftOut)
	}
	return text
}
