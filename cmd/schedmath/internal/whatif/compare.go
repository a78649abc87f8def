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
	"time"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/internal/replay"
)

const (
	quickJobs = 2000 // a quick run replays the first so many
	mostSeeds = 10_000

	mostMachines = 100_000
	manyJobs     = 200_000   // beyond it memory counts: seeds are replayed one after another, garbage is collected early, and what is done with is freed
	mostAtOnce   = 1_000_000 // jobs of all policies that are replayed side by side then
)

// Options are the settings of a comparison. Those of report count too.
type Options struct {
	program.Options
	replay.Reading
	DiskToNetwork float64 // d/n of HFSP's size model
	Load          float64
	Sigma         float64       // of the log-normal error of the estimates; 0: exact sizes
	Policies      string        // names separated by commas; "": all
	Model         string        // fluid or slots; "": slots for jobs with times of their own
	Seeds         int           // how many seeds from Seed on
	Machines      int           // of the cluster; 0: as many as the jobs need, or HFSP's 18
	Memory        float64       // bytes of each machine; 0: no limit
	Scaled        bool          // Load was asked for, to which the arrivals of jobs with times of their own are then scaled
	Bytes         bool          // DiskToNetwork was asked for, which jobs with times of their own have no use for
	From, To      string        // times of the file between which jobs arrive; "": all
	Warm          time.Duration // before From, which is played and not counted
	By            string        // user, team or queue: whose jobs of a log they are; "": as the file has users
	Window        string        // file of windows that are held for nobody or for users; "": none
	joined        *joined       // what other runs of the program have made; nil: nothing
	partial       bool          // parts of it may be missing
	foretold      bool          // somebody asks for forecasts
	Command       string        // that was given, for the page

	reserve    func(*setting) error // reads the windows of Window; nil: in the lab, which has no such flag and leaves that code out
	common     *program.Options     // bound to flags
	zone, warm string
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
		{"-memory", o.Memory, o.Memory >= 0, ">= 0"},
	} {
		if !f.ok || math.IsInf(f.value, 0) {
			return program.Usagef("%s is %v, want a finite number %s", f.name, f.value, f.want)
		}
	}
	switch {
	case o.By != "" && replay.By[o.By] == "":
		return program.Usagef("-by is %q, want user, team (or account) or queue (or partition)", o.By)
	case o.Model != "" && o.Model != fluidModel && o.Model != slotsModel:
		return program.Usagef("-model is %q, want fluid or slots", o.Model)
	case o.Seeds < 1 || o.Seeds > mostSeeds:
		return program.Usagef("-seeds is %d, want 1 to %d", o.Seeds, mostSeeds)
	case o.Machines < 0 || o.Machines > mostMachines:
		return program.Usagef("-machines is %d, want 1 to %d", o.Machines, mostMachines)
	}
	return nil
}

const fluidModel, slotsModel = "fluid", "slots"

// A Comparison is what a run has found.
type Comparison struct {
	*setting
	Rows     []Row
	Replayed string // what was replayed, for people
	rivals   []Row

	Forecasts foretold
	Window    []page.Picture // of one seed on a cluster
	jobs      numbers.Table  // what each job took under each policy; of one seed and a file alone
}

// Compare loads the workload and replays it under each policy, for each seed. It tells of its
// progress on stderr. When ctx ends, Compare returns the rows of the seeds that are done, nil if
// none is, and a *program.Interrupted. Seeds are replayed side by side in rounds; the rows do not
// depend on how many a round has.
func Compare(ctx context.Context, o Options, stderr io.Writer) (*Comparison, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	s, names, err := o.prepared(ctx)
	if err != nil {
		return nil, err
	}
	if s.Len() > manyJobs {
		defer debug.SetGCPercent(debug.SetGCPercent(50))
	}
	s.free()
	if jobs, _ := s.plannedJobs(); o.foretold && (jobs == nil || !s.foretells(names)) {
		return nil, program.Usagef("-forecasts: nothing is foretold: that takes rigid jobs, whose users said how long they run, one seed, and easy among the policies")
	}
	if s.neverRun.Jobs > 0 {
		fmt.Fprintf(stderr, "schedmath whatif: %s\n", s.neverRun.Why)
	}
	early := s.slots && s.SWIM == nil // the load is known before the run, which a long queue makes long
	if early {
		s.warn(stderr, s.offered(s.counted()))
	}
	all := s.withRivals(names)
	chosen := make([]int, o.Seeds) // from 0
	for k := range chosen {
		chosen[k] = k
	}
	if j := o.joined; j != nil {
		if s.digest(names) != j.Digest {
			return nil, program.Usagef("the parts are of other jobs or settings than these, or of another version of the program")
		}
		if len(j.Missing) > 0 && !o.partial {
			return nil, program.Usagef("%s: -partial shows the seeds of which all is there", j.Lacks())
		}
		if chosen = j.seeds(o.Seeds, all); len(chosen) == 0 {
			return nil, program.Usagef("%s, and no seed is whole", j.Lacks())
		}
	}
	phases := len(chosen) * len(all) * s.phases()
	if s.foretells(names) {
		phases++
	}
	bar := program.NewProgress(stderr, "schedmath whatif: jobs", phases*s.Len())
	var told func() (foretold, error)
	if s.foretells(names) {
		told = beside(func() (foretold, error) { return s.forecasts(bar) })
	}
	var seeds []replayed
	for round := range slices.Chunk(chosen, s.atOnce()) {
		var made []replayed
		if made, err = program.Await(ctx, func() ([]replayed, error) { return s.replay(round, all, bar) }); err != nil {
			break
		}
		seeds = append(seeds, made...)
	}
	if stopped := new(program.Interrupted); errors.As(err, &stopped) && len(seeds) > 0 {
		stopped.Kept = fmt.Sprintf("%d of %d seeds", len(seeds), len(chosen))
	} else if err != nil {
		return nil, err
	}
	found, err2 := s.found(seeds, names)
	if err2 != nil {
		return nil, err2
	}
	if told != nil {
		if found.Forecasts, err2 = program.Await(ctx, told); err2 != nil {
			return nil, err2
		}
	}
	bar.Done()
	if o.joined != nil && len(o.joined.Missing) > 0 {
		found.Replayed += fmt.Sprintf("; %s: %d of %d seeds are whole, %s", o.joined.Lacks(), len(chosen), o.Seeds,
			numbers.Words(chosen, ", ", func(k int) string { return fmt.Sprint(s.Seed + uint64(k)) }))
	}
	if !early {
		s.warn(stderr, found.Rows[0].Loads)
	}
	return found, err
}

// warn says on stderr what is wrong with a load.
func (s *setting) warn(stderr io.Writer, l loads) {
	if warning := s.warning(l); warning != "" {
		fmt.Fprintf(stderr, "schedmath whatif: %s\n", s.offer(l)+warning)
	}
}

// phases are those of one policy: its run, what users were owed, and what there is to say of it.
func (s *setting) phases() int {
	if s.shared {
		return 3
	}
	return 2
}

// beside starts work and returns a function that waits for what it gives.
func beside[T any](work func() (T, error)) func() (T, error) {
	done := make(chan struct{})
	var value T
	var err error
	go func() {
		defer close(done)
		value, err = work()
	}()
	return func() (T, error) {
		<-done
		return value, err
	}
}

// found is what the runs of seeds have found of the policies that are named.
func (s *setting) found(seeds []replayed, names []string) (*Comparison, error) {
	rows := average(seeds)
	found := &Comparison{setting: s, rivals: rows[:2], jobs: seeds[0].jobs}
	for _, name := range names {
		found.Rows = append(found.Rows, rows[slices.IndexFunc(rows, func(r Row) bool { return r.Policy == name })])
	}
	if found.Rows[0].Jobs == 0 {
		return nil, program.Usagef("no job of %s ends under all of %s", s.Name, strings.Join(names, ", "))
	}
	found.Window = seeds[0].window(names)
	found.Replayed = s.title(seeds[0].what, found.Rows[0].Jobs, len(seeds)) + s.leftOut(names)
	return found, nil
}

// replayed is what one seed gave: the rows, what was replayed, for people, and the table of jobs.
type replayed struct {
	rows []Row
	what string
	jobs numbers.Table

	window func(chosen []string) []page.Picture
}

// prepared opens the trace and reads the list of policies.
func (o Options) prepared(ctx context.Context) (*setting, []string, error) {
	s, err := program.Await(ctx, o.open)
	if err != nil {
		return nil, nil, err
	}
	names, err := s.parsePolicies()
	return s, names, err
}

// rivals are the policies that every other is compared with.
func (s *setting) rivals() [2]string {
	switch {
	case s.windows != nil: // fcfs knows none
		return [2]string{"conservative", "easy"}
	case s.rigid:
		return [2]string{"fcfs", "easy"}
	case s.slots:
		return [2]string{"fifo", "fair"}
	}
	return [2]string{"fifo", "ps"}
}

// withRivals are the two rivals and then the other policies.
func (s *setting) withRivals(names []string) []string {
	rivals := s.rivals()
	return append(rivals[:], slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(rivals[:], n) })...)
}

// atOnce is how many seeds are replayed side by side.
func (s *setting) atOnce() int {
	if s.Len() > manyJobs {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// free gives back the memory of what is done with: reading, and then each run.
func (s *setting) free() {
	if s.Len() > manyJobs {
		debug.FreeOSMemory()
	}
}

// play replays the setting with some seeds, which are counted from 0, under those of the policies
// that are wanted, all side by side.
func (s *setting) play(seeds []int, names []string, wanted func(seed, policy int) bool, bar *program.Progress) ([]*stage, error) {
	stages := make([]*stage, len(seeds))
	err := program.Parallel(len(seeds), func(_ *struct{}, i int) (err error) {
		if stages[i], err = s.seeded(seeds[i]); err == nil {
			stages[i].runs = make([]outcome, len(names))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	var runs []int
	for n := range len(seeds) * len(names) {
		if wanted(seeds[n/len(names)], n%len(names)) {
			runs = append(runs, n)
		}
	}
	side := max(1, len(runs)) // how many run side by side
	if s.Len() > manyJobs {
		side = max(1, mostAtOnce/s.Len())
	}
	for some := range slices.Chunk(runs, side) {
		err := program.Parallel(len(some), func(_ *struct{}, n int) (err error) {
			i, p := some[n]/len(names), some[n]%len(names)
			stages[i].runs[p], err = stages[i].run(seeds[i], names[p], bar)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return stages, nil
}

// replay is what some seeds give.
func (s *setting) replay(seeds []int, names []string, bar *program.Progress) ([]replayed, error) {
	stages, err := s.play(seeds, names, func(int, int) bool { return true }, bar)
	if err != nil {
		return nil, err
	}
	list := make([]replayed, len(seeds))
	return list, program.Parallel(len(seeds), func(_ *struct{}, i int) error {
		rows := stages[i].rows(names, bar)
		list[i] = replayed{rows: rows, what: stages[i].what, window: func(chosen []string) []page.Picture { return stages[i].window(names, chosen) }}
		if s.Seeds == 1 && !s.Synthetic && s.Out != "" {
			list[i].jobs = stages[i].jobTable(rows)
		}
		return nil
	})
}

// run plays a policy, or looks up what a part has made of it under the k-th seed.
func (s *stage) run(k int, policy string, bar *program.Progress) (outcome, error) {
	if s.joined == nil {
		return s.policy(policy, bar)
	}
	run := s.joined.runs[runKey{k, policy}]
	if n := len(s.sizes); len(run.Sojourn) != n || len(run.Finish) != n || s.slots && len(run.Start) != n || s.shared && (len(run.Net) == 0 || len(run.Worst) != len(run.Net)) {
		return run, program.Usagef("the parts hold a run of %s with seed %d of %d jobs, want %d", policy, s.Seed, len(run.Sojourn), n)
	}
	return run, nil
}

// seeded is the stage of the setting with the k-th seed.
func (s *setting) seeded(k int) (*stage, error) {
	seed := *s
	var err error
	seed.Seed += uint64(k)
	if k > 0 && s.Synthetic {
		if seed.Trace, err = seed.load(); err != nil {
			return nil, err
		}
	}
	if seed.redraws() {
		seed.Trace = redraw(seed.Trace, seed.Seed)
	}
	return seed.stage()
}
