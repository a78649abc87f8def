package joblog_test

import (
	"cmp"
	"io"

	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

// span is a joblog.Span with the place of its job among those that are replayed; -1: it is none.
type span struct {
	Name, User, Team, Queue  string
	From, Start, End, Amount float64
	Job, Array               int
}

func spanOf(s joblog.Span, job int) span {
	return span{s.Name, s.User, s.Team, s.Queue, s.From, s.Start, s.End, s.Amount, job, s.Array}
}

// played is a log with what is replayed of it.
type played struct {
	joblog.Log
	Jobs         []slotmodel.JobSpec
	Names, Users []string
	Weighted     bool
	Spans        []span
	Origin       float64
}

// read is joblog.ReadJobs and what workload.FromLog makes of it.
func read(r io.Reader, o joblog.ReadOptions, options ...workload.FromLogOptions) (played, error) {
	log, err := joblog.ReadJobs(r, o)
	if err != nil {
		return played{Log: log}, err
	}
	p := played{Log: log}
	if log.Format == joblog.SWIM {
		return p, nil
	}
	how := append(options, workload.FromLogOptions{})[0]
	if p.Jobs, err = workload.FromLog(nil, log, how); err != nil {
		return p, err
	}
	taken := workload.Replayed(nil, log, how)
	p.Log.Jobs = nil
	named := false
	for i, j := range log.Jobs {
		job := -1
		if len(taken) > 0 && taken[0] == i {
			job = len(p.Names)
			taken = taken[1:]
			p.Names, named = append(p.Names, j.ID), named || j.ID != ""
			if u := p.Jobs[job].User; u == len(p.Users) && log.Format != joblog.SWF {
				p.Users = append(p.Users, cmp.Or(j.User, j.Team, "unknown"))
			}
			if p.Jobs[job].Arrival == 0 && log.Format != joblog.SWF {
				p.Origin = j.Submit
			}
			p.Weighted = p.Weighted || j.Weight > 0
		}
		if s, ok := j.Span(); ok {
			p.Spans = append(p.Spans, spanOf(s, job))
		}
	}
	if !named {
		p.Names = nil
	}
	return p, nil
}
