package audit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Equal shares of queues are doubted on the page, until somebody says who is entitled to what; net and
// worst stand first; times are those of the log's zone.
func TestPageOfQueues(t *testing.T) {
	dir := t.TempDir()
	log, shares := filepath.Join(dir, "log.txt"), filepath.Join(dir, "shares.json")
	for name, text := range map[string]string{
		log: "JobID|User|Account|Partition|Submit|Start|End|State|ReqCPUS|AllocCPUS\n" +
			"1|anna|physics|long|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T09:00:00|COMPLETED|8|8\n" +
			"2|ben|physics|short|2026-03-01T08:10:00|2026-03-01T09:00:00|2026-03-01T09:30:00|COMPLETED|8|8\n",
		shares: `[{"name": "short", "weight": 2}]`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for flags, doubted := range map[string]bool{"-by queue": true, "-by queue -shares " + shares: false, "-by team": false, "": false} {
		_, d := document(t, append(strings.Fields(flags), "-zone", "Asia/Tokyo", log)...)
		if got := strings.Contains(strings.Join(d.Summary, " "), "Queues are no tenants"); got != doubted {
			t.Errorf("audit %s: the page doubts queues: %v, want %v", flags, got, doubted)
		}
		if columns := d.Pictures[0].Table.Columns; columns[1] != "net" || columns[2] != "worst" {
			t.Errorf("audit %s: the columns are %q, want net and worst first", flags, columns)
		}
		// 08:00 in Tokyo is 23:00 UTC of the day before; the axis says 08:00.
		if x, first := d.Pictures[2].X, d.Pictures[2].Table.Rows[0][0]; !x.Date || first != "1.772352e+09" || x.Label != "time (Asia/Tokyo)" || !strings.Contains(d.Summary[0], " 09:30 (Asia/Tokyo), ") {
			t.Errorf("audit %s: the first time is %s on %+v of %q, want 2026-03-01 08:00 as clocks show it, and the zone", flags, first, x, d.Summary[0])
		}
		for k, want := range []map[string]string{{"net": "cpu-hours", "owed": "cpu-hours", "mean wait": "hours", "p95 wait": "hours"}, {"from": "(Asia/Tokyo)", "to": "(Asia/Tokyo)", "missed": "cpu-hours", "waited": "hours"}} {
			for column, unit := range want {
				if got := d.Pictures[k].Table.Units[column]; got != unit {
					t.Errorf("audit %s: %s is in %q, want %q", flags, column, got, unit)
				}
			}
		}
	}
}
