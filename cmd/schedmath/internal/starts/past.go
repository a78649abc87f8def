package starts

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/schedmath/schedmath/backfill"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/joblog"
)

// past is what earlier jobs and earlier forecasts tell.
type past struct {
	runs       backfill.Remaining[string] // of jobs that ended, by user
	ended      int                        // how many
	starts     map[string][]float64       // by job
	calibrator *backfill.Calibrator
	outcomes   int // of forecasts, from which it has learned; at most 500
}

// newPast takes what the files of the flags tell of the time before now.
func newPast(s *settings, now float64) (*past, error) {
	p := &past{starts: map[string][]float64{}}
	var err error
	if p.calibrator, err = backfill.NewCalibrator(backfill.CalibratorOptions{}); err != nil {
		return nil, err
	}
	if s.history != "" {
		if err := p.learn(s.history, now, s.ReadOptions); err != nil {
			return nil, err
		}
	}
	if s.forecasts != "" {
		err = p.calibrate(s.forecasts)
	}
	return p, err
}

// enough is how many outcomes a Calibrator wants to know before it moves anything.
const enough = 20

// says tells what the intervals rest on.
func (p *past) says() string {
	text := "run times: each up to its limit, as no history tells better"
	if p.ended > 0 {
		text = fmt.Sprintf("run times: as %s of the history ran", numbers.Count(p.ended, "job"))
	}
	if p.outcomes < enough {
		return text + fmt.Sprintf("; uncalibrated: the outcomes of %d earlier forecasts are known, want %d", p.outcomes, enough)
	}
	return text + fmt.Sprintf("; calibrated by the outcomes of %d earlier forecasts", p.outcomes)
}

// interval is a forecast with bounds that are calibrated. Its median stays, within these: it is of
// the jobs that wait now.
func (p *past) interval(now float64, f backfill.Interval) (backfill.Interval, error) {
	c, err := p.calibrator.Interval(now, f)
	c.Median = min(max(c.Low, f.Median), c.High)
	return c, err
}

// learn takes what a log says of the time before now.
func (p *past) learn(file string, now float64, o joblog.ReadOptions) error {
	in, err := program.Open(file)
	if err != nil {
		return err
	}
	defer in.Close()
	log, err := joblog.ReadJobs(in, o)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, j := range log.Jobs {
		if !(j.Start <= now) {
			continue
		}
		p.starts[j.ID] = append(p.starts[j.ID], j.Start)
		if j.Run >= 0 && j.End <= now {
			requested := j.Requested
			if math.IsNaN(requested) {
				requested = math.Inf(1)
			}
			if err := p.runs.Add(j.User, requested, j.Run); err != nil {
				return err
			}
			p.ended++
		}
	}
	return nil
}

// rest is the quantile u of how long a job still runs; without a history its limit.
func (p *past) rest(j *job, u float64) float64 {
	if p.ended == 0 {
		return max(0, j.limit-j.ran)
	}
	return p.runs.Quantile(j.user, j.limit, j.ran, u)
}

// columns are those of the file of forecasts; times are in seconds since 1970.
const columns = "job\tgiven\tlow\tmedian\thigh\n"

// calibrate learns from the forecasts in a file, of which those count whose jobs have started since.
// No file is an empty one.
func (p *past) calibrate(file string) error {
	text, err := program.ReadFile(file)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	var list []backfill.Outcome
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if n == 1 && line == columns {
			continue
		}
		var job string
		var o backfill.Outcome
		f := &o.Forecast
		if _, err := fmt.Sscan(line, &job, &o.Given, &f.Low, &f.Median, &f.High); err != nil || n == 1 {
			return program.Usagef("%s: line %d is no forecast of an earlier run", file, n)
		}
		if i := slices.IndexFunc(p.starts[job], func(start float64) bool { return start >= o.Given }); i >= 0 {
			o.Start = p.starts[job][i]
			list = append(list, o)
		}
	}
	slices.SortStableFunc(list, func(a, b backfill.Outcome) int { return cmp.Compare(a.Start, b.Start) })
	for _, o := range list {
		if err := p.calibrator.Add(o); err != nil {
			return program.Usagef("%s: %v", file, err)
		}
	}
	known := p.calibrator.Snapshot()
	p.outcomes = min(len(known.Low), len(known.Median), len(known.High))
	return nil
}

// mostKept is about how many forecasts the file keeps, the last ones.
const mostKept = 50_000

// remember adds forecasts to the file.
func (p *plan) remember(file string, told []backfill.Interval) error {
	text, err := program.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if len(text) == 0 {
		text = []byte(columns)
	}
	if lines := bytes.SplitAfter(text, []byte{'\n'}); len(lines) > mostKept {
		text = append([]byte(columns), bytes.Join(lines[len(lines)-mostKept:], nil)...)
	}
	for i, f := range told {
		if p.waiting[i].id == submittedID {
			continue
		}
		text = fmt.Appendf(text, "%s\t%.3f\t%.3f\t%.3f\t%.3f\n", p.waiting[i].id, p.now, f.Low, f.Median, f.High)
	}
	return program.WriteFile(file, text)
}
