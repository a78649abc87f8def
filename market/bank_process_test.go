package market_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/schedmath/schedmath/ledger"
	"github.com/schedmath/schedmath/market"
)

// operated is all that the operator of a market keeps.
type operated struct {
	Bank  market.BankSnapshot
	Users []market.User
	Step  int
	Log   []market.Credits // charges, step by step
}

const operatedSteps = 300

// advance makes one Step of the market; what users want and use depends on its number alone.
func (s *operated) advance() error {
	b, err := market.RestoreBank(s.Bank)
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(s.Step), 3))
	for i := range s.Users {
		u := &s.Users[i]
		u.Rate = market.Credits(1+r.IntN(20)) * credit / 3
		u.Demand = market.Slots{r.IntN(12), r.IntN(4)}
		u.Used = [2]float64{float64(u.Granted[0]) * r.Float64(), float64(u.Granted[1]) * r.Float64()}
	}
	grants, totals, err := b.Step(nil, market.Slots{20, 6}, s.Users, market.Options{})
	if err != nil {
		return err
	}
	for i, g := range grants {
		s.Users[i] = g.Next
	}
	if s.Step++; s.Step%50 == 0 {
		if _, err := b.Ledger().NextPeriod(nil); err != nil {
			return err
		}
	}
	s.Bank, s.Log = b.Snapshot(), append(s.Log, totals.Revenue)
	return nil
}

// save puts the state into a file as a whole: a crash leaves the file before or the file after.
func (s *operated) save(name string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	f, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

func load(name string) (s operated, err error) {
	text, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}

// newOperated is an organisation of two teams with two users each.
func newOperated(t *testing.T) operated {
	b := bank(t, []int{1, 1, 2, 2}, ledger.Account{Free: 900 * credit, Allowance: 600 * credit}, ledger.Account{Parent: 0, Free: 600 * credit, Allowance: 400 * credit},
		ledger.Account{Parent: 0, Free: 600 * credit, Allowance: 400 * credit, Carry: 50 * credit})
	return operated{Bank: b.Snapshot(), Users: make([]market.User, 4)}
}

// A market that is killed (signal 9) again and again goes on from its file and comes to the same
// charges and balances as one that is not.
func TestBankKilled(t *testing.T) {
	if name := os.Getenv("MARKET_STATE"); name != "" { // the process that is killed
		for s, err := load(name); ; {
			if err != nil {
				t.Fatal(err)
			}
			if s.Step == operatedSteps {
				return
			}
			if err = s.advance(); err == nil {
				err = s.save(name)
			}
		}
	}
	if testing.Short() {
		t.Skip("starts processes")
	}
	want := newOperated(t)
	for range operatedSteps {
		if err := want.advance(); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(t.TempDir(), "state")
	start := newOperated(t)
	if err := start.save(name); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	kills, stalls := 0, 0 // runs that were killed, and that were before they made a step
	var got operated
	for got.Step < operatedSteps {
		c := exec.Command(os.Args[0], "-test.run=^TestBankKilled$")
		c.Env = append(os.Environ(), "MARKET_STATE="+name)
		var out strings.Builder
		c.Stdout, c.Stderr = &out, &out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(20+r.IntN(60)+50*stalls)*time.Millisecond, func() { _ = c.Process.Kill() })
		err := c.Wait()
		if timer.Stop() && err != nil {
			t.Fatalf("the market ended by itself: %v\n%s", err, out.String())
		} else if err != nil {
			kills++
		}
		before := got.Step
		if got, err = load(name); err != nil || got.Step < before {
			t.Fatalf("after a kill the file holds step %d, before %d: %v", got.Step, before, err)
		}
		if got.Step == before {
			stalls++
		}
		for i, a := range got.Bank.Ledger.Accounts {
			sum := start.Bank.Ledger.Accounts[i].Free + market.Credits(got.Bank.Ledger.Period)*a.Allowance
			if a.Free+a.Reserved+a.Charged+a.Expired != sum {
				t.Fatalf("after step %d account %d is %+v, want %v in sum", got.Step, i, a, sum)
			}
		}
	}
	a, _ := json.Marshal(got)
	b, _ := json.Marshal(want)
	if string(a) != string(b) {
		t.Errorf("after %d kills\n got %s\nwant %s", kills, a, b)
	}
	if kills == 0 {
		t.Error("no process was killed")
	}
	t.Logf("%d kills", kills)
}
