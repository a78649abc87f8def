// Command scheduler is the loop of a scheduler that serves jobs of unknown size by HFSP. It has a
// cluster of four slots and a clock of its own. It takes jobs as they arrive, learns their sizes
// from sample tasks, and is restarted halfway. It has no flags of its own and ends at once.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/estimate"
	"github.com/schedmath/schedmath/internal/program"
)

type job struct {
	id               string
	arrival, seconds float64 // seconds of each task; the scheduler learns them when tasks end
	waiting, running int     // tasks
}

type event struct {
	time float64
	do   func()
}

type scheduler struct {
	now     float64
	free    int // slots
	events  []event
	jobs    map[string]*job
	virtual *aging.Cluster[string]    // who is next
	samples *estimate.Trainer[string] // how large the jobs are
}

const help = `scheduler runs three jobs of unknown size on a cluster of four slots: it learns their sizes from sample tasks, serves them by HFSP, and is
restarted halfway. It prints when it learns a size and when a job is done. Its source is made to be read; it takes no arguments.
`

func main() { os.Exit(program.Exit(os.Stderr, "scheduler", run(os.Args[1:]))) }

func run(args []string) error {
	if done, err := program.Parse(flag.NewFlagSet("scheduler", flag.ContinueOnError), args, os.Stdout, help); done || err != nil {
		return err
	}
	s := &scheduler{free: 4, jobs: map[string]*job{}}
	s.virtual, s.samples = must(aging.New[string](4)), must(estimate.NewTrainer[string](4, estimate.TrainerOptions{Samples: 2}))
	check(s.samples.Observe(20)) // seconds: a task of last week
	for _, j := range []job{{"report", 0, 30, 12, 0}, {"query", 20, 5, 4, 0}, {"import", 25, 10, 6, 0}} {
		s.at(j.arrival, func() { s.arrive(&j) })
	}
	s.at(36, s.restart)
	for ; len(s.events) > 0; s.events = s.events[1:] {
		e := s.events[0]
		check(s.virtual.Advance(e.time - s.now))
		s.now = e.time
		e.do()
		for s.free > 0 && s.start() {
		}
	}
	return nil
}

// at queues an event behind those of the same time.
func (s *scheduler) at(time float64, do func()) {
	s.events = append(s.events, event{time, do})
	slices.SortStableFunc(s.events, func(a, b event) int { return cmp.Compare(a.time, b.time) })
}

// arrive takes a job in with a first guess of its size: as if its tasks took the mean of all past
// tasks.
func (s *scheduler) arrive(j *job) {
	mean, _ := s.samples.MeanTask()
	size := must(estimate.InitialSize(j.waiting, mean, 1))
	check(s.virtual.Add(j.id, aging.Job{Work: size, Slots: float64(j.waiting)}))
	check(s.samples.Add(j.id, j.waiting))
	s.jobs[j.id] = j
}

// start gives a free slot to a sample task, else to the late job with the fewest running tasks,
// else to the first job on time; false: none waits.
func (s *scheduler) start() bool {
	sample := -1
	id, ok := s.samples.Next()
	if ok {
		sample = must(s.samples.Started(id))
	} else if late := s.virtual.LateReady(nil); len(late) > 0 {
		id = slices.MinFunc(late, func(a, b string) int { return s.jobs[a].running - s.jobs[b].running })
	} else if id, ok = s.virtual.First(aging.ByFinish); !ok {
		return false
	}
	j := s.jobs[id]
	j.waiting, j.running, s.free = j.waiting-1, j.running+1, s.free-1
	check(s.virtual.SetReady(id, j.waiting > 0))
	s.at(s.now+j.seconds, func() { s.ended(j, sample) })
	return true
}

// ended takes the length of a task that has ended. When the samples of a job have all ended, it has
// a size.
func (s *scheduler) ended(j *job, sample int) {
	j.running, s.free = j.running-1, s.free+1
	if sample < 0 {
		check(s.samples.Observe(j.seconds))
	} else if check(s.samples.Finished(j.id, sample, j.seconds)); s.samples.Done(j.id) {
		size, _ := s.samples.Size(j.id)
		check(s.virtual.Reestimate(j.id, size))
		fmt.Printf("%3.0f s: %s has %.0f slot-seconds\n", s.now, j.id, size)
	}
	if j.waiting+j.running == 0 {
		s.virtual.Complete(j.id)
		s.samples.Remove(j.id)
		fmt.Printf("%3.0f s: %s is done, %.0f s after it came\n", s.now, j.id, s.now-j.arrival)
	}
}

// restart writes the state as JSON and reads it back, as around a restart.
func (s *scheduler) restart() {
	var virtual aging.Snapshot[string]
	var samples estimate.TrainerSnapshot[string]
	text := must(json.Marshal([]any{s.virtual.Snapshot(), s.samples.Snapshot()}))
	check(json.Unmarshal(text, &[2]any{&virtual, &samples}))
	s.virtual, s.samples = must(aging.Restore(virtual)), must(estimate.RestoreTrainer(samples))
	fmt.Printf("%3.0f s: restarted\n", s.now)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(err error) { must(0, err) }
