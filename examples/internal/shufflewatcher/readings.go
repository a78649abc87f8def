package shufflewatcher

import "github.com/schedmath/schedmath/examples/internal/report"

// A reading is a set of assumptions and the setting of its runs.
type reading struct {
	report.Reading
	set setting
}

func (r reading) cell(k *contender) cell { return cell{r.set, k} }

// Assumptions that both readings share.
var (
	inOrder    = report.Assumption{Text: "of users with equal shares the first by number goes first", Evidence: report.Assumed, By: "line 1 names the policy of fairness alone"}
	ratioOfOne = report.Assumption{Text: "the ratio of shuffle to input of a job starts at 1", Evidence: report.Stated, By: "3.1"}
	preferred  = report.Assumption{Text: "under relaxed fairness a user waits for a task that Figure 3 prefers, not for any local map", Evidence: report.Assumed, By: "3.4 has \"as employed in Delay Scheduling\"; chosen after results of both were known"}
	blocks128  = report.Assumption{Text: "blocks of 128 MiB", Evidence: report.Assumed, By: "against the stated 64 MB, with which a run takes 1.9 times as long: the last rows of figure map"}
)

// steadyWindow is the width of A's windows of submission, in s.
const steadyWindow = 9000

// Repetitions that reading A's rate of maps was found by, and those that judge. The rest of the
// reading was looked at on streams below 7000.
var (
	found  = report.Seeds{First: 9500, N: 2}
	judged = report.Seeds{First: 10000, N: repetitions}
)

// The readings.
var (
	readingA = reading{report.Reading{Name: "A", Title: "a steady closed loop", Found: found, Judged: judged,
		Main: "published throughput times turn-around is 1.01, .99 and .95: by Little's law the jobs in the system stay as many, and section 4 measures a steady state",
		Assumptions: []report.Assumption{
			{Text: "each user has 12 jobs in flight: one that ends is followed by another", Evidence: report.Implied, By: "throughput times turn-around; 12 jobs a user (5.4)"},
			{Text: "jobs are of the types of Table 1, with 5 GB of input each, not the sizes of Table 2", Evidence: report.Assumed, By: "against section 4: three in ten of Table 2's jobs have 95% of the bytes, so that a user has one or two to choose from"},
			{Text: "one of three copies of each block lies in the rack that wrote the job's input", Evidence: report.Implied, By: "SAMP adds 3% of remote maps, not the 70% that uniform copies would"},
			{Text: "maps of 3.5 MB/s", Evidence: report.Implied, By: "the gains of Figure 14(b)'s two outer mixes, +31 and +22%"},
			blocks128, preferred, inOrder, ratioOfOne,
			{Text: "a window of 9,000 s, two to six times a job's mean time", Evidence: report.Stated, By: "\"some multiple of the average job completion time\"; ten minutes are below it"},
			{Text: "four hours are measured, after a ramp-up of two windows", Evidence: report.Stated, By: "4; the length of the ramp-up is assumed"},
		}}, setting{window: steadyWindow}}
	readingB = reading{report.Reading{Name: "B", Title: "the tables' jobs at once", Judged: judged, Assumptions: []report.Assumption{
		{Text: "the 40 s are the mean gap of each user's jobs: all are there within minutes, and the run ends when all have", Evidence: report.Implied, By: "+39% throughput at equal rates of arrival; 300 jobs in four hours"},
		{Text: "jobs are those of Tables 1 and 2, the sizes times .15", Evidence: report.Stated, By: "4; the factor is assumed"},
		{Text: "maps of 6.4 MB/s", Evidence: report.Assumed},
		{Text: "three copies of a block on nodes drawn alike, two of them in one rack", Evidence: report.Stated, By: "HDFS, replication factor of 3"},
		blocks128, preferred, inOrder, ratioOfOne,
		{Text: "a window of ten minutes", Evidence: report.Stated, By: "3.4"}}},
		setting{small: true, backlog: true, tables: true, uniform: true, rate: 6.4e6}}

	// Most figures show A on 100 nodes and B on 16.
	closer = []reading{readingA, readingB}
	main16 = readingA.with(func(set *setting) { set.small = true })
)
