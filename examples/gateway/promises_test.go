package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/schedmath/schedmath/fairqueue"
)

// A line is what gateways do without a queue by weight: requests pass in the order of arrival, or
// tenant by tenant in turn.
type line struct {
	mu      sync.Mutex
	free    int
	inTurn  bool
	waiting map[string][]chan struct{} // by key, or under one name
	keys    []string
	turn    int
}

func (l *line) pass() {
	for empty := 0; l.free > 0 && empty < len(l.keys); {
		key := l.keys[l.turn%len(l.keys)]
		l.turn++
		if empty++; len(l.waiting[key]) > 0 {
			close(l.waiting[key][0])
			l.waiting[key] = l.waiting[key][1:]
			l.free--
			empty = 0
		}
	}
}

func (l *line) handler(backend *url.URL) http.Handler {
	proxy := httputil.NewSingleHostReverseProxy(backend)
	proxy.FlushInterval = -1
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		key, mine := "", make(chan struct{})
		if l.inTurn {
			key = r.Header.Get("Authorization")
		}
		l.mu.Lock()
		if !slices.Contains(l.keys, key) {
			l.keys = append(l.keys, key)
		}
		l.waiting[key] = append(l.waiting[key], mine)
		l.pass()
		l.mu.Unlock()
		<-mine
		defer func() { // the proxy panics when the client is gone
			l.mu.Lock()
			defer l.mu.Unlock()
			l.free++
			l.pass()
		}()
		proxy.ServeHTTP(out, r)
	})
}

// TestBesideFIFOAndRoundRobin: one load over TCP by three rules. Acme, of weight 4, has short
// requests, bob, of weight 1, long ones and more of them, and carol, of weight 1, one short request
// now and then. The queue keeps weights within its bound, and carol waits little.
func TestBesideFIFOAndRoundRobin(t *testing.T) {
	if testing.Short() {
		t.Skip("runs for twelve seconds")
	}
	const streams, lag, longest = 4, 100., 40.
	tenants := []tenant{{Name: "acme", Weight: 4, Keys: []string{"ka"}}, {Name: "bob", Weight: 1, Keys: []string{"kb"}}, {Name: "carol", Weight: 1, Keys: []string{"kc"}}}
	play := func(front http.Handler) (had [2]float64, wait time.Duration) {
		server := httptest.NewServer(front)
		defer server.Close()
		ctx, stop := context.WithTimeout(context.Background(), 4*time.Second)
		defer stop()
		var mu sync.Mutex
		var waits []time.Duration
		var all sync.WaitGroup
		client := func(key string, n func(k int) int, pause time.Duration, see func(tokens float64, took time.Duration)) {
			all.Add(1)
			go func() {
				defer all.Done()
				for k := 0; ctx.Err() == nil; k++ {
					began := time.Now()
					_, text, err := ask(ctx, server.URL, key, n(k), true)
					mu.Lock()
					if err == nil {
						see(float64(strings.Count(text, "delta")), time.Since(began))
					}
					mu.Unlock()
					time.Sleep(pause)
				}
			}()
		}
		for range 12 {
			client("ka", func(k int) int { return 10 + k%20 }, 0, func(n float64, _ time.Duration) { had[0] += n })
		}
		for range 36 {
			client("kb", func(int) int { return longest }, 0, func(n float64, _ time.Duration) { had[1] += n })
		}
		client("kc", func(int) int { return 5 }, 20*time.Millisecond, func(_ float64, took time.Duration) { waits = append(waits, took) })
		all.Wait()
		slices.Sort(waits)
		if len(waits) == 0 {
			return had, time.Minute
		}
		return had, waits[len(waits)*99/100]
	}
	backend := httptest.NewServer(llm(time.Millisecond, new(atomic.Int32)))
	defer backend.Close()
	u, err := url.Parse(backend.URL)
	if err != nil {
		t.Fatal(err)
	}
	g := opened(t, tenants, streams, 1000, time.Minute, filepath.Join(t.TempDir(), "state"))
	had, wait := play(g.handler(u))
	t.Logf("by the queue: %.0f : %.0f tokens, %.2f : 1, carol's p99 %v", had[0], had[1], had[0]/had[1], wait)
	if apart, bound := had[0]/4-had[1], 2*streams*(longest/4+longest)+lag; apart > bound || apart < -bound {
		t.Errorf("weights 4 and 1 have %v tokens: %.0f apart for each weight, want at most %.0f", had, apart, bound)
	}
	for name, l := range map[string]*line{"FIFO": {}, "round robin": {inTurn: true}} {
		l.free, l.waiting = streams, map[string][]chan struct{}{}
		other, longer := play(l.handler(u))
		t.Logf("by %s: %.0f : %.0f tokens, %.2f : 1, carol's p99 %v", name, other[0], other[1], other[0]/other[1], longer)
		if other[0] > 2*other[1] || !l.inTurn && longer < 2*wait {
			t.Errorf("%s: %v tokens, carol's p99 %v; want less than half of 4 : 1, and twice the wait for FIFO", name, other, longer)
		}
	}
}

// send asks as ask does, and returns the answer with its header.
func send(t *testing.T, address, key string, n int) *http.Response {
	t.Helper()
	r, err := http.NewRequest("POST", address+"/v1/chat/completions", strings.NewReader(fmt.Sprintf(`{"max_tokens":%d}`, n)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	a.Body.Close()
	return a
}

// within waits until something holds.
func within(t *testing.T, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
}

// idle reports whether nothing is at the backend, waits, or is in flight.
func (g *gate) idle() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for range g.q.Services() {
		return false
	}
	return g.Flying == 0 && g.count == 0
}

// TestRetryAfter: who is refused for want of room hears when to come again.
func TestRetryAfter(t *testing.T) {
	full, _, _ := served(t, twoTenants, 1, 0, time.Second, time.Millisecond, filepath.Join(t.TempDir(), "state"))
	late, _, _ := served(t, twoTenants, 0, 9, 50*time.Millisecond, time.Millisecond, filepath.Join(t.TempDir(), "state"))
	for address, want := range map[string]int{full: 429, late: 503} {
		if a := send(t, address, "ka", 1); a.StatusCode != want || a.Header.Get("Retry-After") == "" {
			t.Errorf("%d, Retry-After %q, want %d with one", a.StatusCode, a.Header.Get("Retry-After"), want)
		}
	}
}

// TestBackendErrorsCostNothing: neither a status nor a backend that is gone moves a tag.
func TestBackendErrorsCostNothing(t *testing.T) {
	address, g, status := served(t, twoTenants, 1, 9, time.Second, time.Millisecond, filepath.Join(t.TempDir(), "state"))
	g.mu.Lock()
	keep, err := g.q.Start("bob", 1) // so that the queue is never idle and keeps its tags
	before := g.q.Snapshot().Flows
	g.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	status.Store(503)
	if a := send(t, address, "ka", 50); a.StatusCode != 503 {
		t.Errorf("%d, want the backend's 503", a.StatusCode)
	}
	gone, _ := url.Parse("http://127.0.0.1:1")
	front := httptest.NewServer(g.handler(gone))
	defer front.Close()
	if a := send(t, front.URL, "ka", 50); a.StatusCode != 502 {
		t.Errorf("%d from a backend that is gone, want 502", a.StatusCode)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, f := range g.q.Snapshot().Flows {
		if f.Finish != before[i].Finish {
			t.Errorf("flow %v has paid for errors", f.Key)
		}
	}
	if g.q.End(keep, 1) != nil || g.Served["acme/search"] != 0 {
		t.Errorf("served %v, want nothing", g.Served)
	}
}

// TestSlowClientIsCutOff: a client that stops reading loses its stream, and pays for what came.
func TestSlowClientIsCutOff(t *testing.T) {
	address, g, _ := served(t, twoTenants, 1, 9, time.Minute, 0, filepath.Join(t.TempDir(), "state"))
	c, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	body := `{"max_tokens":10000000,"stream":true}`
	fmt.Fprintf(c, "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nX-Api-Key: ka\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	within(t, 5*time.Second, "it starts", func() bool { return !g.idle() })
	within(t, 20*time.Second, "a client that does not read is cut off", g.idle)
	if g.Served["acme/search"] == 0 {
		t.Error("it has paid nothing")
	}
}

// TestHangUpWhileWaiting: a client that goes before its turn leaves nothing behind.
func TestHangUpWhileWaiting(t *testing.T) {
	address, g, _ := served(t, twoTenants, 0, 9, time.Minute, 0, filepath.Join(t.TempDir(), "state"))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	ask(ctx, address, "ka", 1, true)
	within(t, 5*time.Second, "nobody waits", g.idle)
	if key, ok := g.q.Next(nil); ok {
		t.Errorf("%s has something waiting", key)
	}
}

// TestPageInBrowser: the page, opened by a browser where one is installed, shows the tenants.
func TestPageInBrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"google-chrome", "chromium-browser", "chromium"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
		}
	}
	if testing.Short() || browser == "" {
		t.Skip("starts a browser: chromium or google-chrome")
	}
	address, _, _ := served(t, twoTenants, 1, 9, time.Minute, 0, filepath.Join(t.TempDir(), "state"))
	send(t, address, "ka", 17)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
		"--user-data-dir="+t.TempDir(), "--dump-dom", address+"/")
	c.WaitDelay = time.Second
	text, err := c.Output()
	if err != nil || !strings.Contains(string(text), "<td>acme/search</td><td>0</td><td>17</td>") || !strings.Contains(string(text), "<td>bob</td>") {
		t.Errorf("%s: %v, and the document %s", browser, err, text)
	}
}

// TestTermination: at SIGTERM a gateway, as a process, serves who waits, refuses new ones, writes its
// snapshot and ends well. Nothing that it says, and no file but the tenants', holds a key.
func TestTermination(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a process")
	}
	dir := t.TempDir()
	binary, state := filepath.Join(dir, "gateway"), filepath.Join(dir, "state.json")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	status := new(atomic.Int32)
	backend := httptest.NewServer(llm(5*time.Millisecond, status))
	defer backend.Close()
	tenants := []tenant{{Name: "acme", Weight: 4, Keys: []string{"sk-secret-a"}}, {Name: "bob", Weight: 1, Keys: []string{"sk-secret-b"}}}
	c := exec.Command(binary, "-backend", backend.URL, "-tenants", fileOf(t, tenants), "-streams", "1", "-listen", "127.0.0.1:0", "-state", state)
	var said bytes.Buffer
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Process.Kill()
	first, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	said.WriteString(first)
	address := strings.Fields(first)[3]
	status.Store(500)
	send(t, address, "sk-secret-a", 1)
	status.Store(0)
	send(t, address, "sk-secret-unknown", 1)
	var seen bytes.Buffer
	for _, path := range []string{"/", "/metrics"} {
		a, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(&seen, a.Body)
		a.Body.Close()
	}
	var all sync.WaitGroup
	for i := range 3 {
		all.Add(1)
		go func() {
			defer all.Done()
			code, text, err := ask(context.Background(), address, []string{"sk-secret-a", "sk-secret-b"}[i%2], 100, true)
			if code != 200 || err != nil || strings.Count(text, "delta") != 100 {
				t.Errorf("a request that waited at SIGTERM: %d, %v, %d tokens, want 200 and 100", code, err, strings.Count(text, "delta"))
			}
		}()
	}
	time.Sleep(200 * time.Millisecond)
	c.Process.Signal(syscall.SIGTERM)
	time.Sleep(100 * time.Millisecond)
	if a, err := net.Dial("tcp", strings.TrimPrefix(address, "http://")); err == nil {
		a.Close()
		t.Error("a new connection is taken after SIGTERM")
	}
	all.Wait()
	if err := c.Wait(); err != nil {
		t.Errorf("the process ends with %v", err)
	}
	text, err := os.ReadFile(state)
	var s fairqueue.Snapshot[string]
	if err != nil || json.Unmarshal(text, &s) != nil || len(s.Flows) != 2 || len(s.Services) != 0 {
		t.Errorf("the snapshot is %s, %v, want two flows with nothing in flight", text, err)
	}
	for what, text := range map[string]string{"its output": said.String(), "/ and /metrics": seen.String(), "its snapshot": string(text)} {
		if strings.Contains(text, "sk-secret") {
			t.Errorf("%s holds a key:\n%s", what, text)
		}
	}
}
