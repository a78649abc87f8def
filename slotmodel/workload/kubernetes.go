package workload

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"math"
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
		PodSets          []podSet
		Parallelism      *float64
		Completions      *float64
		Template         podTemplate
		Deadline         float64 `json:"activeDeadlineSeconds"`
		MaximumExecution float64 `json:"maximumExecutionTimeSeconds"`
	}
	Status struct {
		StartTime, CompletionTime string
		Phase                     string
		Conditions                []condition
		ContainerStatuses         []struct {
			State struct{ Terminated struct{ FinishedAt string } }
		}
		Admission struct {
			PodSetAssignments []struct{ ResourceUsage map[string]json.RawMessage }
		}
	}
}

type podSet struct {
	Count    *float64
	Template podTemplate
}

type podTemplate struct{ Spec podSpec }

type podSpec struct{ Containers, InitContainers []container }

type container struct {
	Resources struct{ Requests, Limits map[string]json.RawMessage }
}

type condition struct{ Type, Status, LastTransitionTime string }

// queueLabel names the queue of a Job or a Pod that Kueue admits.
const queueLabel = "kueue.x-k8s.io/queue-name"

// kubernetesList is the answer of kubectl get -o json as far as it has been read.
type kubernetesList struct {
	in        *intake
	text      *jsonReader
	item      int  // number of the item under way, from 0
	workloads bool // the list has some
	others    bool // it has Jobs or Pods
	jobs      []*listedJob
	owners    map[string]*listedJob // by UID; nil: of a Pod that was told by itself
}

// listedJob is a Job, which waits for what its Pods tell.
type listedJob struct {
	span         Span
	requested    float64
	how          outcome
	item         int // where it stands
	line, column int
	pods         bool    // some are in the list
	bound        float64 // when the first of them was bound to a node
}

// readKubernetes reads a list of objects as kubectl get -o json writes it.
func readKubernetes(text *lineReader, in *intake) (Log, error) {
	l := &kubernetesList{in: in, text: &jsonReader{text: text, line: 1}, owners: map[string]*listedJob{}}
	err := l.read()
	for _, j := range l.jobs {
		if err == nil {
			err = l.told(j)
		}
	}
	if err != nil {
		return Log{}, err
	}
	in.settle()
	return in.log, nil
}

// read reads the list.
func (l *kubernetesList) read() error {
	found := false
	for more, err := l.text.open('{', '}'); more || err != nil; more, err = l.text.next('}') {
		var key []byte
		if err == nil {
			key, err = l.text.value()
		}
		if err == nil {
			err = l.text.take(':')
		}
		switch {
		case err != nil:
			return err
		case found && string(key) == `"items"`:
			err = l.text.fault("items are there twice")
		case string(key) == `"items"`:
			found, err = true, l.items()
		default:
			_, err = l.text.value()
		}
		if err != nil {
			return err
		}
	}
	if c, err := l.text.peek(); err != io.EOF {
		if err == nil {
			err = l.text.fault("text goes on behind the list with " + strconv.Quote(string(rune(c))))
		}
		return err
	}
	if !found {
		return &ParseError{Line: 1, Column: 1, Reason: "object has no items: want the list that kubectl get -A -o json prints"}
	}
	return nil
}

func (l *kubernetesList) items() error {
	for more, err := l.text.open('[', ']'); more || err != nil; more, err = l.text.next(']') {
		var item []byte
		if err == nil {
			item, err = l.text.value()
		}
		var o object
		if err == nil {
			err = l.text.decode(item, &o)
		}
		if err == nil {
			err = l.add(&o)
		}
		if err != nil {
			return err
		}
		l.item++
	}
	return nil
}

// fault is the error of a field of the item.
func (l *kubernetesList) fault(field, value, reason string) error {
	return &ParseError{Line: l.text.begun, Column: l.text.column, Field: "items[" + strconv.Itoa(l.item) + "]." + field, Value: shown([]byte(value)), Reason: reason}
}

// add takes an item.
func (l *kubernetesList) add(o *object) error {
	switch o.Kind {
	case "Workload":
		l.workloads = true
	case "Job", "Pod":
		l.others = true
	default:
		return nil
	}
	if l.workloads && l.others {
		return l.fault("kind", o.Kind, "is beside another in one list: want Workloads, or Jobs and Pods, or a job counts twice")
	}
	m := &o.Metadata
	s := Span{Name: m.Namespace + "/" + m.Name, Team: l.in.name([]byte(m.Namespace)), Queue: l.in.name([]byte(cmp.Or(o.Spec.QueueName, m.Labels[queueLabel]))), Start: math.Inf(1), End: math.Inf(1)}
	if m.Namespace == "" || m.Name == "" {
		return l.fault("metadata", s.Name, "has no namespace or no name")
	}
	if _, reason := textFault([]byte(s.Name + s.Queue)); reason != "" {
		return l.fault("metadata.name", s.Name, reason)
	}
	var err error
	if s.From, err = l.time("metadata.creationTimestamp", m.CreationTimestamp); err != nil {
		return err
	}
	switch o.Kind {
	case "Workload":
		return l.workload(o, s)
	case "Job":
		return l.job(o, s)
	}
	return l.pod(o, s)
}

// time reads a time.
func (l *kubernetesList) time(field, value string) (float64, error) {
	t, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return 0, l.fault(field, value, "is no time, such as 2026-03-01T08:30:00Z")
	}
	return float64(t.Unix()) + float64(t.Nanosecond())/1e9, nil
}

// since is when a condition became true; +Inf: it is not.
func (l *kubernetesList) since(o *object, kind string) (float64, error) {
	for i, c := range o.Status.Conditions {
		if c.Type == kind && c.Status == "True" {
			return l.time("status.conditions["+strconv.Itoa(i)+"].lastTransitionTime", c.LastTransitionTime)
		}
	}
	return math.Inf(1), nil
}

// tell takes the span of the item.
func (l *kubernetesList) tell(s Span, requested float64, how outcome) error {
	if i, reason := lived(s); reason != "" {
		return l.fault([]string{"creation", "start", "end"}[i], s.Name, reason)
	}
	if !(requested >= 0 && requested <= mostAmount) {
		return l.fault("spec", s.Name, "has a time limit out of its range")
	}
	reason, err := l.in.live(s, requested, how)
	if reason != "" {
		return l.fault("resources", s.Name, reason)
	}
	return err
}

// workload takes a Workload: it runs from the reservation of its quota on.
func (l *kubernetesList) workload(o *object, s Span) error {
	var err error
	if s.Start, err = l.since(o, "QuotaReserved"); err == nil {
		s.End, err = l.since(o, "Finished")
	}
	if err != nil {
		return err
	}
	if math.IsInf(s.Start, 1) && math.IsInf(s.End, 1) && o.Spec.Active != nil && !*o.Spec.Active {
		return nil // set aside: it asks for nothing
	}
	usage := o.Status.Admission.PodSetAssignments
	for i, set := range o.Spec.PodSets {
		var one float64
		if i < len(usage) && !math.IsInf(s.Start, 1) {
			one, err = l.of(usage[i].ResourceUsage)
		} else if one, err = l.pods(&set.Template.Spec, set.Count, "spec.podSets["+strconv.Itoa(i)+"].count"); err != nil {
			return err
		}
		if s.Amount += one; err != nil {
			return err
		}
	}
	return l.tell(s, o.Spec.MaximumExecution, completed)
}

// job keeps a Job until its Pods have told when it began to run.
func (l *kubernetesList) job(o *object, s Span) error {
	if _, ok := l.owners[o.Metadata.UID]; ok {
		return l.fault("kind", o.Kind, "is in the list twice, or stands behind one of its Pods: want Jobs before Pods, as kubectl get jobs,pods prints them")
	}
	j := &listedJob{requested: o.Spec.Deadline, item: l.item, line: l.text.begun, column: l.text.column, bound: math.Inf(1)}
	var err error
	count := o.Spec.Parallelism
	if c := o.Spec.Completions; c != nil && (count == nil || *c < *count) {
		count = c // so many Pods at most
	}
	if s.Amount, err = l.pods(&o.Spec.Template.Spec, count, "spec.parallelism"); err != nil {
		return err
	}
	if o.Status.StartTime != "" {
		if s.Start, err = l.time("status.startTime", o.Status.StartTime); err != nil {
			return err
		}
	}
	ended, err := l.since(o, "Failed")
	if err == nil && !math.IsInf(ended, 1) {
		j.how = failed
	}
	if err == nil && o.Status.CompletionTime != "" {
		ended, err = l.time("status.completionTime", o.Status.CompletionTime)
	}
	s.End = ended
	j.span = s
	l.jobs, l.owners[o.Metadata.UID] = append(l.jobs, j), j
	return err
}

// told takes a Job whose Pods are known.
func (l *kubernetesList) told(j *listedJob) error {
	if j.pods {
		j.span.Start = j.bound
	}
	l.item, l.text.begun, l.text.column = j.item, j.line, j.column
	return l.tell(j.span, j.requested, j.how)
}

// pod takes a Pod: it runs from its binding to a node on. That of a Job in the list tells when the
// Job began.
func (l *kubernetesList) pod(o *object, s Span) error {
	bound, err := l.since(o, "PodScheduled")
	if err != nil {
		return err
	}
	for _, owner := range o.Metadata.OwnerReferences {
		if j := l.owners[owner.UID]; j != nil {
			j.pods, j.bound = true, min(j.bound, bound)
			return nil
		}
		l.owners[owner.UID] = nil
	}
	s.Start = bound
	how := completed
	switch o.Status.Phase {
	case "Failed":
		how = failed
		fallthrough
	case "Succeeded":
		if s.End, err = l.ended(o); err != nil {
			return err
		}
	}
	if s.Amount, err = l.pods(&o.Spec.podSpec, nil, ""); err != nil {
		return err
	}
	return l.tell(s, o.Spec.Deadline, how)
}

// ended is when the last container of a Pod ended or, where none says, when its status last changed.
func (l *kubernetesList) ended(o *object) (float64, error) {
	last, field := "", ""
	for i, c := range o.Status.ContainerStatuses {
		if t := c.State.Terminated.FinishedAt; t > last {
			last, field = t, "status.containerStatuses["+strconv.Itoa(i)+"].state.terminated.finishedAt"
		}
	}
	for i, c := range o.Status.Conditions {
		if t := c.LastTransitionTime; field == "" || strings.HasPrefix(field, "status.conditions") && t > last {
			last, field = t, "status.conditions["+strconv.Itoa(i)+"].lastTransitionTime"
		}
	}
	if field == "" {
		return 0, l.fault("status", o.Status.Phase, "does not say when")
	}
	return l.time(field, last)
}

// pods is what so many Pods ask for; nil is 1.
func (l *kubernetesList) pods(spec *podSpec, count *float64, field string) (float64, error) {
	n := 1.0
	if count != nil {
		n = *count
	}
	if !(n >= 0 && n <= maxTasks) {
		return 0, l.fault(field, text(n), "is not within [0, "+strconv.Itoa(maxTasks)+"]")
	}
	sum, most := 0.0, 0.0
	for i, c := range append(spec.InitContainers[:len(spec.InitContainers):len(spec.InitContainers)], spec.Containers...) {
		x, err := l.of(c.Resources.Requests)
		if err == nil && x == 0 {
			x, err = l.of(c.Resources.Limits)
		}
		if err != nil {
			return 0, err
		}
		if i < len(spec.InitContainers) {
			most = max(most, x)
		} else {
			sum += x
		}
	}
	return n * max(sum, most), nil
}

// of is the amount of the resource in a list of resources.
func (l *kubernetesList) of(list map[string]json.RawMessage) (sum float64, err error) {
	want := cmp.Or(l.in.Resource, "cpu")
	for _, name := range slices.Sorted(maps.Keys(list)) {
		if !sameResource(name, want) {
			continue
		}
		value := list[name]
		x, reason := quantity(bytes.Trim(value, `"`))
		if reason != "" {
			return 0, l.fault("resources."+name, string(value), reason)
		}
		sum += x
	}
	return sum, nil
}

// units are the suffixes of quantities. An m is a thousandth.
var units = map[string]float64{"n": 1e-9, "u": 1e-6, "m": 1e-3, "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18,
	"Ki": 0x1p10, "Mi": 0x1p20, "Gi": 0x1p30, "Ti": 0x1p40, "Pi": 0x1p50, "Ei": 0x1p60}

// quantity reads an amount such as 500m, 2, 16Gi or 1e3.
func quantity(value []byte) (x float64, reason string) {
	digits := bytes.TrimRight(value, "numkMGTPEi")
	unit, ok := units[string(value[len(digits):])]
	if !ok {
		return 0, "has a unit that Kubernetes does not know"
	}
	if x, reason = number(digits, 0, 1e18); reason != "" {
		return 0, reason
	}
	return x * unit, ""
}
