package report

import "slices"

// A Row is one claim of a paper: what was published, and a cell for each reading.
type Row struct {
	Item, Claim, Published, Relation, Headline string

	Cells []*Claim // by reading; nil: not run in it. None where the claim is of no reading
	Main  *Claim   // that of the main reading, or of none; nil: not run in it
}

// rows are the claims of a figure, one a row, in order.
func (s Section) rows(f Figure) []Row {
	var list []Row
	for k := range f.Claims {
		c := &f.Claims[k]
		i := slices.IndexFunc(list, func(r Row) bool { return r.Claim == c.Claim })
		if i < 0 {
			i = len(list)
			list = append(list, Row{Item: c.Item, Claim: c.Claim, Published: c.Published, Relation: c.Relation, Headline: c.Headline})
		}
		r := &list[i]
		if s.isMain(*c) {
			r.Main = c
		}
		if n := s.reading(c.Reading); n >= 0 {
			if r.Cells == nil {
				r.Cells = make([]*Claim, len(s.Readings))
			}
			r.Cells[n] = c
		}
	}
	return list
}

// Rows are those of all figures.
func (s Section) Rows() []Row {
	var list []Row
	for _, f := range s.Figures {
		list = append(list, s.rows(f)...)
	}
	return list
}

// Kind is that of the main reading's cell, or where that was not run of the first cell there is. A
// row that the main reading was found by counts as Found, whatever it is in another.
func (r *Row) Kind() Kind {
	if r.Main != nil {
		return r.Main.Kind
	}
	for _, c := range r.Cells {
		if c != nil {
			return c.Kind
		}
	}
	return Measured
}

// verdict is HoldsWord, found of what the reading was found by, and not run of a nil claim.
func (c *Claim) verdict() string {
	switch {
	case c == nil:
		return "not run"
	case c.Kind == Found:
		return "found"
	}
	return c.HoldsWord()
}

// verdict is that of the main reading.
func (r *Row) verdict() string { return r.Main.verdict() }

// elsewhere says whether the row holds in a reading that is not the main one and was not found by
// it.
func (r *Row) elsewhere() bool {
	return slices.ContainsFunc(r.Cells, func(c *Claim) bool {
		return c != r.Main && c.verdict() == "yes"
	})
}
