package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/schedmath/schedmath/fairqueue"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newJobs(t *testing.T, weights map[string]float64) *Jobs {
	t.Helper()
	j, err := NewJobs(weights, 60, time.Minute)
	must(t, err)
	return j
}

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// TestFlood: one repository floods four agents with 100 jobs of 300 s, three others have a job of
// 60 s every ten minutes: each of their 36 starts within 300 s of its arrival.
func TestFlood(t *testing.T) {
	j := newJobs(t, nil)
	for range 100 {
		_, err := j.Add(Job{Repo: "flood/all"})
		must(t, err)
	}
	arrived := map[int64]time.Time{}
	type run struct {
		lease Lease
		ends  time.Time
	}
	var agents [4]*run
	started, flooding := 0, 0
	for now := epoch; now.Before(epoch.Add(3 * time.Hour)); now = now.Add(10 * time.Second) {
		if since := now.Sub(epoch); since%(10*time.Minute) == 0 && since < 2*time.Hour {
			for k := range 3 {
				id, err := j.Add(Job{Repo: fmt.Sprintf("calm%d/site", k)})
				must(t, err)
				arrived[id] = now
			}
		}
		for a, r := range agents {
			if r != nil && !now.Before(r.ends) {
				must(t, j.Done(r.lease.Number, false, now))
				r = nil
			} else if r != nil {
				must(t, j.Renew(r.lease.Number, now))
			}
			if r == nil {
				if l, ok := j.Poll(nil, now); ok {
					length := 300 * time.Second
					if came, calm := arrived[l.Job.ID]; calm {
						length, started = time.Minute, started+1
						if wait := now.Sub(came); wait > 300*time.Second {
							t.Errorf("a job that came at %v starts after %v, want 300 s at most", came.Sub(epoch), wait)
						}
					} else {
						flooding++
					}
					r = &run{l, now.Add(length)}
				}
			}
			agents[a] = r
		}
	}
	if started != 36 || flooding != 100 {
		t.Errorf("%d jobs of others and %d of the flood have started, want 36 and 100", started, flooding)
	}
}

// TestWeightsOfOwners: with 3 : 1 an owner's repository has three times the agents' time.
func TestWeightsOfOwners(t *testing.T) {
	j := newJobs(t, map[string]float64{"ann": 3})
	served := map[string]int{}
	for range 400 {
		for _, repo := range []string{"ann/a", "bob/b"} {
			_, err := j.Add(Job{Repo: repo})
			must(t, err)
		}
	}
	for k := range 400 {
		now := epoch.Add(time.Duration(k) * time.Minute)
		l, _ := j.Poll(nil, now)
		served[l.Job.Repo]++
		must(t, j.Done(l.Number, false, now.Add(50*time.Second)))
	}
	if n := served["ann/a"]; n < 299 || n > 301 {
		t.Errorf("an owner of weight 3 is served %d times in 400 beside one of weight 1, want 300", n)
	}
}

// TestLeases: labels, cancelled jobs, leases that expire and jobs that are put back.
func TestLeases(t *testing.T) {
	j := newJobs(t, nil)
	var ids []int64
	for _, labels := range [][]string{{"arm64"}, nil, nil} {
		id, err := j.Add(Job{Repo: fmt.Sprint("ann/", len(ids)), Labels: labels})
		must(t, err)
		ids = append(ids, id)
	}
	l, ok := j.Poll(nil, epoch)
	if !ok || l.Job.ID != ids[1] {
		t.Fatalf("an agent without labels gets job %d, want %d", l.Job.ID, ids[1])
	}
	must(t, j.Renew(l.Number, epoch.Add(50*time.Second)))
	late := epoch.Add(3 * time.Minute)
	if j.Renew(l.Number, late) == nil || j.Done(l.Number, false, late) == nil {
		t.Error("a lease that has expired is renewed, or ends")
	}
	must(t, j.Cancel("ann/2", ids[2], late))
	again, ok := j.Poll(nil, late)
	if !ok || again.Job.ID != ids[1] || again.Number == l.Number {
		t.Errorf("after it has expired job %d is given, want %d anew", again.Job.ID, ids[1])
	}
	must(t, j.Done(again.Number, true, late)) // put back
	again, _ = j.Poll(nil, late)
	must(t, j.Cancel("ann/1", again.Job.ID, late)) // while it runs
	if j.Renew(again.Number, late) == nil || j.Cancel("ann/1", ids[1], late) == nil {
		t.Error("a cancelled job goes on")
	}
	if l, ok := j.Poll([]string{"amd64"}, late); ok {
		t.Errorf("an agent without its label gets job %d", l.Job.ID)
	}
	if n := j.Drain(late); n != 0 {
		t.Errorf("%d jobs run, want 0", n)
	}
	if _, ok := j.Poll([]string{"arm64"}, late); ok {
		t.Error("a job is given while the server drains")
	}
}

// TestAgents: agents and clients at once, over HTTP; all jobs are done once, and the server drains.
func TestAgents(t *testing.T) {
	j := newJobs(t, nil)
	server := httptest.NewServer(handler(j))
	defer server.Close()
	post := func(path, body string, want int) string {
		r, err := http.Post(server.URL+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return ""
		}
		defer r.Body.Close()
		var text strings.Builder
		if err := r.Write(&text); err != nil || want > 0 && r.StatusCode != want {
			t.Errorf("%s: %s, %v, want %d", path, r.Status, err, want)
		}
		return text.String()
	}
	const repos, each = 5, 20
	var all sync.WaitGroup
	for k := range repos {
		all.Add(1)
		go func() {
			defer all.Done()
			for range each {
				post("/jobs", fmt.Sprintf(`{"repo": "owner%d/r"}`, k), http.StatusOK)
			}
		}()
	}
	var mu sync.Mutex
	done := map[fairqueue.Service]bool{}
	for range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			for {
				mu.Lock()
				enough := len(done) == repos*each
				mu.Unlock()
				if enough {
					return
				}
				var number fairqueue.Service
				if _, after, ok := strings.Cut(post("/poll", `{}`, 0), `"number":`); ok {
					fmt.Sscan(strings.FieldsFunc(after, func(r rune) bool { return r == ',' })[0], &number)
					post(fmt.Sprint("/renew?lease=", number), "", http.StatusNoContent)
					post(fmt.Sprint("/done?lease=", number), "", http.StatusNoContent)
					mu.Lock()
					done[number] = true
					mu.Unlock()
				}
			}
		}()
	}
	all.Wait()
	post("/jobs", `{`, http.StatusBadRequest)
	post("/jobs", `{"repo": "a/a"}`, http.StatusOK)
	lease := post("/poll", `{}`, http.StatusOK)
	if n := j.Drain(time.Now()); n != 1 || !strings.Contains(lease, "a/a") {
		t.Errorf("%d jobs run of 1: %s", n, lease)
	}
	post(fmt.Sprint("/done?lease=", repos*each+1), "", http.StatusNoContent)
	post("/renew?lease=1", "", http.StatusGone)
	if n := j.Drain(time.Now()); n != 0 {
		t.Errorf("%d jobs run after all have ended", n)
	}
	post("/poll", `{}`, http.StatusNoContent)
}
