package whatif

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/internal/parts"
	"github.com/schedmath/schedmath/internal/program"
)

// A partRun is what a policy did under a seed, counted from 0.
type partRun struct {
	Seed    int
	Policy  string
	Outcome outcome
}

// joined are the runs that parts have made.
type joined struct {
	*parts.Joined[[]partRun]
	files []string
	runs  map[runKey]outcome
}

type runKey struct {
	seed   int
	policy string
}

// readParts reads what -part has written.
func readParts(files []string) (*joined, error) {
	j := &joined{files: files, runs: map[runKey]outcome{}}
	var err error
	if j.Joined, err = parts.Read[[]partRun]("schedmath whatif", files); err != nil {
		return nil, err
	}
	for _, r := range slices.Concat(j.Made...) {
		j.runs[runKey{r.Seed, r.Policy}] = r.Outcome
	}
	return j, nil
}

// seeds are those, from 0, of which all runs are there.
func (j *joined) seeds(n int, names []string) (whole []int) {
	for k := range n {
		if !slices.ContainsFunc(names, func(name string) bool { _, ok := j.runs[runKey{k, name}]; return !ok }) {
			whole = append(whole, k)
		}
	}
	return whole
}

// digest tells two comparisons apart: by all settings that change a number, and by the jobs.
func (s *setting) digest(names []string) string {
	o := s.Options
	o.Out, o.Trace, o.Window, o.Command, o.Zone, o.joined, o.partial, o.foretold, o.common, o.zone, o.warm, o.reserve = "", "", "", "", nil, nil, false, false, nil, "", "", nil
	o.Policies = strings.Join(names, ",")
	h := parts.Hash()
	fmt.Fprintf(h, "%+v\n%v\n%v\n%v\n%d\n%v\n", o, s.Jobs, s.SWIM, s.Users, s.machines, s.windows)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// writePart makes the runs of a part and writes them into a file. They are dealt out seed by seed
// and in each policy by policy.
func writePart(ctx context.Context, o Options, part parts.Share, args []string, file string, stderr io.Writer) error {
	if err := o.check(); err != nil {
		return err
	}
	s, names, err := o.prepared(ctx)
	if err != nil {
		return err
	}
	all := s.withRivals(names)
	mine := func(seed, policy int) bool { return part.Deals(seed*len(all) + policy) }
	var seeds []int // of each run
	for n := range o.Seeds * len(all) {
		if part.Deals(n) {
			seeds = append(seeds, n/len(all))
		}
	}
	bar := program.NewProgress(stderr, "schedmath whatif: jobs", len(seeds)*(s.phases()-1)*s.Len())
	var runs []partRun
	for round := range slices.Chunk(slices.Compact(slices.Clone(seeds)), s.atOnce()) {
		stages, err := program.Await(ctx, func() ([]*stage, error) { return s.play(round, all, mine, bar) })
		if err != nil {
			return err
		}
		for i, k := range round {
			for p, name := range all {
				if mine(k, p) {
					runs = append(runs, partRun{k, name, stages[i].runs[p]})
				}
			}
		}
	}
	bar.Done()
	run := parts.Run{Program: "schedmath whatif", Args: args, Digest: s.digest(names)}
	return run.Write(file, part, len(runs), o.Seeds*len(all), "run", runs, stderr)
}
