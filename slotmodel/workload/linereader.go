package workload

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
)

// lineReader takes the lines of a text, plain or gzip, which is told by the first two bytes. The readers of both formats have one.
type lineReader struct {
	src  source
	text *bufio.Reader // uncompressed; nil before the first line
	line int           // of the line last taken from text
	long []byte        // a line that did not fit text's buffer; reused
	held []byte        // a line taken from text behind empty ones, not yet returned
	err  error         // what every further call returns: io.EOF or a broken stream
}

// source passes reads on and remembers how they failed: an error of the caller's reader is not a defect of the trace, even
// when it comes back through gzip.
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

// bufferBytes holds some thousand lines of the usual length.
const bufferBytes = 1 << 16

// missing reports whether there is nothing to read from.
func (l *lineReader) missing() bool { return l.src.r == nil }

// filled takes the next line that is not empty, which stays valid until the call after; an empty one before it is an error.
func (l *lineReader) filled() ([]byte, error) {
	line := l.held
	if l.held = nil; line != nil {
		return line, nil
	}
	line, err := l.next()
	if err != nil || len(line) > 0 {
		return line, err
	}
	for empty := l.line; ; {
		line, err := l.next()
		if err != nil {
			return nil, err
		}
		if len(line) > 0 {
			l.held = line
			return nil, &ParseError{Line: empty, Column: 1, Reason: "line is empty"}
		}
	}
}

// next takes the next line, without its end, which stays valid until the call after.
func (l *lineReader) next() ([]byte, error) {
	if l.err != nil {
		return nil, l.err
	}
	if l.text == nil {
		if err := l.open(); err != nil {
			return nil, l.broken(err)
		}
	}
	line, err := l.text.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		l.long = append(l.long[:0], line...)
		for err == bufio.ErrBufferFull {
			line, err = l.text.ReadSlice('\n')
			if len(l.long) <= MaxLineBytes+len("\r\n") { // beyond that it is too long whatever follows
				l.long = append(l.long, line...)
			}
		}
		line = l.long
	}
	if err != nil && err != io.EOF {
		return nil, l.broken(err)
	}
	if err == io.EOF && len(line) == 0 {
		l.err = io.EOF
		return nil, io.EOF
	}
	l.line++
	line = bytes.TrimSuffix(line, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) > MaxLineBytes {
		return nil, &ParseError{Line: l.line, Column: MaxLineBytes + 1, Reason: "line is longer than " + strconv.Itoa(MaxLineBytes) + " bytes"}
	}
	return line, nil
}

// open looks at the first two bytes, which no text field may hold, for gzip's mark.
func (l *lineReader) open() error {
	text := bufio.NewReaderSize(&l.src, bufferBytes)
	head, err := text.Peek(2)
	if err != nil && err != io.EOF {
		return err
	}
	if bytes.Equal(head, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(text)
		if err != nil {
			return err
		}
		text = bufio.NewReaderSize(unzipped, bufferBytes)
	}
	l.text = text
	return nil
}

// broken turns an error of the stream into the one that this and every further Read returns.
func (l *lineReader) broken(err error) error {
	if l.src.err != nil {
		l.err = fmt.Errorf("workload: line %d: %w", l.line+1, l.src.err)
	} else if errors.Is(err, io.ErrNoProgress) {
		l.err = fmt.Errorf("workload: line %d: %w", l.line+1, err)
	} else {
		if err == io.EOF { // a gzip header cut off
			err = io.ErrUnexpectedEOF
		}
		l.err = &ParseError{Line: l.line + 1, Reason: "compressed stream is broken: " + err.Error(), Err: err}
	}
	return l.err
}

// sequence returns what read has left until io.EOF or, as the last pair, an error after which over holds.
func sequence[T any](read func() (T, error), over func() bool) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			x, err := read()
			if err == io.EOF || !yield(x, err) || err != nil && over() {
				return
			}
		}
	}
}
