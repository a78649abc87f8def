package circumflex

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/examples/internal/report/reporttest"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/malleable"
	"github.com/schedmath/schedmath/precedence"
	"github.com/schedmath/schedmath/sharedscan"
)

// An imagination makes up what a study is made from.
type imagination struct {
	ratio       func(p point, m metric, s scheme) float64
	work        func(p point, s scheme) float64
	spread      [schemes]float64 // of the repetitions
	concurrency [2]float64
	largest     float64
	minutes     float64 // FLEX's response time
	early       float64 // stretch of small and early scans over that of all, and repetitions in which one is the worst
	byLoad      func(load float64, s scheme) (value, work, end float64)
	byFraction  func(fraction float64, s scheme) float64 // value and work over FLEX's
}

func (i *imagination) study() *study {
	s := &study{Options: program.Options{Seed: 1, Quick: true}, o: base(calibrated), n: 3, readings: newReadings()}
	repeat := func(x, spread float64) []float64 {
		return []float64{x - spread, x + spread, x - spread, x + spread, x, x, x - spread, x + spread, x - spread, x + spread}
	}
	// crowd is ten repetitions of numbers of which the mean over datasets is about x.
	crowd := func(x float64) (list [][datasets]int) {
		for _, x := range repeat(x*datasets, 1) {
			var most [datasets]int
			for k := range int(math.Round(x)) {
				most[k%datasets]++
			}
			list = append(list, most)
		}
		return list
	}
	for _, p := range allPoints() {
		c := cell{trial: trial{p, s.o}, largest: crowd(i.largest)}
		for m := range metrics {
			for k := range schemes {
				c.ratio[m][k] = repeat(i.ratio(p, m, k), i.spread[k])
				c.value[m][k] = repeat(i.ratio(p, m, k), 0)
				c.work[m][k] = repeat(i.work(p, k), 0)
			}
		}
		at := float64(p.relation) / (relations - 1)
		c.subjobs = crowd(i.concurrency[0] + at*(i.concurrency[1]-i.concurrency[0]))
		s.cells = append(s.cells, c)
	}
	for _, c := range ofPair(s.cells, steps*steps-1) {
		s.due = append(s.due, *c)
	}
	s.early = [2]inBatch{{repeat(i.early, .01), int(i.early)}, {repeat(i.early, .01), int(i.early)}}
	for k := range s.readings[:3] {
		r := &s.readings[k]
		r.cells, r.ends = s.cells, []cell{*ofPair(s.cells, steps*steps-1)[0], *ofPair(s.cells, steps*steps-1)[relations-1]}
		for end := range r.ends {
			r.ends[end].value[averageResponse][flex] = repeat(i.minutes, .1)
		}
	}
	for end := range 2 {
		var roomy, rigid cell
		roomy.value[averageResponse][flex] = repeat(i.minutes, .1)
		for k := range schemes {
			rigid.ratio[averageResponse][k] = repeat(i.ratio(steepEnds()[end], averageResponse, k), 0)
		}
		s.roomy, s.rigid = append(s.roomy, roomy), append(s.rigid, rigid)
	}
	for _, x := range triedLoads {
		var v cell
		v.load = x
		for k := range schemes {
			if k != flex || x <= flexLoad {
				value, work, end := i.byLoad(x, k)
				v.value[averageResponse][k], v.capacity[k], v.end[k] = repeat(value, 0), repeat(work, 0), repeat(end, 0)
			}
		}
		s.readings[0].loads, s.readings[3].loads = append(s.readings[0].loads, v), append(s.readings[3].loads, v)
	}
	for _, x := range triedFractions {
		var v cell
		v.fraction = x
		for k := range schemes {
			share := i.byFraction(x, k) / i.byFraction(x, flex)
			v.ratio[averageResponse][k], v.work[averageResponse][k] = repeat(share, 0), repeat(share, 0)
		}
		s.fractions = append(s.fractions, v)
	}
	return s
}

// asPublished is what the paper says, where it says it.
func asPublished() *study {
	i := imagination{spread: [schemes]float64{batch: .012, circumflex: .008}, concurrency: [2]float64{2.8, 4.3}, largest: 4.9, minutes: 1.5, early: 9}
	i.ratio = func(p point, m metric, s scheme) float64 {
		at := float64(p.relation) / (relations - 1)
		x := published5[s][0] + at*(published5[s][1]-published5[s][0])
		switch {
		case s == flex:
			return 1
		case m == averageResponse && s == circumflex && p.theta1 == 0 && p.theta2 == 1:
			return .98
		case m == averageResponse && s == batch && p.theta1 == 1 && p.theta2 == 0:
			return .97 + at*1.5
		case m == averageResponse:
			if s == batch && p.theta1+p.theta2 < 2*(steps-1) {
				x += at * 6
			}
			return x
		case s == circumflex:
			return x / (1.3 + float64(m)/2)
		}
		return 2 + 6*at
	}
	i.work = func(p point, s scheme) float64 {
		return [schemes]float64{1, .7, .9}[s] - .05*float64(p.relation)*map[bool]float64{false: 1, true: 0}[s == flex]
	}
	i.byLoad = func(load float64, s scheme) (value, work, end float64) {
		if s == flex && load > .9 {
			return 5, load, 130
		}
		return 1, math.Min(load, .9), 101
	}
	i.byFraction = func(fraction float64, s scheme) float64 {
		return [schemes]float64{1, 1 - fraction/2, 1 - fraction/3}[s]
	}
	return i.study()
}

// theOpposite denies all of it.
func theOpposite() *study {
	i := imagination{spread: [schemes]float64{batch: .01, circumflex: .3}, concurrency: [2]float64{1, 1}, largest: 9, minutes: .4, early: 1}
	i.ratio = func(p point, m metric, s scheme) float64 {
		return [schemes]float64{flex: 1, batch: .5, circumflex: 1.5 + .05*float64(p.relation) + float64(m)}[s]
	}
	i.work = func(p point, s scheme) float64 {
		return [schemes]float64{flex: 1, batch: 1.5 + .01*float64(p.relation), circumflex: 1.2 + .01*float64(p.relation)}[s]
	}
	i.byLoad = func(load float64, s scheme) (value, work, end float64) { return 1, load, 100 * (1 + load/10) }
	i.byFraction = func(fraction float64, s scheme) float64 {
		return [schemes]float64{1, 1.5 + fraction/2, 1.5 + fraction/3}[s]
	}
	return i.study()
}

func TestSimulationClaimsCanFail(t *testing.T) {
	good, bad := asPublished(), theOpposite()
	reporttest.CanFail(t, good.claims5a(), bad.claims5a())
	reporttest.CanFail(t, good.claims5b(), bad.claims5b())
	for m := range drawn {
		reporttest.CanFail(t, good.claims6(m), bad.claims6(m))
	}
	for k := range good.readings {
		g, b := &good.readings[k], &bad.readings[k]
		if k < 3 {
			reporttest.CanFail(t, g.claims(), b.claims())
		}
		if k%3 == 0 {
			reporttest.CanFail(t, g.claimsLoad(), b.claimsLoad())
		}
	}
	reporttest.CanFail(t, good.claimsFraction(), bad.claimsFraction())
	reporttest.CanFail(t, good.claimsBounds(), bad.claimsBounds())
	if quick := bad; !strings.Contains(quick.basis(), "quick run, 3 repetitions of 10") || strings.Contains(func() string { quick.Quick = false; return quick.basis() }(), "quick") {
		t.Errorf("the notes of a quick run say %q", bad.basis())
	}
	// What a reading was found by is no measurement.
	for k, want := range []report.Kind{report.Found, report.Measured, report.Measured} {
		if c := good.readings[k].claims()[0]; c.Kind != want || c.Headline != c.Claim {
			t.Errorf("reading %s: %q is %v, want %v", c.Reading, c.Claim, c.Kind, want)
		}
	}
}

// A condition that every repetition or point must meet fails when one does not.
func TestOneIsEnough(t *testing.T) {
	for name, spoil := range map[string]func(c *cell){
		"always performs better than FLEX": func(c *cell) { c.ratio[averageResponse][circumflex] = slices.Repeat([]float64{1}, 10) },
		"better than the best BATCH ratio": func(c *cell) { c.ratio[averageResponse][batch] = slices.Repeat([]float64{.3}, 10) },
		"chance": func(c *cell) { // below 1 in the mean, but not by its interval
			c.ratio[averageResponse][circumflex] = slices.Repeat([]float64{.2, 1.7}, 5)
		},
	} {
		s := asPublished()
		spoil(&s.cells[100])
		failed := 0
		for _, c := range s.claims6(averageResponse) {
			if !c.Holds {
				failed++
			}
		}
		if failed == 0 {
			t.Errorf("%s: no claim fails though one point does", name)
		}
	}
}

func TestExactClaimsCanFail(t *testing.T) {
	batches, err := toyBatches()
	must(t, err)
	moved, err := toyBatches()
	must(t, err)
	for _, list := range moved {
		for k := range list {
			list[k].Start++
			list[k].MaxWait /= 2
		}
	}
	reporttest.CanFail(t, claims1(batches), claims1(moved))

	scans, err := toyScans()
	must(t, err)
	late, err := toyScans()
	must(t, err)
	for i := range late {
		for k := range late[i].runs {
			late[i].runs[k].riders = append(late[i].runs[k].riders, 99)
		}
		for k := range late[i].end {
			late[i].end[k] += tick
		}
	}
	reporttest.CanFail(t, claims2(scans), claims2(late))

	chain, err := figure3Chain()
	must(t, err)
	broken := chain
	broken.subjobs = slices.Clone(chain.subjobs)
	broken.subjobs[1].Members, broken.subjobs[2].Min, broken.subjobs[3].Work = nil, 9, 1
	reporttest.CanFail(t, claims3(&chain), claims3(&broken))

	venn, err := sharedscan.Regions(figure4Scans, ones(11))
	must(t, err)
	apart, err := sharedscan.Regions([][]int{{0}, {1}, {2}}, ones(3))
	must(t, err)
	loose := venn
	loose.Graph, err = precedence.NewGraph(len(venn.Regions), nil)
	must(t, err)
	reporttest.CanFail(t, claims4(&venn), claims4(&apart), claims4(&loose))

	samples, falling := sampleFigure7(), sampleFigure7()
	for _, list := range falling.values {
		list[len(list)-1] = -1
	}
	reporttest.CanFail(t, claims7(&samples), claims7(&falling))

	packed, err := figure8Packing()
	must(t, err)
	bad := packed
	bad.schedule, err = malleable.NewSchedule([]float64{1, 1, 1, 1}, []malleable.Piece{{Job: 0, Slots: 4, Start: 0, End: 1}, {Job: 2, Slots: 5, Start: 0, End: 1}})
	must(t, err)
	reporttest.CanFail(t, claims8(&packed), claims8(&bad))

	book, err := figure9Ledger()
	must(t, err)
	lost, err := figure9Ledger()
	must(t, err)
	lost.runs[0].Rides[0].Offset = 1
	for j := range lost.sources {
		lost.sources[j] = lost.sources[j][:3]
	}
	lost.reruns = nil
	reporttest.CanFail(t, claims9(&book), claims9(&lost))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ones(n int) []float64 {
	list := make([]float64, n)
	for k := range list {
		list[k] = 1
	}
	return list
}
