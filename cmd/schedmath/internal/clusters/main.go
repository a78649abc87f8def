// Package clusters is the command that says how teams should divide their budgets over several clusters that are shared
// in proportion to bids, so that none gains by bidding otherwise.
package clusters

import (
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/market/equilibrium"
	"gonum.org/v1/gonum/mat"
)

const example = `  team   budget  cpu  gpu
  batch  300     5    0
  train  100     1    8
  serve  100     2    2
`

const help = `schedmath clusters -market FILE
reads a market, one line a team, and prints what each team should bid on each cluster and the part of it that this buys. Without -market
it shows this one:

` + example + `
The numbers below cpu and gpu are what the whole of the cluster is worth to the team, in any unit of its own. A cluster goes
to the teams in proportion to their bids.
`

// Main is the command: it returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	return program.Exit(stderr, "schedmath clusters", run(args, stdout))
}

func run(args []string, out io.Writer) error {
	f := flag.NewFlagSet("schedmath clusters", flag.ContinueOnError)
	name := f.String("market", "", "read the market from `FILE`, - for standard input")
	reserve := f.Float64("reserve", 0, "the owner's `BID` on each cluster; 0: a billionth of the budgets")
	if done, err := program.Parse(f, args, out, help); done || err != nil {
		return err
	}
	text := []byte(example)
	if *name == "" {
		fmt.Fprintf(out, "schedmath clusters -market FILE reads a market such as\n\n%s\nand prints what each team should bid on each cluster, and what that buys:\n\n", example)
	} else {
		var err error
		if text, err = program.ReadFile(*name); err != nil {
			return err
		}
	}
	clusters, teams, budgets, worth, err := read(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", *name, err)
	}
	m, err := equilibrium.Equilibrium(budgets, mat.NewDense(len(teams), len(clusters), worth), equilibrium.Options{Reserve: *reserve})
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "team\t%s\thas, of all it wants\n", strings.Join(clusters, "\t"))
	for i, team := range teams {
		fmt.Fprint(w, team)
		for j, price := range m.Price {
			bid := m.Bids.At(i, j)
			fmt.Fprintf(w, "\t%.2f, %.0f%%", bid, 100*bid/price)
		}
		all := 0.0
		for _, x := range worth[i*len(clusters):][:len(clusters)] {
			all += x
		}
		fmt.Fprintf(w, "\t%.0f%%\n", 100*m.Utility[i]/max(all, 1e-300))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if !m.Settled {
		fmt.Fprintf(out, "the bids do not settle: some team could still gain %.2g%%\n", 100*m.Residual)
	}
	_, err = fmt.Fprintf(out, "together the teams have %.0f%% of what the best division gives; each values its part at %.0f%% at least of any other team's\n",
		100*m.Efficiency, 100*m.EnvyFreeness)
	return err
}

// read reads a market: the names of clusters and teams, the budgets, and what each cluster is worth
// to each team, row by row.
func read(text string) (clusters, teams []string, budgets, worth []float64, err error) {
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
			continue
		case clusters == nil:
			if len(fields) < 3 {
				return nil, nil, nil, nil, program.Usagef("line %d: want team, budget and the name of a cluster at least (see -help)", n)
			}
			clusters = fields[2:]
			continue
		case len(fields) != len(clusters)+2:
			return nil, nil, nil, nil, program.Usagef("line %d: %d fields, want %d", n, len(fields), len(clusters)+2)
		}
		teams = append(teams, fields[0])
		for k, field := range fields[1:] {
			x, err := strconv.ParseFloat(field, 64)
			if err != nil || !(x >= 0) {
				return nil, nil, nil, nil, program.Usagef("line %d: %q, want a number, 0 or more", n, field)
			}
			if k == 0 {
				budgets = append(budgets, x)
			} else {
				worth = append(worth, x)
			}
		}
	}
	if len(teams) == 0 {
		return nil, nil, nil, nil, program.Usagef("no team (see -help)")
	}
	return clusters, teams, budgets, worth, nil
}
