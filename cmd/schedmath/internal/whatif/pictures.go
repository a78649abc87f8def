package whatif

import (
	"slices"

	"github.com/schedmath/schedmath/internal/numbers"
)

// A view is a picture of one curve of each policy.
type view struct {
	item, title, caption string
	arg                  string // the column of what the curves are functions of
	args                 []float64
	of                   func(r *Row) []float64
	shown                []int // the rows of the numbers that the page has too
}

// views are the pictures of curves.
func views(rows []Row) []view {
	var fractions, class []float64
	var everyClass []int
	for k := range grain + 1 {
		fractions = append(fractions, float64(k)/grain)
	}
	for k := range classes {
		class, everyClass = append(class, float64(k+1)), append(everyClass, k)
	}
	quantiles := []int{20, 50, 100, 150, 180, 190, 198, 200}
	list := []view{
		{item: "sojourns", title: "Sojourn times", caption: "The fraction of the jobs that take at most so long from submission to completion; in the table the time of each fraction. Times of 0 stand at the left end.",
			arg: "fraction", args: fractions, of: func(r *Row) []float64 { return r.sojourns }, shown: quantiles},
		{item: "slowdowns", title: "Slowdowns", caption: "The fraction of the jobs whose sojourn time is at most so many times their size; in the table the slowdown of each fraction.",
			arg: "fraction", args: fractions, of: func(r *Row) []float64 { return r.slowdowns }, shown: quantiles},
		{item: "sizes", title: "Slowdown by size of the job", caption: "Mean slowdown of jobs by size, in ten classes of equal numbers, class 1 the smallest. The largest sizes of the classes are " +
			numbers.Words(rows[0].upTo, ", ", numbers.Short) + " s.",
			arg: "class", args: class, of: func(r *Row) []float64 { return r.slowdown }, shown: everyClass},
		{item: "load", title: "Load", caption: "Mean number of jobs present, waiting or running, in each hundredth of the time.",
			arg: "time", args: rows[0].times, of: func(r *Row) []float64 { return r.load }},
	}
	for k, rival := range rows[0].Rivals {
		list = append(list, view{item: "against-" + rival, title: "Who gains and who loses against " + rival, caption: "The fraction of the jobs of each size class that end sooner than under " + rival +
			" less the fraction that end later: 1 where all gain, -1 where all lose.", arg: "class", args: class, of: func(r *Row) []float64 { return r.gain[k] }, shown: everyClass})
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

// figure is the table of the view.
func (v view) figure(rows []Row) figure {
	f := newFigure(v.item, v.title, v.caption, append([]string{v.arg}, policies(rows)...)...)
	for k, x := range v.args {
		cells := []any{x}
		for i := range rows {
			cells = append(cells, v.of(&rows[i])[k])
		}
		f.Numbers.Add(cells...)
		if slices.Contains(v.shown, k) {
			f.Shown.Columns = f.Numbers.Columns
			f.Shown.Show(cells...)
		}
	}
	return f
}

// differences is the figure of the intervals of mean sojourn times less those of the rivals.
func differences(rows []Row) figure {
	f := newFigure("differences", "Differences over the seeds", "Mean sojourn time less that under the rival with the same seed, over the rival's mean: mean over the seeds and 95% interval by Student's t. "+
		"An interval that holds 0 does not tell which is less. Times are in seconds.", "policy", "rival", "difference", "low", "high", "relative")
	f.Shown.Columns = f.Numbers.Columns
	for k, rival := range rows[0].Rivals {
		for _, r := range rows {
			if r.Policy == rival {
				continue
			}
			d, of := r.Diff[k], r.Mean-r.Diff[k].Mean
			cells := []any{r.Policy, rival, d.Mean, d.Low(), d.High(), d.Mean / of}
			f.Numbers.Add(cells...)
			f.Shown.Show(cells...)
		}
	}
	return f
}
