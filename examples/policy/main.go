// Command policy compares a scheduling policy of one's own with FIFO and HFSP on a trace. Copy it,
// put your policy in the place of fewestLeft, and run it with -help.
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
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

const machines, maps, reduces = 20, 4, 2 // slots of a machine

func main() { os.Exit(program.Exit(os.Stderr, "policy", run(os.Args[1:], os.Stdout))) }

const help = `policy replays jobs, task by task, under a policy of its own, FIFO and HFSP on 20 machines. They are those of -trace FILE, in any format that
docs/trace.md has, or of a synthetic day. 2000 jobs take a second, all 24,442 of the synthetic day half a minute and 200 MB. It prints the
offered load, and the mean, the median and two percentiles of the sojourn times, one row per policy; its source is made to be copied.
`

func run(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("policy", flag.ContinueOnError)
	trace := flags.String("trace", "", "replay the table, job file, SWIM trace or log `FILE` (plain or gzip; - is standard input); without it a synthetic day")
	first := flags.Int("jobs", 2000, "replay the first `N` jobs; 0: all of them")
	load := flags.Float64("load", 0.9, "work offered per slot and second, `X` > 0, for jobs of bytes; others have times of their own")
	seed := flags.Uint64("seed", 1, "seed `N` of the synthetic day")
	if done, err := program.Parse(flags, args, stdout, help); done || err != nil {
		return err
	}
	switch {
	case *first < 0:
		return program.Usagef("-jobs is %d, want a number >= 0", *first)
	case !(*load > 0 && *load <= math.MaxFloat64):
		return program.Usagef("-load is %v, want a finite number > 0", *load)
	}

	cluster := &slotmodel.Cluster{}
	for range machines {
		cluster.Nodes = append(cluster.Nodes, slotmodel.NodeSpec{Maps: maps, Reduces: reduces})
	}
	specs, timed, err := read(*trace, *seed, *first, *load)
	if err != nil {
		return err
	}
	flags.Visit(func(f *flag.Flag) {
		if f.Name == "load" && timed {
			err = program.Usagef("-load is for SWIM traces and the synthetic day: the jobs of %s have times of their own", *trace)
		}
	})
	if err != nil {
		return err
	}
	if len(specs) == 0 {
		return program.Usagef("%s holds no jobs", *trace)
	}
	policies := []struct {
		name   string
		policy slotmodel.Policy
	}{
		{"fewest left", &policy.Greedy{Inner: policy.By(fewestLeft)}},
		{"FIFO", policy.FIFO{}},
		{"HFSP", new(hfsp.Policy)},
	}
	sojourns := make([][]float64, len(policies)) // by policy and job; NaN: the job did not finish
	stuck := 0
	for k, p := range policies {
		result, err := slotmodel.Run(cluster, specs, p.policy, slotmodel.Options{})
		if err != nil {
			return err
		}
		for i := range result.Jobs {
			seconds, _ := result.Jobs[i].Sojourn()
			if result.Jobs[i].Outcome != slotmodel.Finished {
				seconds = math.NaN()
			}
			sojourns[k] = append(sojourns[k], seconds)
			if k == 0 && result.Jobs[i].Outcome == slotmodel.Stuck {
				stuck++
			}
		}
	}
	// Policies are compared over the jobs that finish under all of them.
	var compared []int
	mapTasks, reduceTasks := 0, 0
	for i := range specs {
		if !slices.ContainsFunc(sojourns, func(list []float64) bool { return math.IsNaN(list[i]) }) {
			compared = append(compared, i)
			mapTasks, reduceTasks = mapTasks+specs[i].Maps.Tasks, reduceTasks+specs[i].Reduces.Tasks
		}
	}
	if len(compared) == 0 {
		return program.Usagef("no job finishes under all policies; %d can never run on %d machines", stuck, machines)
	}
	fmt.Fprintf(stdout, "%s of %s and %s on %d machines; sojourn times in seconds\n", numbers.Count(len(compared), "job"), numbers.Count(mapTasks, "map"), numbers.Count(reduceTasks, "reduce"), machines)
	if n := len(specs) - len(compared); n > 0 {
		fmt.Fprintf(stdout, "%d more do not finish under all policies, %d of them since they can never run here\n", n, stuck)
	}
	if m, r, err := workload.OfferedLoad(machines*maps, machines*reduces, specs); err == nil {
		fmt.Fprintf(stdout, "offered load of all jobs: %.2f of the map slots, %.2f of the reduce slots\n", m, r)
	}
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "policy\tmean\tmedian\t95%\t99%\t")
	for k, p := range policies {
		var list []float64
		for _, i := range compared {
			list = append(list, sojourns[k][i])
		}
		slices.Sort(list)
		fmt.Fprintf(table, "%s\t%.1f\t%.1f\t%.1f\t%.1f\t\n", p.name, numbers.Mean(list), numbers.Quantile(list, .5), numbers.Quantile(list, .95), numbers.Quantile(list, .99))
	}
	return table.Flush()
}

// read reads the first jobs of a file that has times of its own, which is timed; jobs of bytes, and
// those of a synthetic day if name is empty, are cut into tasks for the load.
func read(name string, seed uint64, first int, load float64) (jobs []slotmodel.JobSpec, timed bool, err error) {
	var log joblog.Log
	if name == "" {
		log.SWIM, err = workload.SyntheticFB2010(workload.Stream(seed, workload.Trace, 0))
	} else {
		var in io.ReadCloser
		if in, err = program.Open(name); err != nil {
			return nil, false, err
		}
		defer in.Close()
		if jobs, log, err = workload.ReadJobs(in, joblog.ReadOptions{}); err == nil && log.Jobs != nil {
			jobs, err = workload.FromLog(nil, log, workload.FromLogOptions{})
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	if err != nil || log.SWIM == nil {
		return head(jobs, first), true, err
	}
	jobs, err = workload.Explode(nil, head(log.SWIM, first), workload.ExplodeOptions{
		MapSlots: machines * maps, ReduceSlots: machines * reduces, MapLoad: load, ReduceLoad: load,
	})
	return jobs, false, err
}

// head is the first n jobs; 0: all.
func head[J any](jobs []J, n int) []J {
	if n == 0 || n > len(jobs) {
		return jobs
	}
	return jobs[:n]
}
