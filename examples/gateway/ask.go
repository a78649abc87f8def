package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// A path is what the gateway knows of one of the backend's.
type path struct {
	free    bool   // it costs nothing, and does not wait
	limit   string // the field that every server takes for the most tokens of an answer
	choices bool   // a stream says its usage if it is asked to
	silent  bool   // answers are no text
}

var paths = map[string]path{
	"GET /v1/models":                 {free: true},
	"GET /v1/models/{id...}":         {free: true},
	"POST /v1/chat/completions":      {limit: "max_tokens", choices: true},
	"POST /v1/completions":           {limit: "max_tokens", choices: true},
	"POST /v1/responses":             {limit: "max_output_tokens"},
	"POST /v1/messages":              {limit: "max_tokens"},
	"POST /v1/messages/count_tokens": {silent: true},
	"POST /v1/embeddings":            {silent: true},
}

// An ask is what a request asks for.
type ask struct {
	path
	body    []byte  // for the backend
	n, most float64 // answers, and tokens of each; most is 0 if a server may not see a limit
	stream  bool
	hide    bool // the client has not asked for the usage that a stream says
}

// unseen is the most tokens that an answer may have had, unless all that is written is seen.
func (a *ask) unseen(seen bool) float64 {
	if seen || a.silent {
		return 0
	}
	return a.n * cmp.Or(a.most, mostTokens)
}

// A rule is what a field of a body may say beside null: certain words, a number, or anything.
type rule struct {
	words []string // nil: any
	most  float64  // of a number; 0: it is none
}

const mostAnswers, mostTokens, mostFields = 128, 1e9, 256

// Some servers take "yes", 1 and "8" for true and 8. The gateway sees no answer in the background, no
// prompt that the backend keeps and no answer beside the best; and nobody chooses its turn.
var rules = map[string]rule{
	"stream": {words: []string{"true", "false"}}, "background": {words: []string{"false"}},
	"best_of": {words: []string{"1"}}, "priority": {words: []string{"0"}},
	"previous_response_id": {words: []string{}}, "conversation": {words: []string{}}, "nvext": {words: []string{}},
	"n": {most: mostAnswers}, "n_cmpl": {most: mostAnswers},
	"max_tokens": {most: mostTokens}, "max_completion_tokens": {most: mostTokens}, "max_output_tokens": {most: mostTokens}, "n_predict": {most: mostTokens},
	"stream_options": {}, "prompt": {},
}

// readAsk reads a body and writes it anew, so that every server reads it alike, and streams say their
// usage. The body of what is free is dropped.
func readAsk(p path, body []byte) (*ask, error) {
	if p.free {
		return new(ask), nil
	}
	n := 0
	gjson.ParseBytes(body).ForEach(func(_, _ gjson.Result) bool { n++; return n <= mostFields })
	var fields map[string]json.RawMessage
	if n > mostFields || json.Unmarshal(body, &fields) != nil || fields == nil {
		return nil, fmt.Errorf("the body is no JSON object of at most %d fields", mostFields)
	}
	a := &ask{path: p, n: 1, stream: string(fields["stream"]) == "true"}
	limited, endless := false, false
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		rule, known := rules[name]
		for want := range rules {
			if !known && strings.EqualFold(name, want) { // servers in Go take it for that
				return nil, fmt.Errorf("field %q: want %s", name, want)
			}
		}
		x, text := 0., string(fields[name])
		switch {
		case text == "null":
		case rule.words != nil && !slices.Contains(rule.words, text):
			return nil, fmt.Errorf("%s is %.9s, want %s", name, text, strings.Join(append([]string{"null"}, rule.words...), " or "))
		case rule.most > 0 && (json.Unmarshal(fields[name], &x) != nil || x > rule.most):
			return nil, fmt.Errorf("%s is %.9s, want a number up to %v", name, text, rule.most)
		case rule.most == mostAnswers:
			a.n = max(a.n, x)
		case rule.most == mostTokens && x < 1: // Ollama takes 0 for no limit
			endless = true
		default:
			a.most = max(a.most, x)
			limited = limited || name == p.limit
		}
	}
	if endless || !limited {
		a.most = 0
	}
	prompts := gjson.ParseBytes(fields["prompt"])
	if first := prompts.Get("0"); prompts.IsArray() && (first.Type == gjson.String || first.IsArray()) {
		a.n *= prompts.Get("#").Float() // each has its own answers
	}
	var err error
	if a.stream && p.choices {
		given, options := fields["stream_options"], map[string]json.RawMessage{}
		if len(given) > 1<<10 {
			return nil, errors.New("stream_options is longer than 1 KB")
		}
		if given != nil && json.Unmarshal(given, &options) != nil || options == nil {
			options = map[string]json.RawMessage{}
		}
		a.hide = string(options["include_usage"]) != "true"
		maps.DeleteFunc(options, func(name string, _ json.RawMessage) bool { return strings.EqualFold(name, "include_usage") })
		options["include_usage"] = json.RawMessage("true")
		fields["stream_options"], err = json.Marshal(options)
	}
	var to bytes.Buffer
	e := json.NewEncoder(&to)
	e.SetEscapeHTML(false)
	err = errors.Join(err, e.Encode(fields))
	a.body = to.Bytes()
	return a, err
}
