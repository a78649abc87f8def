package starts

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/internal/slurm"
)

// job is a line of squeue. Times are seconds since 1970, NaN where there is none.
type job struct {
	id, user, account string
	partitions        string // separated by commas
	state, reason     string
	depends           bool
	cpus, gpus        int64   // gpus of all its nodes
	limit, ran        float64 // s; +Inf: without limit
	start, submit     float64
	priority          float64
}

// node is a node of sinfo, which lists it once for each of its partitions.
type node struct {
	state      string
	partitions []string
	cpus, gpus int64
}

// cluster is what squeue, sinfo and scontrol printed.
type cluster struct {
	zone         *time.Location
	jobs         []*job
	nodes        []*node
	named        map[string]*node
	parts        []string // partitions, in the order of their first lines
	reservations []reservation
	unread       int // lines that cannot be read
	first        int // of them
}

// A section is the output of a command whose lines have fields between bars, below a header.
type section struct {
	command string
	columns []string // that must be there; the first tells the section
	add     func(c *cluster, field func(column string) string) bool
}

var sections = []section{
	{"squeue", []string{"JOBID", "USER", "ACCOUNT", "PARTITION", "STATE", "CPUS", "NODES", "TRES_PER_NODE", "TIME_LIMIT", "TIME", "START_TIME", "SUBMIT_TIME", "PRIORITY", "REASON", "DEPENDENCY"}, (*cluster).job},
	{"sinfo", []string{"NODELIST", "PARTITION", "STATE", "CPUS", "GRES"}, (*cluster).node},
}

// wanted are the commands whose output is read.
const wanted = `(squeue -r -o "%i|%u|%a|%P|%T|%C|%D|%b|%m|%l|%M|%S|%V|%Q|%r|%E"; sinfo -N -o "%N|%R|%t|%c|%m|%G|%l"; scontrol show reservation) | schedmath starts -`

// mostLine is the length of the longest line that is read, in bytes.
const mostLine = 1 << 20

// read reads the sections, which their headers tell apart.
func read(in io.Reader, zone *time.Location) (*cluster, error) {
	c := &cluster{zone: zone, named: map[string]*node{}}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, mostLine)
	var now *section
	var header, fields []string
	field := func(column string) string { return fields[slices.Index(header, column)] }
	n := 1
	for ; lines.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff")) // a byte order mark
		if line == "" || !strings.Contains(line, "|") && c.reserve(line) {
			continue
		}
		fields = strings.Split(line, "|")
		begins := slices.IndexFunc(sections, func(s section) bool { return slices.Contains(fields, s.columns[0]) })
		switch {
		case begins >= 0:
			now, header = &sections[begins], fields
			for _, name := range now.columns {
				if !slices.Contains(header, name) {
					return nil, program.Usagef("the output of %s has no column %s: want %s", now.command, name, wanted)
				}
			}
		case now == nil:
			return nil, program.Usagef("the first line is no header of squeue or sinfo: want %s", wanted)
		case len(fields) == len(header) && now.command == "squeue" && strings.Contains(field("JOBID"), "_["):
			return nil, program.Usagef("%s is many tasks of an array in one line, as squeue prints them without -r: want %s", field("JOBID"), wanted)
		case len(fields) == len(header) && now.command == "sinfo" && strings.Contains(field("NODELIST"), "["):
			return nil, program.Usagef("%s is many nodes in one line, as sinfo prints them without -N: want %s", field("NODELIST"), wanted)
		case len(fields) != len(header) || !now.add(c, field):
			c.unread, c.first = c.unread+1, cmp.Or(c.first, n)
		}
	}
	switch {
	case errors.Is(lines.Err(), bufio.ErrTooLong):
		return nil, program.Usagef("line %d is longer than %d bytes: want %s", n, mostLine, wanted)
	case lines.Err() != nil:
		return nil, lines.Err()
	case len(c.nodes) == 0:
		return nil, program.Usagef("there are no nodes of sinfo: want %s", wanted)
	}
	return c, nil
}

// job takes a line of squeue.
func (c *cluster) job(field func(string) string) (ok bool) {
	ok = true
	number := func(name string) int64 {
		n, err := strconv.ParseUint(field(name), 10, 32)
		ok = ok && err == nil
		return int64(n)
	}
	perNode := gpus(field("TRES_PER_NODE"))
	j := &job{id: field("JOBID"), user: field("USER"), account: field("ACCOUNT"), partitions: field("PARTITION"), state: field("STATE"), reason: field("REASON"),
		depends: field("DEPENDENCY") != "(null)" && field("DEPENDENCY") != "",
		cpus:    number("CPUS"), gpus: perNode * max(1, number("NODES")), priority: float64(number("PRIORITY")),
		limit: slurm.Duration(field("TIME_LIMIT")), ran: slurm.Duration(field("TIME")),
		start: slurm.Date(field("START_TIME"), c.zone), submit: slurm.Date(field("SUBMIT_TIME"), c.zone)}
	if ok = ok && j.id != "" && j.limit >= 0 && j.ran >= 0 && j.ran < math.Inf(1) && perNode < 1<<20; ok {
		c.jobs = append(c.jobs, j)
	}
	return ok
}

// node takes a line of sinfo.
func (c *cluster) node(field func(string) string) bool {
	name, part := field("NODELIST"), strings.TrimSuffix(field("PARTITION"), "*") // as %P marks the default one
	n := c.named[name]
	if n == nil {
		cpus, err := strconv.ParseUint(field("CPUS"), 10, 31)
		if err != nil {
			return false
		}
		n = &node{state: strings.TrimRight(field("STATE"), "*~#!%$@^-+"), cpus: int64(cpus), gpus: gpus(field("GRES"))}
		c.nodes, c.named[name] = append(c.nodes, n), n
	}
	n.partitions = append(n.partitions, part)
	if !slices.Contains(c.parts, part) {
		c.parts = append(c.parts, part)
	}
	return true
}

// gpus counts the GPUs in a list such as gpu:2, gres:gpu:tesla:2(S:0-1) or gres/gpu=1.
func gpus(list string) (sum int64) {
	for part := range strings.SplitSeq(list, ",") {
		part, _, _ = strings.Cut(part, "(")
		words := strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(":/=", r) })
		if !slices.Contains(words, "gpu") {
			continue
		}
		n, err := strconv.ParseUint(words[len(words)-1], 10, 31)
		if err != nil {
			n = 1
		}
		sum += int64(n)
	}
	return sum
}
