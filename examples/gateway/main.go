// Command gateway shares a server of language models among tenants. See its -help.
package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/schedmath/schedmath/internal/program"
)

const help = `gateway is a reverse proxy before a server of the OpenAI API (vLLM, llama.cpp, Ollama) that
shares its streams among tenants by weight, in tokens. The file of tenants is a tree:

	[{"name": "acme", "weight": 2, "cap": 6, "queue": 500, "children": [
		{"name": "search", "weight": 1, "keys": ["sk-1"]},
		{"name": "chat", "weight": 3, "keys": ["sha256:...", "sk-2"]}]},
	 {"name": "bob", "weight": 1, "queue": 20, "keys": ["sk-3"]}]

SIGHUP reads the file again; one that is wrong changes nothing. SIGTERM lets those finish who wait,
for -drain; a second one ends at once. At -admin, / shows who waits and /metrics is for Prometheus.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process
	os.Exit(program.Exit(os.Stderr, "gateway", run(ctx, os.Args[1:], os.Stdout)))
}

// run serves until ctx ends, then lets those finish who are there.
func run(ctx context.Context, args []string, stdout io.Writer) error {
	f := flag.NewFlagSet("gateway", flag.ContinueOnError)
	s := &front{gate: new(gate), metrics: newMetrics(), body: time.Minute}
	host, _ := os.Hostname()
	level := slog.LevelInfo
	backend := f.String("backend", "http://127.0.0.1:8000", "`URL` of the server")
	credential := f.String("backend-key-file", "", "`FILE` of the key that the server wants; none gets that of a tenant")
	tree := f.String("tenants", "tenants.json", "`FILE` of tenants")
	listen := f.String("listen", "127.0.0.1:8080", "serve at `ADDRESS`")
	admin := f.String("admin", "127.0.0.1:9090", "the page and the metrics at `ADDRESS`")
	cert := f.String("cert", "", "`FILE` of the certificate for TLS; none: no TLS")
	key := f.String("key", "", "`FILE` of the certificate's private key")
	f.StringVar(&s.header, "header", "-", "a proxy before this one puts the tenant into the header `NAME`; -: the API key tells")
	f.IntVar(&s.streams, "streams", 8, "`N` requests at the server at once")
	queue := f.Int("queue", 1000, "`N` requests of a tenant may wait; beyond: 429")
	f.Int64Var(&s.budget, "bodies", 256<<20, "`BYTES` that the bodies of all who wait may have; beyond, the newest of the tenant that has most get 429")
	f.DurationVar(&s.patience, "wait", 2*time.Minute, "longest wait of a request; beyond: 503")
	lag := f.Float64("lag", 4096, "`COST` for each unit of weight that a tenant can save while it is held, or by guesses: that of the largest request")
	costs := f.String("prices", "1,1,1", "`COSTS` of a token of the prompt, of one that is cached, and of the output")
	f.Int64Var(&s.most, "body", 8<<20, "most `BYTES` of a request; beyond: 413")
	f.DurationVar(&s.slow, "slow", time.Minute, "a client for which the server waits for longer in all is cut off")
	f.DurationVar(&s.first, "first", 5*time.Minute, "longest wait for the first byte of the server; beyond: 504")
	f.DurationVar(&s.between, "between", time.Minute, "longest wait between two bytes of the server")
	drain := f.Duration("drain", 2*time.Minute, "longest time for those who wait at SIGTERM")
	nats := f.String("nats", "none", "`URL` of a NATS server by which gateways tell each other what they served, nats://user:password@host:4222; embedded://user:password@host:4222: one is started here")
	creds := f.String("nats-creds", "", "`FILE` of credentials for NATS")
	name := f.String("name", "", "`NAME` of this gateway among the others (default host and -listen)")
	rate := f.Float64("report-rate", 100_000, "most `COST` a second that is believed of another gateway")
	f.TextVar(&level, "log", level, "least `LEVEL` that is logged: DEBUG, INFO, WARN or ERROR")
	if done, err := program.Parse(f, args, stdout, help); done || err != nil {
		return err
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: level})))
	var err error
	s.backend, err = url.Parse(*backend)
	p := &s.prices
	n, err2 := fmt.Sscanf(*costs+";", "%g,%g,%g;", &p.prompt, &p.cached, &p.output)
	for _, wrong := range []struct {
		is   bool
		text string
	}{
		{err != nil || s.backend.Host == "", "-backend: want a URL"},
		{n != 3 || err2 != nil || !(min(p.prompt, p.output) >= 1e-6 && p.cached >= 0 && max(p.prompt, p.cached, p.output) <= 1e6), "-prices: want three numbers up to 1e6, the first and the last of 1e-6 or more"},
		{min(int64(s.streams), int64(*queue), s.budget, s.most) < 1, "-streams, -queue, -bodies and -body: want 1 or more"},
		{s.budget < s.most, "-bodies: want as much as -body, which a body of unknown length may have"},
		{min(s.patience, s.slow, s.first, s.between) <= 0 || *drain < 0, "-wait, -slow, -first and -between: want more than 0; -drain: 0 or more"},
		{!(*rate >= 1 && *rate <= 1e12), "-report-rate: want a number in [1, 1e12]"},
		{(*cert == "") != (*key == ""), "want -cert and -key, or neither"},
	} {
		if wrong.is {
			return program.Usagef("%s", wrong.text)
		}
	}
	if *credential != "" {
		text, err := os.ReadFile(*credential)
		if err != nil {
			return err
		}
		s.credential = string(bytes.TrimSpace(text))
	}
	if err := s.open(*lag); err != nil {
		return program.Usagef("-lag: %v", err)
	}
	load := func() error {
		c, err := readConfig(*tree, *queue)
		if err == nil {
			err = s.load(c)
		}
		return err
	}
	if err := load(); err != nil {
		return program.Usagef("%v", err)
	}
	if *nats != "none" {
		b := newBus(s, cmp.Or(*name, host+"/"+*listen), *rate)
		if err := b.join(*nats, *creds); err != nil {
			return err
		}
		defer b.close()
	}
	front := &http.Server{Handler: s.handler(), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10, IdleTimeout: 2 * time.Minute, ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelError)}
	back := &http.Server{Handler: s.admin(), ReadHeaderTimeout: 10 * time.Second, WriteTimeout: time.Minute}
	defer back.Close()
	page, err := net.Listen("tcp", *admin)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "gateway: the page is at %s\n", page.Addr())
	l, err := net.Listen("tcp", *listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "gateway: serving at %s\n", l.Addr())
	failed := make(chan error, 2)
	go func() { failed <- back.Serve(page) }()
	go func() {
		if *cert != "" {
			failed <- front.ServeTLS(l, *cert, *key)
		} else {
			failed <- front.Serve(l)
		}
	}()
	hangUp := make(chan os.Signal, 1)
	signal.Notify(hangUp, syscall.SIGHUP)
	defer signal.Stop(hangUp)
	for {
		select {
		case <-hangUp:
			if err := load(); err != nil {
				slog.Error("the tenants are those of before", "error", err)
			} else {
				slog.Info("the tenants are read again")
			}
		case err := <-failed:
			return err
		case <-ctx.Done():
			s.draining.Store(true)
			late, cancel := context.WithTimeout(context.Background(), *drain)
			defer cancel()
			if err := front.Shutdown(late); err != nil { // who waits is served
				return errors.Join(fmt.Errorf("-drain has passed: %w", err), front.Close())
			}
			return nil
		}
	}
}
