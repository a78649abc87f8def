package main

import (
	_ "embed"
	"html/template"
	"log/slog"
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const mostLabels = 100 // tenants that the metrics tell apart

// Metrics are those of one gateway.
type metrics struct {
	registry        *prometheus.Registry
	waits, firsts   *prometheus.HistogramVec
	served, refused *prometheus.CounterVec
	queued, heard   *prometheus.GaugeVec
	labels          map[string]bool
}

func newMetrics() *metrics {
	r, buckets, tenant := prometheus.NewRegistry(), prometheus.ExponentialBuckets(.01, 3, 10), []string{"tenant"}
	of := promauto.With(r)
	return &metrics{
		registry: r, labels: map[string]bool{},
		waits:   of.NewHistogramVec(prometheus.HistogramOpts{Name: "gateway_wait_seconds", Help: "Time from a request's arrival to its turn.", Buckets: buckets}, tenant),
		firsts:  of.NewHistogramVec(prometheus.HistogramOpts{Name: "gateway_first_token_seconds", Help: "Time from a request's arrival to the first byte of the backend's answer.", Buckets: buckets}, tenant),
		served:  of.NewCounterVec(prometheus.CounterOpts{Name: "gateway_tokens_total", Help: "Tokens served, by kind."}, []string{"tenant", "kind"}),
		refused: of.NewCounterVec(prometheus.CounterOpts{Name: "gateway_refused_total", Help: "Requests that the backend has not answered, by reason."}, []string{"reason"}),
		queued:  of.NewGaugeVec(prometheus.GaugeOpts{Name: "gateway_queue", Help: "Requests that wait."}, tenant),
		heard:   of.NewGaugeVec(prometheus.GaugeOpts{Name: "gateway_replica_heard_seconds", Help: "Unix time of a replica's last report; time() less this is its age."}, []string{"replica"}),
	}
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
	Cost            float64
}

// rows copies what is shown, so that it is written outside the lock.
func (g *gate) rows() (rows []row) {
	g.mu.Lock()
	defer g.mu.Unlock()
	rows = make([]row, 0, len(g.config.nodes))
	for _, n := range g.config.nodes {
		if n.leaf != nil {
			rows = append(rows, row{n.name, n.label, n.ready, g.q.InFlight(n.flow), g.totals[n.name]})
		}
	}
	return rows
}

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// admin is the page, the metrics and the probes, which answer here until all is served.
func (f *front) admin() http.Handler {
	m := f.probes()
	var scrape sync.Mutex // one at a time: they share gateway_queue
	m.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		scrape.Lock()
		defer scrape.Unlock()
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
