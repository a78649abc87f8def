package hfsp

import (
	"slices"
	"testing"

	"github.com/schedmath/schedmath/examples/internal/report"
	"github.com/schedmath/schedmath/examples/internal/report/reporttest"
	"github.com/schedmath/schedmath/slotmodel"
)

// Tasks slow down with the jobs that hold slots, up to four, and not with those that wait.
func TestSpeed(t *testing.T) {
	for _, c := range []struct {
		holding int
		want    float64
	}{{0, 1}, {1, 1}, {2, 1 / 1.2}, {3, 1 / 1.4}, {4, 1 / 1.6}, {90, 1 / 1.6}} {
		if got := (setting{1, 15, .6}).speed(slotmodel.Load{Jobs: 50, Tasks: [2]int{900, 40}, Running: [2]int{72, 36}, Holding: c.holding}); !near(got, c.want, 1e-12) {
			t.Errorf("speed while %d jobs hold slots = %v, want %v", c.holding, got, c.want)
		}
	}
	if testbed(plain).Speed != nil || testbed(busy).Speed == nil {
		t.Error("the test bed slows tasks down where it should not, or does not where it should")
	}
}

// A setting changes the number of reduces and the medians of a workload, and nothing else.
func TestSettings(t *testing.T) {
	if list := settings(); !slices.Contains(list, busy) || len(list) != len(medians)*len(works)*len(slowers) {
		t.Errorf("%d settings without the reading's, %v", len(list), busy)
	}
	was, is := largeMix(), setting{3, 9, .5}.mix(onLarge)
	for i, q := range is.queries {
		want := was.queries[i]
		if want.PerGiB *= 3; q != want {
			t.Errorf("query %+v, want %+v", q, want)
		}
	}
	law := taskTimes{9, ordinary().Spread}
	if is.maps != law || is.reduces != law || is.shares != was.shares || is.gap != was.gap || largeMix().queries[0] != pigMixQueries[0] {
		t.Errorf("times %v and %v, want %v and the rest as it was", is.maps, is.reduces, law)
	}
	// 100 jobs * 2291 s / 16.8 jobs present and 100 * 544 / 4.6.
	if f, h := littleHours(fair)*3600, littleHours(byHFSP)*3600; !near(f, 229100/16.8, 1e-12) || !near(h, 54400/4.6, 1e-12) || !near(f/h, 1.153, 1e-3) {
		t.Errorf("Table II's runs took %v and %v s, %v times as long, want 13,637, 11,826 and 1.153", f, h, f/h)
	}
}

// likePaper is a trial whose two seeds have the numbers that the reading was found by, and HFSP's
// mean in parts of FAIR's.
func likePaper(s setting, ratio float64) trial {
	x := trial{setting: s}
	for k := range x.runs {
		o := outcome{mean: 1000, load: published.load[onLarge][k], hours: littleHours(k), soon: publishedSoon[k]}
		if k == byHFSP {
			o.mean *= ratio
		}
		x.runs[k] = []outcome{o, o}
	}
	return x
}

// The misfit is 0 for the paper's numbers; each but HFSP's load and the means adds to it.
func TestMisfit(t *testing.T) {
	for i, change := range []func(x *trial){
		func(x *trial) {},
		func(x *trial) { x.runs[byHFSP][0].load, x.runs[byHFSP][1].load, x.runs[fair][0].mean = 50, 50, 9 },
		func(x *trial) { x.runs[fair][0].load, x.runs[fair][1].load = 20, 20 },
		func(x *trial) { x.runs[fair][0].hours, x.runs[fair][1].hours = 5, 5 },
		func(x *trial) { x.runs[byHFSP][0].hours, x.runs[byHFSP][1].hours = 5, 5 },
		func(x *trial) { x.runs[fair][0].soon[1], x.runs[fair][1].soon[1] = .5, .5 },
		func(x *trial) { x.runs[byHFSP][0].soon[0], x.runs[byHFSP][1].soon[0] = .5, .5 },
	} {
		x := likePaper(busy, .24)
		change(&x)
		if x.judge(); (x.misfit > 1e-12) != (i > 1) {
			t.Errorf("change %d: misfit %v", i, x.misfit)
		}
	}
}

func TestSettingsClaimsCanFail(t *testing.T) {
	claims := func(best setting, high float64) []report.Claim {
		var list []trial
		for _, s := range settings() {
			ratio := .4
			if s.reduces == works[len(works)-1]/busy.median {
				ratio = high
			}
			x := likePaper(s, ratio)
			if x.misfit = 1; s == best {
				x.misfit = .5
			}
			list = append(list, x)
		}
		return claimsSettings(list)
	}
	reporttest.CanFail(t, claims(busy, .3), claims(settings()[0], .5))
}
