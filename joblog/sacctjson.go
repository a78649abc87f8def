package joblog

import (
	"encoding/json"
	"strconv"
	"strings"
)

// sacctFields are the columns that a job of sacct --json is read as.
var sacctFields = []string{"jobid", "user", "account", "partition", "submit", "eligible", "start", "end", "state", "reqtres", "alloctres", "timelimitraw", "suspended"}

// sacctJob is a job of sacct --json. What it does not say is "".
type sacctJob struct {
	ID                       slurmNumber `json:"job_id"`
	Account, User, Partition string
	Association              struct{ User string }
	Array                    struct {
		ID    slurmNumber `json:"job_id"`
		Task  slurmNumber `json:"task_id"`
		Tasks string      `json:"task"` // that wait
	}
	Het struct {
		ID     slurmNumber `json:"job_id"`
		Offset slurmNumber `json:"job_offset"`
	}
	Time *struct { // nil: the list is that of squeue
		Submission, Eligible, Start, End, Suspended, Limit slurmNumber
	}
	State struct{ Current slurmWords }
	TRES  struct{ Requested, Allocated []sacctTRES }
}

type sacctTRES struct {
	Type, Name string
	Count      slurmNumber
}

// slurmNumber is a number that versions of Slurm write bare, as null, or with whether it is set.
type slurmNumber string

// UnmarshalJSON takes all three.
func (n *slurmNumber) UnmarshalJSON(text []byte) error {
	var full struct {
		Set, Infinite bool
		Number        json.Number
	}
	bare := json.Number("")
	if json.Unmarshal(text, &full) == nil && full.Set && !full.Infinite {
		bare = full.Number
	} else if text[0] != '{' {
		if err := json.Unmarshal(text, &bare); err != nil {
			return err
		}
	}
	*n = slurmNumber(bare)
	return nil
}

// slurmWords is a word, or the first of a list.
type slurmWords string

// UnmarshalJSON takes both.
func (w *slurmWords) UnmarshalJSON(text []byte) error {
	list := make([]string, 1)
	err := json.Unmarshal(text, &list)
	if text[0] != '[' {
		err = json.Unmarshal(text, &list[0])
	}
	if len(list) > 0 {
		*w = slurmWords(list[0])
	}
	return err
}

// list is the resources as sacct -P prints them. Memory is in megabytes.
func tresList(list []sacctTRES) string {
	var parts []string
	for _, x := range list {
		name, count := x.Type, string(x.Count)
		if x.Name != "" {
			name += "/" + x.Name
		}
		if name == "mem" {
			count += "M"
		}
		if x.Count != "" {
			parts = append(parts, name+"="+count)
		}
	}
	return strings.Join(parts, ",")
}

// addJSON takes the job that begins at a place of the text.
func (f *sacctLog) addJSON(o *sacctJob, at place) error {
	if o.Time == nil {
		return &ParseError{Line: at.line, Column: at.column, Reason: "job has no time: the output of squeue --json does not say what ended: want sacct --json, or sacct -P", whole: true}
	}
	if f.place == nil {
		f.place, _ = places(sacctFields, sacctFields)
	}
	id := string(o.ID)
	switch {
	case o.Array.ID != "" && o.Array.ID != "0" && o.Array.Task != "":
		id = string(o.Array.ID + "_" + o.Array.Task)
	case o.Array.ID != "" && o.Array.ID != "0" && o.Array.Tasks != "":
		id = string(o.Array.ID) + "_[" + strings.Trim(o.Array.Tasks, "[]") + "]"
	case o.Het.ID != "" && o.Het.ID != "0" && o.Het.Offset != "":
		id = string(o.Het.ID + "+" + o.Het.Offset)
	}
	user := o.User
	if user == "" {
		user = o.Association.User
	}
	t := o.Time
	f.fields = []string{id, user, o.Account, o.Partition, string(t.Submission), string(t.Eligible), string(t.Start), string(t.End), string(o.State.Current),
		tresList(o.TRES.Requested), tresList(o.TRES.Allocated), string(t.Limit), "0-00:00:" + string(t.Suspended)}
	for i := f.place["submit"]; i <= f.place["end"]; i++ {
		if f.fields[i] == "0" { // no time
			f.fields[i] = ""
		}
	}
	if t.Suspended == "" {
		f.fields[f.place["suspended"]] = ""
	}
	f.line, f.err = Line{Number: at.line, Text: []byte(strings.Join(f.fields, bar))}, nil
	if f.job(); f.err == nil {
		return nil
	}
	if e, ok := f.err.(*ParseError); ok {
		e.Column, e.Field = at.column, "jobs["+strconv.Itoa(at.item)+"]."+e.Field
	}
	return f.err
}
