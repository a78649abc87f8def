package main

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
)

// An answer counts the tokens of the backend's answer as it passes.
type answer struct {
	io.ReadCloser
	*request
	events bool         // it is a stream
	line   []byte       // of a stream, or all of an answer that is none
	blank  bool         // the next line ends an event that is hidden
	out    bytes.Buffer // lines of a stream that may pass
	err    error        // at which the backend's answer ended
	said   tokens
	pieces float64 // of text
	bytes  float64 // of those
}

const longestLine = 64 << 20 // beyond it no usage is read

func (a *answer) Read(b []byte) (n int, err error) {
	for a.out.Len() == 0 {
		if a.err != nil {
			return 0, a.err
		}
		n, a.err = a.receive(a.ReadCloser, b)
		if !a.events {
			a.bytes += float64(n)
			a.keep(b[:n])
			return n, a.err
		}
		for piece := range bytes.Lines(b[:n]) {
			if a.keep(piece); piece[len(piece)-1] == '\n' {
				a.event()
			}
		}
		if a.err != nil {
			a.event()
		}
		a.gate.grow(a.request, a.gate.cost(a.took(false)))
	}
	return a.out.Read(b)
}

// keep adds to the line that is read. One that is too long passes in parts.
func (a *answer) keep(piece []byte) {
	if len(a.line)+len(piece) > longestLine {
		if a.events {
			a.out.Write(a.line)
		}
		a.line = a.line[:0]
	}
	a.line = append(a.line, piece...)
}

// event reads a line of a stream, which passes unless the client has not asked for it, or an answer.
func (a *answer) event() {
	var e struct {
		Usage             *usage
		Response, Message struct{ Usage *usage }
		Choices           *[]struct{ Delta, Text any }
		Delta             any
	}
	data, is := bytes.CutPrefix(a.line, []byte("data:"))
	if is || !a.events {
		_ = json.Unmarshal(data, &e) // fields of other forms stay empty
	}
	for _, u := range []*usage{e.Usage, e.Response.Usage, e.Message.Usage} {
		if u != nil {
			a.said.merge(u)
		}
	}
	hide := a.blank && len(bytes.TrimSpace(a.line)) == 0
	if a.blank = false; e.Choices != nil {
		a.blank = a.ask.hide && len(*e.Choices) == 0 && e.Usage != nil
		for _, c := range *e.Choices {
			a.count(text(c.Delta) + text(c.Text))
		}
	}
	a.count(text(e.Delta))
	if a.events && !hide && !a.blank {
		a.out.Write(a.line)
	}
	a.line = a.line[:0]
}

func (a *answer) count(bytes int) {
	if a.events && bytes > 0 {
		a.pieces++
		a.bytes += float64(bytes)
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
	if !a.ask.silent && (!told || a.events && t.output == 0) {
		t.output = max(t.output, a.pieces, a.bytes/a.perToken)
	}
	if whole && !told {
		t.output = max(t.output, a.guess.output)
	}
	return t
}

// Close ends the service.
func (a *answer) Close() error {
	whole := a.err == io.EOF
	if !a.events {
		a.event()
	}
	a.end(a.took(whole), whole && a.said != tokens{}, !whole && !a.events && !a.ask.silent)
	return a.ReadCloser.Close()
}
