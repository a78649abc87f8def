package workload

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

// jsonReader cuts a JSON text into the values of an object and of a list, one in memory at a time,
// and knows the lines at which they begin.
type jsonReader struct {
	text   *lineReader
	line   int // of the next byte, from 1
	passed int // bytes of that line
	begun  int // line and column at which the last value begins
	column int
	buffer []byte
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// fault is an error at the next byte.
func (r *jsonReader) fault(reason string) error {
	return &ParseError{Line: r.line, Column: r.passed + 1, Reason: reason}
}

// failed is an error of the text.
func (r *jsonReader) failed(err error) error {
	if err == io.EOF {
		return &ParseError{Line: r.line, Column: r.passed + 1, Reason: "text ends within the list", Err: io.ErrUnexpectedEOF}
	}
	return r.text.src.broken(r.line, err)
}

func (r *jsonReader) byte() (byte, error) {
	c, err := r.text.text.ReadByte()
	if err != nil {
		return 0, err
	}
	if r.passed++; c == '\n' {
		r.line, r.passed = r.line+1, 0
	}
	return c, nil
}

// peek is the next byte behind blanks; io.EOF if there is none.
func (r *jsonReader) peek() (byte, error) {
	for {
		head, err := r.text.text.Peek(1)
		switch {
		case err == io.EOF:
			return 0, err
		case err != nil:
			return 0, r.failed(err)
		case !isBlank(head[0]):
			return head[0], nil
		}
		r.byte()
	}
}

// take passes over a byte, and blanks before it.
func (r *jsonReader) take(want byte) error {
	c, err := r.peek()
	switch {
	case err == io.EOF:
		return r.failed(err)
	case err == nil && c != want:
		err = r.fault("has " + strconv.Quote(string(rune(c))) + ", want " + strconv.Quote(string(rune(want))))
	}
	if err == nil {
		r.byte()
	}
	return err
}

// open enters an object or a list, and says whether it has members.
func (r *jsonReader) open(begin, end byte) (more bool, err error) {
	if err = r.take(begin); err != nil {
		return false, err
	}
	if c, err := r.peek(); err != nil || c != end {
		if err == io.EOF {
			err = r.failed(err)
		}
		return err == nil, err
	}
	r.byte()
	return false, nil
}

// next passes over the comma before another member, or over the end.
func (r *jsonReader) next(end byte) (more bool, err error) {
	if c, err := r.peek(); err == nil && c == end {
		r.byte()
		return false, nil
	}
	err = r.take(',')
	return err == nil, err
}

// value reads the next value as it stands, until the next call.
func (r *jsonReader) value() ([]byte, error) {
	if _, err := r.peek(); err != nil {
		if err == io.EOF {
			err = r.failed(err)
		}
		return nil, err
	}
	r.begun, r.column, r.buffer = r.line, r.passed+1, r.buffer[:0]
	depth, quoted, escaped := 0, false, false
	for {
		c, err := r.byte()
		if err != nil {
			return nil, r.failed(err)
		}
		if r.buffer = append(r.buffer, c); len(r.buffer) > maxLineBytes {
			return nil, &ParseError{Line: r.begun, Column: r.column, Reason: "value is longer than " + strconv.Itoa(maxLineBytes) + " bytes"}
		}
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = c == '\\', c != '"'
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth > 0 || quoted {
			continue
		}
		if end := r.buffer[0]; end == '{' || end == '[' || end == '"' {
			return r.buffer, nil
		}
		// A number or a word ends before what cannot be of it.
		head, err := r.text.text.Peek(1)
		if err != nil {
			return nil, r.failed(err)
		}
		if isBlank(head[0]) || bytes.IndexByte([]byte(",]}:"), head[0]) >= 0 {
			return r.buffer, nil
		}
	}
}

// decode decodes the last value.
func (r *jsonReader) decode(value []byte, to any) error {
	err := json.Unmarshal(value, to)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &syntax):
		return r.within(value, syntax.Offset-1, "", "", "value is no JSON: "+syntax.Error())
	case errors.As(err, &kind):
		return r.within(value, kind.Offset-1, kind.Field, kind.Value, "is no "+kind.Type.String())
	}
	return r.within(value, 0, "", "", err.Error())
}

// within is an error at a byte of the last value.
func (r *jsonReader) within(value []byte, at int64, field, shown, reason string) error {
	before := value[:max(0, min(at, int64(len(value))))]
	line, column := r.begun, r.column+len(before)
	if n := bytes.Count(before, []byte("\n")); n > 0 {
		line, column = line+n, len(before)-bytes.LastIndexByte(before, '\n')
	}
	return &ParseError{Line: line, Column: column, Field: field, Value: shown, Reason: reason}
}
