// Command gpuquota shares GPUs among teams that bid for them, hour by hour, in a SQLite database.
// An hour is one transaction: whenever the program is killed, no hour is lost or counted twice.
package main

import (
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/ledger"
	"github.com/schedmath/schedmath/market"
	_ "modernc.org/sqlite"
)

// state is what an hour leaves to the next, besides the jobs.
type state struct {
	Hour   int             `json:"hour"`
	Ledger ledger.Snapshot `json:"ledger"` // account 0 is the organisation, account i + 1 below it team i
	Users  []market.User   `json:"users"`  // the teams' bids and what the market remembers; their money is in the ledger
}

// job is a gang: it runs on all of its GPUs or on none, and loses its work when it is stopped.
type job struct {
	ID, Line                int64 // Line: of the ledger, for the hour that runs
	Team, GPUs, Hours, Done int
	Running                 bool
	Cost                    market.Credits // of the hour that runs
}

// next lets an hour end and another begin. Who ran pays. The market says how many GPUs each team
// gets. Gangs in the way are killed and get the last hour's money back, others start.
func (s *state) next(gpus int, jobs []*job) {
	books := must(ledger.Restore(s.Ledger))
	if s.Hour++; s.Hour%24 == 0 {
		must(books.NextPeriod(nil))
	}
	free, claims := gpus, make([]market.Claim, len(s.Users))
	active, running := []*job{}, []market.Running{}
	for _, j := range jobs {
		if j.Running {
			check(books.Settle(j.Line, j.Cost))
			j.Done++
			j.Running = j.Done < j.Hours
		}
		if j.Running {
			free, claims[j.Team].Held[0] = free-j.GPUs, claims[j.Team].Held[0]+j.GPUs
			active, running = append(active, j), append(running, market.Running{User: j.Team, Slots: j.GPUs, Elapsed: float64(j.Done)})
		} else if j.Done < j.Hours {
			claims[j.Team].Pending[0] += j.GPUs
		}
	}
	for i, a := range books.Accounts(nil)[1:] {
		s.Users[i].Budget, s.Users[i].Demand = a.Free, market.Slots{claims[i].Held[0] + claims[i].Pending[0]}
	}
	grants, _, err := market.Step(nil, market.Slots{gpus}, s.Users, market.Options{Fill: market.NoFill})
	check(err)
	for i, g := range grants {
		s.Users[i], claims[i].Share = g.Next, g.Slots
	}
	stop := func(j *job) {
		j.Running, j.Done, free = false, 0, free+j.GPUs
		claims[j.Team].Held[0] -= j.GPUs
	}
	for _, v := range must(market.Victims(nil, market.Slots{free}, claims, running, market.VictimOptions{})) {
		check(books.Refund(active[v].Line, active[v].Cost))
		stop(active[v])
	}
	for _, j := range jobs {
		if c := &claims[j.Team]; !j.Running && j.Done < j.Hours && j.GPUs <= min(free, c.Share[0]-c.Held[0]) {
			j.Running, free = true, free-j.GPUs
			c.Held[0] += j.GPUs
		}
		if j.Running {
			j.Cost = s.Users[j.Team].GrantedRate * market.Credits(j.GPUs)
			if j.Line, err = books.Reserve(j.Team+1, j.Cost); err != nil { // no money for another hour
				stop(j)
			}
		}
	}
	s.Ledger = books.Snapshot()
}

func hour(db *sql.DB, gpus int) {
	tx := must(db.Begin())
	s, text, jobs := state{}, []byte{}, []*job{}
	check(tx.QueryRow(`SELECT json FROM state`).Scan(&text))
	check(json.Unmarshal(text, &s))
	rows := must(tx.Query(`SELECT id, line, team, gpus, hours, done, running, cost FROM jobs WHERE done < hours ORDER BY id`))
	for rows.Next() {
		j := &job{}
		check(rows.Scan(&j.ID, &j.Line, &j.Team, &j.GPUs, &j.Hours, &j.Done, &j.Running, &j.Cost))
		jobs = append(jobs, j)
	}
	check(rows.Err())
	s.next(gpus, jobs)
	for _, j := range jobs {
		must(tx.Exec(`UPDATE jobs SET line = ?, done = ?, running = ?, cost = ? WHERE id = ?`, j.Line, j.Done, j.Running, int64(j.Cost), j.ID))
	}
	must(tx.Exec(`UPDATE state SET json = ?`, must(json.Marshal(s))))
	check(tx.Commit())
}

const help = `gpuquota lets hours pass in a database that setup.sql has made: each hour it divides the GPUs among the teams that bid for them.
`

const most = 1_000_000 // GPUs, as in setup.sql

func main() { os.Exit(program.Exit(os.Stderr, "gpuquota", run(os.Args[1:], os.Stdout))) }

func run(args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("gpuquota", flag.ContinueOnError)
	file := f.String("db", "gpuquota.db", "the database is in `FILE`")
	gpus, hours := f.Int("gpus", 16, "`N` GPUs"), f.Int("hours", 1, "let `N` hours pass")
	if done, err := program.Parse(f, args, stdout, help); done || err != nil {
		return err
	}
	if *gpus < 0 || *gpus > most || *hours < 0 {
		return program.Usagef("%d GPUs for %d hours, want 0 to %d GPUs and no negative number of hours", *gpus, *hours, most)
	}
	if _, err := os.Stat(*file); err != nil { // SQLite would make it
		return err
	}
	db := open(*file)
	for range *hours {
		hour(db, *gpus)
	}
	_, err := fmt.Fprintf(stdout, "gpuquota: %d hours of %d GPUs in %s\n", *hours, *gpus, *file)
	return err
}

func open(file string) *sql.DB {
	return must(sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(9000)&_txlock=immediate"))
}

func must[T any](v T, err error) T {
	if err != nil {
		os.Exit(program.Exit(os.Stderr, "gpuquota", err)) // SQLite undoes an hour that is not committed
	}
	return v
}
func check(err error) { must(0, err) }
