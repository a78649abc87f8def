package whatif

import (
	"strconv"

	"github.com/schedmath/schedmath/internal/numbers"
)

// jobTable is what each job took under each policy.
func (s *stage) jobTable(rows []Row) numbers.Table {
	t := numbers.Table{Columns: append([]string{"job", "user", "submit", "size"}, policies(rows)...)}
	for i, size := range s.sizes {
		var cells []any
		if s.SWIM != nil {
			cells = []any{s.nameOf(i), "NA", s.SWIM[i].Submit, size}
		} else {
			cells = []any{s.nameOf(i), s.userName(s.Jobs[i].User), s.Jobs[i].Arrival, size}
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

// nameOf is the name of a job.
func (s *setting) nameOf(i int) string {
	if s.SWIM != nil {
		return s.SWIM[i].ID
	}
	return s.jobName(s.places[i])
}
