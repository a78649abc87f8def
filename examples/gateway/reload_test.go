package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestConfigs: files that are refused, and keys as hashes.
func TestConfigs(t *testing.T) {
	for _, text := range []string{
		``, `{}`, `[{"name":"a","weight":1}] 1`, `[{"name":"a","weight":1,"colour":1}]`,
		`[{"name":"","weight":1}]`, `[{"name":"a/b","weight":1}]`, `[{"name":"<a>","weight":1}]`, `[{"name":"a"}]`, `[{"name":"a","weight":-1}]`, `[{"name":"a","weight":1e300}]`,
		`[{"name":"a","weight":1,"cap":-1}]`, `[{"name":"a","weight":1,"queue":-1}]`,
		`[{"name":"a","weight":1},{"name":"a","weight":1}]`,
		`[{"name":"a","weight":1,"keys":["k"]},{"name":"b","weight":1,"keys":["k"]}]`,
		`[{"name":"a","weight":1,"keys":["k"]},{"name":"b","weight":1,"keys":["sha256:8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a"]}]`,
		`[{"name":"a","weight":1,"keys":["k"],"children":[{"name":"b","weight":1}]}]`,
		`[{"name":"a","weight":1,"keys":[""]}]`, `[{"name":"a","weight":1,"keys":["sha256:12"]}]`, `[{"name":"a","weight":1,"keys":["sha256:` + strings.Repeat("x", 64) + `"]}]`,
		`[{"name":"` + strings.Repeat("a", 65) + `","weight":1}]`,
	} {
		if c, err := readConfig(fileOf(t, text), 1); err == nil {
			t.Errorf("%.80s is taken: %v", text, c.nodes)
		}
	}
	c := configOf(t, `[{"name":"a","weight":1,"keys":["SHA256:no hash","sha256:8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a"]}]`)
	b := newBench(t, `[]`, 1, 1, nil)
	b.load(c)
	for key, want := range map[string]int{"k": 200, "SHA256:no hash": 200, "sha256:8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a": 401, "": 401} {
		if a, _, err := b.send(t.Context(), chat, order{User: key}, nil); err != nil || a.StatusCode != want {
			t.Errorf("key %q: %v, %v, want %d", key, a, err, want)
		}
	}
}

// TestReload: a tenant that goes while it waits, a leaf that gains children and loses them, with and
// without services in flight.
func TestReload(t *testing.T) {
	const flat, deep, gone = `[{"name":"honest","weight":1,"keys":["honest"]},{"name":"acme","weight":1,"keys":["a"]}]`,
		`[{"name":"honest","weight":1,"keys":["honest"]},{"name":"acme","weight":1,"children":[{"name":"x","weight":1,"keys":["a"]}]}]`,
		`[{"name":"honest","weight":1,"keys":["honest"]}]`
	b := newBench(t, flat, 1, 100, nil)
	block := make(chan struct{})
	b.fake.pause = func(order) { <-block }
	load := func(text string) {
		t.Helper()
		if err := b.load(configOf(t, text)); err != nil {
			t.Fatal(err)
		}
	}
	codes := make(chan int, 10)
	ask := func(key string) {
		a, text, err := b.send(context.Background(), chat, order{User: key, Tokens: 1}, nil)
		if err != nil {
			a = &http.Response{StatusCode: -1}
			text = err.Error()
		}
		if a.StatusCode != 200 && a.StatusCode != 401 {
			t.Errorf("%s: %d %s", key, a.StatusCode, text)
		}
		codes <- a.StatusCode
	}
	flying := func() int { b.gate.mu.Lock(); defer b.gate.mu.Unlock(); return b.flying }
	places := func(name string) int {
		b.gate.mu.Lock()
		defer b.gate.mu.Unlock()
		if n := cmp.Or(b.config.names[name], b.config.names[name+"/"]); n != nil {
			return n.places
		}
		return -1
	}

	for round := range 3 {
		go ask("a") // flies
		within(t, "one flies", func() bool { return flying() == 1 })
		go ask("a") // waits
		within(t, "one waits", func() bool { return places("acme") == 1 })
		go ask("honest")
		within(t, "honest waits", func() bool { return places("honest") == 1 })
		next := []string{deep, gone, flat}[round]
		load(next)
		if code := <-codes; code != 401 {
			t.Errorf("round %d: who waited gets %d, want 401", round, code)
		}
		switch next {
		case deep:
			go ask("a")
			within(t, "a waits at its new place", func() bool { return places("acme/x") == 1 && places("acme") == 1 })
			load(flat)
			if code := <-codes; code != 401 {
				t.Errorf("who waited below acme gets %d, want 401", code)
			}
			load(deep)
		case gone:
			go ask("a")
			if code := <-codes; code != 401 {
				t.Errorf("who is gone gets %d, want 401", code)
			}
			if len(b.leaving) != 1 || b.leaving[0] != "acme/" {
				t.Errorf("%v are leaving, want acme/, below which a service flies", b.leaving)
			}
		}
		block <- struct{}{}
		block <- struct{}{}
		if x, y := <-codes, <-codes; x+y != 400 {
			t.Errorf("round %d: who flew and honest get %d and %d, want 200", round, x, y)
		}
		within(t, "all have left", b.idle)
		if next == gone {
			if b.q.Has("acme") || b.q.Has("acme/") || b.q.Len() != 1 || len(b.leaving) > 0 {
				t.Errorf("%d flows have joined, acme is one: %t, leaving %v", b.q.Len(), b.q.Has("acme") || b.q.Has("acme/"), b.leaving)
			}
			load(deep)
		}
	}
	go ask("a") // a node that has become a leaf
	block <- struct{}{}
	if code := <-codes; code != 200 {
		t.Errorf("acme gets %d, want 200", code)
	}
	close(block)
}

// TestRefusedOnTheWay: a request that is refused just as its body has come in ends its connection, and
// says so: else the client would send the next one there.
func TestRefusedOnTheWay(t *testing.T) {
	for _, refused := range []bool{false, true} {
		x := &request{front: new(front), client: http.NewResponseController(nothing{})}
		x.body = time.Minute
		x.ctx, x.cancel = context.WithCancelCause(t.Context())
		end := ending(func() {
			if refused {
				x.cancel(errUnknown)
			}
		})
		w := httptest.NewRecorder()
		err := x.read(w, io.MultiReader(strings.NewReader("{}"), end), path{})
		if got := w.Header().Get("Connection"); err != nil || (got == "close") != refused {
			t.Errorf("refused %t: Connection is %q, %v", refused, got, err)
		}
	}
}

// An ending does something at the end of a body.
type ending func()

func (e ending) Read([]byte) (int, error) { e(); return 0, io.EOF }

// TestReloadDrawn: drawn configurations, one after the other, while drawn requests wait and fly; the
// queue refuses nothing, and who is named is served.
func TestReloadDrawn(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		b := &front{gate: new(gate), metrics: newMetrics()}
		b.streams, b.budget, b.prices = 3, 1<<20, tokens{1, 1, 1}
		if err := b.open(10); err != nil {
			t.Fatal(err)
		}
		var draw func(depth int) string
		draw = func(depth int) string {
			var parts []string
			for i := range 3 {
				if r.IntN(3) == 0 {
					continue
				}
				children := "[]"
				if depth < 2 && r.IntN(2) == 0 {
					children = draw(depth + 1)
				}
				parts = append(parts, fmt.Sprintf(`{"name":"%d","weight":%d,"cap":%d,"children":%s}`, i, 1+r.IntN(3), r.IntN(3), children))
			}
			return "[" + strings.Join(parts, ",") + "]"
		}
		var requests []*request
		for step := range 60 {
			switch r.IntN(4) {
			case 0:
				if err := b.load(configOf(t, draw(0))); err != nil {
					t.Fatalf("seed %d, step %d: %v", seed, step, err)
				}
			case 1, 2:
				if len(b.config.nodes) > 0 {
					x := &request{front: b, name: b.config.nodes[r.IntN(len(b.config.nodes))].name, turn: make(chan struct{}), ask: &ask{n: 1}}
					x.ctx, x.cancel = context.WithCancelCause(t.Context())
					if err := b.admit(x, 10); err != nil {
						t.Fatal(err)
					}
					if x.inside {
						err := b.do(func() error {
							x.ready, x.charged = true, 1+float64(r.IntN(9))
							x.leaf.ready++
							return b.q.SetActive(x.leaf.node.flow, true)
						})
						if err != nil {
							t.Fatalf("seed %d, step %d: %v", seed, step, err)
						}
						requests = append(requests, x)
					}
				}
			case 3:
				if len(requests) > 0 {
					i := r.IntN(len(requests))
					requests[i].end(tokens{output: 3}, true, 0)
					requests = append(requests[:i], requests[i+1:]...)
				}
			}
			flying, waiting := 0, 0
			for _, x := range requests {
				if x.service != 0 {
					flying++
				} else if x.inside {
					waiting++
				}
				if (x.ctx.Err() != nil) == (x.inside || x.service != 0) {
					t.Fatalf("seed %d, step %d: a request is refused and in the queue, or neither", seed, step)
				}
			}
			places := 0
			for _, n := range b.config.nodes {
				if n.leaf != nil {
					places += n.places
				}
			}
			if flying != b.flying || waiting != places {
				t.Fatalf("seed %d, step %d: %d fly and %d wait, want %d and %d", seed, step, b.flying, places, flying, waiting)
			}
		}
		for _, x := range requests {
			x.end(tokens{output: 3}, true, 0)
		}
		if b.q.Len() != len(b.config.nodes) || b.flying != 0 || len(b.leaving) > 0 || b.held != 0 {
			t.Fatalf("seed %d: %d flows for %d nodes, %d fly, %v leave, %d bytes", seed, b.q.Len(), len(b.config.nodes), b.flying, b.leaving, b.held)
		}
	}
}
