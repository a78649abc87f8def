// Package enum gives the values of enumerations their words, and reads them. An enumeration has
//
//	var byNames = []string{"work", "finish"}
//
//	func (b By) String() string                { return enum.Name(b, "By", byNames...) }
//	func (b By) MarshalText() ([]byte, error)     { return []byte(b.String()), nil }
//	func (b *By) UnmarshalText(text []byte) error { return enum.Parse(b, "aging.By", text, byNames...) }
//
// the last where a snapshot or a file holds it.
package enum

import (
	"slices"
	"strconv"
	"strings"

	"github.com/schedmath/schedmath/internal/input"
)

// Name returns names[v], or what "Method(7)" is to the type Method if v has no name.
func Name[T ~uint8](v T, typ string, names ...string) string {
	if int(v) < len(names) {
		return names[v]
	}
	return typ + "(" + strconv.Itoa(int(v)) + ")"
}

// Parse sets *v to the value whose name is text. typ is the type with its package. An InputError,
// and *v as it was, if no value has that name.
func Parse[T ~uint8](v *T, typ string, text []byte, names ...string) error {
	k := slices.Index(names, string(text))
	if k < 0 {
		return input.Bad(typ+".UnmarshalText", "text", -1, "%.40q, want one of %s", text, strings.Join(names, ", "))
	}
	*v = T(k)
	return nil
}
