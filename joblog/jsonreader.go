package joblog

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

// jsonReader decodes a JSON text token by token and value by value, one in memory at a time, and
// knows the lines at which they stand.
type jsonReader struct {
	*json.Decoder
	text  *Text
	limit recordLimit // of what is read for a value
	err   error       // of the text

	line  int    // of the last place asked for, from 1
	begin int64  // of that line
	at    int64  // that place
	ahead []byte // the text from there on, as far as it has been read
}

func newJSONReader(text *Text) *jsonReader {
	r := &jsonReader{text: text, line: 1}
	r.limit.r, r.limit.most = r, MaxLine
	r.Decoder = json.NewDecoder(&r.limit)
	return r
}

// Read reads the text and keeps it for its lines.
func (r *jsonReader) Read(p []byte) (int, error) {
	n, err := r.text.text.Read(p)
	r.ahead = append(r.ahead, p[:n]...)
	if err != io.EOF {
		r.err = err
	}
	return n, err
}

// place is the line and the column of a byte of the text, which lies at or behind those asked for
// before; it forgets the text before.
func (r *jsonReader) place(at int64) (line, column int) {
	at = max(at, r.at)
	passed := r.ahead[:at-r.at]
	r.line += bytes.Count(passed, []byte{'\n'})
	if last := bytes.LastIndexByte(passed, '\n'); last >= 0 {
		r.begin = r.at + int64(last) + 1
	}
	r.at, r.ahead = at, r.ahead[len(passed):]
	return r.line, int(at-r.begin) + 1
}

// fault is the error of the file at a byte of the text.
func (r *jsonReader) fault(at int64, reason string) error {
	line, column := r.place(at)
	return &ParseError{Line: line, Column: column, Reason: reason, whole: true}
}

// token reads the next token.
func (r *jsonReader) token() (json.Token, error) {
	t, err := r.Token()
	if err != nil {
		return nil, r.failed(err)
	}
	return t, nil
}

// value reads the next value, and says where it begins.
func (r *jsonReader) value() (value json.RawMessage, at int64, err error) {
	err = r.Decode(&value)
	if r.limit.taken = 0; err != nil {
		return nil, 0, r.failed(err)
	}
	at = r.InputOffset() - int64(len(value))
	r.place(at) // forgets the lines before it
	if len(value) > MaxLine {
		err = r.fault(at, longValue)
	}
	return value, at, err
}

var longValue = "value is longer than " + strconv.Itoa(MaxLine) + " bytes"

// failed is the error of a token or a value that could not be read.
func (r *jsonReader) failed(err error) error {
	at := r.InputOffset()
	rest, _ := io.ReadAll(r.Buffered()) // behind at
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		// The offset within a value is one among values.
		if syntax.Offset != at && errors.As(json.Unmarshal(rest, new(json.RawMessage)), &syntax) {
			at += syntax.Offset - 1
		}
		return r.fault(at, "text is no JSON: "+syntax.Error())
	case err == errTooLong:
		blanks := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n"))
		return r.fault(at+int64(blanks), longValue)
	case r.err == nil:
		line, column := r.place(r.at + int64(len(r.ahead)))
		return &ParseError{Line: line, Column: column, Reason: "text ends within the list", Err: io.ErrUnexpectedEOF, whole: true}
	}
	line, _ := r.place(at)
	return r.text.src.broken(line, r.err)
}

// decode decodes a value that begins at a byte of the text.
func (r *jsonReader) decode(value json.RawMessage, at int64, to any) error {
	err := json.Unmarshal(value, to)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		line, column := r.place(at + kind.Offset - 1)
		return &ParseError{Line: line, Column: column, Field: kind.Field, Value: shown([]byte(kind.Value)), Reason: "is no " + kind.Type.Kind().String()}
	}
	if err != nil {
		return r.fault(at, err.Error())
	}
	return nil
}
