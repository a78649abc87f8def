package slurm_test

import (
	"math"
	"testing"
	"time"

	"github.com/schedmath/schedmath/internal/slurm"
)

func TestDuration(t *testing.T) {
	for text, want := range map[string]float64{"0:05": 5, "5:00": 300, "2:30:00": 9000, "1-02:30:00": 95400, "1-02": 93600, "UNLIMITED": math.Inf(1), "infinite": math.Inf(1), "INVALID": math.NaN(), "": math.NaN(), "10": math.NaN(), "-1": math.NaN(), "1-1:1:1:1": math.NaN()} {
		if got := slurm.Duration(text); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("Duration(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestDate(t *testing.T) {
	east := time.FixedZone("", 3600)
	for text, want := range map[string]float64{"1970-01-02T01:00:00": 86400, "1970-01-02T01:00:00Z": 90000, "1970-01-02T01:00:00+0300": 79200, "N/A": math.NaN(), "Unknown": math.NaN(), "": math.NaN()} {
		if got := slurm.Date(text, east); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("Date(%q) = %v, want %v", text, got, want)
		}
	}
}
