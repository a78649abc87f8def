// Command jobqueue is a server of jobs of many repositories for agents that poll. Repositories share
// the agents' time by the weights of their owners, so that a flood of one repository does not hold up
// the others.
//
//	POST   /jobs          {"repo": "ann/site", "labels": ["arm64"], "run": "make"}   returns its ID
//	DELETE /jobs?repo=ann/site&id=1                                                  cancels one
//	POST   /poll?label=arm64                                                         204: nothing to do
//	POST   /renew?lease=1                                                            410: stop the job
//	POST   /done?lease=1&again=false                                                 again: put it back
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/schedmath/schedmath/fairqueue"
	"github.com/schedmath/schedmath/internal/program"
)

// handler serves the jobs over HTTP. Where there is nothing to say the status is 204.
func handler(j *Jobs) http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, failed int, do func(r *http.Request) (any, error)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			r.Body = http.MaxBytesReader(w, r.Body, 1<<20)
			switch v, err := do(r); {
			case err != nil:
				http.Error(w, err.Error(), failed)
			case v == nil:
				w.WriteHeader(http.StatusNoContent)
			default:
				_ = json.NewEncoder(w).Encode(v) // an error: the client is gone
			}
		})
	}
	number := func(r *http.Request, name string) uint64 {
		n, _ := strconv.ParseUint(r.FormValue(name), 10, 63) // 0 is none
		return n
	}
	handle("POST /jobs", http.StatusBadRequest, func(r *http.Request) (any, error) {
		var job Job
		if err := json.NewDecoder(r.Body).Decode(&job); err != nil {
			return nil, err
		}
		return j.Add(job)
	})
	handle("DELETE /jobs", http.StatusNotFound, func(r *http.Request) (any, error) {
		return nil, j.Cancel(r.FormValue("repo"), int64(number(r, "id")), time.Now())
	})
	handle("POST /poll", http.StatusBadRequest, func(r *http.Request) (any, error) {
		if l, ok := j.Poll(r.URL.Query()["label"], time.Now()); ok {
			return l, nil
		}
		return nil, nil
	})
	handle("POST /renew", http.StatusGone, func(r *http.Request) (any, error) {
		return nil, j.Renew(fairqueue.Service(number(r, "lease")), time.Now())
	})
	handle("POST /done", http.StatusGone, func(r *http.Request) (any, error) {
		return nil, j.Done(fairqueue.Service(number(r, "lease")), r.FormValue("again") == "true", time.Now())
	})
	return mux
}

const help = "A server of the jobs of many repositories for agents that poll.\n\nUsage: jobqueue [flags]"

func main() { os.Exit(program.Exit(os.Stderr, "jobqueue", serve(os.Args[1:]))) }

func serve(args []string) error {
	f := flag.NewFlagSet("jobqueue", flag.ContinueOnError)
	listen := f.String("listen", "127.0.0.1:8080", "address")
	guess := f.Float64("guess", 60, "seconds that a job is charged at first")
	term := f.Duration("term", time.Minute, "time after which a lease expires that is not renewed")
	weights := map[string]float64{}
	f.Func("weights", "shares of owners, as {\"ann\": 2}; of others 1", func(s string) error { return json.Unmarshal([]byte(s), &weights) })
	if done, err := program.Parse(f, args, os.Stdout, help); done || err != nil {
		return err
	}
	j, err := NewJobs(weights, *guess, *term)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	server := http.Server{Addr: *listen, Handler: handler(j)}
	go func() {
		log.Print(server.ListenAndServe())
		stop()
	}()
	<-ctx.Done()
	stop() // a second signal ends the program
	for j.Drain(time.Now()) > 0 {
		time.Sleep(100 * time.Millisecond)
	}
	return server.Shutdown(context.Background())
}
