package main

import (
	"math/rand/v2"

	"github.com/schedmath/schedmath/knn"
	"github.com/schedmath/schedmath/lof"
	"github.com/schedmath/schedmath/partition"
	"github.com/schedmath/schedmath/sharedscan"
	"github.com/schedmath/schedmath/shuffle"
	"gonum.org/v1/gonum/mat"
)

// scan counts the blocks that each job has been given, and follows what runs and reruns say.
func scan(r *rand.Rand) func(loss) {
	type circle = *sharedscan.CircularScan[int]
	const blocks = 5
	p := pair[circle, sharedscan.Snapshot[int]]{r: r, it: must(sharedscan.New[int](blocks)),
		snapshot: circle.Snapshot, restore: sharedscan.Restore[int]}
	has := map[int]map[int]sharedscan.Source[int]{} // by job and block: given, or under way
	given := map[int64]bool{}                       // runs that have ended well
	return func(l loss) {
		op, key, partitions, block, run := r.IntN(16), r.IntN(6), r.IntN(4), r.IntN(blocks), 1+r.Int64N(p.it.Snapshot().LastRun+1)
		answer := p.do(l, func(c circle) any {
			switch {
			case op < 3:
				_, err := c.Join(key, partitions)
				return err == nil
			case op == 3:
				return c.Leave(key)
			case op == 4:
				reruns, err := c.Fail(nil, key)
				return []any{reruns, err == nil}
			case op == 5:
				reruns, _ := c.Lost(nil, run)
				return []any{reruns, false}
			case op < 11:
				run, _ := c.Start(block)
				return run
			}
			_, err := c.Finish(nil, run)
			return err == nil
		}, func() {})
		if l == plainLoses {
			answer = nil
		}
		switch a := answer.(type) {
		case bool:
			switch {
			case a && op < 3:
				has[key] = map[int]sharedscan.Source[int]{}
			case a && op == 3:
				delete(has, key)
			case a:
				given[run] = true
			}
		case []any:
			if a[1] == true {
				delete(has, key)
			}
			for _, again := range a[0].([]sharedscan.Rerun[int]) {
				for _, ride := range again.Rides[len(again.Rides)-again.Again:] {
					delete(has[ride.Job], again.Block)
				}
			}
		case sharedscan.Run[int]:
			for i, ride := range a.Rides {
				has[ride.Job][a.Block] = sharedscan.Source[int]{Block: a.Block, Run: a.ID, Driver: a.Rides[0].Job, Offset: ride.Offset}
				if i > 0 {
					same("Offset", ride.Offset, a.Rides[i-1].Offset+a.Rides[i-1].Partitions)
				}
			}
		}
		same("Len", p.it.Len(), len(has))
		for job := range has {
			var sources []sharedscan.Source[int]
			var waiting []int
			for b := range blocks {
				if s, under := has[job][b]; !under {
					waiting = append(waiting, b)
				} else if given[s.Run] {
					sources = append(sources, s)
				}
			}
			left, _ := p.it.Left(job)
			same("waiting, given", []any{p.it.Waiting(nil, job), p.it.Sources(nil, job), left}, []any{waiting, sources, blocks - len(sources)})
		}
	}
}

// neighbours is a model made anew from the last observations.
func neighbours(r *rand.Rand) func(loss) {
	o := knn.Options{Window: 1 + r.IntN(60), Kernel: knn.Kernel(r.IntN(2)), Scaling: knn.Scaling(r.IntN(3))}
	p := pair[*knn.Estimator, knn.Snapshot]{r: r, it: must(knn.New(2, o)), snapshot: (*knn.Estimator).Snapshot,
		restore: func(s knn.Snapshot) (*knn.Estimator, error) { return knn.Restore(s, o) }}
	var seen [][]float64
	return func(l loss) {
		x, q := []float64{float64(r.IntN(20)), r.Float64(), r.Float64()}, []float64{float64(r.IntN(20)), r.Float64()}
		p.do(l, func(e *knn.Estimator) any { return e.Add(x[:2], x[2]) }, func() { seen = append(seen, x) })
		anew := must(knn.New(2, o))
		for _, x := range seen[max(0, len(seen)-o.Window):] {
			must(0, anew.Add(x[:2], x[2]))
		}
		want := 0
		if len(seen) > 0 {
			same("Predict", must(p.it.Predict(q)), must(anew.Predict(q)))
			want = min(o.Window, len(seen))
		}
		same("Len", p.it.Len(), want)
	}
}

// outliers scores a window of values by sorting them, and as points in a plane.
func outliers(r *rand.Rand) func(loss) {
	var window []float64
	return func(l loss) {
		window = append(window, float64(r.IntN(40))) // whole, so that ties are ties in the plane too
		window = window[max(0, len(window)-40):]
		k, points := 1+r.IntN(8), mat.NewDense(len(window), 2, nil)
		for i, x := range window {
			points.SetRow(i, []float64{3 * x, 4 * x})
		}
		if l != noLoss {
			points.Set(0, 0, -1)
		}
		scores := must(lof.Scores(nil, points, k, lof.Options{Floor: 5}))
		for i, score := range must(lof.Scores1D(nil, window, k, lof.Options{Floor: 1})) {
			near("score", score, scores[i], score)
		}
	}
}

// sketches are merged into one, which is that of all that was added.
func sketches(r *rand.Rand) func(loss) {
	empty := func() *partition.Sketch { return must(partition.NewSketch(3, 7, 5)) }
	parts, all, truth, total := []*partition.Sketch{empty(), empty(), empty()}, empty(), map[uint64]uint64{}, uint64(0)
	return func(l loss) {
		key, n := r.Uint64N(30), r.Uint64N(100)
		must(0, all.Add(key, n))
		if l != copyLoses {
			must(0, parts[r.IntN(len(parts))].Add(key, n))
		}
		if l != plainLoses {
			truth[key], total = truth[key]+n, total+n
		}
		merged := empty()
		for _, i := range r.Perm(len(parts)) {
			must(0, merged.Merge(parts[i]))
		}
		read := new(partition.Sketch)
		must(0, read.UnmarshalBinary(must(merged.MarshalBinary())))
		same("the sketch read", read, merged)
		same("the merged sketch", merged, all)
		same("Total", all.Total(), total)
		for row := range all.Rows() {
			sums := make([]float64, all.Partitions())
			for key, n := range truth {
				sums[must(all.Partition(row, key))] += float64(n)
			}
			same("Row", must(all.Row(nil, row)), sums)
		}
	}
}

// ratio is the sums of all that maps have read and written.
func ratio(r *rand.Rand) func(loss) {
	p := pair[*shuffle.Ratio, shuffle.Ratio]{r: r, it: new(shuffle.Ratio), snapshot: func(s *shuffle.Ratio) shuffle.Ratio { return *s },
		restore: func(s shuffle.Ratio) (*shuffle.Ratio, error) { return &s, nil }}
	var in, out float64 // whole numbers, so that sums are exact
	return func(l loss) {
		read, written := float64(r.IntN(3)), float64(r.IntN(9))
		p.do(l, func(s *shuffle.Ratio) any { return s.Add(read, written) }, func() { in, out = in+read, out+written })
		want := 1.0
		if in > 0 {
			want = out / in
		}
		same("Value", p.it.Value(), want)
	}
}
