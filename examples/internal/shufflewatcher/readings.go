package shufflewatcher

import "github.com/schedmath/schedmath/examples/internal/report"

// A reading is a set of assumptions and its runs: the setting, the number of seeds, and why a gain
// of the paper's may not come out.
type reading struct {
	report.Reading
	set  setting
	n    int
	note string
}

func (r reading) cell(k *contender) cell { return cell{r.set, k} }

// on16 are readings on the smaller cluster, all with as many seeds.
func (s *study) on16(list ...reading) []reading {
	for i := range list {
		list[i].set.small, list[i].n = true, s.n
	}
	return list
}

// Assumptions that several readings share.
var (
	eachUsers = report.Assumption{Text: "the 40 s are the mean gap of each user's jobs: all 360 are there within minutes, and 300 of them are measured", Evidence: report.Implied, By: "+39% throughput at equal rates of arrival; 300 jobs in four hours"}
	homeRack  = report.Assumption{Text: "one of three copies of each block lies in the rack that wrote the job's input", Evidence: report.Implied, By: "SAMP adds 3% of remote maps: with uniform copies its racks leave 70% remote"}
	tiesGo    = report.Assumption{Text: "of users with equal shares one with a preferred task for the node goes first", Evidence: report.Assumed, By: "line 1 names the policy of fairness alone"}
	alike     = report.Assumption{Text: "jobs are of the types of Table 1, with 5 GB of input each, not the sizes of Table 2", Evidence: report.Implied, By: "+39% throughput and -27% turn-around; against section 4"}
	inTables  = report.Assumption{Text: "jobs are those of Tables 1 and 2", Evidence: report.Stated, By: "section 4"}
	uniform   = report.Assumption{Text: "three copies of a block on nodes drawn alike, two of them in one rack", Evidence: report.Stated, By: "HDFS, replication factor of 3"}
	inOrder   = report.Assumption{Text: "of users with equal shares the first by number goes first", Evidence: report.Assumed, By: "line 1 names the policy of fairness alone"}
)

// readings are those of a study. A was found by what ShuffleWatcher gains in throughput and
// turn-around over Fair, on seeds that no figure uses.
func (s *study) readings() (a, b, c, d reading) {
	const (
		manyJobs = "line 17 takes a local map of another job of the user before a node is left to a preferred one, so that maps and reduces stay spread"
		fewJobs  = "a user has about one job at a time: most free nodes have one task to take, in a preferred rack or not"
		found    = "no size of equal inputs gives all published changes at once"
		sizes    = "three in ten jobs have nearly all bytes, and late reduces and home racks count for more"
	)
	few := max(quickRepetitions, s.n/2)
	a = reading{report.Reading{Name: "A", Title: "equal inputs at once, with home racks and ties", Assumptions: []report.Assumption{eachUsers, alike, homeRack, tiesGo}},
		setting{backlog: true, equal: true, home: true, ties: true}, s.n, found}
	b = reading{report.Reading{Name: "B", Title: "the tables' jobs at once, with home racks and ties", Assumptions: []report.Assumption{eachUsers, inTables, homeRack, tiesGo}},
		setting{backlog: true, home: true, ties: true}, few, sizes}
	c = reading{report.Reading{Name: "C", Title: "a steady stream of the tables' jobs", Assumptions: []report.Assumption{
		{Text: "the 40 s are the mean gap of all users' jobs together", Evidence: report.Implied, By: "steady state, at a gap that uses the cluster maximally under Delay"}, inTables, uniform, inOrder}}, setting{}, few, fewJobs}
	d = reading{report.Reading{Name: "D", Title: "the tables' jobs at once", Assumptions: []report.Assumption{eachUsers, inTables, uniform, inOrder}}, setting{backlog: true}, few, manyJobs}
	return a, b, c, d
}
