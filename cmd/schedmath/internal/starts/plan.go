package starts

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/backfill"
)

// A resource is what jobs wait for: the CPUs of the nodes of a partition, or all GPUs.
type resource struct {
	name  string
	nodes map[*node]bool
	gpus  bool
	total int64 // of nodes that can be used
	free  int64 // now
}

// sum is how much of it some nodes have.
func (r *resource) sum(of func(n *node) bool) (sum int64) {
	for n := range r.nodes {
		switch {
		case !of(n):
		case r.gpus:
			sum += n.gpus
		default:
			sum += n.cpus
		}
	}
	return sum
}

// plan is what runs, who waits and what there is, for package backfill.
type plan struct {
	*cluster
	now       float64
	resources []resource
	takes     map[string][]bool // by partitions of a job: the resources that its CPUs are of; nil: they have no node
	running   []*job
	waiting   []*job // in the order in which they are served
	held      []backfill.Running
	queue     []backfill.Job
	out       map[string]int // jobs that are left out, by reason
}

// usable are the states of nodes on which jobs start, now or when others have ended or a reservation
// has.
var usable = []string{"idle", "mix", "mixed", "alloc", "allocated", "comp", "completing", "plnd", "planned", "maint", "resv", "reserved"}

// runs are the states of jobs that hold what they have.
var runs = []string{"RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "STOPPED"}

// clock is the time at which squeue printed, NaN if nothing runs: the greatest start and run time of
// what runs.
func (c *cluster) clock() float64 {
	now := math.NaN()
	for _, j := range c.jobs {
		if t := j.start + j.ran; j.state == "RUNNING" && !(now >= t) {
			now = t
		}
	}
	return now
}

// newPlan plans the jobs of a cluster, and one that is submitted now unless it is nil.
func newPlan(c *cluster, now float64, submitted *job) *plan {
	p := &plan{cluster: c, now: now, out: map[string]int{}}
	p.bound()
	p.divide()
	for _, j := range c.jobs {
		switch text := p.leaves(j); {
		case text != "":
			p.out[text]++
		case j.state == "PENDING":
			p.waiting = append(p.waiting, j)
		default:
			p.running = append(p.running, j)
		}
	}
	slices.SortStableFunc(p.waiting, func(a, b *job) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.submit, b.submit))
	})
	if submitted != nil {
		p.waiting = append(p.waiting, submitted)
	}
	for _, j := range p.running {
		p.held = append(p.held, backfill.Running{Need: p.needs(j), End: now + j.limit - j.ran})
	}
	for _, j := range p.waiting {
		p.queue = append(p.queue, backfill.Job{Need: p.needs(j), Time: j.limit})
	}
	p.shut()
	for k := range p.resources {
		r := &p.resources[k]
		r.free = r.total
		for _, h := range p.held {
			r.free -= h.Need[k]
		}
	}
	return p
}

// bound gives jobs without a limit the longest one of their partitions, else of any.
func (p *plan) bound() {
	longest := map[string]float64{}
	for _, j := range p.jobs {
		if !math.IsInf(j.limit, 1) {
			longest[j.partitions], longest[""] = max(longest[j.partitions], j.limit), max(longest[""], j.limit)
		}
	}
	for _, j := range p.jobs {
		if math.IsInf(j.limit, 1) {
			j.limit = cmp.Or(longest[j.partitions], longest[""], j.limit)
		}
	}
}

// divide makes a resource of the nodes of each partition, and of those of each list of partitions that
// a job names; one of all that have the same nodes. CPUs of a job are of those resources whose nodes are
// all nodes of its partitions, or more: what runs in a larger partition on the nodes of a smaller one is
// not known.
func (p *plan) divide() {
	sets := map[string]map[*node]bool{}
	add := func(parts string) {
		if sets[parts] != nil {
			return
		}
		set := map[*node]bool{}
		for _, n := range p.nodes {
			for part := range strings.SplitSeq(parts, ",") {
				if slices.Contains(n.partitions, part) {
					set[n] = true
				}
			}
		}
		sets[parts] = set
		if len(set) > 0 && !slices.ContainsFunc(p.resources, func(r resource) bool { return maps.Equal(r.nodes, set) }) {
			p.resources = append(p.resources, resource{name: "CPUs of " + parts, nodes: set})
		}
	}
	for _, part := range p.parts {
		add(part)
	}
	for _, j := range p.jobs {
		add(j.partitions)
	}
	all := map[*node]bool{}
	for _, n := range p.nodes {
		all[n] = true
	}
	p.resources = append(p.resources, resource{name: "GPUs", nodes: all, gpus: true})
	for k := range p.resources {
		r := &p.resources[k]
		r.total = r.sum(func(n *node) bool { return slices.Contains(usable, n.state) })
	}
	p.takes = map[string][]bool{}
	for parts, set := range sets {
		if len(set) == 0 {
			continue
		}
		for _, r := range p.resources {
			takes := !r.gpus
			for n := range set {
				takes = takes && r.nodes[n]
			}
			p.takes[parts] = append(p.takes[parts], takes)
		}
	}
}

// needs is what a job needs of each resource.
func (p *plan) needs(j *job) []int64 {
	need := make([]int64, len(p.resources))
	for i, takes := range p.takes[j.partitions] {
		if takes {
			need[i] = j.cpus
		}
	}
	need[len(need)-1] = j.gpus
	return need
}

// leaves says why a job is left out, "" if it is not.
func (p *plan) leaves(j *job) string {
	switch {
	case p.takes[j.partitions] == nil:
		return "are of partitions that sinfo does not list"
	case slices.Contains(runs, j.state):
		return ""
	case j.state != "PENDING":
		return "have ended or are in other states"
	case j.depends:
		return "depend on other jobs"
	case j.priority == 0 || strings.HasPrefix(j.reason, "JobHeld") || strings.Contains(j.reason, "held state"):
		return "are held"
	case j.reason == "BeginTime":
		return "wait for their begin time"
	case j.reason == "Reservation":
		return "wait for a reservation"
	case strings.Contains(j.reason, "Limit"), strings.HasPrefix(j.reason, "Assoc"), strings.HasPrefix(j.reason, "QOS"),
		strings.HasPrefix(j.reason, "Max") && strings.Contains(j.reason, "Per"):
		return "wait for a limit"
	}
	return ""
}

// capacity is what there is of each resource.
func (p *plan) capacity() (list []int64) {
	for _, r := range p.resources {
		list = append(list, r.total)
	}
	return list
}

// forecast says when each job that waits will start. Jobs of a user are alike.
func (p *plan) forecast(past *past) ([]backfill.Interval, error) {
	const most = 2e9 // futures times jobs times jobs
	jobs, users := slices.Concat(p.running, p.waiting), map[string]int{}
	n := float64(len(jobs))
	o := backfill.ForecastOptions{Samples: int(max(20, min(200, most/max(1, n*n))))}
	o.Windows, _ = p.windows()
	for _, j := range jobs {
		if _, known := users[j.user]; !known {
			users[j.user] = len(users)
		}
		o.Groups = append(o.Groups, users[j.user])
	}
	return backfill.Forecast(nil, p.capacity(), p.now, p.held, p.queue, func(i int, u float64) float64 { return past.rest(jobs[i], u) }, o, rand.NewPCG(1, 0))
}

// why says what the job at a place of the queue waits for, and who holds it.
func (p *plan) why(i int) string {
	lacking, most := -1, int64(0)
	for k, n := range p.queue[i].Need {
		if n > p.resources[k].total {
			return fmt.Sprintf("needs %d %s of the %d that can be used", n, p.resources[k].name, p.resources[k].total)
		}
		if lack := n - max(0, p.resources[k].free); lack > most && n > 0 {
			lacking, most = k, lack
		}
	}
	if lacking < 0 {
		var ahead []*job // that need some of the same
		for k, x := range p.queue[:i] {
			for r, n := range p.queue[i].Need {
				if n > 0 && x.Need[r] > 0 {
					ahead = append(ahead, p.waiting[k])
					break
				}
			}
		}
		switch {
		case len(ahead) > 0:
			return "behind " + few(ahead)
		case len(p.reservations) > 0:
			return "its turn, which is next, or a reservation"
		}
		return "its turn, which is next"
	}
	var holders []*job
	for k, r := range p.held {
		if r.Need[lacking] > 0 {
			holders = append(holders, p.running[k])
		}
	}
	slices.SortStableFunc(holders, func(a, b *job) int { return cmp.Compare(p.needs(b)[lacking], p.needs(a)[lacking]) })
	r := p.resources[lacking]
	return fmt.Sprintf("%d %s, of which %d are free: held by %s", p.queue[i].Need[lacking], r.name, max(0, r.free), few(holders))
}

// few names the first of some jobs.
func few(jobs []*job) string {
	const most = 2
	var names []string
	for _, j := range jobs[:min(most, len(jobs))] {
		names = append(names, j.id+" ("+j.user+")")
	}
	text := strings.Join(names, ", ")
	if more := len(jobs) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
