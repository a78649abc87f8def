package slotmodel_test

import (
	"encoding"
	"fmt"
	"testing"

	"github.com/schedmath/schedmath/slotmodel"
	"github.com/schedmath/schedmath/slotmodel/fluid"
)

// Every value of an enumeration has a name of its own; a value out of range is named by its number.
func TestEnumNames(t *testing.T) {
	for _, e := range []struct {
		name        string
		first, last int
		make        func(int) fmt.Stringer
		at, end     string // names of the first and of the last value
	}{
		{"EventType", 0, int(slotmodel.Rode), func(i int) fmt.Stringer { return slotmodel.EventType(i) }, "arrived", "rode"},
		{"Outcome", 0, int(slotmodel.Stuck), func(i int) fmt.Stringer { return slotmodel.Outcome(i) }, "unended", "stuck"},
		{"Late", 0, int(fluid.LateNext), func(i int) fmt.Stringer { return fluid.Late(i) }, "share", "next"},
	} {
		names := map[string]int{}
		for i := range 256 {
			got, number := e.make(i).String(), fmt.Sprintf("%s(%d)", e.name, i)
			if named := i >= e.first && i <= e.last; named == (got == number) {
				t.Errorf("%s is %q, want a name if it is in [%d, %d], and the number if not", number, got, e.first, e.last)
			}
			if m, ok := e.make(i).(encoding.TextMarshaler); ok {
				if word, err := m.MarshalText(); err != nil || string(word) != got {
					t.Errorf("MarshalText of %s = %q, %v, want %q", number, word, err, got)
				}
			} else {
				t.Errorf("%s has no MarshalText", e.name)
			}
			if other, taken := names[got]; taken {
				t.Errorf("%s(%d) and %s are both %q", e.name, other, number, got)
			}
			names[got] = i
		}
		if at, end := e.make(e.first).String(), e.make(e.last).String(); at != e.at || end != e.end {
			t.Errorf("%s: the first and the last name are %q and %q, want %q and %q", e.name, at, end, e.at, e.end)
		}
	}
	if got := fluid.Late(255).String(); got != "Late(255)" {
		t.Errorf("Late(255) is %q", got)
	}
	if got := (fluid.FSP{Late: 7, ByWork: true}).String(); got != "fsp-Late(7)/work" {
		t.Errorf("FSP with Late 7 is %q, want fsp-Late(7)/work", got)
	}
}
