package main

import (
	"bufio"
	"context"
	"io"
	"math"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A wire is a way to the NATS server that can be cut.
type wire struct {
	net.Listener
	cut   atomic.Bool
	mu    sync.Mutex
	conns []net.Conn
}

func newWire(t *testing.T, to string) *wire {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{Listener: l}
	t.Cleanup(func() { l.Close(); w.set(true) })
	go func() {
		for {
			a, err := l.Accept()
			if err != nil {
				return
			}
			b, err := net.Dial("tcp", to)
			if err != nil || w.cut.Load() {
				a.Close()
				continue
			}
			w.mu.Lock()
			w.conns = append(w.conns, a, b)
			w.mu.Unlock()
			go io.Copy(a, b)
			go io.Copy(b, a)
		}
	}()
	return w
}

func (w *wire) set(cut bool) {
	w.cut.Store(cut)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.conns {
		c.Close()
	}
	w.conns = nil
}

// TestSeveralGateways: three processes before three backends, bob at two of them alone. In total
// weights of 2 and 1 hold, since each tells what it served; through a kill -9 in mid-stream and a
// restart, and through two seconds in which one gateway is cut off. Without a bus they do not.
func TestSeveralGateways(t *testing.T) {
	if testing.Short() {
		t.Skip("runs three processes for half a minute")
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "gateway")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tenants := []tenant{{Name: "acme", Weight: 2, Keys: []string{"ka"}}, {Name: "bob", Weight: 1, Keys: []string{"kb"}}}
	tree := fileOf(t, tenants)
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	defer s.Shutdown()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("NATS does not start")
	}
	play := func(bus, faults bool, length time.Duration) (had [2]float64) {
		var address [3]atomic.Value
		var process [3]*exec.Cmd
		var wires [3]*wire
		start := func(i int, backend string) {
			args := []string{"-backend", backend, "-tenants", tree, "-streams", "2", "-listen", "127.0.0.1:0", "-lag", "500",
				"-state", filepath.Join(dir, "state"+string(rune('0'+i))+".json")}
			if bus {
				args = append(args, "-nats", "nats://"+wires[i].Addr().String())
			}
			process[i] = exec.Command(binary, args...)
			out, err := process[i].StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			process[i].Stderr = os.Stderr
			if err := process[i].Start(); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			at := strings.Fields(line)[3]
			address[i].Store(at)
			go io.Copy(io.Discard, out)
		}
		var backends [3]string
		for i := range process {
			os.Remove(filepath.Join(dir, "state"+string(rune('0'+i))+".json"))
			b := httptest.NewServer(llm(2*time.Millisecond, new(atomic.Int32)))
			defer b.Close()
			backends[i], wires[i] = b.URL, newWire(t, s.Addr().String())
			start(i, b.URL)
		}
		ctx, stop := context.WithTimeout(context.Background(), length)
		defer stop()
		var all sync.WaitGroup
		var mu sync.Mutex
		for i := range process {
			for c := range 12 {
				tenant := c % 2
				if i == 2 && tenant == 1 {
					continue
				}
				all.Add(1)
				go func() {
					defer all.Done()
					for ctx.Err() == nil {
						_, text, _ := ask(ctx, address[i].Load().(string), []string{"ka", "kb"}[tenant], 10+c*5, true)
						mu.Lock()
						had[tenant] += float64(strings.Count(text, "delta"))
						mu.Unlock()
						if text == "" {
							time.Sleep(20 * time.Millisecond) // it is being restarted
						}
					}
				}()
			}
		}
		if faults {
			time.Sleep(length / 4)
			process[0].Process.Signal(syscall.SIGKILL)
			process[0].Wait()
			time.Sleep(length / 20)
			start(0, backends[0])
			time.Sleep(length / 5)
			wires[1].set(true)
			time.Sleep(length / 6)
			wires[1].set(false)
		}
		all.Wait()
		for _, p := range process {
			p.Process.Signal(syscall.SIGTERM)
			if err := p.Wait(); err != nil {
				t.Errorf("a gateway ends with %v after SIGTERM, want a clean end", err)
			}
		}
		t.Logf("bus %v, faults %v: %v tokens, ratio %.2f", bus, faults, had, had[0]/had[1])
		return had
	}
	if had := play(true, true, 12*time.Second); math.Abs(had[0]/had[1]-2) > .3 {
		t.Errorf("with a kill and a cut: %v, ratio %.2f, want 2", had, had[0]/had[1])
	}
	if had := play(false, false, 5*time.Second); had[0]/had[1] < 2.8 {
		t.Errorf("without a bus: %v, ratio %.2f, want 3.5", had, had[0]/had[1])
	}
}
