// Command soak runs the state machines of the library for a given time, each beside a copy restored
// from its snapshot and beside a plain form of it: a batch function, or the definition by loops.
// It prints how many operations each has done, and the first disagreement with its seed and number.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"time"

	"github.com/schedmath/schedmath/examples/internal/program"
)

// length is the number of operations of one history.
const length = 300

// A machine begins a history. The function that it returns does one random operation on the state
// machine, its copy and its plain form, and panics where they disagree.
type machine struct {
	name  string
	start func(r *rand.Rand) func(l loss)
}

// loss says who misses an operation, so that a disagreement must follow.
type loss uint8

const (
	noLoss loss = iota
	copyLoses
	plainLoses
)

var machines = []machine{
	{"aging.Cluster", cluster},
	{"fairqueue.Queue", flatQueue},
	{"fairqueue.Queue, tree", treeQueue},
	{"ledger.Ledger", accounts},
	{"market.ApportionCarry", carry},
	{"estimate.Trainer", trainer},
	{"estimate.Requirements", requirements},
	{"sharedscan.CircularScan", scan},
	{"knn.Estimator", neighbours},
	{"lof.Scores1D, a window", outliers},
	{"partition.Sketch", sketches},
	{"shuffle.Ratio", ratio},
}

const help = `soak runs histories of operations on each state machine of the library beside a copy of it and beside a plain form. It prints how
many operations each has done; where two disagree it ends, with the seed and the number of the operation.
`

func main() { os.Exit(program.Exit(os.Stderr, "soak", run(os.Args[1:], os.Stdout, os.Stderr))) }

func run(args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("soak", flag.ContinueOnError)
	duration := f.Duration("for", 10*time.Second, "run for this `TIME`, and at least one history of each machine")
	seed := f.Uint64("seed", 1, "number `N` of the first history; each next one has the next number")
	if done, err := program.Parse(f, args, stdout, help); done || err != nil {
		return err
	}
	return soak(stdout, stderr, machines, *duration, *seed)
}

// soak runs histories of all machines in turn until one fails, and prints what they have done.
func soak(stdout, stderr io.Writer, machines []machine, duration time.Duration, seed uint64) (failed error) {
	operations := make([]int, len(machines))
	bar, seconds, begin := program.NewProgress(stderr, "soak: seconds", int(duration.Seconds())), 0, time.Now()
	for end := begin.Add(duration); ; seed++ {
		for i, m := range machines {
			n, err := history(m, seed, -1, noLoss)
			operations[i] += n
			failed = cmp.Or(failed, err)
		}
		if failed != nil || !time.Now().Before(end) {
			break
		}
		past := int(time.Since(begin).Seconds())
		bar.Add(past - seconds)
		seconds = past
	}
	bar.Done()
	for i, m := range machines {
		fmt.Fprintf(stdout, "%-24s %10d operations\n", m.name, operations[i])
	}
	return failed
}

// history runs one history and returns how many operations agreed. Operation number lost is missed
// as l says.
func history(m machine, seed uint64, lost int, l loss) (done int, err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("%s: seed %d, operation %d: %v", m.name, seed, done, x)
		}
	}()
	step := m.start(rand.New(rand.NewPCG(seed, 0)))
	for ; done < length; done++ {
		if done == lost {
			step(l)
		} else {
			step(noLoss)
		}
	}
	return done, nil
}

// same panics if two answers differ. Empty slices are all the same.
func same(what string, got, want any) {
	if reflect.DeepEqual(got, want) {
		return
	}
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		panic(fmt.Sprintf("%s: %.2000s, want %.2000s", what, g, w))
	}
}

// near panics if two numbers differ by more than 1e-9 of scale.
func near(what string, got, want, scale float64) {
	if !(math.Abs(got-want) <= 1e-9*scale) {
		panic(fmt.Sprintf("%s: %v, want %v", what, got, want))
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// pair is a state machine and a copy that goes on from a snapshot of it.
type pair[T, S any] struct {
	r        *rand.Rand
	it, copy T
	snapshot func(T) S
	restore  func(S) (T, error)
}

// renew makes the copy anew, by way of JSON.
func (p *pair[T, S]) renew() {
	var s S
	must(0, json.Unmarshal(must(json.Marshal(p.snapshot(p.it))), &s))
	p.copy = must(p.restore(s))
}

// do does an operation on both and compares answers and states, then does it in the plain form. One
// time in 16, or if there is none, the copy is made anew before.
func (p *pair[T, S]) do(l loss, operation func(T) any, plain func()) any {
	if reflect.ValueOf(p.copy).IsNil() || p.r.IntN(16) == 0 {
		p.renew()
	}
	answer := operation(p.it)
	if l != copyLoses {
		same("the copy's answer", operation(p.copy), answer)
	}
	same("the copy's state", p.snapshot(p.copy), p.snapshot(p.it))
	if l != plainLoses {
		plain()
	}
	return answer
}
