package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/schedmath/schedmath/fairqueue"
)

// A front is the handler of tenants' requests.
type front struct {
	*gate
	*metrics
	backend        *url.URL
	header         string        // whose value names the tenant; -: the key does
	credential     string        // of the gateway at the backend; empty: none
	most           int64         // bytes of a body
	body           time.Duration // for a body to come in
	slow           time.Duration // that a client may take for an answer
	first, between time.Duration // to the first byte of the backend, and to the next one
	draining       atomic.Bool
	transport      *http.Transport
}

// A request is one of a tenant, on its way through the gateway.
type request struct {
	*front
	ctx     context.Context
	cancel  context.CancelCauseFunc // with why it is refused or broken off
	client  *http.ResponseController
	name    string            // of the tenant, or
	key     [sha256.Size]byte // the hash of its key
	arrived time.Time
	ask     *ask
	leaf    *leaf

	inside, ready bool          // it has a place in the queue, and waits there
	bytes         int64         // of its body, or the most that it may have until it is read
	turn          chan struct{} // closed when it is its turn
	service       fairqueue.Service
	begun         time.Time // the service
	charged       float64
	perToken      float64 // bytes of a token
	guess         tokens

	timer *time.Timer // breaks off what the backend does not do in time
	sent  atomic.Bool // something may have reached the backend
}

// handler is the API of the backend.
func (f *front) handler() http.Handler {
	f.transport = &http.Transport{DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext, DisableCompression: true, MaxIdleConnsPerHost: f.streams,
		IdleConnTimeout: 4 * time.Second} // vLLM closes after 5
	m := f.probes()
	for pattern, p := range paths {
		m.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, p) })
	}
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { f.refuse(w, errPath) })
	return m
}

// probes is a server that tells whether the gateway lives, and takes requests.
func (f *front) probes() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /healthz", func(http.ResponseWriter, *http.Request) {})
	m.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if f.draining.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	return m
}

// refuse answers a request that the backend does not, in the form of the API; nobody listens if the client has gone.
func (f *front) refuse(w http.ResponseWriter, err error) {
	why := new(refusal)
	if !errors.As(err, &why) {
		if errors.Is(err, context.Canceled) {
			return
		}
		why = &refusal{500, "internal", "the gateway has failed"}
	}
	f.refused.WithLabelValues(why.word).Inc()
	if why.code == errFull.code || why.code == errLate.code {
		w.Header().Set("Retry-After", strconv.Itoa(max(1, int(f.patience.Seconds()/2))))
	}
	w.Header().Set("Content-Type", "application/json")
	c := http.NewResponseController(w)
	_ = errors.Join(c.SetWriteDeadline(time.Now().Add(f.slow)), c.SetReadDeadline(time.Now().Add(time.Second))) // a body on its way is dropped
	w.WriteHeader(why.code)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"message": why.text, "type": why.word}})
}

// serve serves a request when it is its turn.
func (f *front) serve(w http.ResponseWriter, r *http.Request, p path) {
	x := &request{front: f, client: http.NewResponseController(w), arrived: time.Now(), turn: make(chan struct{})}
	x.ctx, x.cancel = context.WithCancelCause(r.Context())
	defer x.cancel(nil)
	defer x.broken(errors.New("the handler has failed")) // without effect once the service has ended
	if err := x.enter(w, r, p); err != nil {
		f.refuse(w, err)
		return
	}
	x.timer = time.AfterFunc(f.first, func() { x.cancel(errSlow) })
	defer x.timer.Stop()
	if !p.free {
		f.waits.WithLabelValues(x.leaf.label).Observe(x.begun.Sub(x.arrived).Seconds())
	}
	r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(x.ask.body)), int64(len(x.ask.body)), nil
	r.Header.Del("Upgrade") // an offer of h2c, which Java's client makes to each server without TLS

	quiet := slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug) // clients that have gone
	proxy := httputil.ReverseProxy{Transport: f.transport, ErrorLog: quiet, Rewrite: x.rewrite, ModifyResponse: x.answer, ErrorHandler: x.fail}
	proxy.ServeHTTP(w, r.WithContext(httptrace.WithClientTrace(x.ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { x.sent.Store(true) }})))
}

// enter reads a request, and waits for its turn. It returns why the request is refused.
func (x *request) enter(w http.ResponseWriter, r *http.Request, p path) error {
	if !fs.ValidPath(r.URL.Path[1:]) { // with dots that lead elsewhere
		return errPath
	}
	if len(r.Header.Values("Content-Encoding")) > 0 {
		return &refusal{400, "request", "the gateway knows no encoded bodies"}
	}
	if x.header == "-" {
		x.key = sha256.Sum256([]byte(cmp.Or(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), r.Header.Get("X-Api-Key"))))
	} else if names := r.Header.Values(x.header); len(names) == 1 { // of two one may be the client's
		x.name = names[0]
	}
	most := x.most
	if p.free {
		most = 1 << 10 // some clients send null
	}
	err := x.admit(x, int64(min(uint64(r.ContentLength), uint64(most)))) // below 0 is not known
	if err == nil && x.ctx.Err() == nil {
		err = x.read(w, http.MaxBytesReader(w, r.Body, most), p)
	}
	if err == nil && x.ctx.Err() == nil && !p.free {
		err = x.wait(x)
	}
	return errors.Join(context.Cause(x.ctx), err)
}

// read reads the body, and gives up when the request is refused meanwhile.
func (x *request) read(w http.ResponseWriter, from io.Reader, p path) error {
	stop := context.AfterFunc(x.ctx, func() { _ = x.client.SetReadDeadline(time.Now()) })
	w.Header().Set("Connection", "close") // a deadline that has passed is the connection's end
	_ = x.client.SetReadDeadline(time.Now().Add(x.body))
	body, err := io.ReadAll(from)
	if stopped := stop(); stopped && err == nil {
		w.Header().Del("Connection")
		_ = x.client.SetReadDeadline(time.Time{}) // from now on a read only tells that the client has gone
	}
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		return &refusal{413, "body", err.Error()}
	} else if err != nil {
		return &refusal{408, "body", "the body does not come in"}
	}
	if x.ask, err = readAsk(p, body); err != nil {
		return &refusal{400, "request", err.Error()}
	}
	return nil
}

// passed are the headers that the backend gets: none by which a tenant chooses its turn there.
var passed = []string{"Accept", "Anthropic-Beta", "Anthropic-Version", "Traceparent", "Tracestate", "User-Agent", "X-Request-Id"}

// rewrite makes the request to the backend.
func (x *request) rewrite(r *httputil.ProxyRequest) {
	r.SetURL(x.backend)
	r.Out.URL.RawPath = "" // as it is known here
	r.Out.Header = http.Header{"Accept-Encoding": {"identity"}, "Content-Type": {"application/json"}}
	for _, name := range passed {
		if values := r.In.Header.Values(name); len(values) > 0 {
			r.Out.Header[name] = values
		}
	}
	r.SetXForwarded()
	if x.credential != "" {
		r.Out.Header.Set("Authorization", "Bearer "+x.credential)
		r.Out.Header.Set("X-Api-Key", x.credential)
	}
}

// answer makes an answer count its tokens as it passes. An error of the backend's costs nothing; one of
// the request's what a stream would have had in its time, since who costs nothing is always first.
func (x *request) answer(r *http.Response) error {
	if r.StatusCode/100 == 4 && r.StatusCode != http.StatusTooManyRequests {
		x.ask.n = 1 // the time is that of one stream, however many answers it would have had
		x.end(tokens{output: 1}, false, mostTokens)
	} else if r.StatusCode/100 != 2 {
		x.end(tokens{}, false, 0)
	}
	if x.service == 0 { // an error, or what is free: -slow is for all of it
		x.timer.Reset(x.slow)
		_ = x.client.SetWriteDeadline(time.Now().Add(x.slow))
		return nil
	}
	stream := strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream") && r.Header.Get("Content-Encoding") == ""
	r.Body = &answer{ReadCloser: r.Body, request: x, stream: stream, left: x.slow, offered: time.Now()}
	if stream {
		r.Header.Del("Content-Length") // an event may be taken out
	}
	return nil
}

// fail answers in place of a backend that does not.
func (x *request) fail(w http.ResponseWriter, _ *http.Request, err error) {
	cause := context.Cause(x.ctx)
	x.broken(cause)
	if cause == nil {
		slog.Warn("no answer of the backend", "error", err)
		cause = &refusal{502, "backend", "the backend does not answer"}
	}
	x.refuse(w, cause)
}

// broken ends the service of a request without an answer. A fault of the backend costs nothing; else
// cause tells why, and what was sent costs its prompt and what may have been written.
func (x *request) broken(cause error) {
	if cause == nil || !x.sent.Load() {
		x.end(tokens{}, false, 0)
		return
	}
	x.end(tokens{prompt: x.guess.prompt}, false, x.ask.unseen(x.ask.stream))
}
