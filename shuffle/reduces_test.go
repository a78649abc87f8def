package shuffle_test

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/shuffle"
)

// TestReducesPerRackWhole: whole bytes, with many ties, against the definition in whole numbers.
func TestReducesPerRackWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.Int64Range(0, 12), 1, 12).Draw(t, "weights")
		weights[0] = max(weights[0], 1)
		bytes := make([]float64, len(weights))
		scale := rapid.SampledFrom([]float64{1, 64e6, 0x1p-1000, 0x1p190}).Draw(t, "scale")
		for q, w := range weights {
			bytes[q] = scale * float64(w)
		}
		reduces := rapid.IntRange(0, 60).Draw(t, "reduces")
		got, err := shuffle.ReducesPerRack([]int{-7}, reduces, bytes)
		if want := append([]int{-7}, largestRemainder(reduces, weights)...); err != nil || !slices.Equal(got, want) {
			t.Fatalf("ReducesPerRack(%d, %v) = %v, %v, want %v", reduces, bytes, got, err, want)
		}
	})
}

// TestReducesPerRackGolden: the recorded divisions by Hamilton's method.
func TestReducesPerRackGolden(t *testing.T) {
	checked := 0
	for _, c := range golden.ReadApportion(t) {
		want, ok := c.Expected["hamilton"]
		if !ok || c.Caps != nil {
			continue
		}
		bytes := make([]float64, len(c.Weights))
		for q, w := range c.Weights {
			bytes[q] = float64(w)
		}
		checked++
		if got, err := shuffle.ReducesPerRack(nil, c.Seats, bytes); err != nil || !slices.Equal(got, want) {
			t.Errorf("ReducesPerRack(%d, %v) = %v, %v, want %v", c.Seats, bytes, got, err, want)
		}
	}
	if checked == 0 {
		t.Error("no case of Hamilton's method without caps")
	}
}

// TestReducesPerRackQuota: any bytes: the numbers sum to the reduces and are the exact quotas
// rounded down or up, the larger remainders up.
func TestReducesPerRackQuota(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.SliceOfN(rapid.Float64Range(0, 1e15), 1, 20).Draw(t, "bytes")
		bytes[0] = max(bytes[0], 1)
		reduces := rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(0, 1e9)).Draw(t, "reduces")
		got, err := shuffle.ReducesPerRack(nil, reduces, bytes)
		must(t, err)
		rat := func(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }
		total := new(big.Rat)
		for _, x := range bytes {
			total.Add(total, rat(x))
		}
		sum := 0
		// the least remainder that is rounded up, the largest that is rounded down
		var up, down *big.Rat
		for q, x := range bytes {
			sum += got[q]
			rest := rat(x)
			// quota less number
			rest.Mul(rest, rat(float64(reduces))).Quo(rest, total).Sub(rest, rat(float64(got[q])))
			switch {
			case rest.Cmp(rat(-1)) <= 0 || rest.Cmp(rat(1)) >= 0:
				t.Fatalf("ReducesPerRack(%d, %v)[%d] = %d, a whole reduce or more off its quota", reduces, bytes, q, got[q])
			case rest.Sign() < 0 && (up == nil || rest.Cmp(up) < 0):
				up = rest
			case rest.Sign() >= 0 && (down == nil || rest.Cmp(down) > 0):
				down = rest
			}
		}
		if sum != reduces {
			t.Fatalf("ReducesPerRack(%d, %v) = %v, which sums to %d", reduces, bytes, got, sum)
		}
		if up != nil && down != nil && down.Cmp(new(big.Rat).Add(up, rat(1))) > 0 {
			t.Fatalf("ReducesPerRack(%d, %v) = %v rounds a remainder down that is above one rounded up", reduces, bytes, got)
		}
	})
}

// eachPlacement calls f with every number of reduces for each rack, at most slots each, that sums
// to reduces.
func eachPlacement(reduces int, slots []int, f func([]int)) {
	at := make([]int, len(slots))
	var walk func(q, left int)
	walk = func(q, left int) {
		if q == len(slots) {
			if left == 0 {
				f(at)
			}
			return
		}
		for at[q] = 0; at[q] <= min(left, slots[q]); at[q]++ {
			walk(q+1, left-at[q])
		}
	}
	walk(0, reduces)
}

// TestReducesWithinEnumeration: no numbers of reduces within the slots move fewer bytes.
func TestReducesWithinEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(t, "racks")
		bytes := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 1e9), rapid.SampledFrom([]float64{0, 5})), n, n).Draw(t, "bytes")
		slots := rapid.SliceOfN(rapid.IntRange(0, 6), n, n).Draw(t, "slots")
		room := 0
		for _, k := range slots {
			room += k
		}
		reduces := rapid.IntRange(0, room).Draw(t, "reduces")
		got, err := shuffle.ReducesWithin([]int{-7}, reduces, bytes, slots)
		if err != nil || len(got) != n+1 || got[0] != -7 {
			t.Fatalf("ReducesWithin(%d, %v, %v) = %v, %v", reduces, bytes, slots, got, err)
		}
		got = got[1:]
		cross := func(r []int) float64 {
			x, err := shuffle.CrossRack(bytes, r)
			must(t, err)
			return x
		}
		allowed := false
		eachPlacement(reduces, slots, func(other []int) {
			allowed = allowed || slices.Equal(got, other)
			if cross(got) > cross(other)*(1+1e-12) {
				t.Fatalf("ReducesWithin(%d, %v, %v) = %v with traffic %v, want %v with %v", reduces, bytes, slots, got, cross(got), other, cross(other))
			}
		})
		if !allowed {
			t.Fatalf("ReducesWithin(%d, %v, %v) = %v is not within the slots", reduces, bytes, slots, got)
		}
	})
}

// TestProportionIsNotLeast: by output 18 GB of Figure 7's 100 cross, on one rack 10.
func TestProportionIsNotLeast(t *testing.T) {
	output := []float64{90, 10}
	for _, c := range []struct {
		slots []int
		want  float64
	}{{[]int{10, 10}, 10}, {[]int{9, 10}, 18}, {[]int{5, 10}, 50}} {
		quota, err := shuffle.ReducesWithin(nil, 10, output, c.slots)
		must(t, err)
		if got, err := shuffle.CrossRack(output, quota); err != nil || !near(got, c.want) {
			t.Errorf("ReducesWithin(10, %v, %v) = %v with traffic %v, %v, want %v", output, c.slots, quota, got, err, c.want)
		}
	}
}
