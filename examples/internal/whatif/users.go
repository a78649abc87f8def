package whatif

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/schedmath/schedmath/examples/internal/draw"
	"github.com/schedmath/schedmath/examples/internal/report"
)

// mostUsers is how many users a picture shows.
const mostUsers = 12

// userFigure is what each user whose name is known sees.
func (c *Comparison) userFigure() (report.Figure, error) {
	return c.byUser("Users", "Mean sojourn time of the jobs of each user; shown are those with the most jobs.", draw.Axis{Label: "mean sojourn time (s)"}, func(r *Row) []float64 { return r.users })
}

// byUser is a figure of a number for each user and policy.
func (c *Comparison) byUser(title, caption string, axis draw.Axis, numbers func(*Row) []float64) (report.Figure, error) {
	f := report.NewFigure(title, caption, append([]string{"user", "jobs"}, policies(c.Rows)...)...)
	f.Shown.Columns = f.Numbers.Columns
	var order []int
	for u := range c.Users {
		order = append(order, u)
	}
	jobs := c.Rows[0].jobsOf
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(jobs[b], jobs[a]) })
	var names []string
	var list []draw.Series
	for k, r := range c.Rows {
		list = append(list, look(k, r.Policy))
	}
	for rank, u := range order {
		cells := []any{c.Users[u], jobs[u]}
		for k := range c.Rows {
			x := numbers(&c.Rows[k])[u]
			cells = append(cells, x)
			if rank < mostUsers {
				list[k].Y = append(list[k].Y, x)
			}
		}
		f.Numbers.Add(cells...)
		if rank < mostUsers {
			names = append(names, c.Users[u])
			f.Shown.Show(cells...)
		}
	}
	var charts []*draw.Chart
	for part := range slices.Chunk(list, perChart) {
		chart := &draw.Chart{X: axis, Y: draw.Categories("", names...), GridX: true}
		chart.Points(part)
		charts = append(charts, chart)
	}
	return f.Done(nil, f.Caption, charts...)
}

// jobTable is what each job took under each policy.
func (s *stage) jobTable(rows []Row) report.Table {
	t := report.Table{Columns: append([]string{"job", "user", "submit", "size"}, policies(rows)...)}
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
