package aging

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTable drives a table beside a map, with few hashes and with those of the first and the last home, so that most entries are away
// from home and many beyond the end of the array.
func TestTable(t *testing.T) {
	src := rand.New(rand.NewPCG(5, 6))
	hashes := []func() uint32{
		src.Uint32,
		func() uint32 { return src.Uint32N(3) << 30 },
		func() uint32 { return -src.Uint32N(2) },
		func() uint32 { return math.MaxUint32 - src.Uint32N(1<<29) },
	}
	for n := range 200 {
		var tab table
		model := map[int32]uint32{}
		// find returns where id is, or the empty place where the search for it ends.
		find := func(id int32, hash uint32) (s spot, ok bool) {
			s.hash = hash
			if len(tab.places) == 0 {
				return s, false
			}
			for s.at = tab.home(hash); tab.places[s.at].id != 0; s.at = tab.next(s.at) {
				if tab.places[s.at].id == id+1 {
					return s, true
				}
			}
			return s, false
		}
		for step := range 300 {
			id := int32(src.IntN(60))
			if hash, ok := model[id]; ok {
				s, _ := find(id, hash)
				tab.remove(s.at)
				delete(model, id)
			} else {
				model[id] = hashes[n%len(hashes)]()
				s, _ := find(id, model[id])
				tab.insert(id, s)
			}
			filled := 0
			for _, e := range tab.places {
				if e.id != 0 {
					filled++
				}
			}
			if tab.used != len(model) || filled != len(model) {
				t.Fatalf("table %d, step %d: used = %d, %d places filled, want %d", n, step, tab.used, filled, len(model))
			}
			for id, hash := range model {
				if s, ok := find(id, hash); !ok {
					t.Fatalf("table %d, step %d: id %d is not found from home %d, ends at %d: %v", n, step, id, tab.home(hash), s.at, tab.places)
				}
			}
		}
	}
}
