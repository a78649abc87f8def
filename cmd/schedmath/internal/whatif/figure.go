package whatif

import "github.com/schedmath/schedmath/internal/numbers"

// A figure is a table of the comparison beside its words.
type figure struct {
	Item    string // the file is whatif-<item>.tsv
	Title   string
	Caption string
	Numbers numbers.Table // at full precision
	Shown   numbers.Table // what the page lists; no columns: nothing
}

// newFigure starts a figure whose numbers have the columns.
func newFigure(item, title, caption string, columns ...string) figure {
	return figure{Item: item, Title: title, Caption: caption, Numbers: numbers.Table{Columns: columns}}
}

// figures are all there is to show.
func (c *Comparison) figures() []figure {
	list := []figure{c.policies()}
	for _, v := range views(c.Rows) {
		list = append(list, v.figure(c.Rows))
	}
	if len(c.Users) > 1 {
		list = append(list, c.userFigure())
		if c.Rows[0].owed != nil {
			list = append(list, c.owedFigure())
		}
	}
	if several(c.Rows) {
		list = append(list, differences(c.Rows))
	}
	return list
}

// policies is the table of the rows.
func (c *Comparison) policies() figure {
	rival := c.Rows[0].Rivals[1]
	return figure{
		Item:  "policies",
		Title: "Sojourn times by policy",
		Caption: "Median, mean, 95% and 99% quantile of the sojourn times of " + c.Replayed + ". " + c.offer() + " later_than_" + rival + " counts the jobs that end later than under " +
			map[string]string{"ps": "processor sharing.", "fair": "FAIR."}[rival],
		Numbers: c.table(true),
		Shown:   c.table(false),
	}
}
