package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A path is what the gateway knows of one of the backend's.
type path struct {
	choices bool // a stream says its usage if it is asked to
	silent  bool // answers are no text
}

var paths = map[string]path{
	"/v1/chat/completions": {choices: true}, "/v1/completions": {choices: true}, "/v1/responses": {}, "/v1/messages": {}, "/v1/embeddings": {silent: true},
}

// An ask is what a request asks for.
type ask struct {
	path
	body    []byte  // for the backend
	n, most float64 // answers, and tokens of each; most is 0 if it is not said
	stream  bool
	hide    bool // the client has not asked for the usage that a stream says
}

// What the gateway reads of a body: flags, numbers of answers, limits, an object, prompts.
var known = []string{"stream", "background", "n", "best_of", "max_tokens", "max_completion_tokens", "max_output_tokens", "n_predict", "stream_options", "prompt"}

// readAsk reads a body and writes it anew, so that every server reads it alike, and streams say their usage.
func readAsk(p path, body []byte) (*ask, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return nil, errors.New("the body is no JSON object")
	}
	for name := range fields {
		for _, want := range known {
			if name != want && strings.EqualFold(name, want) { // servers in Go take it for that
				return nil, fmt.Errorf("field %q: want %s", name, want)
			}
		}
	}
	for _, name := range known[:2] {
		if text := string(fields[name]); !slices.Contains([]string{"", "null", "false", "true"}, text) { // some take 1 and "yes" for true
			return nil, fmt.Errorf("%s is %.9s, want true or false", name, text)
		}
	}
	if string(fields["background"]) == "true" {
		return nil, errors.New("background is true: the gateway would not see the answer")
	}
	a := &ask{path: p, n: 1, stream: string(fields["stream"]) == "true"}
	var prompts []json.RawMessage
	if json.Unmarshal(fields["prompt"], &prompts) == nil && len(prompts) > 0 && (prompts[0][0] == '"' || prompts[0][0] == '[') {
		a.n = float64(len(prompts)) // each has its own answers
	}
	answers := 1.
	for i, name := range known[2:8] {
		if text := fields[name]; len(text) > 0 && text[0] == '"' { // some take "8" for 8
			return nil, fmt.Errorf("%s is %.9s, want a number", name, text)
		}
		var x float64
		if err := json.Unmarshal(fields[name], &x); err != nil {
			continue // it is not said, or the backend says what is wrong with it
		} else if i < 2 {
			answers = min(max(answers, x), 128)
		} else {
			a.most = min(max(a.most, x), 1e9)
		}
	}
	a.n *= answers
	var err error
	if a.stream && p.choices {
		options := map[string]json.RawMessage{}
		if given := fields["stream_options"]; given != nil && json.Unmarshal(given, &options) != nil || options == nil {
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
