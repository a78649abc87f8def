package fairworkqueue_test

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/schedmath/schedmath/fairqueue"
	"golang.org/x/net/http2"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// TestBurstInPriorityQueue: in controller-runtime's queue, at one priority, who comes after a burst
// waits for all of it; by a fair queue for one item.
func TestBurstInPriorityQueue(t *testing.T) {
	const burst = 500
	p := priorityqueue.New[string]("peers")
	defer p.ShutDown()
	q := newFair(t, 2)
	for i := range burst {
		p.Add("a/" + strconv.Itoa(i))
	}
	p.Add("b/0")
	theirs, ours := 0, 0
	for item := ""; item != "b/0"; theirs++ {
		item, _, _ = p.GetWithPriority()
		p.Done(item)
	}
	for key := 0; key != 1; ours++ {
		key, _ = q.Next(nil)
		if err := q.Charge(key, 1); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("after a burst of %d: place %d by priority, %d by a fair queue", burst, theirs, ours)
	if theirs <= burst/2 || ours != 2 {
		t.Errorf("places %d and %d, want nearly %d and 2", theirs, ours, burst+1)
	}
}

func newFair(t testing.TB, n int) *fairqueue.Queue[int] {
	q, err := fairqueue.New[int](fairqueue.Options{})
	for i := range n {
		if err == nil {
			err = q.Join(i, 1)
		}
		if err == nil {
			err = q.SetActive(i, true)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// tagged is an http2.WriteScheduler by start tags, in bytes: streams of equal weight.
type tagged struct {
	control []http2.FrameWriteRequest // of no stream
	frames  map[uint32][]http2.FrameWriteRequest
	q       *fairqueue.Queue[uint32]
}

func newTagged() http2.WriteScheduler {
	return &tagged{frames: map[uint32][]http2.FrameWriteRequest{}, q: new(fairqueue.Queue[uint32])}
}

func (s *tagged) OpenStream(id uint32, _ http2.OpenStreamOptions) { s.q.Join(id, 1) }
func (s *tagged) CloseStream(id uint32)                           { s.q.Leave(id); delete(s.frames, id) }
func (s *tagged) AdjustStream(uint32, http2.PriorityParam)        {}

func (s *tagged) Push(f http2.FrameWriteRequest) {
	id := f.StreamID()
	if id == 0 || s.q.SetActive(id, true) != nil {
		s.control = append(s.control, f)
		return
	}
	s.frames[id] = append(s.frames[id], f)
}

func (s *tagged) Pop() (f http2.FrameWriteRequest, ok bool) {
	if len(s.control) > 0 {
		f, s.control = s.control[0], s.control[1:]
		return f, true
	}
	closed := map[uint32]bool{} // windows
	for {
		id, ok := s.q.Next(func(id uint32) bool { return closed[id] })
		if !ok {
			return http2.FrameWriteRequest{}, false
		}
		f, rest, parts := s.frames[id][0].Consume(1 << 14)
		switch parts {
		case 0:
			closed[id] = true
			continue
		case 1:
			s.frames[id] = s.frames[id][1:]
		case 2:
			s.frames[id][0] = rest
		}
		s.q.Charge(id, float64(f.DataSize()))
		s.q.SetActive(id, len(s.frames[id]) > 0)
		return f, true
	}
}

// counted hands the data of all streams to a scheduler at once, and counts what it sends of each.
type counted struct {
	http2.WriteScheduler
	held map[uint32]http2.FrameWriteRequest // data, until all streams have some
	all  bool
	mu   *sync.Mutex
	sent map[uint32]int
	last *map[uint32]int // sent when half of all was
}

func (s *counted) Push(f http2.FrameWriteRequest) {
	if f.DataSize() == 0 || s.all {
		s.WriteScheduler.Push(f)
		return
	}
	if s.held[f.StreamID()] = f; len(s.held) == streams {
		s.all = true
		for id := uint32(1); len(s.held) > 0; id += 2 {
			if f, ok := s.held[id]; ok {
				s.WriteScheduler.Push(f)
				delete(s.held, id)
			}
		}
	}
}

func (s *counted) Pop() (http2.FrameWriteRequest, bool) {
	f, ok := s.WriteScheduler.Pop()
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := f.DataSize(); ok && n > 0 {
		s.sent[f.StreamID()] += n
		sum := 0
		for _, n := range s.sent {
			sum += n
		}
		if sum >= streams*body/2 && *s.last == nil {
			*s.last = map[uint32]int{}
			for id, n := range s.sent {
				(*s.last)[id] = n
			}
		}
	}
	return f, ok
}

const streams, body = 4, 3 << 20 // below a stream's window

// TestHTTP2Streams: four answers of equal weight on one connection, over TCP, by the schedulers of
// x/net and by start tags. When half is sent each stream has a fourth of it by tags; the scheduler of
// RFC 7540 sends two of them first.
func TestHTTP2Streams(t *testing.T) {
	for _, c := range []struct {
		name string
		make func() http2.WriteScheduler
		fair bool
	}{
		{"RFC 7540", func() http2.WriteScheduler { return http2.NewPriorityWriteScheduler(nil) }, false},
		{"random", http2.NewRandomWriteScheduler, false},
		{"fairqueue", newTagged, true},
	} {
		var mu sync.Mutex
		var half map[uint32]int
		sent := map[uint32]int{}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		all := make(chan struct{})
		var come sync.WaitGroup
		come.Add(streams)
		go func() { come.Wait(); close(all) }()
		go func() {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			server := &http2.Server{NewWriteScheduler: func() http2.WriteScheduler {
				return &counted{c.make(), map[uint32]http2.FrameWriteRequest{}, false, &mu, sent, &half}
			}}
			server.ServeConn(conn, &http2.ServeConnOpts{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				come.Done()
				<-all
				w.Write(make([]byte, body))
			})})
		}()
		client := &http2.Transport{AllowHTTP: true, DialTLSContext: func(ctx context.Context, network, _ string, _ *tls.Config) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, l.Addr().String())
		}}
		var done sync.WaitGroup
		for range streams {
			done.Add(1)
			go func() {
				defer done.Done()
				r, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+l.Addr().String()+"/", nil)
				if err == nil {
					a, err2 := client.RoundTrip(r)
					if err = err2; err == nil {
						_, err = io.Copy(io.Discard, a.Body)
					}
				}
				if err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
			}()
		}
		done.Wait()
		client.CloseIdleConnections()
		l.Close()
		var list []int
		mu.Lock()
		for _, n := range half {
			list = append(list, n*100/(body*streams/2))
		}
		mu.Unlock()
		slices.Sort(list)
		t.Logf("%s: hundredths of the first half by stream: %v", c.name, list)
		if c.fair && (len(list) < streams || list[0] < 24) {
			t.Errorf("%s: %v, want a fourth each", c.name, list)
		}
	}
}

// One event of 10^4 flows: the next item is taken, done, and comes again.
func BenchmarkPeers(b *testing.B) {
	const n = 10000
	b.Run("fairqueue", func(b *testing.B) {
		q := newFair(b, n)
		for b.Loop() {
			key, _ := q.Next(nil)
			s, err := q.Start(key, 1)
			if err != nil || q.End(s, 1) != nil {
				b.Fatal("a service failed")
			}
		}
	})
	b.Run("controller-runtime", func(b *testing.B) {
		p := priorityqueue.New[int]("bench")
		defer p.ShutDown()
		for i := range n {
			p.Add(i)
		}
		for b.Loop() {
			item, _, _ := p.GetWithPriority()
			p.Done(item)
			p.Add(item)
		}
	})
}
