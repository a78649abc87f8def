package drf_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/drf"
)

// Inputs and expected numbers are those of other projects' public tests. A comment names the file,
// the version, and where a peer differs.

// none is the capacity of a resource that a peer leaves out where there is none of it. A capacity
// of 0 that somebody uses makes a share of +Inf here; for a cohort that lends none of a resource,
// Kueue's and Armada's rule is the better one, since else every borrower has +Inf.
var none = math.NaN()

// TestPeersArmada: fairness/fairness_test.go, armadaproject/armada at 01555be878a2. The cost of an
// allocation is its dominant share. A case that differs from another by the weight alone is left
// out.
func TestPeersArmada(t *testing.T) {
	for name, c := range map[string]struct {
		capacity, used []float64 // of the resources considered, times their multipliers
		want           float64
	}{
		"single resource 1":       {[]float64{1, 2}, []float64{.5, 0}, .5},
		"single resource 2":       {[]float64{1, 2}, []float64{0, .5}, .25},
		"multiple resources":      {[]float64{1, 2}, []float64{.5, 1.1}, .55},
		"zero available resource": {[]float64{1, none}, []float64{.5, 2}, .5},
		"non-unit multiplier":     {[]float64{1, 2}, []float64{4 * .5, 1.1}, 2},
	} {
		if got := drf.DominantShare(c.capacity, c.used); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestPeersKueue: TestDominantResourceShare of fair_sharing_test.go, kubernetes-sigs/kueue at
// 02c5bf469a7c. What is borrowed beyond the nominal quota, summed over flavors, is used of what the
// cohort lends; thousandths, rounded up, which Kueue compares unrounded. Its weight of 0, for who
// gets the least, is a share of +Inf as soon as something is borrowed.
func TestPeersKueue(t *testing.T) {
	for name, c := range map[string]struct {
		lendable, borrowed []float64
		weight, want       float64
	}{
		"no cohort":                       {[]float64{2000, 5}, []float64{0, 0}, 1, 0},
		"zero weight, nobody lends":       {[]float64{0}, []float64{3 - 2}, 0, math.Inf(1)},
		"usage below nominal":             {[]float64{10, 10}, []float64{0, 0}, 1, 0},
		"usage above nominal":             {[]float64{10, 10}, []float64{3 - 2, 7 - 5}, 1, 200},
		"slightly above, large quotas":    {[]float64{1500}, []float64{501 - 500}, 1, 1},
		"way above, large weights":        {[]float64{1500}, []float64{800 - 500}, 300, 1},
		"one resource above nominal":      {[]float64{10, 10}, []float64{3 - 2, 0}, 1, 100},
		"with a workload above nominal":   {[]float64{10, 10}, []float64{1 + 4 - 2, 2 + 4 - 5}, 1, 300},
		"a resource with zero lendable":   {[]float64{10, none}, []float64{1 + 4 - 2, 1 + 4 - 2}, 1, 300},
		"multiple flavors":                {[]float64{200}, []float64{15 + 10 - 20}, 1, 25},
		"integer weight":                  {[]float64{10}, []float64{7 - 5}, 2, 100},
		"decimal weight":                  {[]float64{10}, []float64{7 - 5}, .5, 400},
		"zero weight":                     {[]float64{15}, []float64{7 - 5}, 0, math.Inf(1)},
		"cohort, its queue":               {[]float64{50}, []float64{10 - 5}, 1, 100},
		"cohort":                          {[]float64{50}, []float64{10 - 5}, 2, 50},
		"only at the root, the queue":     {[]float64{50}, []float64{10}, 1, 200},
		"only at the root, the cohort":    {[]float64{50}, []float64{10}, 2, 100},
		"with a borrowing limit, queue":   {[]float64{10}, []float64{10}, 1, 1000},
		"with a borrowing limit, cohort":  {[]float64{50}, []float64{10}, 1, 200},
		"unlimited lendable, thousandths": {[]float64{math.MaxInt64}, []float64{1000}, 1, 1},
	} {
		if got := math.Ceil(1000 * drf.DominantShare(c.lendable, c.borrowed) / c.weight); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestPeersYuniKorn: TestGetShares, TestFairnessRatio and TestCompUsage of resources_test.go,
// apache/yunikorn-core at 5a92a28c8aab: the greatest of the shares that they sort, and the
// comparisons that it decides. Where no total is stated YuniKorn takes the amount itself for the
// share; amounts of different units do not compare, so a caller leaves the resource out or states a
// total.
func TestPeersYuniKorn(t *testing.T) {
	for name, c := range map[string]struct{ capacity, used, want float64 }{
		"of nothing, nothing": {0, 0, 0},
		"all of it":           {5, 5, 1},
		"half of it":          {10, 5, .5},
		"more than there is":  {10, 15, 1.5},
		"90 of 100":           {100, 90, .9},
		"a debt":              {100, -1, 0},
		// Theirs is 5: where a total is not stated, an amount counts as a share.
		"of nothing, 5": {0, 5, math.Inf(1)},
	} {
		if got := drf.DominantShare([]float64{c.capacity}, []float64{c.used}); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	left, right, all := []float64{50, 50, 50}, []float64{10, 10, 10}, []float64{100, 100, 100}
	if l, r := drf.DominantShare(all, left), drf.DominantShare(all, right); !(l > r) {
		t.Errorf("of one total %v and %v, want the first larger", l, r)
	}
	if l, r := drf.DominantShare(all, left), drf.DominantShare(right, right); !(l < r) {
		t.Errorf("of totals of their own %v and %v, want the second larger", l, r)
	}
	// Of 5 large of 15 and 10 of what is in no total theirs is 10.
	if got := drf.DominantShare([]float64{15, none}, []float64{5, 10}); got != 1./3 {
		t.Errorf("what is in no total left out: %v, want 1/3", got)
	}
	if got := drf.DominantShare([]float64{100}, []float64{1}) / drf.DominantShare([]float64{100}, []float64{90}); got != (1./100)/(90./100) {
		t.Errorf("ratio %v, want 1/90", got)
	}
}

// TestPeersMesos: sorter_tests.cpp, apache/mesos at 02c00e2cb083. The order of its sorter, of least
// dominant share over weight first, with changes of the total.
func TestPeersMesos(t *testing.T) {
	type client struct {
		name   string
		used   []float64
		weight float64 // 0: 1
	}
	for _, c := range []struct {
		capacity []float64
		clients  []client
		want     string
	}{
		{[]float64{100, 100}, []client{{"a", []float64{5, 5}, 0}, {"b", []float64{6, 6}, 0}}, "ab"},
		{[]float64{100, 100}, []client{{"a", []float64{5, 5}, 0}, {"b", []float64{6, 6}, 0}, {"c", []float64{1, 1}, 0}, {"d", []float64{3, 1}, 0}}, "cdab"},
		{[]float64{100, 100}, []client{{"b", []float64{2, 2}, 0}, {"c", []float64{1, 1}, 0}, {"d", []float64{3, 1}, 0}}, "cbd"},
		{[]float64{50, 100}, []client{{"b", []float64{2, 2}, 0}, {"c", []float64{1, 1}, 0}, {"d", []float64{3, 1}, 0}, {"e", []float64{1, 5}, 0}}, "cbed"},
		{[]float64{50, 200}, []client{{"b", []float64{2, 2}, 0}, {"c", []float64{1, 16}, 0}, {"d", []float64{3, 1}, 0}, {"e", []float64{1, 5}, 0}, {"f", []float64{5, 1}, 0}}, "ebdcf"},
		{[]float64{50, 200}, []client{{"b", []float64{2, 2}, 0}, {"c", []float64{1, 16}, 0}, {"e", []float64{1, 5}, 0}, {"f", []float64{5, 1}, 0}}, "ebcf"},
		{[]float64{100, 100}, []client{{"a", []float64{5, 5}, 0}, {"b", []float64{6, 6}, 2}}, "ba"},
		{[]float64{100, 100}, []client{{"a", []float64{5, 5}, 0}, {"b", []float64{6, 6}, 2}, {"c", []float64{4, 4}, 0}}, "bca"},
		{[]float64{100, 100}, []client{{"a", []float64{5, 5}, 0}, {"b", []float64{6, 6}, 2}, {"c", []float64{4, 4}, 0}, {"d", []float64{10, 20}, 10}}, "dbca"},
		{[]float64{100, 100}, []client{{"a", []float64{5, 5}, 0}, {"c", []float64{4, 4}, 0}, {"d", []float64{10, 20}, 10}}, "dca"},
		{[]float64{100, 100}, []client{{"a", []float64{5, 5}, 0}, {"c", []float64{4, 4}, 0}, {"d", []float64{20, 45}, 10}}, "cda"},
		{[]float64{100, 100}, []client{{"a", []float64{5, 5}, 0}, {"c", []float64{4, 4}, 0}, {"d", []float64{20, 45}, 10}, {"e", []float64{1, 1}, .1}}, "cdae"},
		{[]float64{100, 100}, []client{{"c", []float64{4, 4}, 0}, {"d", []float64{20, 45}, 10}, {"e", []float64{1, 1}, .1}}, "cde"},
		{[]float64{100, 100, 105}, []client{{"a", []float64{9, 9, 9}, 0}, {"b", []float64{9, 9, 10}, 0}}, "ab"},
		{[]float64{10, 100}, []client{{"a", []float64{2, 1}, 0}, {"b", []float64{1, 2}, 0}}, "ba"},
		{[]float64{100, 10}, []client{{"a", []float64{2, 1}, 0}, {"b", []float64{1, 2}, 0}}, "ab"},
		{[]float64{10, 100}, []client{{"a", []float64{2, 1}, 0}, {"b", []float64{1, 3}, 0}}, "ba"},
		{[]float64{100, 100}, []client{{"a", []float64{2, 1}, 0}, {"b", []float64{1, 3}, 0}}, "ab"},
		{[]float64{10, none}, []client{{"a", []float64{2, 1}, 0}, {"b", []float64{10, 1}, 0}}, "ab"},
	} {
		slices.SortStableFunc(c.clients, func(a, b client) int {
			return cmp.Compare(drf.DominantShare(c.capacity, a.used)/cmp.Or(a.weight, 1), drf.DominantShare(c.capacity, b.used)/cmp.Or(b.weight, 1))
		})
		got := ""
		for _, x := range c.clients {
			got += x.name
		}
		if got != c.want {
			t.Errorf("of %v: %v, want the order %s", c.capacity, c.clients, c.want)
		}
	}
}

// TestPeersVolcano: TestHDRF of hdrf_test.go, volcano-sh/volcano at 5a81a2798903, whose numbers are
// those of the paper on hierarchical dominant resource fairness (Bhattacharya et al. 2013), with pods
// as a resource and without. Its own test cannot fail: it compares each job with its own, and later
// versions compare the map of all expectations with one job's.
func TestPeersVolcano(t *testing.T) {
	for name, c := range map[string]struct {
		capacity []float64 // CPUs, GB, pods
		users    []drf.User
		parents  []int
		want     []float64
	}{
		"rescaling": {[]float64{10, 10, 50},
			[]drf.User{{Demand: []float64{1, 1, 1}, Max: 10, Weight: 50}, {Weight: 50}, {Demand: []float64{1, 0, 1}, Max: 10, Weight: 50}, {Demand: []float64{0, 1, 1}, Max: 10, Weight: 50}},
			[]int{-1, -1, 1, 1}, []float64{5, 10, 5, 5}},
		"blocking nodes": {[]float64{30, 30, 500},
			[]drf.User{{Demand: []float64{1, 0, 1}, Max: 30, Weight: 25}, {Demand: []float64{1, 0, 1}, Max: 30, Weight: 25}, {Weight: 25},
				{Demand: []float64{1, 0, 1}, Max: 30, Weight: 50}, {Demand: []float64{0, 1, 1}, Max: 30, Weight: 50}, {Demand: []float64{0, 1, 1}, Max: 30, Weight: 25}},
			[]int{-1, -1, -1, 2, 2, -1}, []float64{10, 10, 25, 10, 15, 15}},
	} {
		if got := shares(t, c.capacity, c.users, c.parents); !equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		for i := range c.users {
			c.users[i].Demand = c.users[i].Demand[:min(2, len(c.users[i].Demand))]
		}
		if got := shares(t, c.capacity[:2], c.users, c.parents); !equal(got, c.want) {
			t.Errorf("%s without pods: %v, want %v", name, got, c.want)
		}
	}
}
