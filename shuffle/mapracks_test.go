package shuffle_test

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/shuffle"
)

func (j job) plan(t rapid.TB) shuffle.MapPlan {
	p, err := shuffle.MapRacks(j.racks, j.blocks, j.ratio, j.reduces, j.o)
	must(t, err)
	return p
}

// TestMapRacksBruteForce: the plan is the best prefix of the sorted racks, the shortest of the
// best, and says what it does.
func TestMapRacksBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		j := drawJob(t, 6)
		p := j.plan(t)
		order := j.order()
		k := len(p.Racks)
		if k == 0 || !slices.Equal(p.Racks, order[:k]) || !j.allowed(order, k) {
			t.Fatalf("MapRacks(%+v).Racks = %v, want an allowed prefix of %v", j, p.Racks, order)
		}
		got := j.on(p.Racks)
		for n := 1; n <= j.racks; n++ {
			if other := j.on(order[:n]).total(); j.allowed(order, n) &&
				(other < got.total()*(1-1e-12) || n < k && other <= got.total()*(1+1e-13)) {
				t.Fatalf("MapRacks(%+v).Racks = %v of %v with traffic %v, want the first %d with %v", j, p.Racks, order, got.total(), n, other)
			}
		}
		for q := range j.racks {
			if p.Maps[q] != float64(got.maps[q]) || p.Reduces[q] != got.reduces[q] {
				t.Fatalf("MapRacks(%+v) = %+v, want maps %v and reduces %v", j, p, got.maps, got.reduces)
			}
		}
		input, nowhere := 0.0, 0.0
		for _, b := range j.blocks {
			input += b.Bytes
			if len(b.Racks) == 0 {
				nowhere += b.Bytes
			}
		}
		spread := nowhere
		if j.reduces > 0 {
			spread += j.ratio * input * float64(j.racks-1) / float64(j.racks)
		}
		if !near(p.Spread, spread) {
			t.Fatalf("MapRacks(%+v) = %+v, want Spread %v", j, p, spread)
		}
		if p.RemoteMap != float64(got.remote) || !near(p.CrossShuffle, got.shuffle) {
			t.Fatalf("MapRacks(%+v) = %+v, want %d remote and %v shuffled across racks", j, p, got.remote, got.shuffle)
		}
	})
}

// TestMapRacksTies: where one rack and two move equally much the plan is one rack, however the sums
// round.
func TestMapRacksTies(t *testing.T) {
	for a := 1; a <= 30; a++ {
		for b := 1; b <= a; b++ {
			var blocks []shuffle.Block
			for i := range a + b {
				q := 0
				if i >= a {
					q = 1
				}
				blocks = append(blocks, shuffle.Block{Bytes: 1e9, Racks: []int{q}})
			}
			// On rack 0 alone b blocks are remote. On both, 2 a b / (a + b) blocks' worth of output
			// crosses, times ratio.
			ratio := float64(a+b) / float64(2*a)
			p, err := shuffle.MapRacks(2, blocks, ratio, a+b, shuffle.Options{})
			if err != nil || len(p.Racks) != 1 {
				t.Errorf("%d and %d blocks, ratio %v: %+v, %v, want one rack", a, b, ratio, p, err)
			}
			p, err = shuffle.MapRacks(2, blocks, ratio*(1-1e-11), a+b, shuffle.Options{})
			if err != nil || len(p.Racks) != 2 {
				t.Errorf("%d and %d blocks, ratio just below %v: %+v, %v, want two racks", a, b, ratio, p, err)
			}
		}
	}
}

// TestMapRacksBestSet: no set of racks of any kind does better than the best by enumeration, which
// the best prefix may miss, but not where all racks are alike.
func TestMapRacksBestSet(t *testing.T) {
	least := func(j job) float64 {
		order, least := j.order(), math.Inf(1)
		for set := uint(1); set < 1<<j.racks; set++ {
			var racks []int
			for _, q := range order {
				if set>>q&1 == 1 {
					racks = append(racks, q)
				}
			}
			least = min(least, j.on(racks).total())
		}
		return least
	}
	missed, jobs := 0, 0
	worst := 1.0
	rapid.Check(t, func(t *rapid.T) {
		j := drawJob(t, 5)
		j.o = shuffle.Options{Load: j.o.Load}
		p := j.plan(t)
		got, want := p.RemoteMap+p.CrossShuffle, least(j)
		if got < want*(1-1e-12) {
			t.Fatalf("MapRacks(%+v) has traffic %v, below the least of all sets, %v", j, got, want)
		}
		jobs++
		if got > want*(1+1e-12) {
			missed++
			worst = max(worst, got/want)
		}
	})
	t.Logf("%d of %d random plans move more than the best set, at most %.3g times as much", missed, jobs, worst)
	for _, n := range []int{4, 8, 12} {
		for c := 1; c <= 3; c++ {
			j := job{blocks: everywhere(n, c, 1), racks: n, ratio: 1, reduces: unit}
			if n == 12 && (testing.Short() || c == 3) {
				continue
			}
			p := j.plan(t)
			// Sets of one size differ by how evenly whole blocks can be spread over their racks: by
			// less than a block of each rack.
			if got, want := p.RemoteMap+p.CrossShuffle, least(j); got < want*(1-1e-12) || got-want > float64(n*unit) {
				t.Errorf("%d racks, %d copies: traffic %v, the best set has %v", n, c, got, want)
			}
		}
	}
}

// TestBestSetIsNoPrefix: four blocks on racks 0 and 1, three on rack 2. The best set, racks 0 and
// 2, moves a quarter less than the best prefix, since rack 1 comes before rack 2 and adds no block.
func TestBestSetIsNoPrefix(t *testing.T) {
	j := job{racks: 3, ratio: .5, reduces: 7}
	for i := range 7 {
		b := shuffle.Block{Bytes: 7 * unit, Racks: []int{0, 1}}
		if i >= 4 {
			b.Racks = []int{2}
		}
		j.blocks = append(j.blocks, b)
	}
	p := j.plan(t)
	if got, set := p.RemoteMap+p.CrossShuffle, j.on([]int{0, 2}).total(); len(p.Racks) != 3 || got != 16*unit || set != 12*unit {
		t.Errorf("%+v moves %v, racks 0 and 2 %v, want %v by three racks, and %v", p, got, set, 16*unit, 12*unit)
	}
}

// everywhere is blocks with c copies on n racks: every choice of racks, times times.
func everywhere(n, c, times int) []shuffle.Block {
	var blocks []shuffle.Block
	for range times {
		for set := uint(0); set < 1<<n; set++ {
			if bits.OnesCount(set) != c {
				continue
			}
			b := shuffle.Block{Bytes: unit}
			for q := range n {
				if set>>q&1 == 1 {
					b.Racks = append(b.Racks, q)
				}
			}
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// TestMapRacksUniform: the best prefix by number of copies and ratio, 10 racks, uniform placement:
// racks and traffic in units of the input.
func TestMapRacksUniform(t *testing.T) {
	const racks, times = 10, 40 // times: what is uneven between racks is below the third digit
	blocks := map[int][]shuffle.Block{2: everywhere(racks, 2, times), 3: everywhere(racks, 3, times)}
	for _, c := range []struct {
		copies int
		ratio  float64
		racks  int
		// of all prefixes; of those up to the first that is worse than the one before
		best, first string
		all         float64
	}{
		{2, .1, 9, "0.089", "0.089", .09}, {2, .5, 9, "0.444", "0.800", .45}, {2, .8, 9, "0.711", "0.800", .72},
		{2, 1, 1, "0.800", "0.800", .90}, {2, 1.5, 1, "0.800", "0.800", 1.35}, {2, 3, 1, "0.800", "0.800", 2.70},
		{3, .5, 7, "0.437", "0.700", .45}, {3, .8, 7, "0.694", "0.700", .72}, {3, 1, 1, "0.700", "0.700", .9}, {3, 2, 1, "0.700", "0.700", 1.8},
	} {
		j := job{blocks: blocks[c.copies], racks: racks, ratio: c.ratio, reduces: 2520}
		p := j.plan(t)
		input := float64(len(j.blocks)) * unit
		if got := fmt.Sprintf("%.3f", (p.RemoteMap+p.CrossShuffle)/input); len(p.Racks) != c.racks || got != c.best {
			t.Errorf("%d copies, ratio %v: %d racks, %s of the input, want %d, %s", c.copies, c.ratio, len(p.Racks), got, c.racks, c.best)
		}
		if !near(p.Spread, c.all*input) {
			t.Errorf("%d copies, ratio %v: Spread %v, want %v of the input", c.copies, c.ratio, p.Spread/input, c.all)
		}
		last := math.Inf(1)
		for k := 1; k <= racks; k++ {
			j.o.MinRacks = k
			at := j.on(j.order()[:k]).total() / input
			if at > last {
				break
			}
			last = at
		}
		if got := fmt.Sprintf("%.3f", last); got != c.first {
			t.Errorf("%d copies, ratio %v: up to the first rise %s, want %s", c.copies, c.ratio, got, c.first)
		}
	}
}

// TestFigure5: two jobs with all input on both racks of two. Each has a rack of its own, and no
// shuffle crosses.
func TestFigure5(t *testing.T) {
	blocks := make([]shuffle.Block, 20)
	for i := range blocks {
		blocks[i] = shuffle.Block{Bytes: 64e6, Racks: []int{0, 1}}
	}
	load := make([]float64, 2)
	for rack := range 2 {
		p, err := shuffle.MapRacks(2, blocks, 1, 8, shuffle.Options{Load: load})
		must(t, err)
		want := shuffle.MapPlan{Racks: []int{rack}, Maps: make([]float64, 2), Reduces: make([]int, 2), Spread: 20 * 64e6 / 2}
		want.Maps[rack], want.Reduces[rack] = 20*64e6, 8
		if d := cmp.Diff(want, p); d != "" {
			t.Errorf("job %d: %s", rack+1, d)
		}
		for q, x := range p.Maps {
			load[q] += x
		}
	}
}

// TestMapRacksRoom: a heavy job with 1,000 maps is not sent to one rack of 40 slots.
func TestMapRacksRoom(t *testing.T) {
	blocks := randomBlocks(1000, 40)
	slots := slices.Repeat([]int{40}, 40)
	for _, c := range []struct {
		o     shuffle.Options
		racks int
	}{
		{shuffle.Options{}, 1},
		{shuffle.Options{Slots: slots}, 25},
		{shuffle.Options{MinRacks: 30}, 30},
		{shuffle.Options{Slots: slots, MinRacks: 30}, 30},
		{shuffle.Options{Slots: slices.Repeat([]int{24}, 40)}, 40}, // 960 slots
		{shuffle.Options{Slots: make([]int, 40)}, 40},
	} {
		p, err := shuffle.MapRacks(40, blocks, 3, 80, c.o)
		must(t, err)
		if len(p.Racks) != c.racks {
			t.Errorf("MapRacks(%+v) prefers %d racks, want %d", c.o, len(p.Racks), c.racks)
		}
	}
}

// TestMapRacksTiny: blocks too small to divide are not lost.
func TestMapRacksTiny(t *testing.T) {
	for _, bytes := range []float64{5e-324, 0x1p-1060, 0x1p-1000, 0x1p-961, 0x1p-960} {
		for copies := range 3 {
			for racks := max(1, copies); racks <= 5; racks++ {
				for least := 1; least <= racks; least++ {
					blocks := []shuffle.Block{{Bytes: bytes, Racks: []int{0, 1}[:copies]}, {Bytes: 2 * bytes}}
					p, err := shuffle.MapRacks(racks, blocks, 1, 4, shuffle.Options{MinRacks: least})
					must(t, err)
					sum, reduces := 0.0, 0
					for q, x := range p.Maps {
						sum += x
						reduces += p.Reduces[q]
					}
					if !near(sum, 3*bytes) || reduces != 4 {
						t.Errorf("%d of %d racks, %v bytes, %d copies: %+v has %v bytes and %d reduces, want all and 4", least, racks, bytes, copies, p, sum, reduces)
					}
				}
			}
		}
	}
}

// TestMapRacksManyRacks: each call costs seconds at most where a rack is an executor, and hours if
// it evaluates every prefix.
func TestMapRacksManyRacks(t *testing.T) {
	const racks = 1 << 17
	for _, n := range []int{0, 3, 300} {
		blocks := randomBlocksOn(n, racks)
		for i := range blocks {
			if i%3 == 2 {
				blocks[i].Racks = nil
			}
		}
		p, err := shuffle.MapRacks(racks, blocks, .8, 40, shuffle.Options{})
		must(t, err)
		input, remote := 64e6*float64(n), 64e6*float64(n/3)
		if n == 0 && len(p.Racks) != 1 || p.RemoteMap < remote || p.RemoteMap+p.CrossShuffle > remote+.8*input {
			t.Errorf("%d blocks: %d racks, %v remote, %v of the shuffle, want at least %v remote and no more than on all racks", n, len(p.Racks), p.RemoteMap, p.CrossShuffle, remote)
		}
	}
}
