package expect

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/mutate"
)

// RoundTrip says how values of T give snapshots, structs S that have a Version and are fit for JSON,
// and are restored from them.
type RoundTrip[S any, T comparable] struct {
	Func     string // what errors call Restore; its argument is called s
	Restore  func(s S) (T, error)
	Snapshot func(x T) S
	Infinite bool // a number may be +Inf
	// GoOn makes calls, on equal values the same for the same seed. Calls may be refused.
	GoOn func(t testing.TB, x T, seed uint64)
}

// take restores s. It fails the test if s is refused by anything but an InputError without a value.
func (r RoundTrip[S, T]) take(t testing.TB, s S) (x T, taken bool) {
	t.Helper()
	x, err := r.Restore(s)
	var e *schedmath.InputError
	switch {
	case err == nil:
		return x, true
	case !errors.As(err, &e) || e.Func != r.Func || e.Arg != "s" || e.Reason == "" || x != *new(T):
		t.Errorf("%s(%+v) = %v, %v, want an InputError of s alone", r.Func, s, x, err)
	}
	return x, false
}

// Same restores s and reports whether it was taken. It fails the test unless a refusal is an
// InputError without a value, and what was taken is given back, also by a second value restored from
// what the first gives; both go on alike, and to what can be restored; and no snapshot shares memory
// with a value.
func (r RoundTrip[S, T]) Same(t testing.TB, s S) (taken bool) {
	t.Helper()
	was := Text(s)
	a, taken := r.take(t, s)
	if !taken {
		return false
	}
	first, given := r.Snapshot(a), r.Snapshot(a)
	if d := difference(s, first); d != "" {
		t.Errorf("%s(%+v) and its snapshot: %s", r.Func, s, d)
	}
	b, again := r.take(t, given)
	if !again {
		t.Errorf("%s refuses the snapshot of what it has taken, %+v", r.Func, given)
		return true
	}
	overwrite(reflect.ValueOf(&given).Elem())
	for _, x := range []T{a, b} {
		if d := difference(first, r.Snapshot(x)); d != "" {
			t.Errorf("%s(%+v) changes with a snapshot: %s", r.Func, s, d)
		}
	}
	kept := Text(first)
	r.GoOn(t, a, 7)
	r.GoOn(t, b, 7)
	last := r.Snapshot(a)
	if d := difference(last, r.Snapshot(b)); d != "" {
		t.Errorf("restored twice from %+v, going on differs: %s", s, d)
	}
	if now := Text(s); now != was {
		t.Errorf("what was restored is %s after going on, was %s", now, was)
	}
	if now := Text(first); now != kept {
		t.Errorf("a snapshot is %s after going on, was %s", now, kept)
	}
	if _, again := r.take(t, last); !again {
		t.Errorf("restored from %+v it goes on to %+v, which is refused", s, last)
	}
	return true
}

// Drawn does what Same does with the snapshots of drawn values, as they are, with one change and with
// two by turns. Those without a change must be taken, but refused with another version and with a
// number that is not finite.
func (r RoundTrip[S, T]) Drawn(t testing.TB, rounds int, draw func(rng *rand.Rand) T) {
	t.Helper()
	was := map[bool]int{}
	for n := 0; n < rounds && !t.Failed(); n++ {
		rng := rand.New(rand.NewPCG(uint64(n), 18))
		text, err := json.Marshal(r.Snapshot(draw(rng)))
		Must(t, err)
		if n%60 == 0 {
			r.spoil(t, text)
		}
		for range n % 3 {
			text = mutate.JSON(text, rng.IntN)
		}
		var s S
		if json.Unmarshal(text, &s) != nil {
			continue
		}
		taken := r.Same(t, s)
		if was[taken]++; !taken && n%3 == 0 {
			t.Errorf("%s refuses %s", r.Func, text)
		}
	}
	if !t.Failed() && (was[true] < rounds*2/5 || was[false] < rounds/10) {
		t.Errorf("of %d snapshots %d were taken and %d refused: the changes test little", rounds, was[true], was[false])
	}
}

// spoil fails the test unless the snapshot is refused with each other version and, in each place, with
// each number that is not finite.
func (r RoundTrip[S, T]) spoil(t testing.TB, text []byte) {
	t.Helper()
	sound := func() (s S) {
		Must(t, json.Unmarshal(text, &s))
		return s
	}
	version := func(s *S) reflect.Value { return reflect.ValueOf(s).Elem().FieldByName("Version") }
	s := sound()
	var faults []Fault[S]
	for _, v := range []int64{-1, 0, version(&s).Int() + 1, 99} {
		faults = append(faults, Spoilt(fmt.Sprintf("version %d", v), -1, func(s *S) { version(s).SetInt(v) }))
	}
	r.Refuses(t, sound, faults...)
	for i := range floats(reflect.ValueOf(&s).Elem()) {
		for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if x > 0 && r.Infinite {
				continue
			}
			s := sound()
			floats(reflect.ValueOf(&s).Elem())[i].SetFloat(x)
			if _, taken := r.take(t, s); taken {
				t.Errorf("%s takes %+v", r.Func, s)
			}
		}
	}
}

// Fault is a change after which a snapshot is refused, by an error of this Index.
type Fault[S any] struct {
	Name  string
	Index int
	Make  func(s *S)
}

// Spoilt is a Fault.
func Spoilt[S any](name string, index int, change func(s *S)) Fault[S] {
	return Fault[S]{name, index, change}
}

// Refuses fails the test unless what sound returns is plain data of version 1, is taken as it is and
// refused with each fault. Restore takes a Snapshot, or RestoreX an XSnapshot of an X.
func (r RoundTrip[S, T]) Refuses(t testing.TB, sound func() S, faults ...Fault[S]) {
	t.Helper()
	of, snapshot := reflect.TypeFor[T]().Elem(), bare(reflect.TypeFor[S]())
	x := strings.TrimSuffix(snapshot, "Snapshot")
	if x == snapshot || x != "" && x != bare(of) || r.Func != path.Base(of.PkgPath())+".Restore"+x {
		t.Errorf("%s makes a %s of a %s, want Restore of a Snapshot, or RestoreX of an XSnapshot", r.Func, bare(of), snapshot)
	}
	if v := reflect.ValueOf(sound()).FieldByName("Version").Int(); v != 1 {
		t.Errorf("%s takes version %d, want 1", r.Func, v)
	}
	for _, fault := range oddKeys(reflect.TypeFor[S]()) {
		t.Errorf("%s: %s", r.Func, fault)
	}
	if _, taken := r.take(t, sound()); !taken {
		t.Errorf("%s refuses %+v", r.Func, sound())
	}
	for _, f := range faults {
		s := sound()
		f.Make(&s)
		x, err := r.Restore(s)
		InputError(t, r.Func+" with "+f.Name, err, r.Func, "s", f.Index)
		if x != *new(T) {
			t.Errorf("%s with %s: %v beside the error", r.Func, f.Name, x)
		}
	}
}

// difference says where two snapshots first differ, or nothing; nil and empty lists are equal.
func difference(want, got any) string {
	return differ("", reflect.ValueOf(want), reflect.ValueOf(got))
}

func differ(at string, want, got reflect.Value) (d string) {
	switch want.Kind() {
	case reflect.Struct:
		for i := 0; i < want.NumField() && d == ""; i++ {
			d = differ(at+"."+want.Type().Field(i).Name, want.Field(i), got.Field(i))
		}
		return d
	case reflect.Slice, reflect.Array:
		for i := 0; i < min(want.Len(), got.Len()) && d == ""; i++ {
			d = differ(fmt.Sprintf("%s[%d]", at, i), want.Index(i), got.Index(i))
		}
		if d != "" || want.Len() == got.Len() {
			return d
		}
	}
	if !reflect.DeepEqual(want.Interface(), got.Interface()) {
		return fmt.Sprintf("%s is %+v, want %+v", at, got, want)
	}
	return ""
}

// bare is the name of a type without its type arguments.
func bare(of reflect.Type) string {
	name, _, _ := strings.Cut(of.Name(), "[")
	return name
}

var lowerCamel = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)

// oddKeys says which fields of a struct, and of those that it holds, have a key in JSON that is not
// in lowerCamelCase, which lists are not left out where they are empty, and which enumerations do not
// read the words that they write.
func oddKeys(of reflect.Type) (faults []string) {
	switch of.Kind() {
	case reflect.Uint8:
		if !reflect.PointerTo(of).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
			return []string{fmt.Sprintf("%s is in a snapshot and has no UnmarshalText", of)}
		}
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return oddKeys(of.Elem())
	case reflect.Struct:
		for i := range of.NumField() {
			f := of.Field(i)
			key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !lowerCamel.MatchString(key) || f.Name == "Version" && key != "version" {
				faults = append(faults, fmt.Sprintf("%s.%s has the key %q in snapshots, want lowerCamelCase", of, f.Name, key))
			}
			if f.Type.Kind() == reflect.Slice && options != "omitempty" {
				faults = append(faults, fmt.Sprintf("%s.%s is not left out where it is empty", of, f.Name))
			}
			faults = append(faults, oddKeys(f.Type)...)
		}
	}
	return faults
}

// floats returns the numbers with a fraction in v.
func floats(v reflect.Value) (all []reflect.Value) {
	switch v.Kind() {
	case reflect.Float64:
		return []reflect.Value{v}
	case reflect.Struct:
		for i := range v.NumField() {
			all = append(all, floats(v.Field(i))...)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			all = append(all, floats(v.Index(i))...)
		}
	}
	return all
}

// overwrite makes all that v holds in lists zero.
func overwrite(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			overwrite(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			overwrite(v.Index(i))
			v.Index(i).SetZero()
		}
	}
}
