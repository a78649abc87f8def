package program

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// How often a Progress is shown: a bar on a terminal, a line elsewhere.
const (
	barPeriod  = 100 * time.Millisecond
	linePeriod = 10 * time.Second
)

// A Progress counts steps on stderr: in a bar on a terminal, no wider than it, elsewhere in a line
// every 10 s. Its methods are safe for concurrent use.
type Progress struct {
	mu           sync.Mutex
	w            io.Writer
	what         string
	done, total  int
	start, shown time.Time
}

// A Shower is a stderr that shows progress by itself: it hears of it ten times a second at most.
type Shower interface {
	Show(what string, done, total int)
}

// NewProgress starts to count total steps on w; what says what is being done.
func NewProgress(w io.Writer, what string, total int) *Progress {
	now := time.Now()
	p := &Progress{w: w, what: what, total: total, start: now, shown: now}
	if p.bars() {
		p.show(now)
	}
	return p
}

// Add reports n more steps done. A stderr that cannot be written to is no reason to stop the run.
func (p *Progress) Add(n int) {
	if interrupted.Load() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
	period := linePeriod
	if p.bars() {
		period = barPeriod
	}
	if now := time.Now(); now.Sub(p.shown) >= period {
		p.show(now)
	}
}

// Done takes the bar away.
func (p *Progress) Done() {
	if interrupted.Load() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if columns := columns(p.w); columns > 0 {
		fmt.Fprintf(p.w, "\r%*s\r", columns-1, "")
	}
}

// bars reports whether progress is shown often.
func (p *Progress) bars() bool {
	_, shower := p.w.(Shower)
	return shower || columns(p.w) > 0
}

func (p *Progress) show(now time.Time) {
	p.shown = now
	if s, ok := p.w.(Shower); ok {
		s.Show(p.what, p.done, p.total)
		return
	}
	columns := columns(p.w)
	count := fmt.Sprintf("%d of %d", p.done, p.total)
	elapsed := now.Sub(p.start)
	times := ", " + elapsed.Round(time.Second).String()
	if p.done > 0 {
		left := time.Duration(float64(elapsed) / float64(p.done) * float64(p.total-p.done))
		times += ", " + left.Round(time.Second).String() + " left"
	}
	if columns == 0 {
		fmt.Fprintf(p.w, "%s: %s%s\n", p.what, count, times)
		return
	}
	// The last column stays free: some terminals begin a new line behind it.
	room := columns - 1 - len(count)
	if room < 0 {
		return
	}
	if room < len(times) {
		times = ""
	}
	room -= len(times)
	what := []rune(p.what + " ")
	what = what[max(0, len(what)-room):] // its end says most
	bar := ""
	if room -= len(what); room > len("[] ") {
		width := min(40, room-len("[] "))
		bar = fmt.Sprintf("[%-*s] ", width, strings.Repeat("=", max(0, min(width, width*p.done/max(1, p.total)))))
	}
	line := string(what) + bar + count + times
	fmt.Fprintf(p.w, "\r%s%*s", line, columns-1-utf8.RuneCountInString(line), "")
}
