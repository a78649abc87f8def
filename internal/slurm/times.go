// Package slurm reads times, durations and lists of nodes as the commands of Slurm print them.
package slurm

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Layout is that of dates.
const Layout = "2006-01-02T15:04:05"

// Date is a time such as 2026-03-01T08:30:00, of a zone unless it says its own, in seconds since 1970;
// NaN: it is none.
func Date(text string, zone *time.Location) float64 {
	t, err := time.ParseInLocation(Layout, text, zone)
	if err != nil {
		t, err = time.Parse(Layout+"Z0700", text)
	}
	if err != nil {
		return math.NaN()
	}
	return float64(t.Unix()) + float64(t.Nanosecond())/1e9
}

// Duration is a length of time such as 5:00, 2:30:00, 1-02:30:00 or 1-02, s; +Inf: there is no limit;
// NaN: it is none, as a bare number, which may be minutes or seconds.
func Duration(text string) float64 {
	switch text {
	case "UNLIMITED", "NOT_SET", "Partition_Limit", "infinite":
		return math.Inf(1)
	}
	days, clock, dated := strings.Cut(text, "-")
	if !dated {
		days, clock = "0", text
	}
	parts := strings.Split(clock, ":")
	if !dated && len(parts) == 1 {
		return math.NaN()
	}
	for len(parts) < 3 {
		if dated { // hours come first
			parts = append(parts, "0")
		} else { // seconds come last
			parts = append([]string{"0"}, parts...)
		}
	}
	if len(parts) > 3 {
		return math.NaN()
	}
	sum := 0.
	for i, part := range append(parts, days) {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil {
			return math.NaN()
		}
		sum += float64(n) * [...]float64{3600, 60, 1, 86400}[i]
	}
	return sum
}
