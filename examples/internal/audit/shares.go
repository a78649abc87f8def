package audit

import (
	"encoding/json"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/examples/internal/program"
)

// shares are who is entitled to what, by node.
type shares struct {
	parents []int
	claims  []aging.Claim
}

// complete adds nodes of the log beside the first level.
func (o *shares) complete(n int) {
	for len(o.parents) < n {
		o.parents, o.claims = append(o.parents, -1), append(o.claims, aging.Claim{})
	}
}

// readShares reads the file of -shares, if there is one, and gives its names the first nodes.
func (s *settings) readShares(l *spans) (*shares, error) {
	o := &shares{}
	if s.shares == "" {
		return o, nil
	}
	in, err := program.Open(s.shares)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var list []struct {
		Name, Parent       string
		Weight, Floor, Cap float64
		Priority           int
	}
	d := json.NewDecoder(in)
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil || d.More() {
		return nil, program.Usagef(`%s is no list such as [{"name": "physics", "weight": 2}]: %v`, s.shares, err)
	}
	for _, x := range list {
		if _, twice := l.index[x.Name]; twice || x.Name == "" {
			return nil, program.Usagef("%s: name %q is empty or there twice", s.shares, x.Name)
		}
		l.team(x.Name)
		o.claims = append(o.claims, aging.Claim{Weight: x.Weight, Floor: x.Floor, Priority: x.Priority, Demand: x.Cap})
	}
	for _, x := range list {
		p, known := l.index[x.Parent]
		if x.Parent == "" {
			p, known = -1, true
		}
		if !known {
			return nil, program.Usagef("%s: %s has the parent %q, which is no name of the file", s.shares, x.Name, x.Parent)
		}
		o.parents = append(o.parents, p)
	}
	return o, nil
}
