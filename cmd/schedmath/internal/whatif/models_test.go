package whatif_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// cells returns the table of a run as -format tsv prints it: the header and the rows by policy.
func cells(t *testing.T, args ...string) (header []string, rows map[string][]string) {
	t.Helper()
	out, errs, code := run(t, append(args, "-format", "tsv")...)
	if code != 0 {
		t.Fatalf("whatif %q = %d: %s", args, code, errs)
	}
	rows = map[string][]string{}
	for i, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		fields := strings.Split(line, "\t")
		if i == 0 {
			header = fields
		} else {
			rows[fields[0]] = fields[1:]
		}
	}
	return header, rows
}

func float(t *testing.T, cell string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Of 144 + 72 + 1 blocks in 100 s at load 1 a map takes 7200/217 s = w on the 72 slots. Alone job a
// takes two waves, job b one. Both arrive at 0 but for c, which ends the trace. FIFO: a ends at 2w,
// b at 3w. SRPT: b at w, a at 3w.
func TestSlots(t *testing.T) {
	const block int64 = 128 << 20
	text := ""
	for i, blocks := range []int64{144, 72} {
		text += string(rune('a'+i)) + "\t0\t0\t" + strconv.FormatInt(blocks*block, 10) + "\t0\t0\n"
	}
	text += "c\t100\t100\t" + strconv.FormatInt(block, 10) + "\t0\t0\n"
	header, rows := cells(t, "-model", "slots", "-trace", trace(t, text), "-load", "1", "-policies", "srpt,fifo")
	if want := strings.Fields("policy jobs mean_sojourn p50 p95 p99 max mean_slowdown worst_tenth bounded_slowdown later_than_fair unended never_run machines map_load reduce_load"); !slices.Equal(header, want) {
		t.Fatalf("the header is %q, want %q", header, want)
	}
	w := 7200.0 / 217
	for policy, want := range map[string][2]float64{"fifo": {(2*w + 3*w + w) / 3, (1 + 3 + 1) / 3.0}, "srpt": {(w + 3*w + w) / 3, (1 + 1.5 + 1) / 3}} {
		r := rows[policy]
		if mean, slowdown := float(t, r[1]), float(t, r[6]); r[0] != "3" || math.Abs(mean-want[0]) > 1e-9*want[0] || math.Abs(slowdown-want[1]) > 1e-9*want[1] {
			t.Errorf("%s: %s jobs, mean sojourn %v, mean slowdown %v, want 3, %v, %v", policy, r[0], mean, slowdown, want[0], want[1])
		}
	}
	if testing.Short() {
		return
	}
	if _, rows := cells(t, "-model", "slots", "-quick"); len(rows) != 4 || rows["fair"][9] != "0" || float(t, rows["hfsp"][1]) >= float(t, rows["fifo"][1]) {
		t.Errorf("-model slots -quick gives %q, want four policies, fair never later than itself, and hfsp below fifo", rows)
	}
}

// The rows of several seeds are the means of those of each, with Student's interval: with three
// values half of it is 4.302652729749464 sd/sqrt(3).
func TestSeeds(t *testing.T) {
	args := []string{"-quick", "-sigma", "1", "-policies", "fsp,ps"}
	header, rows := cells(t, append(args, "-seed", "5", "-seeds", "3")...)
	if want := strings.Fields("policy jobs mean_sojourn mean_ci95 p50 p95 p99 max mean_slowdown worst_tenth bounded_slowdown later_than_ps unended never_run machines server_load"); !slices.Equal(header, want) {
		t.Fatalf("the header is %q, want %q", header, want)
	}
	var one [3]map[string][]string
	for k := range one {
		_, one[k] = cells(t, append(args, "-seed", strconv.Itoa(5+k))...)
	}
	for policy, got := range rows {
		got = slices.Delete(slices.Clone(got), 2, 3)
		for i, cell := range got[:11] { // behind it machines, which the fluid server has not
			mean, squares := 0.0, 0.0
			for k := range one {
				mean += float(t, one[k][policy][i]) / 3
			}
			for k := range one {
				d := float(t, one[k][policy][i]) - mean
				squares += d * d / 2
			}
			if x := float(t, cell); math.Abs(x-mean) > 1e-12*math.Abs(mean) {
				t.Errorf("%s: column %d is %v, want the mean over seeds %v", policy, i, x, mean)
			}
			if half := 4.302652729749464 * math.Sqrt(squares/3); i == 1 && math.Abs(float(t, rows[policy][2])-half) > 1e-9*half {
				t.Errorf("%s: mean_ci95 is %s, want %v", policy, rows[policy][2], half)
			}
		}
	}
}

func TestModelFlags(t *testing.T) {
	good := trace(t, tiny)
	for _, args := range [][]string{
		{"-model", "nosuch"}, {"-model", ""}, {"-seeds", "0"}, {"-seeds", "-1"}, {"-seeds", "10001"},
		{"-model", "slots", "-sigma", "1"}, {"-model", "slots", "-policies", "ps"}, {"-policies", "hfsp"}, {"-model", "slots", "-seeds", "2", "-sigma", "1", "-trace", good},
	} {
		out, errs, code := run(t, args...)
		if code != 2 || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("whatif %q = %d, stdout %q, stderr %q, want 2 and one line on stderr", args, code, out, errs)
		}
	}
	out, _, _ := run(t, "-h")
	for _, want := range []string{"less than a second", "-seeds", "-model", "mean_ci95", "later_than_fair", "later_than_easy", "-warm"} {
		if !strings.Contains(out, want) {
			t.Errorf("whatif -h lacks %q", want)
		}
	}
}

// A file of no format gets to see the smallest that is read.
func TestNoFormat(t *testing.T) {
	if _, errs, code := run(t, "-trace", trace(t, strings.ReplaceAll(tiny, "\t", ","))); code != 2 || !strings.Contains(errs, `"user,submit,tasks,run" and "anna,0,4,60"`) {
		t.Errorf("whatif of a SWIM trace with commas = %d, %q, want 2 and a table", code, errs)
	}
}

// A table for people says large numbers shortly, and has no slowdown that is one of tiny jobs.
func TestLargeNumbers(t *testing.T) {
	out, _, _ := run(t, "-trace", trace(t, "a\t0\t0\t1\t0\t0\nb\t1000000\t0\t3e12\t0\t0\nc\t1000001\t1\t1\t0\t0\n"), "-policies", "fifo")
	row := strings.Fields(strings.Split(out, "\n")[3])
	for _, cell := range row {
		if len(cell) > 7 {
			t.Errorf("the row %q has the cell %q, want no more than 7 characters", row, cell)
		}
	}
	if header := strings.Fields(strings.Split(out, "\n")[2]); row[8] != "30001" || header[8] != "bounded_slowdown" {
		t.Errorf("%s is %s, want that of a second of nothing behind a million", header[8], row[8])
	}
}
