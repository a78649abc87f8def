package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCommands(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
		want string // in what is printed
	}{
		{"", 0, "schedmath audit -html audit.html sacct.txt"},
		{"help", 0, "schedmath COMMAND"},
		{"-help", 0, "schedmath COMMAND"},
		{"help clusters", 0, "-reserve BID"},
		{"version", 0, "schedmath "},
		{"whatever", 2, "whatif"},
		{"help audt", 2, "audit"},
		{"cluster", 2, "clusters"},
		{"clusters -nosuch", 2, "-nosuch"},
		{"verison", 2, "version"},
	} {
		var out, errs bytes.Buffer
		code := run(strings.Fields(c.args), &out, &errs)
		said, silent := &out, &errs
		if c.code != 0 {
			said, silent = silent, said
		}
		if code != c.code || silent.Len() > 0 || !strings.Contains(said.String(), c.want) || c.code != 0 && strings.Count(said.String(), "\n") != 1 {
			t.Errorf("schedmath %s = %d, stdout %q, stderr %q, want %d and %q", c.args, code, out.String(), errs.String(), c.code, c.want)
		}
	}
	var help, alone bytes.Buffer
	run([]string{"help", "whatif"}, &help, new(bytes.Buffer))
	run([]string{"whatif", "-help"}, &alone, new(bytes.Buffer))
	if help.String() != alone.String() {
		t.Error("help whatif and whatif -help differ")
	}
}

// What is counted is the least number of letters put in, left out or changed.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"audit", "audit", 0}, {"audt", "audit", 1}, {"boots", "boost", 2}, {"kitten", "sitting", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// TestOutputIsInput: no command writes over what it reads, whatever the name of it.
func TestOutputIsInput(t *testing.T) {
	for _, c := range []struct{ name, text, args string }{
		{"log", "1 0 0 60 1 -1 -1 1 60 -1 1 1 1 -1 1 -1 -1 -1\n", "audit -html DIR/link DIR/log"},
		{"log", "1 0 0 60 1 -1 -1 1 60 -1 1 1 1 -1 1 -1 -1 -1\n", "audit -html DIR/log DIR/link"},
		{"shares", `[{"name": "a"}]`, "audit -shares DIR/link -html DIR/shares DIR/none"},
		{"jobs.csv", "user,submit,tasks,run\nanna,0,4,60\n", "whatif -trace DIR/link -html DIR/jobs.csv"},
		{"jobs.csv", "user,submit,tasks,run\nanna,0,4,60\n", "whatif -trace DIR/jobs.csv -part 1/2 -out DIR/link"},
		{"whatif-jobs.tsv", "user\tsubmit\ttasks\trun\nanna\t0\t4\t60\n", "whatif -trace DIR/link -out DIR"},
		{"runner-1.txt", `<testsuite><testcase classname="x" time="2"/></testsuite>`, "cisplit -out DIR DIR/link"},
		{"runner-0.txt", "a\nb\n", "cisplit -out DIR -list DIR/link"},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, c.name)
		if err := os.WriteFile(name, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(c.name, filepath.Join(dir, "link")); err != nil {
			t.Skip(err)
		}
		var out, errs bytes.Buffer
		code := run(strings.Fields(strings.ReplaceAll(c.args, "DIR", dir)), &out, &errs)
		if text, err := os.ReadFile(name); code != 2 || !strings.Contains(errs.String(), "want another one") || string(text) != c.text {
			t.Errorf("schedmath %s = %d, %q; the input holds %q, %v, want an error and the input as it was", c.args, code, errs.String(), text, err)
		}
	}
}
