package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const chat = "/v1/chat/completions"

// TestQueuePerTenant: one tenant with 200 clients at full queues takes no place from the others, and is
// refused before its bodies are read.
func TestQueuePerTenant(t *testing.T) {
	b := newBench(t, twoTenants, 0, 100, nil)
	for _, n := range b.config.nodes {
		n.Queue = 5
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all sync.WaitGroup
	var refused atomic.Int64
	for range 200 {
		all.Go(func() {
			if a, _, err := b.send(ctx, chat, order{User: "other"}, nil); err == nil && a.StatusCode == 429 && a.Header.Get("Retry-After") != "" {
				refused.Add(1)
			}
		})
	}
	within(t, "195 are refused and 5 wait", func() bool { return refused.Load() == 195 && b.waiting("other") == 5 })
	for range 5 {
		all.Go(func() { b.send(ctx, chat, order{User: "honest"}, nil) })
	}
	within(t, "five of honest wait", func() bool { return b.waiting("honest") == 5 })
	c, err := net.Dial("tcp", strings.TrimPrefix(b.address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "POST "+chat+" HTTP/1.1\r\nHost: x\r\nX-Api-Key: other\r\nContent-Length: 1000\r\n\r\n") // and no body
	if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, "429") {
		t.Errorf("a body that would be read is answered by %q, %v, want 429", line, err)
	}
	stop()
	all.Wait()
	within(t, "all have left", b.idle)
}

// TestQueueOfInnerNode: the limit of a node counts all below it.
func TestQueueOfInnerNode(t *testing.T) {
	b := newBench(t, `[{"name":"acme","weight":1,"queue":2,"children":[{"name":"a","weight":1,"keys":["a"]},{"name":"b","weight":1,"keys":["b"]}]},{"name":"honest","weight":1,"keys":["honest"]}]`, 0, 100, nil)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for _, user := range []string{"a", "b", "honest"} {
		go b.send(ctx, chat, order{User: user}, nil)
	}
	within(t, "three wait", func() bool { return b.waiting("acme/a")+b.waiting("acme/b")+b.waiting("honest") == 3 })
	if a, _, err := b.send(ctx, chat, order{User: "b"}, nil); err != nil || a.StatusCode != 429 {
		t.Errorf("the third below acme gets %v, %v, want 429", a, err)
	}
}

// TestBodies: 200 bodies of 8 MB of one tenant are held up to the budget, and another tenant's small
// ones are never refused; neither are bodies that stall, or that are announced alone.
func TestBodies(t *testing.T) {
	const budget = 48 << 20
	b := newBench(t, twoTenants, 0, 100, func(f *front) { f.budget = budget })
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	var refused, odd, least atomic.Int64
	held := func() int64 {
		b.gate.mu.Lock()
		defer b.gate.mu.Unlock()
		return b.held
	}
	big := strings.Repeat("x", 8<<20-100)
	for i := range 200 {
		all.Go(func() {
			r, _ := http.NewRequestWithContext(ctx, "POST", b.address+chat, io.MultiReader(strings.NewReader(`{"user":"`), strings.NewReader(big), strings.NewReader(`"}`)))
			if i%2 == 0 {
				r.ContentLength = int64(len(big)) + 11
			}
			r.Header.Set("X-Api-Key", "other")
			a, err := client.Do(r)
			if err != nil {
				if ctx.Err() == nil {
					refused.Add(1) // the connection ends while the client still writes
				}
				return
			}
			defer a.Body.Close()
			if a.StatusCode == 429 {
				refused.Add(1)
			} else {
				odd.Add(1)
			}
		})
		if i%20 == 0 {
			all.Go(func() {
				if _, text, err := b.send(ctx, chat, order{User: "honest", Prompt: 100}, nil); err == nil {
					t.Errorf("honest gets an answer before its turn: %.100s", text)
				}
			})
		}
		if h := held(); h > budget {
			t.Errorf("%d bytes are held, want at most %d", h, budget)
		}
	}
	within(t, "all that the budget has no room for are refused", func() bool { return refused.Load() >= 200-budget/(8<<20) })
	within(t, "ten of honest wait", func() bool { return b.waiting("honest") == 10 })
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	least.Store(int64(m.HeapAlloc))
	t.Logf("%d of 200 are refused, %d MB are held and %d MB of heap in use", refused.Load(), held()>>20, m.HeapAlloc>>20)
	if m.HeapAlloc > 3*budget || odd.Load() > 0 {
		t.Errorf("%d MB of heap in use for %d MB of bodies, %d odd answers", m.HeapAlloc>>20, budget>>20, odd.Load())
	}
	for range 20 { // announced, and never sent
		c, err := net.Dial("tcp", strings.TrimPrefix(b.address, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nX-Api-Key: other\r\nContent-Length: %d\r\n\r\n{", chat, 8<<20)
	}
	within(t, "the stalled ones are refused", func() bool { return b.metric(t, `gateway_refused_total{reason="bodies"}`) >= 200-budget/(8<<20)+14 })
	if n := b.waiting("honest"); n != 10 {
		t.Errorf("%d of honest wait, want 10", n)
	}
}

// TestRefusals: what never reaches the backend, and costs nothing.
func TestRefusals(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, func(f *front) { f.most = 1 << 16 })
	for _, c := range []struct {
		method, path string
		header       [2]string
		body         string
		want         int
	}{
		{"POST", chat, [2]string{"Authorization", "Bearer nobody"}, "{}", 401},
		{"POST", chat, [2]string{"X-Api-Key", ""}, "{}", 401},
		{"GET", "/v1/models", [2]string{"X-Api-Key", "nobody"}, "", 401},
		{"GET", "/v1/models", [2]string{"X-Api-Key", "other"}, "", 200},
		{"GET", "/v1/models", [2]string{"X-Api-Key", "other"}, "null", 200},
		{"GET", "/v1/models", [2]string{"X-Api-Key", "other"}, strings.Repeat("x", 1<<11), 413},
		{"POST", chat, [2]string{"X-Api-Key", "other"}, `{"user":"` + strings.Repeat("x", 1<<16) + `"}`, 413},
		{"POST", chat, [2]string{"X-Api-Key", "other"}, `{"stream":"yes"}`, 400},
		{"POST", chat, [2]string{"Upgrade", "websocket"}, `{}`, 400},
		{"POST", chat, [2]string{"Content-Encoding", "gzip"}, `{}`, 400},
		{"POST", chat, [2]string{"Content-Encoding", "twice"}, `{}`, 400},
		{"POST", "/v1/responses", [2]string{"X-Api-Key", "other"}, `{"background":true}`, 400},
		{"GET", "/v1/responses/1", [2]string{"X-Api-Key", "other"}, "", 404},
		{"POST", "/v1/audio/transcriptions", [2]string{"X-Api-Key", "other"}, "{}", 404},
		{"POST", "/v1%2Fchat/completions", [2]string{"X-Api-Key", "other"}, "{}", 404},
		{"GET", "/metrics", [2]string{"X-Api-Key", "other"}, "", 404},
		{"GET", "/healthz", [2]string{}, "", 200},
		{"GET", "/readyz", [2]string{}, "", 200},
	} {
		r, err := http.NewRequest(c.method, b.address+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if c.header[0] != "" {
			r.Header.Set(c.header[0], c.header[1])
		}
		if c.header[1] == "twice" { // the first of the two is empty
			r.Header["Content-Encoding"] = []string{"", "gzip"}
		}
		if c.header[0] != "X-Api-Key" && c.header[0] != "Authorization" {
			r.Header.Set("X-Api-Key", "other")
		}
		a, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if a.Body.Close(); a.StatusCode != c.want {
			t.Errorf("%s %s with %v: %d, want %d", c.method, c.path, c.header, a.StatusCode, c.want)
		}
	}
	within(t, "all have left", b.idle)
	if len(b.totals) > 0 || len(b.fake.headers) > 0 {
		t.Errorf("charged %v, and %d requests at the backend, want none", b.totals, len(b.fake.headers))
	}
}

// TestCredentials: the backend gets the gateway's key, and neither a tenant's nor its cookies.
func TestCredentials(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, func(f *front) { f.credential = "own" })
	b.send(t.Context(), chat, order{User: "honest"}, func(r *http.Request) {
		r.Header.Set("X-Api-Key", "honest")
		r.Header.Set("Cookie", "honest")
	})
	h := b.fake.headers[0]
	if h.Get("Authorization") != "Bearer own" || h.Get("X-Api-Key")+h.Get("Cookie") != "" || h.Get("Accept-Encoding") != "identity" {
		t.Errorf("the backend gets %v", h)
	}
}

// TestErrorsCostNothing: neither a status nor a backend that is gone costs anything.
func TestErrorsCostNothing(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, nil)
	for _, status := range []int{400, 429, 500, 503} {
		if a, _, err := b.send(t.Context(), chat, order{User: "other", Prompt: 50, Status: status}, nil); err != nil || a.StatusCode != status {
			t.Errorf("%v, %v, want %d", a, err, status)
		}
	}
	b.reverse.Rewrite = rewriteTo(b.reverse.Rewrite, "127.0.0.1:1")
	if a, _, err := b.send(t.Context(), chat, order{User: "other", Prompt: 50}, nil); err != nil || a.StatusCode != 502 {
		t.Errorf("a backend that is gone: %v, %v, want 502", a, err)
	}
	within(t, "all have left", b.idle)
	if len(b.totals) > 0 {
		t.Errorf("charged %v, want nothing", b.totals)
	}
}

// hanging is a backend that sends what says has, and then nothing.
func hanging(t *testing.T, first, between time.Duration, says string) (b *bench, a *http.Response, err error) {
	b = newBench(t, twoTenants, 1, 100, func(f *front) { f.first, f.between = first, between })
	b.fake.pause = func(order) {}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { c.Close() })
			go func() {
				if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					fmt.Fprint(c, says)
				}
			}()
		}
	}()
	b.reverse.Rewrite = rewriteTo(b.reverse.Rewrite, l.Addr().String())
	a, _, err = b.send(t.Context(), chat, order{User: "other", Prompt: 50, Tokens: 5, Stream: true}, nil)
	return b, a, err
}

// TestBackendHangs: a backend that does not answer in time frees its stream, and who asked pays for
// what was sent and came.
func TestBackendHangs(t *testing.T) {
	const header = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
	event := "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"
	for _, c := range []struct {
		says           string
		first, between time.Duration
		status         int
		more           float64
	}{
		{"", 50 * time.Millisecond, time.Hour, 504, 0},
		{header, 2 * time.Second, time.Hour, 200, 0},
		{header + event + event, time.Hour, 50 * time.Millisecond, 200, 2},
	} {
		b, a, err := hanging(t, c.first, c.between, c.says)
		if a == nil || a.StatusCode != c.status || c.status == 200 && err == nil {
			t.Errorf("%q: %v, %v, want %d and for 200 an answer that is broken off", c.says, a, err, c.status)
		}
		within(t, "the stream is free", b.idle)
		if got, prompt := b.totals["other"], 50.; got < prompt+c.more || got > 2*prompt {
			t.Errorf("%q: charged %v, want about %v", c.says, got, prompt+c.more)
		}
	}
}

// TestSlowClient: a client that does not read loses its stream, and pays for what came.
func TestSlowClient(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, func(f *front) { f.slow = 50 * time.Millisecond })
	c, err := net.Dial("tcp", strings.TrimPrefix(b.address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	body := order{User: "other", Tokens: 1 << 30, Chunk: 1 << 10, Stream: true}.body()
	fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nX-Api-Key: other\r\nContent-Length: %d\r\n\r\n%s", chat, len(body), body)
	within(t, "it is cut off, and pays", func() bool { return b.idle() && b.totals["other"] > 1024 })
}

// TestLongRequests: a request may take longer than its body, and an old connection takes new ones.
func TestLongRequests(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, func(f *front) { f.slow = 500 * time.Millisecond })
	for range 3 {
		a, _, err := b.send(t.Context(), chat, order{User: "other", Tokens: 2, Stream: true}, nil)
		if err != nil || a.StatusCode != 200 {
			t.Errorf("%v, %v, want 200", a, err)
		}
		time.Sleep(600 * time.Millisecond) // beyond the deadline of the last write
		if a, err := http.Get(b.address + "/healthz"); err != nil || a.StatusCode != 200 {
			t.Errorf("/healthz: %v, %v, want 200", a, err)
		}
		if a, _, err := b.send(t.Context(), chat, order{User: "nobody"}, nil); err != nil || a.StatusCode != 401 {
			t.Errorf("%v, %v, want 401", a, err)
		}
	}
}

// TestWait: who waits for too long gets 503, and who hangs up meanwhile leaves nothing behind.
func TestWait(t *testing.T) {
	b := newBench(t, twoTenants, 0, 100, func(f *front) { f.patience = 20 * time.Millisecond })
	if a, _, err := b.send(t.Context(), chat, order{User: "other"}, nil); err != nil || a.StatusCode != 503 || a.Header.Get("Retry-After") == "" {
		t.Errorf("%v, %v, want 503", a, err)
	}
	b.patience = time.Hour
	ctx, stop := context.WithCancel(t.Context())
	go b.send(ctx, chat, order{User: "other"}, nil)
	within(t, "it waits", func() bool { return b.waiting("other") == 1 })
	stop()
	within(t, "nobody waits", b.idle)
	if key, ok := b.q.Next(nil); ok {
		t.Errorf("%s has something waiting", key)
	}
}

// TestPanic: a handler that panics ends that request alone.
func TestPanic(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, nil)
	b.panics = true
	rewrite := b.reverse.Rewrite
	b.reverse.Rewrite = func(*httputil.ProxyRequest) { panic("a fault") }
	if _, _, err := b.send(t.Context(), chat, order{User: "other"}, nil); err == nil {
		t.Error("the request is answered")
	}
	within(t, "its stream is free", b.idle)
	b.reverse.Rewrite = rewrite
	if a, _, err := b.send(t.Context(), chat, order{User: "other"}, nil); err != nil || a.StatusCode != 200 {
		t.Errorf("the next request gets %v, %v, want 200", a, err)
	}
}
