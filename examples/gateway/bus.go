package main

import (
	"encoding/json"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// subject is where gateways tell what they served.
const subject = "schedmath.gateway.served"

// A report is a service that one gateway tells the others of.
type report struct {
	From, Tenant string
	Tokens       float64
}

// join connects the gate to the others: it tells what it serves and hears what they serve. While it
// is cut off it keeps what it has to tell, up to the client's buffer.
func (g *gate) join(address string) (leave func(), err error) {
	if address == "none" {
		return func() {}, nil
	}
	if address == "embedded" {
		embedded, err := server.NewServer(&server.Options{Host: "127.0.0.1", NoSigs: true})
		if err != nil {
			return nil, err
		}
		embedded.Start()
		address = embedded.ClientURL()
	}
	self := nats.NewInbox()
	c, err := nats.Connect(address, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(200*time.Millisecond), nats.ReconnectBufSize(64<<20))
	if err == nil {
		_, err = c.Subscribe(subject, func(m *nats.Msg) {
			var r report
			if json.Unmarshal(m.Data, &r) == nil && r.From != self {
				g.mu.Lock()
				g.q.Elsewhere(r.Tenant, r.Tokens) // a tenant that is unknown here has no share here
				g.mu.Unlock()
			}
		})
	}
	if err != nil {
		return nil, err
	}
	count := g.charge
	g.charge = func(tenant string, n float64) {
		count(tenant, n)
		text, _ := json.Marshal(report{self, tenant, n})
		c.Publish(subject, text)
	}
	return func() { c.Flush() }, nil
}
