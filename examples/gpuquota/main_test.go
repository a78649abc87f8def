package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/ledger"
)

const (
	gpus  = 16
	hours = 400
)

// asProgram in the environment makes the test binary a program that lets hours pass in that
// database until there were all.
const asProgram = "GPUQUOTA_AS_PROGRAM"

func TestMain(m *testing.M) {
	if file := os.Getenv(asProgram); file != "" {
		db := open(file)
		fmt.Println("begins")
		for hoursOf(db) < hours {
			hour(db, gpus)
		}
		return
	}
	os.Exit(m.Run())
}

func stateOf(db *sql.DB) (s state) {
	var text []byte
	check(db.QueryRow(`SELECT json FROM state`).Scan(&text))
	check(json.Unmarshal(text, &s))
	return s
}

func hoursOf(db *sql.DB) int { return stateOf(db).Hour }

// dump is all that the database holds.
func dump(db *sql.DB) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%+v\n", stateOf(db))
	for _, j := range jobsOf(db) {
		fmt.Fprintf(&b, "%+v\n", j)
	}
	return b.String()
}

func jobsOf(db *sql.DB) (jobs []job) {
	rows := must(db.Query(`SELECT id, line, team, gpus, hours, done, running, cost FROM jobs ORDER BY id`))
	for rows.Next() {
		var j job
		check(rows.Scan(&j.ID, &j.Line, &j.Team, &j.GPUs, &j.Hours, &j.Done, &j.Running, &j.Cost))
		jobs = append(jobs, j)
	}
	check(rows.Err())
	return jobs
}

// setUp makes a database by setup.sql, with many jobs more.
func setUp(t *testing.T) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "q.db")
	db := open(file)
	defer db.Close()
	must(db.Exec(string(must(os.ReadFile("setup.sql")))))
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		must(db.Exec(`INSERT INTO jobs (team, gpus, hours) VALUES (?, ?, ?)`, r.IntN(2), 1<<r.IntN(4), 1+r.IntN(12)))
	}
	return file
}

// TestHours: after each hour no more GPUs are held than there are, the jobs that run have an open
// line of their cost each and no line else is open, and each account's money adds up. In all some are
// killed and refunded, and some end.
func TestHours(t *testing.T) {
	db := open(setUp(t))
	defer db.Close()
	before, killed, refunded, ended := jobsOf(db), 0, 0, 0
	for n := range hours {
		hour(db, gpus)
		held, lines := 0, map[int64]job{}
		jobs := jobsOf(db)
		for i, j := range jobs {
			if j.Running {
				held += j.GPUs
				lines[j.Line] = j
			}
			if before[i].Running && j.Done < before[i].Done {
				killed++
			}
			if j.Done == j.Hours && before[i].Done < before[i].Hours {
				ended++
			}
			if j.Done > before[i].Done+1 || j.Done > before[i].Done && !before[i].Running || j.Done == before[i].Done && before[i].Running && j.Running && j.Done > 0 {
				t.Fatalf("in hour %d job %+v became %+v", n, before[i], j)
			}
		}
		before = jobs
		if held > gpus {
			t.Fatalf("in hour %d jobs hold %d of %d GPUs", n, held, gpus)
		}
		s := stateOf(db)
		for _, l := range s.Ledger.Lines {
			if l.Refunded > 0 {
				refunded++
			}
			if j, ok := lines[l.ID]; !l.Settled && (!ok || l.Reserved != j.Cost || l.Account != j.Team+1) {
				t.Fatalf("in hour %d line %+v is open, the jobs that run have %v", n, l, lines)
			} else if !l.Settled {
				delete(lines, l.ID)
			}
		}
		if len(lines) > 0 {
			t.Fatalf("in hour %d these run without an open line: %v", n, lines)
		}
		for i, a := range s.Ledger.Accounts {
			came := []ledger.Credits{400, 300, 300}[i] * ledger.Credit * ledger.Credits(1+s.Ledger.Period)
			if a.Free+a.Reserved+a.Charged+a.Expired != came {
				t.Fatalf("in hour %d account %d is %+v, want %v in sum", n, i, a, came)
			}
		}
	}
	if killed < 20 || refunded < 20 || ended < 50 {
		t.Errorf("%d jobs were killed, %d lines refunded and %d jobs ended, want more of each", killed, refunded, ended)
	}
	t.Logf("%d jobs were killed, %d ended", killed, ended)
}

// TestSetup: the file as it stands. Both bid for all, 2 : 1, so that team 0's share is 11 of 16 and
// team 1's 5: a gang of 8 and one of 4 start.
func TestSetup(t *testing.T) {
	db := open(filepath.Join(t.TempDir(), "q.db"))
	defer db.Close()
	must(db.Exec(string(must(os.ReadFile("setup.sql")))))
	hour(db, gpus)
	var running []int64
	for _, j := range jobsOf(db) {
		if j.Running {
			running = append(running, j.ID)
		}
	}
	if fmt.Sprint(running) != "[1 2 3]" {
		t.Errorf("jobs %v run, want 1, 2 and 3", running)
	}
}

// TestBounds: the database takes no job whose GPUs or hours could make a sum overflow.
func TestBounds(t *testing.T) {
	db := open(setUp(t))
	defer db.Close()
	for _, c := range []struct {
		gpus, hours int64
		ok          bool
	}{{1, 1, true}, {1_000_000, 1_000_000, true}, {0, 1, false}, {-1, 1, false}, {1_000_001, 1, false}, {1 << 62, 1, false}, {1, 0, false}, {1, 1 << 62, false}} {
		if _, err := db.Exec(`INSERT INTO jobs (team, gpus, hours) VALUES (0, ?, ?)`, c.gpus, c.hours); (err == nil) != c.ok {
			t.Errorf("a job of %d GPUs for %d hours: %v, want it taken: %t", c.gpus, c.hours, err, c.ok)
		}
	}
}

func TestFlags(t *testing.T) {
	file := setUp(t)
	for _, c := range []struct {
		args string
		code int
	}{{"-h", 0}, {"-version", 0}, {"-db " + file, 0}, {"-db " + file + "x", 2}, {"-db " + file + " -gpus -1", 2}, {"-db " + file + " -gpus 1000001", 2}, {"-db " + file + " -hours -1", 2}, {"stray", 2}, {"-nosuch", 2}} {
		if code := program.Exit(io.Discard, "gpuquota", run(strings.Fields(c.args), io.Discard)); code != c.code {
			t.Errorf("gpuquota %s = %d, want %d", c.args, code, c.code)
		}
	}
	if n := hoursOf(open(file)); n != 1 {
		t.Errorf("%d hours have passed, want 1", n)
	}
}

// TestKilled: a program that is killed with -9 again and again, at any point, and started again
// comes to the same state as one that is left alone.
func TestKilled(t *testing.T) {
	alone, killed := setUp(t), setUp(t)
	db := open(alone)
	defer db.Close()
	for hoursOf(db) < hours {
		hour(db, gpus)
	}
	r, kills, ended := rand.New(rand.NewPCG(3, 4)), 0, false
	for !ended {
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), asProgram+"="+killed)
		begins := must(child.StdoutPipe())
		check(child.Start())
		must(begins.Read(make([]byte, 1)))
		time.AfterFunc(time.Duration(r.IntN(100000))*time.Microsecond, func() { _ = child.Process.Kill() })
		if err := child.Wait(); err == nil {
			ended = true
		} else if kills++; !strings.Contains(err.Error(), "killed") {
			t.Fatal(err)
		}
		if kills == 5000 {
			t.Fatal("killed 5,000 times, and not at the end")
		}
	}
	other := open(killed)
	defer other.Close()
	if a, b := dump(db), dump(other); a != b {
		t.Errorf("alone:\n%s\nkilled %d times:\n%s", a, kills, b)
	}
	t.Logf("killed %d times", kills)
	if kills < 10 {
		t.Errorf("killed %d times, want more", kills)
	}
}
