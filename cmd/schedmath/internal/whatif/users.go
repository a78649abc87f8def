package whatif

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/internal/numbers"
)

// mostUsers is how many users a picture shows.
const mostUsers = 12

// userFigure is what each user whose name is known sees.
func (c *Comparison) userFigure() figure {
	return c.byUser("users", "Users", "Mean sojourn time of the jobs of each user; shown are those with the most jobs.", func(r *Row) []float64 { return r.users })
}

// byUser is a figure of a number for each user and policy.
func (c *Comparison) byUser(item, title, caption string, numbers func(*Row) []float64) figure {
	f := newFigure(item, title, caption, append([]string{"user", "jobs"}, policies(c.Rows)...)...)
	f.Shown.Columns = f.Numbers.Columns
	var order []int
	for u := range c.Users {
		order = append(order, u)
	}
	jobs := c.Rows[0].jobsOf
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(jobs[b], jobs[a]) })
	for rank, u := range order {
		cells := []any{c.Users[u], jobs[u]}
		for k := range c.Rows {
			cells = append(cells, numbers(&c.Rows[k])[u])
		}
		f.Numbers.Add(cells...)
		if rank < mostUsers {
			f.Shown.Show(cells...)
		}
	}
	return f
}

// jobTable is what each job took under each policy.
func (s *stage) jobTable(rows []Row) numbers.Table {
	t := numbers.Table{Columns: append([]string{"job", "user", "submit", "size"}, policies(rows)...)}
	for i, size := range s.sizes {
		var cells []any
		if s.SWIM != nil {
			cells = []any{s.SWIM[i].ID, "NA", s.SWIM[i].Submit, size}
		} else {
			cells = []any{s.jobName(s.places[i]), s.userName(s.Jobs[i].User), s.Jobs[i].Arrival, size}
		}
		for k := range rows {
			sojourn := s.runs[k].Sojourn[i]
			if finish := s.runs[k].Finish[i]; finish != finish {
				sojourn = finish
			}
			cells = append(cells, sojourn)
		}
		t.Add(cells...)
	}
	return t
}

// userName is the name of a user, or the number.
func (s *setting) userName(u int) string {
	if u < len(s.Users) {
		return s.Users[u]
	}
	return strconv.Itoa(u)
}
