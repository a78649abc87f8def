package report

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Progress is a progress bar on a terminal and nothing anywhere else. Its methods are safe for
// concurrent use; a nil *Progress works and shows nothing.
type Progress struct{ bar *progressbar.ProgressBar }

// NewProgress starts a bar of total steps on w, no wider than the terminal; what says what is being
// done. It is nil when w is no terminal, or one too narrow for the numbers.
func NewProgress(w io.Writer, what string, total int) *Progress {
	if !isTerminal(w) {
		return nil
	}
	columns, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil || columns == 0 {
		columns = 80
	}
	// The last column stays free: some terminals begin a new line behind it. Times are as long as
	// [59m59s:59m59s], or somewhat longer.
	room := columns - 1 - len(fmt.Sprintf(" 100%% || (%d/%d)", total, total))
	const times = 22
	timed := room >= times+len(what)
	if timed {
		room -= times
	}
	if room < 0 {
		return nil
	}
	what = what[max(0, len(what)-room):] // its end says most
	return &Progress{progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(min(40, room-len(what))),
		progressbar.OptionSetElapsedTime(timed),
		progressbar.OptionSetPredictTime(timed),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionClearOnFinish(),
	)}
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Add reports n more steps done. A terminal that cannot be written to is no reason to stop the run.
func (p *Progress) Add(n int) {
	if p != nil && !interrupted.Load() {
		_ = p.bar.Add(n)
	}
}

// Done takes the bar away.
func (p *Progress) Done() {
	if p != nil && !interrupted.Load() {
		_ = p.bar.Finish()
	}
}

// Each does n pieces of work side by side, with a progress bar on w, and returns what they give;
// what says what is being done.
func Each[T any](w io.Writer, what string, n int, work func(i int) (T, error)) ([]T, error) {
	list := make([]T, n)
	bar := NewProgress(w, what, n)
	defer bar.Done()
	err := Parallel(n, func(_ *struct{}, i int) (err error) {
		defer bar.Add(1)
		list[i], err = work(i)
		return err
	})
	return list, err
}
