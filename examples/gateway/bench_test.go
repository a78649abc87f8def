package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// words is a backend that streams as many tokens as it is told, each in an event of its own.
func words(n int) http.Handler {
	event := []byte("data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"wort\"}}],\"usage\":null}\n\n")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for range n {
			w.Write(event)
			w.(http.Flusher).Flush()
		}
		fmt.Fprintf(w, "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":100,\"completion_tokens\":%d}}\n\ndata: [DONE]\n\n", n)
	})
}

// processor is the time that this process has had of a processor.
func processor() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkGateway: requests of 100 tokens from 8 clients by no proxy, by httputil.ReverseProxy, and
// by the gateway. The difference in processor time between two is what the latter adds; all three
// include the client and the backend.
func BenchmarkGateway(b *testing.B) {
	const answer = 100
	for _, tokens := range []int{1, answer} {
		back := httptest.NewServer(words(tokens))
		defer back.Close()
		u, _ := url.Parse(back.URL)
		plain := httputil.NewSingleHostReverseProxy(u)
		plain.FlushInterval = -1
		plain.Transport = &http.Transport{MaxIdleConnsPerHost: 8}
		gateway := newBench(b, twoTenants, 8, 1000, nil)
		gateway.backend = u
		for _, c := range []struct {
			name    string
			handler http.Handler
		}{{"direct", words(tokens)}, {"ReverseProxy", plain}, {"gateway", gateway.handler()}} {
			b.Run(fmt.Sprintf("tokens=%d/%s", tokens, c.name), func(b *testing.B) {
				front := httptest.NewServer(c.handler)
				defer front.Close()
				failed := b.Logf // httputil.ReverseProxy loses an answer now and then
				if c.name == "gateway" {
					failed = b.Errorf
				}
				body := order{User: "honest", Prompt: 100, Stream: true, Options: map[string]bool{"include_usage": true}}.body()
				before := processor()
				b.SetParallelism(8)
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						r, _ := http.NewRequest("POST", front.URL+chat, strings.NewReader(string(body)))
						r.Header.Set("X-Api-Key", "honest")
						a, err := client.Do(r)
						if err != nil {
							failed("%v", err)
							continue
						}
						text, err := io.ReadAll(a.Body)
						a.Body.Close()
						if err != nil || strings.Count(string(text), "wort") != tokens {
							failed("%d, %v, %d bytes", a.StatusCode, err, len(text))
						}
					}
				})
				b.ReportMetric(float64((processor()-before).Microseconds())/float64(b.N), "cpu-us/request")
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
			})
		}
	}
}

// BenchmarkPage: how long the queue waits for its lock while the page of 10,000 tenants and the
// metrics are read all the time.
func BenchmarkPage(b *testing.B) {
	var text strings.Builder
	for i := range mostTenants {
		fmt.Fprintf(&text, `,{"name":"tenant%d","weight":1,"keys":["%d"]}`, i, i)
	}
	g := newBench(b, "["+text.String()[1:]+"]", 8, 100, nil)
	for _, read := range []bool{false, true} {
		b.Run(fmt.Sprintf("read=%t", read), func(b *testing.B) {
			stop := make(chan struct{})
			var all sync.WaitGroup
			if read {
				all.Go(func() {
					for {
						select {
						case <-stop:
							return
						default:
							for _, path := range []string{"/", "/metrics"} {
								g.admin().ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
							}
						}
					}
				})
			}
			var waits []time.Duration
			for b.Loop() {
				began := time.Now()
				g.do(func() error { return nil })
				waits = append(waits, time.Since(began))
				time.Sleep(100 * time.Microsecond)
			}
			close(stop)
			all.Wait()
			slices.Sort(waits)
			b.ReportMetric(float64(waits[len(waits)*999/1000].Microseconds()), "p99.9-us")
		})
	}
}

// TestMetrics: the metrics tell the first 100 tenants apart, and the page shows all.
func TestMetrics(t *testing.T) {
	var text strings.Builder
	for i := range 150 {
		fmt.Fprintf(&text, `,{"name":"t%d","weight":1,"keys":["%d"]}`, i, i)
	}
	b := newBench(t, "["+text.String()[1:]+"]", 0, 100, func(f *front) { f.prices = tokens{1, 1, 1} })
	for _, user := range []string{"5", "120", "130"} {
		go b.send(t.Context(), chat, order{User: user, Prompt: 100, Cached: 30, Tokens: 4, Stream: true}, nil)
	}
	within(t, "three wait", func() bool { return b.waiting("t5")+b.waiting("t120")+b.waiting("t130") == 3 })
	if one, others := b.metric(t, `gateway_queue{tenant="t5"}`), b.metric(t, `gateway_queue{tenant="others"}`); one != 1 || others != 2 {
		t.Errorf("%v of t5 and %v of the others wait, want 1 and 2", one, others)
	}
	b.do(func() error { b.streams = 8; return nil })
	within(t, "all have ended", b.idle)
	for name, want := range map[string]float64{
		`gateway_tokens_total{kind="prompt",tenant="t5"}`:     70,
		`gateway_tokens_total{kind="cached",tenant="t5"}`:     30,
		`gateway_tokens_total{kind="output",tenant="others"}`: 8,
		`gateway_wait_seconds_count{tenant="others"}`:         2,
		`gateway_first_token_seconds_count{tenant="t5"}`:      1,
		`gateway_refused_total{reason="queue"}`:               0,
	} {
		if got := b.metric(t, name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	w := httptest.NewRecorder()
	b.admin().ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if n := strings.Count(w.Body.String(), "<tr><td>"); n != 150 || !strings.Contains(w.Body.String(), "<td>t5</td><td>0</td><td>0</td><td>104</td>") {
		t.Errorf("the page shows %d tenants, want 150, and t5 with 104 tokens:\n%.500s", n, w.Body)
	}
}
