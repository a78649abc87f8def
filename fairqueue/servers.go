package fairqueue

import (
	"slices"

	"github.com/schedmath/schedmath/internal/heap"
	"github.com/schedmath/schedmath/internal/input"
)

// places is where flows directly below the root wait that only some servers may serve.
type places struct {
	waiting heap.Heap         // all of them, as in inner.waiting, where the others are
	at      map[int]*server   // servers that have seats
	of      map[int32][]int32 // seats of a flow, by server
	seats   []seat
	pos     []int32 // of each seat in the heap of its server; -1: does not wait
	free    []int32 // unused elements of seats
}

// server is one of those that alone may serve some flows.
type server struct {
	waiting heap.Heap // seats of flows that wait
	seats   int
}

// seat is a flow at one of the servers that may serve it.
type seat struct {
	node   int32
	server int
}

// SetServers says which servers may serve a flow directly below the root; without any, as at first
// and after Leave, all of them. [Queue.NextAt] and [Queue.OrderAt] ask for one server, whose number
// is any of at least 0; Next and Order look at no servers. With s servers each call that moves the
// flow's tag costs s times as much. The package comment says what becomes of weights.
//
// Errors: a key that has not joined, is not directly below the root, or has children; a server
// below 0, or there twice.
func (q *Queue[K]) SetServers(key K, servers ...int) error {
	const fn = "fairqueue.Queue.SetServers"
	i, err := q.find(fn, "key", key, false)
	switch {
	case err != nil:
		return err
	case q.nodes[i].parent != root || !q.nodes[i].leaf():
		return input.Bad(fn, "key", -1, "%v is not directly below the root, or has children", key)
	}
	for k, server := range servers {
		if server < 0 || slices.Contains(servers[:k], server) {
			return input.Bad(fn, "servers", k, "%d, want numbers of at least 0, none twice", server)
		}
	}
	q.unseat(i)
	if len(servers) > 0 {
		q.bind(i, servers)
	}
	q.put(i)
	return nil
}

// bind gives node i, which has none, seats at servers.
func (q *Queue[K]) bind(i int32, servers []int) {
	if q.places == nil {
		q.places = &places{at: make(map[int]*server), of: make(map[int32][]int32)}
	}
	p := q.places
	q.nodes[i].bound = true
	for _, number := range slices.Sorted(slices.Values(servers)) {
		if p.at[number] == nil {
			p.at[number] = new(server)
		}
		p.at[number].seats++
		if len(p.free) == 0 {
			p.free = append(p.free, int32(len(p.seats)))
			p.seats, p.pos = append(p.seats, seat{}), append(p.pos, 0)
		}
		s := p.free[len(p.free)-1]
		p.free = p.free[:len(p.free)-1]
		p.seats[s], p.pos[s] = seat{i, number}, -1
		p.of[i] = append(p.of[i], s)
	}
}

// unseat lets all servers serve node i. Call put afterwards.
func (q *Queue[K]) unseat(i int32) {
	if !q.nodes[i].bound {
		return
	}
	p := q.places
	q.seat(i, false)
	for _, s := range p.of[i] {
		at := p.at[p.seats[s].server]
		if at.seats--; at.seats == 0 {
			delete(p.at, p.seats[s].server)
		}
		p.free = append(p.free, s)
	}
	delete(p.of, i)
	q.nodes[i].bound = false
}

// seat puts the seats of node i, whose tags or state have changed, where they belong.
func (q *Queue[K]) seat(i int32, waits bool) {
	p, start := q.places, q.nodes[i].start()
	for _, s := range p.of[i] {
		h := &p.at[p.seats[s].server].waiting
		switch {
		case waits && p.pos[s] < 0:
			h.Push(heap.Entry{Key: start.float(), ID: s}, p.pos, (*seatTies[K])(q))
		case waits:
			h.Fix(p.pos[s], start.float(), p.pos, (*seatTies[K])(q))
		case p.pos[s] >= 0:
			h.Remove(p.pos[s], p.pos, (*seatTies[K])(q))
			p.pos[s] = -1
		}
	}
}

// seatTies orders seats whose flows' start tags are equal as float64.
type seatTies[K comparable] Queue[K]

func (t *seatTies[K]) Before(a, b int32) bool {
	return (*Queue[K])(t).compare(t.places.seats[a].node, t.places.seats[b].node) < 0
}

// NextAt returns the flow that a server serves next: as Next with a skip that passes over all flows
// that SetServers keeps from it, besides those for which skip returns true. Flows kept from the
// server cost nothing.
func (q *Queue[K]) NextAt(server int, skip func(K) bool) (key K, ok bool) {
	if q.places != nil && q.places.at[server] != nil {
		return q.next(skip, &q.places.at[server].waiting, q.places.seats)
	}
	return q.next(skip, nil, nil)
}
