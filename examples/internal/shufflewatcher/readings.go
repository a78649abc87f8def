package shufflewatcher

import "github.com/schedmath/schedmath/examples/internal/report"

// A reading is a set of assumptions and the setting of its runs.
type reading struct {
	report.Reading
	set setting
}

func (r reading) cell(k *contender) cell { return cell{r.set, k} }

// on16 is a reading on the smaller cluster.
func (r reading) on16() reading { return r.with(func(set *setting) { set.small = true }) }

// Assumptions that several readings share.
var (
	atOnce     = report.Assumption{Text: "the 40 s are the mean gap of each user's jobs: all are there within minutes, and the run ends when all have", Evidence: report.Implied, By: "+39% throughput at equal rates of arrival; 300 jobs in four hours"}
	homeRack   = report.Assumption{Text: "one of three copies of each block lies in the rack that wrote the job's input", Evidence: report.Implied, By: "SAMP adds 3% of remote maps, not the 70% that uniform copies would"}
	equal      = report.Assumption{Text: "jobs are of the types of Table 1, with 5 GB of input each, not the sizes of Table 2", Evidence: report.Assumed, By: "against section 4: three in ten of Table 2's jobs have 95% of the bytes, so that a user has one or two to choose from"}
	tenMinutes = report.Assumption{Text: "a window of ten minutes", Evidence: report.Stated, By: "3.4"}
	inOrder    = report.Assumption{Text: "of users with equal shares the first by number goes first", Evidence: report.Assumed, By: "line 1 names the policy of fairness alone"}
	ratioOfOne = report.Assumption{Text: "the ratio of shuffle to input of a job starts at 1", Evidence: report.Stated, By: "3.1"}
)

// steadyWindow is the width of A's windows of submission, in s.
const steadyWindow = 9000

// Repetitions that reading A was looked at by, and those that judge. Its inputs were found by the
// backlog with ties, on streams below 5000; the rest of it by streams up to 6999.
var (
	found  = report.Seeds{First: 6000, N: 3}
	judged = report.Seeds{First: 7000, N: repetitions}
)

// The readings.
var (
	readingA = reading{report.Reading{Name: "A", Title: "a steady closed loop", Found: found, Judged: judged,
		Main: "published throughput times turn-around is 1.01, .99 and .95: by Little's law the jobs in the system stay as many, and section 4 measures a steady state",
		Assumptions: []report.Assumption{
			{Text: "each user has 12 jobs in flight: one that ends is followed by another", Evidence: report.Implied, By: "throughput times turn-around; 12 jobs a user (5.4)"},
			equal, homeRack, inOrder, ratioOfOne,
			{Text: "a window of 9,000 s, two to six times a job's mean time", Evidence: report.Stated, By: "\"some multiple of the average job completion time\"; ten minutes are below it"},
			{Text: "four hours are measured, after a ramp-up of two windows", Evidence: report.Stated, By: "4; the length of the ramp-up is assumed"},
		}}, setting{window: steadyWindow}}
	readingB = reading{report.Reading{Name: "B", Title: "equal inputs at once", Judged: judged, Assumptions: []report.Assumption{atOnce, equal, homeRack, inOrder, ratioOfOne, tenMinutes}}, setting{backlog: true}}
	readingC = reading{report.Reading{Name: "C", Title: "equal inputs at once, with ties", Judged: judged, Assumptions: []report.Assumption{atOnce, equal, homeRack, ratioOfOne, tenMinutes,
		{Text: "of users with equal shares one with a preferred task for the node goes first", Evidence: report.Assumed, By: "not the paper's"}}}, setting{backlog: true, ties: true}}
	readingD = reading{report.Reading{Name: "D", Title: "the tables' jobs at once", Judged: judged, Assumptions: []report.Assumption{atOnce,
		{Text: "jobs are those of Tables 1 and 2, the sizes times .15", Evidence: report.Stated, By: "4; the factor is assumed"},
		{Text: "three copies of a block on nodes drawn alike, two of them in one rack", Evidence: report.Stated, By: "HDFS, replication factor of 3"}, inOrder, ratioOfOne, tenMinutes}}, setting{backlog: true, tables: true, uniform: true}}

	// Most figures show A on 100 nodes and D on 16, and most sweeps the main reading on 16.
	closer = []reading{readingA, readingD.on16()}
	main16 = readingA.on16()
)
