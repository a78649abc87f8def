package backfill_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/joblog"
)

// A hold is units of a node that are held for a time.
type hold struct {
	from, to float64
	units    int64
}

// machines are nodes of equal size with what is held of each: a prototype of plans in which a job
// needs so many units on each of so many nodes, the same ones from its start to its end.
type machines struct {
	size  int64
	holds [][]hold // by node
}

// free are the times, as [from, to), in which a node has so many units free, from a time on.
func (m *machines) free(node int, units int64, from float64) (list [][2]float64) {
	steps := []hold{{from: from, units: 0}}
	for _, h := range m.holds[node] {
		if h.to > from {
			steps = append(steps, hold{from: max(h.from, from), units: h.units}, hold{from: h.to, units: -h.units})
		}
	}
	slices.SortStableFunc(steps, func(a, b hold) int { return cmp.Compare(a.from, b.from) })
	held := int64(0)
	for i, s := range steps {
		held += s.units
		end := math.Inf(1)
		if i+1 < len(steps) {
			end = steps[i+1].from
		}
		switch n := len(list); {
		case held+units > m.size || end == s.from:
		case n > 0 && list[n-1][1] == s.from:
			list[n-1][1] = end
		default:
			list = append(list, [2]float64{s.from, end})
		}
	}
	return list
}

// earliest is the first time from which on nodes, the same ones throughout, have units free for so
// long, and these nodes, the first by number. With bySteps nodes are counted at each time by itself,
// whichever they are.
func (m *machines) earliest(nodes int, units int64, from, time float64, bySteps bool) (start float64, chosen []int) {
	type edge struct {
		at    float64
		count int
	}
	var edges []edge
	var free [][][2]float64
	for i := range m.holds {
		free = append(free, m.free(i, units, from))
		for _, f := range free[i] {
			switch {
			case bySteps:
				edges = append(edges, edge{f[0], 1}, edge{f[1], -1})
			case f[0]+time <= f[1]: // it may start from f[0] to f[1] - time
				edges = append(edges, edge{f[0], 1}, edge{math.Nextafter(f[1]-time, math.Inf(1)), -1})
			}
		}
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	start = math.NaN()
	for i, count := 0, 0; i < len(edges); i++ {
		count += edges[i].count
		if i+1 < len(edges) && edges[i+1].at == edges[i].at {
			continue
		}
		if count < nodes {
			start = math.NaN()
		} else if math.IsNaN(start) {
			start = edges[i].at
		}
		if start == start && (!bySteps || i+1 == len(edges) || edges[i+1].at >= start+time) {
			break
		}
	}
	for i := range free {
		if len(chosen) < nodes && slices.ContainsFunc(free[i], func(f [2]float64) bool { return f[0] <= start && start+time <= f[1] }) {
			chosen = append(chosen, i)
		}
	}
	return start, chosen
}

// TestNodesByCounts: while one node is free until 10 and the other from 10 on, one is free at each
// time, and none for 20.
func TestNodesByCounts(t *testing.T) {
	m := machines{1, [][]hold{{{10, 30, 1}}, {{0, 10, 1}}}}
	if at, _ := m.earliest(1, 1, 0, 20, true); at != 0 {
		t.Errorf("by counts a job of 20 starts at %v, want 0", at)
	}
	if at, on := m.earliest(1, 1, 0, 20, false); at != 10 || !slices.Equal(on, []int{1}) {
		t.Errorf("a job of 20 starts at %v on %v, want at 10 on node 1", at, on)
	}
}

// TestNodesByDefinition: the earliest start is that of a search of all whole times and nodes; where
// all holds begin now, as those of running jobs do, counts of nodes find the same.
func TestNodesByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := machines{2, make([][]hold, rapid.IntRange(1, 4).Draw(t, "nodes"))}
		running := rapid.Bool().Draw(t, "all run")
		for i := range m.holds {
			at := 0
			for range rapid.IntRange(0, 3).Draw(t, "holds") {
				if !running {
					at += rapid.IntRange(0, 3).Draw(t, "gap")
				}
				end := at + rapid.IntRange(1, 4).Draw(t, "length")
				units := rapid.Int64Range(1, 2).Draw(t, "units")
				m.holds[i] = append(m.holds[i], hold{float64(at), float64(end), units})
				if at = end; running {
					break
				}
			}
		}
		nodes, units := rapid.IntRange(1, len(m.holds)).Draw(t, "nodes wanted"), rapid.Int64Range(1, 2).Draw(t, "units wanted")
		time := rapid.IntRange(1, 6).Draw(t, "time")
		fits := func(node, from int) bool {
			for at := from; at < from+time; at++ {
				held := units
				for _, h := range m.holds[node] {
					if h.from <= float64(at) && float64(at) < h.to {
						held += h.units
					}
				}
				if held > m.size {
					return false
				}
			}
			return true
		}
		want, on := 0, []int(nil)
		for ; ; want++ {
			on = nil
			for i := range m.holds {
				if fits(i, want) && len(on) < nodes {
					on = append(on, i)
				}
			}
			if len(on) == nodes {
				break
			}
		}
		if at, chosen := m.earliest(nodes, units, 0, float64(time), false); at != float64(want) || !slices.Equal(chosen, on) {
			t.Fatalf("%d nodes with %d units for %d start at %v on %v, want %d on %v: %v", nodes, units, time, at, chosen, want, on, m)
		}
		if at, _ := m.earliest(nodes, units, 0, float64(time), true); running && at != float64(want) || at > float64(want) {
			t.Fatalf("by counts %d nodes with %d units for %d start at %v, want %d: %v", nodes, units, time, at, want, m)
		}
	})
}

// byNodes is the first jobs of a log of nodes with two processors, each placed at its arrival where it
// starts first beside those before it, for as long as it runs: one processor, or whole nodes. It calls
// asked with each that waits: the starts by counts of processors, of nodes by step, and exactly.
// It returns the nodes, and what is free on all of them, as the last arrival found them.
func byNodes(tb testing.TB, jobs int, asked func(units, steps, exact float64)) (m machines, p *backfill.Profile, now float64) {
	in, err := program.Open(golden.Trace(tb, "data/swf/HPC2N-2002-2.1-cln.swf.gz"))
	must(tb, err)
	defer in.Close()
	log, err := joblog.ReadJobs(in, joblog.ReadOptions{})
	must(tb, err)
	m = machines{2, make([][]hold, log.MaxProcs/2)}
	first := log.Jobs[0].Submit
	p, err = backfill.New([]int64{int64(log.MaxProcs)}, 0)
	must(tb, err)
	for _, j := range log.Jobs[:jobs] {
		if !(j.Run > 0) {
			continue
		}
		nodes, units := (j.Processors+1)/2, int64(min(2, j.Processors))
		now = j.Submit - first
		for i := range m.holds {
			m.holds[i] = slices.DeleteFunc(m.holds[i], func(h hold) bool { return h.to <= now })
		}
		must(tb, p.Advance(now))
		need := []int64{int64(nodes) * units}
		exact, chosen := m.earliest(nodes, units, now, j.Run, false)
		if exact > now {
			byUnits, _ := p.Earliest(need, now, j.Run)
			bySteps, _ := m.earliest(nodes, units, now, j.Run, true)
			asked(byUnits, bySteps, exact)
		}
		must(tb, p.Take(need, exact, exact+j.Run))
		for _, i := range chosen {
			m.holds[i] = append(m.holds[i], hold{exact, exact + j.Run, units})
		}
	}
	return m, p, now
}

// TestPromisesByNodesOnLog: on a log of dual-processor nodes promises by counts are too early for some
// jobs, and never too late.
func TestPromisesByNodesOnLog(t *testing.T) {
	waits, tooEarly, off := 0, [2]int{}, [2][]float64{}
	byNodes(t, 10000, func(units, steps, exact float64) {
		waits++
		for k, at := range []float64{units, steps} {
			if at > exact {
				t.Errorf("counts say %v, nodes %v", at, exact)
			}
			if at < exact {
				tooEarly[k]++
				off[k] = append(off[k], (exact-at)/3600)
			}
		}
	})
	for k, by := range []string{"processors", "nodes at each step"} {
		slices.Sort(off[k])
		if len(off[k]) == 0 {
			t.Fatalf("of %d promises by counts of %s none is too early", waits, by)
		}
		t.Logf("by counts of %s %d of %d promises are too early, by %.1f h in the median", by, tooEarly[k], waits, off[k][len(off[k])/2])
	}
}

func BenchmarkNodes(b *testing.B) {
	m, p, now := byNodes(b, 5000, func(_, _, _ float64) {})
	b.Run("of=processors", func(b *testing.B) {
		for b.Loop() {
			if _, ok := p.Earliest([]int64{20}, now, 3600); !ok {
				b.Fatal("never")
			}
		}
	})
	b.Run("of=nodes", func(b *testing.B) {
		for b.Loop() {
			if _, chosen := m.earliest(10, 2, now, 3600, false); len(chosen) != 10 {
				b.Fatal(chosen)
			}
		}
	})
}
