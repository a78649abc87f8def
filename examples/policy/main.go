// Command policy compares a scheduling policy of one's own with EASY backfill, FIFO and HFSP on a
// trace. Copy this file, put your policy in the place of fewestLeft, and run it with -help.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/policy"
	"github.com/schedmath/schedmath/policy/hfsp"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// fewestLeft is the policy: the job with the fewest tasks left goes first. A key may use anything
// that a View shows, such as the time of arrival, how many tasks run, or who submitted the job, but
// not the future.
func fewestLeft(v *slotmodel.View, j slotmodel.Job, _ slotmodel.Kind) float64 {
	maps, reduces := v.Count(j, slotmodel.Map), v.Count(j, slotmodel.Reduce)
	return float64(maps.Tasks - maps.Done + reduces.Tasks - reduces.Done)
}

const maps, reduces = 4, 2 // slots of a machine

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "policy:", err)
		os.Exit(2)
	}
}

func run(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("policy", flag.ContinueOnError)
	trace := flags.String("trace", "", "replay the `FILE` of jobs, in any format of docs/trace.md; - is standard input; without it a synthetic day")
	machines := flags.Int("machines", 0, "`N` machines of 4 map and 2 reduce slots; 0: what the log says, or its widest job needs, or else 20")
	first := flags.Int("jobs", 2000, "replay the first `N` jobs; 0: all, of the synthetic day half a minute")
	load := flags.Float64("load", 0.9, "work offered for each slot and second, for jobs of bytes; others have times of their own")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 || *first < 0 || *machines < 0 {
		return errors.New("want flags alone, and -jobs and -machines from 0 on")
	}
	jobs, log, err := read(*trace)
	if err != nil {
		return err
	}
	slots := log.MaxProcs
	for i := range jobs {
		if jobs[i].Rigid {
			slots = max(slots, jobs[i].Maps.Tasks)
		}
	}
	*machines = cmp.Or(*machines, (slots+maps-1)/maps, 20)
	if *first = cmp.Or(*first, math.MaxInt); log.SWIM != nil {
		jobs, err = workload.Explode(nil, log.SWIM[:min(*first, len(log.SWIM))], workload.ExplodeOptions{MapSlots: *machines * maps, ReduceSlots: *machines * reduces, MapLoad: *load, ReduceLoad: *load})
	}
	if err != nil || len(jobs) == 0 || *machines > 1e6 {
		return cmp.Or(err, fmt.Errorf("%d jobs on %d machines: want some, and at most 1e6 machines", len(jobs), *machines))
	}
	jobs = jobs[:min(*first, len(jobs))]
	m, r, err := workload.OfferedLoad(*machines*maps, *machines*reduces, jobs)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%d jobs on %d machines; offered load %.2f of the map slots, %.2f of the reduce slots\n", len(jobs), *machines, m, r)
	if max(m, r) > 1 {
		fmt.Fprintln(stdout, "warning: beyond a load of 1 a queue grows until the last arrival, and times say more of the trace than of a policy")
	}
	cluster := &slotmodel.Cluster{Nodes: slices.Repeat([]slotmodel.NodeSpec{{Maps: maps, Reduces: reduces}}, *machines)}
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "sojourn times, s\tmean\tmedian\t95%\tjobs that end\t")
	for _, p := range []struct {
		name   string
		policy slotmodel.Policy
	}{{"fewest left", &policy.Greedy{Inner: policy.By(fewestLeft)}}, {"EASY", &policy.Backfill{}}, {"FIFO", policy.FIFO{}}, {"HFSP", &hfsp.Policy{}}} {
		result, err := slotmodel.Run(cluster, jobs, p.policy, slotmodel.Options{})
		if err != nil {
			return err
		}
		times, sum := []float64{0}, 0. // the 0 stands for none
		for i := range result.Jobs {
			if seconds, ok := result.Jobs[i].Sojourn(); ok && result.Jobs[i].Outcome == slotmodel.Finished {
				times, sum = append(times, seconds), sum+seconds
			}
		}
		slices.Sort(times)
		n := len(times) - 1
		fmt.Fprintf(table, "%s\t%.1f\t%.1f\t%.1f\t%d\t\n", p.name, sum/float64(max(1, n)), times[(n+1)/2], times[(19*n+19)/20], n)
	}
	return table.Flush()
}

// read reads a file; without a name it makes the synthetic day.
func read(name string) (jobs []slotmodel.JobSpec, log joblog.Log, err error) {
	if name == "" {
		log.SWIM, err = workload.SyntheticFB2010(workload.Stream(1, workload.Trace, 0))
		return nil, log, err
	}
	in := os.Stdin
	if name != "-" {
		if in, err = os.Open(name); err != nil {
			return nil, log, err
		}
		defer in.Close()
	}
	if jobs, log, err = workload.ReadJobs(in, joblog.ReadOptions{}); err == nil && log.Jobs != nil {
		jobs, err = workload.FromLog(nil, log, workload.FromLogOptions{Requests: true})
	}
	return jobs, log, err
}
