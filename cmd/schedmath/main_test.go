package main

import (
	"bytes"
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
