package joblog

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/schedmath/schedmath"
)

// MaxLine is the length of the longest line that is read, without its line end. It bounds the memory
// of a reader whatever it is given to read.
const MaxLine = 1 << 24 // bytes

// bufferBytes holds some thousand lines of the usual length.
const bufferBytes = 1 << 16

// A Line is a line of a text.
type Line struct {
	Number int    // 1 is the first
	Text   []byte // without its line end, valid until the next line is read
}

var tab = []byte{'\t'}

// Fault is the error of a line that cannot be read: at a field, or of the line if field is "". A
// blank line, a comment and SWF are named in its place.
func (l Line) Fault(column int, field string, value []byte, reason string) error {
	if what := l.foreign(); what != "" {
		return &ParseError{Line: l.Number, Column: 1, Reason: what}
	}
	return &ParseError{Line: l.Number, Column: column, Field: field, Value: shown(value), Reason: reason}
}

// foreign names what a line is that cannot be read, "" if it looks like a job.
func (l Line) foreign() string {
	text := bytes.TrimSpace(l.Text)
	switch {
	case len(text) == 0:
		return "line is blank"
	case l.Number == 1 && l.isSWF():
		return "file looks like the Standard Workload Format (SWF), which ReadJobs reads"
	case text[0] == ';' || text[0] == '#' || bytes.HasPrefix(text, []byte("//")):
		return "line is a comment, which the format does not have"
	}
	return ""
}

func notNumber(field []byte) bool {
	_, err := strconv.ParseFloat(string(field), 64)
	return err != nil
}

// Count is the error of a line with too few or too many fields behind tabs.
func (l Line) Count(least, most int) error {
	switch n := bytes.Count(l.Text, tab) + 1; {
	case n < least:
		reason := "line ends after field " + strconv.Itoa(n) + " of " + strconv.Itoa(least)
		if n == 1 {
			reason += ": tabs expected"
		}
		return l.Fault(len(l.Text)+1, "", nil, reason)
	case n > most:
		// The fields that may be there.
		first := bytes.Join(bytes.SplitN(l.Text, tab, most+1)[:most], tab)
		return l.Fault(len(first)+2, "", nil, "line has more than "+strconv.Itoa(most)+" fields")
	}
	return nil
}

// A Text is a text in UTF-8, plain or gzip, with or without a byte order mark, that is read line by
// line: what packages with a format of their own read files with.
type Text struct {
	src     source
	text    *bufio.Reader
	err     error // of the first bytes
	options ReadOptions
	limits  limits
	full    bool // they have been reached
}

// New begins to read a text within the limits of the options. Its errors are those of ReadJobs.
func New(r io.Reader, o ReadOptions) (*Text, error) { return newText("New", r, o) }

// newText is the function of that name, called by another one.
func newText(fn string, r io.Reader, o ReadOptions) (*Text, error) {
	bad := func(arg, reason string) (*Text, error) {
		return nil, &schedmath.InputError{Func: "joblog." + fn, Arg: arg, Index: -1, Reason: reason}
	}
	switch {
	case r == nil:
		return bad("r", "nil, want a reader")
	case o.MaxTasks < 0 || o.MaxTasks > maxTasks:
		return bad("o", "MaxTasks is "+strconv.Itoa(o.MaxTasks)+", want 0 to "+strconv.Itoa(maxTasks))
	case o.MaxJobs < 0:
		return bad("o", "MaxJobs is "+strconv.Itoa(o.MaxJobs)+", want 0 or more")
	case o.MaxBytes < 0:
		return bad("o", "MaxBytes is "+strconv.FormatInt(o.MaxBytes, 10)+", want 0 or more")
	case !(o.Bad >= 0 && o.Bad <= 1):
		return bad("o", "Bad is "+text(o.Bad)+", want a number within [0, 1]")
	}
	t := &Text{src: source{r: r}, options: o, limits: limits{mostTasks: cmp.Or(o.MaxTasks, defaultTasks), mostJobs: cmp.Or(o.MaxJobs, defaultJobs)}}
	t.text, t.err = plain(&t.src, cmp.Or(o.MaxBytes, defaultBytes))
	return t, nil
}

// IsJobFile tells a job file, which package slotmodel/workload reads, from its header; nothing is
// read of it.
func (t *Text) IsJobFile() bool {
	if t.err != nil {
		return false
	}
	const most = 1 << 10 // more than a header has
	head, _ := t.text.Peek(most)
	head, _, _ = bytes.Cut(head, []byte{'\n'})
	return isJobFile(head)
}

// Lines are the lines of the text. They end in LF or CRLF, the last one perhaps in neither. A line
// over MaxLine and the first of some empty lines before another line come as *ParseErrors and
// reading goes on; empty lines at the end are skipped. A stream that breaks comes as the last pair,
// as an error of ReadJobs.
func (r *Text) Lines() iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		var line []byte
		err := r.err
		empty := 0 // number of the first of the empty lines just read; 0: none
		for n := 1; ; n++ {
			if err == nil {
				line, err = readLine(r.text, line[:0])
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Line{}, r.src.broken(n, err))
				return
			}
			if len(line) == 0 {
				if empty == 0 {
					empty = n
				}
				continue
			}
			if empty > 0 && !yield(Line{}, &ParseError{Line: empty, Column: 1, Reason: "line is empty"}) {
				return
			}
			empty = 0
			var fault error
			if len(line) > MaxLine {
				fault = &ParseError{Line: n, Column: MaxLine + 1, Reason: tooLong}
			}
			if !yield(Line{n, line}, fault) {
				return
			}
		}
	}
}

// tooLong says what is wrong with a line over MaxLine.
var tooLong = "line is longer than " + strconv.Itoa(MaxLine) + " bytes"

// readLine appends the next line without its end to line, as much of it as tells that it is too
// long. At the end of the text it appends nothing and returns io.EOF.
func readLine(text *bufio.Reader, line []byte) ([]byte, error) {
	for {
		part, err := text.ReadSlice('\n')
		if len(line) <= MaxLine+len("\r\n") {
			line = append(line, part...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF && len(line) > 0 {
			err = nil // the next call finds the end again
		}
		return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")), err
	}
}

// plain unzips a text and skips its byte order mark. Both are told by the first bytes, which no
// field may hold, and so is UTF-16. A text of more than so many bytes breaks behind them.
func plain(src io.Reader, most int64) (*bufio.Reader, error) {
	text := bufio.NewReaderSize(&bounded{src, most, most}, bufferBytes)
	head, err := text.Peek(2)
	if err == nil && string(head) == "\x1f\x8b" {
		zip, err := gzip.NewReader(text)
		if err == io.EOF { // a header cut off
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, err
		}
		text = bufio.NewReaderSize(&bounded{zip, most, most}, bufferBytes)
	}
	head, err = text.Peek(len(byteOrderMark))
	switch {
	case err != nil && err != io.EOF:
		return nil, err
	case bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) || bytes.IndexByte(head, 0) >= 0:
		return nil, errUTF16
	case string(head) == byteOrderMark:
		text.Discard(len(head))
	}
	return text, nil
}

const byteOrderMark = "\ufeff" // which spreadsheets and editors put before a text

var errUTF16 = errors.New("file is UTF-16, or no text: save it as UTF-8")

// bounded passes on at most so many bytes.
type bounded struct {
	r          io.Reader
	left, most int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, &tooManyBytes{b.most}
	}
	if int64(len(p)) > b.left {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, &tooManyBytes{b.most}
	}
	return n, err
}

type tooManyBytes struct{ most int64 }

func (e *tooManyBytes) Error() string {
	return "text is longer than MaxBytes = " + strconv.FormatInt(e.most, 10) + " bytes"
}

// source passes reads on until one fails and remembers how: an error of the caller's reader is not a
// defect of the trace, even when it comes back through gzip. A look ahead takes the error that comes
// behind what it sees, so that each later read fails with it again.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// broken says that line n could not be read: the error of the caller's reader, wrapped, or else a
// *ParseError, of a compressed stream with Column 0.
func (s *source) broken(n int, err error) error {
	if err == errUTF16 {
		return &ParseError{Line: 1, Column: 1, Reason: err.Error(), whole: true}
	}
	if long := new(tooManyBytes); errors.As(err, &long) {
		return &ParseError{Line: n, Reason: long.Error(), whole: true}
	}
	if s.err == nil && !errors.Is(err, io.ErrNoProgress) {
		return &ParseError{Line: n, Reason: "compressed stream is broken: " + err.Error(), Err: err, whole: true}
	}
	return fmt.Errorf("joblog: line %d: %w", n, cmp.Or(s.err, err))
}
