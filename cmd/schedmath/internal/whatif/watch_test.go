package whatif_test

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/cmd/schedmath/internal/whatif"
)

// What is found policy by policy is at the end what the command finds, to the byte.
func TestWatch(t *testing.T) {
	swf := "; MaxProcs: 16\n"
	for i := range 60 {
		swf += swfJob(i+1, float64(20*i), float64(30+i*i%170), 1+i*7%16, 1+i%3)
	}
	for _, args := range [][]string{
		{"-trace=" + samples + "sacct.txt", "-by=team"},
		{"-trace=" + trace(t, swf)},
		{"-trace=" + trace(t, tiny), "-load=1"},
		{"-trace=" + samples + "sacct.txt", "-policies=easy"},
		{"-quick=true"},
	} {
		want, errs, code := run(t, args...)
		if code != 0 {
			t.Fatal(errs)
		}
		w, err := whatif.Start(args, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		var last *page.Document
		var text, first string
		shown := 0
		if err := w.Replay(func(d *page.Document, s string) {
			if len(d.Rows.([]map[string]any)) < shown {
				t.Errorf("%q: rows go away", args)
			}
			if last == nil {
				first = d.Summary[0]
			}
			shown, last, text = len(d.Rows.([]map[string]any)), d, s
		}); err != nil {
			t.Fatal(err)
		}
		if early := len(w.All) > 2 && !slices.Contains(args, "-policies=easy"); strings.HasPrefix(first, "So far, with 2 of ") != early || strings.HasPrefix(last.Summary[0], "So far") {
			t.Errorf("%q: the first summary begins with %q, the last with %q", args, first, last.Summary[0])
		}
		if text != want {
			t.Errorf("%q: at the end\n%s, the command prints\n%s", args, text, want)
		}
		if last.Command != "schedmath whatif "+strings.Join(slices.Sorted(slices.Values(args)), " ") {
			t.Errorf("%q: the command is %q", args, last.Command)
		}
	}
	if _, err := whatif.Start([]string{"-trace=" + trace(t, "a\t0\n")}, io.Discard); err == nil {
		t.Error("a broken log is no error")
	}
}

// Who waits at a time and when each started is what the log says; jobs that ran before are known.
func TestWhen(t *testing.T) {
	const csv = "user,submit,tasks,run,requested,rigid,start\na,0,4,100,100,1,0\na,10,4,100,100,1,100\nb,20,4,50,50,1,200\nb,300,1,5,5,1,300\n"
	for args, how := range map[string]string{"-machines=1": "as the log says", "-machines=1 -load=1": "under easy"} {
		q, err := whatif.Foretell(append(strings.Fields(args), "-trace="+trace(t, csv)), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		if at := q.Longest(); math.Abs(at-20./300) > 1e-12 {
			t.Errorf("%s: most jobs wait at %v of the time, want 20/300", args, at)
		}
		d, err := q.At(20. / 300)
		if want := "Waiting at this time: 2 jobs. Starts " + how + " within the forecast's interval: 2."; err != nil || d.Summary[0] != want {
			t.Errorf("%s: %v, %v, want %q", args, d, err, want)
		}
	}
	q, err := whatif.Foretell([]string{"-trace=" + trace(t, csv), "-machines=1"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	d, err := q.At(50. / 300)
	if err != nil {
		t.Fatal(err)
	}
	rows := d.Pictures[0].Table.Rows
	if d.Title != "50s after the first job came" {
		t.Errorf("at 50 s it is %q", d.Title)
	}
	if units := d.Pictures[0].Table.Units; units["median"] != "minutes from now" || units["started"] != "minutes from now" {
		t.Errorf("the units are %q", units)
	}
	if len(rows) != 2 {
		t.Fatalf("at 50 s: %q", rows)
	}
	for i, want := range []float64{50. / 60, 150. / 60} { // exact requests: 100 s and 200 s
		if got := float(t, rows[i][3]); math.Abs(got-want) > 1e-5*want || rows[i][3] != rows[i][6] {
			t.Errorf("job %s starts in %v minutes and did in %s, want %v", rows[i][0], got, rows[i][6], want)
		}
	}
	if d, err := q.At(290. / 300); err != nil || d.Summary[0] != "Nobody waits at this time." {
		t.Errorf("at 290 s: %v, %v", d, err)
	}
	// A job whose start the log lacks waits to the end.
	if q, err = whatif.Foretell([]string{"-trace=" + trace(t, strings.Replace(csv, "1,200", "1,", 1)), "-machines=1"}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if d, err := q.At(290. / 300); err != nil || d.Summary[0] != "Waiting at this time: 1 job. Starts as the log says within the forecast's interval: 0." || d.Pictures[0].Table.Rows[0][6] != "NA" || math.Abs(q.Longest()-20./300) > 1e-12 {
		t.Errorf("without a start, at 290 s: %v, %v, most wait at %v", d, err, q.Longest())
	}
	// Where the log has dates the time is one, with its zone.
	if q, err = whatif.Foretell([]string{"-trace=" + samples + "sacct.txt", "-zone=Asia/Tokyo"}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if d, err := q.At(0); err != nil || d.Title != "2026-03-01 08:00:00 Asia/Tokyo" {
		t.Errorf("at the first job: %v, %v", d, err)
	}
	// Long waits are in hours.
	if q, err = whatif.Foretell([]string{"-trace=" + trace(t, strings.ReplaceAll(csv, "300", "36000")+"b,30,1,5,5,1,36000\n")}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if d, err := q.At(.5); err != nil || d.Title != "5h0m0s after the first job came" || d.Pictures[0].X.Label != "hours from now" || d.Pictures[0].Table.Rows[0][6] != "5" {
		t.Errorf("halfway: %v, %v", d, err)
	}
	// One job that comes alone, and logs without rigid jobs or without requests.
	if q, err = whatif.Foretell([]string{"-trace=" + trace(t, csv[:strings.Index(csv, "a,10")])}, io.Discard); err != nil || q.Longest() != 0 {
		t.Errorf("of one job: %v, %v", q, err)
	}
	for _, text := range []string{tiny, "user,submit,tasks,run,rigid\na,0,4,100,1\n"} {
		if _, err := whatif.Foretell([]string{"-trace=" + trace(t, text)}, io.Discard); err == nil || !strings.Contains(err.Error(), "this log does not have that") {
			t.Errorf("starts of %q are foretold, %v", text, err)
		}
	}
}

// Where the log has dates the pictures' times have its zone, and columns their units.
func TestWatchDates(t *testing.T) {
	w, err := whatif.Start([]string{"-trace=" + samples + "sacct.txt", "-zone=Asia/Tokyo"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	label := ""
	if err := w.Replay(func(d *page.Document, _ string) {
		for _, p := range d.Pictures {
			if p.Name == "gantt" {
				label = p.X.Label
			}
		}
		if units := d.Pictures[0].Table.Units; units["mean_wait"] != "s" || units["p99"] != "s" || units["owed"] != "processor-hours" {
			t.Errorf("the units are %q", units)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if label != "time (Asia/Tokyo)" {
		t.Errorf("the axis of time is %q", label)
	}
}

// Play runs the same work under each policy, on four slots that have one job at a time.
func TestPlay(t *testing.T) {
	for seed := range uint64(20) {
		d, err := whatif.Play(float64(seed%3), seed)
		if err != nil {
			t.Fatal(err)
		}
		type bar struct{ start, end float64 }
		lanes := map[[2]string][]bar{}
		slots := map[string]float64{}
		for _, row := range d.Pictures[0].Table.Rows {
			b := bar{float(t, row[4]), float(t, row[5])}
			key := [2]string{row[0], row[8]}
			for _, other := range lanes[key] {
				if b.start < other.end && other.start < b.end {
					t.Errorf("seed %d: two jobs on slot %s of %s", seed, row[8], row[0])
				}
			}
			lanes[key] = append(lanes[key], b)
			slots[row[0]] += b.end - b.start
			if lane := float(t, row[8]); lane >= 4 {
				t.Errorf("seed %d: %s runs on slot %v of 4", seed, row[0], lane)
			}
		}
		for name, sum := range slots {
			if math.Abs(sum-slots["fifo"]) > 1e-9*sum || len(slots) != 5 {
				t.Errorf("seed %d: the work under %s is %v, under fifo %v, of %d policies", seed, name, sum, slots["fifo"], len(slots))
			}
		}
	}
}
