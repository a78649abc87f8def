package workload

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
)

// maxLineBytes is the length of the longest line that is read or written, without its line end. It
// bounds the memory of a reader whatever it is given to read.
const maxLineBytes = 1 << 24

// bufferBytes holds some thousand lines of the usual length.
const bufferBytes = 1 << 16

// textLine is a line of a text without its line end, valid until the next line is read.
type textLine struct {
	number int // 1 is the first
	text   []byte
}

var tab = []byte{'\t'}

// fault is the error of a line that cannot be read: at a field, or of the line if field is "". A
// blank line, a comment and SWF are named in its place.
func (l textLine) fault(column int, field string, value []byte, reason string) error {
	if what := l.foreign(); what != "" {
		return &ParseError{Line: l.number, Column: 1, Reason: what}
	}
	return &ParseError{Line: l.number, Column: column, Field: field, Value: shown(value), Reason: reason}
}

// foreign names what a line is that cannot be read, "" if it looks like a job.
func (l textLine) foreign() string {
	fields := bytes.Fields(l.text)
	switch {
	case len(fields) == 0:
		return "line is blank"
	case l.number == 1 && l.isSWF():
		return "file looks like the Standard Workload Format (SWF), which ReadJobs reads"
	case fields[0][0] == ';' || fields[0][0] == '#' || bytes.HasPrefix(fields[0], []byte("//")):
		return "line is a comment, which the format does not have"
	}
	return ""
}

func notNumber(field []byte) bool {
	_, err := strconv.ParseFloat(string(field), 64)
	return err != nil
}

// count checks the number of fields.
func (l textLine) count(least, most int) error {
	switch n := bytes.Count(l.text, tab) + 1; {
	case n < least:
		reason := "line ends after field " + strconv.Itoa(n) + " of " + strconv.Itoa(least)
		if n == 1 {
			reason += ": tabs expected"
		}
		return l.fault(len(l.text)+1, "", nil, reason)
	case n > most:
		// The fields that may be there.
		first := bytes.Join(bytes.SplitN(l.text, tab, most+1)[:most], tab)
		return l.fault(len(first)+2, "", nil, "line has more than "+strconv.Itoa(most)+" fields")
	}
	return nil
}

// lineReader reads a text in UTF-8, plain or gzip, with or without a byte order mark.
type lineReader struct {
	src  source
	text *bufio.Reader
	err  error // of the first bytes
}

// newLineReader reads a text of at most so many bytes, unpacked.
func newLineReader(r io.Reader, most int64) *lineReader {
	l := &lineReader{src: source{r: r}}
	l.text, l.err = plain(&l.src, most)
	return l
}

// lines are the lines of the text. They end in LF or CRLF, the last one perhaps in neither. A line
// over maxLineBytes and the first of some empty lines before another line come as *ParseErrors and
// reading goes on; empty lines at the end are skipped. A stream that breaks comes as the last pair:
// see broken.
func (r *lineReader) lines() iter.Seq2[textLine, error] {
	return func(yield func(textLine, error) bool) {
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
				yield(textLine{}, r.src.broken(n, err))
				return
			}
			if len(line) == 0 {
				if empty == 0 {
					empty = n
				}
				continue
			}
			if empty > 0 && !yield(textLine{}, &ParseError{Line: empty, Column: 1, Reason: "line is empty"}) {
				return
			}
			empty = 0
			var fault error
			if len(line) > maxLineBytes {
				fault = &ParseError{Line: n, Column: maxLineBytes + 1, Reason: tooLong}
			}
			if !yield(textLine{n, line}, fault) {
				return
			}
		}
	}
}

// tooLong says what is wrong with a line over maxLineBytes.
var tooLong = "line is longer than " + strconv.Itoa(maxLineBytes) + " bytes"

// readLine appends the next line without its end to line, as much of it as tells that it is too
// long. At the end of the text it appends nothing and returns io.EOF.
func readLine(text *bufio.Reader, line []byte) ([]byte, error) {
	for {
		part, err := text.ReadSlice('\n')
		if len(line) <= maxLineBytes+len("\r\n") {
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

// source passes reads on and remembers how they failed: an error of the caller's reader is not a
// defect of the trace, even when it comes back through gzip.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
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
		return &ParseError{Line: 1, Column: 1, Reason: err.Error()}
	}
	if long := new(tooManyBytes); errors.As(err, &long) {
		return &ParseError{Line: n, Reason: long.Error()}
	}
	if s.err == nil && !errors.Is(err, io.ErrNoProgress) {
		return &ParseError{Line: n, Reason: "compressed stream is broken: " + err.Error(), Err: err}
	}
	return fmt.Errorf("workload: line %d: %w", n, cmp.Or(s.err, err))
}

// number reads a field that must be a decimal number from least to most and returns "" or what is
// wrong with it. Digits with an optional fraction and exponent are a number; a plus sign, blanks,
// underscores, hexadecimal, NaN and infinities are not, but for infinities within the range. The
// nearest float64 is taken, so a positive number below the smallest one reads as 0. "-0" is 0.
func number(field []byte, least, most float64) (x float64, reason string) {
	x, err := strconv.ParseFloat(string(field), 64)
	switch {
	case len(field) == 0:
		return 0, "is empty, want a number"
	case math.IsInf(x, 0) && err == nil && least <= x && x <= most:
		return x, ""
	case math.IsNaN(x) || math.IsInf(x, 0) && err == nil: // spelled so
		return 0, "is not finite"
	case errors.Is(err, strconv.ErrSyntax) || field[0] == '+' || bytes.ContainsAny(field, "xX_"):
		return 0, "is not a decimal number"
	case x == 0:
		return 0, "" // a negative zero too
	case x < least && least == 0:
		return 0, "is negative"
	case err != nil:
		return 0, "is larger than any float64"
	case !(least <= x && x <= most):
		return 0, "is not within [" + text(least) + ", " + text(most) + "]"
	}
	return x, ""
}

// appendNumber writes x so that number reads the same float64, without exponent below 1e21.
func appendNumber(b []byte, x float64) []byte {
	switch {
	case x == 0:
		return append(b, '0') // not "-0"
	case math.Abs(x) < 1e21:
		return strconv.AppendFloat(b, x, 'f', -1, 64)
	}
	return strconv.AppendFloat(b, x, 'e', -1, 64)
}
