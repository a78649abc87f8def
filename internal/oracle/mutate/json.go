// Package mutate damages the snapshots of a test.
package mutate

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// numbers lie at the ends of what snapshots take.
var numbers = []json.Number{"0", "-0", "1", "-1", "2", "3", "7", "0.1", "0.30000000000000004", "1e-300", "5e-324", "6.223015277861142e-61", "1.6069380442589903e60", "1e300",
	"4503599627370496", "9007199254740991", "9007199254740992", "9007199254740993", "4611686018427387903", "4611686018427387904", "9223372036854775807", "18446744073709551615"}

// JSON returns a JSON text with one change: another number, string or truth value, often one
// that occurs elsewhere in the text, or an array with an element less, an element twice or two
// exchanged. pick(n) draws one of 0 to n-1. A text that does not parse is returned as it is.
func JSON(text []byte, pick func(n int) int) []byte {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var root any
	if d.Decode(&root) != nil {
		return text
	}
	at, strings := numbers, []string{""}
	var places []func() // changes that are possible
	var walk func(v any, set func(any))
	walk = func(v any, set func(any)) {
		switch v := v.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(v[key], func(x any) { v[key] = x })
			}
		case []any:
			for i := range v {
				walk(v[i], func(x any) { v[i] = x })
			}
			if len(v) == 0 {
				return
			}
			places = append(places,
				func() { i := pick(len(v)); set(slices.Delete(v, i, i+1)) },
				func() { i := pick(len(v)); set(slices.Insert(v, i, v[i])) },
				func() { i, k := pick(len(v)), pick(len(v)); v[i], v[k] = v[k], v[i] })
		case json.Number:
			at = append(at, v)
			places = append(places, func() {
				if n, err := strconv.ParseInt(v.String(), 10, 64); err == nil && pick(3) == 0 {
					set(n + 2*int64(pick(2)) - 1) // the number before or after
				} else {
					set(at[pick(len(at))])
				}
			})
		case string:
			strings = append(strings, v)
			places = append(places, func() { set(strings[pick(len(strings))]) })
		case bool:
			places = append(places, func() { set(!v) })
		}
	}
	walk(root, func(x any) { root = x })
	if len(places) == 0 {
		return text
	}
	places[pick(len(places))]()
	changed, err := json.Marshal(root)
	if err != nil {
		return text
	}
	return changed
}
