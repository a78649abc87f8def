package fluid

import (
	"math/bits"
	"slices"
)

// ranks is a set of sorted lists of jobs by (snapped key, index), each job being in one list at most. It is a skip list (W. Pugh, Comm. ACM
// 33 (1990), 668-676) whose heights come from a hash of the index, a quarter of each level reaching the next: inserting and
// removing cost O(log n), walking along a list O(1) per job.
type ranks struct {
	keys []dd
	at   []int32 // where the links of a job start
	next []int32
	head []int32 // tall per list
}

// tall is the greatest height, enough for 4^12 jobs.
const tall = 12

func height(id int32) int {
	x := (uint64(id) + 1) * 0x9e3779b97f4a7c15
	x ^= x >> 32
	return min(1+bits.TrailingZeros64(x*0xd6e8feb86659fd93>>20)/2, tall)
}

// reset empties the lists and makes room for n jobs in so many lists.
func (s *ranks) reset(n, lists int) {
	s.keys = slices.Grow(s.keys[:0], n)[:n]
	s.at = slices.Grow(s.at[:0], n)[:n]
	links := 0
	for id := range s.at {
		s.at[id] = int32(links)
		links += height(int32(id))
	}
	s.next = slices.Grow(s.next[:0], links)[:links]
	s.head = slices.Grow(s.head[:0], lists*tall)[:lists*tall]
	for i := range s.head {
		s.head[i] = -1
	}
}

// first is the least job of a list, -1 if it is empty.
func (s *ranks) first(list int32) int32 { return s.head[list*tall] }

// after is the job behind id in its list, -1 if there is none.
func (s *ranks) after(id int32) int32 { return s.next[s.at[id]] }

// path finds for every height the link that leads to the first job not before e.
func (s *ranks) path(list int32, e entry, links *[tall]*int32) {
	e.key = e.key.snap()
	row := s.head[list*tall : (list+1)*tall]
	for h := tall - 1; h >= 0; h-- {
		link := &row[h]
		for *link >= 0 && (entry{s.keys[*link].snap(), *link}).before(e) {
			at := s.at[*link]
			row = s.next[at : at+int32(h)+1]
			link = &row[h]
		}
		links[h] = link
	}
}

func (s *ranks) insert(list int32, e entry) {
	var links [tall]*int32
	s.path(list, e, &links)
	s.keys[e.id] = e.key
	own := s.next[s.at[e.id]:]
	for h := range height(e.id) {
		own[h], *links[h] = *links[h], e.id
	}
}

func (s *ranks) remove(list, id int32) {
	var links [tall]*int32
	s.path(list, entry{s.keys[id], id}, &links)
	own := s.next[s.at[id]:]
	for h := range height(id) {
		*links[h] = own[h]
	}
}
