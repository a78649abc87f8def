package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// TestReadAsk: what is sent to the backend, and what is refused.
func TestReadAsk(t *testing.T) {
	chat, completions, other, messages := paths["POST "+chat], paths["POST /v1/completions"], paths["POST /v1/responses"], paths["POST /v1/messages"]
	for _, c := range []struct {
		path       path
		body, want string // want is the body that is sent, or empty
		hide       bool
	}{
		{chat, `{"stream":true}`, `{"stream":true,"stream_options":{"include_usage":true}}`, true},
		{chat, `{"stream":true,"stream_options":null}`, `{"stream":true,"stream_options":{"include_usage":true}}`, true},
		{chat, `{"stream":true,"stream_options":[7]}`, `{"stream":true,"stream_options":{"include_usage":true}}`, true},
		{chat, `{"stream":true,"stream_options":{"include_usage":null,"x":1}}`, `{"stream":true,"stream_options":{"include_usage":true,"x":1}}`, true},
		{chat, `{"stream":true,"stream_options":{"include_usage":false,"INCLUDE_U\u017fAGE":false}}`, `{"stream":true,"stream_options":{"include_usage":true}}`, true},
		{chat, `{"stream":true,"stream_options":{"include_usage":true}}`, `{"stream":true,"stream_options":{"include_usage":true}}`, false},
		{chat, `{"stream":false,"stream":true}`, `{"stream":true,"stream_options":{"include_usage":true}}`, true},
		{chat, `{"stream":true,"stream":false}`, `{"stream":false}`, false},
		{chat, `{"a": "<b>\u2028", "big": 12345678901234567890}`, `{"a":"<b>\u2028","big":12345678901234567890}`, false},
		{chat, `{"stream":null}`, `{"stream":null}`, false},
		{chat, `{"stream":true,"stream_options":false}`, `{"stream":true,"stream_options":{"include_usage":true}}`, true},
		{chat, `{"stream_options":{"include_usage":true},"stream":true,"stream_options":{"include_usage":false}}`, `{"stream":true,"stream_options":{"include_usage":true}}`, true},
		{chat, `{"\u0073tream":true,"model":"a","mod\u0065l":"b"}`, `{"model":"b","stream":true,"stream_options":{"include_usage":true}}`, true},
		{chat, `{"temperature":1e400}`, `{"temperature":1e400}`, false},
		{chat, "{\"a\":\"\xff\"}", "{\"a\":\"\xff\"}", false},
		{chat, "\ufeff{}", "", false},
		{chat, `{"temperature":NaN}`, "", false},
		{chat, `{"n":1e400}`, "", false},
		{chat, `{"max_tokens":-1e400}`, "", false},
		{chat, `{"a":` + strings.Repeat("[", 1<<14) + strings.Repeat("]", 1<<14) + `}`, "", false},
		{other, `{"stream":true}`, `{"stream":true}`, false},
		{other, `{"background":false}`, `{"background":false}`, false},
		{other, `{"background":true}`, "", false},
		{chat, `{"stream":1}`, "", false},
		{chat, `{"stream":"yes"}`, "", false},
		{chat, `{"STREAM":true}`, "", false},
		{chat, `{"\u017ftream":true}`, "", false},
		{chat, `{"N":8}`, "", false},
		{chat, `{"n":"8"}`, "", false},
		{chat, `{"Prompt":["a"]}`, "", false},
		{chat, `{"n":129}`, "", false},
		{chat, `{"n_cmpl":1e300}`, "", false},
		{chat, `{"max_tokens":[1]}`, "", false},
		{chat, `{"max_tokens":1e10}`, "", false},
		{chat, `{"best_of":1}`, `{"best_of":1}`, false},
		{chat, `{"n":1,"best_of":8}`, "", false},
		{chat, `{"priority":0}`, `{"priority":0}`, false},
		{chat, `{"priority":-1}`, "", false},
		{chat, `{"Priority":-1}`, "", false},
		{chat, `{"nvext":{"agent_hints":{"priority":9}}}`, "", false},
		{other, `{"conversation":null,"previous_response_id":null}`, `{"conversation":null,"previous_response_id":null}`, false},
		{other, `{"previous_response_id":"resp_1"}`, "", false},
		{other, `{"conversation":{"id":"conv_1"}}`, "", false},
		{other, `{"conversation":","}`, "", false},
		{chat, `[1]`, "", false},
		{chat, `null`, "", false},
		{chat, `{"a":1} {}`, "", false},
		{chat, ``, "", false},
	} {
		a, err := readAsk(c.path, []byte(c.body))
		if c.want == "" {
			if err == nil {
				t.Errorf("%s is taken, want an error", c.body)
			}
			continue
		}
		if err != nil || strings.TrimSpace(string(a.body)) != c.want || a.hide != c.hide {
			t.Errorf("%s is sent as %s, hide %t, %v, want %s, %t", c.body, a.body, a.hide, err, c.want, c.hide)
		}
	}
	for _, c := range []struct {
		path    path
		body    string
		n, most float64
	}{
		{chat, `{}`, 1, 0},
		{chat, `{"n":0,"max_tokens":null}`, 1, 0},
		{chat, `{"n":4,"max_tokens":5,"max_completion_tokens":7,"n_predict":9}`, 4, 9},
		{chat, `{"n":4,"n_cmpl":128}`, 128, 0},
		{chat, `{"max_tokens":5,"max_t\u006fkens":6}`, 1, 6},
		{chat, `{"max_tokens":5,"n_predict":-1}`, 1, 0}, // a limit that a server may not see is none
		{chat, `{"n_predict":1}`, 1, 0},
		{chat, `{"max_tokens":0,"n_predict":1}`, 1, 0}, // Ollama takes 0 for none
		{chat, `{"max_tokens":0.5,"max_completion_tokens":1}`, 1, 0},
		{chat, `{"max_output_tokens":1,"max_completion_tokens":1}`, 1, 0},
		{completions, `{"max_tokens":8}`, 1, 8},
		{completions, `{"max_completion_tokens":1}`, 1, 0},
		{messages, `{"max_tokens":8}`, 1, 8},
		{other, `{"max_output_tokens":1e3}`, 1, 1000},
		{other, `{"max_tokens":1}`, 1, 0},
	} {
		if a, err := readAsk(c.path, []byte(c.body)); err != nil || a.n != c.n || a.most != c.most {
			t.Errorf("%s: %+v, %v, want %v answers of %v tokens", c.body, a, err, c.n, c.most)
		}
	}
	for prompts, want := range map[string]float64{`"a"`: 2, `["a","b","c"]`: 6, `[[1,2],[3]]`: 4, `[1,2,3]`: 2, `[]`: 2} {
		if a, err := readAsk(chat, []byte(`{"n":2,"prompt":`+prompts+`}`)); err != nil || a.n != want {
			t.Errorf("prompts %s: %+v, %v, want %v answers", prompts, a, err, want)
		}
	}
}

// TestReadAskMemory: a body of many fields or prompts takes at most ten times its bytes in all its copies, which are
// seven, and nine where races are looked for.
func TestReadAskMemory(t *testing.T) {
	var fields strings.Builder
	for i := range 1 << 20 {
		fmt.Fprintf(&fields, `,"%x":0`, i)
	}
	prompts := `{"prompt":[` + strings.Repeat(`"",`, 1<<21) + `""]}`
	for what, c := range map[string]struct {
		body string
		n    float64 // answers; 0: it is refused
	}{"fields": {"{" + fields.String()[1:] + "}", 0}, "options": {`{"stream":true,"stream_options":{` + fields.String()[1:] + "}}", 0}, "prompts": {prompts, 1<<21 + 1}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a, err := readAsk(path{choices: true}, []byte(c.body))
		runtime.ReadMemStats(&after)
		if (err == nil) != (c.n > 0) || c.n > 0 && a.n != c.n {
			t.Errorf("%s: %v, want %v answers, or an error for 0", what, err, c.n)
		}
		if all := after.TotalAlloc - before.TotalAlloc; all > 10*uint64(len(c.body)) {
			t.Errorf("%s: %d bytes are allocated for a body of %d", what, all, len(c.body))
		}
	}
}

// TestForms: the usage of each form, streamed and not, costs what the backend's account says, and an
// event that the client has not asked for is taken out.
func TestForms(t *testing.T) {
	for pattern, p := range paths {
		name := strings.TrimPrefix(pattern, "POST ")
		for _, stream := range []bool{true, false} {
			for _, options := range []any{nil, map[string]bool{"include_usage": true}} {
				choices := p.choices && stream
				if p.free || options != nil && !choices || stream && p.silent {
					continue
				}
				o := order{User: "honest", Prompt: 100, Cached: 40, Tokens: 7, N: 2, Stream: stream, Options: options}
				if p.silent {
					o.Tokens = 0
				}
				if name == "/v1/messages/count_tokens" {
					o.Cached = 0
				}
				b := newBench(t, twoTenants, 1, 100, func(f *front) { f.prices = tokens{1, .5, 4} })
				a, text, err := b.send(t.Context(), name, o, nil)
				if err != nil || a.StatusCode != 200 {
					t.Fatalf("%s: %v, %v", name, a, err)
				}
				within(t, "it has ended", b.idle)
				if got, want := b.totals["honest"], b.fake.cost["honest"]; got != want {
					t.Errorf("%s, stream %t: charged %v, want %v", name, stream, got, want)
				}
				if seen := strings.Contains(text, `"choices":[],`); seen != (choices && options != nil) {
					t.Errorf("%s, stream %t, options %v: the last event is there: %t, in\n%s", name, stream, options, seen, text)
				}
				if strings.Contains(text, "\n\n\n") || choices && !strings.HasSuffix(text, "data: [DONE]\n\n") {
					t.Errorf("%s: the events are not whole:\n%s", name, text)
				}
			}
		}
	}
}

// answered returns what a gateway charges for an answer of the backend, of a request of 400 bytes
// with a guess of 20 tokens, and what passes.
func answered(t *testing.T, kind, body string, hide bool, end error) (cost float64, passed string) {
	t.Helper()
	return answeredBy(t, kind, io.MultiReader(strings.NewReader(body), failing{end}), hide)
}

func answeredBy(t *testing.T, kind string, body io.Reader, hide bool) (cost float64, passed string) {
	t.Helper()
	b := newBench(t, twoTenants, 1, 100, nil)
	x := b.begin(t, &ask{body: make([]byte, 400), n: 1, most: 20, stream: kind != "", hide: hide})
	a := &answer{ReadCloser: io.NopCloser(body), request: x, stream: kind != "", left: time.Hour, offered: time.Now()}
	text, _ := io.ReadAll(a)
	a.Close()
	if !b.idle() {
		t.Error("the service has not ended")
	}
	return b.totals["honest"], string(text)
}

// begin begins a request of honest, without a client and a backend.
func (b *bench) begin(t *testing.T, a *ask) *request {
	t.Helper()
	x := &request{front: b.front, name: "honest", turn: make(chan struct{}), ask: a, client: http.NewResponseController(nothing{})}
	x.ctx, x.cancel = context.WithCancelCause(t.Context())
	x.timer = time.AfterFunc(time.Hour, func() {})
	x.sent.Store(true)
	if err := errors.Join(b.admit(x, 0), b.wait(x)); err != nil || x.service == 0 {
		t.Fatalf("service %v, %v", x.service, err)
	}
	return x
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

type nothing struct{ http.ResponseWriter }

// response is the end of a stream of /v1/responses.
func response(status, why, usage string) string {
	return fmt.Sprintf("event: response.%s\ndata: {\"type\":\"response.%[1]s\",\"response\":{\"status\":\"%[1]s\",\"incomplete_details\":{\"reason\":%s},\"usage\":%s}}\n\n", status, why, usage)
}

// TestAnswers: answers that are odd, broken off or silent.
func TestAnswers(t *testing.T) {
	delta := "data: {\"choices\":[{\"delta\":{\"content\":\"abcd\"}}]}\n\n"
	usage := "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":2}}\n\n"
	text50 := "data: {\"choices\":[{\"text\":\"" + strings.Repeat("abcd", 50) + "\"}]}\n\n"
	done := "data: [DONE]\n\n"
	crlf, cr := strings.NewReplacer("\n", "\r\n"), strings.NewReplacer("\n", "\r")
	for _, c := range []struct {
		what, kind, body string
		hide             bool
		end              error
		cost             float64
		passed           string
	}{
		{"a whole stream", "events", delta + usage, true, io.EOF, 12, delta},
		{"usage beside choices, as llama.cpp had it", "events", "data: {\"choices\":[{\"delta\":{}}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":2}}\n\n", true, io.EOF, 12, "data: {\"choices\":[{\"delta\":{}}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":2}}\n\n"},
		{"no choices and no usage", "events", "data: {\"choices\":[],\"usage\":null}\n\n", true, io.EOF, 120, "data: {\"choices\":[],\"usage\":null}\n\n"},
		{"a stream without usage costs the guess", "events", delta, true, io.EOF, 120, delta},
		{"or what came, if that is more", "events", strings.Repeat(delta, 30), true, io.EOF, 130, strings.Repeat(delta, 30)},
		{"in few events too", "events", "data: {\"choices\":[{\"text\":\"" + strings.Repeat("abcd", 50) + "\"}]}\r\n\r\n", true, io.EOF, 150, "data: {\"choices\":[{\"text\":\"" + strings.Repeat("abcd", 50) + "\"}]}\r\n\r\n"},
		{"thinking and tools count", "events", "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"reasoning\":\"" + strings.Repeat("abcd", 50) + "\",\"tool_calls\":[{\"function\":{\"arguments\":\"" + strings.Repeat("abcd", 50) + "\"}}]}}]}\n", true, io.EOF, 200, ""},
		{"broken off: prompt and what came", "events", delta + delta, true, io.ErrUnexpectedEOF, 102, delta + delta},
		{"in mid-event", "events", delta + "data: {\"choi", true, io.ErrUnexpectedEOF, 101, delta + "data: {\"choi"},
		{"an error in the stream", "events", "data: {\"error\":{\"message\":\"x\"}}\n\n", true, io.EOF, 120, "data: {\"error\":{\"message\":\"x\"}}\n\n"},
		{"a client that leaves at the last event", "events", text50 + usage + done, true, io.ErrUnexpectedEOF, 12, text50 + done},
		{"at that of a response", "events", text50 + response("completed", "null", `{"input_tokens":8,"output_tokens":3}`), true, io.ErrUnexpectedEOF, 11, ""},
		{"at that of a message", "events", text50 + "data: {\"type\":\"message_delta\",\"usage\":{\"input_tokens\":8,\"output_tokens\":3}}\n\ndata: {\"type\":\"message_stop\"}\n\n", true, io.ErrUnexpectedEOF, 11, ""},
		{"before it", "events", text50 + usage, true, io.ErrUnexpectedEOF, 60, text50},
		{"text that is said again at its end counts once", "events", "data: {\"delta\":\"abcdefgh\"}\n\ndata: {\"text\":\"abcdefgh\"}\n\n", true, io.ErrUnexpectedEOF, 102, ""},
		{"lines that end by CR and LF", "events", crlf.Replace(delta + usage + done), true, io.EOF, 12, crlf.Replace(delta + done)},
		{"lines that end by CR", "events", cr.Replace(delta + usage + done), true, io.EOF, 12, cr.Replace(delta + done)},
		{"no blank after data:", "events", strings.ReplaceAll(delta+usage+done, "data: ", "data:"), true, io.EOF, 12, strings.ReplaceAll(delta+done, "data: ", "data:")},
		{"an event of several lines", "events", delta + "event: x\nid: 7\ndata: {\"choices\":[],\ndata: \"usage\":{\"prompt_tokens\":10,\ndata:\"completion_tokens\":2}}\n\n" + done, true, io.EOF, 12, delta + done},
		{"comments and blank lines", "events", ": ping\n\n\n\n" + delta + ": ping\n" + usage + done, true, io.EOF, 12, ": ping\n\n\n\n" + delta + done},
		{"no blank line at the end", "events", delta + strings.TrimSpace(usage), true, io.EOF, 12, delta},
		{"messages: the prompt first", "events", "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":9,\"cache_creation_input_tokens\":3,\"output_tokens\":1}}}\n\ndata: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":5}}\n\n", false, io.EOF, 17, ""},
		{"a response that is incomplete says its usage", "events", response("incomplete", `"max_output_tokens"`, `{"input_tokens":50,"input_tokens_details":{"cached_tokens":20},"output_tokens":7}`), false, io.EOF, 57, ""},
		{"and one that has failed", "events", response("failed", `"server_error"`, `{"input_tokens":50,"output_tokens":9}`), false, io.EOF, 59, ""},
		{"one that has failed without usage costs the guess", "events", response("failed", `"server_error"`, "null"), false, io.EOF, 120, ""},
		{"broken off after the prompt's usage", "events", "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":9}}}\n\n", false, io.ErrUnexpectedEOF, 9, ""},
		{"an answer without usage", "", `{"x":1}`, false, io.EOF, 120, `{"x":1}`},
		{"of many bytes", "", strings.Repeat("x", 800), false, io.EOF, 300, strings.Repeat("x", 800)},
		{"a usage that the model writes", "", `{"choices":[{"message":{"content":"\"usage\":{\"prompt_tokens\":1}"}}],"tools":[{"usage":{"prompt_tokens":1}}],"usage":{"prompt_tokens":50,"completion_tokens":3}}`, false, io.EOF, 53, ""},
		{"a usage below 0 and beyond all", "", `{"usage":{"prompt_tokens":-5,"completion_tokens":1e300}}`, false, io.EOF, 1e9 + 100, ""},
		{"nothing at all", "", "", false, io.EOF, 120, ""},
		{"a usage of texts", "", `{"usage":{"prompt_tokens":"NaN","completion_tokens":"Inf"}}`, false, io.EOF, 120, ""},
		{"beyond all numbers", "", `{"usage":{"prompt_tokens":-1e999,"completion_tokens":1e999}}`, false, io.EOF, 1e9 + 100, ""},
		{"usage twice", "events", delta + strings.ReplaceAll(usage, "2", "5") + usage + done, true, io.EOF, 15, delta + done},
		{"messages: the last usage is missing", "events", "data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}}\n\n" + strings.Repeat("data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":\"abcd\"}}\n\n", 10), false, io.EOF, 19, ""},
		{"a mark of the byte order", "events", "\ufeff" + delta + usage + done, true, io.EOF, 12, "\ufeff" + delta + done},
	} {
		cost, passed := answered(t, c.kind, c.body, c.hide, c.end)
		if cost != c.cost || c.passed != "" && passed != c.passed {
			t.Errorf("%s: costs %v and passes as %q, want %v and %q", c.what, cost, passed, c.cost, c.passed)
		}
	}
	whole := delta + usage + done
	for _, by := range []*strings.Replacer{crlf, cr, strings.NewReplacer()} {
		cost, passed := answeredBy(t, "events", iotest.OneByteReader(strings.NewReader(by.Replace(whole))), true)
		if want := by.Replace(delta + done); cost != 12 || passed != want {
			t.Errorf("a stream that comes byte by byte costs %v and passes as %q, want 12 and %q", cost, passed, want)
		}
	}
	long := "data: {\"type\":\"response.completed\",\"response\":{\"output\":\"" + strings.Repeat("x", 3<<20) + "\",\"usage\":{\"input_tokens\":40,\"output_tokens\":2}}}\n\n"
	if cost, passed := answered(t, "events", long, false, io.EOF); cost != 42 || passed != long {
		t.Errorf("an event of 3 MB costs %v, want 42, and %d bytes of %d pass", cost, len(passed), len(long))
	}
}

// TestLongest: an answer and an event that are too long to be read pass as they are, and cost their bytes
// or the guess.
func TestLongest(t *testing.T) {
	if testing.Short() {
		t.Skip("two long answers")
	}
	long := `{"usage":{"prompt_tokens":1},"x":"` + strings.Repeat("x", longestEvent+1) + `"}`
	if cost, passed := answered(t, "", long, false, io.EOF); passed != long || cost != 100+float64(len(long))/4 {
		t.Errorf("an answer costs %v, and %d bytes of %d pass", cost, len(passed), len(long))
	}
	long = "data: " + long + "\n\ndata: {\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":6}}\n\n"
	if cost, passed := answered(t, "events", long, false, io.EOF); passed != long || cost != 11 {
		t.Errorf("a stream costs %v, and %d bytes of %d pass, want 11", cost, len(passed), len(long))
	}
}

// TestUnseen: an answer that comes at its end alone, broken off, costs what a stream would have
// written in that time, at most what it asked for. Nobody makes that cheap by answers that take long, or
// by asking for more answers than the server gives.
func TestUnseen(t *testing.T) {
	for _, c := range []struct{ most, slow, n, want float64 }{{0, 0, 1, 100 + 2*50}, {20, 0, 1, 100 + 2*20}, {0, 50, 1, 100 + 50}, {0, 50, 128, 100 + 50}} {
		b := newBench(t, twoTenants, 1, 100, nil)
		answer := func(n, took float64) {
			x := b.begin(t, &ask{n: n, most: 1})
			x.begun = x.begun.Add(-10 * time.Second)
			x.end(tokens{output: took}, true, 0)
		}
		answer(1, 50)
		for range int(c.slow) {
			answer(c.n, 1)
		}
		before := b.totals["honest"]
		x := b.begin(t, &ask{body: make([]byte, 400), n: 2, most: c.most})
		x.begun = x.begun.Add(-10 * time.Second)
		x.broken(context.Canceled)
		if got := b.totals["honest"] - before; got < .99*c.want || got > 2*c.want {
			t.Errorf("at most %v, after %v slow ones of %v answers: charged %v, want %v", c.most, c.slow, c.n, got, c.want)
		}
	}
}

// TestPadding: a body that is long for its prompt does not make later ones cheap that are broken off.
func TestPadding(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, nil)
	for range 50 {
		b.begin(t, &ask{body: make([]byte, 1000), n: 1}).end(tokens{prompt: 10, output: 1}, true, 0)
	}
	before, prompt := b.totals["honest"], 5000.
	b.begin(t, &ask{body: make([]byte, 4*int(prompt)), n: 1, stream: true}).broken(context.Canceled)
	if got := b.totals["honest"] - before; got < prompt {
		t.Errorf("a prompt of %v tokens costs %v", prompt, got)
	}
}

// FuzzAnswer: whatever a backend sends passes as it is, and costs its prompt at least.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte("data: {\"choices\":[]}\n\n"))
	f.Add([]byte(": a\r\n\r\ndata:b\ndata: c\n\r\nd\r\r\n\n\r"))
	f.Fuzz(func(t *testing.T, body []byte) {
		cost, passed := answered(t, "events", string(body), false, io.EOF)
		if passed != string(body) || !(cost >= 100) {
			t.Errorf("%q passes as %q, and costs %v", body, passed, cost)
		}
	})
}

// TestErrorsForm: a refusal is an error of the form of the API.
func TestErrorsForm(t *testing.T) {
	b := newBench(t, twoTenants, 1, 100, nil)
	a, text, err := b.send(t.Context(), "/v1/chat/completions", order{User: "nobody"}, nil)
	var e struct {
		Error struct{ Message, Type string }
	}
	if err != nil || a.StatusCode != 401 || json.Unmarshal([]byte(text), &e) != nil || e.Error.Message == "" {
		t.Errorf("%v, %v, %s, want 401 with an error", a, err, text)
	}
}
