package schedtest_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
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

// caught runs a check that must fail within its 1,000 cases, with a counterexample that says what
// is wanted. Under -short a check draws a fifth of its cases and has five attempts.
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
	if said := r.said.String(); !r.failed || !strings.Contains(said, want) {
		t.Errorf("failed %v, want a failure that says %q:\n%s", r.failed, want, said)
	} else {
		t.Log(said)
	}
}
