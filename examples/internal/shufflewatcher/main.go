package shufflewatcher

import (
	"fmt"
	"io"
	"math/rand/v2"
	"sync"

	"github.com/schedmath/schedmath/examples/internal/replay"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// Seeds of a full run and of a quick one.
const (
	repetitions      = 10
	quickRepetitions = 2
)

// A study is what all figures share.
type study struct {
	report.Options
	n, jobs            int     // seeds; jobs of all users in four hours
	from, until, after float64 // the window, and the end of all arrivals, in s
	terminal           io.Writer
	outcomes           map[cell][]*outcome
	trace              func() ([]workload.SWIMJob, error)
}

// Plan lists the figures. A progress bar goes to terminal, when it is one.
func Plan(o report.Options, terminal io.Writer) (report.Plan, error) {
	s := &study{Options: o, n: repetitions, jobs: userJobs, from: 3600, until: 5 * 3600, after: 5.5 * 3600, terminal: terminal, outcomes: map[cell][]*outcome{}}
	if o.Quick {
		s.n, s.jobs, s.from, s.until, s.after = quickRepetitions, userJobs/4, 300, 2100, 2400
	}
	s.trace = sync.OnceValues(func() ([]workload.SWIMJob, error) {
		t, err := replay.Read(o.Trace, o.Seed, 0)
		return t.Jobs, err
	})
	return report.Plan{
		Paper: "shufflewatcher",
		Title: "ShuffleWatcher: shuffle-aware scheduling of many users' jobs",
		Intro: s.intro,
		Items: []report.Item{
			{Name: "fig5", Make: s.figure5, Kind: report.Constructed},
			{Name: "fig7", Make: s.figure7, Kind: report.Constructed},
			{Name: "table3", Make: s.table3},
			{Name: "fig1", Make: s.figure1},
			{Name: "fig8", Make: under(steady(s), s.figure8)},
			{Name: "fig9", Make: under(steady(s), s.figure9)},
			{Name: "fig10", Make: under(steady(s), s.figure10)},
			{Name: "fig11", Make: under(steady(s), s.figure11)},
			{Name: "fig12", Make: under(steady(s), s.figure12)},
			{Name: "fig13", Make: under(steady(s), s.figure13)},
			{Name: "fig14a", Make: s.figure14a},
			{Name: "fig14b", Make: s.figure14b},
			{Name: "nodes16", Make: s.figureNodes16},
			{Name: "backlog8", Make: under(backlog(s), s.figure8)},
			{Name: "backlog9", Make: under(backlog(s), s.figure9)},
			{Name: "backlog10", Make: under(backlog(s), s.figure10)},
			{Name: "backlog11", Make: under(backlog(s), s.figure11)},
			{Name: "backlog12", Make: under(backlog(s), s.figure12)},
			{Name: "backlog13", Make: under(backlog(s), s.figure13)},
			{Name: "backlog16", Make: s.figureBacklog16},
			{Name: "rates", Make: s.figureRates},
			{Name: "settings", Make: s.figureSettings},
			{Name: "others", Make: s.figureOthers, Kind: report.Beyond},
			{Name: "shared", Make: s.figureShared, Kind: report.Beyond},
			{Name: "predicted", Make: s.figurePredicted},
		},
	}, nil
}

// under is a figure under a reading.
func under(r reading, figure func(reading) (report.Figure, error)) func() (report.Figure, error) {
	return func() (report.Figure, error) { return figure(r) }
}

// steady and backlog are the two readings.
func steady(s *study) reading {
	return reading{"One job every 40 s, from all users together: Delay just carries them, so that throughput has little room to rise.", setting{}, s.n, fewJobs}
}

func backlog(s *study) reading {
	return reading{"The other reading: one job every 40 s from each user, so that all are there within minutes. Throughput until five sixths of them have ended.", setting{backlog: true}, s.n, manyJobs}
}

// intro says what all figures rest on. It reads the trace, so that a bad file ends a run at its
// start.
func (s *study) intro() (string, error) {
	if s.Trace != "" {
		if _, err := s.trace(); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("Jobs are drawn from seed %d: the types of Table 1 and the sizes of Table 2 times %v. As printed, the jobs would need several times the bandwidth of the links; at one job in %v s the factor makes Delay just saturated. "+
		"The paper prints no ratios of shuffle to input: they are quantiles of the FB-2010 trace. Assumptions: 2 slots for maps and 2 for reduces on a node, blocks of 128 MiB, a reduce for each 2 GiB of shuffle, maps of 6.4 MB/s, "+
		"reduces of 20 MB/s, 2 to 4 GB of memory for a task (DRF counts it), output that stays where it is written. 30 users have 12 jobs each. The paper does not say whose mean gap the 40 s are. Figures fig8 to fig14b read it as that of all users together: runs of %.2g h of ramp-up and "+
		"a window of %.2g h, whose jobs are followed to their end; throughput counts the jobs that end in the window. Figures backlog8 to backlog16 read it as that of each user: all 360 jobs are there within minutes. "+
		"%s.",
		s.Seed, sizeScale, interarrival, s.from/3600, (s.until-s.from)/3600, report.Count(s.n, "seed")), nil
}

// load draws the jobs of a replication.
func (s *study) load(set setting, replication int, c *slotmodel.Cluster) (load, error) {
	stream := func(p workload.Purpose) *rand.Rand { return rand.New(workload.Stream(s.Seed, p, uint64(replication))) }
	draw := tables(set.mix, stream(workload.JobSizes), stream(typeStream))
	if set.swim {
		jobs, err := s.trace()
		if err != nil {
			return load{}, err
		}
		if draw, err = traced(jobs, stream(workload.JobSizes)); err != nil {
			return load{}, err
		}
	}
	return set.draw(stream, s.after, s.jobs, c, draw)
}

const help = `shufflewatcher draws the figures of the paper "ShuffleWatcher: Shuffle-aware Scheduling in Multi-tenant MapReduce Clusters" and checks
what the paper says about them, on a model of its cluster: 100 nodes in 10 racks whose links are the bottleneck.

Figures 5 and 7 are examples of the paper's. Table 3 and Figures 1 and 8 to 14 run its workload under Fair, Delay and DRF, and under
ShuffleWatcher with each of their rules of fairness. The paper's arrivals can be read in two ways: backlog8 to backlog13 are
Figures 8 to 13 under the other one. nodes16 and backlog16 are the smaller cluster, rates the greatest stable rate of arrivals,
settings one setting of ShuffleWatcher changed at a time, others other clusters, copies and fixed assignments, shared
slots for tasks of either kind, predicted the traffic that plans predict.

It writes, for each of these,
  DIR/shufflewatcher-ITEM.tsv   the numbers, at full precision
  DIR/shufflewatcher-ITEM.svg   the picture
and puts its rows into DIR/claims.tsv: one per statement of the paper, with the relation that was computed and whether it holds.

This takes about ten minutes on two cores and 400 MB, with -quick 3 s. The trace is for the row SWIM of figure backlog16.
`

// Main is the program: it returns the exit code.
func Main(args []string, stdout, stderr io.Writer) int {
	p := report.Program{
		Name:  "shufflewatcher",
		Help:  help,
		Quick: fmt.Sprintf("16 nodes, %d seeds and half an hour instead of 100, %d and four", quickRepetitions, repetitions),
		Trace: true,
		Plan:  Plan,
	}
	return p.Main(args, stdout, stderr)
}
