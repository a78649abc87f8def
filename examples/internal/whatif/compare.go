package whatif

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/examples/internal/replay"
	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/slotmodel"
)

const (
	quickJobs = 2000 // a quick run replays the first so many
	mostSeeds = 10_000

	mostMachines = 100_000
	manyJobs     = 200_000 // beyond it memory counts: seeds are replayed one after another, and garbage is collected early
)

// Options are the settings of a comparison. Those of report count too.
type Options struct {
	report.Options
	DiskToNetwork float64 // d/n of HFSP's size model
	Load          float64
	Sigma         float64 // of the log-normal error of the estimates; 0: exact sizes
	Policies      string  // names separated by commas; "": all
	Slots         bool    // the slot model instead of one fluid server
	Seeds         int     // how many seeds from Seed on; 0 means 1
	Machines      int     // of the cluster; 0: HFSP's 18, or as many as the widest rigid job needs
	Sized         bool    // DiskToNetwork or Load was asked for, which a job file has no use for
}

// check rejects numbers that no workload can be made with; NaN fails too.
func (o *Options) check() error {
	for _, f := range []struct {
		name  string
		value float64
		ok    bool
		want  string
	}{
		{"-dn", o.DiskToNetwork, o.DiskToNetwork >= 0, ">= 0"},
		{"-load", o.Load, o.Load > 0, "> 0"},
		{"-sigma", o.Sigma, o.Sigma >= 0, ">= 0"},
	} {
		if !f.ok || math.IsInf(f.value, 0) {
			return report.Usagef("%s is %v, want a finite number %s", f.name, f.value, f.want)
		}
	}
	switch {
	case o.Seeds < 0 || o.Seeds > mostSeeds:
		return report.Usagef("-seeds is %d, want 1 to %d", o.Seeds, mostSeeds)
	case o.Machines < 0 || o.Machines > mostMachines:
		return report.Usagef("-machines is %d, want 1 to %d", o.Machines, mostMachines)
	case o.Slots && o.Sigma > 0:
		return report.Usagef("-sigma is for -model fluid: in the slot model hfsp estimates sizes from samples, and nobody else needs them")
	}
	return nil
}

// first is how many jobs of the trace are replayed; 0: all.
func (o *Options) first() int {
	if o.Quick {
		return quickJobs
	}
	return 0
}

// redraws is whether each seed draws the arrivals of the trace anew: where it draws nothing else.
func (o *Options) redraws() bool { return o.Seeds > 1 && o.Trace != "" && o.Sigma == 0 }

// open reads the trace, or makes the synthetic day of the seed.
func (o *Options) open() (replay.Trace, error) {
	t, err := replay.Open(o.Trace, o.Seed, o.first())
	if err != nil || t.Specs == nil {
		return t, err
	}
	if o.Sized {
		return t, report.Usagef("-dn and -load make times of bytes: %s has times of its own", o.Trace)
	}
	if i := slices.IndexFunc(t.Specs, func(j slotmodel.JobSpec) bool { return j.After > 0 }); i >= 0 && o.redraws() {
		return t, report.Usagef("-seeds draws arrivals anew, but job %d of %s comes after another job", i+1, o.Trace)
	}
	return t, nil
}

// Compare loads the workload and replays it under each policy, for each seed. title says what was
// replayed. Where stderr is a terminal it shows a progress bar. When ctx ends, Compare returns the
// rows of the seeds that are done, nil if none is, and a *report.Interrupted. Seeds are replayed
// side by side in rounds; the rows do not depend on how many a round has.
func Compare(ctx context.Context, o Options, stderr io.Writer) (rows []Row, title string, err error) {
	if err := o.check(); err != nil {
		return nil, "", err
	}
	t, err := report.Await(ctx, o.open)
	if err != nil {
		return nil, "", err
	}
	names := fluidNames()
	if o.Slots {
		names = slotNames(t.Specs)
	}
	if names, err = parsePolicies(o.Policies, names); err != nil {
		return nil, "", err
	}
	c := &console{stderr: stderr, seeds: max(1, o.Seeds)}
	atOnce := runtime.GOMAXPROCS(0)
	if t.Len() > manyJobs {
		atOnce = 1
		defer debug.SetGCPercent(debug.SetGCPercent(50))
	}
	var seeds []replayed
	for len(seeds) < c.seeds && err == nil {
		first, n := len(seeds), min(atOnce, c.seeds-len(seeds))
		var round []replayed
		round, err = report.Await(ctx, func() ([]replayed, error) {
			round := make([]replayed, n)
			return round, report.Parallel(n, func(_ *struct{}, k int) (err error) {
				round[k], err = o.replay(t, first+k, names, n == 1, c)
				return err
			})
		})
		if err == nil {
			seeds = append(seeds, round...)
		}
	}
	if stopped := new(report.Interrupted); errors.As(err, &stopped) && len(seeds) > 0 {
		stopped.Kept = fmt.Sprintf("%d of %d seeds", len(seeds), c.seeds)
	} else if err != nil {
		return nil, "", err
	} else {
		c.bar.Done()
	}
	all := seeds[0].rows
	if o.Seeds > 1 {
		all = average(seeds)
	}
	for _, name := range names {
		rows = append(rows, all[slices.IndexFunc(all, func(r Row) bool { return r.Policy == name })])
	}
	if rows[0].Jobs == 0 {
		return nil, "", report.Usagef("no job of %s finishes", t.Name)
	}
	return rows, o.title(t, seeds[0].name, rows[0].Jobs, len(seeds)), err
}

// replayed is what one seed gave: the rows, and what was replayed, for people.
type replayed struct {
	rows []Row
	name string
}

// replay replays the trace, or the synthetic day, with the k-th seed.
func (o Options) replay(t replay.Trace, k int, names []string, parallel bool, c *console) (r replayed, err error) {
	o.Seed += uint64(k)
	if k > 0 && o.Trace == "" {
		if t, err = o.open(); err != nil {
			return r, err
		}
	}
	if o.redraws() {
		t = redraw(t, o.Seed)
	}
	var s *stage
	if o.Slots {
		s, err = onSlots(o, t)
	} else {
		s, err = onFluid(o, t)
	}
	if err != nil {
		return r, err
	}
	r.rows, err = s.replay(names, parallel, c)
	r.name = s.name
	return r, err
}

// title says what was replayed.
func (o *Options) title(t replay.Trace, what string, jobs, seeds int) string {
	times := fmt.Sprintf("d/n %v, load %v", o.DiskToNetwork, o.Load)
	if t.Specs != nil {
		times = "times of the file"
	}
	sizes := "exact sizes"
	switch {
	case o.Slots:
		sizes = "sizes unknown to all but srpt"
	case o.Sigma > 0:
		sizes = fmt.Sprintf("sigma %v, seed %d", o.Sigma, o.Seed)
	}
	if o.redraws() {
		sizes += fmt.Sprintf(", arrivals drawn anew with seed %d", o.Seed)
	}
	title := fmt.Sprintf("%s: %s, %s, %s", what, report.Count(jobs, "job"), times, sizes)
	if o.Seeds > 1 {
		title += fmt.Sprintf(", and so on: means over %s", report.Count(seeds, "seed"))
	}
	return title
}

// parsePolicies reads a list of names separated by commas, each one of names; an empty list means
// all of them.
func parsePolicies(list string, names []string) ([]string, error) {
	if list == "" {
		return names, nil
	}
	var chosen []string
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(names, name) {
			return nil, report.Usagef("-policies names %q, want some of %s", name, strings.Join(names, ","))
		}
		if slices.Contains(chosen, name) {
			return nil, report.Usagef("-policies names %q twice", name)
		}
		chosen = append(chosen, name)
	}
	return chosen, nil
}
