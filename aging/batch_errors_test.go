package aging_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/schedmath/schedmath/aging"
	"github.com/schedmath/schedmath/internal/oracle/expect"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
	// huge and tiny are just outside the range of all quantities.
	huge = math.Nextafter(0x1p200, inf)
	tiny = math.Nextafter(0x1p-200, 0)
)

// badJobs are jobs that no function takes, each in one field.
func badJobs() []aging.Job {
	var bad []aging.Job
	for _, x := range []float64{nan, -1, inf, -inf, huge, tiny, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		bad = append(bad, aging.Job{Work: x}, aging.Job{Work: 1, Weight: x})
		if !(x > 1) { // a limit above all capacities is none
			bad = append(bad, aging.Job{Work: 1, Slots: x})
		}
	}
	return bad
}

func badCapacities() []float64 {
	return []float64{nan, -1, inf, -inf, huge, tiny, math.MaxFloat64, math.SmallestNonzeroFloat64}
}

func badElapsed() []float64 { return []float64{nan, -1, inf, -inf, huge, -math.SmallestNonzeroFloat64} }

func TestBatchErrors(t *testing.T) {
	floats, ints, was := []float64{3, 4}, []int{5}, []aging.Job{{Work: 6}}
	type fn struct {
		name string
		call func(capacity, elapsed float64, jobs []aging.Job) error
	}
	fns := []fn{
		{"aging.MaxMin", func(capacity, _ float64, jobs []aging.Job) error {
			dst, err := aging.MaxMin(floats, capacity, jobs)
			return same(err, slices.Equal(dst, floats))
		}},
		{"aging.Finish", func(capacity, _ float64, jobs []aging.Job) error {
			dst, err := aging.Finish(floats, capacity, jobs)
			return same(err, slices.Equal(dst, floats))
		}},
		{"aging.Age", func(capacity, elapsed float64, jobs []aging.Job) error {
			dst, err := aging.Age(was, capacity, elapsed, jobs)
			return same(err, slices.Equal(dst, was))
		}},
		{"aging.Order", func(capacity, _ float64, jobs []aging.Job) error {
			dst, err := aging.Order(ints, capacity, jobs, aging.ByWork)
			return same(err, slices.Equal(dst, ints))
		}},
		{"aging.Order", func(capacity, _ float64, jobs []aging.Job) error {
			dst, err := aging.Order(ints, capacity, jobs, aging.ByFinish)
			return same(err, slices.Equal(dst, ints))
		}},
	}
	for _, f := range fns {
		for _, capacity := range badCapacities() {
			for _, jobs := range [][]aging.Job{nil, {{Work: 1}}} {
				expect.InputError(t, fmt.Sprintf("%s with capacity %v, jobs %v", f.name, capacity, jobs), f.call(capacity, 1, jobs), f.name, "capacity", -1)
			}
		}
		for _, j := range badJobs() {
			for at := range 3 {
				jobs := []aging.Job{{Work: 1}, {}, {Work: 3, Slots: 2, Weight: 5}}
				jobs[at] = j
				expect.InputError(t, fmt.Sprintf("%s with jobs %v", f.name, jobs), f.call(1, 1, jobs), f.name, "jobs", at)
			}
		}
		if f.name != "aging.Age" {
			continue
		}
		for _, elapsed := range badElapsed() {
			expect.InputError(t, fmt.Sprintf("%s with elapsed %v", f.name, elapsed), f.call(1, elapsed, []aging.Job{{Work: 1}}), f.name, "elapsed", -1)
		}
	}
	for _, key := range []aging.By{2, 7, 255} {
		dst, err := aging.Order(ints, 1, []aging.Job{{Work: 1}}, key)
		expect.InputError(t, fmt.Sprintf("Order by %d", int(key)), same(err, slices.Equal(dst, ints)), "aging.Order", "by", -1)
	}
	dst, err := aging.MaxMinSlots(ints, -1, []int{1})
	expect.InputError(t, "MaxMinSlots with -1 slots", same(err, slices.Equal(dst, ints)), "aging.MaxMinSlots", "slots", -1)
	dst, err = aging.MaxMinSlots(ints, 4, []int{1, 2, -3, math.MinInt})
	expect.InputError(t, "MaxMinSlots with -3 tasks", same(err, slices.Equal(dst, ints)), "aging.MaxMinSlots", "tasks", 2)
}

// same is err, or nothing if dst did not come back as given.
func same(err error, unchanged bool) error {
	if err != nil && !unchanged {
		return errors.New("dst is not returned as given, though there is an error: " + err.Error())
	}
	return err
}

// TestBatchExtremes: within the ranges nothing is NaN, whatever is mixed.
func TestBatchExtremes(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 0x1p-200, 0x1p-199, 1, 3, 0x1p199, 0x1p200}
	for _, capacity := range values {
		for _, a := range values {
			for _, b := range values {
				for _, x := range values {
					jobs := []aging.Job{{Work: a, Slots: b, Weight: x}, {Work: x, Slots: a, Weight: b}, {Work: b, Weight: a}, {Work: 1, Slots: inf}, {Work: 1, Slots: huge}}
					got := answers(t, capacity, x, jobs)
					for i, j := range jobs {
						if !(got.share[i] >= 0 && got.share[i] <= capacity) || !(got.aged[i].Work >= 0 && got.aged[i].Work <= j.Work) ||
							!(got.finish[i] >= 0) || capacity > 0 && got.finish[i] == inf || j.Work == 0 && (got.share[i] != 0 || got.finish[i] != 0) {
							t.Fatalf("capacity %v, elapsed %v, jobs %v: %+v", capacity, x, jobs, got)
						}
					}
				}
			}
		}
	}
}

func TestEnumerationsKeepTheirWords(t *testing.T) {
	expect.Words(t, map[aging.By]string{aging.ByWork: "work", aging.ByFinish: "finish"})
	expect.Words(t, map[aging.Floors]string{aging.Within: "within", aging.OnTop: "on top"})
	expect.Words(t, map[aging.State]string{aging.OnTime: "on time", aging.Completed: "completed", aging.Late: "late"})
}
