package program

import (
	"flag"
	"math"
	"strconv"
	"strings"
	"time"
)

// Time reads the time that a flag names: a number of seconds, or a date with or without a time of
// the day, in a zone unless it says another. It is in seconds since 1970 then; otherwise if there is
// no value.
func Time(flag, value string, zone *time.Location, otherwise float64) (float64, error) {
	if value == "" {
		return otherwise, nil
	}
	if x, err := strconv.ParseFloat(value, 64); err == nil && math.Abs(x) <= math.MaxFloat64 {
		return x, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, value, zone); err == nil {
			return float64(t.Unix()), nil
		}
	}
	return 0, Usagef("-%s is %q, want seconds, or a date such as 2026-03-01 or 2026-03-01T08:30:00", flag, value)
}

// Duration reads the duration that a flag names, as time.ParseDuration does, or a number of days as
// 30d; it is 0 or more.
func Duration(flag, value string) (time.Duration, error) {
	d, err := time.ParseDuration(value)
	if days, ok := strings.CutSuffix(value, "d"); ok {
		var n float64
		n, err = strconv.ParseFloat(days, 64)
		d = time.Duration(n * 24 * float64(time.Hour))
		if !(n <= 100_000) { // some 274 years; a Duration ends at 292
			d = -1
		}
	}
	if err != nil || d < 0 {
		return 0, Usagef("-%s is %q, want a time such as 30d or 12h", flag, value)
	}
	return d, nil
}

// Zone is that of the flag -zone, nil if it was not given.
func Zone(f *flag.FlagSet, name string) (zone *time.Location, err error) {
	f.Visit(func(g *flag.Flag) {
		if g.Name == "zone" {
			if zone, err = time.LoadLocation(name); err != nil {
				err = Usagef("-zone %s: %v", name, err)
			}
		}
	})
	return zone, err
}
