package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
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
	header         string        // whose value names the tenant; -: the key does
	credential     string        // of the gateway at the backend; empty: none
	most           int64         // bytes of a body
	slow           time.Duration // for one write to a client
	first, between time.Duration // to the first byte of the backend, and to the next one
	draining       atomic.Bool
	reverse        *httputil.ReverseProxy
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
	label   string // of the leaf

	inside, ready bool          // it has a place in the queue, and waits there
	bytes         int64         // of its body, or the most that it may have until it is read
	turn          chan struct{} // closed when it is its turn
	service       fairqueue.Service
	begun         time.Time // the service
	charged       float64
	perToken      float64 // bytes of a token
	guess, paid   tokens

	timer *time.Timer // breaks off what the backend does not do in time
	began bool        // the backend has begun to answer
	sent  atomic.Bool // something may have reached the backend
}

type requestKey struct{}

const longestBody = time.Minute // for a body to come in

// handler is the API of the backend.
func (f *front) handler(backend *url.URL) http.Handler {
	f.reverse = &httputil.ReverseProxy{
		Transport:     &http.Transport{DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext, DisableCompression: true, MaxIdleConnsPerHost: f.streams, IdleConnTimeout: time.Minute},
		FlushInterval: -1,
		ErrorLog:      slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug), // clients that have gone
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(backend)
			r.SetXForwarded()
			for _, name := range []string{"Authorization", "X-Api-Key", "Cookie", f.header} {
				r.Out.Header.Del(name)
			}
			r.Out.Header.Set("Accept-Encoding", "identity")
			if f.credential != "" {
				r.Out.Header.Set("Authorization", "Bearer "+f.credential)
			}
		},
		ModifyResponse: func(r *http.Response) error {
			if x, ok := r.Request.Context().Value(requestKey{}).(*request); ok {
				x.answer(r)
			}
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			cause := context.Cause(r.Context())
			if x, ok := r.Context().Value(requestKey{}).(*request); ok {
				x.broken(cause)
			}
			if cause == nil {
				slog.Warn("no answer of the backend", "error", err)
				cause = &refusal{502, "backend", "the backend does not answer"}
			}
			f.refuse(w, cause)
		},
	}
	m := f.probes()
	m.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, nil) })
	for name, p := range paths {
		m.HandleFunc("POST "+name, func(w http.ResponseWriter, r *http.Request) { f.serve(w, r, &p) })
	}
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { f.refuse(w, &refusal{404, "path", "unknown path"}) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // without that of the connection's last request
		m.ServeHTTP(w, r)
	})
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
	if errors.Is(err, context.Canceled) {
		return
	} else if !errors.As(err, &why) {
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

// serve serves a request when it is its turn; one without a path costs nothing, and does not wait.
func (f *front) serve(w http.ResponseWriter, r *http.Request, p *path) {
	x := &request{front: f, client: http.NewResponseController(w), arrived: time.Now(), turn: make(chan struct{}), name: r.Header.Get(f.header)}
	if len(r.Header.Values("Upgrade"))+len(r.Header.Values("Content-Encoding")) > 0 {
		f.refuse(w, &refusal{400, "request", "the gateway knows neither upgrades nor encoded bodies"})
		return
	}
	if f.header == "-" {
		x.name, x.key = "", sha256.Sum256([]byte(cmp.Or(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "), r.Header.Get("X-Api-Key"))))
	}
	x.ctx, x.cancel = context.WithCancelCause(r.Context())
	defer x.cancel(nil)
	defer x.broken(errors.New("the handler has failed"))                      // without effect once the service has ended
	err := f.admit(x, p != nil, min(uint64(r.ContentLength), uint64(f.most))) // below 0 is not known
	if err == nil && x.ctx.Err() == nil {
		if err = x.read(w, r, p); err == nil && p != nil {
			err = f.wait(x)
		}
	}
	if err = cmp.Or(context.Cause(x.ctx), err); err != nil {
		f.refuse(w, err)
		return
	}
	x.timer = time.AfterFunc(f.first, func() { x.cancel(errSlow) })
	defer x.timer.Stop()
	ctx := x.ctx
	if p != nil {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { x.sent.Store(true) }})
		f.waits.WithLabelValues(x.label).Observe(x.begun.Sub(x.arrived).Seconds())
		ctx = context.WithValue(ctx, requestKey{}, x)
	}
	r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(x.ask.body)), int64(len(x.ask.body)), nil
	f.reverse.ServeHTTP(w, r.WithContext(ctx))
}

// read reads the body, and gives up when the request is refused meanwhile. Without a path it is dropped.
func (x *request) read(w http.ResponseWriter, r *http.Request, p *path) error {
	most := x.most
	if p == nil {
		most = 1 << 10 // some clients send null
	}
	defer context.AfterFunc(x.ctx, func() { _ = x.client.SetReadDeadline(time.Now()) })()
	_ = x.client.SetReadDeadline(time.Now().Add(longestBody))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if large := new(http.MaxBytesError); errors.As(err, &large) {
		return &refusal{413, "body", err.Error()}
	} else if err != nil {
		return &refusal{408, "body", "the body does not come in"}
	}
	_ = x.client.SetReadDeadline(time.Time{}) // from now on a read only tells that the client has gone
	if x.ask = new(ask); p == nil {
		return nil
	}
	if x.ask, err = readAsk(*p, body); err != nil {
		return &refusal{400, "request", err.Error()}
	}
	return nil
}

// answer makes an answer count its tokens as it passes. An error costs nothing.
func (x *request) answer(r *http.Response) {
	if r.StatusCode/100 != 2 {
		x.end(tokens{}, false, false)
		return
	}
	a := &answer{ReadCloser: r.Body, request: x}
	if a.events = strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream") && r.Header.Get("Content-Encoding") == ""; a.events {
		r.Header.Del("Content-Length") // an event may be taken out
	}
	r.Body = a
}

// receive reads from the backend, which has to send in time, as the client has to take it.
func (x *request) receive(from io.Reader, b []byte) (int, error) {
	if x.began {
		x.timer.Reset(x.between)
	}
	n, err := from.Read(b)
	if n > 0 || err != nil {
		x.timer.Stop()
	}
	if n > 0 && !x.began {
		x.began = true
		x.firsts.WithLabelValues(x.label).Observe(time.Since(x.arrived).Seconds())
	}
	_ = x.client.SetWriteDeadline(time.Now().Add(x.slow))
	return n, err
}

// broken ends the service of a request without an answer. A fault of the backend costs nothing; else
// cause tells why, and what was sent costs its prompt and what may have been written.
func (x *request) broken(cause error) {
	if cause == nil || !x.sent.Load() {
		x.end(tokens{}, false, false)
		return
	}
	x.end(tokens{prompt: x.guess.prompt}, false, !x.ask.stream && !x.ask.silent)
}

func (x *request) end(took tokens, told, unseen bool) {
	if !x.leave(x, took, told, unseen) {
		return // it has ended before
	}
	for kind, n := range map[string]float64{"prompt": x.paid.prompt, "cached": x.paid.cached, "output": x.paid.output} {
		x.served.WithLabelValues(x.label, kind).Add(n)
	}
	slog.Debug("served", "tenant", x.label, "tokens", x.paid, "after", time.Since(x.arrived))
}
