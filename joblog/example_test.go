package joblog_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/joblog"
)

// A table of one's own, as a spreadsheet writes it.
func ExampleReadJobs() {
	table := "Id,User,Submit,Tasks,Run,Comment\n" +
		"nightly,anna,2026-03-01T08:30:00Z,40,20,\n" +
		"report,ben,2026-03-01T08:30:12.5Z,3,9,\"late, again\"\n"
	log, _ := joblog.ReadJobs(strings.NewReader(table), joblog.ReadOptions{})
	for _, j := range log.Jobs {
		fmt.Println(j.ID, j.User, j.Submit-log.Jobs[0].Submit, j.Processors, j.Run)
	}
	// Output:
	// nightly anna 0 40 20
	// report ben 12.5 3 9
}

func ExampleReadSWIM() {
	trace := "job0\t9\t9\t1762\t0\t14347\n" +
		"job1\t18\t9\t970\t609\t697\n" +
		"job2\t20\t2\t53000000000\t1500000000\t5700000\n"
	jobs, _ := joblog.ReadSWIM(strings.NewReader(trace))
	for _, j := range jobs {
		fmt.Printf("%s comes at %v s and reads %.3g bytes\n", j.ID, j.Submit, j.MapInput)
	}
	// Output:
	// job0 comes at 9 s and reads 1.76e+03 bytes
	// job1 comes at 18 s and reads 970 bytes
	// job2 comes at 20 s and reads 5.3e+10 bytes
}

// What ran and what waited, job by job, of a log of any length.
func ExampleEachSpan() {
	sacct := "JobID|User|Submit|Start|End|AllocCPUS|ReqCPUS\n" +
		"101|anna|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T09:00:00|8|8\n" +
		"102|ben|2026-03-01T08:10:00|Unknown|Unknown|0|16\n"
	_, err := joblog.EachSpan(strings.NewReader(sacct), func(s joblog.Span) bool {
		fmt.Println(s.Name, s.User, s.Amount, s.Start-s.From, s.End-s.Start)
		return true
	}, joblog.ReadOptions{})
	fmt.Println(err)
	// Output:
	// 101 anna 8 0 3600
	// 102 ben 16 +Inf NaN
	// <nil>
}

func ExampleParseError() {
	trace := "job0\t9\t9\t1762\t0\t14347\n" +
		"job1\t18\t9\t-5\t609\t697\n"
	_, err := joblog.ReadSWIM(strings.NewReader(trace))
	fmt.Println(err)
	var pe *joblog.ParseError
	fmt.Println(errors.As(err, &pe), pe.Line, pe.Column, errors.Is(err, schedmath.ErrInput))
	// Output:
	// joblog: line 2, column 11: map input "-5" is negative
	// true 2 11 true
}
