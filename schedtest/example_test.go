package schedtest_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/schedtest"
)

// A lawTeller is a test that prints the law that was broken. In a test of your own it is t.
type lawTeller struct {
	testing.TB
	failed bool
}

func (l *lawTeller) Helper()             {}
func (l *lawTeller) Name() string        { return "TestMine" }
func (l *lawTeller) Failed() bool        { return l.failed }
func (l *lawTeller) Logf(string, ...any) {}
func (l *lawTeller) FailNow()            {}
func (l *lawTeller) Errorf(format string, args ...any) {
	l.failed = true
	_, said, _ := strings.Cut(fmt.Sprintf(format, args...), "tests: ")
	law, _, _ := strings.Cut(said, ":")
	fmt.Println(law)
}

// Jobs are ordered by size, and those of nearly equal sizes are taken as equal.
func ExampleOrder() {
	t := new(lawTeller)
	size := func(r *rapid.T) int { return rapid.IntRange(0, 4).Draw(r, "size") }
	schedtest.Order(t, size, func(a, b int) bool { return a+1 < b })
	// Output: equivalence is transitive
}

// What a user does not want is lost instead of going to the others.
func ExampleShares() {
	t := new(lawTeller)
	schedtest.Shares(t, func(capacity float64, demand, weight []float64) []float64 {
		sum, shares := 0.0, make([]float64, len(demand))
		for _, w := range weight {
			sum += w
		}
		for i := range shares {
			shares[i] = min(demand[i], capacity*weight[i]/sum)
		}
		return shares
	})
	// Output: nothing is left over that somebody wants
}
