package starts

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schedmath/schedmath/internal/program"
)

// job is a line of squeue. Times are seconds since 1970, NaN where there is none.
type job struct {
	id, user      string
	partitions    []string
	state, reason string
	depends       bool
	cpus, nodes   int64
	gpus          int64   // of all its nodes
	limit, ran    float64 // s; +Inf: without limit
	start, submit float64
	priority      float64
}

// node is a node of sinfo, which lists it once for each of its partitions.
type node struct {
	partitions []string
	state      string
	cpus, gpus int64
}

// cluster is what squeue and sinfo printed.
type cluster struct {
	jobs   []*job
	nodes  map[string]*node
	parts  []string // partitions, in the order of their first lines
	unread int      // lines that cannot be read

	reservations []reservation
}

// Columns of squeue and of sinfo that must be there.
var (
	jobColumns  = []string{"JOBID", "USER", "PARTITION", "STATE", "CPUS", "NODES", "TRES_PER_NODE", "TIME_LIMIT", "TIME", "START_TIME", "SUBMIT_TIME", "PRIORITY", "REASON", "DEPENDENCY"}
	nodeColumns = []string{"NODELIST", "PARTITION", "STATE", "CPUS", "GRES"}
)

// wanted are the commands whose output is read.
const wanted = `(squeue -r -o "%i|%u|%a|%P|%T|%C|%D|%b|%m|%l|%M|%S|%V|%Q|%r|%E"; sinfo -N -o "%N|%R|%t|%c|%m|%G|%l"; scontrol show reservation) | schedmath starts -`

// mostLine is the length of the longest line that is read, in bytes.
const mostLine = 1 << 20

// read reads the sections, which their headers tell apart.
func read(in io.Reader, zone *time.Location) (*cluster, error) {
	c := &cluster{nodes: map[string]*node{}}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, mostLine)
	var place map[string]int
	width := 0
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || !strings.Contains(line, "|") && c.reserve(line, zone) {
			continue
		}
		fields := strings.Split(line, "|")
		names, columns := jobColumns, "squeue"
		switch {
		case slices.Contains(fields, "NODELIST") && slices.Contains(fields, "PARTITION"):
			names, columns = nodeColumns, "sinfo"
			fallthrough
		case slices.Contains(fields, "JOBID"):
			place, width = map[string]int{}, len(fields)
			for i, name := range fields {
				place[name] = i
			}
			for _, name := range names {
				if _, ok := place[name]; !ok {
					return nil, program.Usagef("the output of %s has no column %s: want %s", columns, name, wanted)
				}
			}
			continue
		case place == nil:
			return nil, program.Usagef("the first line is no header of squeue or sinfo: want %s", wanted)
		}
		field := func(name string) string { return fields[place[name]] }
		_, ofJobs := place["JOBID"]
		switch {
		case len(fields) != width:
			c.unread++
		case ofJobs:
			if j, ok := jobOf(field, zone); ok {
				c.jobs = append(c.jobs, j)
			} else {
				c.unread++
			}
		default:
			c.node(field)
		}
	}
	switch {
	case lines.Err() != nil:
		return nil, fmt.Errorf("a line cannot be read: %w", lines.Err())
	case len(c.nodes) == 0:
		return nil, program.Usagef("there are no nodes of sinfo: want %s", wanted)
	}
	return c, nil
}

// jobOf reads a line of squeue.
func jobOf(field func(string) string, zone *time.Location) (j *job, ok bool) {
	j = &job{id: field("JOBID"), user: field("USER"), partitions: strings.Split(field("PARTITION"), ","), state: field("STATE"), reason: field("REASON"),
		depends: field("DEPENDENCY") != "(null)" && field("DEPENDENCY") != "", start: date(field("START_TIME"), zone), submit: date(field("SUBMIT_TIME"), zone)}
	ok = true
	number := func(name string) int64 {
		n, err := strconv.ParseInt(field(name), 10, 64)
		ok = ok && err == nil && n >= 0 && n < 1<<32
		return n
	}
	j.cpus, j.nodes, j.priority = number("CPUS"), number("NODES"), float64(number("PRIORITY"))
	j.gpus = gpus(field("TRES_PER_NODE")) * max(1, j.nodes)
	j.limit, j.ran = duration(field("TIME_LIMIT")), duration(field("TIME"))
	return j, ok && j.id != "" && j.limit >= 0 && j.ran >= 0
}

// node takes a line of sinfo.
func (c *cluster) node(field func(string) string) {
	name, part := field("NODELIST"), strings.TrimSuffix(field("PARTITION"), "*")
	n := c.nodes[name]
	if n == nil {
		cpus, err := strconv.ParseInt(field("CPUS"), 10, 64)
		if err != nil || cpus < 0 || cpus >= 1<<31 {
			c.unread++
			return
		}
		n = &node{state: strings.TrimRight(field("STATE"), "*~#!%$@^-+"), cpus: cpus, gpus: gpus(field("GRES"))}
		c.nodes[name] = n
	}
	if !slices.Contains(n.partitions, part) {
		n.partitions = append(n.partitions, part)
	}
	if !slices.Contains(c.parts, part) {
		c.parts = append(c.parts, part)
	}
}

// gpus counts the GPUs in a list such as gpu:2, gres:gpu:tesla:2(S:0-1) or gres/gpu=1.
func gpus(list string) (sum int64) {
	for part := range strings.SplitSeq(list, ",") {
		part, _, _ = strings.Cut(part, "(")
		words := strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(":/=", r) })
		if !slices.Contains(words, "gpu") {
			continue
		}
		n, err := strconv.ParseInt(words[len(words)-1], 10, 32)
		if err != nil {
			n = 1
		}
		sum += max(0, n)
	}
	return sum
}

// date reads a time; NaN: it is none.
func date(text string, zone *time.Location) float64 {
	t, err := time.ParseInLocation("2006-01-02T15:04:05", text, zone)
	if err != nil {
		return math.NaN()
	}
	return float64(t.Unix())
}

// duration reads a length of time such as 5:00, 2:30:00 or 1-02:30:00, s; +Inf: there is no limit;
// NaN: it is none.
func duration(text string) float64 {
	switch text {
	case "UNLIMITED", "NOT_SET", "Partition_Limit", "infinite":
		return math.Inf(1)
	}
	days, clock, dated := strings.Cut(text, "-")
	parts := strings.Split(clock, ":")
	if !dated {
		days, parts = "0", strings.Split(text, ":")
	}
	for dated && len(parts) < 3 { // 1-02 is a day and two hours
		parts = append(parts, "0")
	}
	sum, err := strconv.ParseUint(days, 10, 31)
	for len(parts) < 3 {
		parts = append([]string{"0"}, parts...)
	}
	for i, p := range parts {
		n, bad := strconv.ParseUint(p, 10, 31)
		if err == nil {
			err = bad
		}
		sum = sum*[]uint64{24, 60, 60}[min(i, 2)] + n
	}
	if err != nil || len(parts) != 3 {
		return math.NaN()
	}
	return float64(sum)
}
