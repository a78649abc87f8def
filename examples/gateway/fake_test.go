package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
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
)

// An order is what a client wants of the fake. It goes there in the body, which the gateway does not
// read for it, as does who sends it.
type order struct {
	ID      int64  `json:"id,omitempty"`
	User    string `json:"user"`
	Prompt  int    `json:"prompt_size"` // tokens, of four bytes each
	Cached  int    `json:"cached_size,omitempty"`
	Tokens  int    `json:"answer_size"`      // of each answer
	Chunk   int    `json:"chunk,omitempty"`  // tokens of an event; 0: 1
	Bytes   int    `json:"bytes,omitempty"`  // of a token; 0: 4
	Silent  bool   `json:"silent,omitempty"` // no usage is said
	Hang    int    `json:"hang,omitempty"`   // the client hangs up before this token of a stream, from 1
	Pad     int    `json:"pad,omitempty"`    // bytes that the last event repeats of the request
	Status  int    `json:"status,omitempty"`
	N       int    `json:"n,omitempty"`
	Stream  bool   `json:"stream,omitempty"`
	Options any    `json:"stream_options,omitempty"`
	Most    int    `json:"max_tokens,omitempty"`
}

// body is the order as a request, with a prompt of its size.
func (o order) body() []byte {
	text, _ := json.Marshal(o)
	return append(text[:len(text)-1], `,"prompt":"`+strings.Repeat("wort", o.Prompt)+`"}`...)
}

// A fake is a backend that speaks as vLLM does, and keeps its own account.
type fake struct {
	prices  tokens
	pause   func(o order) // before the last token of each answer
	mu      sync.Mutex
	cost    map[string]float64 // of what it has done for each user, once its service has ended
	begun   map[string]float64 // the same, from the beginning
	inside  map[string]int     // services
	ended   func()
	hang    map[int64]chan struct{} // closed when the client is to hang up
	headers []http.Header
	asked   []string // URIs, and bodies
}

func newFake() *fake {
	return &fake{prices: tokens{1, 1, 1}, pause: func(order) {}, cost: map[string]float64{}, begun: map[string]float64{}, inside: map[string]int{}, ended: func() {}, hang: map[int64]chan struct{}{}}
}

// usages is what the fake says of an order of which so many tokens of each answer are written.
func usages(form string, o order, written int) string {
	n := max(o.N, 1) * written
	switch form {
	case "/v1/responses":
		return fmt.Sprintf(`{"input_tokens":%d,"input_tokens_details":{"cached_tokens":%d},"output_tokens":%d}`, o.Prompt, o.Cached, n)
	case "/v1/messages":
		return fmt.Sprintf(`{"input_tokens":%d,"cache_read_input_tokens":%d,"output_tokens":%d}`, o.Prompt-o.Cached, o.Cached, n)
	}
	return fmt.Sprintf(`{"prompt_tokens":%d,"total_tokens":%d,"completion_tokens":%d,"prompt_tokens_details":{"cached_tokens":%d}}`, o.Prompt, o.Prompt+n, n, o.Cached)
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == "GET" {
		if text, _ := io.ReadAll(r.Body); len(text) > 0 {
			http.Error(w, "a GET with a body", 400)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if id, one := strings.CutPrefix(r.URL.Path, "/v1/models/"); one {
			fmt.Fprintf(w, `{"id":%q,"object":"model"}`, id)
			return
		}
		fmt.Fprint(w, `{"object":"list","data":[{"id":"m","object":"model"}]}`)
		return
	}
	text, err := io.ReadAll(r.Body)
	var o order
	var options struct{ Include_usage, Continuous_usage_stats bool }
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	given, _ := json.Marshal(o.Options)
	json.Unmarshal(given, &options)
	if choices := strings.HasSuffix(r.URL.Path, "completions"); o.Options != nil && (!o.Stream || !choices) {
		err = fmt.Errorf("stream options can only be defined when stream is true, and not at %s", r.URL.Path)
	}
	if err != nil {
		http.Error(w, err.Error(), 400)
		return
	}
	f.mu.Lock()
	f.headers, f.asked = append(f.headers, r.Header.Clone()), append(f.asked, r.RequestURI, string(text))
	f.mu.Unlock()
	w.Header().Set("X-Ratelimit-Remaining-Requests", "7")
	if o.Status > 0 {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(o.Status)
		fmt.Fprint(w, "no")
		return
	}
	out, flush := io.Writer(w), w.(http.Flusher).Flush
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		out, flush = z, func() { z.Flush(); w.(http.Flusher).Flush() }
	}
	written := 0
	price := func(written int) float64 {
		return float64(o.Prompt-o.Cached)*f.prices.prompt + float64(o.Cached)*f.prices.cached + float64(max(o.N, 1)*written)*f.prices.output
	}
	f.mu.Lock()
	f.begun[o.User] += price(o.Tokens)
	f.inside[o.User]++
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.cost[o.User] += price(written)
		f.begun[o.User] -= price(o.Tokens) - price(written)
		f.inside[o.User]--
		f.ended()
	}()
	f.answer(r, o, options.Include_usage, out, w.Header(), flush, &written)
}

// answer writes an answer in the form of the path, and counts the tokens of each choice.
func (f *fake) answer(r *http.Request, o order, usage bool, out io.Writer, h http.Header, flush func(), written *int) {
	form, chunk := r.URL.Path, max(o.Chunk, 1)
	word := strings.Repeat("x", max(o.Bytes, 4*min(1, max(0, 4-o.Bytes))))
	if o.Bytes == 0 {
		word = "wort"
	}
	said := func() string {
		if o.Silent {
			return "null"
		}
		return usages(form, o, *written)
	}
	if !o.Stream {
		if o.Hang > 0 {
			*written = o.Tokens
			f.hangUp(r, o)
			return
		}
		f.pause(o)
		*written = o.Tokens
		h.Set("Content-Type", "application/json")
		body := strings.Repeat(word, *written)
		switch form {
		case "/v1/messages/count_tokens":
			fmt.Fprintf(out, `{"input_tokens":%d}`, o.Prompt)
		case "/v1/embeddings":
			fmt.Fprintf(out, `{"data":[{"embedding":[%s0]}],"usage":%s}`, strings.Repeat("0.125,", 100), said())
		case "/v1/responses":
			fmt.Fprintf(out, `{"tools":[{"usage":{"input_tokens":1}}],"output":[{"content":[{"type":"output_text","text":"%s"}]}],"usage":%s}`, body, said())
		case "/v1/messages":
			fmt.Fprintf(out, `{"type":"message","content":[{"type":"text","text":"%s"}],"usage":%s}`, body, said())
		default:
			fmt.Fprintf(out, `{"id":"c","object":"chat.completion","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"%s"}}],"usage":%s}`, body, said())
		}
		return
	}
	h.Set("Content-Type", "text/event-stream")
	event := func(text string, args ...any) {
		fmt.Fprintf(out, "data: "+text+"\n\n", args...)
		flush()
	}
	switch form {
	case "/v1/responses":
		event(`{"type":"response.created","response":{"usage":null}}`)
	case "/v1/messages":
		event(`{"type":"message_start","message":{"usage":%s}}`, said())
	}
	for *written < o.Tokens {
		if o.Hang > 0 && *written >= o.Hang-1 {
			f.hangUp(r, o)
			return
		}
		if *written+chunk >= o.Tokens {
			f.pause(o)
		}
		k := min(chunk, o.Tokens-*written)
		*written += k
		for i := range max(o.N, 1) {
			switch body := strings.Repeat(word, k); form {
			case "/v1/responses":
				event(`{"type":"response.output_text.delta","delta":"%s"}`, body)
			case "/v1/messages":
				event(`{"type":"content_block_delta","delta":{"type":"text_delta","text":"%s"}}`, body)
			case "/v1/completions":
				event(`{"choices":[{"index":%d,"text":"%s"}],"usage":null}`, i, body)
			default:
				event(`{"id":"c","object":"chat.completion.chunk","choices":[{"index":%d,"delta":{"content":"%s"}}],"usage":null}`, i, body)
			}
		}
		if r.Context().Err() != nil {
			return
		}
	}
	switch form {
	case "/v1/responses":
		event(`{"type":"response.output_text.done","text":"%s"}`, strings.Repeat(word, *written))
		event(`{"type":"response.completed","response":{"instructions":"%s","tools":[{"usage":{"input_tokens":1}}],"output":[{"content":[{"text":"%s"}]}],"usage":%s}}`, strings.Repeat("x", o.Pad), strings.Repeat(word, *written), said())
	case "/v1/messages":
		event(`{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":%d}}`, max(o.N, 1)**written)
		event(`{"type":"message_stop"}`)
	default:
		if usage && !o.Silent {
			event(`{"id":"c","object":"chat.completion.chunk","choices":[],"usage":%s}`, said())
		}
		event(`[DONE]`)
	}
}

// hangUp tells the client to hang up, and waits until it has.
func (f *fake) hangUp(r *http.Request, o order) {
	f.pause(o)
	f.mu.Lock()
	close(f.hang[o.ID])
	f.mu.Unlock()
	<-r.Context().Done()
}

// A bench is a gateway in this process before a fake.
type bench struct {
	*front
	fake    *fake
	address string
	orders  atomic.Int64
	said    notes
	panics  bool // a handler is to panic
}

// Notes are what a server says.
type notes struct {
	mu   sync.Mutex
	said bytes.Buffer
}

func (n *notes) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.said.Write(b)
}

func (n *notes) text() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.said.String()
}

// twoTenants are honest of weight 4, and other of weight 1.
const twoTenants = `[{"name":"honest","weight":4,"keys":["honest"]},{"name":"other","weight":1,"keys":["other"]}]`

func fileOf(t testing.TB, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "tenants.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func configOf(t testing.TB, text string) *config {
	t.Helper()
	c, err := readConfig(fileOf(t, text), 1000)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// newBench opens a gateway of these tenants. change sets what differs from the usual settings.
func newBench(t testing.TB, tenants string, streams int, lag float64, change func(*front)) *bench {
	t.Helper()
	f := &front{gate: new(gate), metrics: newMetrics(), header: "-", most: 16 << 20, body: time.Minute, slow: time.Minute, first: time.Minute, between: time.Minute}
	f.streams, f.patience, f.budget, f.prices = streams, time.Hour, 1<<30, tokens{1, 1, 1}
	if change != nil {
		change(f)
	}
	b := &bench{front: f, fake: newFake()}
	b.fake.prices = f.prices
	if err := f.open(lag); err != nil {
		t.Fatal(err)
	}
	if err := f.load(configOf(t, tenants)); err != nil {
		t.Fatal(err)
	}
	back := httptest.NewServer(b.fake)
	f.backend, _ = url.Parse(back.URL)
	front := httptest.NewUnstartedServer(f.handler())
	front.Config.ErrorLog = log.New(&b.said, "", 0)
	front.Start()
	b.address = front.URL
	t.Cleanup(func() {
		front.CloseClientConnections()
		front.Close()
		back.CloseClientConnections()
		back.Close()
		if text := b.said.text(); strings.Contains(text, "panic") != b.panics {
			t.Errorf("panics are %t, want %t: %.2000s", !b.panics, b.panics, text)
		}
	})
	return b
}

// send sends an order with its user's key, and hangs up if the order says so.
func (b *bench) send(ctx context.Context, path string, o order, change func(*http.Request)) (*http.Response, string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	hang := make(chan struct{})
	if o.Hang > 0 {
		o.ID = b.orders.Add(1)
		b.fake.mu.Lock()
		b.fake.hang[o.ID] = hang
		b.fake.mu.Unlock()
		if o.Hang == 1 || !o.Stream {
			go func() {
				select {
				case <-hang:
					cancel()
				case <-ctx.Done():
				}
			}()
		}
	}
	r, err := http.NewRequestWithContext(ctx, "POST", b.address+path, bytes.NewReader(o.body()))
	if err != nil {
		return nil, "", err
	}
	r.Header.Set("Authorization", "Bearer "+o.User)
	if change != nil {
		change(r)
	}
	a, err := client.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer a.Body.Close()
	if o.Hang > 1 && o.Stream { // after what it has read
		for lines, n := bufio.NewScanner(a.Body), 0; n < o.Hang-1 && lines.Scan(); {
			n += strings.Count(lines.Text(), "wort")
		}
		select {
		case <-hang:
		case <-ctx.Done():
		}
		return a, "", context.Canceled
	}
	text, err := io.ReadAll(a.Body)
	return a, string(text), err
}

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100, DisableCompression: true}}

// waiting is how many requests of a tenant wait.
func (b *bench) waiting(name string) int {
	b.gate.mu.Lock()
	defer b.gate.mu.Unlock()
	return b.config.names[name].ready
}

// charged is what a tenant has been charged.
func (b *bench) charged(name string) float64 {
	b.gate.mu.Lock()
	defer b.gate.mu.Unlock()
	return b.totals[name]
}

// idle reports whether nothing waits or is in flight, and the backend has written its account.
func (b *bench) idle() bool {
	b.fake.mu.Lock()
	defer b.fake.mu.Unlock()
	for _, n := range b.fake.inside {
		if n > 0 {
			return false
		}
	}
	b.gate.mu.Lock()
	defer b.gate.mu.Unlock()
	for range b.q.Services() {
		return false
	}
	for _, n := range b.config.nodes {
		if n.places > 0 {
			return false
		}
	}
	return b.flying == 0 && b.held == 0
}

// within waits until something holds.
func within(t testing.TB, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

// A play is one load of two tenants that both wait all the time.
type play struct {
	paths  [2]string // of honest and other
	orders [2]order
	header http.Header // of other's requests
	prices tokens
}

// run plays until other has had so much that the bound is below a tenth of it, and returns what both
// have had by the fake's account, the bound, and services.
func (p play) run(t *testing.T) (had [2]float64, bound float64) {
	const streams = 3
	names := [2]string{"honest", "other"}
	if p.prices == (tokens{}) {
		p.prices = tokens{1, 1, 1}
	}
	cost := func(o order) float64 {
		n := o.Tokens
		if o.Hang > 0 && o.Stream {
			n = o.Hang - 1
		}
		return float64(o.Prompt-o.Cached)*p.prices.prompt + float64(o.Cached)*p.prices.cached + float64(max(o.N, 1)*n)*p.prices.output
	}
	lag := max(cost(p.orders[0])/4, cost(p.orders[1]))
	b := newBench(t, twoTenants, 0, lag, func(f *front) { f.prices = p.prices })
	bound = 2*streams*(cost(p.orders[0])/4+cost(p.orders[1])) + lag
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	steady := func() bool { return ctx.Err() != nil || b.waiting(names[0]) > streams && b.waiting(names[1]) > streams }
	over := make(chan struct{})
	b.fake.pause = func(order) {
		for !steady() {
			time.Sleep(100 * time.Microsecond)
		}
		b.fake.mu.Lock()
		defer b.fake.mu.Unlock()
		if ctx.Err() == nil && b.fake.cost["other"]+b.fake.cost["honest"]/4 > 21*bound {
			had = [2]float64{b.fake.cost["honest"], b.fake.cost["other"]}
			close(over)
			stop()
		}
	}
	var all sync.WaitGroup
	for k, o := range p.orders {
		o.User = names[k]
		for range 2*streams + 3 {
			all.Go(func() {
				for ctx.Err() == nil {
					a, text, err := b.send(ctx, p.paths[k], o, func(r *http.Request) {
						if k == 1 {
							for name, values := range p.header {
								r.Header[name] = values
							}
						}
					})
					if err == nil && a.StatusCode != 200 {
						t.Errorf("%s gets %d %.200s", o.User, a.StatusCode, text)
						stop()
					}
				}
			})
		}
	}
	within(t, "all wait", steady)
	b.do(func() error { b.streams = streams; return nil })
	select {
	case <-over:
	case <-time.After(2 * time.Minute):
		t.Error("the play does not end")
	}
	stop()
	all.Wait()
	within(t, "everything has left", b.idle)
	return had, bound
}

// fair checks the bound of docs/fair-queues.md, sections 2 and 3.
func (p play) fair(t *testing.T) {
	t.Helper()
	had, bound := p.run(t)
	apart := had[0]/4 - had[1]
	t.Logf("honest %.0f, other %.0f: %.2f : 1, apart %.0f for each weight of %.0f allowed", had[0], had[1], had[0]/had[1], apart, bound)
	if math.Abs(apart) > bound || bound > .1*had[1] {
		t.Errorf("honest %.0f and other %.0f are %.0f apart for each weight, want at most %.0f and that below a tenth of it", had[0], had[1], apart, bound)
	}
}

// metric is the value of a metric with its labels, 0 if it is not there.
func (b *bench) metric(t testing.TB, name string) (x float64) {
	t.Helper()
	w := httptest.NewRecorder()
	b.admin().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(w.Body.String()) {
		if value, is := strings.CutPrefix(line, name+" "); is {
			fmt.Sscan(value, &x)
		}
	}
	return x
}
