package joblog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// object is what is read of a Workload of Kueue, a Job or a Pod.
type object struct {
	Kind     string
	Metadata struct {
		Name, Namespace, UID, CreationTimestamp string
		Labels                                  map[string]string
		OwnerReferences                         []struct{ UID string }
	}
	Spec struct {
		podSpec          // of a Pod
		QueueName        string
		Active           *bool
		PodSets          list
		Parallelism      *float64
		Completions      *float64
		Template         podTemplate
		Deadline         float64 `json:"activeDeadlineSeconds"`
		MaximumExecution float64 `json:"maximumExecutionTimeSeconds"`
	}
	Status struct {
		StartTime, CompletionTime string
		Phase                     string
		Conditions                list
		ContainerStatuses         []struct {
			State struct{ Terminated struct{ FinishedAt string } }
		}
		Admission struct {
			PodSetAssignments []struct{ ResourceUsage map[string]json.RawMessage }
		}
	}
}

// list is a list of small objects, which are decoded one at a time: together they would take many
// times the text.
type list struct{ json.RawMessage }

// each decodes the elements of a list, up to the first that is none of them.
func each[T any](l *kubernetesList, field string, list list) iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		if list.RawMessage == nil {
			return
		}
		d := json.NewDecoder(bytes.NewReader(list.RawMessage))
		if t, _ := d.Token(); t != json.Delim('[') {
			if t != nil {
				l.fault(field, "", "is no list")
			}
			return
		}
		for i := 0; d.More(); i++ {
			var x T
			if err := d.Decode(&x); err != nil {
				kind := &json.UnmarshalTypeError{Type: reflect.TypeFor[T]()} // it is JSON, so that err is one
				errors.As(err, &kind)
				l.fault(strings.TrimSuffix(field+"["+strconv.Itoa(i)+"]."+kind.Field, "."), kind.Value, "is no "+kind.Type.Kind().String())
				return
			}
			if !yield(i, &x) {
				return
			}
		}
	}
}

type podSet struct {
	Count    *float64
	Template podTemplate
}

type podTemplate struct{ Spec podSpec }

type podSpec struct {
	Containers, InitContainers list
	Overhead                   map[string]json.RawMessage // of the runtime class
}

type container struct {
	RestartPolicy string // Always: of an init container that runs on beside the others
	Resources     struct{ Requests, Limits map[string]json.RawMessage }
}

type condition struct{ Type, Status, LastTransitionTime string }

// queueLabel names the queue of a Job or a Pod that Kueue admits.
const queueLabel = "kueue.x-k8s.io/queue-name"

// kubernetesList is the answer of kubectl get -o json as far as it has been read.
type kubernetesList struct {
	in        *intake
	text      *jsonReader
	at        place     // of the item under way
	err       error     // its first
	sacct     *sacctLog // the list is that of sacct --json; nil: of kubectl
	workloads bool      // the list has some
	others    bool      // it has Jobs or Pods
	jobs      []*listedJob
	owners    map[string]*listedJob // by UID; nil: of a Pod that was told by itself
}

// place is where an item stands: its number from 0, and its line and column.
type place struct{ item, line, column int }

// listedJob is a Job, which waits for what its Pods tell.
type listedJob struct {
	job   Job
	at    place
	pods  bool    // some are in the list
	bound float64 // when the first of them was bound to a node
}

// readKubernetes reads a list of objects as kubectl get -o json writes it.
func readKubernetes(in *intake) error {
	l := &kubernetesList{in: in, text: newJSONReader(in.Text), owners: map[string]*listedJob{}}
	if err := l.read(); err != nil {
		return err
	}
	for _, j := range l.jobs {
		l.err = nil
		l.told(j)
		if err := in.fault(l.err); err != nil {
			return err
		}
	}
	return nil
}

// read reads the object whose member items is the list.
func (l *kubernetesList) read() error {
	_, err := l.text.token() // its brace, which told the format
	found := false
	for err == nil && l.text.More() {
		var key json.Token
		switch key, err = l.text.token(); {
		case err != nil:
		case key != "items" && key != "jobs": // jobs are of sacct --json
			_, _, err = l.text.value()
		case found:
			err = l.text.fault(l.text.InputOffset()-int64(len(key.(string))+2), key.(string)+" are there twice")
		default:
			if key == "jobs" {
				l.in.log.Format, l.sacct = Sacct, &sacctLog{in: l.in}
			}
			found, err = true, l.items()
		}
	}
	if err == nil {
		_, err = l.text.token()
	}
	if err != nil {
		return err
	}
	l.text.More() // passes over blanks
	end := l.text.InputOffset()
	if _, err := l.text.Token(); l.text.err != nil {
		return l.text.failed(err)
	} else if err != io.EOF {
		return l.text.fault(end, "text goes on behind the list")
	}
	if !found {
		return &ParseError{Line: 1, Column: 1, Reason: "object has no items and no jobs: want the list that kubectl get -A -o json or sacct --json prints"}
	}
	return nil
}

// items reads the list; null is an empty one.
func (l *kubernetesList) items() error {
	switch begin, err := l.text.token(); {
	case err != nil || begin == nil:
		return err
	case begin != json.Delim('['):
		return l.text.fault(l.text.InputOffset()-1, "items or jobs are no list")
	}
	for ; l.text.More(); l.at.item++ {
		value, at, err := l.text.value()
		if err != nil {
			return err
		}
		l.at.line, l.at.column = l.text.place(at)
		l.in.lines++
		if l.sacct != nil {
			var o sacctJob
			if err = l.text.decode(value, at, &o); err == nil {
				err = l.sacct.addJSON(&o, l.at)
			}
		} else {
			var o object
			if err = l.text.decode(value, at, &o); err == nil {
				err = l.add(&o)
			}
		}
		if err = l.in.fault(err); err != nil {
			return err
		}
	}
	_, err := l.text.token()
	return err
}

// fault keeps the first error of the item.
func (l *kubernetesList) fault(field, value, reason string) {
	if l.err == nil {
		l.err = &ParseError{Line: l.at.line, Column: l.at.column, Field: "items[" + strconv.Itoa(l.at.item) + "]." + field, Value: shown([]byte(value)), Reason: reason, kind: field + " " + reason}
	}
}

// add takes an item.
func (l *kubernetesList) add(o *object) error {
	l.err = nil
	switch o.Kind {
	case "Workload":
		l.workloads = true
	case "Job", "Pod":
		l.others = true
	default:
		return nil
	}
	if l.workloads && l.others {
		l.fault("kind", o.Kind, "is beside another in one list: want Workloads, or Jobs and Pods, or a job counts twice")
		return ofFile(l.err)
	}
	m := &o.Metadata
	j := Job{ID: m.Namespace + "/" + m.Name, Team: l.in.name(m.Namespace), Queue: l.in.name(cmp.Or(o.Spec.QueueName, m.Labels[queueLabel])),
		Start: math.Inf(1), End: math.Inf(1), State: Completed}
	if m.Namespace == "" || m.Name == "" {
		l.fault("metadata", j.ID, "has no namespace or no name")
	}
	if _, reason := textFault([]byte(j.ID + j.Queue)); reason != "" {
		l.fault("metadata.name", j.ID, reason)
	}
	j.Submit = l.time("metadata.creationTimestamp", m.CreationTimestamp)
	switch o.Kind {
	case "Workload":
		l.workload(o, &j)
	case "Job":
		l.job(o, &j)
	case "Pod":
		l.pod(o, &j)
	}
	return l.err
}

// time reads a time.
func (l *kubernetesList) time(field, value string) float64 {
	t, err := time.Parse(time.RFC3339, value)
	if err != nil {
		l.fault(field, value, "is no time, such as 2026-03-01T08:30:00Z")
	}
	return seconds(t)
}

// since is when a condition became true; +Inf: it is not.
func (l *kubernetesList) since(o *object, kind string) float64 {
	for i, c := range each[condition](l, "status.conditions", o.Status.Conditions) {
		if c.Type == kind && c.Status == "True" {
			return l.time("status.conditions["+strconv.Itoa(i)+"].lastTransitionTime", c.LastTransitionTime)
		}
	}
	return math.Inf(1)
}

// tell takes the job of the item, whose time limit is 0 where it has none.
func (l *kubernetesList) tell(j *Job) {
	if i, reason := lived(j); reason != "" {
		l.fault([]string{"creation", "start", "end"}[i], j.ID, reason)
	}
	if l.in.each == nil && !(j.Requested >= 0 && j.Requested <= mostAmount) { // no Span needs it
		l.fault("spec", j.ID, "has a time limit out of its range")
	}
	if l.err != nil {
		return
	}
	if j.Requested == 0 {
		j.Requested = math.NaN()
	}
	reason, err := l.in.live(j)
	if l.err = err; reason != "" {
		l.fault("resources", j.ID, reason)
	}
}

// workload takes a Workload: it runs from the reservation of its quota on.
func (l *kubernetesList) workload(o *object, j *Job) {
	j.Start, j.End = l.since(o, "QuotaReserved"), l.since(o, "Finished")
	reserved := !math.IsInf(j.Start, 1)
	if !reserved && math.IsInf(j.End, 1) && o.Spec.Active != nil && !*o.Spec.Active {
		return // set aside: it asks for nothing
	}
	usage := o.Status.Admission.PodSetAssignments
	for i, set := range each[podSet](l, "spec.podSets", o.Spec.PodSets) {
		if i < len(usage) && reserved {
			j.Amount += l.of(usage[i].ResourceUsage)
		} else {
			j.Amount += l.pods(&set.Template.Spec, set.Count, "spec.podSets["+strconv.Itoa(i)+"]", "count")
		}
	}
	j.Requested = o.Spec.MaximumExecution
	l.tell(j)
}

// job keeps a Job until its Pods have told when it began to run.
func (l *kubernetesList) job(o *object, j *Job) {
	if _, ok := l.owners[o.Metadata.UID]; ok {
		l.fault("kind", o.Kind, "is in the list twice, or stands behind one of its Pods: want Jobs before Pods, as kubectl get jobs,pods prints them")
		ofFile(l.err)
	}
	count := o.Spec.Parallelism
	if c := o.Spec.Completions; c != nil && (count == nil || *c < *count) {
		count = c // so many Pods at most
	}
	j.Amount, j.Requested = l.pods(&o.Spec.Template.Spec, count, "spec", "parallelism"), o.Spec.Deadline
	if o.Status.StartTime != "" {
		j.Start = l.time("status.startTime", o.Status.StartTime)
	}
	if j.End = l.since(o, "Failed"); !math.IsInf(j.End, 1) {
		j.State = Failed
	}
	if o.Status.CompletionTime != "" {
		j.End = l.time("status.completionTime", o.Status.CompletionTime)
	}
	listed := &listedJob{job: *j, at: l.at, bound: math.Inf(1)}
	l.jobs, l.owners[o.Metadata.UID] = append(l.jobs, listed), listed
}

// told takes a Job whose Pods are known.
func (l *kubernetesList) told(j *listedJob) {
	if j.pods {
		j.job.Start = j.bound
	}
	l.at = j.at
	l.tell(&j.job)
}

// pod takes a Pod: it runs from its binding to a node on. That of a Job in the list tells when the
// Job began.
func (l *kubernetesList) pod(o *object, j *Job) {
	j.Start = l.since(o, "PodScheduled")
	for _, owner := range o.Metadata.OwnerReferences {
		if whole := l.owners[owner.UID]; whole != nil {
			whole.pods, whole.bound = true, min(whole.bound, j.Start)
			return
		}
		l.owners[owner.UID] = nil
	}
	switch o.Status.Phase {
	case "Failed":
		j.State = Failed
		fallthrough
	case "Succeeded":
		j.End = l.ended(o)
	}
	j.Amount, j.Requested = l.pods(&o.Spec.podSpec, nil, "spec", ""), o.Spec.Deadline
	l.tell(j)
}

// ended is when the last container of a Pod ended or, where none says, when its status last changed.
func (l *kubernetesList) ended(o *object) float64 {
	last, field := "", ""
	for i, c := range o.Status.ContainerStatuses {
		if t := c.State.Terminated.FinishedAt; t > last {
			last, field = t, "status.containerStatuses["+strconv.Itoa(i)+"].state.terminated.finishedAt"
		}
	}
	for i, c := range each[condition](l, "status.conditions", o.Status.Conditions) {
		if t := c.LastTransitionTime; field == "" || strings.HasPrefix(field, "status.conditions") && t > last {
			last, field = t, "status.conditions["+strconv.Itoa(i)+"].lastTransitionTime"
		}
	}
	if field == "" {
		l.fault("status", o.Status.Phase, "does not say when")
	}
	return l.time(field, last)
}

// pods is what so many Pods of a field ask for; nil is 1.
func (l *kubernetesList) pods(spec *podSpec, count *float64, field, counted string) float64 {
	n := 1.0
	if count != nil {
		n = *count
	}
	if !(n >= 0 && n <= maxTasks) {
		l.fault(field+"."+counted, text(n), "is not within [0, "+strconv.Itoa(maxTasks)+"]")
	}
	sum, most := 0.0, 0.0
	for _, c := range each[container](l, field+".initContainers", spec.InitContainers) { // one after the other, before the rest
		if x := l.container(c); c.RestartPolicy == "Always" {
			sum += x
		} else {
			most = max(most, sum+x)
		}
	}
	for _, c := range each[container](l, field+".containers", spec.Containers) {
		sum += l.container(c)
	}
	return n * (max(sum, most) + l.of(spec.Overhead))
}

// container is what a container asks for.
func (l *kubernetesList) container(c *container) float64 {
	return cmp.Or(l.of(c.Resources.Requests), l.of(c.Resources.Limits))
}

// of is the amount of the resource in a list of resources.
func (l *kubernetesList) of(list map[string]json.RawMessage) (sum float64) {
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if !sameResource(name, l.in.resource()) {
			continue
		}
		x, reason := quantity(bytes.Trim(list[name], `"`))
		if reason != "" {
			l.fault("resources."+name, string(list[name]), reason)
		}
		sum += x
	}
	return sum
}

// units are the suffixes of quantities. An m is a thousandth.
var units = map[string]float64{"n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
	"Ki": 0x1p10, "Mi": 0x1p20, "Gi": 0x1p30, "Ti": 0x1p40, "Pi": 0x1p50, "Ei": 0x1p60}

// quantity reads an amount such as 500m, 2, 16Gi or 1e3.
func quantity(value []byte) (x float64, reason string) {
	digits := bytes.TrimRight(value, "numkKMGTPEi")
	unit, ok := units[string(value[len(digits):])]
	if !ok {
		return 0, "has a unit that Kubernetes does not know"
	}
	if x, reason = Number(digits, 0, 1e18); reason != "" {
		return 0, reason
	}
	return x * unit, ""
}
