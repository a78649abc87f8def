package expect

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Call is a call that must be refused, with the argument and the index that the error names.
type Call struct {
	Arg   string
	Index int
	Args  []any // numbers of any kind, and nil for the zero value
}

// Bad is a Call.
func Bad(arg string, index int, args ...any) Call { return Call{arg, index, args} }

// Refused fails the test unless f, which its errors call fn, refuses each call with an InputError,
// changes nothing that its arguments reach or that kept() shows (nil: nothing more is compared), and
// returns beside the error its dst as it was, if its first parameter and its first result are slices
// of one type, and zero or -1 otherwise.
func Refused(t testing.TB, fn string, f any, kept func() any, calls ...Call) {
	t.Helper()
	v := reflect.ValueOf(f)
	typ := v.Type()
	for _, c := range calls {
		if len(c.Args) != typ.NumIn() {
			t.Fatalf("%s with %d arguments, want %d", fn, len(c.Args), typ.NumIn())
		}
		in := make([]reflect.Value, len(c.Args))
		for i, arg := range c.Args {
			in[i] = argument(arg, typ.In(i))
		}
		state := func() string {
			args := make([]any, len(in))
			for i, x := range in {
				args[i] = x.Interface()
			}
			if kept != nil {
				args = append(args, kept())
			}
			return Text(args)
		}
		before := state()
		call := fmt.Sprintf("%s(%s)", fn, strings.Trim(fmt.Sprintf("%+v", c.Args), "[]"))
		call = call[:min(len(call), 300)]
		var out []reflect.Value
		if typ.IsVariadic() {
			out = v.CallSlice(in)
		} else {
			out = v.Call(in)
		}
		last := len(out) - 1
		err, _ := out[last].Interface().(error)
		InputError(t, call, err, fn, c.Arg, c.Index)
		if err != nil && strings.Contains(err.Error(), "%!") {
			t.Errorf("%s: error %q is not formatted", call, err)
		}
		if after := state(); after != before {
			t.Errorf("%s changes its arguments or the state from\n%s\nto\n%s", call, before, after)
		}
		for i, x := range out[:last] {
			switch {
			case i == 0 && len(in) > 0 && x.Kind() == reflect.Slice && x.Type() == in[0].Type():
				if got, want := Text(x.Interface()), Text(in[0].Interface()); got != want {
					t.Errorf("%s returns %s, want dst as it was, %s", call, got, want)
				}
			case !x.IsZero() && !(x.CanInt() && x.Int() == -1):
				t.Errorf("%s returns %+v beside its error", call, x)
			}
		}
	}
}

// argument is arg as a value of typ.
func argument(arg any, typ reflect.Type) reflect.Value {
	v := reflect.ValueOf(arg)
	switch {
	case arg == nil:
		return reflect.Zero(typ)
	case v.CanConvert(typ) && (v.CanInt() || v.CanFloat()) && typ.Kind() != reflect.String:
		return v.Convert(typ)
	}
	return v
}

// Text is all that v reaches, unexported fields and what slices hold beyond their lengths included, as
// one line; of functions and channels only whether they are nil.
func Text(v any) string {
	var b strings.Builder
	write(&b, reflect.ValueOf(v), map[place]int{})
	return b.String()
}

// place is where a pointer of typ points to.
type place struct {
	typ     reflect.Type
	address uintptr
}

// write adds v to b; seen has the pointers that were followed, so that rings end.
func write(b *strings.Builder, v reflect.Value, seen map[place]int) {
	switch v.Kind() {
	case reflect.Invalid:
		b.WriteString("nil")
	case reflect.Pointer:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		p := place{v.Type(), v.Pointer()}
		if at, ok := seen[p]; ok {
			fmt.Fprintf(b, "&%d", at)
			return
		}
		seen[p] = len(seen)
		b.WriteByte('&')
		write(b, v.Elem(), seen)
	case reflect.Interface:
		write(b, v.Elem(), seen)
	case reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			fmt.Fprintf(b, " %s:", v.Type().Field(i).Name)
			write(b, v.Field(i), seen)
		}
		b.WriteByte('}')
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice {
			if v.IsNil() {
				b.WriteString("nil")
				return
			}
			fmt.Fprintf(b, "%d", v.Len())
			v = v.Slice(0, v.Cap())
		}
		b.WriteByte('[')
		for i := range v.Len() {
			b.WriteByte(' ')
			write(b, v.Index(i), seen)
		}
		b.WriteByte(']')
	case reflect.Map:
		var entries []string
		for _, key := range v.MapKeys() {
			value := v.MapIndex(key)
			var entry strings.Builder
			known := maps.Clone(seen)
			write(&entry, key, known)
			entry.WriteByte(':')
			write(&entry, value, known)
			entries = append(entries, entry.String())
		}
		slices.Sort(entries)
		fmt.Fprintf(b, "map%v", entries)
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		fmt.Fprint(b, v.IsNil())
	default:
		fmt.Fprintf(b, "%#v", v)
	}
}
