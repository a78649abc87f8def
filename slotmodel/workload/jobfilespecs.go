package workload

import (
	"slices"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/slotmodel"
)

// JobNames turns the jobs of a job file into those of the slot model one by one, and numbers users and queues from 0 in the order
// of their first appearance. The zero value is ready. It keeps every name that it has seen, and nothing else.
type JobNames struct {
	users, queues numbered
}

// numbered are different texts with their numbers.
type numbered struct {
	names  []string
	number map[string]int
}

func (n *numbered) of(name string) int {
	k, ok := n.number[name]
	if !ok {
		if n.number == nil {
			n.number = map[string]int{}
		}
		k = len(n.names)
		n.number[name] = k
		n.names = append(n.names, name)
	}
	return k
}

// Spec returns the job for the slot model, and the number of its queue, which a JobSpec has no place for. The job arrives at Submit
// with the tasks, works and bytes of the record, Slowstart .95 and no replicas; everything else is zero and the caller's to set.
//
// It costs O(1) expected. A nil n and a record with a number that a job file may not hold are *schedmath.InputErrors; n is then
// unchanged. IDs and control bytes are not looked at.
func (n *JobNames) Spec(job JobRecord) (spec slotmodel.JobSpec, queue int, err error) {
	g := guard{fn: "JobNames.Spec"}
	if n == nil {
		g.arg("n", "nil, want a *JobNames")
	}
	g.arg("job", job.fault())
	if g.err != nil {
		return slotmodel.JobSpec{}, 0, g.err
	}
	return slotmodel.JobSpec{
		User:      n.users.of(job.User),
		Arrival:   job.Submit,
		Deadline:  job.Deadline,
		Maps:      slotmodel.Phase{Tasks: job.Maps, Work: job.MapSeconds},
		Reduces:   slotmodel.Phase{Tasks: job.Reduces, Work: job.ReduceSeconds},
		Slowstart: Slowstart,
		Input:     job.Input,
		Shuffle:   job.Shuffle,
		Output:    job.Output,
	}, n.queues.of(job.Queue), nil
}

// Users returns the names of the users: number u is element u. The slice is the caller's.
func (n *JobNames) Users() []string {
	if n == nil {
		return nil
	}
	return slices.Clone(n.users.names)
}

// Queues returns the names of the queues: number q is element q. The slice is the caller's.
func (n *JobNames) Queues() []string {
	if n == nil {
		return nil
	}
	return slices.Clone(n.queues.names)
}

// Specs appends the jobs of a job file to dst as jobs of the slot model, each as JobNames.Spec has it, and returns the names: the
// User of a job is an index into names.Users().
//
// The cost is O(len(jobs)) expected. A job with a number that a job file may not hold is an *schedmath.InputError.
func Specs(dst []slotmodel.JobSpec, jobs []JobRecord) (specs []slotmodel.JobSpec, names *JobNames, err error) {
	names = &JobNames{}
	out := slices.Grow(dst, len(jobs))
	for i := range jobs {
		spec, _, err := names.Spec(jobs[i])
		if err != nil {
			return dst, nil, &schedmath.InputError{Func: "workload.Specs", Arg: "jobs", Index: i, Reason: jobs[i].fault()}
		}
		out = append(out, spec)
	}
	return out, names, nil
}

// RecordOf returns a job of the slot model as a line of a job file, so that a workload can be written once and read by Specs again.
// What a file has no column for is left out, and of works that differ within a phase only their mean is kept: a phase with equal
// tasks comes back exactly.
//
// The cost is O(tasks with a work of their own). A spec with a number of tasks, a work, a time or bytes that a job file may not hold is an
// *schedmath.InputError. The texts are not looked at; a JobWriter does.
func RecordOf(id, user, queue string, spec slotmodel.JobSpec) (JobRecord, error) {
	job := JobRecord{
		ID:            id,
		Submit:        spec.Arrival,
		User:          user,
		Queue:         queue,
		Deadline:      spec.Deadline,
		Maps:          spec.Maps.Tasks,
		Reduces:       spec.Reduces.Tasks,
		MapSeconds:    meanWork(&spec.Maps),
		ReduceSeconds: meanWork(&spec.Reduces),
		Input:         spec.Input,
		Shuffle:       spec.Shuffle,
		Output:        spec.Output,
	}
	g := guard{fn: "RecordOf"}
	g.arg("spec", job.fault())
	if g.err != nil {
		return JobRecord{}, g.err
	}
	return job, nil
}

// meanWork is the mean work of a phase's tasks.
func meanWork(p *slotmodel.Phase) float64 {
	if len(p.Works) == 0 {
		return p.Work
	}
	sum := 0.0
	for _, x := range p.Works {
		sum += x
	}
	return sum / float64(len(p.Works))
}
