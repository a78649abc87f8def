package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

const (
	subject                 = "schedmath.gateway.served"
	tellEvery, tellAllEvery = 100 * time.Millisecond, 5 * time.Second
	burst                   = 10. // seconds of -report-rate that a gateway may tell at once, since reports may be held up
)

// A report is what a gateway has served since its start: cost of ended services, in all. What is told
// twice, late or out of turn does no harm, and the next report makes up for one that is lost.
type report struct {
	Name   string
	Epoch  int64 // nanoseconds at its start
	Full   bool  // of all tenants; who is missing has 0
	Totals map[string]float64
}

// A bus tells the other gateways what this one has served, and hears the same of them.
type bus struct {
	*front
	name       string
	epoch      int64
	rate       float64 // most cost a second that is believed of another gateway
	c          *nats.Conn
	told       map[string]float64 // totals as of the last report
	stop, done chan struct{}
	peers      map[string]*peer
}

// A peer is what is known of another gateway.
type peer struct {
	epoch int64
	last  map[string]float64 // totals that are counted
	at    time.Time          // of its last report
	most  float64            // cost that was believed of it by then, and was not told
}

func newBus(f *front, name string, rate float64) *bus {
	return &bus{front: f, name: name, epoch: time.Now().UnixNano(), rate: rate, stop: make(chan struct{}), done: make(chan struct{}), peers: map[string]*peer{}}
}

// join connects a gate to the others, by a NATS server at address: a URL, in which embedded as the
// scheme starts one there. credentials is a file, or empty.
func (b *bus) join(address, credentials string) error {
	u, err := url.Parse(address)
	if err != nil {
		return errors.New("-nats is no URL") // which may hold a password
	}
	if u.Scheme == "embedded" || address == "embedded" {
		port, err := strconv.Atoi(cmp.Or(u.Port(), "4222"))
		password, _ := u.User.Password()
		s, err2 := server.NewServer(&server.Options{Host: cmp.Or(u.Hostname(), "127.0.0.1"), Port: port, Username: u.User.Username(), Password: password, NoSigs: true})
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if s.Start(); !s.ReadyForConnections(10 * time.Second) {
			return fmt.Errorf("-nats: no server starts at port %d", port)
		}
		u.Scheme, u.Host = "nats", s.Addr().String()
		address = u.String()
	}
	o := []nats.Option{nats.Name(b.name), nats.NoEcho(), nats.RetryOnFailedConnect(true), nats.IgnoreAuthErrorAbort(), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond),
		nats.ReconnectBufSize(-1), // what could not be told is told anew
		nats.FlusherTimeout(time.Second), nats.PingInterval(2 * time.Second), nats.MaxPingsOutstanding(2),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) { slog.Warn("nats: disconnected", "error", err) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { slog.Warn("nats", "error", err) })}
	if credentials != "" {
		o = append(o, nats.UserCredentials(credentials))
	}
	if b.c, err = nats.Connect(address, o...); err == nil {
		_, err = b.c.Subscribe(subject, func(m *nats.Msg) { b.hear(m.Data) })
	}
	if err == nil && !b.c.IsConnected() {
		slog.Warn("nats: no connection yet; tried again until there is one")
	}
	if err == nil {
		go b.run()
	}
	return err
}

// run tells what has changed every tellEvery, and everything every tellAllEvery. It alone waits for NATS.
func (b *bus) run() {
	defer close(b.done)
	var all time.Time // when all was told
	var reconnects uint64
	for tick := time.Tick(tellEvery); ; {
		select {
		case now := <-tick:
			if !b.c.IsConnected() {
				continue
			}
			n := b.c.Stats().Reconnects
			if full := n > reconnects || now.Sub(all) >= tellAllEvery; b.tell(full) && full {
				all, reconnects = now, n
			}
		case <-b.stop:
			b.tell(true)
			if err := b.c.FlushTimeout(time.Second); err != nil {
				slog.Warn("nats: the last report may be lost", "error", err)
			}
			b.c.Close()
			return
		}
	}
}

// tell tells the cost of ended services, of all tenants or of those for whom it has changed since it
// last returned true.
func (b *bus) tell(full bool) bool {
	totals := func() map[string]float64 {
		b.mu.Lock()
		defer b.mu.Unlock()
		now := maps.Clone(b.totals)
		maps.DeleteFunc(now, func(name string, _ float64) bool { return b.config.names[name] == nil }) // who has left
		return now
	}()
	r := report{b.name, b.epoch, full, maps.Clone(totals)}
	maps.DeleteFunc(r.Totals, func(name string, total float64) bool { return !full && b.told[name] == total })
	if !full && len(r.Totals) == 0 {
		return true
	}
	text, err := json.Marshal(r)
	if err == nil {
		err = b.c.Publish(subject, text)
	}
	if err != nil {
		slog.Warn("nats: not told", "error", err)
		return false
	}
	b.told = totals
	return true
}

// hear counts what another gateway has served.
func (b *bus) hear(text []byte) {
	var r report
	if err := json.Unmarshal(text, &r); err != nil {
		slog.Warn("nats: no report", "error", err)
		return
	}
	if r.Name == b.name && r.Full {
		slog.Warn("nats: another gateway has the -name of this one", "name", r.Name)
	}
	b.heard.WithLabelValues(r.Name).SetToCurrentTime()
	for tenant, cost := range b.count(r, time.Now()) {
		b.elsewhere(tenant, cost)
	}
}

// count returns what a report that came at this time tells anew, by tenant. The first of a gateway is
// what the next ones are compared with.
func (b *bus) count(r report, now time.Time) map[string]float64 {
	p := b.peers[r.Name]
	if p == nil && r.Full {
		p = &peer{epoch: r.Epoch, last: map[string]float64{}, at: now}
		maps.Copy(p.last, r.Totals)
		b.peers[r.Name] = p
	}
	if p == nil || r.Epoch < p.epoch {
		return nil
	}
	if r.Epoch > p.epoch { // it has started again, from 0
		p.epoch, p.last = r.Epoch, map[string]float64{}
	}
	p.most = min(p.most, b.rate*burst) + b.rate*now.Sub(p.at).Seconds()
	p.at = now
	more := map[string]float64{}
	for _, tenant := range slices.Sorted(maps.Keys(r.Totals)) {
		if d := r.Totals[tenant] - p.last[tenant]; d > 0 {
			p.last[tenant] = r.Totals[tenant]
			more[tenant] = min(d, p.most)
			p.most -= more[tenant]
		}
	}
	return more
}

// close tells all for the last time.
func (b *bus) close() {
	close(b.stop)
	select {
	case <-b.done:
	case <-time.After(3 * time.Second): // NATS does not take it
	}
}
