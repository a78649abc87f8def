package schedtest_test

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("rapid.nofailfile", "true"); err != nil { // faults are meant to fail
		panic(err)
	}
	os.Exit(m.Run())
}

// A recorder is a test whose failure is kept and told to nobody.
type recorder struct {
	testing.TB
	failed bool
	said   strings.Builder
}

func (r *recorder) say(s string)                   { r.said.WriteString(s + "\n") }
func (r *recorder) Helper()                        {}
func (r *recorder) Failed() bool                   { return r.failed }
func (r *recorder) Fail()                          { r.failed = true }
func (r *recorder) Log(args ...any)                { r.say(fmt.Sprint(args...)) }
func (r *recorder) Logf(format string, a ...any)   { r.say(fmt.Sprintf(format, a...)) }
func (r *recorder) Error(args ...any)              { r.Log(args...); r.Fail() }
func (r *recorder) Errorf(format string, a ...any) { r.Logf(format, a...); r.Fail() }
func (r *recorder) Fatal(args ...any)              { r.Error(args...); runtime.Goexit() }
func (r *recorder) Fatalf(format string, a ...any) { r.Errorf(format, a...); runtime.Goexit() }
func (r *recorder) FailNow()                       { r.Fail(); runtime.Goexit() }

// mostCases is how many cases a fault may take to find, of the 1,000 that a check draws; each fault
// here takes some dozens. Shrinking is not counted.
const mostCases = 500

var rapidCases = regexp.MustCompile(`\[rapid\] (?:OK, passed|failed after|panic after) (\d+) tests`)

// cases returns how many cases were drawn without a failure.
func (r *recorder) cases() int {
	sum := 0
	for _, m := range rapidCases.FindAllStringSubmatch(r.said.String(), -1) {
		n, _ := strconv.Atoi(m[1])
		sum += n
	}
	return sum
}

// caught runs a check that must fail within mostCases, with a counterexample that says what is
// wanted. Under -short a check draws a fifth of its cases and has five attempts.
func caught(t *testing.T, want string, check func(t testing.TB)) {
	t.Helper()
	attempts := 1
	if testing.Short() {
		attempts = 5
	}
	r := &recorder{TB: t}
	for ; attempts > 0 && !r.failed; attempts-- {
		done := make(chan struct{})
		go func() {
			defer close(done)
			check(r)
		}()
		<-done
	}
	n, said := r.cases(), r.said.String()
	if !r.failed || !strings.Contains(said, want) {
		t.Errorf("failed %v, want a failure that says %q:\n%s", r.failed, want, said)
		return
	}
	if n > mostCases {
		t.Errorf("the fault was found after %d cases, want at most %d", n, mostCases)
	}
	t.Logf("after %d cases:\n%s", n, said)
}
