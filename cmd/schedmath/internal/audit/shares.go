package audit

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"unicode"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/program"
)

// share is what the file says of a team.
type share struct {
	Name, Parent string
	Weight, Cap  *float64
	Floor        float64
	Priority     int
}

// readShares reads the file of -shares, if there is one: its names are the first teams.
func (s *settings) readShares(l *log) error {
	if s.shares == "" {
		return nil
	}
	text, err := program.ReadFile(s.shares)
	if err != nil {
		return err
	}
	var list []share
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		return program.Usagef(`%s is no list such as [{"name": "physics", "weight": 2}]: %v`, s.shares, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return program.Usagef("%s goes on behind its list", s.shares)
	}
	for _, x := range list {
		claim := aging.Claim{Floor: x.Floor, Priority: x.Priority}
		for _, n := range []struct {
			what  string
			value *float64
			to    *float64
		}{{"weight", x.Weight, &claim.Weight}, {"cap", x.Cap, &claim.Demand}} {
			if n.value == nil {
				continue
			}
			if *n.to = *n.value; *n.to == 0 { // which stands for none
				return program.Usagef("%s: %s has the %s 0, want a number above 0", s.shares, x.Name, n.what)
			}
		}
		if _, twice := l.index[x.Name]; twice || x.Name == "" || strings.ContainsFunc(x.Name, unicode.IsControl) {
			return program.Usagef("%s: name %q is empty or there twice, or has a control character", s.shares, x.Name)
		}
		l.teams[l.team(x.Name)].claim = claim
	}
	for i, x := range list {
		if x.Parent == "" {
			continue
		}
		parent, known := l.index[x.Parent]
		if !known {
			return program.Usagef("%s: %s has the parent %q, which is no name of the file", s.shares, x.Name, x.Parent)
		}
		l.teams[i].Parent, l.teams[i].parent = x.Parent, parent
	}
	return nil
}
