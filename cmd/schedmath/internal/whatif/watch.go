package whatif

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/schedmath/schedmath/cmd/schedmath/internal/page"
	"github.com/schedmath/schedmath/internal/batch"
	"github.com/schedmath/schedmath/internal/numbers"
	"github.com/schedmath/schedmath/internal/program"
	"github.com/schedmath/schedmath/slotmodel"
)

// A Watch is a comparison of one seed that is made policy by policy, for who looks on.
type Watch struct {
	All   []string // the policies that make sense for the jobs
	found *Comparison

	processors int
	seed       uint64
	jobs       []slotmodel.JobSpec    // for which starts can be foretold
	starts     []float64              // of them: what happened
	how        string                 // what that was
	instant    func(t float64) string // a time for people
	name       func(i int) string
	user       func(i int) string
}

// Start reads the log of the arguments, which are those of the command.
func (w *Watch) Start(args []string, progress io.Writer) (*Run, error) {
	o := new(Options)
	flags := o.define()
	if _, err := program.ParseFiles(flags, args, io.Discard, ""); err != nil {
		return nil, err
	}
	if err := o.take(flags); err != nil {
		return nil, err
	}
	o.Seeds = 1
	if err := o.check(); err != nil {
		return nil, err
	}
	s, err := o.open()
	if err != nil {
		return nil, err
	}
	names, err := s.parsePolicies()
	if err != nil {
		return nil, err
	}
	*w = Watch{All: s.policies(), seed: s.Seed, processors: s.processors}
	return &Run{w, s, names, progress}, nil
}

// A Run is a Watch whose log has been read.
type Run struct {
	watch    *Watch
	s        *setting
	names    []string
	progress io.Writer
}

// Replay replays the jobs and calls show with what is found so far, after each policy or now and
// then, and at the end once more with the forecasts. text is the table of the terminal then.
func (r *Run) Replay(show func(d *page.Document, text string)) error {
	s, all := r.s, r.s.withRivals(r.names)
	st, err := s.seeded(0)
	if err != nil {
		return err
	}
	phases := len(all) * s.phases()
	bar := program.NewProgress(r.progress, "jobs", phases*s.Len())
	draw := func(k int) error {
		made := replayed{rows: st.rows(all[:k], program.NewProgress(io.Discard, "", 1)), what: st.what, window: func(chosen []string) []page.Picture { return st.window(all[:k], chosen) }}
		done := slices.DeleteFunc(slices.Clone(r.names), func(name string) bool { return !slices.Contains(all[:k], name) })
		r.watch.found, err = s.found([]replayed{made}, done)
		return err
	}
	for k, name := range all {
		out, err := st.run(0, name, bar)
		if err != nil {
			return err
		}
		st.runs = append(st.runs, out)
		bar.Add(s.Len())
		first := slices.ContainsFunc(all[:k+1], func(name string) bool { return slices.Contains(r.names, name) })
		if last := k == len(all)-1; k > 0 && first && (last || k == 1 || s.Len() <= manyDrawn) {
			if err := draw(k + 1); err != nil {
				return err
			}
			if d := r.watch.found.Document(); !last {
				d.Summary = append([]string{fmt.Sprintf("So far, with %d of %d policies replayed; the rest may change what follows.", k+1, len(all))}, d.Summary...)
				show(d, "")
			}
		}
	}
	r.foretell(st, all)
	if !s.foretells(r.names) {
		return r.end(show)
	}
	show(r.watch.found.Document(), "")
	bar = program.NewProgress(r.progress, "forecasts", s.Len())
	if r.watch.found.Forecasts, err = s.forecasts(bar); err != nil {
		return err
	}
	return r.end(show)
}

// manyDrawn is from how many jobs on pictures are not drawn after each policy.
const manyDrawn = 20_000

func (r *Run) end(show func(d *page.Document, text string)) error {
	var text strings.Builder
	if err := r.watch.found.writeText(&text); err != nil {
		return err
	}
	show(r.watch.found.Document(), text.String())
	return nil
}

// foretell keeps what At needs: what really happened if the log has it, else what happened under
// easy.
func (r *Run) foretell(st *stage, all []string) {
	w, s := r.watch, r.s
	told, _ := s.told()
	k := slices.Index(all, "easy")
	jobs, places := s.plannedJobs()
	if told == nil && k < 0 || s.SWIM != nil {
		return
	}
	w.jobs, w.starts, w.how = jobs, nil, "under easy"
	for _, i := range places {
		if told != nil {
			w.how, w.starts = "as the log says", append(w.starts, told[i].Start)
		} else {
			w.starts = append(w.starts, st.runs[k].Start[i])
		}
	}
	w.instant = func(t float64) string {
		if !s.Dated() {
			return numbers.Short((t-jobs[0].Arrival)/hour) + " hours after the first job came"
		}
		return s.Clock(math.Round(t)) + " " + cmp.Or(s.Trace.Zone, time.UTC).String()
	}
	w.name = func(i int) string { return s.nameOf(places[i]) }
	w.user = func(i int) string { return s.userName(s.Jobs[places[i]].User) }
}

// Span is the time over which At can be asked; ok is false where starts cannot be foretold.
func (w *Watch) Span() (from, to float64, ok bool) {
	if len(w.jobs) == 0 {
		return 0, 0, false
	}
	return w.jobs[0].Arrival, w.jobs[len(w.jobs)-1].Arrival, true
}

// At is when the jobs that wait at a time will start, and when they did.
func (w *Watch) At(now float64) (*page.Document, error) {
	waits, told, err := batch.At(w.jobs, w.starts, w.processors, now, w.seed)
	if err != nil {
		return nil, err
	}
	p := newPicture("when", "When will it start", "Of each job that waits, in the order of arrival: the forecast's median and 90% interval, in hours from now, and when it did start "+w.how+
		". A forecast plays EASY on what is known at that time: requests, and for which part of their requests jobs ran that have ended.", page.Foretold, 2, "job", "user", "processors", "median", "low", "high", "started")
	p.X, p.Series = page.Axis{Label: "hours from now"}, []page.Series{{Name: "forecast", Columns: []string{"median", "low", "high", "started"}}}
	p.Table.In("hours from now", "median", "low", "high", "started")
	within := 0
	for k, i := range waits {
		f, start := told[k], w.starts[i]
		if f.Low <= start && start <= f.High {
			within++
		}
		if k < mostTold {
			at := func(t float64) float64 { return page.Short((t - now) / hour) }
			if !(math.Abs(start) <= math.MaxFloat64) {
				start = math.NaN()
			}
			p.Table.Add(page.Name(w.name(i)), page.Name(w.user(i)), w.jobs[i].Maps.Tasks, at(f.Median), at(f.Low), at(f.High), at(start))
		}
	}
	summary := []string{"Nobody waits at this time."}
	if len(waits) > 0 {
		summary = []string{numbers.Count(len(waits), "job") + " wait at this time: " + numbers.Count(within, "start") + " " + w.how + " within the forecast's interval."}
	}
	return &page.Document{Program: "when", Title: w.instant(now), Summary: summary, Pictures: []page.Picture{p}}, nil
}

// mostTold is how many jobs that wait are shown.
const mostTold = 100
