package joblog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// sacctFields are the columns that a job of sacct --json is read as.
var sacctFields = []string{"jobid", "user", "account", "partition", "submit", "eligible", "start", "end", "state", "reqtres", "alloctres", "timelimitraw", "elapsedraw"}

// sacctJob is a job of sacct --json. What it does not say is "".
type sacctJob struct {
	ID                       slurmValue `json:"job_id"`
	Account, User, Partition string
	Association              struct{ User string }
	Array                    struct {
		ID    slurmValue `json:"job_id"`
		Task  slurmValue `json:"task_id"`
		Tasks string     `json:"task"` // that wait
	}
	Het struct {
		ID     slurmValue `json:"job_id"`
		Offset slurmValue `json:"job_offset"`
	}
	Time *struct { // nil: the list is that of squeue
		Submission, Eligible, Start, End, Elapsed, Limit slurmValue
	}
	State struct{ Current slurmValue }
	TRES  struct{ Requested, Allocated []sacctTRES }
}

type sacctTRES struct {
	Type, Name string
	Count      slurmValue
}

// slurmValue is a number or a word that versions of Slurm write bare, as null, as the first of a list, or
// with whether it is set.
type slurmValue string

// UnmarshalJSON takes each form.
func (v *slurmValue) UnmarshalJSON(text []byte) error {
	d, x := json.NewDecoder(bytes.NewReader(text)), any(nil)
	d.UseNumber()
	err := d.Decode(&x)
	if list, ok := x.([]any); ok && len(list) > 0 {
		x = list[0]
	}
	if full, ok := x.(map[string]any); ok {
		if x = full["number"]; full["set"] != true || full["infinite"] == true {
			x = nil
		}
	}
	if *v = ""; x != nil {
		*v = slurmValue(fmt.Sprint(x))
	}
	return err
}

// tresList is the resources as sacct -P prints them. Memory is in megabytes.
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
	t := o.Time
	f.fields = []string{id, cmp.Or(o.User, o.Association.User), o.Account, o.Partition, string(t.Submission), string(t.Eligible), string(t.Start), string(t.End), string(o.State.Current),
		tresList(o.TRES.Requested), tresList(o.TRES.Allocated), string(t.Limit), string(t.Elapsed)}
	for i := f.place["submit"]; i <= f.place["end"]; i++ {
		if f.fields[i] == "0" { // no time
			f.fields[i] = ""
		}
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
