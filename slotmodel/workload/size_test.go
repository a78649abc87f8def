package workload_test

import (
	"bufio"
	"compress/gzip"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedmath/schedmath"
	"github.com/schedmath/schedmath/internal/oracle/golden"
	"github.com/schedmath/schedmath/joblog"
	"github.com/schedmath/schedmath/slotmodel/workload"
)

func TestSizes(t *testing.T) {
	jobs := []joblog.SWIMJob{
		{ID: "a", Submit: 2, MapInput: 10, Shuffle: 4, Output: 6},
		{ID: "b", Submit: 4},
		{ID: "c", Submit: 10, MapInput: 44, Output: 20},
	}
	// dn = 4: 36, 0 and 64 bytes; load 0.5 over 10 s is 5 s of work for 100 bytes.
	got, err := workload.Sizes([]float64{-1}, jobs, 4, 0.5)
	want := []float64{-1, 1.8, 0, 3.2}
	if err != nil || len(got) != len(want) {
		t.Fatalf("Sizes([-1], jobs, 4, 0.5) = %v, %v, want %v", got, err, want)
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-15 {
			t.Errorf("Sizes([-1], jobs, 4, 0.5) = %v, want %v", got, want)
		}
	}
	// Near 0, where float64 has fewer digits, a size is good to the last digit of its bytes.
	tiny := 2.716154612436e-312
	near := []joblog.SWIMJob{{Submit: 1, Output: 1}, {Submit: 2, Shuffle: tiny}}
	if got, err := workload.Sizes(nil, near, 0x1p-20, 1); err != nil || math.Abs(got[1]/2-tiny*(1+0x1p-20)) > math.SmallestNonzeroFloat64 {
		t.Errorf("Sizes(%+v, 2^-20, 1) = %v, %v, want %v for job 1", near, got, err, 2*tiny*(1+0x1p-20))
	}
	if got, err := workload.Sizes(nil, nil, 4, 0.9); got != nil || err != nil {
		t.Errorf("Sizes(nil, nil, 4, 0.9) = %v, %v, want nothing", got, err)
	}
	buf := make([]float64, 0, len(jobs))
	if n := testing.AllocsPerRun(100, func() { workload.Sizes(buf, jobs, 4, 0.5) }); n != 0 {
		t.Errorf("Sizes with capacity allocates %v times, want 0", n)
	}
}

// The sizes add up to load times the last submit time, and scaling all bytes changes nothing.
func TestSizesLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 50).Draw(t, "n")
		byteCount := rapid.Map(rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, 1e15)), func(x float64) float64 {
			if x < 0x1p-1000 { // float64 has fewer digits near 0, so scaling such bytes by 1024 is not exact
				return 0
			}
			return x
		})
		jobs := make([]joblog.SWIMJob, n)
		submit, total := 0.0, 0.0
		for i := range jobs {
			submit += rapid.Float64Range(0, 1000).Draw(t, "gap")
			jobs[i] = joblog.SWIMJob{Submit: submit, MapInput: byteCount.Draw(t, "in"), Shuffle: byteCount.Draw(t, "shuffle"), Output: byteCount.Draw(t, "out")}
			total += jobs[i].MapInput + jobs[i].Shuffle + jobs[i].Output
		}
		dn := rapid.Float64Range(0, 100).Draw(t, "dn")
		load := rapid.Float64Range(0.001, 10).Draw(t, "load")
		sizes, err := workload.Sizes(nil, jobs, dn, load)
		if total < 1e-200 || submit < 1e-50 { // the factor may leave float64: covered by TestSizesErrors
			return
		}
		if err != nil {
			t.Fatalf("Sizes = error %v", err)
		}
		sum := 0.0
		for i, s := range sizes {
			sum += s
			if jobs[i].MapInput+jobs[i].Shuffle+jobs[i].Output == 0 && s != 0 {
				t.Fatalf("Sizes[%d] = %v of %+v, want 0", i, s, jobs[i])
			}
		}
		if want := load * submit; math.Abs(sum-want) > 1e-12*want {
			t.Fatalf("sum of Sizes = %v, want load * last = %v", sum, want)
		}
		for i := range jobs {
			jobs[i].MapInput *= 1024
			jobs[i].Shuffle *= 1024
			jobs[i].Output *= 1024
		}
		again, err := workload.Sizes(nil, jobs, dn, load)
		for i := range sizes {
			if err != nil || again[i] != sizes[i] {
				t.Fatalf("with 1024 times the bytes size %d is %v, %v, want %v", i, again[i], err, sizes[i])
			}
		}
	})
}

func TestSizesErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	good := joblog.SWIMJob{Submit: 5, MapInput: 1}
	for _, c := range []struct {
		jobs     []joblog.SWIMJob
		dn, load float64
		want     string
	}{
		{nil, -1, 1, "dn: -1, want a finite number >= 0"},
		{nil, nan, 1, "dn: NaN, want a finite number >= 0"},
		{nil, inf, 1, "dn: +Inf, want a finite number >= 0"},
		{nil, 4, 0, "load: 0, want a finite number > 0"},
		{nil, 4, nan, "load: NaN, want a finite number > 0"},
		{nil, 4, inf, "load: +Inf, want a finite number > 0"},
		{[]joblog.SWIMJob{good, {Submit: nan}}, 4, 1, "jobs[1]: Submit is NaN, want a finite number >= 0"},
		{[]joblog.SWIMJob{good, {Submit: inf}}, 4, 1, "jobs[1]: Submit is +Inf, want a finite number >= 0"},
		{[]joblog.SWIMJob{{Submit: -1}}, 4, 1, "jobs[0]: Submit is -1, want a finite number >= 0"},
		{[]joblog.SWIMJob{{MapInput: -1}}, 4, 1, "jobs[0]: MapInput is -1, want a finite number >= 0"},
		{[]joblog.SWIMJob{good, {Shuffle: inf}}, 4, 1, "jobs[1]: Shuffle is +Inf, want a finite number >= 0"},
		{[]joblog.SWIMJob{good, {Output: nan}, {Submit: nan}}, 4, 1, "jobs[1]: Output is NaN, want a finite number >= 0"},
		{[]joblog.SWIMJob{{Submit: 5}}, 4, 1, "jobs: the bytes of all jobs are 0, want some work to put the load on"},
		{[]joblog.SWIMJob{{MapInput: 5}}, 4, 1, "jobs: the last Submit is 0, want a time to spread the load over"},
		{[]joblog.SWIMJob{{Submit: 5, Shuffle: math.MaxFloat64}}, 4, 1, "jobs[0]: MapInput + 5 Shuffle + Output is beyond float64"},
		{[]joblog.SWIMJob{{Submit: 5, MapInput: math.MaxFloat64}, {Submit: 5, Output: math.MaxFloat64}}, 4, 1, "jobs: load * 5 s / +Inf bytes is outside float64"},
		{[]joblog.SWIMJob{{Submit: 5, MapInput: 5e-324}}, 4, 1, "jobs: load * 5 s / 5e-324 bytes is outside float64"},
		{[]joblog.SWIMJob{{Submit: 5e-324, MapInput: 1e300}}, 4, 1, "jobs: load * 5e-324 s / 1e+300 bytes is outside float64"},
		{[]joblog.SWIMJob{{Submit: math.MaxFloat64, MapInput: 1e300}}, 4, 10, "jobs: load * 1.7976931348623157e+308 s / 1e+300 bytes is outside float64"},
	} {
		dst := []float64{7}
		got, err := workload.Sizes(dst, c.jobs, c.dn, c.load)
		var ie *schedmath.InputError
		if !errors.As(err, &ie) || err.Error() != "workload.Sizes: "+c.want || len(got) != 1 || got[0] != 7 {
			t.Errorf("Sizes([7], %+v, %v, %v) = %v, error %v, want [7] and %q", c.jobs, c.dn, c.load, got, err, c.want)
		}
	}
}

// open opens a trace until the test ends, or skips the test.
func open(t testing.TB, name string) *os.File {
	t.Helper()
	f, err := os.Open(golden.Trace(t, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

const (
	fb2010 = "data/swim/FB-2010_samples_24_times_1hr_0.tsv"
	fb2009 = "data/swim/FB-2009_samples_24_times_1hr_0.tsv"
	replay = "golden/fb2010_dn4_load0.9_sigma0.tsv.gz"
)

// Sizes and arrivals of the real trace are those that another simulator computed.
func TestSizesOfTrace(t *testing.T) {
	jobs, err := joblog.ReadSWIM(open(t, fb2010))
	if err != nil {
		t.Fatal(err)
	}
	sizes, err := workload.Sizes(nil, jobs, 4, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(open(t, replay))
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Scan() // header
	n, exact := 0, 0
	for ; lines.Scan(); n++ {
		f := strings.Split(lines.Text(), "\t")
		arrival, _ := strconv.ParseFloat(f[1], 64)
		size, err := strconv.ParseFloat(f[2], 64)
		if err != nil || n == len(jobs) {
			t.Fatalf("line %q of %s: %v", lines.Text(), replay, err)
		}
		if jobs[n].ID != f[0] || jobs[n].Submit != arrival {
			t.Fatalf("job %d is %s at %v, want %s at %v", n, jobs[n].ID, jobs[n].Submit, f[0], arrival)
		}
		// The sums of 24,442 terms were taken in another order perhaps: their rounding, and that of
		// three operations.
		if tol := 24442 * 0x1p-53 * size; math.Abs(sizes[n]-size) > tol {
			t.Fatalf("size of %s = %v, want %v", f[0], sizes[n], size)
		}
		if sizes[n] == size {
			exact++
		}
	}
	if n != len(jobs) || lines.Err() != nil {
		t.Errorf("%s has %d jobs (error %v), the trace %d", replay, n, lines.Err(), len(jobs))
	}
	t.Logf("%d of %d sizes agree to the bit", exact, n)
}
