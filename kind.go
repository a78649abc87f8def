package schedmath

import "strconv"

// Kind is a kind of task, and of the slots that tasks of this kind occupy. All packages use this
// type; slotmodel and shuffle have aliases of it.
type Kind uint8

// The kinds, usable as indices of arrays of two.
const (
	Map Kind = iota
	Reduce
)

// String returns "map" or "reduce", and "Kind(7)" for what is neither.
func (k Kind) String() string {
	switch k {
	case Map:
		return "map"
	case Reduce:
		return "reduce"
	}
	return "Kind(" + strconv.Itoa(int(k)) + ")"
}

// MarshalText returns the word of String.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the words of String: an InputError for any other.
func (k *Kind) UnmarshalText(text []byte) error {
	for _, kind := range [...]Kind{Map, Reduce} {
		if kind.String() == string(text) {
			*k = kind
			return nil
		}
	}
	return &InputError{Func: "schedmath.Kind.UnmarshalText", Arg: "text", Index: -1, Reason: strconv.QuoteToASCII(string(text)) + ", want map or reduce"}
}
