// Command policy compares a scheduling policy of one's own with FIFO and HFSP on a trace. Copy it,
// put your policy in the place of fewestLeft, and run it with -help.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"text/tabwriter"

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

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "policy:", err, "(see -help)")
		os.Exit(2)
	}
}

func run(args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("policy", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	trace := flags.String("trace", "", "replay the job file or SWIM trace `FILE` (plain or gzip); without it a synthetic day")
	first := flags.Int("jobs", 2000, "replay the first `N` jobs; 0: all of them")
	load := flags.Float64("load", 0.9, "work offered per slot and second, `X` > 0; a job file has its own")
	seed := flags.Uint64("seed", 1, "seed `N` of the synthetic day")
	switch err := flags.Parse(args); {
	case err == flag.ErrHelp:
		fmt.Fprintln(stdout, "policy replays a trace or a job file (see package workload), job by job and task by task, under a policy of its own, FIFO and HFSP on 20 machines.\n"+
			"2000 jobs take a second, all 24,442 of the synthetic day half a minute and 200 MB.\n"+
			"It prints the mean, the median and two percentiles of the sojourn times, one row per policy; its source is made to be copied.\n\nFlags:")
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return nil
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case *first < 0:
		return fmt.Errorf("-jobs is %d, want a number >= 0", *first)
	case !(*load > 0 && *load <= math.MaxFloat64):
		return fmt.Errorf("-load is %v, want a finite number > 0", *load)
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
			err = fmt.Errorf("-load is for SWIM traces and the synthetic day: the job file %s has times of its own", *trace)
		}
	})
	if err != nil {
		return err
	}
	if len(specs) == 0 {
		return fmt.Errorf("%s holds no jobs", *trace)
	}
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "policy\tmean\tmedian\t95%\t99%\t")
	for _, p := range []struct {
		name   string
		policy slotmodel.Policy
	}{
		{"fewest left", &policy.Greedy{Inner: policy.By(fewestLeft)}},
		{"FIFO", policy.FIFO{}},
		{"HFSP", new(hfsp.Policy)},
	} {
		result, err := slotmodel.Run(cluster, specs, p.policy, slotmodel.Options{})
		if err != nil {
			return err
		}
		sojourns := result.Sojourns(nil) // of the jobs that finish
		if len(sojourns) == 0 {
			return fmt.Errorf("no job finishes under %s", p.name)
		}
		fmt.Fprintf(table, "%s\t%.1f\t", p.name, mean(sojourns))
		for _, percent := range []float64{50, 95, 99} {
			seconds, _ := result.Percentile(percent)
			fmt.Fprintf(table, "%.1f\t", seconds)
		}
		fmt.Fprintln(table)
	}
	mapTasks, reduceTasks := 0, 0
	for i := range specs {
		mapTasks, reduceTasks = mapTasks+specs[i].Maps.Tasks, reduceTasks+specs[i].Reduces.Tasks
	}
	fmt.Fprintf(stdout, "%d jobs of %d maps and %d reduces; sojourn times in seconds\n", len(specs), mapTasks, reduceTasks)
	return table.Flush()
}

// read reads the first jobs of a job file as they are, which is timed; those of a SWIM trace, or of
// a synthetic day if name is empty, are cut into tasks for the load.
func read(name string, seed uint64, first int, load float64) (jobs []slotmodel.JobSpec, timed bool, err error) {
	var trace []workload.SWIMJob
	if name == "" {
		trace, err = workload.SyntheticFB2010(workload.Stream(seed, workload.Trace, 0))
	} else {
		var file []byte
		if file, err = os.ReadFile(name); err != nil {
			return nil, false, err
		}
		if trace, err = workload.ReadSWIM(bytes.NewReader(file)); err != nil { // a job file, or neither
			if jobs, err = workload.ReadJobs(bytes.NewReader(file)); err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
			return head(jobs, first), true, err
		}
	}
	if err != nil {
		return nil, false, err
	}
	jobs, _, err = workload.Explode(nil, head(trace, first), workload.ExplodeOptions{
		MapSlots: machines * maps, ReduceSlots: machines * reduces, MapLoad: load, ReduceLoad: load,
	}, nil)
	return jobs, false, err
}

// head is the first n jobs; 0: all.
func head[J any](jobs []J, n int) []J {
	if n == 0 || n > len(jobs) {
		return jobs
	}
	return jobs[:n]
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	return sum / float64(len(values))
}
