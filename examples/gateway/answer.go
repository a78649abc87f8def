package main

import (
	"bytes"
	"io"
	"slices"
	"time"

	"github.com/tidwall/gjson"
)

// An answer counts the tokens of the backend's answer as it passes, an event of a stream at a time.
// An answer that is no stream is one event.
type answer struct {
	io.ReadCloser
	*request
	stream  bool
	left    time.Duration // that the client may still take for what it gets
	offered time.Time     // when it was last to take something
	err     error         // at which the backend's answer ended
	began   bool          // something has come
	done    bool          // its last event has come, at which many clients leave
	data    []byte        // that has come, of events that have not ended
	seen    int           // bytes of data without a blank line
	out     bytes.Buffer  // events that may pass
	said    tokens
	pieces  float64 // of text
	bytes   float64 // of those
}

const longestEvent = 16 << 20 // beyond it no usage is read

// Read returns what may pass. While the backend is silent its time runs, afterwards the client's.
func (a *answer) Read(b []byte) (n int, err error) {
	a.left -= time.Since(a.offered)
	_ = a.client.SetWriteDeadline(time.Time{}) // which ends a stream of HTTP/2 while nothing is written, too
	for a.out.Len() == 0 && a.err == nil {
		if a.began {
			a.timer.Reset(a.between)
		}
		n, a.err = a.ReadCloser.Read(b)
		if n > 0 && !a.began {
			a.began = true
			a.firsts.WithLabelValues(a.leaf.label).Observe(time.Since(a.arrived).Seconds())
		}
		a.data = append(a.data, b[:n]...)
		for event := a.cut(); len(event) > 0; event = a.cut() {
			if !a.read(event) {
				a.out.Write(event)
			}
		}
		if a.stream { // else the end tells at once
			a.grow(a.request, a.cost(a.took(false)))
		}
	}
	a.timer.Stop()
	a.offered = time.Now()
	_ = a.client.SetWriteDeadline(a.offered.Add(a.left))
	if a.out.Len() == 0 {
		return 0, a.err
	}
	return a.out.Read(b)
}

// cut takes an event from what has come: up to a blank line, or all at the end of the answer. What is
// too long passes in parts.
func (a *answer) cut() (event []byte) {
	end, from, to := 0, max(0, a.seen-len("\n\r\n")), len(a.data)
	if a.err != nil || len(a.data) >= longestEvent {
		end = to
	}
	if a.stream {
		for _, blank := range []string{"\n\n", "\n\r\n", "\r\r"} { // the first in the data
			if i := bytes.Index(a.data[from:to], []byte(blank)); i >= 0 {
				to = from + i + len(blank)
				end = to
			}
		}
	}
	event, a.data = a.data[:end:end], a.data[end:]
	if a.seen = 0; end == 0 {
		a.seen = len(a.data)
	}
	return event
}

// read reads an event, and reports whether the client has not asked for it.
func (a *answer) read(event []byte) (hide bool) {
	data := event
	if a.stream {
		data = nil
		for line := range bytes.FieldsFuncSeq(event, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if text, is := bytes.CutPrefix(line, []byte("data:")); is {
				data = append(data, text...)
			}
		}
	}
	e := gjson.ParseBytes(data)
	last := []string{"response.completed", "response.incomplete", "response.failed", "message_stop"}
	a.done = a.done || string(bytes.TrimSpace(data)) == "[DONE]" || slices.Contains(last, e.Get("type").Str)
	if !gjson.ValidBytes(data) { // a part of an answer that is too long
		e = gjson.Result{}
	}
	for _, at := range []string{"usage", "response.usage", "message.usage", "@this"} {
		a.said.merge(e.Get(at))
	}
	if e.Get("type").Str == "message_start" {
		a.said.output = 0 // of the first token
	}
	if !a.stream {
		a.bytes += float64(len(event))
		return false
	}
	for _, at := range []string{"delta", "choices.#.delta", "choices.#.text"} {
		for _, piece := range e.Get(at).Array() {
			if n := text(piece); n > 0 {
				a.pieces++
				a.bytes += float64(n)
			}
		}
	}
	choices := e.Get("choices")
	return a.ask.hide && choices.IsArray() && len(choices.Array()) == 0 && e.Get("usage").IsObject()
}

// text returns the bytes of text in a piece of an answer, in whatever form.
func text(piece gjson.Result) (n int) {
	if piece.Type == gjson.String {
		return len(piece.Str)
	}
	if piece.IsObject() || piece.IsArray() {
		piece.ForEach(func(name, x gjson.Result) bool {
			if !slices.Contains([]string{"role", "type", "id", "signature"}, name.Str) {
				n += text(x)
			}
			return true
		})
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
	whole := a.err == io.EOF || a.done
	a.end(a.took(whole), whole && a.said != tokens{}, a.ask.unseen(whole || a.stream))
	return a.ReadCloser.Close()
}
