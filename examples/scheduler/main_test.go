package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// asProgram in the environment makes the test binary the program.
const asProgram = "SCHEDULER_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func TestArguments(t *testing.T) {
	for _, c := range []struct {
		args           string
		code           int
		stdout, stderr string // in it; "": nothing is printed
	}{
		{"", 0, "report is done", ""},
		{"-h", 0, "four slots", ""},
		{"--help", 0, "four slots", ""},
		{"-nosuch", 2, "", "-nosuch"},
		{"stray", 2, "", `unexpected argument "stray"`},
	} {
		var stdout, stderr bytes.Buffer
		program := exec.Command(os.Args[0], strings.Fields(c.args)...)
		program.Env = append(os.Environ(), asProgram+"=1")
		program.Stdout, program.Stderr = &stdout, &stderr
		_ = program.Run() // the code says it
		out, errs := stdout.String(), stderr.String()
		if code := program.ProcessState.ExitCode(); code != c.code || !strings.Contains(out, c.stdout) || !strings.Contains(errs, c.stderr) || (out == "") != (c.stdout == "") ||
			(errs == "") != (c.stderr == "") || strings.HasPrefix(c.args, "-h") && strings.Contains(out, "done,") {
			t.Errorf("scheduler %s = %d, stdout %q, stderr %q, want %d, %q and %q", c.args, code, out, errs, c.code, c.stdout, c.stderr)
		}
	}
}

// What is printed, by hand: the report's two samples end at 30 s, so that it has 12 x 30
// slot-seconds; the query's end at 35 s (4 x 5), the import's at 40 s (6 x 10). The four slots are
// never idle while a task waits: 440 slot-seconds of work end at 110 s.
func Example() {
	if err := run(nil); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 30 s: report has 360 slot-seconds
	//  35 s: query has 20 slot-seconds
	//  36 s: restarted
	//  40 s: import has 60 slot-seconds
	//  40 s: query is done, 20 s after it came
	//  50 s: import is done, 25 s after it came
	// 110 s: report is done, 110 s after it came
}
