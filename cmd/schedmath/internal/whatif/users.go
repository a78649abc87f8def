package whatif

import (
	"strconv"

	"github.com/schedmath/schedmath/internal/numbers"
)

// jobTable is what each job that counts took under each policy, by the log's own names; on a cluster
// when it started and ended, as dates where the log has dates.
func (s *stage) jobTable(rows []Row) numbers.Table {
	t := numbers.Table{Columns: []string{"job", "user", "submit", "size"}}
	for _, name := range policies(rows) {
		if s.slots {
			t.Columns = append(t.Columns, name+"_start", name+"_wait", name+"_end")
		} else {
			t.Columns = append(t.Columns, name)
		}
	}
	for i, size := range s.sizes {
		if !s.counts(i) {
			continue
		}
		user, came := "NA", 0.
		if s.SWIM != nil {
			came = s.SWIM[i].Submit
		} else {
			user, came = s.userName(s.Jobs[i].User), s.Jobs[i].Arrival
		}
		cells := []any{s.nameOf(i), user, s.Clock(came), size}
		for k := range rows {
			r := &s.runs[k]
			if s.slots {
				cells = append(cells, s.Clock(r.Start[i]), r.Start[i]-came, s.Clock(r.Finish[i]))
			} else {
				cells = append(cells, r.Sojourn[i])
			}
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
	if name := s.places[i]; s.Names != nil && s.Names[name] != "" {
		return s.Names[name]
	}
	return s.jobName(s.places[i])
}
