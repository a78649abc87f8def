package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/schedmath/schedmath/fairqueue"
)

// llm is a backend that streams the tokens that a request's max_tokens asks for, pace between two.
// At a status above 0 it answers that alone.
func llm(pace time.Duration, status *atomic.Int32) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if code := status.Load(); code > 0 {
			w.WriteHeader(int(code))
			return
		}
		var asked struct {
			N      int  `json:"max_tokens"`
			Stream bool `json:"stream"`
		}
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			http.Error(w, err.Error(), 400)
			return
		}
		if !asked.Stream {
			time.Sleep(time.Duration(asked.N) * pace)
			fmt.Fprintf(w, `{"choices":[{}],"usage":{"total_tokens":%d}}`, asked.N)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for range asked.N {
			fmt.Fprint(w, "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n")
			w.(http.Flusher).Flush()
			select {
			case <-time.After(pace):
			case <-r.Context().Done():
				return
			}
		}
		fmt.Fprintf(w, "data: {\"choices\":[],\"usage\":{\"total_tokens\":%d}}\n\ndata: [DONE]\n\n", asked.N)
	})
}

var twoTenants = []tenant{{Name: "acme", Weight: 4, Children: []tenant{{Name: "search", Weight: 1, Keys: []string{"ka"}}}}, {Name: "bob", Weight: 1, Keys: []string{"kb"}}}

// fileOf writes tenants into a file.
func fileOf(t *testing.T, tenants []tenant) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tenants.json")
	text, err := json.Marshal(tenants)
	if err == nil {
		err = os.WriteFile(file, text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// opened is a gate of these tenants.
func opened(t *testing.T, tenants []tenant, streams, most int, patience time.Duration, file string) *gate {
	t.Helper()
	g := &gate{streams: streams, most: most, patience: patience, slow: time.Second, limit: 1 << 16, header: "-", lag: 100, file: file}
	if err := g.open(fileOf(t, tenants)); err != nil {
		t.Fatal(err)
	}
	return g
}

// served starts a backend and a gateway before it.
func served(t *testing.T, tenants []tenant, streams, most int, patience time.Duration, pace time.Duration, file string) (address string, g *gate, status *atomic.Int32) {
	t.Helper()
	status = new(atomic.Int32)
	backend := httptest.NewServer(llm(pace, status))
	t.Cleanup(backend.Close)
	u, _ := url.Parse(backend.URL)
	g = opened(t, tenants, streams, most, patience, file)
	front := httptest.NewServer(g.handler(u))
	t.Cleanup(front.Close)
	return front.URL, g, status
}

// ask sends one request and returns the status and the body.
func ask(ctx context.Context, address, key string, n int, stream bool) (int, string, error) {
	body := fmt.Sprintf(`{"max_tokens":%d,"stream":%t}`, n, stream)
	r, err := http.NewRequestWithContext(ctx, "POST", address+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	return a.StatusCode, string(text), err
}

// TestSharesByWeight: tenants of weights 4 and 1 who both always have something waiting get tokens
// 4 to 1, whatever the lengths of their requests.
func TestSharesByWeight(t *testing.T) {
	address, g, _ := served(t, twoTenants, 4, 1000, time.Minute, time.Millisecond, filepath.Join(t.TempDir(), "state"))
	ctx, stop := context.WithTimeout(context.Background(), 6*time.Second)
	defer stop()
	var all sync.WaitGroup
	for i := range 24 {
		key, n := "ka", 10+i%20
		if i%2 == 0 {
			key, n = "kb", 40
		}
		all.Add(1)
		go func() {
			defer all.Done()
			for ctx.Err() == nil {
				ask(ctx, address, key, n, i%3 > 0)
			}
		}()
	}
	all.Wait()
	a, b := g.Served["acme/search"], g.Served["bob"]
	if ratio := a / b; b == 0 || math.Abs(ratio-4) > .4 {
		t.Errorf("weights 4 and 1: %v and %v tokens, ratio %.2f", a, b, ratio)
	}
	quiet := func() bool { g.mu.Lock(); defer g.mu.Unlock(); return g.Flying == 0 && g.count == 0 }
	for deadline := time.Now().Add(5 * time.Second); !quiet() && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond) // until the gateway has seen that the clients are gone
	}
	if g.Flying != 0 || g.count != 0 {
		t.Errorf("%d at the backend and %d waiting after all have gone", g.Flying, g.count)
	}
	for s := range g.q.Services() {
		t.Errorf("service %d is open after all have gone", s)
	}
}

// TestRefusals: who has no key, a body that is too large, a full queue, a wait that is too long, and
// an error of the backend, which costs nothing.
func TestRefusals(t *testing.T) {
	ctx := context.Background()
	address, g, status := served(t, twoTenants, 1, 1, 200*time.Millisecond, time.Millisecond, filepath.Join(t.TempDir(), "state"))
	if code, _, _ := ask(ctx, address, "nobody", 1, false); code != 401 {
		t.Errorf("an unknown key gets %d, want 401", code)
	}
	r, _ := http.NewRequest("POST", address+"/v1/completions", bytes.NewReader(make([]byte, 1<<17)))
	r.Header.Set("X-Api-Key", "ka")
	if a, err := http.DefaultClient.Do(r); err != nil || a.StatusCode != 413 {
		t.Errorf("a large body gets %v, %v, want 413", a, err)
	}
	done := make(chan int, 2)
	for range 2 {
		go func() {
			code, _, _ := ask(ctx, address, "ka", 500, false) // one is served, one waits too long
			done <- code
		}()
		time.Sleep(50 * time.Millisecond)
	}
	if code, _, _ := ask(ctx, address, "kb", 1, false); code != 429 {
		t.Errorf("beyond the queue: %d, want 429", code)
	}
	if a, b := <-done, <-done; a+b != 503+200 {
		t.Errorf("%d and %d, want 503 for who waits too long, and 200", a, b)
	}
	before := g.Served["bob"]
	status.Store(500)
	if code, _, _ := ask(ctx, address, "kb", 5, true); code != 500 || g.Served["bob"] != before {
		t.Errorf("an error of the backend: %d, charged %v, want 500 and nothing", code, g.Served["bob"]-before)
	}
	status.Store(0)
	if code, text, err := ask(ctx, address, "kb", 5, true); code != 200 || err != nil || strings.Count(text, "delta") != 5 {
		t.Errorf("afterwards: %d, %q, %v, want five tokens", code, text, err)
	}
	a, err := http.Get(address + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(a.Body)
	for _, want := range []string{`gateway_requests_total{code="429",tenant="bob"}`, "gateway_wait_seconds_bucket"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("/metrics has no %s", want)
		}
	}
}

// TestHangUp: a client that hangs up in mid-stream ends its service and pays for what came.
func TestHangUp(t *testing.T) {
	address, g, _ := served(t, twoTenants, 1, 10, time.Minute, 10*time.Millisecond, filepath.Join(t.TempDir(), "state"))
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	ask(ctx, address, "ka", 10000, true)
	if code, _, err := ask(context.Background(), address, "kb", 1, true); code != 200 || err != nil {
		t.Fatalf("the next one: %d, %v", code, err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if n := g.Served["acme/search"]; n < 2 || n > 100 {
		t.Errorf("who hung up after about ten tokens pays %v", n)
	}
}

// TestRestart: a gateway that is restarted from its file keeps what its tenants owe, and ends what
// was lost.
func TestRestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.json")
	g := opened(t, twoTenants, 1, 10, time.Minute, file)
	if _, err := g.enter(context.Background(), "bob", 50); err != nil {
		t.Fatal(err)
	}
	if err := g.save(); err != nil {
		t.Fatal(err)
	}
	g = opened(t, twoTenants, 1, 10, time.Minute, file)
	for range g.q.Services() {
		t.Error("a service that was lost is open")
	}
	if s := g.q.Snapshot(); s.Epoch != 2 || len(s.Flows) != 3 {
		t.Errorf("restored %+v, want three flows and epoch 1", s)
	}
	if err := os.WriteFile(file, []byte(`{"version":9}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := (&gate{file: file}).open(fileOf(t, twoTenants)); err == nil {
		t.Error("a broken file is taken")
	}
	var s fairqueue.Service
	if g.q.End(s, 1) == nil {
		t.Error("service 0 ends")
	}
}
