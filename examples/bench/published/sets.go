package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/schedmath/schedmath/market"
	"github.com/schedmath/schedmath/partition"
	"github.com/schedmath/schedmath/precedence"
)

// published reads the sets of a folder, none if it does not exist.
func published(folder string) ([]set, error) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	tardy, err := readTardiness(folder)
	if err != nil {
		return nil, err
	}
	var networks []network
	var machines []equalMachines
	var tables []table
	for name, into := range map[string]any{"prec.json": &networks, "pcmax.json": &machines, "apportion.json": &tables} {
		file, err := os.ReadFile(filepath.Join(folder, name))
		if err == nil {
			err = json.Unmarshal(file, into)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return []set{
		{"weighted tardiness, 50 jobs (wt50)", "iterated dynasearch", tardy},
		{"weighted completion times, networks", "annealing", func() []instance { return completions(networks) }},
		{"weighted tardiness, networks", "annealing", func() []instance { return networkTardiness(networks) }},
		{"equal machines, makespan (pcmax)", "random swaps", func() []instance {
			var list []instance
			for _, m := range machines {
				list = append(list, m.instance())
			}
			return list
		}},
		{"tables of seats", "", func() []instance { return seats(tables) }},
	}, nil
}

// readTardiness reads wt50.txt, of each instance 50 works, 50 weights and 50 due dates, and
// wtopt50.txt, their optima.
func readTardiness(folder string) (func() []instance, error) {
	const n = 50
	numbers := func(name string) (list []float64, err error) {
		file, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		for _, word := range bytes.Fields(file) {
			var x float64
			if err := json.Unmarshal(word, &x); err != nil {
				return nil, fmt.Errorf("%s: %q is no number", name, word)
			}
			list = append(list, x)
		}
		return list, nil
	}
	all, err := numbers("wt50.txt")
	if err != nil {
		return nil, err
	}
	optima, err := numbers("wtopt50.txt")
	if err != nil {
		return nil, err
	}
	if len(all) != 3*n*len(optima) {
		return nil, fmt.Errorf("wt50.txt has %d numbers, want %d for each of the %d of wtopt50.txt", len(all), 3*n, len(optima))
	}
	return func() (list []instance) {
		for i, least := range optima {
			x := all[3*n*i:]
			w := weighted{work: x[:n], weight: x[n : 2*n], due: x[2*n : 3*n]}
			list = append(list, w.instance(fmt.Sprint(i+1), least, true))
		}
		return list
	}, nil
}

// weighted is jobs of one machine, perhaps with arcs between them, with weights and due dates. A
// nil list of due dates stands for zeros.
type weighted struct {
	work, weight, due []float64
	arcs              [][2]int
}

// instance asks for the least weighted tardiness.
func (w weighted) instance(name string, known float64, proven bool) instance {
	if w.due == nil {
		w.due = make([]float64, len(w.work))
	}
	in := instance{name: name, known: known, proven: proven, solve: func() (answer, error) {
		g, err := precedence.NewGraph(len(w.work), w.arcs)
		if err != nil {
			return answer{}, err
		}
		obj, err := precedence.SumWeightedTardiness(w.due, w.weight)
		if err != nil {
			return answer{}, err
		}
		s, err := precedence.Minimize(g, w.work, obj, precedence.Options{})
		return answer{s.Value, s.Bound, s.Exact}, err
	}}
	in.rival = func(end time.Time) float64 { return dynasearch(w, end) }
	if len(w.arcs) > 0 {
		in.rival = func(end time.Time) float64 { return anneal(w, end) }
	}
	return in
}

// network is a precedence network with the least total weighted completion time and tardiness
// known.
type network struct {
	Name         string
	Work, W, D   []float64
	Arcs         [][2]int
	WC, WT       float64
	WCOpt, WTOpt bool
}

func completions(networks []network) (list []instance) {
	for _, n := range networks {
		w := weighted{work: n.Work, weight: n.W, arcs: n.Arcs}
		in := w.instance(n.Name, n.WC, n.WCOpt)
		in.solve = func() (answer, error) {
			g, err := precedence.NewGraph(len(n.Work), n.Arcs)
			if err != nil {
				return answer{}, err
			}
			obj, err := precedence.SumWeightedResponse(n.W)
			if err != nil {
				return answer{}, err
			}
			s, err := precedence.Minimize(g, n.Work, obj, precedence.Options{})
			return answer{s.Value, s.Bound, s.Exact}, err
		}
		list = append(list, in)
	}
	return list
}

func networkTardiness(networks []network) (list []instance) {
	for _, n := range networks {
		list = append(list, weighted{n.Work, n.W, n.D, n.Arcs}.instance(n.Name, n.WT, n.WTOpt))
	}
	return list
}

// equalMachines is jobs on equal machines, with the makespan between two bounds.
type equalMachines struct {
	Name   string
	M      int
	P      []float64
	LB, UB float64
}

// instance asks for the least makespan.
func (e equalMachines) instance() instance {
	return instance{name: e.Name, known: e.UB, proven: e.LB == e.UB, solve: func() (answer, error) {
		cost := func(_ int, total float64) float64 { return total }
		p, err := partition.Assign(e.M, e.P, cost, partition.Options{Method: partition.Best})
		return answer{p.Makespan, p.Bound, p.Exact}, err
	}, rival: func(end time.Time) float64 { return randomSwaps(e.M, e.P, end) }}
}

// table is seats by method, as an election or a census gave them; Part is the seats of some, where
// a source gives no others.
type table struct {
	Name     string
	Seats    int
	Weights  []float64
	Min      []int
	Expected map[string][]int
	Part     map[string]map[int]int
}

// seats counts the seats that some got and a published table does not give them.
func seats(tables []table) (list []instance) {
	for _, t := range tables {
		for m := market.Hamilton; m <= market.HuntingtonHill; m++ {
			want := maps.Clone(t.Part[m.String()])
			if all, ok := t.Expected[m.String()]; ok {
				want = maps.Collect(slices.All(all))
			}
			if want == nil {
				continue
			}
			list = append(list, instance{name: t.Name + ", " + m.String(), proven: true, solve: func() (answer, error) {
				got, err := market.Apportion(nil, t.Seats, t.Weights, market.ApportionOptions{Method: m, Min: t.Min})
				if err != nil {
					return answer{}, err
				}
				wrong := 0
				for i, n := range want {
					wrong += max(0, got[i]-n, n-got[i])
				}
				return answer{value: float64(wrong), bound: float64(wrong), exact: true}, nil
			}})
		}
	}
	return list
}
