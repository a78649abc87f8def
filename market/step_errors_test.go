package market_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/market"
	"pgregory.net/rapid"
)

func TestUserJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		u := drawUser(t, o)
		u.Carry = [2]float64{rapid.Float64Range(-3, 3).Draw(t, "carry"), rapid.Float64Range(-3, 3).Draw(t, "carry")}
		u.IncomeRest, u.ChargeRest = rapid.Float64Range(-.5, .5).Draw(t, "rest"), rapid.Float64Range(-.5, .5).Draw(t, "rest")
		b, err := json.Marshal(u)
		if err != nil {
			t.Fatal(err)
		}
		var back market.User
		if err := json.Unmarshal(b, &back); err != nil || back != u {
			t.Fatalf("%s: %v, %+v", b, err, back)
		}
	})
	if reflect.TypeFor[market.User]().NumField() != 18 {
		t.Error("User has other fields than this test draws")
	}
}

func TestStepErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := market.User{Budget: 10, Rate: 1, Demand: market.Slots{5}}
	for k, c := range []struct {
		slots  market.Slots
		change func(*market.User)
		o      market.Options
		arg    string
		index  int
	}{
		{market.Slots{0, -1}, nil, market.Options{}, "slots", 1},
		{market.Slots{1e9 + 1}, nil, market.Options{}, "slots", 0},
		{market.Slots{9}, nil, market.Options{Charge: 3}, "o", -1},
		{market.Slots{9}, nil, market.Options{Exhaust: 3}, "o", -1},
		{market.Slots{9}, nil, market.Options{Fill: 2}, "o", -1},
		{market.Slots{9}, nil, market.Options{Rounding: 5}, "o", -1},
		{market.Slots{9}, nil, market.Options{Lag: 2}, "o", -1},
		{market.Slots{9}, nil, market.Options{Reserve: -1}, "o", -1},
		{market.Slots{9}, nil, market.Options{Rounding: market.Adams, Carry: true}, "o", -1},
		{market.Slots{9}, nil, market.Options{Elapsed: nan}, "o", -1},
		{market.Slots{9}, nil, market.Options{Elapsed: -1}, "o", -1},
		{market.Slots{9}, nil, market.Options{Elapsed: inf}, "o", -1},
		{market.Slots{9}, func(u *market.User) { u.Budget = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Rate = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.LastRate = -1 }, market.HadoopContrib(), "users", 1},
		{market.Slots{9}, func(u *market.User) { u.GrantedRate = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Income = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Ceiling = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Debt = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Min[1] = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Max[1] = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Lot[0] = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Demand[0] = 1e9 + 1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Granted[0] = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.GrantedFree[0] = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Min[0], u.Max[0] = 3, 2 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Min[0], u.Max[0] = 2, 1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Used[1] = nan }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Used[1] = -1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Used[1] = inf }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Carry[1] = nan }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.IncomeRest = .6 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.ChargeRest = nan }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Arrival = nan }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Budget, u.Income = math.MaxInt64, 1 }, market.Options{}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Income = math.MaxInt64 }, market.Options{Elapsed: 2}, "users", 1},
		{market.Slots{9}, func(u *market.User) { u.Rate, u.Budget = math.MaxInt64, math.MaxInt64 }, market.Options{}, "users", 1},
		// No error: the minimum is cut to the cluster.
		{market.Slots{4}, func(u *market.User) { u.Min[0] = 5 }, market.Options{}, "users", -2},
		{market.Slots{9}, func(u *market.User) { u.Rate, u.Budget = math.MaxInt64, math.MaxInt64 }, market.HadoopContrib(), "users", -1},
	} {
		users := []market.User{good, good}
		if c.change != nil {
			c.change(&users[1])
		}
		dst := []market.Grant{{Share: 7}}
		got, totals, err := market.Step(dst, c.slots, users, c.o)
		if c.index == -2 {
			if err != nil {
				t.Errorf("case %d: %v", k, err)
			}
			continue
		}
		wantInput(t, err, "Step", c.arg, c.index)
		if len(got) != 1 || got[0] != dst[0] || totals != (market.Totals{}) {
			t.Errorf("case %d: %+v, %+v, want dst and nothing", k, got, totals)
		}
	}
}

// Whatever the numbers: an error, or budgets that add up and shares that are shares.
func TestStepHostile(t *testing.T) {
	money := rapid.SampledFrom([]market.Credits{0, 1, 7, 1 << 31, 1 << 53, 1<<62 - 1, math.MaxInt64 - 1, math.MaxInt64, -1, math.MinInt64})
	count := rapid.SampledFrom([]int{0, 1, 2, 3, 7, 1e9 - 1, 1e9, 1e9 + 1, -1, math.MaxInt32, math.MinInt32})
	number := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, .5, -.5, math.Pi, 5e-324, 1e9, 1 << 52, 1e300, math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(-1)})
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		if rapid.IntRange(0, 4).Draw(t, "contrib") == 0 {
			o = market.HadoopContrib()
		}
		users := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) market.User {
			u := drawUser(t, o)
			moneys := rapid.SampledFrom([]*market.Credits{&u.Budget, &u.Rate, &u.LastRate, &u.Income, &u.Ceiling, &u.Debt, &u.GrantedRate})
			slots := rapid.SampledFrom([]*market.Slots{&u.Min, &u.Max, &u.Lot, &u.Demand, &u.Granted, &u.GrantedFree})
			numbers := rapid.SampledFrom([]*float64{&u.Used[0], &u.Used[1], &u.Carry[0], &u.Carry[1], &u.IncomeRest, &u.ChargeRest, &u.Arrival})
			for range rapid.IntRange(0, 3).Draw(t, "changes") {
				switch rapid.IntRange(0, 2).Draw(t, "field") {
				case 0:
					*moneys.Draw(t, "which") = money.Draw(t, "money")
				case 1:
					slots.Draw(t, "which")[rapid.IntRange(0, 1).Draw(t, "kind")] = count.Draw(t, "count")
				case 2:
					*numbers.Draw(t, "which") = number.Draw(t, "number")
				}
			}
			return u
		}), 0, 4).Draw(t, "users")
		slots := market.Slots{count.Draw(t, "slots"), count.Draw(t, "slots")}
		grants, totals, err := market.Step(nil, slots, users, o)
		if err != nil {
			if len(grants) > 0 || !errors.Is(err, schedmath.ErrInput) {
				t.Fatal(grants, err)
			}
			return
		}
		shares := 0.0
		for i, g := range grants {
			shares += g.Share
			if g.Next.Budget != users[i].Budget-g.Charge+g.Income || g.Slots[0] < 0 || g.Slots[1] < 0 || g.Charge < 0 || g.Income < 0 || !(g.Share >= 0) {
				t.Fatalf("%+v: %+v", users[i], g)
			}
		}
		if contrib := o == market.HadoopContrib(); !contrib && (shares > 1+1e-9 || totals.Unsold[0] < 0 || totals.Unsold[1] < 0 || !(totals.Jain > 0)) {
			t.Fatalf("%+v %+v: shares %v", users, totals, shares)
		}
		for i := range users {
			if _, err := market.RateForSlots(slots, users, i, market.Slots{count.Draw(t, "want")}, o); err == nil && o == market.HadoopContrib() {
				t.Fatal("a quote for HadoopContrib")
			}
			_, _ = market.RateToLast(slots, users, i, number.Draw(t, "intervals"), o)
			_, _ = market.RateByDeadline(slots, users, i, number.Draw(t, "work"), number.Draw(t, "intervals"), o)
		}
	})
}

func TestReasonText(t *testing.T) {
	seen := map[string]bool{}
	for r := market.ByShare; r <= market.NoCredit; r++ {
		seen[r.String()] = true
	}
	if len(seen) != 9 || seen["Reason(9)"] {
		t.Errorf("reasons %v", seen)
	}
}

// Every constant has a name, and a value that is none says so.
func TestNames(t *testing.T) {
	for _, x := range []struct {
		got  fmt.Stringer
		want string
	}{
		{market.Hamilton, "Hamilton"}, {market.HuntingtonHill, "HuntingtonHill"}, {market.Method(7), "Method(7)"},
		{market.WithinGrant, "WithinGrant"}, {market.Spend, "Spend"}, {market.Basis(3), "Basis(3)"},
		{market.Drain, "Drain"}, {market.Owe, "Owe"}, {market.Exhaust(7), "Exhaust(7)"},
		{market.FIFO, "FIFO"}, {market.NoFill, "NoFill"}, {market.Fill(255), "Fill(255)"},
		{market.ByShare, "share"}, {market.NoCredit, "no credit"}, {market.Reason(9), "Reason(9)"},
	} {
		if got := x.got.String(); got != x.want {
			t.Errorf("String() = %q, want %q", got, x.want)
		}
	}
}

// An error shows the value that it refuses.
func TestErrorsShowValues(t *testing.T) {
	for _, x := range []struct {
		o    market.Options
		want string
	}{
		{market.Options{Lag: 2}, "Lag is 2,"}, {market.Options{Fill: 9}, "Fill(9)"}, {market.Options{Charge: 9}, "Basis(9)"},
		{market.Options{Rounding: 9}, "Method(9)"}, {market.Options{Exhaust: 9}, "Exhaust(9)"}, {market.Options{Elapsed: -3}, "Elapsed is -3,"},
		{market.Options{Carry: true, Rounding: market.Adams}, "Rounding is Adams,"},
	} {
		if _, _, err := market.Step(nil, market.Slots{1, 1}, nil, x.o); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("Step with %+v: %v, want an error with %q", x.o, err, x.want)
		}
	}
}
