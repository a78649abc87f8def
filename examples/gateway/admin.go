package main

import (
	_ "embed"
	"html/template"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const mostLabels = 100 // tenants that the metrics tell apart

// Metrics are those of one gateway.
type metrics struct {
	registry                 *prometheus.Registry
	waits, firsts            *prometheus.HistogramVec
	answers, served, refused *prometheus.CounterVec
	queued, heard            *prometheus.GaugeVec
	labels                   map[string]bool
}

func newMetrics() *metrics {
	m := &metrics{registry: prometheus.NewRegistry(), labels: map[string]bool{}}
	of := promauto.With(m.registry)
	histogram := func(name, help string) *prometheus.HistogramVec {
		return of.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(.01, 3, 10)}, []string{"tenant"})
	}
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return of.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		return of.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
	}
	m.waits = histogram("gateway_wait_seconds", "Time from a request's arrival to its turn.")
	m.firsts = histogram("gateway_first_token_seconds", "Time from a request's arrival to the first byte of the backend's answer.")
	m.answers = counter("gateway_requests_total", "Requests answered, by status.", "tenant", "code")
	m.served = counter("gateway_tokens_total", "Tokens served, by kind.", "tenant", "kind")
	m.refused = counter("gateway_refused_total", "Requests that the backend has not answered, by reason.", "reason")
	m.queued = gauge("gateway_queue", "Requests that wait.", "tenant")
	m.heard = gauge("gateway_replica_heard_seconds", "Unix time of a replica's last report; time() less this is its age.", "replica")
	return m
}

// labelOf is what the metrics call a tenant: the first ones by name. It is called by load alone.
func (m *metrics) labelOf(name string) string {
	if len(m.labels) < mostLabels {
		m.labels[name] = true
	}
	if m.labels[name] {
		return name
	}
	return "others"
}

// A row is what the page shows of a tenant.
type row struct {
	Name, label     string
	Waiting, Flying int
	Served          float64
}

// rows copies what is shown, so that it is written outside the lock.
func (g *gate) rows() (rows []row) {
	g.mu.Lock()
	defer g.mu.Unlock()
	rows = make([]row, 0, len(g.config.nodes))
	for _, n := range g.config.nodes {
		if n.leaf != nil {
			rows = append(rows, row{n.name, n.label, n.ready, n.leaf.flying, n.served.prompt + n.served.cached + n.served.output})
		}
	}
	return rows
}

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// admin is the page and the metrics.
func (f *front) admin() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		f.queued.Reset()
		for _, row := range f.rows() {
			f.queued.WithLabelValues(row.label).Add(float64(row.Waiting))
		}
		promhttp.HandlerFor(f.registry, promhttp.HandlerOpts{}).ServeHTTP(w, r)
	})
	m.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		if err := page.Execute(w, f.rows()); err != nil {
			slog.Debug("page", "error", err)
		}
	})
	return m
}
