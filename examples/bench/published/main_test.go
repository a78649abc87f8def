package main

import (
	"bytes"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/schedmath/schedmath/internal/oracle/golden"
)

// No answer contradicts a known value on any of the published sets, and all seats are as published.
func TestPublishedTraces(t *testing.T) {
	all, err := published(golden.Trace(t, "data/or"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		list := s.instances()
		if testing.Short() {
			list = list[:min(len(list), 30)]
		}
		r := row{set: s}
		for i := range list {
			list[i].rival = nil
			if fault, err := r.add(&list[i], 0); fault != "" || err != nil {
				t.Errorf("%s, %s: %s, %v", s.name, list[i].name, fault, err)
			}
		}
		if s.name == "tables of seats" && r.ours.atBest != len(list) {
			t.Errorf("%d tables of seats of %d are as published", r.ours.atBest, len(list))
		}
		t.Logf("%v", &r)
	}
}

func TestRunErrors(t *testing.T) {
	empty := t.TempDir()
	short := t.TempDir()
	for name, text := range map[string]string{"wt50.txt": "1 2 3", "wtopt50.txt": "7"} {
		if err := os.WriteFile(filepath.Join(short, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-sets", empty}, "wt50.txt"},
		{[]string{"-sets", short}, "3 numbers, want 150"},
		{[]string{"-rows", "("}, "-rows"},
		{[]string{"-reference", "NaN"}, "-reference"},
	} {
		if err := run(c.args, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("run(%q) = %v, want an error that names %q", c.args, err, c.want)
		}
	}
	var out bytes.Buffer
	if err := run([]string{"-sets", filepath.Join(empty, "none"), "-rows", "wt50.$|seats"}, &out, io.Discard); err != nil || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("without the folder: %v\n%s\nwant no rows of published sets", err, out.String())
	}
}

func TestFault(t *testing.T) {
	for _, c := range []struct {
		a      answer
		proven bool
		want   string
	}{
		{answer{100, 90, false}, true, ""},
		{answer{100, 100, true}, true, ""},
		{answer{101, 100, false}, true, ""},
		{answer{99, 90, false}, false, ""},
		{answer{101, 100.5, false}, false, "above the known value"},
		{answer{101, 90, true}, false, "is called exact"},
		{answer{99, 90, false}, true, "below the optimum"},
	} {
		if got := c.a.fault(&instance{known: 100, proven: c.proven}); got == "" != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v, proven %t: %q, want %q", c.a, c.proven, got, c.want)
		}
	}
}

func TestRow(t *testing.T) {
	r := row{set: set{name: "some", rival: "other"}}
	for _, value := range []float64{100, 104} {
		in := instance{known: 100, solve: func() (answer, error) { return answer{value, 80, value == 100}, nil },
			rival: func(time.Time) float64 { return 110 }}
		if fault, err := r.add(&in, 0); fault != "" || err != nil {
			t.Fatal(fault, err)
		}
	}
	in := instance{known: math.NaN(), solve: func() (answer, error) { return answer{100, 100, false}, nil }, rival: func(time.Time) float64 { return 80 }}
	if fault, err := r.add(&in, 0); err != nil || !strings.Contains(fault, "above the known value, 80") {
		t.Errorf("a bound above what the rival finds: %q, %v", fault, err)
	}
	r.time = 6 * time.Millisecond
	if got, want := r.String(), "| some | 3 | 1 | 9.67% | 25% | 18.3% | 1 | 2 ms | other | 1 | 6.67% | 10% |"; got != want {
		t.Errorf("row %q, want %q", got, want)
	}
}

// Whatever the rivals find is the value of some order, so no rival is better than all orders.
func TestRivals(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for range 20 {
		const n = 6
		w := weighted{work: make([]float64, n), weight: make([]float64, n), due: make([]float64, n)}
		for j := range n {
			w.work[j], w.weight[j], w.due[j] = float64(1+random.IntN(9)), float64(1+random.IntN(9)), float64(random.IntN(30))
		}
		for _, arcs := range [][][2]int{nil, {{0, 3}, {1, 3}, {3, 5}}} {
			w.arcs = arcs
			least := leastTardiness(w)
			got := dynasearch(w, time.Now().Add(time.Millisecond))
			if arcs != nil {
				got = anneal(w, time.Now().Add(time.Millisecond))
			}
			if got < least-1e-6 {
				t.Errorf("a rival finds %v for %+v, the optimum is %v", got, w, least)
			}
		}
	}
	work := []float64{3, 3, 2, 2, 2}
	if got := randomSwaps(2, work, time.Now().Add(time.Millisecond)); got < 6 {
		t.Errorf("randomSwaps(2, %v) = %v, the optimum is 6", work, got)
	}
}

// leastTardiness tries all orders.
func leastTardiness(w weighted) float64 {
	least := math.Inf(1)
	var order []int
	done := make([]bool, len(w.work))
	var place func()
	place = func() {
		if len(order) == len(done) {
			least = min(least, w.tardiness(order))
			return
		}
		for j := range done {
			ready := !done[j]
			for _, a := range w.arcs {
				ready = ready && (a[1] != j || done[a[0]])
			}
			if ready {
				done[j] = true
				order = append(order, j)
				place()
				done[j], order = false, order[:len(order)-1]
			}
		}
	}
	place()
	return least
}

func TestGaps(t *testing.T) {
	var g gaps
	for _, c := range [][2]float64{{0, 0}, {3, 0}, {11, 10}, {9, 10}} {
		g.add(c[0], c[1])
	}
	if got, want := g.String(), "2 | 3.33% | 10%"; got != want {
		t.Errorf("gaps %q, want %q: the value above 0 has none", got, want)
	}
}
