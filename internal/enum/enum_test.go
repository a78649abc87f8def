package enum_test

import (
	"errors"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/enum"
)

type fruit uint8

func TestNamesAreReadBack(t *testing.T) {
	names := []string{"apple", "pear"}
	for k, name := range names {
		got := fruit(9)
		if err := enum.Parse(&got, "x.Fruit", []byte(name), names...); err != nil || got != fruit(k) || enum.Name(got, "Fruit", names...) != name {
			t.Errorf("Parse(%q) = %v, %v, want %d", name, got, err, k)
		}
	}
	if s := enum.Name(fruit(2), "Fruit", names...); s != "Fruit(2)" {
		t.Errorf("Name(2) = %q, want Fruit(2)", s)
	}
}

func TestParseRefusesOtherWords(t *testing.T) {
	for _, text := range []string{"", "Apple", "Fruit(1)", "plum"} {
		got := fruit(1)
		err := enum.Parse(&got, "x.Fruit", []byte(text), "apple", "pear")
		var bad *schedmath.InputError
		if !errors.As(err, &bad) || bad.Func != "x.Fruit.UnmarshalText" || bad.Arg != "text" || got != 1 {
			t.Errorf("Parse(%q) = %v and %v, want an InputError and nothing changed", text, got, err)
		}
	}
}
