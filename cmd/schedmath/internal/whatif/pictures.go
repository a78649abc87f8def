package whatif

import (
	"cmp"
	"slices"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/internal/numbers"
)

// newPicture starts a picture whose table has the columns, words in the first so many.
func newPicture(name, title, caption string, kind page.Kind, text int, columns ...string) page.Picture {
	p := page.Picture{Name: name, Title: title, Caption: caption, Kind: kind}
	p.Table.Columns, p.Table.Text = columns, text
	return p
}

// pictures are all there is to show.
func (c *Comparison) pictures() []page.Picture {
	list := []page.Picture{c.policies()}
	for _, v := range c.views() {
		list = append(list, v.picture(c.Rows))
	}
	list = append(list, c.Window...)
	if len(c.Users) > 1 {
		list = append(list, c.userPicture())
		if c.Rows[0].owed != nil {
			list = append(list, c.owedPicture())
		}
	}
	if several(c.Rows) {
		list = append(list, differences(c.Rows))
	}
	return list
}

// policies is the table of the rows.
func (c *Comparison) policies() page.Picture {
	rival := c.Rows[0].Rivals[1]
	p := newPicture("policies", "Sojourn times by policy", "Median, mean, 95% and 99% quantile of the sojourn times. worst_tenth is the mean "+map[bool]string{true: "wait", false: "of them"}[c.rigid]+
		" of the tenth of the jobs that has the longest, later_than_"+rival+" counts the jobs that end later than under "+cmp.Or(map[string]string{"ps": "processor sharing"}[rival], rival)+".", page.Dots, 1)
	p.Table.Table = c.table(true)
	p.Table.In("s", "mean_wait", "worst_tenth", "mean_sojourn", "mean_ci95", "p50", "p95", "p99", "max")
	p.Table.In(c.unit()+"-hours", "owed", "worst_window")
	p.X, p.Series = page.Axis{Label: "sojourn time (s)", Log: true}, []page.Series{{Name: "median", Columns: []string{"p50"}}, {Name: "mean", Columns: []string{"mean_sojourn"}}, {Name: "95%", Columns: []string{"p95"}}, {Name: "99%", Columns: []string{"p99"}}}
	return p
}

// A view is a picture of one curve of each policy.
type view struct {
	page.Picture
	args  []float64
	of    func(r *Row) []float64
	shown []int // the rows of the numbers that the page lists
}

// views are the pictures of curves.
func (c *Comparison) views() []view {
	rows := c.Rows
	var fractions, class []float64
	for k := range grain + 1 {
		fractions = append(fractions, float64(k)/grain)
	}
	for k := range classes {
		class = append(class, float64(k+1))
	}
	quantiles := []int{20, 50, 100, 150, 180, 190, 198, 200}
	curve := func(kind page.Kind, name, title, caption, arg string, x, y page.Axis) page.Picture {
		p := newPicture(name, title, caption, kind, 0, append([]string{arg}, policies(rows)...)...)
		p.X, p.Y, p.Series = x, y, page.Columns(policies(rows)...)
		return p
	}
	time, moment := c.clock()
	var times []float64
	for _, x := range rows[0].times {
		times = append(times, moment(x))
	}
	sizes, fraction := page.Axis{Label: "size class"}, page.Axis{Label: "fraction of the jobs"}
	list := []view{
		{curve(page.Across, "sojourns", "Sojourn times", "The fraction of the jobs that take at most so long from submission to completion; in the table the time of each fraction. Times of 0 stand at the left end.",
			"fraction", page.Axis{Label: "sojourn time (s)", Log: true}, fraction), fractions, func(r *Row) []float64 { return r.sojourns }, quantiles},
		{curve(page.Across, "slowdowns", "Slowdowns", "The fraction of the jobs whose sojourn time is at most so many times their size; in the table the slowdown of each fraction.",
			"fraction", page.Axis{Label: "sojourn time / size", Log: true}, fraction), fractions, func(r *Row) []float64 { return r.slowdowns }, quantiles},
		{curve(page.Curves, "sizes", "Slowdown by size of the job", "Mean slowdown of jobs by size, in ten classes of equal numbers, class 1 the smallest. The largest sizes of the classes are "+
			numbers.Words(rows[0].upTo, ", ", numbers.Short)+" s.", "class", sizes, page.Axis{Label: "mean slowdown", Log: true}), class, func(r *Row) []float64 { return r.slowdown }, nil},
		{curve(page.Panels, "load", "Jobs present", "Mean number of jobs present, waiting or running, in each hundredth of the time.", "time", time, page.Axis{Label: "jobs present"}),
			times, func(r *Row) []float64 { return r.load }, nil},
	}
	for k, rival := range rows[0].Rivals {
		list = append(list, view{curve(page.Curves, "against-"+rival, "Who gains and who loses against "+rival, "The fraction of the jobs of each size class that end sooner than under "+rival+
			" less the fraction that end later: 1 where all gain, -1 where all lose.", "class", sizes, page.Axis{Label: "sooner less later"}), class, func(r *Row) []float64 { return r.gain[k] }, nil})
	}
	return list
}

// policies are those of the rows.
func policies(rows []Row) (names []string) {
	for _, r := range rows {
		names = append(names, r.Policy)
	}
	return names
}

// picture is that of the view.
func (v view) picture(rows []Row) page.Picture {
	p := v.Picture
	for k, x := range v.args {
		cells := []any{x}
		for i := range rows {
			cells = append(cells, v.of(&rows[i])[k])
		}
		p.Table.Add(cells...)
	}
	if v.Name == "sojourns" {
		p.Table.In("s", policies(rows)...)
	}
	p.Shown = v.shown
	return p
}

// differences are the intervals of mean sojourn times less those of the rivals.
func differences(rows []Row) page.Picture {
	p := newPicture("differences", "Differences over the seeds", "Mean sojourn time less that under the rival with the same seed: mean over the seeds and 95% interval by Student's t, in seconds. "+
		"An interval that holds 0 does not tell which is less.", page.Intervals, 2, "policy", "rival", "difference", "low", "high", "relative")
	p.X, p.Series = page.Axis{Label: "difference of the mean sojourn times (s)"}, []page.Series{{Name: "difference", Columns: []string{"difference", "low", "high"}}}
	p.Table.In("s", "difference", "low", "high")
	for k, rival := range rows[0].Rivals {
		for _, r := range rows {
			if r.Policy != rival {
				d := r.Diff[k]
				p.Table.Add(r.Policy, rival, d.Mean, d.Low(), d.High(), d.Mean/(r.Mean-d.Mean))
			}
		}
	}
	return p
}

// mostUsers is how many users a picture shows.
const mostUsers = 20

// byUser is a picture of a number for each user and policy.
func (c *Comparison) byUser(name, title, caption, of, unit string, number func(*Row) []float64) page.Picture {
	p := newPicture(name, title, caption+" Drawn are those with the most jobs.", page.Dots, 1, append([]string{"user", "jobs"}, policies(c.Rows)...)...)
	p.X, p.Series = page.Axis{Label: of + " (" + unit + ")"}, page.Columns(policies(c.Rows)...)
	p.Table.In(unit, policies(c.Rows)...)
	jobs := c.Rows[0].jobsOf
	order := make([]int, len(c.Users))
	for u := range order {
		order[u] = u
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(jobs[b], jobs[a]) })
	for rank, u := range order {
		cells := []any{c.Users[u], jobs[u]}
		for k := range c.Rows {
			cells = append(cells, number(&c.Rows[k])[u])
		}
		p.Table.Add(cells...)
		if rank < mostUsers {
			p.Shown = append(p.Shown, rank)
		}
	}
	return p
}

// userPicture is what each user whose name is known sees.
func (c *Comparison) userPicture() page.Picture {
	return c.byUser("users", "Users", "Mean sojourn time of the jobs of each user.", "mean sojourn time", "s", func(r *Row) []float64 { return r.users })
}

// owedPicture is what each user was owed on balance.
func (c *Comparison) owedPicture() page.Picture {
	return c.byUser("owed", "What users were owed", "Entitlement less use of the "+c.unit()+"s by each user, in hours of one: every user is entitled at each time to an equal share of them, or to what it asks for, where that is less.",
		"owed on balance", c.unit()+"-hours", func(r *Row) []float64 { return r.owed })
}
