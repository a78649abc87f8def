package expect

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Words fails the test unless the values of the enumeration T have these words, no two the same,
// and every other value prints its number. MarshalText gives the word, and UnmarshalText, if T has
// it, reads the words and refuses all else with nothing changed.
func Words[T interface {
	~uint8
	fmt.Stringer
	encoding.TextMarshaler
}](t testing.TB, words map[T]string) {
	t.Helper()
	typ := reflect.TypeFor[T]()
	seen := map[string]bool{}
	for _, word := range words {
		if seen[word] {
			t.Errorf("%s: two values are %q", typ, word)
		}
		seen[word] = true
	}
	for k := range 256 {
		want, named := words[T(k)]
		if !named {
			want = fmt.Sprintf("%s(%d)", typ.Name(), k)
		}
		if got := T(k).String(); got != want {
			t.Errorf("%s(%d).String() = %q, want %q", typ, k, got, want)
		}
		if text, err := T(k).MarshalText(); string(text) != want || err != nil {
			t.Errorf("%s(%d).MarshalText() = %q, %v, want %q", typ, k, text, err, want)
		}
		got := T(255 - k)
		reader, reads := any(&got).(encoding.TextUnmarshaler)
		if !reads {
			continue
		}
		err := reader.UnmarshalText([]byte(want))
		if named && (got != T(k) || err != nil) {
			t.Errorf("%s: UnmarshalText(%q) = %v, %v, want %d", typ, want, got, err, k)
		}
		others := []string{want}
		if named {
			got, others = T(k), []string{"", strings.ToUpper(want[:1]) + want[1:], want + " "}
			others = slices.DeleteFunc(others, func(word string) bool { return seen[word] })
		}
		for _, word := range others {
			was := got
			InputError(t, "UnmarshalText("+word+")", reader.UnmarshalText([]byte(word)), typ.String()+".UnmarshalText", "text", -1)
			if got != was {
				t.Errorf("%s: UnmarshalText(%q) leaves %v, want %v", typ, word, got, was)
			}
		}
	}
}
