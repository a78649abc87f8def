package ledger_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath/internal/oracle/expect"
	"github.com/schedmath/schedmath/ledger"
)

func TestCreditsText(t *testing.T) {
	for _, c := range []struct {
		c    ledger.Credits
		want string
	}{
		{0, "0"}, {1, "0.000001"}, {-1, "-0.000001"}, {12_500_000, "12.5"}, {-4800 * ledger.Credit, "-4800"}, {10, "0.00001"},
		{math.MaxInt64, "9223372036854.775807"}, {math.MinInt64, "-9223372036854.775808"},
	} {
		if got := c.c.String(); got != c.want {
			t.Errorf("Credits(%d).String() = %q, want %q", int64(c.c), got, c.want)
		}
		if got, err := ledger.ParseCredits(c.want); got != c.c || err != nil {
			t.Errorf("ParseCredits(%q) = %d, %v, want %d", c.want, int64(got), err, int64(c.c))
		}
	}
	for s, want := range map[string]ledger.Credits{"+1.50": 1_500_000, "007": 7 * ledger.Credit, "-0": 0, "0.000000": 0} {
		if got, err := ledger.ParseCredits(s); got != want || err != nil {
			t.Errorf("ParseCredits(%q) = %d, %v, want %d", s, int64(got), err, int64(want))
		}
	}
	for _, s := range []string{"", "-", "+", ".", ".5", "5.", "1.0000001", "1e3", "--1", "1 ", " 1", "1,5", "0x1", "1.-5", "٣",
		"9223372036854.775808", "-9223372036854.775809", "99999999999999999999", "18446744073709.551616", "-18446744073709.551615"} {
		expect.Refused(t, "ledger.ParseCredits", ledger.ParseCredits, nil, expect.Bad("s", -1, s))
	}
}

func FuzzParseCredits(f *testing.F) {
	for _, s := range []string{"1", "-0.25", "9223372036854.775807", "", "."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ledger.ParseCredits(s)
		if err != nil {
			return
		}
		if d, err := ledger.ParseCredits(c.String()); d != c || err != nil {
			t.Errorf("ParseCredits(%q) = %d; again from %q: %d, %v", s, int64(c), c, int64(d), err)
		}
		x, ok := new(big.Rat).SetString(s)
		if !ok || x.Cmp(big.NewRat(int64(c), int64(ledger.Credit))) != 0 {
			t.Errorf("ParseCredits(%q) = %d micro-credits", s, int64(c))
		}
	})
}

func TestCreditsArithmetic(t *testing.T) {
	check := func(t rapid.TB, a, b int64) {
		x, y := big.NewInt(a), big.NewInt(b)
		for _, c := range []struct {
			name string
			op   func(ledger.Credits) (ledger.Credits, bool)
			want *big.Int
		}{
			{"Add", ledger.Credits(a).Add, new(big.Int).Add(x, y)},
			{"Sub", ledger.Credits(a).Sub, new(big.Int).Sub(x, y)},
			{"Mul", func(d ledger.Credits) (ledger.Credits, bool) { return ledger.Credits(a).Mul(int64(d)) }, new(big.Int).Mul(x, y)},
		} {
			got, ok := c.op(ledger.Credits(b))
			if ok != c.want.IsInt64() || ok && int64(got) != c.want.Int64() || !ok && got != 0 {
				t.Fatalf("%d.%s(%d) = %d, %t, want %d", a, c.name, b, int64(got), ok, c.want)
			}
		}
	}
	odd := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 31, -1, 0, 1, 1 << 32, math.MaxInt64}
	for _, a := range odd {
		for _, b := range odd {
			check(t, a, b)
		}
	}
	number := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-9, 9), rapid.SampledFrom(odd))
	rapid.Check(t, func(t *rapid.T) { check(t, number.Draw(t, "a"), number.Draw(t, "b")) })
}
