package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"time"
)

// An answer counts the tokens of the backend's answer as it passes, an event of a stream at a time.
// An answer that is no stream is one event.
type answer struct {
	*request
	io.Closer
	stream bool
	events *bufio.Scanner
	out    []byte // of an event, that may pass
	whole  bool   // the backend's answer has ended as it should
	said   tokens
	pieces float64 // of text
	bytes  float64 // of those
}

const longestEvent = 64 << 20 // beyond it no usage is read

func newAnswer(x *request, body io.ReadCloser, stream bool) *answer {
	a := &answer{request: x, Closer: body, stream: stream, events: bufio.NewScanner(&timed{body, x})}
	a.events.Buffer(nil, longestEvent+1)
	a.events.Split(a.split)
	return a
}

// split finds the end of an event: a blank line, or the end of the answer. What is too long passes in parts.
func (a *answer) split(data []byte, atEOF bool) (int, []byte, error) {
	end := 0
	if atEOF || len(data) >= longestEvent {
		end = len(data)
	}
	if a.stream {
		for _, blank := range []string{"\n\n", "\n\r\n", "\r\r"} {
			if i := bytes.Index(data, []byte(blank)) + len(blank); i >= len(blank) && (end == 0 || i < end) {
				end = i
			}
		}
	}
	if end == 0 {
		return 0, nil, nil // more is to come
	}
	return end, data[:end], nil
}

func (a *answer) Read(b []byte) (int, error) {
	for len(a.out) == 0 {
		if !a.events.Scan() {
			a.whole = a.events.Err() == nil
			return 0, cmp.Or(a.events.Err(), io.EOF)
		}
		if !a.read(a.events.Bytes()) {
			a.out = a.events.Bytes()
		}
		a.gate.grow(a.request, a.gate.cost(a.took(false)))
	}
	n := copy(b, a.out)
	a.out = a.out[n:]
	_ = a.client.SetWriteDeadline(time.Now().Add(a.slow))
	return n, nil
}

// read reads an event, and reports whether the client has not asked for it.
func (a *answer) read(event []byte) (hide bool) {
	var e struct {
		Usage             *usage
		Response, Message struct{ Usage *usage }
		Choices           *[]struct{ Delta, Text any }
		Delta             any
	}
	data := event
	if a.stream {
		data = nil
		for line := range bytes.FieldsFuncSeq(event, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if text, is := bytes.CutPrefix(line, []byte("data:")); is {
				data = append(data, text...)
			}
		}
	}
	_ = json.Unmarshal(data, &e) // fields of other forms stay empty
	for _, u := range []*usage{e.Usage, e.Response.Usage, e.Message.Usage} {
		if u != nil {
			a.said.merge(u)
		}
	}
	if !a.stream {
		a.bytes += float64(len(event))
		return false
	}
	a.count(e.Delta)
	if e.Choices == nil {
		return false
	}
	for _, c := range *e.Choices {
		a.count([]any{c.Delta, c.Text})
	}
	return a.ask.hide && len(*e.Choices) == 0 && e.Usage != nil
}

// count counts a piece of text.
func (a *answer) count(piece any) {
	if n := text(piece); n > 0 {
		a.pieces++
		a.bytes += float64(n)
	}
}

// text returns the bytes of text in a piece of an answer, in whatever form.
func text(piece any) (n int) {
	switch v := piece.(type) {
	case string:
		n = len(v)
	case []any:
		for _, x := range v {
			n += text(x)
		}
	case map[string]any:
		for name, x := range v {
			if !slices.Contains([]string{"role", "type", "id", "signature"}, name) {
				n += text(x)
			}
		}
	}
	return n
}

// took is what the request took, to judge by what the backend has said and sent, of the whole answer
// or of a part of it.
func (a *answer) took(whole bool) tokens {
	t := a.said
	if t.prompt+t.cached == 0 {
		t.prompt = a.guess.prompt
	}
	told := whole && a.said != tokens{}
	if !a.ask.silent && (!told || a.stream && t.output == 0) {
		t.output = max(t.output, a.pieces, a.bytes/a.perToken)
	}
	if whole && !told {
		t.output = max(t.output, a.guess.output)
	}
	return t
}

// Close ends the service.
func (a *answer) Close() error {
	a.end(a.took(a.whole), a.whole && a.said != tokens{}, !a.whole && !a.stream && !a.ask.silent)
	return a.Closer.Close()
}
