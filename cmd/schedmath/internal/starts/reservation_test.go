package starts

import (
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

// A reservation of all 24 CPUs from 10:03 on is at risk by job 1, which holds 20 up to 10:06; one from 10:06
// on is not, nor is one of a node that is down or one that has begun. Job 2 holds the rest up to 10:02.
func TestReservationAtRisk(t *testing.T) {
	text := jobHeader + running + strings.Replace(strings.Replace(running, "1|anna", "2|ben", 1), "|20|1|N/A|0|10:00|", "|4|1|N/A|0|6:00|", 1) + nodes
	for reserved, want := range map[string]string{
		"StartTime=2026-03-01T10:03:00 EndTime=2026-03-01T10:20:00 Nodes=a,b": "reservation maint from 2026-03-01T10:03:00 is at risk until 2026-03-01T10:06:00, by 1 (anna)",
		"StartTime=2026-03-01T10:03:00 EndTime=2026-03-01T10:05:00 Nodes=a,b": "reservation maint from 2026-03-01T10:03:00 is at risk until 2026-03-01T10:05:00, by 1 (anna)",
		"StartTime=2026-03-01T10:01:00 EndTime=2026-03-01T10:20:00 Nodes=a,b": "reservation maint from 2026-03-01T10:01:00 is at risk until 2026-03-01T10:06:00, by 1 (anna), 2 (ben)",
		"StartTime=2026-03-01T10:06:00 EndTime=2026-03-01T10:20:00 Nodes=a,b": "",
		"StartTime=2026-03-01T10:03:00 EndTime=2026-03-01T10:20:00 Nodes=c":   "",
		"StartTime=2026-03-01T09:59:00 EndTime=2026-03-01T10:20:00 Nodes=a,b": "",
	} {
		out, errs, code := command(file(t, text+"ReservationName=maint "+reserved+"\n"))
		got := ""
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "reservation ") {
				got += strings.TrimSuffix(line, "\n")
			}
		}
		if code != 0 || got != want {
			t.Errorf("%s: %d, %q%s, want %q", reserved, code, got, errs, want)
		}
	}
}

// What runs on nodes that drain, or in a reservation that has begun, takes nothing from who waits: a has
// 8 CPUs and b 16, of which the job that runs holds so many.
func TestShut(t *testing.T) {
	const began = "ReservationName=course StartTime=2026-03-01T09:50:00 EndTime=2026-03-01T11:00:00 Duration=01:10:00\n" +
		"   Nodes=a,c NodeCnt=2 CoreCnt=72\n   Users=anna Accounts=(null)\n"
	job := func(cpus string) string { return strings.Replace(running, "|20|", "|"+cpus+"|", 1) }
	other := strings.Replace(strings.Replace(job("4"), "1|anna", "5|emil", 1), "T09:56:00", "T09:40:00", 1)
	other = strings.Replace(other, "|x|", "|(null)|", 1) // of no account
	state := func(a, b string) string {
		return nodeHeader + "a|batch|" + a + "|8|1|(null)|infinite\nb|batch|" + b + "|16|1|gpu:2|infinite\n"
	}
	for name, c := range map[string]struct{ text, cpus, want string }{
		"drains":                        {job("8") + state("drng", "idle"), "16", "10:00:00"},
		"drains, and the rest is held":  {job("20") + state("drng", "mix"), "16", "10:06:00"},
		"drains, held by 4 beyond b":    {job("20") + state("drng*", "alloc"), "12", "10:06:00"},
		"drained":                       {job("8") + state("drain", "mix"), "8", "10:00:00"},
		"reserved":                      {job("8") + state("alloc", "idle") + began, "16", "10:00:00"},
		"reserved, the owner's is free": {other + job("4") + state("mix", "idle") + began, "16", "10:00:00"},
		"reserved, another's runs on b": {other + job("8") + state("alloc", "mix") + began, "12", "10:00:00"},
		"reserved, another's ends on b": {strings.Replace(other, "|4:00|", "|8:00|", 1) + job("8") + state("alloc", "mix") + began, "16", "10:02:00"},
		"reserved, nothing runs in it":  {job("8") + state("resv", "mix") + began, "16", "10:06:00"},
	} {
		out, errs, code := command("-at", "2026-03-01T10:00:00", file(t, jobHeader+waits("2", "ben", "batch", c.cpus, "N/A", "5:00", "9", "Resources", "(null)")+c.text))
		if got := row(t, out, "2"); code != 0 || !strings.HasPrefix(got, "ben batch "+c.cpus+" 2026-03-01T"+c.want) {
			t.Errorf("%s: %d, %q, want a start at %s%s", name, code, got, c.want, errs)
		}
	}
}
