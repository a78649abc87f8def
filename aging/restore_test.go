package aging_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

// leaf is one number, string or slice inside a snapshot, with the way to it.
type leaf struct {
	path  string
	value reflect.Value
}

func leaves(path string, v reflect.Value) (all []leaf) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			all = append(all, leaves(path+"."+v.Type().Field(i).Name, v.Field(i))...)
		}
	case reflect.Array, reflect.Slice:
		if v.Kind() == reflect.Slice {
			all = append(all, leaf{path, v})
		}
		for i := range v.Len() {
			all = append(all, leaves(fmt.Sprintf("%s[%d]", path, i), v.Index(i))...)
		}
	default:
		all = append(all, leaf{path, v})
	}
	return all
}

// deep copies a snapshot by way of JSON.
func deep(t testing.TB, s aging.Snapshot[int]) (copied aging.Snapshot[int]) {
	t.Helper()
	text, err := json.Marshal(s)
	must(t, err)
	must(t, json.Unmarshal(text, &copied))
	if diff := cmp.Diff(s, copied); diff != "" {
		t.Fatalf("a snapshot differs after JSON: %s", diff)
	}
	return copied
}

func wantRestoreError(t *testing.T, what string, s aging.Snapshot[int]) {
	t.Helper()
	c, err := aging.Restore(s)
	var e *schedmath.InputError
	if err == nil || c != nil || !errors.Is(err, schedmath.ErrInput) || !errors.As(err, &e) || e.Func != "aging.Restore" || e.Arg != "s" || e.Index != -1 || e.Reason == "" || strings.Contains(e.Reason, "%!") {
		t.Errorf("Restore with %s = %v, %v, want an InputError of s from aging.Restore", what, c, err)
	}
}

// TestRestoreCorrupt damages every part of a snapshot.
func TestRestoreCorrupt(t *testing.T) {
	valid := lived(t).Snapshot()
	if _, err := aging.Restore(deep(t, valid)); err != nil {
		t.Fatalf("Restore of a valid snapshot: %v", err)
	}
	damage := func(path string, change func(v reflect.Value)) aging.Snapshot[int] {
		s := deep(t, valid)
		for _, l := range leaves("", reflect.ValueOf(&s).Elem()) {
			if l.path == path {
				change(l.value)
			}
		}
		return s
	}
	tried := 0
	for _, l := range leaves("", reflect.ValueOf(&valid).Elem()) {
		always := func(what string, change func(v reflect.Value)) {
			t.Helper()
			tried++
			wantRestoreError(t, l.path+" "+what, damage(l.path, change))
		}
		// A change that another history might have led to is taken or refused, but taken for good.
		maybe := func(what string, change func(v reflect.Value)) {
			t.Helper()
			tried++
			c, err := aging.Restore(damage(l.path, change))
			if err == nil {
				script(t, c)
			} else if !errors.Is(err, schedmath.ErrInput) || c != nil {
				t.Errorf("Restore with %s %s = %v, %v, want an InputError", l.path, what, c, err)
			}
		}
		switch l.value.Kind() {
		case reflect.Float64:
			for _, x := range []float64{nan, inf, -inf} {
				always(fmt.Sprint(x), func(v reflect.Value) { v.SetFloat(x) })
			}
			for _, x := range []float64{-1, 0, -0x1p-1074, 0x1p-1074, 1e-300, 0.5, 7, 1e17, math.MaxFloat64, -math.MaxFloat64} {
				maybe(fmt.Sprint(x), func(v reflect.Value) { v.SetFloat(x) })
			}
			if field := l.path[strings.LastIndex(l.path, ".")+1:]; slices.Contains([]string{"Capacity", "Size", "Slots", "Weight", "Ratio"}, field) {
				for _, x := range []float64{-1, tiny, math.MaxFloat64} {
					if field != "Size" || x != tiny { // a late job may have received as little
						always(fmt.Sprint(x), func(v reflect.Value) { v.SetFloat(x) })
					}
				}
			}
		case reflect.Uint8: // State
			for _, x := range []uint64{3, 255} {
				always(fmt.Sprint(x), func(v reflect.Value) { v.SetUint(x) })
			}
		case reflect.Int:
			for _, x := range []int64{-1, 0, math.MaxInt32} {
				if l.path == ".Version" {
					always(fmt.Sprint(x), func(v reflect.Value) { v.SetInt(x) })
				} else {
					maybe(fmt.Sprint(x), func(v reflect.Value) { v.SetInt(x) })
				}
			}
		case reflect.Uint64:
			for _, x := range []uint64{0, 1, math.MaxUint64} {
				maybe(fmt.Sprint(x), func(v reflect.Value) { v.SetUint(x) })
			}
		case reflect.Bool:
			maybe("negated", func(v reflect.Value) { v.SetBool(!v.Bool()) })
		case reflect.Slice:
			maybe("nil", func(v reflect.Value) { v.SetZero() })
			maybe("without its last", func(v reflect.Value) { v.SetLen(v.Len() - 1) })
			for i := range l.value.Len() {
				always(fmt.Sprintf("with %d twice", i), func(v reflect.Value) { v.Set(reflect.Append(v, v.Index(i))) })
			}
			if l.value.Len() > 1 {
				maybe("reversed", func(v reflect.Value) {
					for i, k := 0, v.Len()-1; i < k; i, k = i+1, k-1 {
						a, b := reflect.ValueOf(v.Index(i).Interface()), reflect.ValueOf(v.Index(k).Interface())
						v.Index(i).Set(b)
						v.Index(k).Set(a)
					}
				})
			}
		default:
			t.Errorf("%s is a %v, which this test does not know", l.path, l.value.Kind())
		}
	}
	if tried < 300 {
		t.Errorf("%d damaged snapshots, want 300", tried)
	}
	fresh := newCluster(t, 1)
	must(t, fresh.Add(1, aging.Job{Work: 1}))
	for _, size := range []float64{0, tiny} {
		s := fresh.Snapshot()
		s.Jobs[0].Size, s.Jobs[0].Tag[0] = size, size
		wantRestoreError(t, fmt.Sprintf("a job on time of size %v", size), s)
	}
	for _, p := range [][2]float64{{-1, 0}, {nan, 0}, {inf, 0}, {0, 1}, {1, nan}} { // without jobs nothing contradicts them
		for at := range 2 {
			s := newCluster(t, 1).Snapshot()
			*[]*[2]float64{&s.Clock, &s.Water}[at] = p
			wantRestoreError(t, fmt.Sprintf("Clock %v, Water %v", s.Clock, s.Water), s)
		}
	}
	wantRestoreError(t, "the zero value", aging.Snapshot[int]{})
	f, err := aging.New[float64](1)
	must(t, err)
	must(t, f.Add(2, aging.Job{Work: 1}))
	s := f.Snapshot()
	s.Jobs[0].Key = nan
	if c, err := aging.Restore(s); !errors.Is(err, schedmath.ErrInput) {
		t.Errorf("Restore with a NaN key = %v, %v, want an InputError", c, err)
	}
}

// TestSnapshotIsCopy: a snapshot shares nothing with its cluster, nor a restored cluster with its
// snapshot.
func TestSnapshotIsCopy(t *testing.T) {
	c := lived(t)
	s := c.Snapshot()
	kept := deep(t, s)
	d, err := aging.Restore(s)
	must(t, err)
	script(t, c)
	script(t, d)
	if diff := cmp.Diff(kept, s); diff != "" {
		t.Errorf("a snapshot changed when its cluster went on: %s", diff)
	}
	s.Jobs[0].Key = 1000
	if _, ok := d.Job(1000); ok {
		t.Error("a restored cluster changed with its snapshot")
	}
	if diff := cmp.Diff(c.Snapshot(), d.Snapshot()); diff != "" {
		t.Errorf("a restored cluster went another way: %s", diff)
	}
}

// script makes a fixed series of calls; nothing may panic, hang or be NaN.
func script(t testing.TB, c *aging.Cluster[int]) {
	t.Helper()
	must(t, survives(c))
	_, in, ok := c.NextFinish()
	if ok && in <= 0x1p200 {
		must(t, c.Advance(in/2))
		must(t, survives(c))
		must(t, c.Advance(in))
		must(t, survives(c))
	}
	for key := 100; key < 103; key++ {
		// then nobody can be added
		if _, there := c.Job(key); !there && c.Snapshot().Added < 1<<53 {
			must(t, c.Add(key, aging.Job{Work: float64(key), Slots: float64(key - 100), Weight: 2}))
		}
	}
	for key, j := range c.All(aging.ByFinish) {
		must(t, c.Reestimate(key, min(0x1p200, 1+2*j.Work)))
		break
	}
	must(t, c.SetCapacity(7))
	must(t, survives(c))
	must(t, c.Advance(3))
	if key, ok := c.First(aging.ByWork); ok {
		must(t, c.SetSlots(key, 1))
		must(t, c.SetWeight(key, 3))
		must(t, survives(c))
		c.Complete(key)
	}
	must(t, survives(c))
	c.Remove(101)
	must(t, c.SetCapacity(0))
	must(t, c.Advance(1))
	must(t, c.SetCapacity(2))
	must(t, c.Advance(1e6))
	must(t, survives(c))
	if _, err := aging.Restore(c.Snapshot()); err != nil {
		t.Fatalf("Restore of the snapshot of a living cluster: %v", err)
	}
}

func FuzzRestore(f *testing.F) {
	add := func(c *aging.Cluster[int]) {
		text, err := json.Marshal(c.Snapshot())
		must(f, err)
		f.Add(text)
	}
	add(newCluster(f, 1))
	c := lived(f)
	add(c)
	must(f, c.SetCapacity(0))
	add(c)
	must(f, c.SetCapacity(1e9))
	must(f, c.Advance(1e6))
	add(c)
	f.Add([]byte(`{"version":3,"capacity":1,"clock":[0,0],"water":[1e300,-1],"instant":18446744073709551615,"groups":[],"added":9,"jobs":[{"key":1,"added":1}]}`))
	f.Add([]byte(`{"version":3,"capacity":7,"groups":[{}],"added":9,"jobs":[{"key":7,"added":1,"state":"on time","weight":0.1}]}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var s aging.Snapshot[int]
		if json.Unmarshal(text, &s) != nil {
			return
		}
		sameAgain(t, s)
	})
}

// A cluster to which 2^53 jobs were added takes no other, and is as it was.
func TestLastPlace(t *testing.T) {
	fresh, err := aging.New[string](1)
	must(t, err)
	s := fresh.Snapshot()
	s.Added = 1<<53 - 1
	c, err := aging.Restore(s)
	must(t, err)
	must(t, c.Add("last", aging.Job{Work: 1}))
	before := c.Snapshot()
	expect.InputError(t, "Add", c.Add("beyond", aging.Job{Work: 1}), "aging.Cluster.Add", "c", -1)
	if diff := cmp.Diff(before, c.Snapshot()); diff != "" {
		t.Errorf("a refused Add changes the cluster:\n%s", diff)
	}
}

func TestSnapshotVersion(t *testing.T) {
	var s aging.Snapshot[int]
	if err := json.Unmarshal([]byte(`{"version": 99}`), &s); err != nil {
		t.Fatal(err)
	}
	_, err := aging.Restore(s)
	expect.InputError(t, "a later version", err, "aging.Restore", "s", -1)
}

// A snapshot whose counts have reached their limits still lives: what follows can be restored too.
func TestRestoreAtLimit(t *testing.T) {
	s := newCluster(t, 1).Snapshot()
	s.Instant, s.Period = 1<<53, 1<<53
	for range 2 {
		c, err := aging.Restore(s)
		must(t, err)
		must(t, c.Advance(1))
		if s = c.Snapshot(); s.Instant != 1<<53 || s.Period != 1<<53 {
			t.Fatalf("Advance(1) of a cluster with Instant and Period at 2^53 leads to %d and %d", s.Instant, s.Period)
		}
	}
}
