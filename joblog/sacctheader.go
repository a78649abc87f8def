package joblog

import (
	"slices"
	"strings"
)

const bar = "|"

// isSacct tells the output of sacct -P from its header.
func (l Line) isSacct() bool {
	names := strings.Split(strings.ToLower(string(l.Text)), bar)
	return len(names) > 1 && slices.ContainsFunc(names, func(n string) bool { return n == "jobid" || n == "jobidraw" || n == "submit" || n == "state" })
}

// header takes the places of the columns.
func (f *sacctLog) header() error {
	twice := 0
	if f.place, twice = places(f.fields, sacctColumns); twice > 0 {
		return f.faultAt(twice, "column", "is there twice")
	}
	f.width = len(f.fields)
	amounts, least := []string{"AllocTRES", "ReqTRES"}, "AllocTRES,ReqTRES"
	if f.in.resource() == "cpu" {
		amounts, least = append(amounts, "AllocCPUS", "ReqCPUS", "NCPUS"), "AllocCPUS,ReqCPUS"
	}
	for _, any := range [][]string{{"JobID", "JobIDRaw"}, {"Submit", "Eligible"}, {"Start"}, {"End"}, amounts} {
		if !slices.ContainsFunc(any, func(name string) bool { _, ok := f.place[columnName(name)]; return ok }) {
			return &ParseError{Line: f.line.Number, Column: 1, Reason: "header of sacct has no column " + strings.Join(any, " or ") + ", but " + listed(f.fields) +
				": -o JobID,Submit,Start,End," + least + " is the least that is read"}
		}
	}
	return nil
}

// sacctWanted is the command whose output is read.
const sacctWanted = "want sacct -aDXP -o JobID,User,Account,Partition,Submit,Eligible,Start,End,State,ReqCPUS,AllocCPUS,Timelimit,Suspended"

// otherSlurm names what else of Slurm's a first line is of, and what to do; "" if it is of nothing
// that is known.
func (l Line) otherSlurm() string {
	text := strings.TrimSpace(string(l.Text))
	bars, lower := strings.Split(text, bar), strings.ToLower(text)
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '|' })
	has := func(name string) bool { return slices.Contains(words, name) }
	switch {
	case has("JOBID") && !has("END"), has("NODELIST") && !has("END"):
		return "file is the output of squeue or sinfo, which say nothing of what ended; schedmath starts reads them. For what ran, " + sacctWanted
	case has("MaxVMSize") && !has("Submit"):
		return "file is the output of sacct -l, which has no times: " + sacctWanted
	case len(bars) > 3 && isJobID(bars[0]):
		return "file is the output of sacct -n, which leaves the header out: " + sacctWanted
	case strings.HasPrefix(lower, "jobid") && len(bars) == 1 && len(lower) > len("jobidraw") && !strings.Contains(lower, "tasks"):
		return "file is the output of sacct without -P, or with a --delimiter of its own: " + sacctWanted
	}
	return ""
}

// isJobID is whether a field is a job of Slurm, such as 12, 12_3, 12_[4-6], 12+0 or 12.batch.
func isJobID(field string) bool {
	digits := strings.TrimLeft(field, "0123456789")
	return len(digits) < len(field) && (digits == "" || strings.ContainsRune("_+.", rune(digits[0])))
}
