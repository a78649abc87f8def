// Command gateway shares a server of language models among tenants. See its -help.
package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html/template"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/schedmath/schedmath/internal/program"
)

var (
	waits = promauto.NewHistogramVec(prometheus.HistogramOpts{Name: "gateway_wait_seconds", Help: "Time from a request's arrival to its turn.",
		Buckets: prometheus.ExponentialBuckets(.01, 3, 9)}, []string{"tenant"})
	answers = promauto.NewCounterVec(prometheus.CounterOpts{Name: "gateway_requests_total", Help: "Requests answered, by status."}, []string{"tenant", "code"})
	tokens  = promauto.NewCounterVec(prometheus.CounterOpts{Name: "gateway_tokens_total", Help: "Tokens served."}, []string{"tenant"})
)

type requestKey struct{}

// handler is the API of the backend, the page and the metrics.
func (g *gate) handler(backend *url.URL) http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(backend); r.SetXForwarded() },
		FlushInterval:  -1,
		ModifyResponse: count,
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if x := r.Context().Value(requestKey{}).(*request); r.Context().Err() == nil {
				answers.WithLabelValues(x.tenant, "502").Inc()
				http.Error(w, "the backend does not answer", http.StatusBadGateway)
			}
		},
	}
	m := http.NewServeMux()
	m.HandleFunc("/", func(out http.ResponseWriter, r *http.Request) { g.serve(out, r, proxy) })
	m.Handle("GET /metrics", promhttp.Handler())
	m.HandleFunc("GET /{$}", func(out http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		page.Execute(out, g)
	})
	return m
}

// serve serves one request when it is its turn.
func (g *gate) serve(out http.ResponseWriter, r *http.Request, proxy http.Handler) {
	tenant := g.leaves["key "+cmp.Or(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), r.Header.Get("X-Api-Key"))]
	if g.header != "-" {
		tenant = g.leaves["name "+r.Header.Get(g.header)]
	}
	refuse := func(code int, why string) {
		answers.WithLabelValues(tenant, strconv.Itoa(code)).Inc()
		http.Error(out, why, code)
	}
	if tenant == "" {
		refuse(http.StatusUnauthorized, "unknown key")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(out, r.Body, g.limit))
	if err != nil {
		refuse(http.StatusRequestEntityTooLarge, err.Error())
		return
	}
	var asked struct {
		Most float64 `json:"max_tokens"`
		New  float64 `json:"max_completion_tokens"`
	}
	_ = json.Unmarshal(body, &asked) // the backend says what is wrong with it
	x, err := g.enter(r.Context(), tenant, min(max(asked.Most, asked.New, 0), 1e9))
	if err != nil {
		out.Header().Set("Retry-After", strconv.Itoa(max(1, int(g.patience.Seconds()/2))))
		refuse(cmp.Or(map[error]int{errFull: http.StatusTooManyRequests}[err], http.StatusServiceUnavailable), err.Error())
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	defer x.leave(0) // without effect if the answer has ended the service
	x.progress = func() { http.NewResponseController(out).SetWriteDeadline(time.Now().Add(g.slow)) }
	proxy.ServeHTTP(out, r.WithContext(context.WithValue(r.Context(), requestKey{}, x)))
}

// count makes the answer of the backend count its tokens as it passes.
func count(r *http.Response) error {
	x := r.Request.Context().Value(requestKey{}).(*request)
	answers.WithLabelValues(x.tenant, strconv.Itoa(r.StatusCode)).Inc()
	if r.StatusCode >= 400 {
		x.leave(0)
		return nil
	}
	r.Body = &counter{ReadCloser: r.Body, request: x, stream: strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream")}
	return nil
}

// A counter counts the tokens of an answer: its events, until one says the usage.
type counter struct {
	io.ReadCloser
	request       *request
	stream        bool
	line          []byte
	events, usage float64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	for _, x := range b[:n] {
		if x == '\n' && c.stream {
			c.event()
		} else if len(c.line) < 1<<20 { // of a longer one the usage is not known
			c.line = append(c.line, x)
		}
	}
	c.request.grow(c.events)
	c.request.progress() // who does not read what was read here is cut off
	return n, err
}

// event looks at one line of a stream, or at the whole of an answer that is none.
func (c *counter) event() {
	data, is := bytes.CutPrefix(c.line, []byte("data:"))
	var answer struct {
		Usage   struct{ Total_tokens float64 }
		Choices []struct{}
	}
	if (is || !c.stream) && json.Unmarshal(data, &answer) == nil {
		c.usage = max(c.usage, answer.Usage.Total_tokens)
		if len(answer.Choices) > 0 {
			c.events++
		}
	}
	c.line = c.line[:0]
}

// Close ends the service with what it has cost.
func (c *counter) Close() error {
	c.event()
	c.request.leave(cmp.Or(min(c.usage, 1e9), c.events))
	return c.ReadCloser.Close()
}

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

const help = `gateway is a reverse proxy before a server of the OpenAI API (vLLM, llama.cpp, Ollama) that
shares its streams among tenants by weight, in tokens. The file of tenants is a tree:

	[{"name": "acme", "weight": 2, "cap": 6, "children": [
		{"name": "search", "weight": 1, "keys": ["sk-1"]},
		{"name": "chat", "weight": 3, "keys": ["sk-2"]}]},
	 {"name": "bob", "weight": 1, "keys": ["sk-3"]}]

/ shows who waits, /metrics is for Prometheus. SIGTERM lets all who wait finish.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(program.Exit(os.Stderr, "gateway", run(ctx, os.Args[1:], os.Stdout)))
}

// run serves until ctx ends, then lets who is there finish.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("gateway", flag.ContinueOnError)
	g := new(gate)
	backend := f.String("backend", "http://127.0.0.1:8000", "`URL` of the server")
	tree := f.String("tenants", "tenants.json", "`FILE` of tenants")
	listen := f.String("listen", "127.0.0.1:8080", "serve at `ADDRESS`")
	bus := f.String("nats", "none", "`URL` of a NATS server by which gateways tell each other what they served; embedded: one is started here, at its usual port")
	f.StringVar(&g.header, "header", "-", "a proxy before this one puts the tenant into the header `NAME`; -: the API key tells")
	f.IntVar(&g.streams, "streams", 8, "`N` requests at the server at once")
	f.IntVar(&g.most, "queue", 1000, "`N` requests may wait; beyond: 429")
	f.DurationVar(&g.patience, "wait", 2*time.Minute, "longest wait of a request; beyond: 503")
	f.Float64Var(&g.lag, "lag", 4096, "`TOKENS` for each unit of weight that a tenant can save while it is held, or by guesses: the largest max_tokens")
	f.Int64Var(&g.limit, "body", 8<<20, "most `BYTES` of a request; beyond: 413")
	f.DurationVar(&g.slow, "slow", 30*time.Second, "a client that takes longer for one write is cut off")
	f.StringVar(&g.file, "state", "gateway.json", "`FILE` that keeps the queue over a restart")
	if done, err := program.Parse(f, args, stdout, help); done || err != nil {
		return err
	}
	u, err := url.Parse(*backend)
	if err != nil || u.Host == "" {
		return program.Usagef("-backend is %q, want a URL", *backend)
	}
	if err := g.open(*tree); err != nil {
		return program.Usagef("%v", err)
	}
	leaveBus, err := g.join(*bus)
	if err != nil {
		return err
	}
	defer leaveBus()
	l, err := net.Listen("tcp", *listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "gateway: serving at http://%s for %s\n", l.Addr(), u.Host)
	server := &http.Server{Handler: g.handler(u), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute}
	go server.Serve(l) // until Shutdown
	for {
		select {
		case <-time.After(time.Second):
			if err := g.save(); err != nil {
				fmt.Fprintln(os.Stderr, "gateway:", err)
			}
		case <-ctx.Done():
			return errors.Join(server.Shutdown(context.Background()), g.save()) // who waits is served
		}
	}
}
