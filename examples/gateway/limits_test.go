package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
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
	var refused, odd atomic.Int64
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
		{"GET", "/v1/models/m", [2]string{"X-Api-Key", "other"}, "", 200},
		{"GET", "/v1/models/org/m", [2]string{"X-Api-Key", "other"}, "", 200},
		{"GET", "/v1/models/org%2Fm", [2]string{"X-Api-Key", "other"}, "", 200},
		{"GET", "/v1/models/m", [2]string{"X-Api-Key", "nobody"}, "", 401},
		{"GET", "/v1/models/", [2]string{"X-Api-Key", "other"}, "", 404},
		{"GET", "/v1/models/%2e%2e/%2e%2e/metrics", [2]string{"X-Api-Key", "other"}, "", 404},
		{"GET", "/v1/models/..%2F..%2Fmetrics", [2]string{"X-Api-Key", "other"}, "", 404},
		{"DELETE", "/v1/models/m", [2]string{"X-Api-Key", "other"}, "", 404},
		{"POST", chat, [2]string{"X-Api-Key", "other"}, `{"user":"` + strings.Repeat("x", 1<<16) + `"}`, 413},
		{"POST", chat, [2]string{"X-Api-Key", "other"}, `{"stream":"yes"}`, 400},
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

// TestHeaders: the backend gets the gateway's key, neither a tenant's nor its cookies, and no header
// by which a tenant chooses its turn there, or how its body is read.
func TestHeaders(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, func(f *front) { f.credential = "own" })
	a, _, err := b.send(t.Context(), chat, order{User: "honest"}, func(r *http.Request) {
		r.Header = http.Header{"X-Api-Key": {"honest"}, "Cookie": {"honest"}, "Accept": {"text/event-stream"}, "Accept-Encoding": {"gzip", "br"}, "Content-Type": {"multipart/form-data; boundary=x", "text/plain"},
			"X-Dynamo-Request-Priority": {"9"}, "X-Data-Parallel-Rank": {"0"}, "Connection": {"Authorization, Content-Length, Upgrade"}, "Upgrade": {"h2c"}, "Te": {"trailers"}, "X-Forwarded-For": {"1.2.3.4"},
			"Anthropic-Version": {"2023-06-01"}, "Anthropic-Beta": {"a", "b"}, "X-Request-Id": {"r"}, "Traceparent": {"00-1-2-01"}, "Tracestate": {"a=1"}}
	})
	got := b.fake.headers[0]
	want := http.Header{"Authorization": {"Bearer own"}, "X-Api-Key": {"own"}, "Accept": {"text/event-stream"}, "Accept-Encoding": {"identity"}, "Content-Type": {"application/json"}, "Content-Length": got["Content-Length"],
		"User-Agent": {"Go-http-client/1.1"}, "X-Forwarded-For": {"127.0.0.1"}, "X-Forwarded-Host": got["X-Forwarded-Host"], "X-Forwarded-Proto": {"http"},
		"Anthropic-Version": {"2023-06-01"}, "Anthropic-Beta": {"a", "b"}, "X-Request-Id": {"r"}, "Traceparent": {"00-1-2-01"}, "Tracestate": {"a=1"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the backend gets\n%v, want\n%v", got, want)
	}
	if err != nil || a.Header.Get("X-Ratelimit-Remaining-Requests") != "7" {
		t.Errorf("the client gets %v, %v, want what the backend has set", a, err)
	}
}

// TestWire: requests that are odd on the wire are refused, or cost what the backend's account says.
func TestWire(t *testing.T) {
	body := string(order{User: "other", Prompt: 10, Tokens: 3, Stream: true}.body())
	sized := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	chunked := fmt.Sprintf("Transfer-Encoding: chunked\r\nTrailer: Upgrade, X-Api-Key\r\n\r\n%x\r\n%s\r\n%x\r\n%s\r\n0\r\nUpgrade: h2c\r\nX-Api-Key: honest\r\n\r\n", 1, body[:1], len(body)-1, body[1:])
	for _, c := range []struct {
		what, line, rest string
		want             int
	}{
		{"plain", "POST " + chat, sized, 200},
		{"chunks and trailers", "POST " + chat, chunked, 200},
		{"another host in the line", "POST http://elsewhere" + chat, sized, 200},
		{"Expect", "POST " + chat, "Expect: 100-continue\r\n" + sized, 100},
		{"an unknown Expect", "POST " + chat, "Expect: 200-ok\r\n" + sized, 417},
		{"encoded letters", "POST /%76%31/chat/completions", sized, 200},
		{"a query", "POST " + chat + "?stream=false&n=8", sized, 200},
		{"an encoded slash", "POST /v1/chat%2Fcompletions", sized, 404},
		{"a slash at the end", "POST " + chat + "/", sized, 404},
		{"two slashes", "POST //v1/chat/completions", sized, 307},
		{"dots", "POST /v1/models/../chat/completions", sized, 307},
		{"another case", "POST /V1/chat/completions", sized, 404},
		{"another method", "PUT " + chat, sized, 404},
		{"CONNECT", "CONNECT elsewhere:80", "\r\n", 404},
		{"both lengths", "POST " + chat, "Content-Length: 4\r\n" + chunked, 200}, // the chunks count
		{"two lengths", "POST " + chat, "Content-Length: 4\r\n" + sized, 400},
		{"an upgrade", "POST " + chat, "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAA\r\n" + sized, 200},
		{"an upgrade to no word", "POST " + chat, "Connection: Upgrade\r\nUpgrade: \x80\r\n" + sized, 200},
	} {
		b := newBench(t, twoTenants, 1, 100, nil)
		conn, err := net.Dial("tcp", strings.TrimPrefix(b.address, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: x\r\nX-Api-Key: other\r\n%s", c.line, c.rest)
		from := bufio.NewReader(conn)
		a, err := http.ReadResponse(from, nil)
		if err != nil || a.StatusCode != c.want {
			t.Errorf("%s: %v, %v, want %d", c.what, a, err, c.want)
			continue
		}
		if c.want == 100 {
			a, err = http.ReadResponse(from, nil)
		}
		if err == nil && a.StatusCode == 200 {
			_, err = io.ReadAll(a.Body)
		}
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		within(t, "it has ended", b.idle)
		if got, want := b.totals["other"], b.fake.cost["other"]; got != want || (want == 13) != (c.want <= 200) || b.totals["honest"] != 0 {
			t.Errorf("%s: charged %v, want %v", c.what, b.totals, want)
		}
		if uri := strings.Join(b.fake.asked, " "); c.want <= 200 && !strings.HasPrefix(uri, chat) {
			t.Errorf("%s: the backend gets %.80s", c.what, uri)
		}
	}
}

// TestOldClients: HTTP/1.0, whose stream ends with the connection, and a request that is sent before the
// answer to the one before it.
func TestOldClients(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, nil)
	body := string(order{User: "other", Prompt: 10, Tokens: 3, Stream: true}.body())
	for request, want := range map[string]int{"POST %s HTTP/1.0\r\nX-Api-Key: other\r\nContent-Length: %d\r\n\r\n%s": 1, "POST %s HTTP/1.1\r\nHost: x\r\nX-Api-Key: other\r\nContent-Length: %d\r\n\r\n%s": 2} {
		before := b.charged("other")
		conn, err := net.Dial("tcp", strings.TrimPrefix(b.address, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		request = fmt.Sprintf(request, chat, len(body), body)
		fmt.Fprint(conn, strings.Repeat(request, want))
		from := bufio.NewReader(conn)
		for range want {
			a, err := http.ReadResponse(from, nil)
			if err != nil {
				t.Fatalf("%.40q: %v", request, err)
			}
			text, err := io.ReadAll(a.Body)
			if err != nil || strings.Count(string(text), "wort") != 3 || (a.TransferEncoding == nil) != a.Close {
				t.Errorf("%.40q: %v, %q, %v, want three tokens, and chunks unless the connection ends", request, a, text, err)
			}
		}
		within(t, "all have ended", b.idle)
		if got := b.charged("other") - before; got != float64(want*13) {
			t.Errorf("%.40q: charged %v, want %v", request, got, want*13)
		}
	}
}

// TestTenantHeader: a proxy before the gateway names the tenant, once; two names may be one of the client's. Without
// -header no header does.
func TestTenantHeader(t *testing.T) {
	for _, header := range []string{"-", "X-Tenant"} {
		b := newBench(t, `[{"name":"acme","weight":1,"children":[{"name":"a","weight":1,"keys":["k"]}]}]`, 1, 100, func(f *front) { f.header = header })
		for _, names := range [][]string{{"acme/a"}, nil, {""}, {"acme"}, {"acme/"}, {"nobody"}, {"acme/a", "nobody"}, {"acme/a", "acme/a"}} {
			for _, key := range []string{"k", "nobody"} {
				want := 401
				if header == "-" && key == "k" || header != "-" && len(names) == 1 && names[0] == "acme/a" {
					want = 200
				}
				a, _, err := b.send(t.Context(), chat, order{User: key}, func(r *http.Request) { r.Header[header] = names })
				if err != nil || a.StatusCode != want {
					t.Errorf("header %s: %q and key %s: %v, %v, want %d", header, names, key, a, err, want)
				}
			}
		}
	}
}

// TestSlowSender: a body that comes a byte at a time is given up in time, and holds its place and its
// bytes no longer.
func TestSlowSender(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, func(f *front) { f.body = 200 * time.Millisecond })
	for _, length := range []string{"Content-Length: 100000", "Transfer-Encoding: chunked"} {
		from, to := io.Pipe()
		r, _ := http.NewRequest("POST", b.address+chat, from)
		if r.Header.Set("X-Api-Key", "other"); length[0] == 'C' {
			r.ContentLength = 100000
		}
		go func() {
			for {
				if _, err := to.Write([]byte(" ")); err != nil {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		}()
		a, err := client.Do(r)
		if from.Close(); err == nil && a.StatusCode != 408 { // an error: the connection ends while the client still writes
			t.Errorf("%s: %v, want 408", length, a)
		}
		within(t, "it has left", b.idle)
	}
	if n := b.metric(t, `gateway_refused_total{reason="body"}`); n != 2 {
		t.Errorf("%v bodies are refused, want 2", n)
	}
}

// TestFree: what is free waits for nobody, and has places of its tenant, so that one that asks for it
// without end does not fill the backend.
func TestFree(t *testing.T) {
	b := newBench(t, twoTenants, 0, 100, nil)
	b.config.names["other"].Queue = 5
	block, inside := make(chan struct{}), make(chan struct{}, 10)
	back := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inside <- struct{}{}; <-block }))
	defer back.Close()
	b.backend, _ = url.Parse(back.URL)
	models := func() int {
		r, _ := http.NewRequest("GET", b.address+"/v1/models", nil)
		r.Header.Set("X-Api-Key", "other")
		a, err := client.Do(r)
		if err != nil {
			t.Error(err)
			return 0
		}
		a.Body.Close()
		return a.StatusCode
	}
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			if code := models(); code != 200 {
				t.Errorf("a list of models is %d, want 200", code)
			}
		})
	}
	for range 5 {
		<-inside
	}
	if code := models(); code != 429 {
		t.Errorf("the sixth at once is %d, want 429", code)
	}
	close(block)
	all.Wait()
	within(t, "all have left", b.idle)
	if len(b.totals) > 0 {
		t.Errorf("charged %v, want nothing", b.totals)
	}
}

// TestManyKeys: of the most tenants that a file may have each tenth is served, while the file is read
// again.
func TestManyKeys(t *testing.T) {
	var text strings.Builder
	for i := range mostTenants {
		fmt.Fprintf(&text, `,{"name":"t%d","weight":1,"keys":["%d"]}`, i, i)
	}
	all := "[" + text.String()[1:] + "]"
	b := newBench(t, all, 8, 100, nil)
	jobs := make(chan int)
	var clients sync.WaitGroup
	for range 32 {
		clients.Go(func() {
			for i := range jobs {
				a, _, err := b.send(t.Context(), chat, order{User: fmt.Sprint(i), Prompt: 10, Tokens: 2}, nil)
				if err != nil || a.StatusCode != 200 {
					t.Errorf("key %d: %v, %v", i, a, err)
				}
			}
		})
	}
	const step = 10
	for i := 0; i < mostTenants; i += step {
		if jobs <- i; i == mostTenants/2 {
			if err := b.load(configOf(t, all)); err != nil {
				t.Fatal(err)
			}
		}
	}
	close(jobs)
	clients.Wait()
	within(t, "all have left", b.idle)
	for name, total := range b.totals {
		if total != 12 {
			t.Errorf("%s is charged %v, want 12", name, total)
		}
	}
	if others := b.metric(t, `gateway_tokens_total{kind="output",tenant="others"}`); len(b.totals) != mostTenants/step || others != 2*(mostTenants-mostLabels)/step {
		t.Errorf("%d tenants are charged, want %d, and %v tokens of others", len(b.totals), mostTenants/step, others)
	}
}

// TestErrorsCostNothing: neither an error of the backend's own nor a backend that is gone costs anything.
func TestErrorsCostNothing(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, nil)
	for _, status := range []int{429, 500, 503} {
		if a, _, err := b.send(t.Context(), chat, order{User: "other", Prompt: 50, Status: status}, nil); err != nil || a.StatusCode != status || a.Header.Get("Retry-After") != "7" {
			t.Errorf("%v, %v, want %d and Retry-After of 7", a, err, status)
		}
	}
	b.backend = &url.URL{Scheme: "http", Host: "127.0.0.1:1"}
	if a, _, err := b.send(t.Context(), chat, order{User: "other", Prompt: 50}, nil); err != nil || a.StatusCode != 502 {
		t.Errorf("a backend that is gone: %v, %v, want 502", a, err)
	}
	within(t, "all have left", b.idle)
	if n := b.metric(t, `gateway_first_token_seconds_count{tenant="other"}`); len(b.totals) > 0 || n > 0 {
		t.Errorf("charged %v, and %v first tokens, want nothing", b.totals, n)
	}
}

// TestRefusedByBackend: a request that the backend refuses costs the time that it took there: for nothing, a tenant
// whose prompts are too long would always be first.
func TestRefusedByBackend(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, nil)
	if a, _, err := b.send(t.Context(), chat, order{User: "other", Prompt: 50, Status: 400}, nil); err != nil || a.StatusCode != 400 {
		t.Errorf("%v, %v, want 400", a, err)
	}
	within(t, "it has ended", b.idle)
	if got := b.totals["other"]; got != 1 {
		t.Errorf("one that takes no time is charged %v, want 1", got)
	}
	for _, c := range []struct {
		status  int
		n, want float64
	}{{200, 1, 50}, {400, 1, 50}, {400, 128, 50}, {404, 1, 50}, {422, 1, 50}, {429, 1, 0}, {500, 1, 0}} {
		before := b.totals["honest"]
		x := b.begin(t, &ask{n: c.n, most: 1})
		x.begun = x.begun.Add(-10 * time.Second)
		if c.status == 200 { // the pace is five tokens a second
			x.end(tokens{output: 50}, true, 0)
		} else if err := x.answer(&http.Response{StatusCode: c.status}); err != nil {
			t.Fatal(err)
		}
		if got := b.totals["honest"] - before; got < .9*c.want || got > 2*c.want {
			t.Errorf("%d after ten seconds, to %v answers: charged %v, want %v", c.status, c.n, got, c.want)
		}
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
	b.backend = &url.URL{Scheme: "http", Host: l.Addr().String()}
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
		{"", time.Second, time.Hour, 504, 0},
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
	within(t, "it is cut off, and pays", func() bool { return b.idle() && b.charged("other") > 1024 })
}

// TestLateClient: a client that takes a little all the time has -slow for all of it, without the time of the
// backend, which does not run meanwhile: else it would hold a stream for as long as it likes.
func TestLateClient(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, nil)
	const slow, pause = time.Hour, 5 * time.Millisecond // of the backend, and then of the client
	var until deadline
	x := b.begin(t, &ask{n: 1, stream: true})
	x.client = http.NewResponseController(&until)
	began := time.Now()
	a := &answer{ReadCloser: io.NopCloser(pausing(pause)), request: x, stream: true, left: slow, offered: time.Now()}
	defer a.Close()
	for i := range time.Duration(10) {
		if _, err := a.Read(make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		if x.timer.Stop() {
			t.Errorf("after %d events the time of the backend runs while its client takes the event", i+1)
		}
		left := time.Until(until.Time)
		if least, most := slow+(i+1)*pause-time.Since(began), slow-i*pause; left < least || left > most {
			t.Errorf("after %d events the client has %v, want %v to %v", i+1, left, least, most)
		}
		time.Sleep(pause)
	}
}

// A deadline is the last one of a client.
type deadline struct {
	http.ResponseWriter
	time.Time
}

func (d *deadline) SetWriteDeadline(t time.Time) error { d.Time = t; return nil }

// Pausing is a backend that pauses before each event.
type pausing time.Duration

func (p pausing) Read(b []byte) (int, error) {
	time.Sleep(time.Duration(p))
	return copy(b, "data: {}\n\n"), nil
}

// TestSlowClientOfFree: what costs nothing, a list of models or an error, which may hold all that was sent, ends in
// time whether its client reads or not: else it would keep its body and a connection of the backend.
func TestSlowClientOfFree(t *testing.T) {
	for line, status := range map[string]int{"GET /v1/models": 200, "POST " + chat: 400} {
		for _, reads := range []bool{false, true} {
			b := newBench(t, twoTenants, 1, 100, func(f *front) { f.slow = 500 * time.Millisecond })
			over := make(chan struct{})
			back := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer close(over)
				w.WriteHeader(status)
				for r.Context().Err() == nil {
					w.Write(make([]byte, 1<<20))
				}
			}))
			b.backend, _ = url.Parse(back.URL)
			c, err := net.Dial("tcp", strings.TrimPrefix(b.address, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: x\r\nX-Api-Key: other\r\nContent-Length: 2\r\n\r\n{}", line)
			if reads {
				go io.Copy(io.Discard, c)
			}
			select {
			case <-over:
				within(t, "it has left", b.idle)
			case <-time.After(20 * time.Second):
				t.Errorf("%s: a client, which reads: %t, still holds the backend", line, reads)
			}
			c.Close()
			back.CloseClientConnections()
			back.Close()
		}
	}
}

// TestLongRequests: a request may take longer than its body, and an old connection takes new ones.
func TestLongRequests(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, func(f *front) { f.slow = 500 * time.Millisecond })
	c, err := net.Dial("tcp", strings.TrimPrefix(b.address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	from := bufio.NewReader(c)
	body := order{User: "other", Tokens: 2, Stream: true}.body()
	for _, next := range []struct {
		line, key string
		want      int
	}{{"POST " + chat, "other", 200}, {"GET /healthz", "", 200}, {"POST " + chat, "other", 200}, {"POST " + chat, "nobody", 401}, {"POST " + chat, "other", 200}} {
		fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\nContent-Length: %d\r\n\r\n%s", next.line, next.key, len(body), body)
		a, err := http.ReadResponse(from, nil)
		if err == nil {
			_, err = io.Copy(io.Discard, a.Body)
		}
		if err != nil || a.StatusCode != next.want {
			t.Fatalf("%s of %q: %v, %v, want %d", next.line, next.key, a, err, next.want)
		}
		time.Sleep(600 * time.Millisecond) // beyond the deadline of the last write
	}
}

// TestSizedStream: a stream whose length the backend has said is whole without the event that is taken out.
func TestSizedStream(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, nil)
	const event, usage = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n", "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9}}\n\n"
	back := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Length", fmt.Sprint(len(event+usage)))
		fmt.Fprint(w, event+usage)
	}))
	defer back.Close()
	b.backend, _ = url.Parse(back.URL)
	if a, text, err := b.send(t.Context(), chat, order{User: "other", Stream: true}, nil); err != nil || text != event {
		t.Errorf("%v, %q, %v, want %q", a, text, err, event)
	}
}

// TestGzipAnyway: a stream that the backend encodes though it was not asked to passes as it is, and costs its
// prompt and its bytes.
func TestGzipAnyway(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, nil)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	for i := range 1000 {
		fmt.Fprintf(z, "data: {\"choices\":[{\"delta\":{\"content\":\"%x\"}}]}\n\n", i*i*i)
	}
	z.Close()
	back := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Encoding", "gzip")
		w.Write(packed.Bytes())
	}))
	defer back.Close()
	b.backend, _ = url.Parse(back.URL)
	a, text, err := b.send(t.Context(), chat, order{User: "other", Prompt: 100, Stream: true}, nil)
	if err != nil || a.Header.Get("Content-Encoding") != "gzip" || text != packed.String() {
		t.Errorf("%v, %v: %d bytes of %d, or others", a, err, len(text), packed.Len())
	}
	within(t, "it has ended", b.idle)
	if got, want := b.totals["other"], float64(400+packed.Len())/4; got < want || got > 1.5*want {
		t.Errorf("charged %v, want about %v", got, want)
	}
}

// TestPause: a backend that pauses for longer than a client may take for one write cuts nothing off, before an
// event and before the end.
func TestPause(t *testing.T) {
	t.Parallel()
	for _, protocol := range []int{1, 2} {
		for _, last := range []string{"", "data: [DONE]\n\n"} {
			t.Run(fmt.Sprintf("HTTP/%d, %d bytes after it", protocol, len(last)), func(t *testing.T) {
				t.Parallel()
				b := newBench(t, twoTenants, 1, 100, func(f *front) { f.slow = 2 * time.Second })
				const event = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"
				back := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "text/event-stream")
					fmt.Fprint(w, event)
					w.(http.Flusher).Flush()
					time.Sleep(b.slow + time.Second/2)
					fmt.Fprint(w, last)
				}))
				defer back.Close()
				b.backend, _ = url.Parse(back.URL)
				front := httptest.NewUnstartedServer(b.handler())
				front.EnableHTTP2 = protocol == 2
				front.StartTLS()
				defer front.Close()
				r, _ := http.NewRequest("POST", front.URL+chat, strings.NewReader(`{"stream":true}`))
				r.Header.Set("X-Api-Key", "other")
				a, err := front.Client().Do(r)
				if err != nil {
					t.Fatal(err)
				}
				defer a.Body.Close()
				text, err := io.ReadAll(a.Body)
				if err != nil || a.ProtoMajor != protocol || string(text) != event+last {
					t.Errorf("HTTP/%d: %q, %v, want %q", a.ProtoMajor, text, err, event+last)
				}
			})
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
	backend := b.backend
	b.backend = nil
	if _, _, err := b.send(t.Context(), chat, order{User: "other"}, nil); err == nil {
		t.Error("the request is answered")
	}
	within(t, "its stream is free", b.idle)
	b.backend = backend
	if a, _, err := b.send(t.Context(), chat, order{User: "other"}, nil); err != nil || a.StatusCode != 200 {
		t.Errorf("the next request gets %v, %v, want 200", a, err)
	}
}
