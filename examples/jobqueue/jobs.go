package main

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/schedmath/schedmath/fairqueue"
)

// A Job is one of a repository, "owner/name". An agent runs it that has all its labels.
type Job struct {
	ID     int64    `json:"id"`
	Repo   string   `json:"repo"`
	Labels []string `json:"labels,omitempty"`
	Run    string   `json:"run"`
}

// A Lease is a job in the hands of an agent, which renews it before it expires. Its number is that
// of the service in the queue.
type Lease struct {
	Number  fairqueue.Service `json:"number"`
	Job     Job               `json:"job"`
	began   time.Time
	expires time.Time
	charged float64 // seconds
}

// Jobs is what waits and what runs. Repositories share the agents' time by the weights of their
// owners. How long a job takes nobody knows before: it is charged guess at first, what it runs
// beyond as it runs, and the truth in the end. Weights hold among the jobs that any agent takes:
// agents whose labels keep other jobs away need a Jobs of their own.
type Jobs struct {
	mu       sync.Mutex
	waiting  *fairqueue.Waiting[string, Job]
	leases   map[fairqueue.Service]*Lease
	guess    float64 // seconds
	term     time.Duration
	last     int64 // ID
	draining bool
}

var errUnknown = errors.New("no such lease or job: it has ended, was cancelled, or has expired")

// NewJobs returns an empty Jobs with the weights of owners, 1 where there is none. A lease expires
// term after its begin or last renewal.
func NewJobs(weights map[string]float64, guess float64, term time.Duration) (*Jobs, error) {
	weight := func(repo string) float64 {
		owner, _, _ := strings.Cut(repo, "/")
		return cmp.Or(weights[owner], 1)
	}
	cost := func(string, Job) float64 { return guess }
	w, err := fairqueue.NewWaiting(weight, cost, fairqueue.Options{Lag: guess}) // a short job does not lose its turn
	return &Jobs{waiting: w, leases: map[fairqueue.Service]*Lease{}, guess: guess, term: term}, err
}

// Add queues a job and returns its ID.
func (j *Jobs) Add(job Job) (int64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last++
	job.ID = j.last
	return job.ID, j.waiting.Push(job.Repo, job)
}

// Poll gives an agent with these labels the next job that it can run. It gives nothing while the
// server drains.
func (j *Jobs) Poll(labels []string, now time.Time) (Lease, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.expire(now); j.draining {
		return Lease{}, false
	}
	_, job, s, ok := j.waiting.Pop(func(_ string, job Job) bool {
		return slices.ContainsFunc(job.Labels, func(l string) bool { return !slices.Contains(labels, l) })
	})
	if !ok {
		return Lease{}, false
	}
	l := &Lease{s, job, now, now.Add(j.term), j.guess}
	j.leases[s] = l
	return *l, true
}

// expire puts the jobs of agents that are silent back, each before the others of its repository.
func (j *Jobs) expire(now time.Time) {
	newer := func(a, b *Lease) int { return cmp.Compare(b.Job.ID, a.Job.ID) }
	for _, l := range slices.SortedFunc(maps.Values(j.leases), newer) {
		if now.After(l.expires) {
			_ = j.end(l, true, now) // a lease is a service in flight, and its job has been queued before
		}
	}
}

// end ends a lease. The job is over, or is put back if again is true.
func (j *Jobs) end(l *Lease, again bool, now time.Time) error {
	if l == nil {
		return errUnknown
	}
	delete(j.leases, l.Number)
	if again {
		return j.waiting.PushFront(l.Number, l.Job)
	}
	return j.waiting.End(l.Number, max(0, now.Sub(l.began).Seconds()))
}

// Done ends a lease. The job is over, or is put back if again is true.
func (j *Jobs) Done(number fairqueue.Service, again bool, now time.Time) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.expire(now)
	return j.end(j.leases[number], again, now)
}

// Renew keeps a lease, and charges what the job has run.
func (j *Jobs) Renew(number fairqueue.Service, now time.Time) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.expire(now)
	l := j.leases[number]
	if l == nil {
		return errUnknown
	}
	l.expires = now.Add(j.term)
	more := max(0, now.Sub(l.began).Seconds()-l.charged)
	l.charged += more
	return j.waiting.Grow(number, more)
}

// Cancel takes out a job, whether it waits or runs: its agent learns it at the next renewal.
func (j *Jobs) Cancel(repo string, id int64, now time.Time) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.waiting.Remove(repo, func(job Job) bool { return job.ID == id }) > 0 {
		return nil
	}
	for _, l := range j.leases {
		if l.Job.ID == id && l.Job.Repo == repo {
			return j.end(l, false, now)
		}
	}
	return errUnknown
}

// Drain stops Poll, and returns the number of jobs that still run.
func (j *Jobs) Drain(now time.Time) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.draining = true
	j.expire(now)
	return len(j.leases)
}
