package starts

import (
	"slices"
	"strings"
	"testing"
)

// A job that would run into a reservation of its nodes waits for its end, one that ends before it does
// not.
func TestReservation(t *testing.T) {
	const reserved = "ReservationName=maint StartTime=2026-03-01T10:03:00 EndTime=2026-03-01T10:20:00 Duration=00:17:00\n" +
		"   Nodes=[1-2],b,x[1-3] NodeCnt=1 CoreCnt=16 Features=(null) Flags=MAINT,SPEC_NODES\n   TRES=cpu=16\n\n"
	text := jobHeader + strings.Replace(running, "|20|", "|4|", 1) +
		waits("2", "ben", "batch", "8", "N/A", "5:00", "9", "Resources", "(null)") + // a has 4 left, b is free for 3 minutes
		waits("3", "carla", "batch", "8", "N/A", "2:00", "8", "Priority", "(null)") +
		waits("4", "carla", "batch", "1", "gres:gpu:2", "4:00", "7", "Priority", "(null)")
	for section, want := range map[string]string{reserved: "10:06:00 10:00:00 10:20:00", "No reservations in the system\n": "10:00:00 10:00:00 10:00:00"} {
		out, errs, code := command(file(t, text+nodes+section))
		var got []string
		for _, id := range []string{"2", "3", "4"} {
			got = append(got, strings.TrimPrefix(strings.Fields(row(t, out, id))[4], "2026-03-01T"))
		}
		if code != 0 || strings.Join(got, " ") != want || strings.Contains(out, "cannot be read") {
			t.Errorf("%q: %d, %s%s, want %s", section, code, errs, out, want)
		}
	}
}

func TestExpand(t *testing.T) {
	for list, want := range map[string]string{"n1": "n1", "n[5-8]": "n5 n6 n7 n8", "n[08-10,3],m2,k[1]": "n08 n09 n10 n3 m2 k1", "": "", "(null)": "(null)", "n[": "", "n]1[,": "", "n[x-2]": "", "n[3-1]": ""} {
		if got := expand(list); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("expand(%q) = %q, want %q", list, got, want)
		}
	}
}
