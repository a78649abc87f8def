package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

const (
	replicas = 3
	streams  = 2  // of each
	size     = 40 // tokens of a service
)

// twoHalves are two tenants of weights 2 and 1.
const twoHalves = `[{"name":"honest","weight":2,"keys":["honest"]},{"name":"other","weight":1,"keys":["other"]}]`

var users = [2]string{"honest", "other"}

// A fleet is three gateways as processes, each before a fake, a NATS server as a process, and clients.
type fleet struct {
	t        *testing.T
	nats     *process
	url      string
	tenants  string
	benches  [replicas]*bench
	gateways [replicas]*process
	backends [replicas]string
	out      [replicas][2]atomic.Int64 // requests of clients that have not ended
	served   atomic.Int64              // services that have ended
	stop     context.CancelFunc
	all      sync.WaitGroup

	mu   sync.Mutex
	told [replicas]map[string]float64 // by each gateway since its start, as the others hear it
	base [replicas]map[string]float64 // what its fake had begun by then
	e    float64                      // the most that others had begun, for each weight, and a gateway had not heard
}

func (f *fleet) startNATS() {
	f.nats = start(f.t, "nats:"+f.url[len("nats://127.0.0.1:"):])
	within(f.t, "NATS listens", func() bool {
		c, err := net.Dial("tcp", f.url[len("nats://"):])
		if err == nil {
			c.Close()
		}
		return err == nil
	})
}

func (f *fleet) startGateway(i int) {
	args := []string{"-streams", fmt.Sprint(streams), "-lag", fmt.Sprint(size), "-name", fmt.Sprint("gateway", i)}
	if f.url != "" {
		args = append(args, "-nats", f.url)
	}
	f.gateways[i] = f.benches[i].run(f.t, f.backends[i], f.tenants, args...)
}

// waits reports whether a tenant has more requests waiting at a gateway than streams could take at once.
func (f *fleet) waits(i, u int) bool {
	b := f.benches[i].fake
	b.mu.Lock()
	defer b.mu.Unlock()
	return int(f.out[i][u].Load())-b.inside[users[u]] > 2*streams
}

// newFleet starts three gateways; absent says who has no clients where.
func newFleet(t *testing.T, bus bool, absent func(i, u int) bool) *fleet {
	f := &fleet{t: t, tenants: fileOf(t, twoHalves)}
	if bus {
		f.url = fmt.Sprintf("nats://127.0.0.1:%d", port(t))
		f.startNATS()
	}
	ctx, stop := context.WithCancel(context.Background())
	f.stop = stop
	t.Cleanup(func() { stop(); f.all.Wait() })
	for i := range replicas {
		b := &bench{fake: newFake(), address: fmt.Sprintf("http://127.0.0.1:%d", port(t))}
		b.fake.pause = func(order) {
			f.sample(i)
			time.Sleep(15 * time.Millisecond)
			for ctx.Err() == nil && !((absent(i, 0) || f.waits(i, 0)) && (absent(i, 1) || f.waits(i, 1))) {
				time.Sleep(time.Millisecond)
			}
		}
		b.fake.ended = func() { f.served.Add(1) }
		back := httptest.NewServer(b.fake)
		t.Cleanup(func() { back.CloseClientConnections(); back.Close() })
		f.benches[i], f.backends[i], f.told[i], f.base[i] = b, back.URL, map[string]float64{}, map[string]float64{}
		f.startGateway(i)
	}
	if bus {
		c, err := nats.Connect(f.url, nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		c.Subscribe(subject, func(m *nats.Msg) {
			var r report
			if json.Unmarshal(m.Data, &r) != nil {
				return
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			for tenant, total := range r.Totals {
				f.told[r.Name[len(r.Name)-1]-'0'][tenant] = total
			}
		})
	}
	for i := range replicas {
		for u := range users {
			for range 4 * streams {
				if absent(i, u) {
					continue
				}
				f.all.Go(func() {
					for ctx.Err() == nil {
						f.out[i][u].Add(1)
						a, _, err := f.benches[i].send(ctx, chat, order{User: users[u], Prompt: size / 2, Tokens: size / 2, Chunk: size / 2, Stream: true}, nil)
						f.out[i][u].Add(-1)
						if err != nil || a.StatusCode != 200 {
							time.Sleep(10 * time.Millisecond) // the gateway starts again
						}
					}
				})
			}
		}
	}
	return f
}

// untold is what gateways other than i have begun and i has not heard, for each weight, the greater of
// both tenants.
func (f *fleet) untold(i int) (most float64) {
	for u, user := range users {
		e := 0.
		for j := range replicas {
			if j != i {
				b := f.benches[j].fake
				b.mu.Lock()
				e += b.begun[user] - f.base[j][user] - f.told[j][user]
				b.mu.Unlock()
			}
		}
		most = max(most, e/[2]float64{2, 1}[u])
	}
	return most
}

func (f *fleet) sample(i int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.e = max(f.e, f.untold(i))
}

// heal waits until gateways hear each other again.
func (f *fleet) heal() {
	f.serve(100)
	within(f.t, "what was served is told", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		for i := range replicas {
			if f.untold(i) > 200*size {
				return false
			}
		}
		return true
	})
	f.serve(100)
}

// had is what both have had in all, at one time.
func (f *fleet) had() (had [2]float64) {
	for i := range replicas {
		f.benches[i].fake.mu.Lock()
		defer f.benches[i].fake.mu.Unlock()
	}
	for u, user := range users {
		for i := range replicas {
			had[u] += f.benches[i].fake.cost[user]
		}
	}
	return had
}

// serve waits until so many more services have ended.
func (f *fleet) serve(n int64) {
	n += f.served.Load()
	within(f.t, fmt.Sprint(n, " services have ended"), func() bool { return f.served.Load() >= n })
}

// fair checks section 7 of docs/fair-queues.md since both had had from, once the bound is below 5%.
// before is how far apart the tags may have been then.
func (f *fleet) fair(what string, from [2]float64, before float64) (bound float64) {
	f.t.Helper()
	for {
		f.mu.Lock()
		f.e = 0
		f.mu.Unlock()
		f.serve(200)
		had := f.had()
		f.mu.Lock()
		e := f.e
		f.mu.Unlock()
		honest, other := had[0]-from[0], had[1]-from[1]
		bound = replicas*streams*(size/2+size) + e
		apart := honest/2 - other
		if bound+before > .05*other && other < 100_000 {
			continue
		}
		f.t.Logf("%s: %.0f : %.0f tokens, %.3f : 1, apart %.0f for each weight of %.0f allowed, %.0f of it untold", what, honest, other, honest/other, apart, bound+before, e)
		if math.Abs(apart) > bound+before || bound+before > .05*other {
			f.t.Errorf("%s: %.0f and %.0f are %.0f apart for each weight, want at most %.0f and that below 5%%", what, honest, other, apart, bound+before)
		}
		return bound
	}
}

func everywhere(int, int) bool { return false }

// kill kills a gateway, and starts it again after n services of the others.
func (f *fleet) kill(i int, n int64) {
	f.gateways[i].Process.Kill()
	f.gateways[i].end(f.t)
	f.serve(n)
	b := f.benches[i].fake
	within(f.t, "its backend is free", func() bool { b.mu.Lock(); defer b.mu.Unlock(); return b.inside["honest"]+b.inside["other"] == 0 })
	f.mu.Lock()
	b.mu.Lock()
	f.told[i], f.base[i] = map[string]float64{}, maps.Clone(b.begun)
	b.mu.Unlock()
	f.mu.Unlock()
	f.startGateway(i)
}

// TestReplicas: three gateways share in total, while NATS is stopped with its connections open, is
// killed and starts again, and after a gateway is killed and starts again.
func TestReplicas(t *testing.T) {
	if testing.Short() {
		t.Skip("runs four processes for long")
	}
	f := newFleet(t, true, everywhere)
	f.fair("in quiet", [2]float64{}, 0)

	f.nats.Process.Signal(syscall.SIGSTOP)
	f.serve(600) // nobody waits for NATS
	f.nats.Process.Signal(syscall.SIGCONT)
	f.heal()
	f.fair("after NATS was stopped", [2]float64{}, 0)

	f.nats.Process.Kill()
	f.nats.end(t)
	f.serve(400)
	f.startNATS()
	f.heal()
	bound := f.fair("after NATS was killed", [2]float64{}, 0)

	f.kill(0, 100)
	from := f.had()
	f.heal()
	f.fair("after a gateway was killed", from, bound)
	for _, g := range f.gateways {
		g.Process.Signal(syscall.SIGTERM)
	}
	f.stop()
	for i, g := range f.gateways {
		if err := g.end(t); err != nil {
			t.Errorf("gateway %d ends with %v after SIGTERM", i, err)
		}
	}
}

// TestReplicasMakeUp: a tenant that comes to two of three gateways has its part in total as far as
// they can make up for the third, also through faults; and has not without a bus.
func TestReplicasMakeUp(t *testing.T) {
	if testing.Short() {
		t.Skip("runs four processes for long")
	}
	absent := func(i, u int) bool { return i == 2 && u == 1 }
	f := newFleet(t, true, absent)
	f.serve(800)
	f.kill(0, 50)
	f.serve(500)
	f.nats.Process.Signal(syscall.SIGSTOP)
	f.serve(300)
	f.nats.Process.Signal(syscall.SIGCONT)
	f.serve(1500)
	with := f.had()
	f.stop()
	f.all.Wait()
	f = newFleet(t, false, absent)
	f.serve(600)
	without := f.had()
	t.Logf("%.2f : 1 with a bus, %.2f : 1 without", with[0]/with[1], without[0]/without[1])
	if ratio := with[0] / with[1]; math.Abs(ratio-2) > .3 {
		t.Errorf("%.0f : %.0f tokens, %.2f : 1, want 2 : 1", with[0], with[1], ratio)
	}
	if ratio := without[0] / without[1]; ratio < 2.8 {
		t.Errorf("without a bus %.0f : %.0f tokens, %.2f : 1, want 3.5 : 1", without[0], without[1], ratio)
	}
}

// TestStoppedNATS: a NATS server that takes nothing more, with reports of 10,000 tenants to tell, holds
// up neither requests nor the end.
func TestStoppedNATS(t *testing.T) {
	t.Parallel()
	f := &fleet{t: t, url: fmt.Sprintf("nats://127.0.0.1:%d", port(t))}
	f.startNATS()
	tenants := strings.Builder{}
	for i := range mostTenants - 1 {
		fmt.Fprintf(&tenants, `,{"name":"%060d","weight":1}`, i)
	}
	b := newBench(t, `[{"name":"honest","weight":1,"keys":["honest"]}`+tenants.String()+`]`, 2, 100, nil)
	bus := newBus(b.front, "here", 1e5)
	if err := bus.join(f.url, ""); err != nil {
		t.Fatal(err)
	}
	f.nats.Process.Signal(syscall.SIGSTOP)
	defer f.nats.Process.Signal(syscall.SIGCONT)
	for served := 0; bus.c.IsConnected() || served < 100; served++ {
		b.do(func() error {
			for name := range b.config.names {
				b.totals[name]++
			}
			return nil
		})
		if a, _, err := b.send(t.Context(), chat, order{User: "honest", Tokens: 2, Stream: true}, nil); err != nil || a.StatusCode != 200 {
			t.Fatalf("%v, %v", a, err)
		}
	}
	bus.close()
}
